//! The file dialogs of the desktop, on a thread of their own: the window runs on meanwhile.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rfd::FileDialog;

/// The endings of files of meshes.
pub const MESHES: [&str; 7] = ["obj", "ply", "stl", "glb", "gltf", "msh", "vtk"];

/// Nobody looks at a dialog and closes it in less: where an answer comes sooner there was none.
const AT_ONCE: Duration = Duration::from_millis(300);

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A scene or a mesh to open.
    Open,
    /// Where to write a scene; `0` is suggested.
    Save(String),
    /// Where pictures go.
    Folder,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Chosen(PathBuf),
    Cancelled,
    /// No dialog could be shown.
    NoDialog,
}

/// A dialog that is open.
pub struct Dialog {
    pub question: Question,
    answer: Receiver<Answer>,
}

impl Dialog {
    /// # Errors
    /// If the system gives no thread.
    pub fn ask(question: Question) -> io::Result<Self> {
        Self::ask_by(question, show)
    }

    fn ask_by(question: Question, show: fn(&Question) -> Option<PathBuf>) -> io::Result<Self> {
        let (sender, answer) = channel();
        let asked = question.clone();
        let wait = move || {
            let begun = Instant::now();
            let path = show(&asked);
            // The window may be gone.
            _ = sender.send(judged(path, begun.elapsed()));
        };
        thread::Builder::new().name("file dialog".to_string()).spawn(wait)?;
        Ok(Self { question, answer })
    }

    /// The answer; `None` while the dialog is open.
    pub fn answer(&self) -> Option<Answer> {
        match self.answer.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => None,
            // What shows dialogs has given up.
            Err(TryRecvError::Disconnected) => Some(Answer::NoDialog),
        }
    }
}

/// What it means that a dialog gave this path, or none, after so long.
fn judged(path: Option<PathBuf>, after: Duration) -> Answer {
    match path {
        Some(path) => Answer::Chosen(path),
        None if after < AT_ONCE => Answer::NoDialog,
        None => Answer::Cancelled,
    }
}

fn show(question: &Question) -> Option<PathBuf> {
    let dialog = FileDialog::new();
    match question {
        Question::Open => {
            let all: Vec<&str> = ["toml"].into_iter().chain(MESHES).collect();
            let dialog = dialog.set_title("Open a scene or a mesh").add_filter("Scenes and meshes", &all);
            dialog.add_filter("Scenes", &["toml"]).add_filter("Meshes", &MESHES).pick_file()
        }
        Question::Save(name) => {
            dialog.set_title("Save the scene").add_filter("Scenes", &["toml"]).set_file_name(name).save_file()
        }
        Question::Folder => dialog.set_title("Folder for pictures").pick_folder(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is chosen arrives; a dialog that was never there is not taken for one that was closed, nor for one still
    /// open where its thread has ended.
    #[test]
    fn answers_arrive() {
        let dialog = Dialog::ask_by(Question::Open, |_| Some("a.toml".into())).unwrap();
        let answer = std::iter::repeat_with(|| {
            dialog.answer().or_else(|| {
                thread::yield_now();
                None
            })
        });
        assert_eq!(answer.flatten().next(), Some(Answer::Chosen("a.toml".into())));
        assert_eq!(judged(None, Duration::from_millis(3)), Answer::NoDialog);
        assert_eq!(judged(None, Duration::from_secs(1)), Answer::Cancelled);
        let (sender, nobody) = channel();
        drop(sender);
        assert_eq!(Dialog { question: Question::Folder, answer: nobody }.answer(), Some(Answer::NoDialog));
    }
}
