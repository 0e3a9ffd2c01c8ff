//! What of a body the air acts on.

use super::{Body, Model};

impl Body {
    /// The segments on which the air acts as on cylinders of the body's radius: those along its strands, and those
    /// listed of what is neither a strand nor a surface. What is an end of none and a corner of no triangle meets the
    /// air as a ball.
    pub(crate) fn cylinders(&self) -> Vec<[u32; 2]> {
        if !self.triangles.is_empty() {
            return Vec::new();
        }
        let Some(each) = self.strand else { return self.segments.clone() };
        let begins = |&particle: &u32| !(particle - self.particles.start + 1).is_multiple_of(each);
        self.particles.clone().filter(begins).map(|particle| [particle, particle + 1]).collect()
    }
}

impl Model {
    /// The cylinders of all bodies that the air drags at, each with the index of its body.
    pub(crate) fn cylinders(&self) -> impl Iterator<Item = (usize, [u32; 2])> + '_ {
        let felt = self.bodies.iter().enumerate().filter(|(_, body)| body.drag > 0.0);
        felt.flat_map(|(index, body)| body.cylinders().into_iter().map(move |ends| (index, ends)))
    }
}
