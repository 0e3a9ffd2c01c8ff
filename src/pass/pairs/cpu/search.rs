//! The search for pairs of particles that may touch, by registers: as many particles of a cluster as these hold against
//! one of another.

use std::ops::Range;
use std::sync::atomic::Ordering;

use crate::cpu::boxes::{Bounds, EACH, Extent, Lines, in_lanes, part, put, put_three, three_of};
use crate::cpu::lanes::{InLanes, Lanes};
use crate::cpu::solve::Points;
use crate::cpu::team::Member;
use crate::math::{Real, Vec3};
use crate::model::touch::{PLACED_APART, SLACK};
use crate::pass::pairs::cpu::hierarchy::{Spheres, View as Clusters, Visit, Ways};
use crate::pass::pairs::cpu::{Found, SubstepState, View};

/// Steps of the lattice that single precision may lose of a place, and more.
const ROUNDING: f32 = 4.0;
/// Partners of its own size or larger that a particle may have near: beyond, there is no room for them all, and no end
/// of work. As many as a bucket of `shaders/pairs/grid.wgsl` may hold.
const CROWD: u32 = 4096;
/// What is smaller by more is not counted for that.
const OWN_SIZE: f64 = 4.0;

/// Where the particles of a cluster were, x and what is below it, and their ways from there.
///
/// # Safety
/// There must be a particle at each slot.
#[inline(always)]
unsafe fn starts_and_ways<L: Lanes>(points: &Points, slots: &[u32], at: usize) -> [Vec3<L>; 3] {
    let slots = slots[at..at + L::COUNT].as_ptr();
    // SAFETY: the caller's; no thread writes these lists meanwhile.
    let (x, d, e) = unsafe {
        (
            L::gather(points.x.pointer(), slots),
            L::gather(points.d.pointer(), slots),
            L::gather(points.e.pointer(), slots),
        )
    };
    let (x, d, e) = (vector(x), vector(d), vector(e));
    [x, e, d - e]
}

/// The first three numbers of entries as gathered.
#[inline(always)]
fn vector<L: Lanes>(entries: [L; 4]) -> Vec3<L> {
    let [x, y, z, _] = L::transposed(entries);
    Vec3 { x, y, z }
}

/// Where the particles of some nodes are predicted, and how near others must come.
pub struct Predict<'a> {
    pub view: &'a View<'a>,
    pub nodes: Range<usize>,
    pub state: &'a SubstepState<'a>,
}

impl InLanes for Predict<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view: View { clusters, .. }, nodes, state } = self;
        let half = L::from_f64(0.5);
        for cluster in clusters.clusters_of(nodes) {
            let mut spheres = Spheres { middle: [[0.0; EACH]; 3], reach: [0.0; EACH] };
            for at in (0..EACH).step_by(L::COUNT) {
                // SAFETY: those of a cluster are slots.
                let [x, e, ahead] = unsafe { starts_and_ways::<L>(&state.points, clusters.slots(cluster), at) };
                put_three(x + (e + ahead * half), &mut spheres.middle, at);
                let radius = part::<L>(&clusters.placed[cluster].radius, at);
                put(L::splat(1.0 + SLACK as f32) * radius + half * ahead.length(), &mut spheres.reach, at);
            }
            clusters.spheres.write(cluster, spheres);
        }
    }
}

/// Follows the particles of some nodes to where constraints have let them go, and puts them into boxes.
pub struct Follow<'a> {
    pub view: &'a View<'a>,
    pub nodes: Range<usize>,
    pub state: &'a SubstepState<'a>,
    pub reach: Reach,
}

/// Where others may come near a particle.
#[derive(Clone, Copy)]
pub enum Reach {
    /// Along its way.
    Way,
    /// All around it: where it may be bent.
    Around,
    /// Around its predicted way: where pairs may press in a later sweep of all from which others may come near.
    Predicted,
}

impl Reach {
    /// With several sweeps, or with one.
    pub fn of(iterated: bool) -> Self {
        if iterated { Self::Predicted } else { Self::Way }
    }
}

impl InLanes for Follow<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view: View { clusters, .. }, nodes, state, reach } = self;
        let extents = Extents { clusters, reach, rounding: L::splat(ROUNDING * state.lattice) };
        for node in nodes {
            for cluster in clusters.clusters_of(node..node + 1) {
                let mut ways = Ways { middle: [[0.0; EACH]; 3], way: [[0.0; EACH]; 3] };
                for at in (0..EACH).step_by(L::COUNT) {
                    // SAFETY: those of a cluster are slots.
                    let [x, e, way] = unsafe { starts_and_ways::<L>(&state.points, clusters.slots(cluster), at) };
                    put_three(x + (e + way * L::from_f64(0.5)), &mut ways.middle, at);
                    put_three(way, &mut ways.way, at);
                }
                clusters.ways.write(cluster, ways);
            }
            clusters.enclose(node, &extents);
        }
    }
}

/// The boxes of particles, from their lowest to their highest places.
pub struct Extents<'a, L> {
    pub clusters: &'a Clusters<'a>,
    pub reach: Reach,
    pub rounding: L,
}

impl<L: Lanes> Extent<L> for Extents<'_, L> {
    #[inline(always)]
    fn of(&self, cluster: usize, at: usize) -> [Vec3<L>; 2] {
        let &Self { clusters, reach, rounding } = self;
        let (ways, radius) = (clusters.ways.look(cluster), part::<L>(&clusters.placed[cluster].radius, at));
        let way = three_of::<L>(&ways.way, at);
        let (middle, reach) = match reach {
            Reach::Predicted => {
                let spheres = clusters.spheres.look(cluster);
                (three_of::<L>(&spheres.middle, at), alike(wider(part(&spheres.reach, at), rounding)))
            }
            Reach::Around => {
                let reach = L::splat(1.0 + SLACK as f32) * radius + L::from_f64(0.5) * way.length();
                (three_of(&ways.middle, at), alike(wider(reach, rounding)))
            }
            Reach::Way => {
                let x = wider(radius + half_length(way.x), rounding);
                let y = wider(radius + half_length(way.y), rounding);
                let z = wider(radius + half_length(way.z), rounding);
                (three_of(&ways.middle, at), Vec3 { x, y, z })
            }
        };
        [middle - reach, middle + reach]
    }
}

#[inline(always)]
fn alike<L: Lanes>(reach: L) -> Vec3<L> {
    Vec3 { x: reach, y: reach, z: reach }
}

#[inline(always)]
fn half_length<L: Lanes>(way: L) -> L {
    L::from_f64(0.5) * way.max(-way)
}

#[inline(always)]
pub fn wider<R: Real>(reach: R, rounding: R) -> R {
    reach * R::from_f64(1.0 + 1e-6) + rounding
}

/// Finds the pairs of some clusters and those after them.
pub struct Search<'a> {
    pub view: &'a View<'a>,
    pub clusters: Range<usize>,
    pub state: &'a SubstepState<'a>,
    pub member: &'a Member<'a>,
    pub found: &'a mut Found,
}

impl InLanes for Search<'_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let View { clusters, crowded, .. } = self.view;
        for cluster in self.clusters.clone() {
            let mut crowd = [0; EACH];
            clusters.near::<L>(cluster, &mut Between { search: &mut self, one: cluster, crowd: &mut crowd });
            if crowd.iter().any(|&count| count > CROWD) {
                crowded.store(true, Ordering::Relaxed);
            }
            if crowded.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}

/// The pairs of a cluster with others; `crowd` counts for each of its particles.
struct Between<'a, 'b> {
    search: &'a mut Search<'b>,
    one: usize,
    crowd: &'a mut [u32; EACH],
}

impl Visit for Between<'_, '_> {
    #[inline(always)]
    fn cluster<L: Lanes>(&mut self, cluster: usize, _: &Bounds<L>, its: &Bounds<L>) -> bool {
        self.search.between(self.one, cluster, its, self.crowd)
    }
}

impl Search<'_> {
    /// Finds the pairs of two clusters, of which the second is in this box; `crowd` counts for each of the first.
    /// Returns whether to go on.
    #[inline(always)]
    fn between<L: Lanes>(&mut self, one: usize, other: usize, bounds: &Bounds<L>, crowd: &mut [u32; EACH]) -> bool {
        let clusters = &self.view.clusters;
        let (iterated, rounding) = (self.state.iterated, ROUNDING * self.state.lattice);
        let mut those = match one == other {
            true => (1 << EACH) - 1,
            false => {
                let (reach, rounding) = (Reach::of(iterated), L::splat(rounding));
                bounds.reached(&Extents { clusters, reach, rounding }, one)
            }
        };
        while those != 0 {
            let i = those.trailing_zeros() as usize;
            those &= those - 1;
            // Each two particles once.
            let later = if one == other { u32::MAX << i << 1 } else { u32::MAX };
            let mut found = if iterated { later } else { later & meeting::<L>(clusters, one, i, other, rounding) };
            if found == 0 {
                continue;
            }
            found &= near::<L>(clusters, one, i, other);
            if found == 0 {
                continue;
            }
            crowd[i] += (found & large::<L>(clusters, one, i, other)).count_ones();
            found &= !bound::<L>(clusters, one, i, other);
            self.tell(clusters.slots(one)[i], clusters.slots(other), found);
        }
        crowd.iter().all(|&count| count <= CROWD)
    }

    #[inline(always)]
    fn tell(&mut self, one: u32, others: &[u32], mut found: u32) {
        let (view, member) = (self.view, self.member);
        let single = view.touches.len() == 1;
        while found != 0 {
            let other = others[found.trailing_zeros() as usize];
            found &= found - 1;
            if !(single || view.meet(view.bodies[one as usize], view.bodies[other as usize])) {
                continue;
            }
            // What is an end of a segment is touched as such.
            if !view.is_end.is_empty() && (view.is_end[one as usize] || view.is_end[other as usize]) {
                continue;
            }
            let pair = [one.min(other), one.max(other)];
            let [first, second] = pair.map(|slot| member.owner(view.radii.len(), slot as usize));
            self.found[first].push(pair);
            if second != first {
                self.found[second].push(pair);
            }
        }
    }
}

/// The bits of all parts of a line; of a part that begins at `$at` they are `$bits`.
macro_rules! each {
    ($lanes:ty, |$at:ident| $bits:expr) => {{
        let mut all = 0;
        for $at in (0..EACH).step_by(<$lanes>::COUNT) {
            all |= $bits << $at;
        }
        all
    }};
}

/// Bits for the particles of a cluster that are near one of another, as both were predicted.
#[inline(always)]
fn near<L: Lanes>(clusters: &Clusters, one: usize, i: usize, other: usize) -> u32 {
    let (mine, theirs) = (clusters.spheres.look(one), clusters.spheres.look(other));
    let (middle, reach) = (one_of::<L>(&mine.middle, i), L::splat(mine.reach[i]));
    each!(L, |at| {
        let (apart, reaches) = (middle - three_of(&theirs.middle, at), reach + part(&theirs.reach, at));
        (reaches * reaches).exceeding(apart.dot(apart))
    })
}

/// Bits for those that one of another may touch on their ways: with R the sum of the radii, w the relative way and c
/// that of the middles,
///   |c| < R + |w|/2,   so c² < (1 + a/2) R² + (1/2a + 1/4) w² for any a, since 2 R |w| <= a R² + w²/a.
#[inline(always)]
fn meeting<L: Lanes>(clusters: &Clusters, one: usize, i: usize, other: usize, rounding: f32) -> u32 {
    const A: f64 = 0.1;
    let (mine, theirs) = (clusters.ways.look(one), clusters.ways.look(other));
    let (middle, way) = (one_of::<L>(&mine.middle, i), one_of::<L>(&mine.way, i));
    let (radius, radii) = (L::splat(clusters.placed[one].radius[i] + rounding), &clusters.placed[other].radius);
    let (of_radii, of_way) = (L::from_f64(1.0 + 0.5 * A + 1e-5), L::from_f64(0.5 / A + 0.25 + 1e-5));
    each!(L, |at| {
        let (apart, ahead) = (middle - three_of(&theirs.middle, at), way - three_of(&theirs.way, at));
        let distance = radius + part(radii, at);
        (of_radii * (distance * distance) + of_way * ahead.dot(ahead)).exceeding(apart.dot(apart))
    })
}

/// Bits for those that are not much smaller than one of another.
#[inline(always)]
fn large<L: Lanes>(clusters: &Clusters, one: usize, i: usize, other: usize) -> u32 {
    let (radius, radii) = (L::splat(clusters.placed[one].radius[i]), &clusters.placed[other].radius);
    each!(L, |at| (part::<L>(radii, at) * L::from_f64(OWN_SIZE)).exceeding(radius))
}

/// Bits for the kin of one of another that were placed closer to it than they touch, and for what was placed in one
/// place with it: they never do.
#[inline(always)]
fn bound<L: Lanes>(clusters: &Clusters, one: usize, i: usize, other: usize) -> u32 {
    let (mine, theirs) = (&clusters.placed[one], &clusters.placed[other]);
    let (place, radius, kin) = (one_of::<L>(&mine.place, i), L::splat(mine.radius[i]), L::splat(mine.kin[i]));
    each!(L, |at| {
        let apart = place - three_of(&theirs.place, at);
        let least = L::from_f64(PLACED_APART) * (radius + part(&theirs.radius, at));
        let (strange, squared) = (kin - part(&theirs.kin, at), apart.dot(apart));
        // (NaN exceeds nothing: a particle without kin is bound to none.)
        let kin = L::from_f64(0.25).exceeding(strange * strange);
        (least * least).exceeding(squared) & (kin | L::from_f64(f64::from(f32::MIN_POSITIVE)).exceeding(squared))
    })
}

/// One lane of lines, in every lane.
#[inline(always)]
fn one_of<L: Lanes>([x, y, z]: &Lines, i: usize) -> Vec3<L> {
    in_lanes([x[i], y[i], z[i]])
}
