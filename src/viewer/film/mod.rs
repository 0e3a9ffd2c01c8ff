//! Pictures of what the window shows, written to files: single ones, and films.

mod sheet;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};

pub use sheet::{Download, Sheet};

use self::writer::{FilmWriter, RATE, create};
use super::naming::Names;
use crate::export::picture::write_png;
use crate::render::Picture;

/// Pictures that may wait for being written. Where more come, the scene waits: a film has all of them.
const MOST_WAITING: usize = 6;
/// What a moment in which nothing moves may count for, s: after a pause of the window nothing is caught up.
const LONGEST_STILL: f64 = 0.1;

/// A film that is being made: what the window shows, as fast as the scene should run. A scene that cannot keep up with
/// real time does so in the film.
pub struct Film {
    path: PathBuf,
    /// How large the pictures are.
    pub sheet: Sheet,
    /// How long it is, s, and how many pictures that makes.
    seconds: f64,
    pictures: u64,
    /// Pictures that were recorded and are not written, and of these those that are not here yet.
    waiting: Arc<AtomicUsize>,
    arriving: Arc<AtomicUsize>,
    stopped: bool,
    messages: Sender<Message>,
    result: Receiver<Result<(), String>>,
    thread: Option<JoinHandle<()>>,
}

enum Message {
    /// A picture, and how often it is shown.
    Picture(Picture, u32),
    End,
}

impl Film {
    /// Begins a film in a folder, called after a scene.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn begin(folder: &Path, names: &mut Names, scene: &str, sheet: Sheet) -> Result<Self, String> {
        let (path, writer) = create(folder, names, scene, sheet.size()).map_err(|error| error.to_string())?;
        let (messages, inbox) = channel();
        let (done, result) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = waiting.clone();
        // Nobody listens any more if the window was closed.
        let write = move || _ = done.send(write(writer, &inbox, &left));
        let thread = thread::Builder::new().name("write film".to_string()).spawn(write);
        let thread = thread.map_err(|error| format!("the system refused to start a thread: {error}"))?;
        let (arriving, thread) = (Arc::default(), Some(thread));
        Ok(Self { path, sheet, seconds: 0.0, pictures: 0, waiting, arriving, stopped: false, messages, result, thread })
    }

    /// Whether the scene must wait until pictures are written.
    pub fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= MOST_WAITING
    }

    /// How many steps of this length, s, may be between two pictures at a speed.
    pub fn most_steps(&self, period: f64, speed: f64) -> u32 {
        // A cast from a float saturates.
        ((speed / (RATE * period)) as u32).max(1)
    }

    /// Goes on by what the window has shown: a scene that moved by so many simulated seconds at a speed, or stood still
    /// for some seconds. Returns how often this picture is in the film.
    pub fn advance(&mut self, moved: f64, speed: f64, still: f64) -> u32 {
        if self.stopped {
            return 0;
        }
        self.seconds += if moved > 0.0 { moved / speed } else { still.clamp(0.0, LONGEST_STILL) };
        let due = (self.seconds * RATE) as u64;
        let times = due.saturating_sub(self.pictures);
        self.pictures += times;
        times as u32
    }

    /// Takes a picture, which was submitted.
    pub fn take(&self, download: Download, times: u32) {
        let (messages, waiting, arriving) = (self.messages.clone(), self.waiting.clone(), self.arriving.clone());
        waiting.fetch_add(1, Ordering::Relaxed);
        arriving.fetch_add(1, Ordering::Relaxed);
        download.read(move |picture| {
            // What has not arrived, or comes after the end, is not in the film.
            let sent = picture.map(|picture| messages.send(Message::Picture(picture, times)));
            if !matches!(sent, Some(Ok(()))) {
                waiting.fetch_sub(1, Ordering::Relaxed);
            }
            arriving.fetch_sub(1, Ordering::Relaxed);
        });
    }

    /// Ends the film with the pictures that are on their way.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// What came of it, once it is whole.
    pub fn result(&mut self) -> Option<Result<String, String>> {
        if self.stopped && self.arriving.load(Ordering::Relaxed) == 0 {
            _ = self.messages.send(Message::End);
        }
        match self.result.try_recv() {
            Ok(Ok(())) if self.pictures == 0 => {
                Some(Ok("Nothing was recorded: the recording was too short".to_string()))
            }
            Ok(Ok(())) => Some(Ok(format!("Recorded {:.1} s: {}", self.seconds, self.path.display()))),
            Ok(Err(message)) => Some(Err(message)),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("writing it ended early; please report it".to_string())),
        }
    }
}

impl Drop for Film {
    /// A window that is closed leaves the film whole.
    fn drop(&mut self) {
        _ = self.messages.send(Message::End);
        self.thread.take().map(JoinHandle::join);
    }
}

fn write(mut writer: Box<dyn FilmWriter>, inbox: &Receiver<Message>, left: &AtomicUsize) -> Result<(), String> {
    while let Ok(Message::Picture(picture, times)) = inbox.recv() {
        let pushed = (0..times).try_for_each(|_| writer.push(&picture.rgba));
        left.fetch_sub(1, Ordering::Relaxed);
        pushed.map_err(|error| error.to_string())?;
    }
    writer.finish().map_err(|error| error.to_string())
}

/// Writes a single picture when it is here, and tells what came of it.
pub fn shoot(download: Download, path: PathBuf, tell: impl FnOnce(Result<String, String>) + Send + 'static) {
    download.read(move |picture| {
        let write = move || {
            let Some(picture) = picture else { return tell(Err("the picture did not come from the device".into())) };
            let written = write_png(&path, picture.width, picture.height, &picture.rgba);
            tell(written.map(|()| format!("Screenshot: {}", path.display())).map_err(|error| error.to_string()));
        };
        // Large pictures take longer than a frame of the window. Without a thread there is no picture, and no note.
        drop(thread::Builder::new().name("write picture".to_string()).spawn(write));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(folder: &Path) -> Film {
        Film::begin(folder, &mut Names::default(), "chain", Sheet::of(std::iter::empty())).unwrap()
    }

    /// A second of the film is one of the scene at its speed, however fast that came; a scene that stands still is
    /// filmed in real time, and a pause of the window is left out.
    #[test]
    fn time_of_films() {
        let folder = tempfile::tempdir().unwrap();
        let mut at_full_speed = film(folder.path());
        let pictures: u32 = (0..60).map(|_| at_full_speed.advance(1.0 / 60.0, 1.0, 5.0)).sum();
        assert!((29..=30).contains(&pictures), "{pictures}");
        let mut slow = film(folder.path());
        let pictures: u32 = (0..60).map(|_| slow.advance(1.0 / 60.0, 0.25, 5.0)).sum();
        assert!((119..=120).contains(&pictures), "{pictures}");
        let mut still = film(folder.path());
        let pictures: u32 = (0..40).map(|_| still.advance(0.0, 1.0, 0.05)).sum();
        assert!((59..=60).contains(&pictures), "{pictures}");
        assert_eq!(film(folder.path()).advance(0.0, 1.0, 3600.0), 3);
        assert_eq!([1.0, 0.5, 0.1].map(|speed| still.most_steps(1.0 / 60.0, speed)), [2, 1, 1]);
        still.stop();
        assert_eq!(still.advance(1.0, 1.0, 0.0), 0);
    }

    /// A film that is dropped with its window is whole, and one without pictures leaves no file.
    #[test]
    fn dropped_films_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let picture = |shade: u8| Picture { width: 1, height: 1, rgba: vec![shade, 0, 0, 255] };
        let with_pictures = film(folder.path());
        for shade in [0, 50, 100] {
            with_pictures.messages.send(Message::Picture(picture(shade), 2)).unwrap();
        }
        drop(with_pictures);
        drop(film(folder.path()));
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["chain-film-0001.png"]);
        let file = std::fs::File::open(folder.path().join("chain-film-0001.png")).unwrap();
        let reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 6);
    }
}
