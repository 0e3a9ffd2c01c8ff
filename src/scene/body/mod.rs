//! The bodies of a scene. Each kind of body is one file or folder here: its struct, its keys in a file, and what the
//! model has of it. Only this folder tells kinds apart; all others ask a [`BodyKind`].

mod balloon;
mod bend;
mod blend_shape;
mod cloth;
mod curvature;
mod cutting;
mod driven;
mod filling;
mod fluid;
mod grains;
mod grown;
mod particles;
mod rigid;
mod rod;
mod shape;
pub(super) mod soft;
mod strand;

#[cfg(feature = "scene-files")]
use std::path::Path as FilePath;

pub use balloon::Balloon;
pub use bend::Bend;
pub use blend_shape::{BlendPlaces, BlendShape};
pub use cloth::{Cloth, Stretch};
pub use curvature::Curvature;
pub use driven::{Animation, Driven};
pub use fluid::{Fill, Fluid};
pub use grains::Grains;
pub use grown::{Curl, Ground, Grown};
pub use particles::Particles;
pub use rigid::{Inertial, Rigid};
pub use rod::{Clamp, Rod, RodRest};
pub use shape::Matching;
pub use soft::{Elasticity, Filling, Muscle, Soft, SolidMesh};
pub use strand::{Strand, StrandKind, StrandPath};

use super::error::{Path, SceneError};
use super::lower::{Builder, Extent, Local, PlacedBody, Reading, SizedPreset};
#[cfg(feature = "scene-files")]
use super::toml::read::Table;
use super::{Constraint, Pin};
use crate::model::{Finish, Mode};

/// A body: particles with the constraints that hold them together. Build one with [`Body::cloth`], [`Body::balloon`],
/// [`Body::strand`], [`Body::rod`], [`Body::soft`], [`Body::fluid`], [`Body::driven`] or [`Body::particles`].
///
/// ```
/// use pliant::scene::{Body, Cloth, Grid, Scene};
///
/// let flag = Cloth::new(Grid { columns: 12, rows: 8, width: 1.5, height: 1.0 });
/// let mut body = Body::cloth(flag).name("flag").density(0.15).position([0.0, 2.0, 0.0]).pin("left");
/// body.drag = 1.1;
/// let model = Scene::new("a flag").with(body).build()?.model;
/// let fixed = model.particles.inverse_masses.iter().filter(|&&w| w == 0.0).count();
/// assert_eq!(fixed, 8); // one in each row
/// # Ok::<(), pliant::scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its name in constraints, forces and reports. Default: `body0`, `body1` ... by its place in the scene.
    pub name: Option<String>,
    /// Its particles and constraints.
    pub content: Content,
    /// Scale along x, y and z, above 0; applied first.
    pub scale: [f64; 3],
    /// Quaternion x, y, z, w of any length but 0; applied after `scale`.
    pub rotation: [f64; 4],
    /// m; added after `rotation`.
    pub position: [f64; 3],
    /// Vertices of its mesh file closer than this become one, m, above 0, measured as placed. Default: vertices of
    /// surfaces at the same place are joined, vertices of tetrahedra are not.
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
    /// Name of one of the [`PRESETS`](super::PRESETS). It sets stretch and shear of a cloth or strand, which needs a
    /// thickness, or Young's modulus of a neo-Hookean solid; and the weight, unless mass or density is given.
    pub material: Option<String>,
    /// Distance from a particle at which it touches a collider, m; particles touch each other at the sum of their
    /// radii. Default 0: particles touch colliders as points, and each other never.
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
    /// What of it touches other bodies. `Surface` needs a radius.
    pub contact: ContactBy,
    /// Whether its particles collide with each other; particles of different bodies do in any case. Needs a radius.
    /// Connected particles never collide if they were placed closer than the sum of their radii; unconnected ones that
    /// were placed closer collide at their initial distance.
    pub self_collision: bool,
    /// Lines between its particles through which no other particle passes: the outline of a planar body, or a rope
    /// without gaps. Needs a radius.
    pub segments: Segments,
    /// The group it is in for collisions, 0 to 31.
    pub collision_group: u32,
    /// The groups with which it collides; left out: all.
    pub collides_with: Option<Vec<u32>>,
    /// Drag coefficient, at least 0; a body of particles needs a radius for it. About 1.1 for cloth, 0.5
    /// for a ball.
    pub drag: f64,
    /// Lift coefficient of a surface, at least 0.
    pub lift: f64,
    /// Damping of motion other than translation and rotation of the body: its rate k, 1/s, at least 0. e^(-k t) of the
    /// motion is left after a time t, whatever the substeps. Translation and rotation are those of the free particles,
    /// so a hanging body keeps swinging. It does not slow rotation; implicit Euler does, as exp(-ω² h t).
    pub damping: f64,
    /// Particles held where they are placed, or moved along keyframes.
    pub pins: Vec<Pin>,
    /// Ties each particle of a cloth or strand to the nearest pins.
    pub tether: Option<Tethers>,
    /// Keeps every particle in the plane in which it is placed: the xy plane before the body's transform.
    pub planar: bool,
    /// Linear red, green, blue, 0 to 1; left out: that of its look, or one from the renderer's palette.
    pub colour: Option<[f32; 3]>,
    /// What it looks as if it were made of; left out: its material by name, or what its kind suggests.
    pub look: Option<Finish>,
    /// Constraints between particles of this body, by index.
    pub constraints: Vec<Constraint<u32>>,
}

/// Mass of a body without mass, density or masses, kg.
pub const DEFAULT_MASS: f64 = 1.0;

/// What of a body touches other bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactBy {
    /// Balls at its particles. What is smaller than the gaps between them goes through.
    #[default]
    Balls,
    /// Its faces and edges; of ropes and hair their lines, of loose particles points. Neither passes through the other,
    /// nor through balls.
    Surface,
}

impl ContactBy {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::Balls, Self::Surface];

    /// As scenes call it: `surface`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Balls => "balls",
            Self::Surface => "surface",
        }
    }
}

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

/// One-sided attachments of each particle to the pins that are nearest along the mesh: they keep what hangs from
/// stretching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tethers {
    /// Inverse stiffness of each, m/N, at least 0.
    pub compliance: f64,
    /// The way along the mesh is multiplied by it: at least 1; 1.05 allows a stretch of 5 %.
    pub slack: f64,
    /// How many pins each particle is tied to, 1 to 8.
    pub nearest: u32,
}

impl Default for Tethers {
    fn default() -> Self {
        Self { compliance: 0.0, slack: 1.0, nearest: 1 }
    }
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
    /// A solid that never changes its shape.
    Rigid(Rigid),
    /// Rope, hair or a strip.
    Strand(Strand),
    /// A rod, or several.
    Rod(Rod),
    /// A solid of tetrahedra.
    Soft(Soft),
    /// A volume of balls.
    Grains(Grains),
    /// A liquid.
    Fluid(Fluid),
    /// A surface that follows an animation.
    Driven(Driven),
    /// Loose particles.
    Particles(Particles),
}

impl Content {
    /// The surface that it is made of, if it is.
    pub fn surface(&self) -> Option<&Cloth> {
        self.kind().surface()
    }

    /// How it resists bending, if the scene says.
    pub fn bend(&self) -> Option<&Bend> {
        self.kind().bend()
    }

    /// The parts of its elasticity that have a stiffness of their own, where the scene gives no material.
    pub fn parts(&self, mode: Mode) -> Vec<Part> {
        self.kind().parts(mode)
    }

    /// Young's modulus, if the scene gives it.
    pub fn modulus(&self) -> Option<Modulus> {
        self.kind().modulus()
    }

    /// Gives it the content of the file that it names, if it is one of these.
    #[cfg(feature = "scene-files")]
    pub(super) fn embed(&mut self, files: &[(&str, &[u8])]) {
        match self {
            Content::Driven(driven) => driven.embed(files),
            Content::Rigid(rigid) => rigid.mesh.embed(files),
            Content::Shape(matching) => matching.mesh.embed(files),
            _ => {}
        }
    }

    /// Its kind.
    pub(super) fn kind(&self) -> &dyn BodyKind {
        match self {
            Content::Cloth(cloth) => cloth,
            Content::Balloon(balloon) => balloon,
            Content::Shape(matching) => matching,
            Content::Rigid(rigid) => rigid,
            Content::Strand(strand) => strand,
            Content::Rod(rod) => rod,
            Content::Soft(soft) => soft,
            Content::Grains(grains) => grains,
            Content::Fluid(fluid) => fluid,
            Content::Driven(driven) => driven,
            Content::Particles(particles) => particles,
        }
    }
}

/// Reads what a body of one kind is made of. Paths of files are relative to the folder.
#[cfg(feature = "scene-files")]
type Read = fn(&Table, &FilePath) -> Result<Content, SceneError>;

/// The kinds of bodies by their key in a scene's file.
#[cfg(feature = "scene-files")]
pub(super) const KINDS: [(&str, Read); 13] = [
    ("cloth", |body, folder| Cloth::read(body, folder).map(Content::Cloth)),
    ("balloon", |body, folder| Balloon::read(body, folder).map(Content::Balloon)),
    ("shape", |body, folder| Matching::read(body, folder).map(Content::Shape)),
    ("rigid", |body, folder| Rigid::read(body, folder).map(Content::Rigid)),
    ("rope", |body, folder| Strand::read(StrandKind::Rope, body, folder).map(Content::Strand)),
    ("hair", |body, folder| Strand::read(StrandKind::Hair, body, folder).map(Content::Strand)),
    ("strip", |body, folder| Strand::read(StrandKind::Strip, body, folder).map(Content::Strand)),
    ("rod", |body, folder| Rod::read(body, folder).map(Content::Rod)),
    ("soft", |body, folder| Soft::read(body, folder).map(Content::Soft)),
    ("grains", |body, folder| Grains::read(body, folder).map(Content::Grains)),
    ("fluid", |body, folder| Fluid::read(body, folder).map(Content::Fluid)),
    ("driven", |body, folder| Driven::read(body, folder).map(Content::Driven)),
    ("particles", |body, _| Particles::read(body).map(Content::Particles)),
];

/// What a kind of body is to the rest of the program.
pub(super) trait BodyKind {
    /// What its density multiplies, and how its mass is shared among its particles.
    fn extent(&self) -> Extent;

    /// Its particles and its mesh before the body's transform. `at` is the body.
    fn local(&self, at: &Path, body: &Body, reading: &mut Reading) -> Result<Local, SceneError>;

    /// Adds the constraints that hold it together to the model, in which its particles are.
    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError>;

    /// The keys whose values a material by name takes the place of; an error message where the kind has no material.
    fn material_keys(&self) -> Result<Vec<(&'static str, Option<f64>)>, &'static str> {
        Err("applies to cloth, balloons, ropes, hair, strips, rods and solids only; \
            for other bodies give a compliance instead")
    }

    /// Between the particles that emitters pour of it, m; `None` for what cannot be poured.
    fn poured_by(&self) -> Option<f64> {
        None
    }

    /// Its density, kg/m³, where the scene gives neither that nor a mass.
    fn default_density(&self) -> Option<f64> {
        None
    }

    /// The name of the body out of whose surface it grows.
    fn grows_on(&self) -> Option<&str> {
        None
    }

    /// What it pins by itself.
    fn pins(&self) -> Vec<Pin> {
        Vec::new()
    }

    /// The surface that it is made of, if it is.
    fn surface(&self) -> Option<&Cloth> {
        None
    }

    /// How it resists bending, if the scene says.
    fn bend(&self) -> Option<&Bend> {
        None
    }

    /// Its parts that have a stiffness of their own.
    fn parts(&self, _: Mode) -> Vec<Part> {
        Vec::new()
    }

    /// Young's modulus, if the scene gives it.
    fn modulus(&self) -> Option<Modulus> {
        None
    }

    /// The key that says at which force or stress it tears, if the scene gives it.
    fn tears_by(&self) -> Option<&'static str> {
        None
    }

    /// What it looks as if it were made of, unless the scene or its material says.
    fn look(&self) -> Finish {
        Finish::Plastic
    }

    /// Whether it stays in its plane, whatever the scene says.
    fn is_planar(&self) -> bool {
        false
    }

    /// Whether its particles touch each other, whatever the scene says.
    fn touches_itself(&self) -> bool {
        false
    }
}

/// A part of a body's elasticity that has a stiffness of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// `stretch`, `shear`, `bend`, `volume` or `shape`. The keys of a scene are called after it: `stretch_compliance`,
    /// `stretch_stiffness`; the compliance of a bend is in its table.
    pub name: &'static str,
    /// XPBD mode: inverse stiffness, at least 0; 0 is rigid. In m/N, of a volume in m⁵/N, of a bend by angles in
    /// 1/(N m).
    pub compliance: f64,
    /// PBD mode: share of the error that an iteration removes, 0 to 1.
    pub stiffness: f64,
}

/// Young's modulus of a solid, and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Modulus {
    /// Pa
    pub pascals: f64,
    /// The compliances of the components of its constraints, each in inverse proportion to it.
    pub compliances: Vec<f64>,
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
            contact: ContactBy::Balls,
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
            look: None,
            constraints: Vec::new(),
        }
    }

    /// What its material by name makes of its density, kg/m of strands, kg/m² of surfaces, kg/m³ of solids; `None`
    /// where it has no such material.
    pub fn material_density(&self) -> Option<f64> {
        let radius = self.radius.or(self.thickness.map(|thickness| 0.5 * thickness)).unwrap_or(0.0);
        let preset = SizedPreset::new(&Path::ROOT, self, radius).ok()??;
        Some(preset.density(self.content.kind().extent()))
    }

    /// What the body is called at a place in the scene.
    pub(super) fn name_at(&self, index: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("body{index}"))
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
    /// It touches others, and itself, with its faces and edges, which then never pass through each other. It needs a
    /// radius.
    pub fn surface_contact(self) -> Self {
        Self { contact: ContactBy::Surface, self_collision: true, ..self }
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
    /// Damps motion other than translation and rotation at this rate, 1/s; see the field
    /// [`Body::damping`](#structfield.damping).
    pub fn damping(self, rate: f64) -> Self {
        Self { damping: rate, ..self }
    }
    /// Linear red, green, blue, 0 to 1.
    pub fn colour(self, colour: [f32; 3]) -> Self {
        Self { colour: Some(colour), ..self }
    }
    /// What it looks as if it were made of.
    pub fn look(self, look: Finish) -> Self {
        Self { look: Some(look), ..self }
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
