//! `[[body]]`.

use std::path::Path as FilePath;

use super::super::{
    Balloon, Bend, Body, Cloth, Content, Cuboid, Curve, Elasticity, Filling, Grains, Grid, Line, Matching, Mesh,
    Particles, Segments, Soft, SolidMesh, Sphere, Strand, StrandKind, StrandPath, Stretch, Tethers, Torus,
};
use super::parts;
use super::read::{Result, Table, Value, choice, list, number, table, text, truth, vector, whole};

/// Kinds of bodies that the contract names and that do not exist yet.
const LATER_KINDS: [&str; 3] = ["rod", "fluid", "rigid"];
const KINDS: [&str; 9] = ["cloth", "balloon", "shape", "rope", "hair", "strip", "soft", "grains", "particles"];

/// Meshes of the contract that bodies of the kinds that exist cannot use.
const MESHES: [&str; 5] = ["grid", "file", "box", "sphere", "torus"];

pub(super) fn body(body: &Table, folder: &FilePath) -> Result<Body> {
    let content = body.required("kind", "\"cloth\"", |kind| content(kind, body, folder))?;
    let mut read = Body::new(content);
    read.name = body.optional("name", text)?;
    body.set("scale", &mut read.scale, scale)?;
    body.set("rotation", &mut read.rotation, vector)?;
    body.set("position", &mut read.position, vector)?;
    read.weld = body.optional("weld", number)?;
    body.set("velocity", &mut read.velocity, vector)?;
    body.set("angular_velocity", &mut read.angular_velocity, vector)?;
    read.mass = body.optional("mass", number)?;
    read.density = body.optional("density", number)?;
    read.material = body.optional("material", text)?;
    read.radius = body.optional("radius", number)?;
    read.thickness = body.optional("thickness", number)?;
    body.set("friction", &mut read.friction, number)?;
    read.dynamic_friction = body.optional("dynamic_friction", number)?;
    body.set("restitution", &mut read.restitution, number)?;
    body.set("contact_compliance", &mut read.contact_compliance, number)?;
    body.set("self_collision", &mut read.self_collision, truth)?;
    body.set("segments", &mut read.segments, segments)?;
    body.set("collision_group", &mut read.collision_group, whole)?;
    read.collides_with = body.optional("collides_with", |groups| list(groups, whole))?;
    body.set("drag", &mut read.drag, number)?;
    body.set("lift", &mut read.lift, number)?;
    body.set("damping", &mut read.damping, number)?;
    body.set("pin", &mut read.pins, parts::pins)?;
    read.tether = body.optional("tether", tethers)?;
    body.set("planar", &mut read.planar, truth)?;
    read.colour = body.optional("colour", |value| vector(value).map(|colour: [f64; 3]| colour.map(|c| c as f32)))?;
    read.constraints = body.tables("constraint", |constraint| parts::constraint(constraint, whole))?;
    Ok(read)
}

fn content(kind: Value, body: &Table, folder: &FilePath) -> Result<Content> {
    match text(kind)?.as_str() {
        "cloth" => cloth(body, folder).map(Content::Cloth),
        "balloon" => balloon(body, folder).map(Content::Balloon),
        "shape" => matching(body, folder).map(Content::Shape),
        "rope" => strand(StrandKind::Rope, body).map(Content::Strand),
        "hair" => strand(StrandKind::Hair, body).map(Content::Strand),
        "strip" => strand(StrandKind::Strip, body).map(Content::Strand),
        "soft" => soft(body, folder).map(Content::Soft),
        "grains" => grains(body, folder).map(Content::Grains),
        "particles" => particles(body).map(Content::Particles),
        name if LATER_KINDS.contains(&name) => {
            Err(kind.error(format!("'{name}' is not yet supported; there are: {}", KINDS.join(", "))))
        }
        name => {
            let suggestion = super::super::suggest::suggestion(name, KINDS);
            Err(kind.error(format!("unknown kind of body '{name}'; {suggestion}")))
        }
    }
}

/// `true` along strands, or the ends of each.
fn segments(value: Value) -> Result<Segments> {
    if value.is_list() {
        let ends =
            |value: Value| list(value, whole)?.try_into().map_err(|_| value.wrong("the indices of two particles"));
        return list(value, ends).map(Segments::Between);
    }
    truth(value).map(|along| if along { Segments::AlongStrands } else { Segments::None })
}

/// One factor for all directions, or one for each.
fn scale(value: Value) -> Result<[f64; 3]> {
    if value.is_list() { vector(value) } else { Ok([number(value)?; 3]) }
}

fn cloth(body: &Table, folder: &FilePath) -> Result<Cloth> {
    let example = "{ grid = { columns = 64, rows = 64, width = 1.0, height = 1.0 } }";
    let mut cloth = Cloth::new(body.required("mesh", example, |value| mesh(value, folder))?);
    let ways = [("edges", Stretch::Edges), ("strain", Stretch::Strain)];
    body.set("stretch", &mut cloth.stretch, |value| choice(value, &ways))?;
    cloth.stretch_compliance = body.optional("stretch_compliance", number)?;
    cloth.weft_compliance = body.optional("weft_compliance", number)?;
    cloth.shear_compliance = body.optional("shear_compliance", number)?;
    cloth.bend = body.optional("bend", bend)?;
    body.set("stretch_stiffness", &mut cloth.stretch_stiffness, number)?;
    cloth.weft_stiffness = body.optional("weft_stiffness", number)?;
    cloth.shear_stiffness = body.optional("shear_stiffness", number)?;
    cloth.bend_stiffness = body.optional("bend_stiffness", number)?;
    cloth.break_force = body.optional("break_force", number)?;
    cloth.spare_particles = body.optional("spare_particles", whole)?;
    Ok(cloth)
}

fn soft(body: &Table, folder: &FilePath) -> Result<Soft> {
    let example = "{ box = { cells = [8, 8, 8], size = [1.0, 1.0, 1.0] } }";
    let mut soft = Soft::new(body.required("mesh", example, |value| solid_mesh(value, folder))?);
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
    soft.muscles = body.tables("muscle", parts::muscle)?;
    Ok(soft)
}

fn solid_mesh(value: Value, folder: &FilePath) -> Result<SolidMesh> {
    let mesh = table(value)?;
    let (name, value) = mesh.variant(&["box", "file", "surface"])?;
    if name == "surface" {
        let surface = if value.is_text() { Mesh::File(folder.join(text(value)?)) } else { self::mesh(value, folder)? };
        let cell = mesh.optional("cell", number)?;
        mesh.finish()?;
        return Ok(SolidMesh::Filling(Filling { surface, cell }));
    }
    mesh.finish()?;
    match name {
        "box" => cuboid(value).map(SolidMesh::Box),
        _ => Ok(SolidMesh::File(folder.join(text(value)?))),
    }
}

fn cuboid(value: Value) -> Result<Cuboid> {
    let shape = table(value)?;
    let cuboid = Cuboid {
        cells: shape.required("cells", "[8, 8, 8]", three_whole)?,
        size: shape.required("size", "[1.0, 1.0, 1.0]", vector)?,
    };
    shape.finish()?;
    Ok(cuboid)
}

fn balloon(body: &Table, folder: &FilePath) -> Result<Balloon> {
    let mut balloon = Balloon::new(cloth(body, folder)?);
    body.set("volume_compliance", &mut balloon.volume_compliance, number)?;
    body.set("volume_stiffness", &mut balloon.volume_stiffness, number)?;
    body.set("inflation", &mut balloon.inflation, number)?;
    balloon.keyframes = body.optional("keyframes", parts::rest_keyframes)?;
    balloon.period = body.optional("period", number)?;
    balloon.delay = body.optional("delay", number)?;
    Ok(balloon)
}

fn matching(body: &Table, folder: &FilePath) -> Result<Matching> {
    let example = "{ box = { cells = [4, 4, 4], size = [1.0, 1.0, 1.0] } }";
    let mut matching = Matching::new(body.required("mesh", example, |value| mesh(value, folder))?);
    body.set("shape_compliance", &mut matching.shape_compliance, number)?;
    body.set("shape_stiffness", &mut matching.shape_stiffness, number)?;
    matching.region_radius = body.optional("region_radius", number)?;
    matching.region_spacing = body.optional("region_spacing", number)?;
    Ok(matching)
}

fn grains(body: &Table, folder: &FilePath) -> Result<Grains> {
    let example = "{ box = { cells = [1, 1, 1], size = [1.0, 1.0, 1.0] } }";
    let mut grains = Grains::new(body.required("mesh", example, |value| mesh(value, folder))?);
    grains.spacing = body.optional("spacing", number)?;
    Ok(grains)
}

fn strand(kind: StrandKind, body: &Table) -> Result<Strand> {
    let example = "{ line = { from = [0, 0, 0], to = [0, -1, 0], segments = 20 } }";
    let mut strand = Strand::new(kind, body.required("mesh", example, strand_path)?);
    body.set("strands", &mut strand.strands, whole)?;
    body.set("spacing", &mut strand.spacing, vector)?;
    strand.stretch_compliance = body.optional("stretch_compliance", number)?;
    strand.bend = body.optional("bend", bend)?;
    body.set("stretch_stiffness", &mut strand.stretch_stiffness, number)?;
    body.set("bend_stiffness", &mut strand.bend_stiffness, number)?;
    Ok(strand)
}

fn strand_path(value: Value) -> Result<StrandPath> {
    let mesh = table(value)?;
    let (name, value) = mesh.variant(&["line", "curve", "points"])?;
    mesh.finish()?;
    if name == "points" {
        return list(value, vector).map(StrandPath::Points);
    }
    let shape = table(value)?;
    let path = match name {
        "line" => StrandPath::Line(Line {
            from: shape.required("from", "[0, 0, 0]", vector)?,
            to: shape.required("to", "[0, -1, 0]", vector)?,
            segments: shape.required("segments", "20", whole)?,
        }),
        _ => StrandPath::Curve(Curve {
            through: shape.required("through", "[[0, 0, 0], [1, 0, 0], [1, 1, 0]]", |value| list(value, vector))?,
            segments: shape.required("segments", "20", whole)?,
        }),
    };
    shape.finish()?;
    Ok(path)
}

fn tethers(value: Value) -> Result<Tethers> {
    let read = table(value)?;
    let mut tethers = Tethers::default();
    read.set("compliance", &mut tethers.compliance, number)?;
    read.set("slack", &mut tethers.slack, number)?;
    read.set("nearest", &mut tethers.nearest, whole)?;
    read.finish()?;
    Ok(tethers)
}

fn bend(value: Value) -> Result<Bend> {
    let bend = table(value)?;
    let kind = bend.required("kind", "\"distance\"", text)?;
    let compliance = bend.optional("compliance", number)?.unwrap_or(0.0);
    bend.finish()?;
    Ok(Bend { kind, compliance })
}

fn mesh(value: Value, folder: &FilePath) -> Result<Mesh> {
    let mesh = table(value)?;
    let read = mesh_variant(&mesh, &MESHES, folder)?;
    mesh.finish()?;
    Ok(read)
}

/// A mesh by one of these keys of a table, which may have others.
pub(super) fn mesh_variant(mesh: &Table, names: &[&'static str], folder: &FilePath) -> Result<Mesh> {
    let (name, value) = mesh.variant(names)?;
    if name == "file" {
        return Ok(Mesh::File(folder.join(text(value)?)));
    }
    if name == "box" {
        return cuboid(value).map(Mesh::Box);
    }
    let shape = table(value)?;
    let mesh = match name {
        "grid" => Mesh::Grid(Grid {
            columns: shape.required("columns", "64", whole)?,
            rows: shape.required("rows", "64", whole)?,
            width: shape.required("width", "1.0", number)?,
            height: shape.required("height", "1.0", number)?,
        }),
        "sphere" => Mesh::Sphere(Sphere {
            radius: shape.required("radius", "0.5", number)?,
            segments: shape.required("segments", "20", whole)?,
        }),
        _ => Mesh::Torus(Torus {
            radius: shape.required("radius", "1.0", number)?,
            tube_radius: shape.required("tube_radius", "0.4", number)?,
            segments: shape.required("segments", "48", whole)?,
            tube_segments: shape.required("tube_segments", "24", whole)?,
        }),
    };
    shape.finish()?;
    Ok(mesh)
}

fn three_whole(value: Value) -> Result<[u32; 3]> {
    list(value, whole)?.try_into().map_err(|_| value.wrong("a list of 3 whole numbers"))
}

fn particles(body: &Table) -> Result<Particles> {
    Ok(Particles {
        positions: body.required("positions", "[[0, 0, 0]]", |value| list(value, vector))?,
        masses: body.optional("masses", |value| list(value, number))?,
        velocities: body.optional("velocities", |value| list(value, vector))?,
    })
}
