//! Which particles may touch each other. What all engines ask, asked in one place.

use std::ops::Range;

use super::{Body, Groups, Integrator, Model, Settings};

/// Kin that were placed closer than this many contact distances never touch, and others do at one of as many parts of
/// the distance at which they were placed: neighbours along a thread as thick as it is finely divided, and balls placed
/// in touch, must not hang on the last digit of single precision.
pub(crate) const PLACED_APART: f64 = 1.0001;

/// The distance at which two touch that were placed so far apart, m, by the sum of their radii; `None` if they never
/// do. Of what constraints hold together (`kin`) those placed closer than that never touch: they would be pushed
/// against these for ever. All others that were placed in each other keep that distance: pushed apart at once a lattice
/// of balls that overlap by a tenth flew at 8 m/s. What was placed in one place has none, and is no pair: a heap of
/// spare balls would be one of all with all.
pub(crate) fn touching_distance(sum: f64, placed: f64, kin: bool) -> Option<f64> {
    let touches = if kin { placed >= PLACED_APART * sum } else { placed > 0.0 };
    touches.then_some(if kin { sum } else { sum.min(placed / PLACED_APART) })
}

/// Which particles constraints may hold together: those of a body, and of bodies that constraints join, but for those
/// that none joins to others. By bodies, not by what really hangs together: a number for each particle would be read
/// with every pair that is near.
pub(crate) struct Kin {
    /// Of each body one of those that it hangs together with, the same for all.
    pub of_body: Vec<u32>,
    /// Whether some constraint joins a particle to others.
    pub held: Vec<bool>,
}

impl Kin {
    /// The number of a particle's kin; `None` of one that nothing holds.
    pub fn of(&self, model: &Model, particle: usize) -> Option<u32> {
        self.held[particle].then(|| self.of_body[model.particles.bodies[particle] as usize])
    }
}

/// The root of what an index was joined to, in a forest of parents; paths are halved on the way (Tarjan and van Leeuwen
/// 1984).
pub(crate) fn root(parents: &mut [u32], mut index: u32) -> u32 {
    while parents[index as usize] != index {
        let next = parents[parents[index as usize] as usize];
        parents[index as usize] = next;
        index = next;
    }
    index
}

/// Slack of the search in each substep, in radii: pairs that constraints push together by more within a substep, from
/// farther apart than this, touch in the next.
pub(crate) const SLACK: f64 = 0.1;

/// A line between two particles that others touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// Indices of the model, or slots of a plan.
    pub ends: [u32; 2],
    /// Whether it is touched at these, too: an end of several segments belongs to the first of them.
    pub owns: [bool; 2],
}

impl Segment {
    /// At which of its ends a particle touches it, by the slots of a plan. Where two ends meet they do once: what is in
    /// the higher slot touches the segment of the other.
    pub fn touched_at(&self, slot: u32, is_end: bool, slots: [u32; 2]) -> [bool; 2] {
        std::array::from_fn(|k| self.owns[k] && !(is_end && slot < slots[k]))
    }
}

impl Model {
    /// The radius at which each particle touches others, m. It is 0 for those that never do: of bodies without a
    /// radius, and spare ones until a tear takes them ([`Model::spare_balls`]). `None` if no two particles of the model
    /// can touch.
    pub(crate) fn touching_radii(&self) -> Option<Vec<f64>> {
        let touching = || self.bodies.iter().filter(|body| body.has_balls());
        let itself = |body: &Body| body.self_collision && body.particles.len() > 1;
        let another = || {
            let mut groups: Vec<Groups> = Vec::new();
            touching().filter(|body| !body.particles.is_empty()).any(|body| {
                let meets = groups.iter().any(|&other| body.groups.meet(other));
                if !groups.contains(&body.groups) {
                    groups.push(body.groups);
                }
                meets
            })
        };
        if !touching().any(itself) && !another() {
            return None;
        }
        let radius = |&body: &u32| self.bodies[body as usize].ball_radius();
        let mut radii: Vec<f64> = self.particles.bodies.iter().map(radius).collect();
        radii[self.placed_particles()..].fill(0.0);
        Some(radii)
    }

    /// Which particles are kin. Spare ones are held as what they are split from is.
    pub(crate) fn kin(&self) -> Kin {
        let mut of_body: Vec<u32> = (0..self.bodies.len() as u32).collect();
        let mut held = vec![false; self.particles.len()];
        held[self.placed_particles()..].fill(true);
        let bodies = &self.particles.bodies;
        for group in &self.groups {
            for members in (0..group.len()).map(|constraint| group.particles_of(constraint)) {
                for &member in members {
                    // What ties a particle to the world joins it to nobody.
                    held[member as usize] |= members.len() > 1;
                    let ends = [members[0], member].map(|particle| bodies[particle as usize]);
                    if ends[0] != ends[1] {
                        let [one, other] = ends.map(|body| root(&mut of_body, body));
                        of_body[one.max(other) as usize] = one.min(other);
                    }
                }
            }
        }
        for rod in &self.rods {
            held[rod.particles.start as usize..rod.particles.end as usize].fill(true);
        }
        for body in 0..of_body.len() {
            of_body[body] = root(&mut of_body, body as u32);
        }
        Kin { of_body, held }
    }

    /// Whether it has surfaces that touch, of whose contacts one workgroup of a GPU solves all, and no card has been
    /// seen to be faster than the CPU.
    #[cfg(feature = "cli")]
    pub(crate) fn wants_cpu(&self) -> bool {
        self.has_surface_contact()
    }

    /// Whether a body touches with its faces and edges.
    #[cfg(any(feature = "cpu", feature = "gpu"))]
    pub(crate) fn has_surface_contact(&self) -> bool {
        self.bodies.iter().any(|body| body.surface_contact)
    }

    /// The segments of all bodies that particles may touch, one after another; none if no two particles of the model
    /// can touch.
    pub(crate) fn touching_segments(&self) -> Vec<Segment> {
        let bodies = self.bodies.iter().filter(|body| body.has_balls());
        let segments: Vec<[u32; 2]> = bodies.flat_map(|body| &body.segments).copied().collect();
        if segments.is_empty() || self.touching_radii().is_none() {
            return Vec::new();
        }
        let mut owned = vec![false; self.particles.len()];
        let mut owns = |end: u32| !std::mem::replace(&mut owned[end as usize], true);
        segments.into_iter().map(|ends| Segment { ends, owns: ends.map(&mut owns) }).collect()
    }

    /// Which particles are ends of these: others touch them as such, not as balls. Empty where there are no segments.
    pub(crate) fn segment_ends(&self) -> Vec<bool> {
        let segments = self.touching_segments();
        let mut ends = vec![false; if segments.is_empty() { 0 } else { self.particles.len() }];
        segments.iter().flat_map(|segment| segment.ends).for_each(|end| ends[end as usize] = true);
        ends
    }

    /// Each spare particle of a model as torn ([`Model::tear`]), of which tears have taken the first ones, with the
    /// radius at which it touches others, m: that of the body from which it was split, or 0.
    pub(crate) fn spare_balls(&self, spares: Range<u32>, taken: u32) -> impl Iterator<Item = (usize, f64)> {
        let first = spares.start + taken;
        spares.map(move |spare| {
            let body = self.particles.bodies[spare as usize] as usize;
            (spare as usize, if spare < first { self.bodies[body].ball_radius() } else { 0.0 })
        })
    }
}

/// Why surfaces cannot touch in a simulation with these settings, of which something `tears` or not.
pub(crate) fn no_surface_contact(settings: &Settings, tears: bool) -> Option<&'static str> {
    match (settings.integrator, tears) {
        (Integrator::Bdf2, _) => Some("which needs the integrator \"euler\": choose that, or contact by balls"),
        (_, true) => Some("which cannot follow a tear: use contact by balls where a body of the scene tears"),
        _ => None,
    }
}

impl Body {
    /// Whether balls at its particles touch others.
    pub(crate) fn has_balls(&self) -> bool {
        self.ball_radius() > 0.0
    }

    /// The radius of these, m; 0 if there are none.
    fn ball_radius(&self) -> f64 {
        if self.surface_contact { 0.0 } else { self.radius }
    }

    /// Whether its particles may touch those of another body of the model, or with `same` its own.
    pub(crate) fn meets(&self, other: &Body, same: bool) -> bool {
        if same { self.self_collision } else { self.groups.meet(other.groups) }
    }
}
