//! How looks by name are shaded: a table of [`Finish`], and the styles of a model's bodies and colliders made of it.

use glam::DVec3;

use super::drawing::mean_edge;
use super::frame::Style;
use super::strands::fluid_of;
use crate::mesh::unclosed;
use crate::model::{Body, Finish, Fluid, Model};

/// Linear colours of bodies that have none, in turn: madder, indigo, ochre, sage, plum, petrol.
const PALETTE: [[f32; 3]; 6] = [
    [0.55, 0.055, 0.035],
    [0.055, 0.135, 0.42],
    [0.76, 0.40, 0.065],
    [0.19, 0.36, 0.15],
    [0.30, 0.075, 0.26],
    [0.035, 0.30, 0.33],
];
/// What holds: pegs, rails and clamps.
const HOLDS: [f32; 3] = [0.09, 0.092, 0.10];
const LINK: [f32; 3] = [0.16, 0.16, 0.17];
/// The stage, and plane colliders without a look: warm and darker than the sky.
const FLOOR: [f32; 3] = [0.47, 0.453, 0.42];
/// Clear water, where nothing says how it is coloured.
const WATER: [f32; 3] = [0.10, 0.36, 0.50];
/// The way on which light takes a clear liquid's colour, as a share of the edge of the cube that it fills.
const CLEAR: f64 = 0.5;
/// How far a surface is drawn towards the eye, as a share of its edges: enough to cover a sphere under a coarse mesh.
const PULL: f64 = 0.15;

/// What `Style::pattern` may be, as `shaders/render/frame.wgsl` numbers them.
#[derive(Clone, Copy)]
enum Pattern {
    Weave = 1,
    Wood,
    Stone,
    Leather,
    Fibres,
    Paper,
    Hair,
}

/// Styles after those of the bodies, in this order, before those of the colliders.
#[derive(Clone, Copy)]
pub(super) enum Extra {
    Hold,
    Link,
    Floor,
}

const EXTRAS: u32 = 3;

/// The place of a style that belongs to no body.
pub(super) fn extra(model: &Model, extra: Extra) -> u32 {
    model.bodies.len() as u32 + extra as u32
}

/// The place of the first collider's style; those of the others follow.
pub(super) fn first_collider(model: &Model) -> u32 {
    model.bodies.len() as u32 + EXTRAS
}

/// Bodies, then [`Extra`], then colliders.
pub(super) fn styles(model: &Model) -> Vec<Style> {
    let bodies = model.bodies.iter().enumerate().map(|(i, body)| of_body(model, i, body));
    let extras = [
        Style { metalness: 1.0, roughness: 0.38, ..plain(Finish::Metal, HOLDS) },
        plain(Finish::Plastic, LINK),
        plain(Finish::Plaster, FLOOR),
    ];
    let colliders = model.colliders.iter().map(|collider| {
        let look = collider.look.unwrap_or(Finish::Plaster);
        let is_floor = matches!(collider.shape, crate::model::Shape::Plane) && collider.look.is_none();
        let own = if is_floor { FLOOR } else { natural_colour(look).unwrap_or([0.60, 0.58, 0.55]) };
        plain(look, collider.colour.unwrap_or(own))
    });
    bodies.chain(extras).chain(colliders).collect()
}

/// Liquids that look like water are clear; others have a surface, as milk or mercury.
fn of_fluid(fluid: &Fluid, body: &Body) -> Style {
    let look = body.look.unwrap_or(Finish::Water);
    let style = plain(look, body.colour.or(natural_colour(look)).unwrap_or(WATER));
    let edge = f64::from(fluid.particles.end - fluid.particles.start).cbrt() * fluid.spacing;
    Style { clear: if look == Finish::Water { (CLEAR * edge) as f32 } else { 0.0 }, ..style }
}

fn of_body(model: &Model, index: usize, body: &Body) -> Style {
    if let Some(fluid) = fluid_of(model, body) {
        return of_fluid(fluid, body);
    }
    let closed = is_closed(body);
    let look = body.look.unwrap_or(match body.triangles.is_empty() || closed {
        true => Finish::Plastic,
        false => Finish::Cloth,
    });
    let own = natural_colour(look).unwrap_or(PALETTE[index % PALETTE.len()]);
    let style = plain(look, body.colour.unwrap_or(own));
    // The skin of a solid lies where it is drawn, outside of the particles that touch.
    let half_thickness = if body.skin.is_some() || body.triangles.is_empty() { 0.0 } else { body.radius };
    Style {
        pull: (PULL * mean_edge(model, body)) as f32,
        back: if closed { style.front } else { reverse(style.front) },
        transmission: if closed { 0.0 } else { style.transmission },
        edged: if body.skin.is_some() || body.stretch.is_none() && closed { 1.0 } else { 0.0 },
        half_thickness: half_thickness.min(0.5 * mean_edge(model, body)) as f32,
        ..style
    }
}

fn is_closed(body: &Body) -> bool {
    body.skin.is_some() || !body.triangles.is_empty() && unclosed(&body.triangles).is_none()
}

/// How often a body's triangles are drawn: once for each side of a sheet that has a thickness.
pub(super) fn layers(body: &Body) -> u32 {
    if is_closed(body) || body.radius == 0.0 { 1 } else { 2 }
}

/// The colour of a cloth's other side: darker and a little greyer.
fn reverse(front: [f32; 3]) -> [f32; 3] {
    let grey = (front[0] + front[1] + front[2]) / 3.0;
    front.map(|channel| 0.62 * channel + 0.1 * grey)
}

/// The colour of what always has about the same, linear.
fn natural_colour(look: Finish) -> Option<[f32; 3]> {
    Some(match look {
        Finish::Cloth | Finish::Silk | Finish::Jelly | Finish::Latex | Finish::Plastic => return None,
        Finish::Paper => [0.82, 0.80, 0.75],
        Finish::Rubber => [0.035, 0.035, 0.038],
        Finish::Porcelain => [0.80, 0.79, 0.75],
        Finish::Metal => [0.56, 0.57, 0.58],
        Finish::Wood => [0.43, 0.225, 0.095],
        Finish::Concrete => [0.40, 0.39, 0.37],
        Finish::Leather => [0.21, 0.085, 0.035],
        Finish::Muscle => [0.40, 0.045, 0.035],
        Finish::Fat => [0.84, 0.66, 0.34],
        Finish::Sand => [0.62, 0.44, 0.25],
        Finish::Hair => [0.13, 0.055, 0.022],
        Finish::Grass => [0.16, 0.34, 0.05],
        Finish::Plaster => [0.60, 0.58, 0.55],
        Finish::Water => WATER,
    })
}

/// A look in a colour, without what depends on a body.
fn plain(look: Finish, front: [f32; 3]) -> Style {
    let base = Style { front, back: front, grain: 1.0, ..Style::default() };
    let textured = |style: Style, pattern: Pattern, grain: f32, relief: f32| Style {
        pattern: pattern as u32,
        grain,
        relief,
        ..style
    };
    let rough = |roughness: f32| Style { roughness, ..base };
    match look {
        Finish::Cloth => {
            let cloth = Style { sheen: 1.0, transmission: 0.22, ..rough(0.85) };
            textured(cloth, Pattern::Weave, 7e-4, 0.2)
        }
        Finish::Silk => Style { sheen: 0.4, transmission: 0.18, coat: 0.5, ..rough(0.38) },
        Finish::Paper => textured(Style { transmission: 0.25, ..rough(0.8) }, Pattern::Paper, 2e-3, 0.04),
        Finish::Jelly => Style { scatter: 0.85, coat: 0.9, ..rough(0.35) },
        Finish::Latex => Style { scatter: 0.22, coat: 1.0, ..rough(0.35) },
        Finish::Rubber => Style { coat: 0.15, ..rough(0.55) },
        Finish::Plastic => Style { coat: 0.35, ..rough(0.42) },
        Finish::Porcelain => Style { coat: 1.0, ..rough(0.25) },
        Finish::Metal => Style { metalness: 1.0, ..rough(0.28) },
        Finish::Wood => textured(Style { coat: 0.2, ..rough(0.5) }, Pattern::Wood, 0.03, 0.0),
        Finish::Concrete => textured(rough(0.95), Pattern::Stone, 0.005, 0.10),
        Finish::Leather => textured(Style { coat: 0.25, ..rough(0.5) }, Pattern::Leather, 0.003, 0.14),
        Finish::Muscle => textured(Style { scatter: 0.3, coat: 0.7, ..rough(0.4) }, Pattern::Fibres, 0.0025, 0.16),
        Finish::Fat => Style { scatter: 0.55, coat: 0.4, ..rough(0.45) },
        Finish::Sand => Style { mottle: 0.35, ..rough(1.0) },
        Finish::Hair => textured(Style { mottle: 0.3, ..rough(0.6) }, Pattern::Hair, 1.0, 0.0),
        Finish::Grass => Style { transmission: 0.5, mottle: 0.35, coat: 0.15, ..rough(0.5) },
        Finish::Plaster => rough(0.9),
        Finish::Water => Style { coat: 1.0, ..rough(0.12) },
    }
}

/// Half the width of a flat strand, m, where it is one: a strip of paper, or a blade of grass.
pub(super) fn flat_half_width(body: &Body, length: f64) -> Option<f64> {
    match body.look {
        Some(Finish::Paper) if body.strand.is_some() => Some((0.04 * length).max(3.0 * body.radius)),
        Some(Finish::Grass) => Some(if body.radius > 0.0 { body.radius } else { 0.01 * length }),
        _ => None,
    }
}

/// Whether a flat strand ends in a point.
pub(super) fn tapers(body: &Body) -> bool {
    body.look == Some(Finish::Grass)
}

/// A unit vector across a strand whose plane is that of these points, or any that is level where they are in a line:
/// turned by `seed`, so that blades of grass face all ways.
pub(super) fn sideways(points: &[DVec3], up: DVec3, seed: u32) -> DVec3 {
    let bends = points.windows(3).map(|p| (p[1] - p[0]).cross(p[2] - p[1]));
    let plane = bends.fold(DVec3::ZERO, |sum, bend| sum + if bend.dot(sum) < 0.0 { -bend } else { bend });
    let length: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
    if plane.length() > 1e-4 * length * length / points.len().max(1) as f64 {
        return plane.normalize();
    }
    let angle = f64::from(seed.wrapping_mul(0x9E37_79B1) >> 8) / f64::from(1 << 24) * std::f64::consts::TAU;
    let right = up.any_orthonormal_vector();
    right * angle.cos() + up.cross(right) * angle.sin()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No two looks are shaded alike, whatever their colour, and shares are shares.
    #[test]
    fn looks_differ() {
        let styles = Finish::ALL.map(|look| plain(look, [0.5; 3]));
        for (i, style) in styles.iter().enumerate() {
            assert!(styles[..i].iter().all(|other| other != style), "{:?}", Finish::ALL[i]);
            let shares = [
                style.roughness,
                style.metalness,
                style.sheen,
                style.transmission,
                style.scatter,
                style.coat,
                style.relief,
                style.mottle,
            ];
            assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)) && style.grain > 0.0, "{style:?}");
        }
    }

    /// A liquid is clear unless it has a look of its own, and takes its colour on half the edge of the cube that it
    /// fills.
    #[test]
    fn liquids_are_clear() {
        let (spacing, contact_angle) = (0.02, std::f64::consts::FRAC_PI_2);
        let (viscosity, surface_tension, bulk_modulus) = (0.0, 0.0, 0.0);
        let fluid = Fluid { particles: 0..1000, spacing, viscosity, surface_tension, contact_angle, bulk_modulus };
        let style = |look| of_fluid(&fluid, &Body { look, ..Body::default() });
        for look in [None, Some(Finish::Water)] {
            assert!((style(look).clear - 0.1).abs() < 1e-6 && style(look).front == WATER);
        }
        let milk = style(Some(Finish::Porcelain));
        assert!(milk.clear == 0.0 && Some(milk.front) == natural_colour(Finish::Porcelain));
    }
}
