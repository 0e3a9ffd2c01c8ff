//! Where particles that touch others are, for the search of those near each other. Sixteen particles that are near each
//! other make a cluster, with a box around all that they reach in a substep; sixteen boxes make a node, with a box
//! around them, and so on. The boxes are made anew in each substep, by the registers that then look at sixteen at once
//! (after the cluster pairs of Páll and Hess, A flexible algorithm for calculating pair interactions on SIMD
//! architectures, 2013): so there is no list that could miss a particle that has moved, and no margin. Who is in a
//! cluster only decides how long the search takes. (The clusters of a plan are others: particles that constraints join,
//! `src/plan/clusters.rs`.)

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use wide::f32x4;

use crate::cpu::boxes::{Bounds, Boxes, EACH, Extent, Line, Lines, NO_BOXES, least, most, put};
use crate::cpu::lanes::Lanes;
use crate::cpu::shared::Shared;
use crate::cpu::team::Member;
use crate::plan::order;

/// Pairs of clusters that are looked at, for each of them, for which no other order is sought: what sheets and heaps in
/// good order need.
const FEW: u64 = 16;

/// Where the particles of a cluster are in a substep.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Spheres {
    /// The middle of the way of each, m.
    pub middle: Lines,
    /// How near others must come, or NaN for what touches nothing, m.
    pub reach: Line,
}

/// As constraints have let the particles of a cluster go.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Ways {
    pub middle: Lines,
    pub way: Lines,
}

/// What does not change of a cluster's particles.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Placed {
    /// Where the scene put each.
    pub place: Lines,
    /// m; NaN where there is none.
    pub radius: Line,
    /// The number of its kin; NaN of one that has none.
    pub kin: Line,
}

/// The clusters of all particles that touch others.
pub struct Clusters {
    /// The slots in the clusters, one after the other; the last is filled up with any.
    order: Vec<u32>,
    placed: Vec<Placed>,
    spheres: Vec<Spheres>,
    ways: Vec<Ways>,
    /// The nodes of all levels, the lowest first.
    boxes: Vec<Boxes>,
    /// Where the nodes of each level begin, and the end of all.
    levels: Vec<usize>,
    /// Pairs of clusters that were looked at since the last order.
    looked_at: AtomicU64,
    /// In how many substeps that was.
    substeps: AtomicU64,
    /// What a substep may take in this order until another is sought, in pairs of clusters.
    enough: Option<u64>,
}

impl Clusters {
    /// Of the particles that have a radius.
    pub fn new(radii: &[f32], placed: &[f32x4], kin: &[f32]) -> Self {
        let mut clusters = Self {
            order: Vec::new(),
            placed: Vec::new(),
            spheres: Vec::new(),
            ways: Vec::new(),
            boxes: Vec::new(),
            levels: vec![0],
            looked_at: AtomicU64::new(0),
            substeps: AtomicU64::new(0),
            enough: None,
        };
        let order = (0..radii.len() as u32).filter(|&slot| radii[slot as usize] > 0.0).collect();
        clusters.take(order, placed, kin);
        clusters.enough = Some(FEW * clusters.count() as u64);
        clusters
    }

    fn count(&self) -> usize {
        self.spheres.len()
    }

    /// `placed`: where the scene put each particle, and its radius. `kin`: as [`Placed::kin`].
    fn take(&mut self, order: Vec<u32>, placed: &[f32x4], kin: &[f32]) {
        let clusters = order.len().div_ceil(EACH);
        let nothing = Placed { place: [[0.0; EACH]; 3], radius: [f32::NAN; EACH], kin: [f32::NAN; EACH] };
        self.placed = vec![nothing; clusters];
        for (at, &slot) in order.iter().enumerate() {
            let [x, y, z, radius] = placed[slot as usize].to_array();
            let (cluster, lane) = (&mut self.placed[at / EACH], at % EACH);
            (cluster.radius[lane], cluster.kin[lane]) = (radius, kin[slot as usize]);
            for (line, value) in cluster.place.iter_mut().zip([x, y, z]) {
                line[lane] = value;
            }
        }
        self.order = order;
        self.order.resize(clusters * EACH, self.order.first().copied().unwrap_or(0));
        self.spheres.resize(clusters, Spheres { middle: [[0.0; EACH]; 3], reach: [f32::NAN; EACH] });
        self.ways.resize(clusters, Ways { middle: [[0.0; EACH]; 3], way: [[0.0; EACH]; 3] });
        self.levels = vec![0];
        let (mut count, mut end) = (clusters, 0);
        while count > 1 || end == 0 {
            count = count.div_ceil(EACH).max(1);
            end += count;
            self.levels.push(end);
        }
        self.boxes.resize(end, NO_BOXES);
        (self.looked_at, self.substeps, self.enough) = (AtomicU64::new(0), AtomicU64::new(0), None);
    }

    /// Once a frame: another order where the search has come to take twice what it did, by where the particles are.
    pub fn arrange(&mut self, x: &[f32x4], placed: &[f32x4], kin: &[f32]) {
        let substeps = self.substeps.swap(0, Ordering::Relaxed);
        let looked_at = self.looked_at.swap(0, Ordering::Relaxed) / substeps.max(1);
        if substeps == 0 {
            return;
        }
        let enough = *self.enough.get_or_insert((2 * looked_at).max(FEW * self.count() as u64));
        if looked_at <= enough {
            return;
        }
        let mut slots: Vec<u32> = self.order.clone();
        slots.sort_unstable();
        slots.dedup();
        let places: Vec<[f64; 3]> = slots
            .iter()
            .map(|&slot| {
                let [x, y, z, _] = x[slot as usize].to_array();
                [x, y, z].map(f64::from)
            })
            .collect();
        let order = order::along_curve(&places).into_iter().map(|at| slots[at as usize]).collect();
        self.take(order, placed, kin);
    }

    /// # Safety
    /// As [`Shared::new`].
    pub unsafe fn view(&mut self) -> View<'_> {
        let Self { order, placed, spheres, ways, boxes, levels, looked_at, substeps, .. } = self;
        // SAFETY: the caller's.
        unsafe {
            View {
                order,
                placed,
                spheres: Shared::new(spheres),
                ways: Shared::new(ways),
                boxes: Shared::new(boxes),
                levels,
                looked_at,
                substeps,
            }
        }
    }
}

/// The clusters in a frame.
pub struct View<'a> {
    pub order: &'a [u32],
    pub placed: &'a [Placed],
    pub spheres: Shared<'a, Spheres>,
    pub ways: Shared<'a, Ways>,
    boxes: Shared<'a, Boxes>,
    levels: &'a [usize],
    looked_at: &'a AtomicU64,
    substeps: &'a AtomicU64,
}

impl View<'_> {
    pub fn count(&self) -> usize {
        self.placed.len()
    }

    /// A thread's share of the lowest nodes.
    pub fn nodes(&self, member: &Member) -> Range<usize> {
        member.share_by(self.levels[1], 1)
    }

    /// The clusters of some of the lowest nodes.
    pub fn clusters_of(&self, nodes: Range<usize>) -> Range<usize> {
        (EACH * nodes.start).min(self.count())..(EACH * nodes.end).min(self.count())
    }

    /// The slots of a cluster.
    pub fn slots(&self, cluster: usize) -> &[u32] {
        &self.order[EACH * cluster..EACH * (cluster + 1)]
    }

    /// Makes the boxes of the clusters in one of the lowest nodes; `extent` tells the lowest and the highest place of
    /// some particles of one.
    #[inline(always)]
    pub fn enclose<L: Lanes>(&self, node: usize, extents: &impl Extent<L>) {
        let mut boxes = NO_BOXES;
        for (lane, cluster) in self.clusters_of(node..node + 1).enumerate() {
            let (mut lows, mut highs) = ([[0.0; EACH]; 3], [[0.0; EACH]; 3]);
            for at in (0..EACH).step_by(L::COUNT) {
                let [low, high] = extents.of(cluster, at);
                for (k, [low, high]) in [[low.x, high.x], [low.y, high.y], [low.z, high.z]].into_iter().enumerate() {
                    // What is not a number, or nowhere, is in no box.
                    let sound = high.greater(low);
                    put(L::select(sound, low, L::splat(f32::INFINITY)), &mut lows[k], at);
                    put(L::select(sound, high, L::splat(f32::NEG_INFINITY)), &mut highs[k], at);
                }
            }
            for k in 0..3 {
                (boxes.low[k][lane], boxes.high[k][lane]) = (least(&lows[k]), most(&highs[k]));
            }
        }
        self.boxes.write(node, boxes);
    }

    /// Makes the boxes of all higher nodes: by one thread.
    pub fn enclose_all(&self) {
        self.substeps.fetch_add(1, Ordering::Relaxed);
        for level in self.levels.windows(3) {
            for node in level[1]..level[2] {
                let mut boxes = NO_BOXES;
                let first = level[0] + EACH * (node - level[1]);
                for (lane, child) in (first..(first + EACH).min(level[1])).enumerate() {
                    let child = self.boxes.look(child);
                    for k in 0..3 {
                        (boxes.low[k][lane], boxes.high[k][lane]) = (least(&child.low[k]), most(&child.high[k]));
                    }
                }
                self.boxes.write(node, boxes);
            }
        }
    }

    /// Goes through the clusters from this one on whose boxes meet its own, itself among them, until the caller stops
    /// it.
    #[inline(always)]
    pub fn near<L: Lanes>(&self, cluster: usize, visit: &mut impl Visit) {
        let mine = Bounds::<L>::of(self.boxes.look(cluster / EACH), cluster % EACH);
        let looked_at = self.meeting(&mine, cluster, visit);
        self.looked_at.fetch_add(looked_at, Ordering::Relaxed);
    }

    /// Goes through the clusters whose boxes meet one, until the caller stops it.
    #[inline(always)]
    pub fn within<L: Lanes>(&self, bounds: &Bounds<L>, visit: &mut impl Visit) {
        self.meeting(bounds, 0, visit);
    }

    /// Goes through the clusters from this one on whose boxes meet one, until the caller stops it. Returns how
    /// many it looked at.
    #[inline(always)]
    fn meeting<L: Lanes>(&self, mine: &Bounds<L>, cluster: usize, visit: &mut impl Visit) -> u64 {
        let top = self.levels.len() - 2;
        let mut stack = [(0_usize, 0_usize); 8 * EACH];
        let (mut depth, mut looked_at) = (1, 0);
        stack[0] = (top, 0);
        while depth > 0 {
            depth -= 1;
            let (level, node) = stack[depth];
            let boxes = self.boxes.look(self.levels[level] + node);
            let mut met = mine.meets(boxes);
            // Each two clusters once.
            let first = (cluster >> (4 * level)).saturating_sub(EACH * node);
            met &= if first < EACH { u32::MAX << first } else { 0 };
            while met != 0 {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                let child = EACH * node + lane;
                if level > 0 {
                    stack[depth] = (level - 1, child);
                    depth += 1;
                } else {
                    looked_at += 1;
                    if !visit.cluster(child, mine, &Bounds::of(boxes, lane)) {
                        return looked_at;
                    }
                }
            }
        }
        looked_at
    }
}

/// What is done with clusters whose boxes meet one. No closure, here and wherever registers are at work: one that the
/// compiler does not inline has none of the instructions that its caller is compiled for, and each of them becomes a
/// call (the search then took four times as long).
pub trait Visit {
    /// Of a cluster and its box, which meets this one. Returns whether to go on. Must be inlined always.
    fn cluster<L: Lanes>(&mut self, cluster: usize, mine: &Bounds<L>, its: &Bounds<L>) -> bool;
}

#[cfg(test)]
mod tests {
    use crate::cpu::boxes::part;
    use crate::cpu::lanes::Four;
    use crate::cpu::team::Team;
    use crate::math::Vec3;
    use crate::pass::pairs::cpu::hierarchy::*;

    /// Balls at places that repeat themselves never, in no order; one is nowhere, one is as large as the rest together.
    fn places() -> Vec<f32x4> {
        let place = |i: usize| {
            let part = |by: f64| (i as f64 * by).fract() as f32;
            let radius = if i == 700 { 0.6 } else { 0.01 + 0.02 * part(0.754_877) };
            let x = if i == 300 { f32::NAN } else { part(0.618_034) };
            f32x4::new([x, part(0.414_214), part(0.732_051), radius])
        };
        (0..1000).map(place).collect()
    }

    fn extent(at: f32x4) -> [[f32; 3]; 2] {
        let [x, y, z, radius] = at.to_array();
        [[x, y, z].map(|value| value - radius), [x, y, z].map(|value| value + radius)]
    }

    fn meet(a: f32x4, b: f32x4) -> bool {
        let ([low, high], [other_low, other_high]) = (extent(a), extent(b));
        (0..3).all(|k| high[k] > other_low[k] && other_high[k] > low[k])
    }

    struct Balls<'a> {
        view: &'a View<'a>,
        places: &'a [f32x4],
    }

    impl Extent<Four> for Balls<'_> {
        fn of(&self, cluster: usize, at: usize) -> [Vec3<Four>; 2] {
            [0, 1].map(|end| {
                let [x, y, z] = [0, 1, 2].map(|k| {
                    let mut line = [0.0; EACH];
                    for (value, &slot) in line.iter_mut().zip(&self.view.slots(cluster)[at..]) {
                        *value = extent(self.places[slot as usize])[end][k];
                    }
                    part::<Four>(&line, 0)
                });
                Vec3 { x, y, z }
            })
        }
    }

    struct Seen<'a> {
        cluster: usize,
        pairs: &'a std::sync::Mutex<Vec<[usize; 2]>>,
    }

    impl Visit for Seen<'_> {
        fn cluster<L: Lanes>(&mut self, cluster: usize, _: &Bounds<L>, _: &Bounds<L>) -> bool {
            self.pairs.lock().unwrap().push([self.cluster, cluster]);
            true
        }
    }

    /// The pairs of clusters that are looked at, by two threads.
    fn looked_at(clusters: &mut Clusters, places: &[f32x4]) -> Vec<[usize; 2]> {
        // SAFETY: each thread writes its own nodes, and the higher ones are made by one while the other waits.
        let view = unsafe { clusters.view() };
        let pairs = std::sync::Mutex::new(Vec::new());
        Team::new(2).run(|member| {
            for node in view.nodes(member) {
                view.enclose::<Four>(node, &Balls { view: &view, places });
            }
            member.meet();
            if member.index == 0 {
                view.enclose_all();
            }
            member.meet();
            for cluster in view.clusters_of(view.nodes(member)) {
                view.near::<Four>(cluster, &mut Seen { cluster, pairs: &pairs });
            }
        });
        pairs.into_inner().unwrap()
    }

    /// All balls whose boxes meet are in clusters that are looked at, each two of them once; in an order along a curve
    /// these are far fewer than in none, and that order is kept.
    #[test]
    fn whatever_meets_is_looked_at() {
        let places = places();
        let radii: Vec<f32> = places.iter().map(|place| place.to_array()[3]).collect();
        let mut clusters = Clusters::new(&radii, &places, &vec![0.0; radii.len()]);
        let mut counts = Vec::new();
        for _ in 0..3 {
            let mut pairs = looked_at(&mut clusters, &places);
            counts.push(pairs.len());
            pairs.sort_unstable();
            assert!(pairs.windows(2).all(|two| two[0] < two[1]), "a pair comes twice");
            let mut cluster_of = vec![usize::MAX; places.len()];
            for (at, &slot) in clusters.order.iter().enumerate().take(places.len()) {
                assert_eq!(std::mem::replace(&mut cluster_of[slot as usize], at / EACH), usize::MAX);
            }
            for (i, &a) in places.iter().enumerate() {
                for j in (0..i).filter(|&j| meet(a, places[j])) {
                    let pair = [cluster_of[i].min(cluster_of[j]), cluster_of[i].max(cluster_of[j])];
                    assert!(pairs.binary_search(&pair).is_ok(), "{i} and {j}");
                }
            }
            clusters.arrange(&places, &places, &vec![0.0; radii.len()]);
        }
        assert!(2 * counts[1] < counts[0] && counts[2] == counts[1], "{counts:?}");
    }
}
