//! Fluids on the CPU. In each substep all that take part are sorted by cells, and every particle finds its neighbours.
//! Then lanes are particles that follow one another in that order, each with its own list: sums have the order of the
//! list, whatever the lanes and threads.

mod cells;
mod lists;
mod rub;
mod sweep;
mod tension;
mod walls;

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytemuck::cast_slice;
use wide::f32x4;

use crate::cpu::frame::Frame;
use crate::cpu::lanes::{Entries, MOST, Numbers};
use crate::cpu::particles::with_fourth;
use crate::cpu::pass::{Pass, PassView, Setup};
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;
use crate::law::walls::{MOST_WALLS, Plane};
use crate::model::pose::Pose;
use crate::model::{Model, State};
use crate::pass::colliders::cpu::pose;
use crate::plan::wet::Wet;
use crate::step::Hooks;
use cells::Grid;
use lists::Own;

/// Farther than anything: what fills up lanes and lists lies there, and acts on nobody.
const NOWHERE: f32 = 1e18;
/// What is not there lies beyond this, each particle elsewhere, and its distances have squares.
const ABSENT: f32 = 1e10;

/// All fluids of a model.
pub struct Fluids {
    wet: Wet,
    /// Where the engine keeps each that takes part.
    slots: Vec<u32>,
    /// Whether it is to be asked of two bodies if they meet.
    asks_bodies: bool,
    /// Whether particles of fluids may be absent.
    flows: bool,
    viscous_steps: u32,
    substeps: u32,
    grid: Grid,
    sorted: Sorted,
    /// Σ λ/h² of the frame, in the order of the model.
    sums: Vec<f32>,
    has_sums: bool,
    /// Boxes around the particles of each thread, and what rubs most.
    boxes: Vec<Mutex<([f32; 3], [f32; 3])>>,
    rubbing: Vec<Mutex<f32>>,
    own: Vec<Mutex<Own>>,
}

/// Of each that takes part, in the order of cells; filled up with what is nowhere.
struct Sorted {
    /// Place from the origin of the substep, m, and share s, m³.
    places: Entries,
    /// Place, and the change of λ in a sweep.
    pushes: Entries,
    /// Where it was when its neighbours were found.
    found: Entries,
    /// Share, inverse mass, what of a solid is pushed at most, viscosity.
    traits: Entries,
    /// The walls near each, as they were found, and how many there are.
    planes: Vec<Plane<f32>>,
    wall_counts: Vec<u32>,
    /// How far each is from the nearest of its walls.
    nearest: Vec<f32>,
    /// Normals of the same, and how far each particle is from them now; the last is none.
    walls: Entries,
    /// Of the viscous iteration: h times the velocity, that at its beginning, and its last change; empty without.
    rubbed: [Entries; 3],
    /// What each pulls by to make the surface smaller, N/m, and √σ; empty without surface tension.
    pulls: Entries,
    roots: Numbers,
    lambdas: Numbers,
    /// α of what has λ, below 0 of others.
    compliances: Numbers,
    /// The coordinates again, each by itself.
    coordinates: [Numbers; 3],
}

impl Sorted {
    fn new(count: usize, is_viscous: bool, is_tense: bool) -> Self {
        let padded = count.next_multiple_of(MOST) + MOST;
        let entries = || Entries::zeros(padded);
        let numbers = |value: f32| (0..padded).map(|_| value).collect::<Numbers>();
        let mut sorted = Self {
            places: entries(),
            pushes: entries(),
            found: entries(),
            traits: entries(),
            planes: vec![Plane::none(); MOST_WALLS * padded],
            wall_counts: vec![0; padded],
            nearest: vec![f32::INFINITY; padded],
            walls: Entries::zeros(MOST_WALLS * padded + 1),
            rubbed: std::array::from_fn(|_| if is_viscous { entries() } else { Entries::zeros(0) }),
            pulls: if is_tense { entries() } else { Entries::zeros(0) },
            roots: if is_tense { numbers(0.0) } else { Numbers::default() },
            lambdas: numbers(0.0),
            compliances: numbers(-1.0),
            coordinates: std::array::from_fn(|_| numbers(NOWHERE)),
        };
        let nowhere = with_fourth(f32x4::splat(NOWHERE), 0.0);
        for list in [&mut sorted.places, &mut sorted.pushes, &mut sorted.found] {
            list.iter_mut().for_each(|entry| *entry = nowhere);
        }
        sorted
    }
}

impl Fluids {
    /// `None` where there is no fluid.
    pub fn new(setup: &Setup) -> Option<Self> {
        let (model, threads) = (setup.model, setup.threads);
        let wet = Wet::new(model)?;
        Some(Self {
            slots: wet.particles.iter().map(|&particle| setup.slot_of[particle as usize]).collect(),
            asks_bodies: !wet.all_meet(),
            flows: model.flows(),
            viscous_steps: wet.viscous_steps(model, model.settings.substep_seconds()),
            substeps: model.settings.substeps,
            grid: Grid::new(wet.len()),
            sorted: Sorted::new(wet.len(), wet.is_viscous(), wet.is_tense()),
            sums: vec![0.0; wet.fluids],
            has_sums: false,
            boxes: (0..threads).map(|_| Mutex::default()).collect(),
            rubbing: (0..threads).map(|_| Mutex::default()).collect(),
            own: (0..threads).map(|_| Mutex::default()).collect(),
            wet,
        })
    }
}

impl Pass for Fluids {
    fn hooks(&self) -> Hooks {
        Hooks { detect: true, solve: true, correct_velocities: self.viscous_steps > 0, ..Hooks::default() }
    }

    unsafe fn view<'a>(&'a mut self, frame: &Frame<'a>) -> Box<dyn PassView + 'a> {
        self.substeps = frame.model.settings.substeps;
        self.viscous_steps = self.wet.viscous_steps(frame.model, frame.model.settings.substep_seconds());
        self.has_sums = true;
        let model: &'a Model = frame.model;
        let shapes = model.colliders.iter().map(|collider| &collider.shape).cycle();
        let poses = frame.records.colliders.iter().zip(shapes).map(|(one, shape)| pose(one, shape)).collect();
        let Self { wet, slots, asks_bodies, flows, viscous_steps, grid, sorted, sums, boxes, rubbing, own, .. } = self;
        let Sorted { places, pushes, found, traits, planes, wall_counts, nearest, walls, rubbed, .. } = sorted;
        let Sorted { pulls, roots, lambdas, compliances, coordinates, .. } = sorted;
        // SAFETY: the caller's. Entries are written by the thread that has the particle in its share of the order, or
        // of the list before it is sorted.
        let (grid, sorted, sums) = unsafe {
            let ([x, y, z], [ways, starts, changes]) = (coordinates, rubbed);
            let sorted = SortedView {
                places: Shared::new(places),
                pushes: Shared::new(pushes),
                found: Shared::new(found),
                traits: Shared::new(traits),
                planes: Shared::new(planes),
                wall_counts: Shared::new(wall_counts),
                nearest: Shared::new(nearest),
                walls: Shared::new(walls),
                rubbed: [Shared::new(ways), Shared::new(starts), Shared::new(changes)],
                pulls: Shared::new(pulls),
                roots: Shared::new(roots),
                lambdas: Shared::new(lambdas),
                compliances: Shared::new(compliances),
                coordinates: [Shared::new(x), Shared::new(y), Shared::new(z)],
            };
            (grid.view(), sorted, Shared::new(sums))
        };
        Box::new(View {
            wet,
            slots,
            alike: alike(wet, slots, frame),
            asks_bodies: *asks_bodies,
            flows: *flows,
            viscous_steps: *viscous_steps,
            grid,
            sorted,
            sums,
            boxes,
            rubbing,
            own,
            poses,
        })
    }

    fn forget(&mut self) {
        self.has_sums = false;
    }

    fn tell(&self, state: &mut State) {
        if self.has_sums {
            let per_sum = self.wet.scale.pressure_per_lambda() / f64::from(self.substeps);
            state.pressures = self.sums.iter().map(|sum| f64::from(*sum) * per_sum).collect();
        }
    }

    fn bytes(&self) -> usize {
        let Sorted { places, pushes, found, traits, planes, wall_counts, nearest, walls, rubbed, .. } = &self.sorted;
        let Sorted { pulls, roots, lambdas, compliances, coordinates, .. } = &self.sorted;
        let walls_found = size_of_val(&**planes) + size_of_val(&**wall_counts) + size_of_val(&**nearest);
        let entries: usize = [places, pushes, found, traits, walls, pulls]
            .into_iter()
            .chain(rubbed)
            .map(|list| size_of_val(&**list))
            .sum();
        let numbers: usize =
            coordinates.iter().chain([roots, lambdas, compliances]).map(|list| size_of_val(&**list)).sum();
        let lists: usize = self.own.iter().map(|own| locked(own).bytes()).sum();
        entries + numbers + walls_found + lists + self.grid.bytes() + cast_slice::<u32, u8>(&self.slots).len()
    }
}

/// Share, inverse mass, nothing and viscosity, if all that take part have the same. What is not there does not count,
/// and what may be poured does.
fn alike(wet: &Wet, slots: &[u32], frame: &Frame) -> Option<[f32; 4]> {
    let model = frame.model;
    let weights = slots.iter().map(|slot| frame.points.x.read(*slot as usize).to_array()[3]);
    let mut counted = weights.filter(|weight| *weight > 0.0 || !model.flows());
    let mut poured = model.emitters.iter().map(|emitter| (1.0 / emitter.mass) as f32);
    let weight = poured.clone().next().or_else(|| counted.clone().next())?;
    let alike = wet.fluids == wet.len()
        && wet.viscosities.iter().all(|viscosity| *viscosity == wet.viscosities[0])
        && counted.all(|other| other == weight)
        && poured.all(|other| other == weight);
    alike.then_some([wet.shares[0] as f32, weight, 0.0, wet.viscosities[0] as f32])
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// See [`Sorted`].
struct SortedView<'a> {
    places: Shared<'a, f32x4>,
    pushes: Shared<'a, f32x4>,
    found: Shared<'a, f32x4>,
    traits: Shared<'a, f32x4>,
    planes: Shared<'a, Plane<f32>>,
    wall_counts: Shared<'a, u32>,
    nearest: Shared<'a, f32>,
    walls: Shared<'a, f32x4>,
    rubbed: [Shared<'a, f32x4>; 3],
    pulls: Shared<'a, f32x4>,
    roots: Shared<'a, f32>,
    lambdas: Shared<'a, f32>,
    compliances: Shared<'a, f32>,
    coordinates: [Shared<'a, f32>; 3],
}

/// The fluids in a frame.
struct View<'a> {
    wet: &'a Wet,
    slots: &'a [u32],
    /// What all have alike, if they do.
    alike: Option<[f32; 4]>,
    asks_bodies: bool,
    flows: bool,
    viscous_steps: u32,
    grid: cells::View<'a>,
    sorted: SortedView<'a>,
    sums: Shared<'a, f32>,
    boxes: &'a [Mutex<([f32; 3], [f32; 3])>],
    rubbing: &'a [Mutex<f32>],
    own: &'a [Mutex<Own>],
    /// Of the colliders, all of substep 0, all of substep 1, ...
    poses: Vec<Pose<'a, f32>>,
}

impl View<'_> {
    /// Share, inverse mass, what a solid is pushed at most, viscosity.
    fn traits_of(&self, frame: &Frame, index: usize) -> f32x4 {
        let weight = frame.points.x.read(self.slots[index] as usize).to_array()[3];
        f32x4::new([self.wet.shares[index] as f32, weight, 0.0, self.wet.viscosities[index] as f32])
    }

    /// A thread's blocks of as many particles as there are lanes, in the order of cells.
    fn blocks(&self, member: &Member, lanes: usize) -> std::ops::Range<usize> {
        // Whole sixteens, so that no thread reads what another writes with a wider register.
        let share = member.share_by(self.wet.len().next_multiple_of(MOST), MOST);
        share.start / lanes..share.end / lanes
    }
}

impl PassView for View<'_> {
    fn detect(&self, member: &Member, frame: &Frame, substep: usize) {
        if substep == 0 {
            member.share(self.sums.len()).for_each(|index| self.sums.write(index, 0.0));
        }
        self.sort(member, frame);
        self.find(member, frame, substep);
        if self.wet.is_tense() {
            self.tighten(member, frame, substep);
        }
    }

    fn solve(&self, member: &Member, frame: &Frame, substep: usize, [_, closing]: [bool; 2]) {
        self.sweep(member, frame, substep, closing);
    }

    fn correct_velocities(&self, member: &Member, frame: &Frame, substep: usize, _last: bool) {
        self.rub(member, frame, substep);
    }
}
