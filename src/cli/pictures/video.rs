//! `run --video`: frames through the program `ffmpeg`.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{Builder, JoinHandle};

use super::Sink;
use super::options::Size;
use crate::cli::failure::Failure;
use crate::export::atomic::AtomicFile;
use crate::export::picture::Rate;
use crate::render::Picture;

const ENCODER: &str = "ffmpeg";

/// How many of the encoder's last words an error quotes, lines.
const QUOTED: usize = 6;

/// A video on its way: pictures go to the encoder as they come.
pub struct Video {
    path: PathBuf,
    /// What the encoder fills.
    file: AtomicFile,
    encoder: Encoder,
    pictures: u64,
}

/// The running program.
struct Encoder {
    child: Child,
    /// `None` once all pictures were given.
    input: Option<ChildStdin>,
    /// Collects the last lines that it says.
    said: Option<JoinHandle<VecDeque<String>>>,
}

/// Looks whether there is an encoder.
pub fn find_encoder() -> Result<(), Failure> {
    let silent = |command: &mut Command| {
        command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    match silent(&mut Command::new(ENCODER)) {
        Ok(_) => Ok(()),
        Err(error) => Err(missing(&error)),
    }
}

fn missing(error: &io::Error) -> Failure {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "and it is not on the path".to_string(),
        _ => format!("and it cannot be started: {error}"),
    };
    Failure::Input(format!(
        "--video needs the program `{ENCODER}`, {reason}. Install it (`apt install ffmpeg`, `brew install ffmpeg` or \
         `winget install ffmpeg`), or use --render or --gif"
    ))
}

impl Video {
    /// Begins a video of pictures of this size.
    pub fn create(path: &Path, size: Size, rate: Rate) -> Result<Self, Failure> {
        let file = AtomicFile::create(path)?;
        let mut command = Command::new(ENCODER);
        command.args(arguments(size, rate)).arg(file.hand_over()?);
        Ok(Self { path: path.to_path_buf(), file, encoder: Encoder::start(command)?, pictures: 0 })
    }

    fn failed(&mut self) -> Failure {
        let said = self.encoder.last_words();
        let said = if said.is_empty() { "it ended without a word".to_string() } else { said };
        Failure::Input(format!(
            "--video {}: {ENCODER} failed: {said}. Install an {ENCODER} that encodes H.264 (libx264), or use --render \
             or --gif",
            self.path.display()
        ))
    }
}

impl Sink for Video {
    fn push(&mut self, _: u64, picture: &Picture) -> Result<(), Failure> {
        self.pictures += 1;
        let written = self.encoder.input.as_mut().map_or(Ok(()), |input| input.write_all(&picture.rgba));
        written.map_err(|_| self.failed())
    }

    /// Completes the file with the pictures that came. Without any there is none.
    fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        if self.pictures == 0 {
            return Ok(());
        }
        match self.encoder.finish() {
            Ok(true) => Ok(self.file.commit()?),
            Ok(false) | Err(_) => Err(self.failed()),
        }
    }
}

/// All but the file: H.264 in half-resolution colour, which every player shows, and at a quality that one takes for the
/// original. The file says what its colours are: players guess otherwise, and wrongly.
fn arguments(Size(width, height): Size, rate: Rate) -> Vec<String> {
    let size = format!("{width}x{height}");
    let rate = format!("{}/{}", rate.frames, rate.seconds);
    let colours = "setparams=range=tv:color_primaries=bt709:color_trc=iec61966-2-1:colorspace=bt709";
    let words = [
        "-hide_banner -loglevel error -nostats -y",
        &format!("-f rawvideo -pixel_format rgba -video_size {size} -framerate {rate} -i pipe:0"),
        &format!("-an -vf scale=out_color_matrix=bt709:out_range=tv,{colours}"),
        "-c:v libx264 -crf 18 -pix_fmt yuv420p -movflags +faststart -f mp4",
    ];
    words.iter().flat_map(|part| part.split(' ')).map(str::to_string).collect()
}

impl Encoder {
    fn start(mut command: Command) -> Result<Self, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl-C reaches all programs of a terminal's group: the run, which then ends the video, is enough.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(windows)]
        std::os::windows::process::CommandExt::creation_flags(&mut command, 0x200);
        let mut child = command.spawn().map_err(|error| missing(&error))?;
        let (input, output) = (child.stdin.take(), child.stderr.take());
        let mut encoder = Self { child, input, said: None };
        if let Some(output) = output {
            let listen = move || last_lines(BufReader::new(output));
            let thread = Builder::new().name("ffmpeg".to_string()).spawn(listen);
            encoder.said = Some(thread.map_err(|error| {
                Failure::Input(format!("the system refused to start a thread for the video: {error}"))
            })?);
        }
        Ok(encoder)
    }

    /// Waits until it has written all. Whether it is content.
    fn finish(&mut self) -> io::Result<bool> {
        self.input = None;
        Ok(self.child.wait()?.success())
    }

    /// Why it failed.
    fn last_words(&mut self) -> String {
        self.input = None;
        let lines = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        Vec::from(lines).join("; ")
    }
}

/// One that is not waited for has nothing more to write.
impl Drop for Encoder {
    fn drop(&mut self) {
        self.input = None;
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // It may just have ended.
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}

fn last_lines(output: impl BufRead) -> VecDeque<String> {
    let mut last = VecDeque::new();
    for line in output.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).trim().trim_end_matches('.').to_string();
        if !line.is_empty() {
            last.push_back(line);
        }
        if last.len() > QUOTED {
            last.pop_front();
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of what the encoder says the end is quoted, without empty lines.
    #[test]
    fn last_words() {
        let said: String = (0..9).map(|line| format!("line {line}.\r\n\n")).collect();
        let quoted = last_lines(said.as_bytes());
        assert_eq!(Vec::from(quoted), ["line 3", "line 4", "line 5", "line 6", "line 7", "line 8"]);
    }
}
