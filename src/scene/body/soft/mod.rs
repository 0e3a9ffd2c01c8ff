//! Solids of tetrahedra.

mod energy;
mod filling;
mod mesh;
mod strain;
mod tear;

pub use filling::Filling;
pub use mesh::SolidMesh;
pub use strain::Muscle;
pub(in crate::scene) use tear::TornSolid;

use super::{Body, BodyKind, Content, Modulus, Part};
use crate::constraint::{Constraint, Corotated, NeoHookean, Strain, Stvk};
use crate::model::{Finish, Material, Mode};
use crate::scene::check;
use crate::scene::error::{Path, SceneError};
use crate::scene::lower::{Builder, DISTANCE, Extent, Local, PlacedBody, Reading, SizedPreset};

/// What to do about an element without a shape.
const MEND: &str = "correct the mesh there";

/// A solid of tetrahedra.
#[derive(Clone, Debug, PartialEq)]
pub struct Soft {
    /// Where its tetrahedra come from.
    pub mesh: SolidMesh,
    /// By what it keeps its shape.
    pub elasticity: Elasticity,
    /// Young's modulus, Pa, above 0; left out: by the body's material. Of all but solids held by their edges.
    pub young_modulus: Option<f64>,
    /// Poisson's ratio, 0 (like cork) to 0.49 (all but incompressible); 0.3 if left out. Of solids with an energy that
    /// knows it.
    pub poisson_ratio: Option<f64>,
    /// Inverse stiffness of each edge, m/N, at least 0; 0 if left out. Of solids held by their edges.
    pub stretch_compliance: Option<f64>,
    /// PBD mode: share of the error of each edge or strain that an iteration removes, 0 to 1; 1 if left out. Of solids
    /// held by their edges or by strain.
    pub stretch_stiffness: Option<f64>,
    /// Tensile strength, Pa, above 0: a face between two tetrahedra breaks where it is pulled harder, in the mean over
    /// a frame. Left out: it never tears. Of neo-Hookean solids.
    pub tear_stress: Option<f64>,
    /// How many particles tears may add, at least 1; as many as the mesh has vertices if left out. Those of all bodies
    /// are common.
    pub spare_particles: Option<u32>,
    /// Elastic strain, each component by itself, above which it flows for good; never if left out. Of solids held by
    /// strain.
    pub yield_point: Option<f64>,
    /// Rate at which what is beyond the yield point flows, 1/s, above 0; at once if left out.
    pub creep: Option<f64>,
    /// What moves it from inside.
    pub muscles: Vec<Muscle>,
}

/// By what a solid keeps its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elasticity {
    /// Stable neo-Hookean material, by Young's modulus and Poisson's ratio; see
    /// [`NeoHookean`](crate::constraint::NeoHookean).
    NeoHookean,
    /// Strain along the body's own axes before its rotation, and between them, without lateral contraction (ν = 0); may
    /// flow. It does not see whether an element is inside out; see [`Strain`](crate::constraint::Strain).
    Strain,
    /// St. Venant-Kirchhoff material, to compare with; see [`Stvk`](crate::constraint::Stvk).
    Stvk,
    /// Corotated linear material, to compare with; see [`Corotated`](crate::constraint::Corotated).
    Corotated,
    /// Distances along the edges of the tetrahedra: cheaper, with a stiffness that depends on the mesh, and no way back
    /// from inside out.
    Edges,
}

impl Elasticity {
    /// All there are.
    pub const ALL: [Self; 5] = [Self::NeoHookean, Self::Strain, Self::Stvk, Self::Corotated, Self::Edges];

    /// As scenes call it: `neo-hookean`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NeoHookean => "neo-hookean",
            Self::Strain => "strain",
            Self::Stvk => "stvk",
            Self::Corotated => "corotated",
            Self::Edges => "edges",
        }
    }
}

impl Soft {
    /// A neo-Hookean solid, which needs a [`Soft::young_modulus`] or a material.
    pub fn new(mesh: impl Into<SolidMesh>) -> Self {
        Self {
            mesh: mesh.into(),
            elasticity: Elasticity::NeoHookean,
            young_modulus: None,
            poisson_ratio: None,
            stretch_compliance: None,
            stretch_stiffness: None,
            tear_stress: None,
            spare_particles: None,
            yield_point: None,
            creep: None,
            muscles: Vec::new(),
        }
    }
    /// How it keeps its shape.
    pub fn elasticity(self, elasticity: Elasticity) -> Self {
        Self { elasticity, ..self }
    }
    /// Adds a muscle.
    pub fn muscle(mut self, muscle: Muscle) -> Self {
        self.muscles.push(muscle);
        self
    }
    /// Young's modulus, Pa.
    pub fn young_modulus(self, pascals: f64) -> Self {
        Self { young_modulus: Some(pascals), ..self }
    }
    /// Poisson's ratio, 0 to 0.49.
    pub fn poisson_ratio(self, ratio: f64) -> Self {
        Self { poisson_ratio: Some(ratio), ..self }
    }
    /// Tears where it is pulled harder than this stress, Pa, in the mean over a frame.
    pub fn tears_at(self, tear_stress: f64) -> Self {
        Self { tear_stress: Some(tear_stress), ..self }
    }
    /// Elastic strain above which a solid held by strain flows for good, at a rate in 1/s, or at once.
    pub fn yields(self, yield_point: f64, creep: Option<f64>) -> Self {
        Self { yield_point: Some(yield_point), creep, ..self }
    }
    /// Holds it together by the edges of its tetrahedra, of this inverse stiffness, m/N.
    pub fn edges(self, compliance: f64) -> Self {
        Self { elasticity: Elasticity::Edges, stretch_compliance: Some(compliance), ..self }
    }
}

impl<M: Into<SolidMesh>> From<M> for Soft {
    fn from(mesh: M) -> Self {
        Soft::new(mesh)
    }
}

impl Body {
    /// A solid, from a [`Cuboid`](crate::scene::Cuboid), a [`SolidMesh`] or a [`Soft`].
    pub fn soft(soft: impl Into<Soft>) -> Self {
        Self::new(Content::Soft(soft.into()))
    }
}

impl BodyKind for Soft {
    fn extent(&self) -> Extent {
        Extent::Volume
    }

    fn local(&self, at: &Path, _: &Body, reading: &mut Reading) -> Result<Local, SceneError> {
        self.mesh.local(&at.key("mesh"), reading)
    }

    fn lower(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        check_keys(placed.at, self)?;
        match self.elasticity {
            Elasticity::NeoHookean => builder.by_energy(placed, self, NeoHookean::NAME)?,
            Elasticity::Stvk => builder.by_energy(placed, self, Stvk::NAME)?,
            Elasticity::Corotated => builder.by_energy(placed, self, Corotated::NAME)?,
            Elasticity::Strain => builder.strained(placed, self)?,
            Elasticity::Edges => self.hold_edges(builder, placed)?,
        }
        let at = placed.at.key("muscle");
        for (index, muscle) in self.muscles.iter().enumerate() {
            let of_solid = self.young_modulus.or(placed.preset.map(|preset| preset.young_modulus()));
            let young_modulus = muscle.young_modulus.or(of_solid);
            builder.muscle(&PlacedBody { at: &at.index(index), ..*placed }, muscle, young_modulus)?;
        }
        Ok(())
    }

    fn material_keys(&self) -> Result<Vec<(&'static str, Option<f64>)>, &'static str> {
        match self.elasticity {
            Elasticity::Edges => Err("has a Young's modulus, which a solid held by its edges does not use; remove it"),
            _ => Ok(vec![("young_modulus", self.young_modulus)]),
        }
    }

    fn parts(&self, _: Mode) -> Vec<Part> {
        let (compliance, stiffness) = (self.stretch_compliance.unwrap_or(0.0), self.stretch_stiffness.unwrap_or(1.0));
        match self.elasticity {
            Elasticity::Edges => vec![Part { name: "stretch", compliance, stiffness }],
            _ => Vec::new(),
        }
    }

    fn modulus(&self) -> Option<Modulus> {
        let pascals = self.young_modulus?;
        let compliances = match self.elasticity {
            Elasticity::Edges => return None,
            Elasticity::Strain => Strain::compliances(pascals).to_vec(),
            Elasticity::NeoHookean | Elasticity::Stvk | Elasticity::Corotated => {
                let ratio = self.poisson_ratio.unwrap_or(NeoHookean::DEFAULT_POISSON_RATIO);
                vec![NeoHookean::compliance(pascals, ratio)]
            }
        };
        Some(Modulus { pascals, compliances })
    }

    fn tears_by(&self) -> Option<&'static str> {
        self.tear_stress.map(|_| "tear_stress")
    }

    fn look(&self) -> Finish {
        Finish::Jelly
    }
}

impl Soft {
    fn hold_edges(&self, builder: &mut Builder, placed: &PlacedBody) -> Result<(), SceneError> {
        let PlacedBody { at, first, local, .. } = *placed;
        builder.tear_stress(at, self)?;
        let compliance = self.stretch_compliance.unwrap_or(0.0);
        let stiffness = self.stretch_stiffness.unwrap_or(1.0);
        let material = Material {
            compliance: check::number(&at.key("stretch_compliance"), compliance, &check::COMPLIANCE)?,
            stiffness: check::number(&at.key("stretch_stiffness"), stiffness, &check::SHARE)?,
            ..Material::default()
        };
        builder.constraints(at, (DISTANCE, first, material), local.solid().edges().into_iter())
    }

    /// Young's modulus, by its key or by the material, Pa.
    fn young_modulus_at(&self, at: &Path, preset: Option<SizedPreset>) -> Result<f64, SceneError> {
        let Some(young_modulus) = self.young_modulus.or(preset.map(|preset| preset.young_modulus())) else {
            let message = "has no `young_modulus`; add for instance young_modulus = 1e5 (Pa), or a `material`";
            return Err(SceneError::new(at, message));
        };
        check::number(&at.key("young_modulus"), young_modulus, &check::YOUNG_MODULUS)
    }
}

/// Refuses keys that belong to other elasticities.
fn check_keys(at: &Path, soft: &Soft) -> Result<(), SceneError> {
    use Elasticity::{Corotated, Edges, NeoHookean, Strain, Stvk};
    let keys: [(&str, Option<f64>, &[Elasticity]); 7] = [
        ("young_modulus", soft.young_modulus, &[NeoHookean, Strain, Stvk, Corotated]),
        ("poisson_ratio", soft.poisson_ratio, &[NeoHookean, Stvk, Corotated]),
        ("stretch_compliance", soft.stretch_compliance, &[Edges]),
        ("stretch_stiffness", soft.stretch_stiffness, &[Edges, Strain]),
        ("tear_stress", soft.tear_stress, &[NeoHookean]),
        ("yield", soft.yield_point, &[Strain]),
        ("creep", soft.creep, &[Strain]),
    ];
    let foreign =
        |(_, given, of): &(&str, Option<f64>, &[Elasticity])| given.is_some() && !of.contains(&soft.elasticity);
    let Some((key, _, of)) = keys.into_iter().find(foreign) else { return check_tears(at, soft) };
    let names: Vec<String> = of.iter().map(|elasticity| format!("\"{}\"", elasticity.name())).collect();
    let (names, own) = (names.join(", "), soft.elasticity.name());
    let message = format!(
        "applies to elasticity = {names}, and this solid has \"{own}\"; change the elasticity, or remove the key"
    );
    Err(SceneError::key(&at.key(key), message))
}

/// A skin and muscles would hold together what tears.
fn check_tears(at: &Path, soft: &Soft) -> Result<(), SceneError> {
    let held = match &soft.mesh {
        _ if soft.tear_stress.is_none() => return Ok(()),
        SolidMesh::Filling(_) => {
            "a skin, which does not tear; fill the surface beforehand and give the file of its tetrahedra"
        }
        _ if !soft.muscles.is_empty() => "muscles, which do not tear; remove one of the two",
        _ => return Ok(()),
    };
    Err(SceneError::key(&at.key("tear_stress"), format!("cannot be combined with {held}")))
}

#[cfg(feature = "scene-files")]
mod keys {
    use std::path::Path as FilePath;

    use super::*;
    use crate::scene::toml::read::{Result, Table, choice, number, whole};

    impl Soft {
        /// Reads what a body of this kind is made of.
        pub(in crate::scene) fn read(body: &Table, folder: &FilePath) -> Result<Self> {
            let example = "{ box = { cells = [8, 8, 8], size = [1.0, 1.0, 1.0] } }";
            let mut soft = Soft::new(body.required("mesh", example, |value| mesh::solid_mesh(value, folder))?);
            let kinds = Elasticity::ALL.map(|elasticity| (elasticity.name(), elasticity));
            body.set("elasticity", &mut soft.elasticity, |value| choice(value, &kinds))?;
            soft.young_modulus = body.optional("young_modulus", number)?;
            soft.poisson_ratio = body.optional("poisson_ratio", number)?;
            soft.stretch_compliance = body.optional("stretch_compliance", number)?;
            soft.stretch_stiffness = body.optional("stretch_stiffness", number)?;
            soft.tear_stress = body.optional("tear_stress", number)?;
            soft.spare_particles = body.optional("spare_particles", whole)?;
            soft.yield_point = body.optional("yield", number)?;
            soft.creep = body.optional("creep", number)?;
            soft.muscles = body.tables("muscle", strain::muscle)?;
            Ok(soft)
        }
    }
}
