//! What a scene says of its bodies.

use std::path::PathBuf;

use super::{Balloon, Constraint, Grains, Matching, Pin, Soft, Strand, Tethers};
use crate::mesh::TriangleMesh;
use crate::mesh::generate::{Cuboid, Grid, Sphere, Torus};

/// A run of particles with what holds it together. Build one with [`Body::cloth`], [`Body::balloon`],
/// [`Body::strand`], [`Body::soft`] or [`Body::particles`].
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// How constraints, forces and reports call it; left out: `body0`, `body1` ... by its place in the scene.
    pub name: Option<String>,
    /// Its particles, and what holds them together.
    pub content: Content,
    /// Factors along x, y and z, above 0; applied first.
    pub scale: [f64; 3],
    /// Quaternion x, y, z, w of any length but 0; applied after `scale`.
    pub rotation: [f64; 4],
    /// m; added after `rotation`.
    pub position: [f64; 3],
    /// Vertices of its mesh's file that are this near each other as placed become one, m, above 0. Left out: of
    /// surfaces those at the same place,
    /// of tetrahedra none.
    pub weld: Option<f64>,
    /// m/s
    pub velocity: [f64; 3],
    /// rad/s, about the centre of mass.
    pub angular_velocity: [f64; 3],
    /// kg, of the whole body: shared equally by a grid's particles and by loose ones, by area on other meshes, by
    /// volume in solids. 0 fixes a body that has a pin. With neither mass, density nor masses, the body weighs
    /// [`DEFAULT_MASS`].
    pub mass: Option<f64>,
    /// kg/m² of a surface, kg/m of strands, kg/m³ of solids; in place of `mass`.
    pub density: Option<f64>,
    /// Name of one of the [`PRESETS`](super::PRESETS): gives a cloth or strand its stretch, its shear and, without mass
    /// and density, its weight, and needs the body's thickness; gives a neo-Hookean solid Young's modulus and its
    /// weight.
    pub material: Option<String>,
    /// Distance from a particle at which it touches a collider, m; particles touch each other at the sum of theirs. 0
    /// if left out: it touches colliders at the particle itself, and other particles never.
    pub radius: Option<f64>,
    /// Twice the radius, m: in place of it.
    pub thickness: Option<f64>,
    /// Coefficient of static friction, at least 0; [`World::friction_combine`](crate::model::World::friction_combine)
    /// makes that of a pair of the two.
    pub friction: f64,
    /// Coefficient of dynamic friction; `friction` if left out.
    pub dynamic_friction: Option<f64>,
    /// Speed kept in a rebound, 0 to 1.
    pub restitution: f64,
    /// Inverse stiffness of contacts between particles, m/N, at least 0; that of a pair is the sum of the two.
    pub contact_compliance: f64,
    /// Whether its particles touch each other, which those of different bodies do anyway. Needs a radius. What was
    /// placed closer than the sum of the radii never touches where constraints hold it together, as they do a body, and
    /// else at the distance at which it was placed.
    pub self_collision: bool,
    /// Lines between its particles through which no other particle passes: the outline of a planar body, or a rope
    /// without gaps. Needs a radius.
    pub segments: Segments,
    /// The group it is in for collisions, 0 to 31.
    pub collision_group: u32,
    /// The groups with which it collides; left out: all.
    pub collides_with: Option<Vec<u32>>,
    /// Coefficient of the air's drag, at least 0; a body of particles needs a radius for it. About 1.1 for cloth, 0.5
    /// for a ball.
    pub drag: f64,
    /// Coefficient of the air's lift on a surface, at least 0.
    pub lift: f64,
    /// Rate k at which motion dies away that is not the body's translation and rotation, 1/s, at least 0: e^(-k t) of
    /// it is left after a time t, whatever the substeps. Translation and rotation are those of the free particles: a
    /// hanging body goes on to swing. It takes no spin; XPBD's own integration does, as exp(-ω² h t).
    pub damping: f64,
    /// Particles held where they are placed, or moved along keyframes.
    pub pins: Vec<Pin>,
    /// Ties each particle of a cloth or strand to the nearest pins.
    pub tether: Option<Tethers>,
    /// Keeps every particle in the plane in which it is placed: that of x and y before the body's transform.
    pub planar: bool,
    /// Linear red, green, blue, 0 to 1; left out: one from the renderer's palette.
    pub colour: Option<[f32; 3]>,
    /// Constraints between particles of this body, by index.
    pub constraints: Vec<Constraint<u32>>,
}

/// Mass of a body for which a scene gives none, kg.
pub const DEFAULT_MASS: f64 = 1.0;

/// Lines between particles of a body that other particles touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Segments {
    /// Others touch its particles only.
    #[default]
    None,
    /// Between neighbours of a rope, hair or strip.
    AlongStrands,
    /// Between these of its particles, by index in the body.
    Between(Vec<[u32; 2]>),
}

/// What a body is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A surface.
    Cloth(Cloth),
    /// A closed surface with what it encloses.
    Balloon(Balloon),
    /// A surface that keeps its shape.
    Shape(Matching),
    /// Rope, hair or a strip.
    Strand(Strand),
    /// A solid of tetrahedra.
    Soft(Soft),
    /// A volume of balls.
    Grains(Grains),
    /// Loose particles.
    Particles(Particles),
}

impl Content {
    /// The surface that it is made of, if it is.
    pub fn surface(&self) -> Option<&Cloth> {
        match self {
            Content::Cloth(cloth) => Some(cloth),
            Content::Balloon(balloon) => Some(&balloon.surface),
            Content::Shape(_) | Content::Strand(_) | Content::Soft(_) | Content::Grains(_) | Content::Particles(_) => {
                None
            }
        }
    }
}

/// A surface held together by distances: along the edges (stretch), across a grid's cells (shear), and across two edges
/// (bend); or by the strain of its triangles in place of stretch and shear.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloth {
    /// Where its surface comes from.
    pub mesh: Mesh,
    /// By what it resists stretch and shear.
    pub stretch: Stretch,
    /// Inverse stiffness of each edge, m/N, at least 0; 0 is rigid, raising it softens. Left out: by the body's
    /// material, or rigid. Of [`Stretch::Strain`] the inverse of the modulus along the warp, Young's modulus times
    /// thickness.
    pub stretch_compliance: Option<f64>,
    /// Of [`Stretch::Strain`] the inverse of the modulus along the weft, m/N; that of the warp if left out.
    pub weft_compliance: Option<f64>,
    /// Inverse stiffness of each diagonal, m/N, at least 0; by the body's material or 0 if left out. Grids only: a
    /// triangle mesh has no diagonals. Of [`Stretch::Strain`] the inverse of the shear modulus times thickness, on any
    /// mesh.
    pub shear_compliance: Option<f64>,
    /// Left out: the cloth bends freely.
    pub bend: Option<Bend>,
    /// PBD mode: share of the error of each edge that an iteration removes, 0 to 1.
    pub stretch_stiffness: f64,
    /// Of [`Stretch::Strain`] the same along the weft; that of the warp if left out.
    pub weft_stiffness: Option<f64>,
    /// The same of each diagonal, or of shear; 1 if left out. Of edges grids only.
    pub shear_stiffness: Option<f64>,
    /// The same of each bend; 1 if left out and there is a `bend`.
    pub bend_stiffness: Option<f64>,
    /// The mean force over a frame above which an edge breaks, N, above 0: the cloth then tears along its edges. Left
    /// out: it never does. Gauss-Seidel only.
    pub break_force: Option<f64>,
    /// How many particles tears may add, at least 1: each vertex that a tear splits takes one for each further part. As
    /// many as the mesh has vertices if left out. They are common to all bodies of the scene.
    pub spare_particles: Option<u32>,
}

/// By what a cloth resists stretch and shear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stretch {
    /// Distances along its edges, and across the cells of a grid.
    #[default]
    Edges,
    /// The strain of its triangles: along the warp, along the weft and in shear, each with a stiffness of its own that
    /// does not depend on the mesh; see [`SurfaceStrain`](crate::constraint::SurfaceStrain). The warp lies along the
    /// body's x before its rotation, laid onto each triangle, on a grid along its rows; along the body's z where a
    /// triangle faces x.
    Strain,
}

/// How a cloth resists bending.
#[derive(Clone, Debug, PartialEq)]
pub struct Bend {
    /// `distance`: between second neighbours of a grid, between the corners opposite an edge of other meshes.
    /// `dihedral`: the angle at each inner edge, at rest as placed. `isometric_bend`: as thin plates bend, at rest when
    /// flat; XPBD only.
    pub kind: String,
    /// Inverse stiffness, at least 0: m/N of a distance, 1/(N m) of the others. Raising it makes the cloth drape in
    /// finer folds.
    pub compliance: f64,
}

/// Where a cloth's surface comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Mesh {
    /// A rectangle with rows and columns; the only one with shear and with corners to pin.
    Grid(Grid),
    /// The surface of a box.
    Box(Cuboid),
    /// The surface of a ball.
    Sphere(Sphere),
    /// The surface of a ring.
    Torus(Torus),
    /// An OBJ, PLY, STL, glTF or GLB file, read by [`Scene::build`](super::Scene::build). Needs the feature
    /// `mesh-files`.
    File(PathBuf),
    /// Vertices and triangles as they are.
    Triangles(TriangleMesh),
}

/// Loose particles, to be held together by constraints or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// m, before the body's transform.
    pub positions: Vec<[f64; 3]>,
    /// kg, one per particle; 0 is fixed. In place of the body's `mass`.
    pub masses: Option<Vec<f64>>,
    /// m/s, one per particle, in the body's frame: turned by its rotation.
    pub velocities: Option<Vec<[f64; 3]>>,
}

impl Cloth {
    /// A cloth of rigid edges that shears and bends freely.
    pub fn new(mesh: impl Into<Mesh>) -> Self {
        Self {
            mesh: mesh.into(),
            stretch: Stretch::default(),
            stretch_compliance: None,
            weft_compliance: None,
            shear_compliance: None,
            bend: None,
            stretch_stiffness: 1.0,
            weft_stiffness: None,
            shear_stiffness: None,
            bend_stiffness: None,
            break_force: None,
            spare_particles: None,
        }
    }
    /// Inverse stiffness of each edge, m/N, at least 0; 0 is rigid, raising it softens.
    pub fn stretch(self, compliance: f64) -> Self {
        Self { stretch_compliance: Some(compliance), ..self }
    }
    /// Inverse stiffness of each diagonal, m/N, at least 0. Grids only.
    pub fn shear(self, compliance: f64) -> Self {
        Self { shear_compliance: Some(compliance), ..self }
    }
    /// Holds it by the strain of its triangles, of these inverse moduli along the warp, along the weft and in shear,
    /// m/N.
    pub fn woven(self, [warp, weft, shear]: [f64; 3]) -> Self {
        let (stretch_compliance, weft_compliance, shear_compliance) = (Some(warp), Some(weft), Some(shear));
        Self { stretch: Stretch::Strain, stretch_compliance, weft_compliance, shear_compliance, ..self }
    }
    /// Resists bending by distances across two edges, of this inverse stiffness, m/N.
    pub fn bend(self, compliance: f64) -> Self {
        Self { bend: Some(Bend { kind: "distance".into(), compliance }), ..self }
    }
    /// Tears along the edges that bear more than this force, N, in the mean over a frame.
    pub fn tears_at(self, break_force: f64) -> Self {
        Self { break_force: Some(break_force), ..self }
    }
}

impl Body {
    /// A body that lies as its content says, with every property at its default.
    pub fn new(content: Content) -> Self {
        Self {
            name: None,
            content,
            scale: [1.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            position: [0.0; 3],
            weld: None,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            mass: None,
            density: None,
            material: None,
            radius: None,
            thickness: None,
            friction: 0.0,
            dynamic_friction: None,
            restitution: 0.0,
            contact_compliance: 0.0,
            self_collision: false,
            segments: Segments::None,
            collision_group: 0,
            collides_with: None,
            drag: 0.0,
            lift: 0.0,
            damping: 0.0,
            pins: Vec::new(),
            tether: None,
            planar: false,
            colour: None,
            constraints: Vec::new(),
        }
    }

    /// What the body is called at a place in the scene.
    pub(super) fn name_at(&self, index: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("body{index}"))
    }

    /// A cloth, from a [`Grid`], a [`Mesh`] or a [`Cloth`].
    pub fn cloth(cloth: impl Into<Cloth>) -> Self {
        Self::new(Content::Cloth(cloth.into()))
    }
    /// A closed surface, from a [`Mesh`], a [`Cloth`] or a [`Balloon`].
    pub fn balloon(balloon: impl Into<Balloon>) -> Self {
        Self::new(Content::Balloon(balloon.into()))
    }
    /// A surface that keeps its shape, from a [`Mesh`] or a [`Matching`].
    pub fn shape(matching: impl Into<Matching>) -> Self {
        Self::new(Content::Shape(matching.into()))
    }
    /// Rope, hair or a strip.
    pub fn strand(strand: Strand) -> Self {
        Self::new(Content::Strand(strand))
    }
    /// A solid, from a [`Cuboid`], a [`SolidMesh`](super::SolidMesh) or a [`Soft`].
    pub fn soft(soft: impl Into<Soft>) -> Self {
        Self::new(Content::Soft(soft.into()))
    }
    /// A closed surface filled with balls that touch each other, from a [`Mesh`] or [`Grains`]. It needs a radius.
    pub fn grains(grains: impl Into<Grains>) -> Self {
        Self::new(Content::Grains(grains.into()))
    }
    /// Loose particles, from positions in metres or [`Particles`].
    pub fn particles(particles: impl Into<Particles>) -> Self {
        Self::new(Content::Particles(particles.into()))
    }

    /// How constraints, forces and reports call it; unique in the scene.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }
    /// The same factor along x, y and z.
    pub fn scale(self, factor: f64) -> Self {
        Self { scale: [factor; 3], ..self }
    }
    /// Quaternion x, y, z, w.
    pub fn rotation(self, rotation: [f64; 4]) -> Self {
        Self { rotation, ..self }
    }
    /// Where the origin of its content comes to lie, m; added after the rotation.
    pub fn position(self, position: [f64; 3]) -> Self {
        Self { position, ..self }
    }
    /// Joins vertices of its mesh's file that are this near each other as placed, m.
    pub fn weld(self, distance: f64) -> Self {
        Self { weld: Some(distance), ..self }
    }
    /// At the beginning, m/s, of all its particles.
    pub fn velocity(self, velocity: [f64; 3]) -> Self {
        Self { velocity, ..self }
    }
    /// At the beginning, rad/s, about the centre of mass.
    pub fn angular_velocity(self, angular_velocity: [f64; 3]) -> Self {
        Self { angular_velocity, ..self }
    }
    /// kg, of the whole body; see the field [`Body::mass`](#structfield.mass).
    pub fn mass(self, mass: f64) -> Self {
        Self { mass: Some(mass), ..self }
    }
    /// kg/m² of a surface, kg/m of strands, kg/m³ of solids; in place of the mass.
    pub fn density(self, density: f64) -> Self {
        Self { density: Some(density), ..self }
    }
    /// One of the [`PRESETS`](super::PRESETS) by name.
    pub fn material(self, name: impl Into<String>) -> Self {
        Self { material: Some(name.into()), ..self }
    }
    /// Ties each particle of a cloth or strand to the nearest pins.
    pub fn tether(self, tethers: Tethers) -> Self {
        Self { tether: Some(tethers), ..self }
    }
    /// Keeps every particle in the plane in which it is placed.
    pub fn planar(self) -> Self {
        Self { planar: true, ..self }
    }
    /// Distance from a particle at which it touches a collider, m.
    pub fn radius(self, radius: f64) -> Self {
        Self { radius: Some(radius), ..self }
    }
    /// Twice the radius, m: in place of it.
    pub fn thickness(self, thickness: f64) -> Self {
        Self { thickness: Some(thickness), ..self }
    }
    /// Coefficient of static friction, and of dynamic friction unless that is set too.
    pub fn friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }
    /// Coefficient of dynamic friction, at least 0; combined in a pair as the static one is.
    pub fn dynamic_friction(self, dynamic_friction: f64) -> Self {
        Self { dynamic_friction: Some(dynamic_friction), ..self }
    }
    /// Speed kept in a rebound, 0 to 1; that of a pair is the mean of the two.
    pub fn restitution(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }
    /// Inverse stiffness of contacts between particles, m/N; that of a pair is the sum of the two.
    pub fn contact_compliance(self, compliance: f64) -> Self {
        Self { contact_compliance: compliance, ..self }
    }
    /// Its particles touch each other, too. It needs a radius.
    pub fn self_collision(self) -> Self {
        Self { self_collision: true, ..self }
    }
    /// Other particles touch the lines between these of its particles, too, by index in the body:
    /// `[[0, 1], [1, 2], [2, 0]]` for a triangle. It needs a radius.
    pub fn segments(self, ends: impl Into<Vec<[u32; 2]>>) -> Self {
        Self { segments: Segments::Between(ends.into()), ..self }
    }
    /// Other particles touch a strand between its particles, too. It needs a radius.
    pub fn segments_along_strands(self) -> Self {
        Self { segments: Segments::AlongStrands, ..self }
    }
    /// The group it is in for collisions, 0 to 31.
    pub fn collision_group(self, group: u32) -> Self {
        Self { collision_group: group, ..self }
    }
    /// The groups with which alone it collides.
    pub fn collides_with(self, groups: impl Into<Vec<u32>>) -> Self {
        Self { collides_with: Some(groups.into()), ..self }
    }
    /// Coefficients of the air's drag and lift.
    pub fn air(self, drag: f64, lift: f64) -> Self {
        Self { drag, lift, ..self }
    }
    /// Calms what is not the body's translation and rotation at this rate, 1/s; see the field
    /// [`Body::damping`](#structfield.damping).
    pub fn damping(self, rate: f64) -> Self {
        Self { damping: rate, ..self }
    }
    /// Linear red, green, blue, 0 to 1.
    pub fn colour(self, colour: [f32; 3]) -> Self {
        Self { colour: Some(colour), ..self }
    }
    /// Adds a pin: a [`Pin`], a name, or an index.
    pub fn pin(mut self, pin: impl Into<Pin>) -> Self {
        self.pins.push(pin.into());
        self
    }
    /// Adds constraints between particles of this body.
    pub fn constrain(mut self, constraint: Constraint<u32>) -> Self {
        self.constraints.push(constraint);
        self
    }
}

impl Particles {
    /// kg, one per particle; 0 is fixed.
    pub fn masses(self, masses: impl Into<Vec<f64>>) -> Self {
        Self { masses: Some(masses.into()), ..self }
    }
    /// m/s, one per particle.
    pub fn velocities(self, velocities: impl Into<Vec<[f64; 3]>>) -> Self {
        Self { velocities: Some(velocities.into()), ..self }
    }
}

impl<P: Into<Vec<[f64; 3]>>> From<P> for Particles {
    fn from(positions: P) -> Self {
        Self { positions: positions.into(), masses: None, velocities: None }
    }
}
impl From<Grid> for Mesh {
    fn from(grid: Grid) -> Self {
        Mesh::Grid(grid)
    }
}
impl From<Cuboid> for Mesh {
    fn from(cuboid: Cuboid) -> Self {
        Mesh::Box(cuboid)
    }
}
impl From<Sphere> for Mesh {
    fn from(sphere: Sphere) -> Self {
        Mesh::Sphere(sphere)
    }
}
impl From<Torus> for Mesh {
    fn from(torus: Torus) -> Self {
        Mesh::Torus(torus)
    }
}
impl From<TriangleMesh> for Mesh {
    fn from(mesh: TriangleMesh) -> Self {
        Mesh::Triangles(mesh)
    }
}
impl<M: Into<Mesh>> From<M> for Cloth {
    fn from(mesh: M) -> Self {
        Cloth::new(mesh)
    }
}
