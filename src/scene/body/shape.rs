//! Bodies that keep their shape, by shape matching.

use std::collections::{BTreeSet, HashMap};

use super::{BlendShape, Body, BodyKind, Content, Part, blend_shape, filling};
use crate::constraint::{self, LinearMatching, QuadraticMatching, ShapeMatching};
use crate::math::Vec3;
use crate::model::Mode;
use crate::plan::order::along_curve;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, Extent, Local, PlacedBody, Reading};
use crate::scene::mesh::check_closed;
use crate::scene::{Constraint, Mesh, Values, check};

/// The radius of regions over how far their middles lie apart, if a scene does not say: each particle is in five of a
/// surface on the mean.
const OVERLAP: f64 = 1.5;

/// Regions of a particle on the mean.
const MOST_REGIONS: usize = 64;
/// What the particles of a filled surface weigh at least, of the whole.
const LEAST_SKIN: f64 = 0.1;
/// The radius over the spacing.
const MOST_OVERLAP: f64 = 16.0;

/// A surface that keeps its shape by shape matching: its rest shape is moved as a rigid body to lie nearest to its
/// particles, and these are drawn there. All of it at once, and without compliance, it is as good as rigid; region by
/// region it bends. It needs no tetrahedra, and nothing of it can turn inside out for good. See
/// [`ShapeMatching`](crate::constraint::ShapeMatching).
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// Where its surface comes from, which bears its mass.
    pub mesh: Mesh,
    /// Inverse stiffness α of each region, m/N, at least 0: its energy is C²/2α, C the root mean square, by mass, of
    /// how far its particles are off. 0 is rigid, raising it softens.
    pub shape_compliance: f64,
    /// PBD mode: share of that which an iteration removes, 0 to 1.
    pub shape_stiffness: f64,
    /// Inverse stiffness of stretch and shear as a whole, m/N, at least that of bending; left out: the same. XPBD mode.
    pub linear_compliance: Option<f64>,
    /// Inverse stiffness of bending and twist as a whole, m/N, at least `shape_compliance`, which is then that of all
    /// finer dents; left out: the same. XPBD mode.
    pub quadratic_compliance: Option<f64>,
    /// Radius of the regions, m, above 0. Left out: one region, all of it.
    pub region_radius: Option<f64>,
    /// How far from each other the middles of regions lie at least, m, above 0 and at most the radius; two thirds of
    /// that if left out.
    pub region_spacing: Option<f64>,
    /// Spacing of a lattice of particles inside the surface, which must be closed, m, above 0: the body then has the
    /// weight of what its surface encloses. Left out: a surface without anything inside.
    pub fill: Option<f64>,
    /// Strain of each region beyond which it flows and stays deformed, at least 0: the root of the sum of the squares
    /// of its components. It needs `shape_compliance`. Left out: never.
    pub yield_point: Option<f64>,
    /// Rate at which what is beyond the yield point flows, 1/s, above 0; at once if left out.
    pub creep: Option<f64>,
    /// What is blended into the rest shape over time.
    pub blend_shapes: Vec<BlendShape>,
}

impl Matching {
    /// A rigid one, in one piece.
    pub fn new(mesh: impl Into<Mesh>) -> Self {
        Self {
            mesh: mesh.into(),
            shape_compliance: 0.0,
            shape_stiffness: 1.0,
            linear_compliance: None,
            quadratic_compliance: None,
            region_radius: None,
            region_spacing: None,
            fill: None,
            yield_point: None,
            creep: None,
            blend_shapes: Vec::new(),
        }
    }
    /// Inverse stiffness of each region, m/N, at least 0.
    pub fn compliance(self, compliance: f64) -> Self {
        Self { shape_compliance: compliance, ..self }
    }
    /// Inverse stiffness of stretch and shear of each region as a whole, m/N, at least that of all else.
    pub fn linear(self, compliance: f64) -> Self {
        Self { linear_compliance: Some(compliance), ..self }
    }
    /// Inverse stiffness of bending and twist of each region as a whole, m/N, at least that of finer dents.
    pub fn quadratic(self, compliance: f64) -> Self {
        Self { quadratic_compliance: Some(compliance), ..self }
    }
    /// Regions of this radius, m, keep their shape, each by itself.
    pub fn regions(self, radius: f64) -> Self {
        Self { region_radius: Some(radius), ..self }
    }
    /// Fills the surface with particles so far from each other, m.
    pub fn fill(self, spacing: f64) -> Self {
        Self { fill: Some(spacing), ..self }
    }
    /// Flows beyond this strain, at this rate, 1/s, or at once.
    pub fn yields(self, yield_point: f64, creep: Option<f64>) -> Self {
        Self { yield_point: Some(yield_point), creep, ..self }
    }
    /// Blends another shape into the rest shape over time.
    pub fn blend_shape(mut self, blend: BlendShape) -> Self {
        self.blend_shapes.push(blend);
        self
    }
}

impl<M: Into<Mesh>> From<M> for Matching {
    fn from(mesh: M) -> Self {
        Matching::new(mesh)
    }
}

impl Body {
    /// A surface that keeps its shape, from a [`Mesh`] or a [`Matching`].
    pub fn shape(matching: impl Into<Matching>) -> Self {
        Self::new(Content::Shape(matching.into()))
    }
}

impl BodyKind for Matching {
    fn extent(&self) -> Extent {
        if self.fill.is_some() { Extent::Enclosed } else { Extent::Area }
    }

    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        let mut local = Local::of_mesh(at, &self.mesh, reading)?;
        if let Some(spacing) = self.fill {
            fill(at, body, reading, (spacing, &mut local))?;
        }
        Ok(local)
    }

    /// One shape, or one for each region.
    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let at = placed.at;
        let layers = self.layers(at, builder.scene.settings.mode)?;
        let stiffness = check::number(&at.key("shape_stiffness"), self.shape_stiffness, &check::SHARE)?;
        let range = builder.model.bodies[placed.index].particles.clone();
        let regions = match sizes(at, self)? {
            None => vec![(0..range.end - range.start).collect()],
            Some([radius, spacing]) => {
                let positions = &builder.model.particles.positions[range.start as usize..range.end as usize];
                let triangles = &builder.model.bodies[placed.index].triangles;
                let ends = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|ends| ends.map(|p| p - range.start));
                let edges = || triangles.iter().flat_map(ends);
                let at_radius = at.key("region_radius");
                check_joined(&at_radius, positions, edges(), |ends| length(positions, ends) <= 2.0 * radius)?;
                let regions = regions(positions, radius, spacing).ok_or_else(|| {
                    let message = format!(
                        "of {} m puts each particle into more than {MOST_REGIONS} regions on average; raise it, or \
                         lower the region_radius",
                        check::display(spacing)
                    );
                    SceneError::new(&at.key("region_spacing"), message)
                })?;
                let of = regions_of(positions.len(), &regions);
                let share = |[a, b]: [u32; 2]| of[a as usize].iter().any(|region| of[b as usize].contains(region));
                check_joined(&at_radius, positions, edges(), share)?;
                if self.fill.is_some() {
                    let vertices: BTreeSet<u32> = edges().flatten().collect();
                    check_inside(&at_radius, positions.len(), &vertices, &regions)?;
                }
                regions
            }
        };
        for Layer { kind, least, compliance } in layers {
            let large = regions.iter().filter(|region| region.len() >= least).cloned();
            let shapes = Constraint::new(kind, large.collect::<Vec<_>>());
            let shapes = shapes.compliance(compliance).stiffness(stiffness);
            let shapes = Constraint {
                yield_point: self.yield_point.map(Values::All),
                creep: self.creep.map(Values::All),
                ..shapes
            };
            let group = builder.kind(&at.key("kind"), kind, least)?;
            let first = builder.model.groups[group].len();
            builder.constraint_inside(at, placed.index, &shapes)?;
            blend_shape::lower(builder, placed, &self.blend_shapes, (group, first))?;
        }
        Ok(())
    }

    fn parts(&self, _: Mode) -> Vec<Part> {
        vec![Part { name: "shape", compliance: self.shape_compliance, stiffness: self.shape_stiffness }]
    }
}

/// What holds each region.
struct Layer {
    kind: &'static str,
    /// Particles of a region that has something of it.
    least: usize,
    compliance: f64,
}

impl Layer {
    fn of<C: constraint::Constraint>(compliance: f64) -> Self {
        Self { kind: C::NAME, least: C::LEAST, compliance }
    }
}

impl Matching {
    /// The kinds that hold each region, with their compliances. What resists all deformations, what resists all but
    /// stretch and shear, and what resists finer dents alone add up: so each has what its own stiffness is more than that
    /// of those before.
    fn layers(&self, at: &Path, mode: Mode) -> Result<Vec<Layer>, SceneError> {
        let [all, bend, stretch] =
            ["shape_compliance", "quadratic_compliance", "linear_compliance"].map(|key| at.key(key));
        let dents = check::number(&all, self.shape_compliance, &check::COMPLIANCE)?;
        for (at, given) in [(&bend, self.quadratic_compliance), (&stretch, self.linear_compliance)] {
            if given.is_some() && mode == Mode::Pbd {
                return Err(SceneError::key(at, "applies to XPBD mode, and this scene is in PBD mode; remove it"));
            }
        }
        let bends = check::number(&bend, self.quadratic_compliance.unwrap_or(dents), &check::COMPLIANCE)?;
        let stretches = check::number(&stretch, self.linear_compliance.unwrap_or(bends), &check::COMPLIANCE)?;
        let softer = |at: &Path, own: f64, finer: f64, name: &str| {
            let message = format!(
                "is {} m/N, and what is finer must not be softer: raise it to {} at least, or lower the {name}",
                check::display(own),
                check::display(finer)
            );
            if own < finer { Err(SceneError::key(at, message)) } else { Ok(()) }
        };
        softer(&bend, bends, dents, "shape_compliance")?;
        softer(&stretch, stretches, bends, "quadratic_compliance")?;
        let changing = [("yield", self.yield_point.is_some()), ("blend_shape", !self.blend_shapes.is_empty())];
        if let Some((key, _)) = changing.into_iter().find(|(_, is_given)| *is_given && stretches > dents) {
            let message = "changes one rest shape, and `linear_compliance` and `quadratic_compliance` hold others \
                           beside it; remove them";
            return Err(SceneError::key(&at.key(key), message));
        }
        // 1/α adds up.
        let beyond = |finer: f64, softer: f64| if finer > 0.0 { 1.0 / (1.0 / finer - 1.0 / softer) } else { 0.0 };
        let mut layers = vec![Layer::of::<ShapeMatching>(stretches)];
        if stretches > bends {
            layers.push(Layer::of::<LinearMatching>(beyond(bends, stretches)));
        }
        if bends > dents {
            layers.push(Layer::of::<QuadraticMatching>(beyond(dents, bends)));
        }
        Ok(layers)
    }
}

/// Puts particles of a lattice inside a surface. Each has the weight of its part of the lattice; those of the surface
/// share what is left by their triangles.
fn fill(at: &Path, body: &Body, reading: &Reading, (spacing, local): (f64, &mut Local)) -> Result<(), SceneError> {
    let at_fill = at.key("fill");
    let spacing = check::number(&at_fill, spacing, &check::LENGTH)?;
    let at_mesh = at.key("mesh");
    let mesh = &local.mesh;
    check_closed(&at_mesh, &mesh.triangles, &mesh.positions).map_err(|error| reading.explain(error))?;
    let scale = check::vector(&at.key("scale"), body.scale, &check::SCALE)?;
    let mut surface = mesh.clone();
    surface.positions.iter_mut().for_each(|x| *x = std::array::from_fn(|axis| x[axis] * scale[axis]));
    let inside = filling::places(&at_fill, &surface, (spacing, 0.5 * spacing), "raise it")?;
    if inside.is_empty() {
        let message = format!("of {} m leaves no room for a particle inside; lower it", check::display(spacing));
        return Err(SceneError::new(&at_fill, message));
    }
    let (each, areas) = (spacing.powi(3), surface.vertex_areas());
    let left =
        (surface.signed_volume().abs() - each * inside.len() as f64).max(LEAST_SKIN * surface.signed_volume().abs());
    let per_area = left / areas.iter().sum::<f64>();
    let shares = areas.iter().map(|area| area * per_area).chain(inside.iter().map(|_| each));
    local.shares = Some(shares.collect());
    let unscaled = |x: [f64; 3]| std::array::from_fn(|axis| x[axis] / scale[axis]);
    local.mesh.positions.extend(inside.into_iter().map(unscaled));
    Ok(())
}

/// Radius and spacing, if there are regions.
fn sizes(at: &Path, matching: &Matching) -> Result<Option<[f64; 2]>, SceneError> {
    let at_spacing = at.key("region_spacing");
    let Some(radius) = matching.region_radius else {
        return match matching.region_spacing {
            None => Ok(None),
            Some(_) => Err(SceneError::key(
                &at_spacing,
                "applies to regions, and this shape has none; give a region_radius too",
            )),
        };
    };
    let radius = check::number(&at.key("region_radius"), radius, &check::LENGTH)?;
    let spacing = matching.region_spacing.unwrap_or(radius / OVERLAP);
    let spacing = check::number(&at_spacing, spacing, &check::LENGTH)?;
    if spacing > radius {
        let message = format!("leaves gaps between regions: it is {spacing} m, and their radius {radius} m; lower it");
        return Err(SceneError::new(&at_spacing, message));
    }
    if spacing < radius / MOST_OVERLAP {
        let message = format!("is {spacing} m, and must be at least a sixteenth of the region_radius; raise it");
        return Err(SceneError::new(&at_spacing, message));
    }
    Ok(Some([radius, spacing]))
}

/// Points by the cells of a grid in which they lie.
struct Cells {
    size: f64,
    points: HashMap<[i64; 3], Vec<u32>>,
}

impl Cells {
    fn new(size: f64) -> Self {
        Self { size, points: HashMap::new() }
    }

    fn cell(&self, x: [f64; 3]) -> [i64; 3] {
        x.map(|x| (x / self.size).floor() as i64)
    }

    fn put(&mut self, index: u32, x: [f64; 3]) {
        self.points.entry(self.cell(x)).or_default().push(index);
    }

    /// Those in the cell of a point and the 26 around it.
    fn around(&self, x: [f64; 3]) -> impl Iterator<Item = u32> + '_ {
        let [i, j, k] = self.cell(x);
        let cells =
            (0..27).map(move |n| [(i, n % 3), (j, n / 3 % 3), (k, n / 9)].map(|(at, n)| at.saturating_add(n - 1)));
        cells.filter_map(|cell| self.points.get(&cell)).flatten().copied()
    }
}

/// The particles of each region, ascending. Their middles are particles, as many as fit with this spacing: so each
/// particle is nearer than that to one of them. `None` if there are too many.
fn regions(positions: &[[f64; 3]], radius: f64, spacing: f64) -> Option<Vec<Vec<u32>>> {
    let near = |a: u32, b: u32, reach: f64| {
        let [a, b] = [a, b].map(|p| Vec3::from(positions[p as usize]));
        (a - b).dot(a - b) <= reach * reach
    };
    let mut middles = Vec::new();
    let mut cells = Cells::new(spacing);
    for particle in along_curve(positions) {
        let x = positions[particle as usize];
        if !cells.around(x).any(|middle| near(middle, particle, spacing)) {
            cells.put(particle, x);
            middles.push(particle);
        }
    }
    let mut cells = Cells::new(radius);
    (0..).zip(&middles).for_each(|(region, &middle)| cells.put(region, positions[middle as usize]));
    let mut regions = vec![Vec::new(); middles.len()];
    let mut left = MOST_REGIONS * positions.len();
    for (particle, &x) in (0..).zip(positions) {
        for region in cells.around(x).filter(|&region| near(middles[region as usize], particle, radius)) {
            regions[region as usize].push(particle);
            left = left.checked_sub(1)?;
        }
    }
    // One by itself has no shape.
    regions.retain(|particles| particles.len() > 1);
    Some(regions)
}

/// The regions of each particle.
fn regions_of(particles: usize, regions: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut of = vec![Vec::new(); particles];
    for (region, particles) in (0_u32..).zip(regions) {
        particles.iter().for_each(|&p| of[p as usize].push(region));
    }
    of
}

fn length(positions: &[[f64; 3]], ends: [u32; 2]) -> f64 {
    let [a, b] = ends.map(|p| Vec3::from(positions[p as usize]));
    (a - b).length()
}

/// Refuses regions that leave what is inside a body to itself: each particle must be held, region by region, by its
/// vertices.
fn check_inside(at: &Path, particles: usize, vertices: &BTreeSet<u32>, regions: &[Vec<u32>]) -> Result<(), SceneError> {
    let mut held: Vec<bool> = (0..particles as u32).map(|particle| vertices.contains(&particle)).collect();
    let mut left: Vec<&Vec<u32>> = regions.iter().collect();
    loop {
        let before = left.len();
        left.retain(|region| {
            let is_held = region.iter().any(|&particle| held[particle as usize]);
            region.iter().filter(|_| is_held).for_each(|&particle| held[particle as usize] = true);
            !is_held
        });
        if left.len() == before {
            break;
        }
    }
    match held.iter().filter(|held| !**held).count() {
        0 => Ok(()),
        count => {
            let message = format!(
                "is too small for the `fill`: {count} particles inside are in no region with others; raise it, or lower \
                 the fill"
            );
            Err(SceneError::new(at, message))
        }
    }
}

/// Refuses regions that would let a body fall apart: the ends of each edge of its mesh must have one in common.
fn check_joined(
    at: &Path,
    positions: &[[f64; 3]],
    mut edges: impl Iterator<Item = [u32; 2]>,
    may_share: impl Fn([u32; 2]) -> bool,
) -> Result<(), SceneError> {
    let Some(ends) = edges.find(|&ends| !may_share(ends)) else { return Ok(()) };
    let [from, to] = ends.map(|p| positions[p as usize].map(check::display).join(", "));
    let message = format!(
        "is too small for the mesh: no region holds both ends of its edge from [{from}] to [{to}], {} m long; \
         raise it, lower the region_spacing, or refine the mesh",
        check::display(length(positions, ends))
    );
    Err(SceneError::new(at, message))
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::mesh::mesh;
    use crate::scene::toml::read::{Result, Table, number};

    impl Matching {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ box = { cells = [4, 4, 4], size = [1.0, 1.0, 1.0] } }";
            let mut matching = Matching::new(body.required("mesh", example, |value| mesh(value, folder))?);
            body.set("shape_compliance", &mut matching.shape_compliance, number)?;
            body.set("shape_stiffness", &mut matching.shape_stiffness, number)?;
            matching.linear_compliance = body.optional("linear_compliance", number)?;
            matching.quadratic_compliance = body.optional("quadratic_compliance", number)?;
            matching.region_radius = body.optional("region_radius", number)?;
            matching.region_spacing = body.optional("region_spacing", number)?;
            matching.fill = body.optional("fill", number)?;
            matching.yield_point = body.optional("yield", number)?;
            matching.creep = body.optional("creep", number)?;
            matching.blend_shapes = body.tables("blend_shape", |table| BlendShape::read(table, folder))?;
            Ok(matching)
        }
    }
}
