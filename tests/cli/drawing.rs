//! What a run draws: pictures of some frames, from another camera, videos and GIFs.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use crate::place::{CLOTH, Place, json, run};

const SIZE: [&str; 4] = ["--device", "cpu", "--size", "64x36"];

/// `--every` draws every N-th frame and simulates all, names pictures by their frames, and the animation keeps its
/// speed.
#[test]
fn every_nth_frame() {
    let place = Place::new(CLOTH);
    let out = place.name("out");
    let ran =
        run(&[&["run", &place.scene, "--frames", "7", "--every", "3", "--render", "--out", &out], &SIZE[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.files_in("out"), ["animation.png", "frame_0003.png", "frame_0006.png", "report.json"]);
    assert_eq!(json(&place.path("out/report.json"))["frames"].as_array().unwrap().len(), 7);
    let file = BufReader::new(File::open(place.path("out/animation.png")).unwrap());
    let reader = png::Decoder::new(file).read_info().unwrap();
    let info = reader.info();
    assert_eq!(info.animation_control().unwrap().num_frames, 2);
    let frame = info.frame_control().unwrap();
    assert_eq!(f64::from(frame.delay_num) / f64::from(frame.delay_den), 3.0 / 60.0);
}

/// `--camera` is what `camera` of a scene is, and takes its place.
#[test]
fn another_camera() {
    let seen = |camera: &str, options: &[&str]| {
        let place = Place::new(&format!("{camera}{CLOTH}"));
        let out = place.name("out");
        let all = [&["run", &place.scene, "--frames", "1", "--render", "--out", &out], options, &SIZE].concat();
        let ran = run(&all);
        assert_eq!(ran.code, 0, "{}", ran.err);
        fs::read(place.path("out/frame_0001.png")).unwrap()
    };
    let option = ["--camera", "-0.5,0.25,2:0,-0.5,0:30"];
    let near = "camera = { eye = [-0.5, 0.25, 2.0], target = [0.0, -0.5, 0.0], field_of_view = 30.0 }\n";
    let far = "camera = { eye = [0.0, 0.0, 9.0], target = [0.0, -0.5, 0.0] }\n";
    let expected = seen(near, &[]);
    assert!(seen(far, &option) == expected);
    assert!(seen(far, &[]) != expected);
}

/// `--gif` writes one file, needs no folder, and is small.
#[test]
fn small_animation() {
    let place = Place::new(CLOTH);
    let gif = place.name("cloth.gif");
    let options = ["--device", "cpu", "--size", "640x360", "--gif", &gif];
    let ran = run(&[&["run", &place.scene, "--frames", "6"], &options[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(place.files(), ["cloth.gif"]);
    let mut decoder = gif::DecodeOptions::new().read_info(File::open(&gif).unwrap()).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (480, 270));
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    assert_eq!(delays, [5, 5], "frames 1 and 4 of 60 a second");
}

/// The input may be a file that a video or GIF would replace.
#[test]
fn inputs_are_not_replaced() {
    let place = Place::new(CLOTH);
    let scene = place.name("scene.gif");
    fs::rename(&place.scene, &scene).unwrap();
    let ran = run(&["run", &scene, "--frames", "1", "--gif", &scene]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("--gif would overwrite"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&scene).unwrap(), CLOTH);
}

/// A program in place of `ffmpeg`.
#[cfg(unix)]
mod video {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::place::{Ran, pliant, ran};

    /// Notes its arguments and how many bytes came, and writes what it made of them.
    const RECORDS: &str = r#"
[ "$1" = -version ] && exit 0
folder=$(dirname "$0")
printf '%s\n' "$@" > "$folder/arguments"
for file; do :; done
wc -c > "$folder/bytes"
echo video > "$file"
"#;
    /// Takes nothing.
    const FAILS: &str = r#"
[ "$1" = -version ] && exit 0
echo "Stream #0: nothing" >&2
echo "Unknown encoder 'libx264'" >&2
exit 1
"#;

    fn with_encoder(place: &Place, script: Option<&str>, arguments: &[&str]) -> Ran {
        let folder = place.path("bin");
        fs::create_dir(&folder).unwrap();
        let mut path = folder.as_os_str().to_owned();
        if let Some(script) = script {
            let program = folder.join("ffmpeg");
            fs::write(&program, format!("#!/bin/sh\n{script}")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            path.push(":");
            path.push(std::env::var_os("PATH").unwrap());
        }
        ran(pliant(arguments).env("PATH", path).output().unwrap())
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    /// `--video` gives the encoder whole pictures, their size and rate, and the file gets its name at the end.
    #[test]
    fn pictures_go_to_the_encoder() {
        let place = Place::new(CLOTH);
        let video = place.name("cloth.mp4");
        let arguments =
            [&["run", &place.scene, "--frames", "7", "--every", "2", "--video", &video], &SIZE[..]].concat();
        let ran = with_encoder(&place, Some(RECORDS), &arguments);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(read(&place.path("bin/bytes")).trim(), (3 * 4 * 64 * 36).to_string());
        let given = read(&place.path("bin/arguments"));
        let given: Vec<&str> = given.lines().collect();
        for pair in [
            ["-f", "rawvideo"],
            ["-pixel_format", "rgba"],
            ["-video_size", "64x36"],
            ["-framerate", "30/1"],
            ["-i", "pipe:0"],
            ["-c:v", "libx264"],
            ["-crf", "18"],
            ["-pix_fmt", "yuv420p"],
        ] {
            assert!(given.windows(2).any(|window| window == pair), "{pair:?}: {given:?}");
        }
        assert_ne!(given.last(), Some(&video.as_str()), "the file is not whole yet");
        assert_eq!(read(Path::new(&video)), "video\n");
        assert_eq!(place.files(), ["bin", "cloth.mp4"]);
    }

    /// Without an encoder a run ends before anything is simulated, and says what to install.
    #[test]
    fn no_encoder() {
        let place = Place::new(CLOTH);
        let (video, report) = (place.name("cloth.mp4"), place.name("report.json"));
        let ran = with_encoder(&place, None, &["run", "missing.toml", "--video", &video, "--report", &report]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        for part in ["ffmpeg", "apt install ffmpeg", "--gif"] {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
        assert_eq!(place.files(), ["bin"]);
    }

    /// An encoder that fails is quoted, and leaves no file; what else was asked for is written.
    #[test]
    fn encoder_that_fails() {
        let place = Place::new(CLOTH);
        let (video, report) = (place.name("cloth.mp4"), place.name("report.json"));
        let options = ["--frames", "9", "--video", &video, "--report", &report];
        let ran = with_encoder(&place, Some(FAILS), &[&["run", &place.scene], &options[..], &SIZE].concat());
        assert_eq!(ran.code, 2, "{}", ran.err);
        for part in ["cloth.mp4", "ffmpeg failed", "Unknown encoder 'libx264'", "--gif"] {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
        assert_eq!(place.files(), ["bin", "report.json"]);
    }
}
