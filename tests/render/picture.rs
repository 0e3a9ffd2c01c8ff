//! PNG files, still and animated.

use std::path::Path;

use image::AnimationDecoder;
use image::codecs::png::PngDecoder;
use pliant::export::picture::{AnimatedPng, write_png};

const WIDTH: u32 = 23;
const HEIGHT: u32 = 11;

/// A picture with a square that moves with the frame.
fn frame(number: u32) -> Vec<u8> {
    let colour = |x: u32, y: u32| match x.wrapping_sub(2 * number) < 4 && y.wrapping_sub(number) < 4 {
        true => [250, 10, number as u8, 255],
        false => [x as u8, 90, y as u8, 255],
    };
    (0..HEIGHT).flat_map(|y| (0..WIDTH).flat_map(move |x| colour(x, y))).collect()
}

fn read_animation(path: &Path) -> Vec<image::Frame> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let decoder = PngDecoder::new(file).unwrap();
    assert!(decoder.is_apng().unwrap());
    decoder.apng().unwrap().into_frames().collect_frames().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// What is written is what a decoder reads, and no temporary file stays.
#[test]
fn a_picture_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frame_0001.png");
    write_png(&path, WIDTH, HEIGHT, &frame(3)).unwrap();
    let read = image::open(&path).unwrap().to_rgba8();
    assert_eq!((read.dimensions(), read.into_raw()), ((WIDTH, HEIGHT), frame(3)));
    assert_eq!(names(folder.path()), ["frame_0001.png"]);
}

/// However many frames come, a decoder reads as many, each equal to what was pushed and shown for its time, also where
/// one repeats the one before.
#[test]
fn an_animation_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    for numbers in [vec![0], vec![0, 1], vec![0, 1, 1, 5, 2, 2]] {
        let path = folder.path().join("animation.png");
        let mut animation = AnimatedPng::create(&path, WIDTH, HEIGHT, 60.0).unwrap();
        numbers.iter().for_each(|&number| animation.push(&frame(number)).unwrap());
        animation.finish().unwrap();
        let frames = read_animation(&path);
        assert_eq!(frames.len(), numbers.len());
        for (read, &number) in frames.into_iter().zip(&numbers) {
            let (numerator, denominator) = read.delay().numer_denom_ms();
            assert!((f64::from(numerator) / f64::from(denominator) - 1000.0 / 60.0).abs() < 1.0);
            assert_eq!(read.into_buffer().into_raw(), frame(number), "frame {number}");
        }
        assert_eq!(names(folder.path()), ["animation.png"]);
        // A strict reader of the file's own structure: every check sum and the number of frames.
        let mut reader =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&path).unwrap())).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, numbers.len() as u32);
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        for _ in &numbers {
            reader.next_frame(&mut buffer).unwrap();
        }
        reader.finish().unwrap();
    }
}

/// An animation without frames, or one that is abandoned, leaves no file.
#[test]
fn an_animation_without_frames_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("animation.png");
    AnimatedPng::create(&path, WIDTH, HEIGHT, 60.0).unwrap().finish().unwrap();
    let mut abandoned = AnimatedPng::create(&path, WIDTH, HEIGHT, 60.0).unwrap();
    abandoned.push(&frame(0)).unwrap();
    drop(abandoned);
    assert!(names(folder.path()).is_empty());
}

/// A folder that cannot be and a picture of the wrong size are told with the path and what to do, and leave no file.
#[test]
fn faults_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no_folder");
    std::fs::write(&file, "").unwrap();
    let message = write_png(&file.join("frame_0001.png"), WIDTH, HEIGHT, &frame(0)).unwrap_err().to_string();
    assert!(message.contains("no_folder") && message.contains("choose another"), "{message}");
    std::fs::remove_file(&file).unwrap();
    let path = folder.path().join("frame_0001.png");
    let message = write_png(&path, WIDTH, HEIGHT, &[0; 4]).unwrap_err().to_string();
    assert!(message.contains("frame_0001.png"), "{message}");
    let mut animation = AnimatedPng::create(&path, WIDTH, HEIGHT, 60.0).unwrap();
    animation.push(&frame(0)).unwrap();
    assert!(animation.push(&[0; 4]).is_err());
    drop(animation);
    assert!(names(folder.path()).is_empty());
}
