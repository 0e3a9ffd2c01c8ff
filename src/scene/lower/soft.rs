//! The tetrahedra of a solid and what holds them in shape.

use super::super::error::{Path, SceneError};
use super::super::{Elasticity, Soft, SolidMesh, check};
use super::place::Transform;
use super::preset::Made;
use super::reading::Reading;
use super::shape::{self, Local};
use super::{Builder, DISTANCE, filling};
use crate::constraint::{Constraint, Corotated, NeoHookean, Stvk};
use crate::mesh::TetrahedronMesh;
use crate::model::Material;

/// What to do about an element without a shape.
pub(super) const MEND: &str = "correct the mesh there";

impl Builder<'_> {
    pub fn soft(
        &mut self,
        at: &Path,
        body: usize,
        soft: &Soft,
        local: &Local,
        made: Option<Made>,
        transform: &Transform,
    ) -> Result<(), SceneError> {
        check_keys(at, soft)?;
        let first = self.model.bodies[body].particles.start;
        match soft.elasticity {
            Elasticity::NeoHookean => self.by_energy(at, first, soft, local, (NeoHookean::NAME, made))?,
            Elasticity::Stvk => self.by_energy(at, first, soft, local, (Stvk::NAME, made))?,
            Elasticity::Corotated => self.by_energy(at, first, soft, local, (Corotated::NAME, made))?,
            Elasticity::Strain => self.strained(at, body, soft, local, made, transform)?,
            Elasticity::Edges => {
                self.tear_stress(at, soft)?;
                let compliance = soft.stretch_compliance.unwrap_or(0.0);
                let stiffness = soft.stretch_stiffness.unwrap_or(1.0);
                let material = Material {
                    compliance: check::number(&at.key("stretch_compliance"), compliance, &check::COMPLIANCE)?,
                    stiffness: check::number(&at.key("stretch_stiffness"), stiffness, &check::SHARE)?,
                    ..Material::default()
                };
                self.constraints(at, (DISTANCE, first, material), local.solid().edges().into_iter())?;
            }
        }
        let at = at.key("muscle");
        for (index, muscle) in soft.muscles.iter().enumerate() {
            let young_modulus = muscle.young_modulus.or(soft.young_modulus).or(made.map(|made| made.young_modulus()));
            self.muscle(&at.index(index), body, (muscle, young_modulus), local, transform)?;
        }
        Ok(())
    }

    /// Tetrahedra of a kind by Young's modulus and Poisson's ratio.
    fn by_energy(
        &mut self,
        at: &Path,
        first: u32,
        soft: &Soft,
        local: &Local,
        (kind, made): (&str, Option<Made>),
    ) -> Result<(), SceneError> {
        let young_modulus = young_modulus(at, soft, made)?;
        let poisson_ratio = soft.poisson_ratio.unwrap_or(NeoHookean::DEFAULT_POISSON_RATIO);
        let poisson_ratio = check::number(&at.key("poisson_ratio"), poisson_ratio, &check::POISSON_RATIO)?;
        let group = self.kind(&at.key("elasticity"), kind, 4)?;
        let compliance = NeoHookean::compliance(young_modulus, poisson_ratio);
        let material = self.model.materials.insert(Material { compliance, ..Material::default() });
        let ratio_at = self.model.groups[group].kind.rest().iter().position(|rest| rest.name == "poisson_ratio");
        let begin = self.model.groups[group].len() as u32;
        for (index, tetrahedron) in local.tetrahedra.iter().enumerate() {
            let ends = tetrahedron.map(|p| first + p);
            self.check_shape(&at.key("mesh"), self.model.groups[group].kind, &ends, (index, Some(MEND)))?;
            super::constraint::push(&mut self.model.groups[group], &self.model.particles, &ends, material, |i| {
                (Some(i) == ratio_at).then_some(poisson_ratio)
            });
        }
        let end = self.model.groups[group].len() as u32;
        self.tearable_solid(at, soft, local, group, begin..end)
    }
}

pub(super) fn young_modulus(at: &Path, soft: &Soft, made: Option<Made>) -> Result<f64, SceneError> {
    let Some(young_modulus) = soft.young_modulus.or(made.map(|made| made.young_modulus())) else {
        let message = "has no `young_modulus`; add for instance young_modulus = 1e5 (Pa), or a `material`";
        return Err(SceneError::new(at, message));
    };
    check::number(&at.key("young_modulus"), young_modulus, &check::YOUNG_MODULUS)
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
    let message = format!("is of elasticity = {names}, and this solid has \"{own}\"; set that, or leave the key out");
    Err(SceneError::key(&at.key(key), message))
}

/// A skin and muscles would hold together what tears.
fn check_tears(at: &Path, soft: &Soft) -> Result<(), SceneError> {
    let held = match &soft.mesh {
        _ if soft.tear_stress.is_none() => return Ok(()),
        SolidMesh::Filling(_) => "a skin, which cannot tear; fill it beforehand and give the file of its tetrahedra",
        _ if !soft.muscles.is_empty() => "muscles, which cannot tear; leave one of the two out",
        _ => return Ok(()),
    };
    Err(SceneError::key(&at.key("tear_stress"), format!("is of a solid with {held}")))
}

/// The particles, surface and tetrahedra of a solid, before its transform.
pub(super) fn local(at: &Path, soft: &Soft, reading: &mut Reading) -> Result<Local, SceneError> {
    let at = at.key("mesh");
    let solid = match &soft.mesh {
        SolidMesh::Box(cuboid) => {
            let at = at.key("box");
            shape::check_cuboid(&at, cuboid)?;
            let corners = cuboid.cells.map(|count| u128::from(count) + 1);
            shape::check_count(&at, corners.iter().product())?;
            cuboid.solid()
        }
        SolidMesh::File(path) => {
            let at = at.key("file");
            let mesh = reading.tetrahedra(&at, path)?;
            shape::check_count(&at, mesh.positions.len() as u128)?;
            mesh
        }
        SolidMesh::Filling(filling) => return filling::local(&at, filling, reading),
        SolidMesh::Tetrahedra(mesh) => check_tetrahedra(&at, mesh).map(|()| mesh.clone())?,
    };
    Ok(Local::solid_of(solid))
}

/// Refuses indices that are not there, corners named twice, tetrahedra inside out, and vertices without a tetrahedron.
fn check_tetrahedra(at: &Path, mesh: &TetrahedronMesh) -> Result<(), SceneError> {
    let count = mesh.positions.len();
    for (index, position) in mesh.positions.iter().enumerate() {
        check::vector(&at.key("positions").index(index), *position, &check::COORDINATE)?;
    }
    for (index, &tetrahedron) in mesh.tetrahedra.iter().enumerate() {
        let mut sorted = tetrahedron;
        sorted.sort_unstable();
        let fault = if tetrahedron.iter().any(|&p| p as usize >= count) {
            format!("names a vertex beyond the {count} that there are; correct the index")
        } else if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            "names one vertex twice; a tetrahedron needs four".to_string()
        } else if mesh.volume_of(tetrahedron) <= 0.0 {
            "is flat or inside out; swap two of its corners, or remove it".to_string()
        } else {
            continue;
        };
        return Err(SceneError::new(&at.key("tetrahedra").index(index), fault));
    }
    if mesh.tetrahedra.is_empty() {
        return Err(SceneError::new(at, "has no tetrahedron; a solid needs one at least"));
    }
    match mesh.vertex_volumes().iter().position(|&volume| volume == 0.0) {
        None => Ok(()),
        Some(index) => {
            let message = format!("vertex {index} belongs to no tetrahedron and would weigh nothing; remove it");
            Err(SceneError::new(at, message))
        }
    }
}
