//! From the scene to the model: every value is checked here, once, whether it came from a file or from the builder.

mod body;
mod collider;
mod collision;
mod constraint;
mod degenerate;
mod drive;
mod flow;
mod ground;
mod in_plane;
mod joint;
mod local;
#[cfg(feature = "mesh-colliders")]
mod measured;
mod origin;
mod pin;
mod place;
mod placed;
mod plane;
mod preset;
mod reading;
mod rest;
mod rigid;
mod segments;
mod solid;
mod tear;
mod tether;
mod tie;
mod uniform;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use super::body::soft::TornSolid;
use super::error::{Path, SceneError};
use super::host::Host;
use super::suggest::suggestion;
use super::{Built, ContactBy, Scene, check};
use crate::model::touch::no_surface_contact;
use crate::model::{Group, Mode, Model};
use crate::plan::levels;
use reading::Renumbered;

pub(super) use body::{PlacedBody, contact_radius};
pub(super) use constraint::push;
pub(super) use local::{Extent, Local, Samples};
pub(super) use place::{Transform, keyframes};
pub(super) use preset::{GridSprings, SizedPreset};
pub(super) use reading::Reading;
pub(super) use rest::check_period;
pub(super) use rigid::Ballast;
pub(super) use tear::Strength;

/// The most particles of a scene: a cloth's constraints then still number below 2³², and their ends too.
pub(super) const MAX_PARTICLES: u64 = 1 << 27;

const ROOT: Path = Path::ROOT;

/// The kind that holds cloth and strands together.
pub(super) const DISTANCE: &str = "distance";

/// A model under construction.
pub(super) struct Builder<'s> {
    pub scene: &'s Scene,
    pub model: Model,
    pub notes: Vec<String>,
    /// Pins that driven bodies lead.
    pub ties: Vec<tie::Tie>,
    /// Index of each body by its name.
    names: HashMap<String, usize>,
    /// Of each body what repairs have made of the numbers of its vertices.
    renumbered: Vec<Renumbered>,
    /// The first place at which the scene names a particle of a body by a number that repairs have moved, by body.
    moved: RefCell<BTreeMap<usize, String>>,
    /// Of each rigid body what gives it its inertia.
    pub rigid: Vec<Ballast>,
    /// Particles that all tearable bodies ask for.
    pub spares: u32,
    /// Solids that can be torn; their tetrahedra get corners once all triangles are there.
    pub torn_solids: Vec<TornSolid>,
}

pub(super) fn lower(scene: &Scene, host: &dyn Host) -> Result<Built, SceneError> {
    if scene.robots.is_empty() { lower_bodies(scene, host) } else { lower_robots(scene, host) }
}

/// A scene with robots is one with more bodies and joints.
#[cfg(feature = "scene-files")]
fn lower_robots(scene: &Scene, host: &dyn Host) -> Result<Built, SceneError> {
    let expanded = super::robot::expand(scene)?;
    let mut built = lower_bodies(&expanded.scene, host).map_err(|error| expanded.explain(error))?;
    built.notes.splice(0..0, expanded.notes);
    Ok(built)
}

#[cfg(not(feature = "scene-files"))]
fn lower_robots(_: &Scene, _: &dyn Host) -> Result<Built, SceneError> {
    let message = "this build reads no URDF files; build Pliant with the feature `scene-files`";
    Err(SceneError::new(&ROOT.key("robot"), message))
}

fn lower_bodies(scene: &Scene, host: &dyn Host) -> Result<Built, SceneError> {
    check_settings(scene)?;
    check_world(scene)?;
    check_kinds(scene)?;
    check_camera(scene)?;
    if scene.bodies.is_empty() {
        return Err(SceneError::new(&ROOT, "the scene is empty; add a [[body]]"));
    }
    let mut builder = Builder::new(scene)?;
    builder.check_emitters()?;
    let at = ROOT.key("body");
    for (index, body) in scene.bodies.iter().enumerate() {
        builder.body(&at.index(index), index, body)?;
    }
    builder.weigh_down()?;
    builder.tie()?;
    let at = ROOT.key("constraint");
    for (index, constraint) in scene.constraints.iter().enumerate() {
        builder.constraint_across(&at.index(index), constraint)?;
    }
    let at = ROOT.key("joint");
    for (index, joint) in scene.joints.iter().enumerate() {
        builder.joint(&at.index(index), joint)?;
    }
    let at = ROOT.key("drain");
    for (index, drain) in scene.drains.iter().enumerate() {
        builder.drain(&at.index(index), drain)?;
    }
    let at = ROOT.key("force");
    for (index, force) in scene.forces.iter().enumerate() {
        builder.force(&at.index(index), force)?;
    }
    builder.colliders(host)?;
    if scene.settings.nested == Some(true) {
        builder.note_missing_levels();
    }
    placed::check_inside(&builder.model)?;
    check_surfaces(scene, &builder.model)?;
    builder.notes.extend(in_plane::notes(&builder.model));
    builder.notes.extend(placed::notes_on_edges(scene, &builder.model));
    Ok(builder.finish())
}

impl<'s> Builder<'s> {
    fn new(scene: &'s Scene) -> Result<Self, SceneError> {
        let mut names = HashMap::new();
        for (index, body) in scene.bodies.iter().enumerate() {
            let name = body.name_at(index);
            if let Some(first) = names.insert(name.clone(), index) {
                let at = ROOT.key("body");
                let message = format!("'{name}' is already the name of body[{first}]; give each body its own name");
                return Err(SceneError::new(&at.index(index).key("name"), message));
            }
        }
        let model = Model {
            name: scene.name.clone(),
            settings: scene.settings.clone(),
            world: scene.world.clone(),
            groups: scene.kinds.iter().map(|&kind| Group::new(kind)).collect(),
            ..Model::default()
        };
        Ok(Self {
            scene,
            model,
            notes: Vec::new(),
            ties: Vec::new(),
            names,
            renumbered: Vec::new(),
            moved: RefCell::default(),
            rigid: Vec::new(),
            spares: 0,
            torn_solids: Vec::new(),
        })
    }

    /// Who asks for levels hears where there can be none.
    fn note_missing_levels(&mut self) {
        if levels::possible(&self.model).is_empty() {
            let note = "nested = true, but no body can have levels: they need cloth or ropes of distance constraints \
                 with constant rest lengths that cannot break or tear";
            self.notes.push(note.into());
        }
    }

    fn colliders(&mut self, host: &dyn Host) -> Result<(), SceneError> {
        let at = ROOT.key("collider");
        let mut solids = solid::Solids::new(host);
        for (index, collider) in self.scene.colliders.iter().enumerate() {
            let at = at.index(index);
            let around = (&self.scene.settings, self.scene.world.gravity);
            let collider = collider::collider(&at, collider, around, &mut solids)?;
            self.model.colliders.push(collider);
        }
        self.notes.extend(solids.notes);
        Ok(())
    }

    fn finish(mut self) -> Built {
        self.notes.extend(self.moved.take().into_values());
        self.tear_solids();
        self.reserve_spares();
        self.drop_empty_groups();
        drive::drop_unused(&mut self.model);
        self.notes.extend(origin::recentre(&mut self.model));
        Built { model: self.model, notes: self.notes }
    }

    fn drop_empty_groups(&mut self) {
        let groups = &self.model.groups;
        let kept = |index: u32| groups[..index as usize].iter().filter(|group| !group.is_empty()).count() as u32;
        let renumbered: Vec<u32> = (0..groups.len() as u32).map(kept).collect();
        self.model.rest_shapes.iter_mut().for_each(|shape| shape.group = renumbered[shape.group as usize]);
        if let Some(tearing) = &mut self.model.tearing {
            tearing.group = renumbered[tearing.group as usize];
            tearing.seams.iter_mut().for_each(|seam| seam.group = renumbered[seam.group as usize]);
            tearing.cells.iter_mut().for_each(|cell| cell.group = renumbered[cell.group as usize]);
        }
        self.model.groups.retain(|group| !group.is_empty());
    }

    /// The index of the group of a kind, by its name or by that of its family and the number of particles that it
    /// connects.
    pub fn kind(&self, at: &Path, name: &str, particles: usize) -> Result<usize, SceneError> {
        let kinds = &self.scene.kinds;
        let family = || (0..kinds.len()).filter(|&index| kinds[index].family() == name);
        let fits = |&index: &usize| kinds[index].arity().count().is_none_or(|count| count == particles);
        let exact = kinds.iter().position(|kind| kind.is_named(name) && kind.arity().count() == Some(particles));
        let named = || kinds.iter().position(|kind| kind.is_named(name));
        let Some(index) = exact.or_else(|| family().find(fits)).or_else(named) else {
            let names = kinds.iter().map(|kind| kind.name());
            return Err(SceneError::new(at, format!("unknown constraint kind '{name}'; {}", suggestion(name, names))));
        };
        if self.scene.settings.mode == Mode::Pbd && !kinds[index].pbd() {
            let message = format!("'{name}' has no PBD mode; set solver.mode = \"xpbd\"");
            return Err(SceneError::new(at, message));
        }
        Ok(index)
    }

    /// The index of a body by its name.
    fn body_named(&self, at: &Path, name: &str) -> Result<usize, SceneError> {
        self.names.get(name).copied().ok_or_else(|| {
            let mut names: Vec<&String> = self.names.keys().collect();
            names.sort_by_key(|name| self.names[*name]);
            let suggestion = suggestion(name, names.into_iter().map(String::as_str));
            SceneError::new(at, format!("there is no body '{name}'; {suggestion}"))
        })
    }

    /// Notes that a particle is not the vertex of that number in the body's file, where repairs have moved it.
    fn note_moved(&self, at: &Path, body: usize, index: u32) {
        let Renumbered { file, numbers } = &self.renumbered[body];
        let Some(&number) = numbers.get(index as usize).filter(|&&number| number != index) else { return };
        self.moved.borrow_mut().entry(body).or_insert_with(|| {
            let note = format!(
                "names particle {index}, which is vertex {number} of {file}, counted from 0, because repairs \
                 renumbered the vertices; give the numbers of particles, or repair the file"
            );
            SceneError::new(at, note).to_string()
        });
    }

    /// The particle of the model with an index inside a body.
    fn particle(&self, at: &Path, body: usize, index: u32) -> Result<u32, SceneError> {
        let range = &self.model.bodies[body].particles;
        let count = range.end - range.start;
        if index < count {
            self.note_moved(at, body, index);
            return Ok(range.start + index);
        }
        let name = &self.model.bodies[body].name;
        Err(SceneError::new(at, format!("'{name}' has no particle {index}; indices go from 0 to {}", count - 1)))
    }
}

fn check_settings(scene: &Scene) -> Result<(), SceneError> {
    let (at, settings) = (ROOT.key("solver"), &scene.settings);
    check::number(&at.key("frame_rate"), settings.frame_rate, &check::FRAME_RATE)?;
    check::number(&at.key("substeps"), settings.substeps.into(), &check::SWEEPS)?;
    check::number(&at.key("iterations"), settings.iterations.into(), &check::SWEEPS)?;
    check::number(&at.key("contact_rounds"), settings.contact_rounds.into(), &check::SWEEPS)?;
    check::number(&at.key("relaxation"), settings.relaxation, &check::RELAXATION)?;
    check::number(&at.key("max_colours"), settings.max_colours.into(), &check::COLOURS)?;
    if settings.nested == Some(true) && settings.mode == Mode::Pbd {
        let message = "needs XPBD mode: in PBD mode the stiffness depends on the sweeps by definition; remove it, or \
        set mode = \"xpbd\"";
        return Err(SceneError::key(&at.key("nested"), message));
    }
    Ok(())
}

/// Surfaces that touch go with the settings, and with all bodies.
fn check_surfaces(scene: &Scene, model: &Model) -> Result<(), SceneError> {
    let surface = scene.bodies.iter().position(|body| body.contact == ContactBy::Surface);
    let problem = no_surface_contact(&scene.settings, model.tearing.is_some());
    match (surface, problem) {
        (Some(index), Some(problem)) => {
            let message = format!("is \"surface\", {problem}");
            Err(SceneError::key(&ROOT.key("body").index(index).key("contact"), message))
        }
        _ => Ok(()),
    }
}

fn check_world(scene: &Scene) -> Result<(), SceneError> {
    let at = ROOT.key("world");
    check::vector(&at.key("gravity"), scene.world.gravity, &check::GRAVITY)?;
    check::vector(&at.key("wind"), scene.world.wind, &check::WIND)?;
    check::number(&at.key("air_density"), scene.world.air_density, &check::AIR_DENSITY)?;
    if let Some(speed) = scene.world.max_speed {
        check::number(&at.key("max_speed"), speed, &check::SPEED_LIMIT)?;
    }
    check::number(&at.key("push_out_speed"), scene.world.push_out_speed, &check::PUSH_OUT_SPEED)?;
    Ok(())
}

/// Two kinds of one name could not be told apart.
fn check_kinds(scene: &Scene) -> Result<(), SceneError> {
    for (index, kind) in scene.kinds.iter().enumerate() {
        if scene.kinds[..index].contains(kind) {
            let message = format!("the constraint kind '{}' is registered twice; register each kind once", kind.name());
            return Err(SceneError::new(&ROOT, message));
        }
    }
    Ok(())
}

fn check_camera(scene: &Scene) -> Result<(), SceneError> {
    let Some(camera) = &scene.camera else { return Ok(()) };
    let at = ROOT.key("camera");
    check::vector(&at.key("eye"), camera.eye, &check::COORDINATE)?;
    check::vector(&at.key("target"), camera.target, &check::COORDINATE)?;
    check::number(&at.key("field_of_view"), camera.field_of_view, &check::FIELD_OF_VIEW)?;
    if camera.eye == camera.target {
        return Err(SceneError::new(&at.key("target"), "is in the same place as the eye; move one of the two"));
    }
    Ok(())
}
