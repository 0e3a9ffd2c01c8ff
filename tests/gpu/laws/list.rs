//! All laws: the WGSL that calls each, its twin in Rust, and the numbers on which the two are compared.

use pliant::constraint::Vec3;
use pliant::law::rigid::angular_velocity;
use pliant::law::segment::nearest;
use pliant::law::surface::Features;
use pliant::math::closest::{between_segments, on_triangle};
use pliant::solver::records::Substep;

use super::cases::*;
use super::twins::*;
use super::{ROUNDING, ROUNDINGS};
use crate::random::Random;

/// A law in Rust: what it makes of some numbers in a substep.
pub type Twin<R> = fn(&Substep, &[R]) -> Vec<R>;

/// A law.
pub struct Law {
    pub name: &'static str,
    /// Below `shaders/`, in the order in which they are joined.
    pub files: &'static [&'static str],
    /// How many numbers go in, and come out.
    pub takes: usize,
    pub gives: usize,
    /// WGSL that takes `number(k)` and `vector(k)` and gives by `give` and `give_vector`.
    pub call: &'static str,
    /// The twin in single precision, where it has one, and in double.
    pub single: Option<Twin<f32>>,
    pub double: Twin<f64>,
    /// Numbers to try.
    pub case: fn(&mut Random, &Substep) -> Vec<f64>,
    /// By how much a number that comes out, by its place, may be off besides: where the law is iterated, or takes back
    /// most of a number that goes in.
    pub slack: fn(&[f64], usize) -> f64,
}

/// Fills in both precisions of a twin that is generic.
macro_rules! twins {
    ($twin:ident, $law:expr) => {
        Law { single: Some($twin::<f32>), double: $twin::<f64>, ..$law }
    };
}

/// What all laws have in common unless they say otherwise.
const NONE: Law = Law {
    name: "",
    files: &[],
    takes: 0,
    gives: 0,
    call: "",
    single: None,
    double: |_, _| Vec::new(),
    case: |_, _| Vec::new(),
    slack: |_, _| 0.0,
};

pub const LAWS: &[Law] = &[
    twins!(friction, Law {
        name: "friction of a pair",
        files: &["law/friction.wgsl"],
        takes: 4,
        gives: 2,
        call: "
    let both = combined(vec2f(number(0u), number(1u)), vec2f(number(2u), number(3u)));
    give(0u, both.x);
    give(1u, both.y);",
        case: |random, _| {
            let [a, b] = [coefficient(random), coefficient(random)];
            if random.chance(0.1) { vec![a, b, a, b] } else { vec![a, b, coefficient(random), coefficient(random)] }
        },
        ..NONE
    }),
    twins!(calm, Law {
        name: "way of what is calm",
        files: &["law/calm.wgsl"],
        takes: 1,
        gives: 1,
        call: "    give(0u, number(0u) * calm_way());",
        case: |random, _| vec![random.number(1.0, 2.0)],
        ..NONE
    }),
    twins!(impact, Law {
        name: "impact",
        files: &["law/calm.wgsl", "law/impact.wgsl"],
        takes: 9,
        gives: 16,
        call: "
    for (var k = 0u; k < 2u; k += 1u) {
        var impact = impact_of(number(0u), number(1u));
        if (k == 1u) {
            impact = impact_of_two(number(0u), number(1u));
        }
        let told = told_of(vec4f(vector(6u), number(5u)), impact, number(4u), number(3u));
        give(8u * k, select(0.0, 1.0, impact.is_one));
        give(8u * k + 1u, impulse_of(impact, number(2u), number(3u)));
        give(8u * k + 2u, change_of(impact, number(2u), number(3u)));
        give(8u * k + 3u, bound_of(impact, number(5u), number(4u), number(3u)));
        give(8u * k + 4u, told.w);
        give_vector(8u * k + 5u, told.xyz);
    }",
        case: impact_case,
        ..NONE
    }),
    twins!(sweep, Law {
        name: "contact after a sweep",
        files: &["law/contact.wgsl"],
        takes: 13,
        gives: 4,
        call: "
    give(0u, normal_after(number(0u), number(1u), number(2u), number(3u)));
    give_vector(1u, tangential_after(vector(4u), vector(7u), number(2u), vec2f(number(10u), number(11u)), number(12u)));",
        case: sweep_case,
        ..NONE
    }),
    twins!(split_mass, Law {
        name: "split masses",
        files: &["law/contact.wgsl"],
        takes: 2,
        gives: 1,
        call: "    give(0u, split(number(0u), round(number(1u))));",
        case: |random, _| vec![random.magnitude(1e-4, 1e4), random.whole(0, 40).into()],
        ..NONE
    }),
    twins!(approaching, Law {
        name: "approach of a pair",
        files: &["law/contact.wgsl"],
        takes: 3,
        gives: 1,
        call: "    give(0u, approach_of(number(0u), number(1u), number(2u)));",
        case: |random, _| {
            let distance = random.magnitude(1e-3, 10.0);
            let depth = one_of([0.0, 1e-3, 1e-2, -0.1, random.magnitude(1e-6, 0.5)], random);
            let along = one_of([0.0, -0.5 * depth, 0.1 * depth, -random.magnitude(1e-6, 0.1)], random);
            vec![distance * (1.0 - depth), distance, distance * along]
        },
        ..NONE
    }),
    twins!(normal_of_balls, Law {
        name: "normal of two balls that meet",
        files: &["law/contact.wgsl"],
        takes: 8,
        gives: 3,
        call: "    give_vector(0u, meeting_normal(vector(0u), vector(3u), number(6u), number(7u)));",
        case: normal_case,
        ..NONE
    }),
    twins!(solved, Law {
        name: "contact of two that move",
        files: &["law/calm.wgsl", "law/impact.wgsl", "law/contact.wgsl", "law/press.wgsl"],
        takes: 17,
        gives: 4,
        call: "
    let impact = impact_of_two(number(15u), number(16u));
    let before = vec4f(vector(1u), number(0u));
    let friction = vec2f(number(4u), number(5u));
    let after = pressed_by(before, friction, number(6u), impact, number(7u), vector(8u), number(11u), vector(12u));
    give_vector(0u, after.xyz);
    give(3u, after.w);",
        case: solved_case,
        ..NONE
    }),
    twins!(held, Law {
        name: "contact with a collider",
        files: &["law/calm.wgsl", "law/impact.wgsl", "law/contact.wgsl", "law/press.wgsl"],
        takes: 23,
        gives: 7,
        call: "
    let impact = impact_of(number(21u), number(22u));
    let before = vec4f(vector(1u), number(0u));
    let friction = vec2f(number(4u), number(5u));
    var moved = vector(18u);
    let wall = Wall(vector(9u), number(6u), number(7u), number(8u), vector(12u), vector(15u));
    let after = held_by(before, friction, impact, wall, &moved);
    give_vector(0u, after.xyz);
    give(3u, after.w);
    give_vector(4u, moved);",
        case: held_case,
        // Friction that holds takes back all of the way across the normal, and leaves its rounding.
        slack: |v, k| if k < 4 { 0.0 } else { ROUNDINGS * ROUNDING * vector(v, 18).length() },
        ..NONE
    }),
    Law {
        name: "angular velocity",
        files: &["law/rigid.wgsl"],
        takes: 9,
        gives: 3,
        call: "
    let diagonal = vector(0u);
    let off = vector(3u);
    let inertia = mat3x3f(diagonal.x, off.x, off.z, off.x, diagonal.y, off.y, off.z, off.y, diagonal.z);
    give_vector(0u, angular_velocity(inertia, vector(6u), NEGLIGIBLE * (diagonal.x + diagonal.y + diagonal.z)));",
        double: |_, v| {
            let inertia = [[v[0], v[3], v[5]], [v[3], v[1], v[4]], [v[5], v[4], v[2]]].map(Vec3::from);
            numbers(&[angular_velocity(inertia, vector(v, 6), 0.0)])
        },
        case: rigid_case,
        ..NONE
    },
    twins!(nearest_of_segment, Law {
        name: "nearest place of a segment",
        files: &["law/segment.wgsl"],
        takes: 6,
        gives: 5,
        call: "
    let nearest = nearest_of(vector(0u), vector(3u));
    give_vector(0u, nearest.normal);
    give(3u, nearest.share);
    give(4u, nearest.apart);",
        case: |random, _| {
            let edge = edge(random);
            let place = one_of([[0.0; 3], edge, edge.map(|x| 0.5 * x), edge.map(|x| 2.0 * x)], random);
            let place = if random.chance(0.3) { place } else { random.vector(-1.0, 1.0) };
            [place, edge].concat()
        },
        slack: |v, k| if k < 3 { direction_slack(&v[..6], segment_gap(v)) } else { 0.0 },
        ..NONE
    }),
    twins!(meeting_of_segment, Law {
        name: "where a particle meets a segment",
        files: &["law/segment.wgsl"],
        takes: 13,
        gives: 5,
        call: "
    let found = meeting(Relative(vector(0u), number(12u), vector(3u), vector(6u), vector(9u)));
    give(0u, found.time);
    if (found.time != NEVER) {
        give_vector(1u, found.place.normal);
        give(4u, found.place.share);
    }",
        case: |random, _| {
            let start = random.vector(-1.0, 1.0);
            let way = if random.chance(0.1) { [0.0; 3] } else { start.map(|x| -x * random.number(0.2, 2.0)) };
            let turning = if random.chance(0.2) { [0.0; 3] } else { random.vector(-0.3, 0.3) };
            [&start[..], &way, &edge(random), &turning, &[random.number(0.01, 0.4)]].concat()
        },
        slack: |v, k| if (1..4).contains(&k) { direction_slack(&v[..12], v[12]) } else { 0.0 },
        ..NONE
    }),
    twins!(nearest_places, Law {
        name: "nearest places",
        files: &["law/closest.wgsl"],
        takes: 12,
        gives: 12,
        call: "
    let p = vector(0u);
    let a = vector(3u);
    let b = vector(6u);
    let c = vector(9u);
    let along = along_segment(p, a, b);
    let on = on_triangle(p, a, b, c);
    let between = between_segments(p, a, b, c);
    give(0u, along);
    give(1u, length3(p - a - along * (b - a)));
    give_vector(2u, on);
    give(5u, length3(p - on.x * a - on.y * b - on.z * c));
    give(6u, between.x);
    give(7u, between.y);
    give(8u, length3(p + between.x * (a - p) - b - between.y * (c - b)));
    give_vector(9u, direction_and_length(p - a, 0.0).xyz);",
        case: places_case,
        slack: |v, k| match k {
            1 | 5 | 8 => 2.0 * ROUNDINGS * ROUNDING * largest(v),
            2..=4 => triangle_slack(v),
            6 | 7 => between_slack(v),
            _ => 0.0,
        },
        ..NONE
    }),
    twins!(features, Law {
        name: "axes of two features",
        files: &["law/closest.wgsl", "law/surface.wgsl"],
        takes: 26,
        gives: 8,
        call: "
    let motion = Motion(
        Places(vector(0u), vector(3u), vector(6u), vector(9u)),
        Places(vector(12u), vector(15u), vector(18u), vector(21u)),
        number(24u) > 0.0,
    );
    let distance = touching_distance(number(25u), 1.0);
    let certificate = certificate_of(motion);
    give(0u, certificate.before);
    give(1u, certificate.gap);
    give(2u, lack_of(certificate, FLOOR * distance));
    give(3u, select(0.0, 1.0, are_far_apart(motion, distance)));
    let weights = touching_weights(motion, distance, certificate);
    give(4u, length3(weighted(weights, motion.end)));
    give(5u, contact_weight(weights, vec4f(1.0, 2.0, 3.0, 4.0)));
    give(6u, gap_along(motion.edges, certificate.axis, motion.end));
    give(7u, select(0.0, 1.0, gap_along(motion.edges, certificate.axis, motion.begin) > 0.0));",
        case: features_case,
        // Weights are those where two first touch, whose time is found in four steps.
        slack: |v, k| match k {
            1 | 2 | 6 => axis_slack(v),
            5 => 2e-4,
            _ => 0.0,
        },
        ..NONE
    }),
    twins!(rod, Law {
        name: "two links of a rod",
        files: &["lib/angle.wgsl", "law/rod.wgsl"],
        takes: 34,
        gives: 24,
        call: "
    let a = Orientation(normalize(vec4f(vector(0u), number(3u))), vector(4u));
    let b = Orientation(normalize(vec4f(vector(7u), number(10u))), vector(11u));
    let zero = vec3f(0.0);
    let stretch = vec3f(number(25u), number(25u), 0.5 * number(25u));
    let bend = vec3f(number(26u), 2.0 * number(26u), number(26u));
    let first = Link(vec2f(1.0), vec2f(number(21u), number(22u)), vec2f(number(23u), number(24u)), a, b, vector(14u), number(20u),
        vector(17u), stretch, bend, number(27u), vector(28u), vector(31u), zero, zero, zero);
    let second = Link(vec2f(1.0), vec2f(number(22u), number(21u)), vec2f(number(24u), number(23u)), b, a, vector(14u), number(20u),
        zero, stretch, bend, 0.0, zero, zero, zero, vector(17u), vector(17u));
    let rows = link_rows(first);
    let next_rows = link_rows(second);
    let blank = mat3x3f(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    let between = coupling_to(first, rows, next_rows);
    let left = eliminated_from(diagonal_blocks(first, rows), Blocks(blank, blank, blank, zero, zero), between);
    let taken = taken_by(between, left);
    let last = eliminated_from(diagonal_blocks(second, next_rows), taken, coupling_to(second, next_rows, next_rows));
    give_vector(0u, rows.upper);
    give_vector(3u, rows.lower);
    give_vector(6u, left.upper);
    give_vector(9u, left.lower);
    give_vector(12u, last.upper);
    give_vector(15u, last.lower);
    give_vector(18u, compose(a.turn, b.turn));
    give_vector(21u, turn_by(vector(28u)));",
        case: rod_case,
        slack: |_, k| if k < 6 { 5e-7 } else { 2e-6 },
        ..NONE
    }),
    twins!(joint, Law {
        name: "equations of a joint",
        files: &["lib/angle.wgsl", "law/rod.wgsl", "law/joint.wgsl"],
        takes: 22,
        gives: 57,
        call: "
    let a = normalize(vec4f(vector(0u), number(3u)));
    let b = normalize(vec4f(vector(4u), number(7u)));
    let x = vec3f(1.0, 0.0, 0.0);
    let y = vec3f(0.0, 1.0, 0.0);
    let z = vec3f(0.0, 0.0, 1.0);
    let axes = mat3x3f(rotated(a, x), rotated(a, y), rotated(a, z));
    let others = mat3x3f(rotated(b, x), rotated(b, y), rotated(b, z));
    let flags = u32(number(21u));
    let limits = vec2f(number(17u), number(18u));
    let terms = JointTerms(u32(number(20u)), 1u, flags & 1u, flags & 2u, limits, 0.25, number(19u), 0.5, flags & 4u, number(18u), 0.75);
    let rows = joint_rows(terms, JointPlaced(vector(8u), vector(11u), vector(14u), axes, others));
    for (var k = 0u; k < 3u; k += 1u) {
        give_vector(3u * k, rows.linear[k]);
    }
    for (var k = 0u; k < ROWS; k += 1u) {
        give_vector(9u + 3u * k, rows.angular0[k]);
        give_vector(27u + 3u * k, rows.angular1[k]);
        give(45u + k, rows.values[k]);
        give(51u + k, rows.compliances[k]);
    }",
        case: joint_case,
        slack: |_, _| 2e-6,
        ..NONE
    }),
    twins!(rotation, Law {
        name: "rotation next to a deformation",
        files: &["lib/rotation.wgsl"],
        takes: 9,
        gives: 9,
        call: "
    let turned = rotation_next_to(mat3x3f(vector(0u), vector(3u), vector(6u)));
    give_vector(0u, turned[0]);
    give_vector(3u, turned[1]);
    give_vector(6u, turned[2]);",
        case: |random, _| {
            let columns: [[f64; 3]; 3] = [random.vector(-1.0, 1.0), random.vector(-1.0, 1.0), random.vector(-1.0, 1.0)];
            let scale = one_of([1.0, 1e-4, 1e4], random);
            columns.concat().into_iter().map(|x| scale * x).collect()
        },
        // Thirty turns of its quaternion, a rounding or two each.
        slack: |_, _| 4e-6,
        ..NONE
    }),
    twins!(density, Law {
        name: "kernel of fluids",
        files: &["law/fluid.wgsl"],
        takes: 4,
        gives: 2,
        call: "
    let at = kernel_at(FluidKernel(number(0u), number(1u), number(2u)), number(3u));
    give(0u, at.x);
    give(1u, at.y);",
        case: density_case,
        ..NONE
    }),
    twins!(wall, Law {
        name: "wall of fluids",
        files: &["law/fluid.wgsl"],
        takes: 1,
        gives: 1,
        call: "    give(0u, wall_at(number(0u)));",
        case: |random, _| vec![one_of([-0.5, 0.0, 0.25, 0.5, random.number(0.0, 1.1)], random)],
        ..NONE
    }),
    twins!(pressed, Law {
        name: "pressed fluid",
        files: &["law/fluid.wgsl"],
        takes: 5,
        gives: 1,
        call: "    give(0u, fluid_pressed(number(0u), number(1u), number(2u), number(3u), number(4u)));",
        case: |random, _| {
            let any = |random: &mut Random| one_of([0.0, random.magnitude(1e-3, 1e3)], random);
            let [lambda, weight, least, softness] = [(); 4].map(|()| any(random));
            vec![1e-3 * lambda, random.number(-0.2, 0.4), weight, least, softness]
        },
        ..NONE
    }),
    twins!(rubbing, Law {
        name: "rubbing of a pair",
        files: &["law/fluid.wgsl"],
        takes: 3,
        gives: 1,
        call: "    give(0u, rubbing(number(0u), number(1u), number(2u)));",
        case: |random, _| {
            let squared = one_of([0.0, random.magnitude(1e-6, 1e-2), random.magnitude(1e-6, 1e-2)], random);
            vec![random.magnitude(1e3, 1e9), squared, random.magnitude(1e-5, 1e-3)]
        },
        ..NONE
    }),
    twins!(viscosity, Law {
        name: "viscosity of a pair",
        files: &["law/fluid.wgsl"],
        takes: 2,
        gives: 1,
        call: "    give(0u, viscosity_between(number(0u), number(1u)));",
        case: |random, _| {
            let any = |random: &mut Random| one_of([-1.0, 0.0, random.magnitude(1e-3, 1e3)], random);
            vec![any(random), any(random)]
        },
        ..NONE
    }),
    twins!(tension, Law {
        name: "surface tension",
        files: &["law/fluid.wgsl"],
        takes: 18,
        gives: 9,
        call: "
    let tension = Tension(
        number(0u), number(1u), number(2u), number(3u), number(4u), number(5u), number(6u), number(17u), 1.0);
    let way = vec3f(number(7u), number(8u), number(9u));
    let pull = vec3f(number(12u), number(13u), number(14u));
    let sigma = tension_between(number(15u), number(16u));
    let force = tension_force(tension, way, number(10u), number(11u), sigma, pull);
    let pulled = tension_pull(tension, sigma, pull);
    give(0u, held_root(number(15u), number(16u), number(10u)));
    give(1u, sigma);
    give(2u, force.x);
    give(3u, force.y);
    give(4u, force.z);
    give(5u, pulled.x);
    give(6u, pulled.y);
    give(7u, pulled.z);
    give(8u, tension_of_wall(tension, sigma, 2.0 * abs(number(7u))));",
        case: tension_case,
        ..NONE
    }),
    Law {
        name: "steps of viscosity",
        files: &["law/fluid.wgsl"],
        takes: 1,
        gives: 5,
        call: "
    let first = chebyshev_first(number(0u));
    let second = chebyshev_step(number(0u), first.z);
    let third = chebyshev_step(number(0u), second.z);
    give(0u, first.y);
    give(1u, second.x);
    give(2u, second.y);
    give(3u, third.x);
    give(4u, third.y);",
        double: chebyshev,
        case: |random, _| vec![random.magnitude(1e-3, 1e3)],
        // Each ρ is one over a difference of numbers of up to two, which took three roundings, and passes on that of the one
        // before; a factor is a product of two.
        slack: |v, k| 24.0 * ROUNDING * chebyshev(&Substep::default(), v)[k],
        ..NONE
    },
];

fn largest(of: &[f64]) -> f64 {
    of.iter().map(|x| x.abs()).fold(0.0, f64::max)
}

/// Of the direction of what is so long, the difference of numbers of this size.
fn direction_slack(of: &[f64], length: f64) -> f64 {
    2.0 * ROUNDING * largest(of) / length.max(ROUNDING)
}

fn segment_gap(v: &[f64]) -> f64 {
    nearest(vector(v, 0), vector(v, 3)).2
}

/// By how much what gives the least distance may be off: around it the distance is the same to a rounding.
fn flat() -> f64 {
    2.0 * ROUNDING.sqrt()
}

/// Of the weights of a triangle's corners, where two of its edges are equally near: at a corner.
fn triangle_slack(v: &[f64]) -> f64 {
    let [p, a, b, c]: [Vec3<f64>; 4] = [0, 3, 6, 9].map(|first| vector(v, first));
    let at_corner = on_triangle(p, [a, b, c]).into_iter().any(|weight| weight > 1.0 - flat());
    if at_corner { flat() } else { 0.0 }
}

/// Of the shares of two segments, where they are parallel, and where an end of one and an end of the other are equally
/// near.
fn between_slack(v: &[f64]) -> f64 {
    let [p, a, b, c]: [Vec3<f64>; 4] = [0, 3, 6, 9].map(|first| vector(v, first));
    let (e, f) = (a - p, c - b);
    let parallel = e.cross(f).length() < 1e-5 * e.length() * f.length();
    let at_ends = between_segments(p, a, b, c).into_iter().all(|share| (share - 0.5).abs() > 0.5 - flat());
    if parallel || at_ends { flat() } else { 0.0 }
}

/// Of the gap along an axis: the mean of those at both ends of a motion, where they nearly cancel, or that of a nearest
/// point that is all but at a corner.
fn axis_slack(v: &[f64]) -> f64 {
    let features = if v[24] > 0.0 { Features::EdgeEdge } else { Features::VertexFace };
    let ends = [0, 12].map(|first| [0, 3, 6, 9].map(|k| vector::<f64>(v, first + k)));
    let weights = ends.iter().flat_map(|places| features.weights(places));
    let at_corner = weights.map(f64::abs).any(|weight| 0.0 < weight && weight < flat());
    let [begin, end] = ends.map(|places| features.between(&places).direction_and_length().0);
    let of_mean = 2.0 * ROUNDINGS * ROUNDING * largest(v) / (begin + end).length().max(ROUNDING);
    of_mean + if at_corner { flat() } else { 0.0 }
}
