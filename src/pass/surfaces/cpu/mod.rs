//! Contact of surfaces on the CPU engine. What touches is found by all threads, coloured by one, and solved by all,
//! colour after colour: so bits do not depend on their number.

mod flat;
mod guard;
mod joints;
mod lacking;
mod leaves;
mod narrow;
mod pack;
mod pass;
mod search;
mod solve;
mod tangled;
mod tree;

use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use wide::f32x4;

use super::features::{Around, Pair, Surfaces};
use super::tangle::Tangle;
use crate::cpu::frame::Frame;
use crate::cpu::lanes::{Entries, Instructions};
use crate::cpu::particles::{four, three};
use crate::cpu::pass::Setup;
use crate::cpu::shared::Shared;
use crate::cpu::solve::Points;
use crate::law::contact::{Skin, Touch};
use crate::law::surface::{Contact, Law, Motion, Places};
use crate::math::Vec3;
use crate::model::{FrictionCombine, Model};
use tree::Tree;

/// The surfaces that touch, by slots.
pub struct Contacts {
    surfaces: Surfaces,
    /// How each body touches, and its radius, m.
    skins: Vec<Skin<f32>>,
    radii: Vec<f32>,
    /// The vertices of the faces, ascending, and the faces of each.
    vertices: Vec<u32>,
    around: Around,
    /// Where the scene put each slot, from the first, m.
    placed: Entries,
    /// How far each slot may stray from where contacts were sought, m.
    slack: Vec<f32>,
    leaves: Vec<leaves::Leaf>,
    joints: joints::Joints,
    tree: Tree,
    flat: flat::Flat,
    /// Where contacts were sought: d of each slot then, and the way that all vertices have in common.
    sought: Vec<f32x4>,
    common: Vec<f32x4>,
    /// The colours that contacts of each slot have, a bit each.
    taken: Vec<u64>,
    /// What was found, in order, in parts that threads take one after another, and the part that is next.
    found: Vec<Mutex<Vec<Contact<f32>>>>,
    next: AtomicUsize,
    /// Of each thread: the lists it searches with, and what it solves.
    lists: Vec<Mutex<search::Searching>>,
    own: Vec<Mutex<Own>>,
    dealing: Mutex<solve::Dealing>,
    colours: AtomicUsize,
    /// Threads that found something to guard.
    failing: AtomicUsize,
    /// The faces of what has strayed.
    strayed: Mutex<Vec<u32>>,
    tangle: RwLock<Tangle>,
}

/// Parts of the search for each thread.
const PARTS: usize = 8;

/// The contacts that a thread solves, colour after colour.
#[derive(Default)]
struct Own {
    contacts: Vec<Contact<f32>>,
    /// Where those of each colour end.
    ends: Vec<usize>,
    /// Of the contacts those that lack a certificate, and of the thread's vertices those that have strayed.
    failing: Vec<usize>,
    strays: Vec<u32>,
}

impl Contacts {
    /// `None` where no surfaces touch.
    pub fn new(setup: &Setup) -> Option<Self> {
        let Setup { model, slot_of, particle_of, threads, .. } = *setup;
        let surfaces = Surfaces::new(model)?.renumbered(slot_of);
        let radii: Vec<f32> = model.bodies.iter().map(|body| body.radius as f32).collect();
        let around = Around::new(&surfaces, slot_of.len());
        let is_vertex = |&slot: &u32| !around.of(slot).is_empty();
        let radius = |slot: u32| match around.of(slot) {
            [] => 0.0,
            [face, ..] => radii[surfaces.body_of[*face as usize] as usize],
        };
        let slots = 0..slot_of.len() as u32;
        let parts = if threads == 1 { 1 } else { PARTS * threads };
        Some(Self {
            skins: model.bodies.iter().map(Skin::of_body).collect(),
            vertices: slots.clone().filter(is_vertex).collect(),
            placed: placed(model, particle_of),
            slack: slots.map(|slot| search::SLACK * radius(slot)).collect(),
            leaves: leaves::leaves(&surfaces, &radii),
            joints: joints::Joints::new(&surfaces, &around),
            tree: Tree::new(surfaces.faces.len()),
            flat: flat::Flat::new(&surfaces, &around, slot_of.len(), radius),
            sought: vec![f32x4::ZERO; slot_of.len()],
            common: vec![f32x4::ZERO],
            taken: vec![0; slot_of.len()],
            found: (0..parts).map(|_| Mutex::default()).collect(),
            next: AtomicUsize::new(0),
            lists: (0..threads).map(|_| Mutex::default()).collect(),
            own: (0..threads).map(|_| Mutex::default()).collect(),
            dealing: Mutex::default(),
            colours: AtomicUsize::new(0),
            failing: AtomicUsize::new(0),
            strayed: Mutex::default(),
            tangle: RwLock::new(Tangle::new(model)),
            radii,
            around,
            surfaces,
        })
    }

    /// # Safety
    /// As [`Shared::new`].
    unsafe fn share(&mut self) -> View<'_> {
        let Self { surfaces, skins, radii, vertices, around, slack, leaves, joints, .. } = self;
        let Self { found, next, lists, own, dealing, colours, failing, strayed, tangle, .. } = self;
        // SAFETY: the caller's.
        let (tree, flat) = unsafe { (self.tree.view(), self.flat.view()) };
        // SAFETY: the caller's.
        let (placed, sought) = unsafe { (Shared::new(&mut self.placed), Shared::new(&mut self.sought)) };
        // SAFETY: the caller's.
        let (common, taken) = unsafe { (Shared::new(&mut self.common), Shared::new(&mut self.taken)) };
        View {
            surfaces,
            skins,
            radii,
            vertices,
            around,
            placed,
            slack,
            leaves,
            joints,
            tree,
            flat,
            sought,
            common,
            taken,
            found,
            next,
            lists,
            own,
            dealing,
            colours,
            failing,
            strayed,
            tangle,
        }
    }
}

/// Where a model put its particles, from the first one's place, m.
fn placed(model: &Model, particle_of: &[u32]) -> Entries {
    let place = |particle: u32| Vec3::from(model.particles.positions[particle as usize]);
    let mut placed = Entries::zeros(particle_of.len());
    for (entry, &particle) in placed.iter_mut().zip(particle_of) {
        let Vec3 { x, y, z } = place(particle) - place(0);
        *entry = four(Vec3::new(x as f32, y as f32, z as f32));
    }
    placed
}

/// [`Contacts`] in a frame.
struct View<'a> {
    surfaces: &'a Surfaces,
    skins: &'a [Skin<f32>],
    radii: &'a [f32],
    vertices: &'a [u32],
    around: &'a Around,
    placed: Shared<'a, f32x4>,
    slack: &'a [f32],
    leaves: &'a [leaves::Leaf],
    joints: &'a joints::Joints,
    tree: tree::View<'a>,
    flat: flat::View<'a>,
    sought: Shared<'a, f32x4>,
    common: Shared<'a, f32x4>,
    taken: Shared<'a, u64>,
    found: &'a [Mutex<Vec<Contact<f32>>>],
    next: &'a AtomicUsize,
    lists: &'a [Mutex<search::Searching>],
    own: &'a [Mutex<Own>],
    dealing: &'a Mutex<solve::Dealing>,
    colours: &'a AtomicUsize,
    failing: &'a AtomicUsize,
    strayed: &'a Mutex<Vec<u32>>,
    tangle: &'a RwLock<Tangle>,
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a substep reads.
struct Now<'a> {
    points: Points<'a>,
    u: Shared<'a, f32x4>,
    law: Law<f32>,
    rule: FrictionCombine,
    /// Rounding of a place, m.
    rounding: f32,
    instructions: Instructions,
}

impl<'a> Now<'a> {
    fn new(frame: &Frame<'a>, substep: usize) -> Self {
        let record = frame.substep(substep);
        Self {
            points: frame.points,
            u: frame.u,
            law: Law { softening: record.inverse_seconds_squared, calm: record.calm_way(), share: record.share },
            rule: record.friction_combine(),
            rounding: 4.0 * frame.lattice,
            instructions: frame.instructions,
        }
    }

    /// The inverse mass of a particle, 1/kg.
    fn mass(&self, slot: u32) -> f64 {
        f64::from(self.points.x.read(slot as usize).to_array()[3])
    }

    fn masses(&self, vertices: [u32; 4]) -> [f32; 4] {
        vertices.map(|slot| self.points.x.read(slot as usize).to_array()[3])
    }

    /// Places on the lattice, from the first one's.
    fn anchors(&self, vertices: [u32; 4]) -> [f32x4; 4] {
        let places = vertices.map(|slot| self.points.x.read(slot as usize));
        places.map(|place| place - places[0])
    }

    /// The motion of a pair so far.
    fn motion(&self, (features, vertices): Pair) -> Motion<f32> {
        let anchors = self.anchors(vertices);
        let places = |list: &Shared<f32x4>| -> Places<f32> {
            std::array::from_fn(|i| three(anchors[i] + list.read(vertices[i] as usize)))
        };
        Motion { features, begin: places(&self.points.e), end: places(&self.points.d) }
    }
}

impl View<'_> {
    /// The bodies of a pair of features of two faces are these.
    fn touch(&self, now: &Now, bodies: [u32; 2]) -> Touch<f32> {
        let [one, other] = bodies.map(|body| &self.skins[body as usize]);
        Touch::mixed(now.rule, one, other)
    }

    /// The sum of the radii of two faces, m.
    fn sum_of(&self, [one, other]: [u32; 2]) -> f32 {
        let radius = |face: u32| self.radii[self.surfaces.body_of[face as usize] as usize];
        radius(one) + radius(other)
    }
}
