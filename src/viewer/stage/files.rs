//! What the stage does with files: asks for them, opens meshes, saves scenes, writes pictures and films.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::Stage;
use crate::scene::MeshUse;
use crate::viewer::dialog::{Answer, Dialog, Question};
use crate::viewer::film::{Download, Film, Sheet, shoot};
use crate::viewer::naming::{Names, stem};
use crate::viewer::panels::{Action, Trouble};
use crate::viewer::saving::{Request, save};

/// What threads have to tell: notes, or what went wrong.
type News = Result<Vec<String>, Trouble>;

/// What the stage has to do with files.
pub struct Files {
    dialog: Option<Dialog>,
    /// Where pictures go; the working directory if nobody has chosen.
    folder: Option<PathBuf>,
    names: Names,
    sender: Sender<News>,
    news: Receiver<News>,
    /// Held by every thread that is to tell something.
    at_work: Arc<()>,
    /// Whether a picture of this frame is wanted.
    shooting: bool,
    film: Option<Film>,
}

impl Default for Files {
    fn default() -> Self {
        let (sender, news) = channel();
        let (names, at_work) = (Names::default(), Arc::new(()));
        Self { dialog: None, folder: None, names, sender, news, at_work, shooting: false, film: None }
    }
}

impl Files {
    /// For a stage on another device: a film ends with the device that drew it.
    pub fn carried_over(self) -> Self {
        Self { shooting: false, film: None, ..self }
    }

    /// Whether something is open or on its way that nobody announces.
    pub fn is_waiting(&self) -> bool {
        self.dialog.is_some() || self.film.is_some() || Arc::strong_count(&self.at_work) > 1
    }

    /// Whether pictures of this frame are wanted, as fine as the window is.
    pub fn is_capturing(&self) -> bool {
        self.shooting || self.film.is_some()
    }

    /// How many of the steps that are due may be made, so that the film has enough pictures of them.
    pub fn allowed(&self, steps: u32, period: f64, speed: f64) -> u32 {
        match &self.film {
            Some(film) if film.is_full() => 0,
            Some(film) => steps.min(film.most_steps(period, speed)),
            None => steps,
        }
    }

    /// A file in that folder that is not there yet.
    fn free(&mut self, name: &str, ending: &str) -> PathBuf {
        let folder = self.folder.as_deref().unwrap_or(Path::new(""));
        self.names.free(folder, name, ending)
    }

    /// Whether a film is being made.
    pub fn is_filming(&self) -> bool {
        self.film.is_some()
    }
}

/// Pictures that were recorded, to be read when that is submitted.
#[derive(Default)]
pub struct Captured {
    shot: Option<Download>,
    film: Option<(Download, u32)>,
}

impl Stage {
    /// Does what an action asks of files. Whether it asked for any.
    pub(super) fn act_on_files(&mut self, action: &Action) -> bool {
        match action {
            Action::Browse => self.ask(Question::Open),
            Action::Save => self.ask(Question::Save(format!("{}.toml", self.stem()))),
            Action::ChooseFolder => self.ask(Question::Folder),
            Action::Screenshot => self.files.shooting = self.shown.is_some(),
            Action::Record => self.toggle_film(),
            Action::Use(mesh_use) => self.reopen(*mesh_use),
            _ => return false,
        }
        true
    }

    fn stem(&self) -> String {
        self.shown.as_ref().map_or_else(|| "scene".to_string(), |shown| stem(&shown.loaded.source))
    }

    fn ask(&mut self, question: Question) {
        if self.files.dialog.is_some() {
            return;
        }
        match Dialog::ask(question) {
            Ok(dialog) => self.files.dialog = Some(dialog),
            Err(error) => self.desk.trouble = Some(Trouble::new("File dialog", no_thread(&error))),
        }
    }

    /// Makes something else of the mesh that is shown.
    fn reopen(&mut self, mesh_use: MeshUse) {
        if let Some(shown) = &self.shown {
            let source = shown.loaded.source.clone();
            self.open_as(&source, Some(mesh_use));
        }
    }

    /// Takes in what dialogs and threads have to say.
    pub(super) fn take_news(&mut self) {
        let answer = self.files.dialog.as_ref().and_then(|dialog| Some((dialog.question.clone(), dialog.answer()?)));
        if let Some((question, answer)) = answer {
            self.files.dialog = None;
            self.answered(question, answer);
        }
        while let Ok(news) = self.files.news.try_recv() {
            self.tell(news);
        }
        if let Some(result) = self.files.film.as_mut().and_then(Film::result) {
            self.files.film = None;
            self.tell(result.map(|note| vec![note]).map_err(|message| Trouble::new("Recording", message)));
        }
    }

    fn answered(&mut self, question: Question, answer: Answer) {
        match (question, answer) {
            (_, Answer::Cancelled) => {}
            (Question::Open, Answer::Chosen(path)) => self.open(&path.to_string_lossy()),
            (Question::Save(_), Answer::Chosen(path)) => self.save(&path),
            (Question::Folder, Answer::Chosen(path)) => self.files.folder = Some(path),
            (Question::Save(_), Answer::NoDialog) => {
                let name = self.stem();
                let path = self.files.free(&name, "toml");
                self.save(&path);
            }
            (Question::Open | Question::Folder, Answer::NoDialog) => {
                let note = "This desktop shows no file dialog. Type the path of a scene or a mesh under Scenes, or \
                     drop the file on the window.";
                self.desk.notes.push(note.to_string());
            }
        }
    }

    fn tell(&mut self, news: News) {
        match news {
            Ok(notes) => self.desk.notes.extend(notes),
            Err(trouble) => self.desk.trouble = Some(trouble),
        }
    }

    /// Writes the scene to a file as it is in the window, of two that are compared the left one. A note says when it is
    /// there.
    pub fn save(&mut self, path: &Path) {
        let Some(shown) = &self.shown else { return };
        let request = Request {
            loaded: shown.loaded.clone(),
            tuning: self.desk.tunings[0].clone(),
            camera: shown.moved_camera(),
            path: path.to_path_buf(),
        };
        let (sender, at_work) = (self.files.sender.clone(), self.files.at_work.clone());
        // A scene of a million constraints takes longer than a frame of the window.
        let write = move || {
            _ = sender.send(save(&request));
            drop(at_work);
        };
        if let Err(error) = std::thread::Builder::new().name("save scene".to_string()).spawn(write) {
            self.desk.trouble = Some(Trouble::new("Saving", no_thread(&error)));
        }
    }

    /// Sets where pictures and films go.
    pub fn set_folder(&mut self, folder: impl Into<PathBuf>) {
        self.files.folder = Some(folder.into());
    }

    /// Whether a film is being made.
    pub fn is_filming(&self) -> bool {
        self.files.is_filming()
    }

    fn toggle_film(&mut self) {
        if let Some(film) = &mut self.files.film {
            return film.stop();
        }
        let Some(shown) = &self.shown else { return };
        let sheet = Sheet::of(shown.panes.iter().map(|pane| &pane.canvas));
        let name = self.stem();
        let Files { folder, names, .. } = &mut self.files;
        match Film::begin(folder.as_deref().unwrap_or(Path::new("")), names, &name, sheet) {
            Ok(film) => self.files.film = Some(film),
            Err(message) => self.desk.trouble = Some(Trouble::new("Recording", message)),
        }
    }

    /// Records copies of what is on the panes for a screenshot or a film, after so many steps or so many seconds.
    pub(super) fn capture(&mut self, encoder: &mut wgpu::CommandEncoder, steps: u32, seconds: f64) -> Captured {
        let Some(shown) = &mut self.shown else { return Captured::default() };
        let device = &self.gpu.device;
        let mut captured = Captured::default();
        if std::mem::take(&mut self.files.shooting) {
            let sheet = Sheet::of(shown.panes.iter().map(|pane| &pane.canvas));
            captured.shot = Some(sheet.download(device, encoder, shown.panes.iter().map(|pane| &pane.canvas)));
        }
        let Some(film) = &mut self.files.film else { return captured };
        let moved = f64::from(steps) / shown.loaded.model.settings.frame_rate;
        let still = if self.desk.playing { 0.0 } else { seconds };
        let times = if film.is_full() { 0 } else { film.advance(moved, self.desk.speed, still) };
        if times == 0 {
            return captured;
        }
        for (index, pane) in shown.panes.iter_mut().enumerate() {
            // A window that was resized is drawn once more, at the film's size.
            if let Some(size) = film.sheet.differs(index, &pane.canvas) {
                let target = film.sheet.target(device, index);
                _ = pane.simulation.draw(encoder, target, size, shown.orbit.camera(), self.desk.look);
            }
        }
        let canvases = shown.panes.iter().map(|pane| &pane.canvas);
        captured.film = Some((film.sheet.download(device, encoder, canvases), times));
        captured
    }

    /// Waits for the pictures of a frame that was submitted.
    pub(super) fn develop(&mut self, captured: Captured) {
        if let Some(download) = captured.shot {
            let name = self.stem();
            let path = self.files.free(&name, "png");
            let (sender, at_work) = (self.files.sender.clone(), self.files.at_work.clone());
            shoot(download, path, move |result| {
                let news = result.map(|note| vec![note]).map_err(|message| Trouble::new("Screenshot", message));
                _ = sender.send(news);
                drop(at_work);
            });
        }
        if let (Some((download, times)), Some(film)) = (captured.film, &self.files.film) {
            film.take(download, times);
        }
    }
}

fn no_thread(error: &std::io::Error) -> String {
    format!("the system refused to start a thread: {error}")
}
