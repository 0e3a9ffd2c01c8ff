//! Readers of the formats.

use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::DefaultElement;
use ply_rs_bw::ply::Ply;
use ply_rs_bw::ply::Property;
use std::fs;
use std::fs::File;
use std::path::Path;

/// A point cache as its format defines it.
pub struct PointCache {
    pub points: usize,
    pub start_and_rate: [f32; 2],
    pub samples: Vec<Vec<[f32; 3]>>,
}

pub fn read_pc2(path: &Path) -> PointCache {
    let bytes = fs::read(path).unwrap();
    let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
    assert_eq!(&bytes[..12], b"POINTCACHE2\0");
    assert_eq!(i32::from_le_bytes(word(12)), 1);
    let [points, samples] = [16, 28].map(|at| usize::try_from(i32::from_le_bytes(word(at))).unwrap());
    assert_eq!(bytes.len(), 32 + samples * points * 12, "the header tells how many samples there are");
    let position = |at: usize| [0, 4, 8].map(|axis| f32::from_le_bytes(word(at + axis)));
    let sample = |number| (0..points).map(|point| position(32 + (number * points + point) * 12)).collect();
    let start_and_rate = [20, 24].map(|at| f32::from_le_bytes(word(at)));
    PointCache { points, start_and_rate, samples: (0..samples).map(sample).collect() }
}

pub fn read_ply(path: &Path) -> Ply<DefaultElement> {
    Parser::<DefaultElement>::new().read_ply(&mut File::open(path).unwrap()).unwrap()
}

pub fn ply_vectors(ply: &Ply<DefaultElement>, keys: [&str; 3]) -> Vec<[f32; 3]> {
    let number = |vertex: &DefaultElement, key| match vertex[key] {
        Property::Float(value) => value,
        ref other => panic!("{key}: {other:?}"),
    };
    ply.payload["vertex"].iter().map(|vertex| keys.map(|key| number(vertex, key))).collect()
}

/// The objects of an OBJ file. The reader knows points, but not the statement `p` by which the format says them, only a face
/// of one corner.
pub fn read_obj(path: &Path) -> Vec<tobj::Model> {
    let text = fs::read_to_string(path).unwrap().replace("\np ", "\nf ");
    tobj::load_obj_buf(&mut text.as_bytes(), &tobj::LoadOptions::default(), |_| unreachable!()).unwrap().0
}
