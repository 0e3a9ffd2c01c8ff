//! Which faces of two leaves share a vertex.

use std::collections::BTreeMap;

use super::Around;
use crate::cpu::boxes::EACH;
use crate::pass::surfaces::features::Surfaces;

/// For each corner of each face of a leaf: bits for the faces of another that have it, too.
type Common = [[u16; EACH]; 3];

/// The leaves that share vertices with each.
pub struct Joints {
    /// By leaf, and the end.
    firsts: Vec<u32>,
    /// Not before it, ascending.
    joints: Vec<Joint>,
}

/// What a leaf shares with another.
pub struct Joint {
    pub leaf: u32,
    common: Common,
}

impl Joints {
    pub fn new(surfaces: &Surfaces, around: &Around) -> Self {
        let (mut firsts, mut joints) = (vec![0], Vec::new());
        for (leaf, faces) in surfaces.faces.chunks(EACH).enumerate() {
            let mut common: BTreeMap<u32, Common> = BTreeMap::new();
            for (lane, face) in faces.iter().enumerate() {
                for (k, &corner) in face.corners.iter().enumerate() {
                    for &other in around.of(corner).iter().filter(|&&other| other as usize / EACH >= leaf) {
                        let bits = common.entry(other / EACH as u32).or_insert([[0; EACH]; 3]);
                        bits[k][lane] |= 1 << (other as usize % EACH);
                    }
                }
            }
            joints.extend(common.into_iter().map(|(leaf, common)| Joint { leaf, common }));
            firsts.push(joints.len() as u32);
        }
        Self { firsts, joints }
    }

    /// Those of a leaf, itself first.
    pub fn of(&self, leaf: usize) -> &[Joint] {
        &self.joints[self.firsts[leaf] as usize..self.firsts[leaf + 1] as usize]
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.joints)
    }
}

impl Joint {
    /// Bits for the faces that have one of those corners of a face that are asked for.
    #[inline(always)]
    pub fn shared(&self, lane: usize, corners: [bool; 3]) -> u32 {
        let [a, b, c] = corners.map(|asked| if asked { u16::MAX } else { 0 });
        u32::from(self.common[0][lane] & a | self.common[1][lane] & b | self.common[2][lane] & c)
    }
}
