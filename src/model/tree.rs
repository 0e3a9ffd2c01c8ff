//! Which of many colliders a particle may touch: a tree of their bounds in a frame, as one list that is walked without
//! a stack. The kernel `shaders/colliders/find_near.wgsl` walks it on a device, [`reached`] on the CPU.
//!
//! A particle's way in a substep is followed through the frame of a collider as it stands at the end
//! ([`crate::model::pose`]): from its beginning, turned along with the collider, straight to its end. Of a collider
//! that does not turn bounds are the box that holds it at every substep of the frame: where the boxes of both ways,
//! with all that the particle reaches, are apart along an axis, they are so in that frame, too.
//!
//! One that turns by θ in a substep is held by a ball of radius ρ about its place. Turned along, a particle at a
//! distance r goes up to θ r aside. If it comes as near as m to the ball on a way w relative to it, then
//! `r (1 - θ) <= ρ + m + w`: it is found by bounds that are wider by `κ (ρ + m + w)`, κ = θ/(1 - θ). Where κ is above
//! 1/8, which at 600 substeps a second is 10 turns a second, every particle tests the collider. The particle's share of
//! that is in its [`REACH`]: for w is no longer than its slack.

use crate::math::Vec3;
use crate::math::rotation::{inverse, product, rotate, vector};
use crate::model::{Collider, Shape};

crate::gpu_record! {
    /// A node of the tree. `shaders/colliders/find_near.wgsl`
    pub struct Bound {
        /// The least coordinates of what it holds, m.
        pub low: [f32; 3],
        /// Index of the collider; `u32::MAX` for a node within the tree.
        pub collider: u32,
        /// The largest coordinates of what it holds, m.
        pub high: [f32; 3],
        /// The node that comes next where these bounds are not met.
        pub skip: u32,
    }
}

/// With so many colliders or fewer all are looked at, and the tree is not made.
pub const FEW: usize = 8;

/// `collider` of a node within the tree.
const NOBODY: u32 = u32::MAX;
/// Beyond all bounds, and finite, m.
const ENDLESS: f64 = 1e30;
/// The largest κ for which bounds are made.
const MOST_TURN: f64 = 0.125;

/// As in `shaders/colliders/find_near.wgsl`.
const REACH: f32 = 1.25;
const ROUNDING: f32 = 1e-6;
/// What constraints may make of a substep of a particle at rest without that a contact is missed in it, m/s.
const START_SPEED: f32 = 5.0;

/// The least and the largest coordinates of something.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    low: [f64; 3],
    high: [f64; 3],
}

impl Extent {
    const NONE: Self = Self { low: [ENDLESS; 3], high: [-ENDLESS; 3] };
    const ALL: Self = Self { low: [-ENDLESS; 3], high: [ENDLESS; 3] };

    fn with(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|i| self.low[i].min(other.low[i])),
            high: std::array::from_fn(|i| self.high[i].max(other.high[i])),
        }
    }

    fn wider(self, by: f64) -> Self {
        Self { low: self.low.map(|value| value - by), high: self.high.map(|value| value + by) }
    }

    fn moved(self, by: [f64; 3]) -> Self {
        let moved = |values: [f64; 3]| std::array::from_fn(|i| values[i] + by[i]);
        Self { low: moved(self.low), high: moved(self.high) }
    }

    fn middle(self, axis: usize) -> f64 {
        0.5 * (self.low[axis] + self.high[axis])
    }

    fn is_endless(self) -> bool {
        (0..3).all(|i| self.low[i] <= -0.5 * ENDLESS && self.high[i] >= 0.5 * ENDLESS)
    }

    /// Rounded outwards.
    fn node(self, collider: u32) -> Bound {
        let down = |value: f64| if f64::from(value as f32) > value { (value as f32).next_down() } else { value as f32 };
        let up = |value: f64| if f64::from(value as f32) < value { (value as f32).next_up() } else { value as f32 };
        Bound { low: self.low.map(down), collider, high: self.high.map(up), skip: 0 }
    }
}

/// What holds a solid in its own frame.
fn held(shape: &Shape) -> Extent {
    let about = |half: [f64; 3]| Extent { low: half.map(|value| -value), high: half };
    match shape {
        Shape::Plane => Extent::ALL,
        Shape::Sphere { radius } => about([*radius; 3]),
        Shape::Capsule { radius, length } => about([*radius, radius + 0.5 * length, *radius]),
        Shape::Box { size } => about(size.map(|edge| 0.5 * edge)),
        Shape::Cylinder { radius, length } => about([*radius, 0.5 * length, *radius]),
        Shape::Mesh(mesh) => {
            let grid = &mesh.grid;
            let high = std::array::from_fn(|i| grid.low[i] + grid.cell * f64::from(grid.nodes[i] - 1));
            Extent { low: grid.low, high }
        }
        Shape::Heights(field) => {
            let [x, z] = field.size.map(|size| 0.5 * size);
            Extent { low: [-x, -ENDLESS, -z], high: [x, field.range()[1], z] }
        }
    }
}

/// Of a solid in the axes of the world, about its place.
fn turned(extent: Extent, rotation: [f64; 4]) -> Extent {
    let corners = (0..8).map(|corner| {
        let at = std::array::from_fn(|i| if corner >> i & 1 == 0 { extent.low[i] } else { extent.high[i] });
        let corner = rotate(rotation, at);
        Extent { low: corner, high: corner }
    });
    corners.fold(Extent::NONE, Extent::with)
}

/// What holds a collider with its thickness from the first of these times to the last, s: those between substeps.
fn swept(collider: &Collider, times: &[f64]) -> Extent {
    let solid = held(&collider.shape);
    // A container is solid outside.
    if collider.inside || solid.is_endless() {
        return Extent::ALL;
    }
    let places: Vec<[f64; 3]> = match &collider.motion {
        None => vec![collider.position],
        Some(_) => times.iter().map(|&time| collider.position_at(time)).collect(),
    };
    // As adhesion holds what is a hair's breadth away.
    let thickness = (1.0 + MOST_TURN) * (1e-6 + 1.001 * collider.thickness);
    let about = match collider.turning {
        None => turned(solid, collider.rotation).wider(thickness),
        Some(_) => {
            let angle = |pair: &[f64]| {
                let [before, now] = [pair[0], pair[1]].map(|time| collider.rotation_at(time));
                Vec3::from(vector(product(now, inverse(before)))).length()
            };
            let angle = times.windows(2).map(angle).fold(0.0, f64::max);
            let share = angle / (1.0 - angle);
            let far = (0..3).map(|i| solid.low[i].abs().max(solid.high[i].abs()).powi(2)).sum::<f64>().sqrt();
            if !(angle < 1.0 && share <= MOST_TURN && far < ENDLESS) {
                return Extent::ALL;
            }
            let way = |pair: &[[f64; 3]]| (Vec3::from(pair[1]) - Vec3::from(pair[0])).length();
            let way = places.windows(2).map(way).fold(0.0, f64::max);
            let radius = far + share * (far + way) + thickness;
            Extent { low: [-radius; 3], high: [radius; 3] }
        }
    };
    places.into_iter().map(|place| about.moved(place)).fold(Extent::NONE, Extent::with)
}

/// Nodes of the tree of so many colliders.
pub fn nodes(colliders: usize) -> usize {
    if colliders > FEW { 2 * colliders - 1 } else { 0 }
}

/// The tree of a frame with these times between its substeps, s, from its beginning to its end; nothing where colliders
/// are few. Those without end come first, so that no bounds of others grow with them.
pub fn bounds(colliders: &[Collider], times: &[f64]) -> Vec<Bound> {
    let count = nodes(colliders.len());
    if count == 0 {
        return Vec::new();
    }
    let extents: Vec<Extent> = colliders.iter().map(|collider| swept(collider, times)).collect();
    let (endless, mut bounded): (Vec<u32>, Vec<u32>) =
        (0..colliders.len() as u32).partition(|&collider| extents[collider as usize].is_endless());
    let mut tree: Vec<Bound> = Vec::with_capacity(count);
    for collider in endless {
        let skip = tree.len() as u32 + 1;
        tree.push(Bound { skip, ..extents[collider as usize].node(collider) });
    }
    if !bounded.is_empty() {
        branch(&extents, &mut bounded, &mut tree);
    }
    // Those that fill the list are never met, and lead to its end.
    tree.resize(count, Bound { skip: count as u32, ..Extent::NONE.node(NOBODY) });
    tree
}

/// Adds the tree of some colliders: a half of them on either side of the middle one along the axis along which they are
/// spread most.
fn branch(extents: &[Extent], members: &mut [u32], tree: &mut Vec<Bound>) -> Extent {
    if let [collider] = *members {
        let extent = extents[collider as usize];
        let skip = tree.len() as u32 + 1;
        tree.push(Bound { skip, ..extent.node(collider) });
        return extent;
    }
    let middle = |collider: u32, axis: usize| extents[collider as usize].middle(axis);
    let spread = |axis: usize| {
        let middles = members.iter().map(|&collider| middle(collider, axis));
        let [low, high] =
            middles.fold([ENDLESS, -ENDLESS], |[low, high], value| [f64::min(low, value), f64::max(high, value)]);
        high - low
    };
    let spreads = [0, 1, 2].map(spread);
    let axis = (1..3).fold(0, |widest, axis| if spreads[axis] > spreads[widest] { axis } else { widest });
    let half = members.len() / 2;
    members.select_nth_unstable_by(half, |&a, &b| middle(a, axis).total_cmp(&middle(b, axis)).then(a.cmp(&b)));
    let at = tree.len();
    tree.push(Bound::default());
    let (before, after) = members.split_at_mut(half);
    let first = branch(extents, before, tree);
    let extent = first.with(branch(extents, after, tree));
    tree[at] = Bound { skip: tree.len() as u32, ..extent.node(NOBODY) };
    extent
}

/// Where a particle goes in a substep and may be led.
pub struct Span {
    low: [f32; 3],
    high: [f32; 3],
    /// How far constraints may take it off its prediction without that a contact is missed in this substep, m.
    #[cfg(feature = "cpu")]
    pub slack: f32,
}

/// How far constraints may take a particle off its prediction in so many seconds without that a contact is missed, m.
#[inline(always)]
pub fn slack<R: crate::math::Real>(way: R, radius: R, seconds: f32) -> R {
    way + radius + R::from_f64(f64::from(START_SPEED * seconds))
}

impl Span {
    /// On its way to a place, m, in so many seconds.
    pub fn new(from: Vec3<f32>, to: Vec3<f32>, radius: f32, seconds: f32) -> Self {
        let slack = slack((to - from).length(), radius, seconds);
        let [from, to]: [[f32; 3]; 2] = [from, to].map(|Vec3 { x, y, z }| [x, y, z]);
        let far = from.iter().chain(&to).fold(0.0, |far: f32, value| far.max(value.abs()));
        let reach = REACH * (radius + slack) + ROUNDING * far;
        Self {
            low: std::array::from_fn(|i| from[i].min(to[i]) - reach),
            high: std::array::from_fn(|i| from[i].max(to[i]) + reach),
            #[cfg(feature = "cpu")]
            slack,
        }
    }

    /// Where it is pushed so much further, m.
    #[cfg(feature = "cpu")]
    pub fn wider(&self, by: f32) -> Self {
        Self {
            low: self.low.map(|value| value - REACH * by),
            high: self.high.map(|value| value + REACH * by),
            slack: self.slack + by,
        }
    }

    fn meets(&self, bound: &Bound) -> bool {
        (0..3).all(|i| self.low[i] <= bound.high[i] && bound.low[i] <= self.high[i])
    }
}

/// The colliders whose bounds a particle's way meets, in the order of the tree.
pub fn reached(tree: &[Bound], span: &Span, mut with: impl FnMut(u32)) {
    let mut node = 0;
    while let Some(bound) = tree.get(node) {
        if !span.meets(bound) {
            node = bound.skip as usize;
            continue;
        }
        node += 1;
        if bound.collider != NOBODY {
            with(bound.collider);
        }
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use crate::math::random::Random;
    use crate::math::rotation::{Turning, about};
    use crate::mesh::HeightField;
    use crate::model::Keyframes;
    use crate::model::pose::Pose;
    use crate::model::tree::*;

    fn vector(random: &mut Random, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| size * random.number())
    }

    /// Of every shape, still, moving and turning, about a centre.
    fn colliders(numbers: &mut Random, count: usize, centre: [f64; 3]) -> Vec<Collider> {
        let ground = |x: u32, z: u32| 0.1 * f64::from(x * z % 3);
        let heights = (0..5).flat_map(|z| (0..4).map(move |x| ground(x, z) as f32)).collect();
        let field = std::sync::Arc::new(HeightField::new([0.4, 0.6], [4, 5], heights).expect("a field"));
        let shape = |k: usize| match k % 6 {
            0 => Shape::Sphere { radius: 0.1 },
            1 => Shape::Capsule { radius: 0.05, length: 0.2 },
            2 => Shape::Box { size: [0.3, 0.1, 0.002] },
            3 => Shape::Cylinder { radius: 0.1, length: 0.2 },
            4 => Shape::Heights(field.clone()),
            _ => Shape::Plane,
        };
        let collider = |k: usize| {
            let offset = vector(numbers, 1.0);
            Collider {
                position: std::array::from_fn(|i| centre[i] + offset[i]),
                rotation: about(vector(numbers, 3.0)),
                inside: k % 6 == 2 && k.is_multiple_of(4),
                motion: (k % 3 == 1)
                    .then(|| Keyframes::new(vec![(0.0, [0.0; 3]), (0.1, vector(numbers, 1.0))]))
                    .flatten(),
                turning: (k % 5 == 2).then(|| Turning { spin: vector(numbers, 40.0), rotations: None }),
                thickness: if k.is_multiple_of(7) { 0.02 } else { 0.0 },
                ..Collider::new(shape(k))
            }
        };
        (0..count).map(collider).collect()
    }

    /// What a particle touches in a substep, or ends as near to as constraints may take it, is reached: in double
    /// precision, for every shape, still, moving and turning, slow particles and such as go further than what is there,
    /// here and a kilometre away. And little else is: of what ends nearby, a third at least is.
    #[test]
    fn nothing_that_is_touched_is_missed() {
        let times: Vec<f64> = (0..=10).map(|k| f64::from(k) / 600.0).collect();
        let (mut touched, mut found) = (0, 0);
        for centre in [[0.0; 3], [1000.0, -700.0, 1000.0]] {
            let mut numbers = Random(3);
            let colliders = colliders(&mut numbers, 60, centre);
            let tree = bounds(&colliders, &times);
            assert_eq!(tree.len(), nodes(60));
            for try_ in 0..4000 {
                let substep = try_ % 10;
                let [from, to] = [times[substep], times[substep + 1]];
                let (offset, way) = (vector(&mut numbers, 1.2), vector(&mut numbers, [0.002, 0.05, 1.0][try_ % 3]));
                let start: [f32; 3] = std::array::from_fn(|i| (centre[i] + offset[i]) as f32);
                let end: [f32; 3] = std::array::from_fn(|i| start[i] + way[i] as f32);
                let radius = [0.0, 0.03][try_ % 2];
                let [a, b] = [start, end].map(|[x, y, z]| Vec3 { x, y, z });
                let span = Span::new(a, b, radius, 1.0 / 600.0);
                let mut reached_ones = Vec::new();
                reached(&tree, &span, |collider| reached_ones.push(collider));
                let mut once = reached_ones.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), reached_ones.len());
                for (k, collider) in (0..).zip(&colliders) {
                    let pose = Pose::new(collider, from, to);
                    let [a, b] = [start, end].map(|point| Vec3::from(point.map(f64::from)));
                    let place = Vec3::from(collider.position_at(to));
                    let radius = f64::from(radius) + collider.thickness;
                    let touch = pose.touch(a - (place - pose.displacement), b - place, radius, 0.0);
                    // Over ground what is steep looks nearer than it is.
                    let near = if matches!(collider.shape, Shape::Heights(_)) { 0.0 } else { f64::from(span.slack) };
                    if touch.value <= near {
                        touched += 1;
                        assert!(
                            once.binary_search(&k).is_ok(),
                            "{collider:?} from {start:?} to {end:?}: {}",
                            touch.value
                        );
                    }
                }
                found += once.len();
            }
        }
        assert!(touched > 10_000 && found < 3 * touched, "{found} reached, {touched} touched");
    }

    /// A few colliders have no tree; one of a row is reached by what is near it and by nothing else.
    #[test]
    fn few_have_none_and_many_are_told_apart() {
        let row: Vec<Collider> = (0..40).map(|k| Collider::sphere([f64::from(k), 0.0, 0.0], 0.1)).collect();
        assert_eq!(bounds(&row[..FEW], &[0.0, 1.0]), []);
        let tree = bounds(&row, &[0.0, 1.0]);
        for k in 0..40 {
            let at = Vec3 { x: k as f32, y: 0.2, z: 0.0 };
            let mut met = Vec::new();
            reached(&tree, &Span::new(at, at, 0.05, 1.0 / 600.0), |collider| met.push(collider));
            assert_eq!(met, [k]);
        }
    }
}
