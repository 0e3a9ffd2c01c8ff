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
    let drawn = |every: &str| {
        let options = ["--frames", "7", "--every", every, "--render", "--out", &out];
        let ran = run(&[&["run", &place.scene], &options[..], &SIZE].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.err
    };
    let said = drawn("3");
    assert!(!said.contains("earlier run"), "{said}");
    assert_eq!(place.files_in("out"), ["animation.png", "frame_0003.png", "frame_0006.png", "report.json"]);
    assert_eq!(json(&place.path("out/report.json"))["frames"].as_array().unwrap().len(), 7);
    let file = BufReader::new(File::open(place.path("out/animation.png")).unwrap());
    let reader = png::Decoder::new(file).read_info().unwrap();
    let info = reader.info();
    assert_eq!(info.animation_control().unwrap().num_frames, 2);
    let frame = info.frame_control().unwrap();
    assert_eq!(f64::from(frame.delay_num) / f64::from(frame.delay_den), 3.0 / 60.0);
    // Pictures of an earlier run that lie between are told.
    let said = drawn("2");
    assert!(said.contains("has frames of an earlier run, up to 3"), "{said}");
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

/// A scene that is made to be compared is drawn twice, side by side, as it is written and in the other mode; what is
/// reported is what is written. Labels are above.
#[test]
fn comparisons_are_drawn_side_by_side() {
    let written = pliant::scene::Scene::gallery_text("compare").unwrap();
    let place = Place::new(written);
    let other = place.name("pbd.toml");
    fs::write(&other, written.replace("[solver]", "[solver]\nmode = \"pbd\"\nnested = false")).unwrap();
    let drawn = |scene: &str, name: &str, size: &str| {
        let out = place.name(name);
        let options = ["--device", "cpu", "--frames", "4", "--every", "4", "--render", "--size", size, "--out", &out];
        let ran = run(&[&["run", scene], &options[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let picture = image::open(place.path(name).join("frame_0004.png")).unwrap().into_rgba8();
        (picture, json(&place.path(name).join("report.json"))["state_hash"].clone())
    };
    let ((both, hash), (left, own), (right, _)) = (
        drawn("compare", "both", "322x240"),
        drawn(&place.scene, "left", "161x240"),
        drawn(&other, "right", "161x240"),
    );
    assert_eq!(hash, own);
    assert_eq!(both.dimensions(), (322, 240));
    let part = |x: u32, y: u32, height: u32| image::imageops::crop_imm(&both, x, y, 161, height).to_image();
    let of = |picture: &image::RgbaImage, y: u32, height: u32| {
        image::imageops::crop_imm(picture, 0, y, 161, height).to_image()
    };
    for (x, picture) in [(0, &left), (161, &right)] {
        assert!(part(x, 40, 200) == of(picture, 40, 200), "the half from {x} on");
        assert!(part(x, 0, 40) != of(picture, 0, 40), "its label");
    }
    assert!(part(0, 40, 200) != part(161, 40, 200));
}

/// Where colours stand for numbers their scale is in the corner, and nothing else differs.
#[test]
fn scales_are_shown() {
    let place = Place::new(CLOTH);
    let drawn = |look: &str| {
        let out = place.name(look);
        let options = ["--device", "cpu", "--frames", "1", "--render", "--size", "640x360", "--out", &out];
        let ran = run(&[&["run", &place.scene, "--look", look], &options[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        image::open(place.path(look).join("frame_0001.png")).unwrap().into_rgba8()
    };
    let corner = |picture: &image::RgbaImage| picture.get_pixel(640 - 15, 360 - 15).0;
    let (plain, speed) = (drawn("plain"), drawn("speed"));
    let brightness = |[red, green, blue, _]: [u8; 4]| u32::from(red) + u32::from(green) + u32::from(blue);
    assert!(brightness(corner(&speed)) * 3 < brightness(corner(&plain)) * 2);
    assert_eq!(speed.get_pixel(5, 5), plain.get_pixel(5, 5));
}

/// `--transparent` writes pictures with alpha.
#[test]
fn pictures_without_background() {
    let place = Place::new(CLOTH);
    let out = place.name("out");
    let ran =
        run(&[&["run", &place.scene, "--frames", "1", "--render", "--transparent", "--out", &out], &SIZE[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let picture = image::open(place.path("out/frame_0001.png")).unwrap().into_rgba8();
    assert_eq!(picture.get_pixel(0, 0).0, [0; 4]);
    assert!(
        picture.pixels().any(|pixel| pixel[3] == 255) && picture.pixels().any(|pixel| (1..255).contains(&pixel[3]))
    );
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
