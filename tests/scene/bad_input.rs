//! Every fault of a scene is told with file, line, place and remedy.

use super::{refusal, try_build};
use pliant::constraint::{self, Arity, Constraint as Kind, Real, RestValue, Symmetry, Vec3};
use pliant::model::{Mode, Settings};
use pliant::scene::{Body, Cloth, Collider, Constraint, Force, Grid, Pin, Scene, Select, TriangleMesh};

/// A scene of one cloth with more lines for its body.
fn cloth(lines: &str) -> String {
    let mesh = "mesh = { grid = { columns = 3, rows = 3, width = 1, height = 1 } }";
    format!("[[body]]\nkind = \"cloth\"\n{mesh}\n{lines}\n")
}

/// A scene of three particles with more lines.
fn particles(lines: &str) -> String {
    format!("[[body]]\nkind = \"particles\"\npositions = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]\n{lines}\n")
}

/// A scene of four particles with more lines.
fn particles_and(lines: &str) -> String {
    let positions = "positions = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0]]";
    format!("[[body]]\nkind = \"particles\"\n{positions}\n{lines}\n")
}

/// A scene of three particles and a list of constraints with more lines.
fn constraint(lines: &str) -> String {
    particles(&format!("[[body.constraint]]\nkind = \"distance\"\n{lines}"))
}

/// Checks that a scene is refused in the line that ends with `#!`, with all of the words.
pub fn check(text: &str, words: &[&str]) {
    let line = text.lines().position(|line| line.ends_with("#!")).expect("a line ends with #!") + 1;
    let message = refusal(text);
    assert!(message.starts_with(&format!("test.toml:{line}:")), "line {line} of\n{text}\n{message}");
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
}

/// Keys that do not exist are refused with the nearest that does, at every level of a scene.
#[test]
fn unknown_keys() {
    let ending = particles("mass = 1");
    check(&format!("gravty = 3 #!\n{ending}"), &["gravty: unknown key", "there are: name, solver, world"]);
    check(&format!("[solver]\nsubstep = 3 #!\n{ending}"), &["solver.substep", "did you mean 'substeps'?"]);
    check(&format!("[world]\ngravty = [0, 0, 0] #!\n{ending}"), &["world.gravty", "did you mean 'gravity'?"]);
    check(&cloth("masss = 1.0 #!"), &["body[0].masss: unknown key", "did you mean 'mass'?", "density"]);
    check(&cloth("positions = [[0, 0, 0]] #!"), &["positions: unknown key", "did you mean 'position'?"]);
    check("[[body]]\nknd = \"cloth\" #!\n", &["did you mean 'kind'?"]);
    check("[[body]]\nkind = \"cloth\"\nmsh = {} #!", &["did you mean 'mesh'?"]);
    check("[[body]]\nkind = \"cloth\"\nmesh = { gird = {} } #!", &["mesh.gird", "did you mean 'grid'?"]);
    let grid = "mesh = { grid = { columns = 3, rows = 3, width = 1, heigth = 1 } } #!";
    check(&format!("[[body]]\nkind = \"cloth\"\n{grid}"), &["grid.heigth", "did you mean 'height'?"]);
    check(&cloth("bend = { kind = \"distance\", complience = 1 } #!"), &["did you mean 'compliance'?"]);
    check(&cloth("pin = [{ spere = [[0, 0, 0], 1] }] #!"), &["pin[0].spere", "did you mean 'sphere'?"]);
    let rest = "particles = [[0, 1]]\nrest_lenght = 1 #!";
    check(&constraint(rest), &["body[0].constraint[0].rest_lenght", "did you mean 'rest_length'?"]);
    check(&constraint("particles = [[0, 1]]\nsidee = \"pull\" #!"), &["did you mean 'side'?"]);
    check(&particles("[[force]]\nvalu = [0, 0, 0] #!"), &["force[0].valu", "did you mean 'value'?"]);
    check(&particles("[[force]]\nvalue = [0, 0, 0]\nbdy = \"a\" #!"), &["did you mean 'body'?"]);
    let keyframes = "[[force]]\nkeyframes = [{ tme = 0, value = [0, 0, 0] }] #!";
    check(&particles(keyframes), &["keyframes[0].tme", "did you mean 'time'?"]);
    check(&particles("[[collider]]\nshape = { plain = {} } #!"), &["did you mean 'plane'?"]);
    check(&particles("[[collider]]\nshape = { plane = { norml = [0, 1, 0] } } #!"), &["did you mean 'normal'?"]);
    check(&format!("camera = {{ eye = [0, 0, 1], traget = [0, 0, 0] }} #!\n{ending}"), &["did you mean 'target'?"]);
}

/// Segments lie between two different particles of a body that has a size and does not tear.
#[test]
fn segments_have_ends() {
    let with = |lines: &str| particles(&format!("radius = 0.1\n{lines}"));
    check(
        &with("segments = [[0, 1], [1, 3]] #!"),
        &["body[0].segments[1]", "has no particle 3; indices go from 0 to 2"],
    );
    check(&with("segments = [[2, 2]] #!"), &["body[0].segments[0]", "particle 2 at both ends"]);
    check(&with("segments = [[0, 1, 2]] #!"), &["segments[0]", "must be the indices of two particles"]);
    check(&with("segments = [[0, -1]] #!"), &["segments[0]"]);
    check(&with("segments = 3 #!"), &["segments"]);
    check(&with("segments = true #!"), &["segments", "the body has none", "list the ends"]);
    check(&particles("segments = [[0, 1]] #!"), &["body[0].segments", "give the body a radius"]);
    let lines = "radius = 0.1\nbreak_force = 1.0\nsegments = [[0, 1]] #!";
    check(&cloth(lines), &["body[0].segments", "cannot follow a tear"]);
}

/// What touches itself needs a size, and contacts yield by no negative number.
#[test]
fn what_touches_itself_has_a_size() {
    check(&cloth("self_collision = true #!"), &["body[0].self_collision", "give the body a radius"]);
    check(&cloth("self_collision = 1 #!"), &["self_collision"]);
    check(&cloth("contact_compliance = -1e-6 #!"), &["contact_compliance"]);
}

/// What the contract names and does not exist yet is refused, never dropped in silence.
#[test]
fn not_yet_supported() {
    check(
        "[[body]]\nkind = \"rod\" #!",
        &["'rod' is not yet supported; there are: cloth, balloon, rope, hair, strip, soft, particles"],
    );
    check("[[body]]\nkind = \"cloht\" #!", &["unknown kind of body 'cloht'", "did you mean 'cloth'?"]);
    check("[[body]]\nkind = \"cloth\"\nmesh = { line = {} } #!", &["mesh.line: unknown key", "There are: grid, file"]);
    check(&cloth("bend = { kind = \"dihedra\" } #!"), &["unknown kind of bend 'dihedra'; did you mean 'dihedral'?"]);
}

/// Ropes, hair and strips that have no length or no points, and what they, materials and tethers lack.
#[test]
fn strands_materials_and_tethers() {
    let rope = |mesh: &str, lines: &str| format!("[[body]]\nkind = \"rope\"\n{lines}\nmesh = {mesh} #!\n");
    check(&rope("{ points = [[0, 0, 0]] }", ""), &["mesh.points: has 1 points; a strand needs two at least"]);
    check(&rope("{ points = [[0, 0, 0], [0, 0, 0]] }", ""), &["points 0 and 1 are in one place"]);
    check(&rope("{ points = [[0, 0, 0], [0, nan, 0]] }", ""), &["mesh.points[1][1]", "found NaN"]);
    check(&rope("{ line = { from = [0, 0, 0], to = [0, 0, 0], segments = 3 } }", ""), &["are in one place"]);
    check(
        &rope("{ line = { from = [0, 0, 0], to = [0, 1, 0], segments = 0 } }", ""),
        &["segments: must be at least 1"],
    );
    check(&rope("{ line = { from = [0, 0, 0], to = [0, 1, 0], segments = 4000000000 } }", ""), &["make it coarser"]);
    check(&rope("{ curve = { through = [[0, 0, 0]], segments = 3 } }", ""), &["mesh.curve.through: has 1 points"]);
    check(&rope("{ grid = { columns = 3 } }", ""), &["mesh.grid: unknown key", "there are: line, curve, points"]);
    let line = "{ line = { from = [0, 0, 0], to = [0, 1, 0], segments = 3 } }";
    let with = |lines: &str| format!("[[body]]\nkind = \"rope\"\nmesh = {line}\n{lines} #!\n");
    check(&with("strands = 0"), &["strands: must be at least 1"]);
    check(&with("spacing = [0, inf, 0]"), &["spacing[1]"]);
    check(&with("bend = { kind = \"dihedral\" }"), &["unknown kind of bend 'dihedral'", "spatial_angle"]);
    check(&with("bend = { kind = \"angle\", compliance = -1 }"), &["bend.compliance"]);
    check(&with("stretch_stiffness = 2"), &["stretch_stiffness"]);
    check(&with("pin = [\"top-left\"]"), &["there is no 'top-left' to pin", "first, last, root"]);
    check(&with("radius = 0.1\nmaterial = \"ruber\""), &["unknown material 'ruber'; did you mean 'rubber'?"]);
    check(&with("material = \"rubber\""), &["needs the body's cross-section; give a thickness"]);
    check(&with("material = \"fat\"\nradius = 0.1\nstretch_compliance = 1"), &["is given beside a material"]);
    check(&with("tether = {}"), &["needs something to hang from; pin the body"]);
    check(&with("pin = [0]\ntether = { slack = 0.5 }"), &["tether.slack", "1 is the way along the mesh"]);
    check(&with("pin = [0]\ntether = { nearest = 0 }"), &["tether.nearest"]);
    check(&with("pin = [0]\ntether = { slak = 2 }"), &["did you mean 'slack'?"]);
    check(&with("planar = 1"), &["planar: must be true or false"]);
    check(&particles("pin = [0]\ntether = {} #!"), &["goes along edges, and particles have none"]);
    check(
        &particles("radius = 0.1\nmaterial = \"wood\" #!"),
        &["is of cloth, balloons, rope, hair, strips and solids"],
    );
    let oblong = "[[body]]\nkind = \"cloth\"\nmesh = { grid = { columns = 3, rows = 3, width = 1, height = 2 } }";
    check(&format!("{oblong}\nthickness = 0.1\nmaterial = \"wood\" #!"), &["cells of 0.5 m by 1 m"]);
}

/// A value of the wrong type is told with what was expected and what was found.
#[test]
fn wrong_types() {
    check(&cloth("mass = \"heavy\" #!"), &["body[0].mass: must be a number, found the text \"heavy\""]);
    check(&cloth("name = 3 #!"), &["must be a text in quotes, found the number 3"]);
    check(&cloth("position = [0, 1] #!"), &["must be a list of 3 numbers, found a list of 2"]);
    check(&cloth("rotation = 1 #!"), &["must be a list of 4 numbers, found the number 1"]);
    check(&cloth("pin = \"top\" #!"), &["must be a list in square brackets, found the text \"top\""]);
    check(&cloth("pin = [[0, 1]] #!"), &["must be a name such as \"top\", an index"]);
    check(&cloth("pin = [1.5] #!"), &["must be a whole number from 0 to 4294967295, found the number 1.5"]);
    check(&cloth("pin = [-1] #!"), &["must be a whole number", "found the number -1"]);
    check(&cloth("pin = [{ box = [0, 1, 2] }] #!"), &["must be two corners, as in"]);
    check(&cloth("pin = [{ sphere = [0, 1, 2] }] #!"), &["must be a centre and a radius, as in"]);
    check(&cloth("pin = [{ box = [[0, 0, 0], [1, 1, 1]], indices = [0] }] #!"), &["has both `indices` and `box`"]);
    check(&cloth("pin = [{ keyframes = [] }] #!"), &["needs one of: names, indices, box, sphere"]);
    check(&cloth("colour = 1979-05-27 #!"), &["found a date"]);
    check(&cloth("[[collider]]\nshape = { sphere = { radius = 1 } }\ninside = 1 #!"), &["must be true or false"]);
    check("[body] #!\nkind = \"cloth\"", &["must be a list of tables; write [[body]]"]);
    check("body = [1] #!", &["body[0]: must be a table, found the number 1"]);
    check(&format!("[solver]\nsubsteps = 2.5 #!\n{}", cloth("")), &["must be a whole number", "2.5"]);
    check(&format!("[solver]\nmode = \"xpdb\" #!\n{}", cloth("")), &["did you mean 'xpbd'?"]);
    check(&format!("[solver]\nmethod = \"gauss\" #!\n{}", cloth("")), &["there are: gauss-seidel, jacobi"]);
    check(
        &format!("[solver]\nintegrator = \"bfd2\" #!\n{}", cloth("")),
        &["solver.integrator", "did you mean 'bdf2'?"],
    );
    check(&constraint("particles = [0, 1] #!"), &["particles[0]: must be a list in square brackets"]);
    check(&constraint("particles = [[0, 1]]\nside = \"left\" #!"), &["there are: both, pull, push"]);
    let across = "[[constraint]]\nkind = \"distance\"\nparticles = [[0, 1]] #!";
    check(&particles(across), &["must be a body's name and an index"]);
}

/// What is missing is told with an example of what to add.
#[test]
fn missing_keys() {
    check("[[body]] #!\nname = \"a\"", &["body[0]: has no `kind`; add for instance kind = \"cloth\""]);
    check("[[body]] #!\nkind = \"cloth\"", &["has no `mesh`; add for instance mesh = { grid"]);
    check("[[body]] #!\nkind = \"particles\"", &["has no `positions`; add for instance"]);
    check(&particles("[[force]] #!"), &["needs one of: value, keyframes"]);
    check(&particles("[[collider]] #!"), &["has no `shape`; add for instance"]);
    check(&particles("[[body.constraint]] #!\nkind = \"distance\""), &["has no `particles`; add for instance"]);
}

/// Settings that no simulation can run with.
#[test]
fn settings() {
    for (key, value) in [
        ("frame_rate", "0"),
        ("frame_rate", "-60.0"),
        ("frame_rate", "1e9"),
        ("frame_rate", "nan"),
        ("substeps", "0"),
        ("substeps", "100000000"),
        ("iterations", "0"),
        ("iterations", "4294967295"),
        ("relaxation", "0"),
        ("relaxation", "2.0"),
        ("relaxation", "inf"),
        ("max_colours", "0"),
        ("max_colours", "65"),
    ] {
        let text = format!("[solver]\n{key} = {value} #!\n{}", cloth("mass = 1"));
        check(&text, &[&format!("solver.{key}: must be a finite number"), "found"]);
    }
    check(&format!("[solver]\nsubsteps = -1 #!\n{}", cloth("")), &["must be a whole number", "found the number -1"]);
    check(&format!("[world]\nmax_speed = 0 #!\n{}", cloth("")), &["world.max_speed", "leave it out for no limit"]);
    check(
        &format!("[world]\nwind = [0, 0, nan] #!\n{}", cloth("")),
        &["world.wind[2]", "found NaN; a storm has 30 m/s"],
    );
    check(&format!("[world]\nair_density = -1 #!\n{}", cloth("")), &["world.air_density", "found -1; air has 1.2"]);
    check(&cloth("drag = -1 #!"), &["body[0].drag", "found -1; 0 is none"]);
    check(&cloth("lift = inf #!"), &["body[0].lift", "found inf"]);
    check(&particles("lift = 1 #!"), &["body[0].lift: acts on surfaces, and particles and strands have none"]);
    check(&particles("drag = 1 #!"), &["body[0].drag: needs the particles' size; give the body a radius"]);
    check(&format!("[world]\ngravity = [0, inf, 0] #!\n{}", cloth("")), &["world.gravity[1]", "found inf"]);
    check(&format!("camera = {{ eye = [0, 0, 0], target = [0, 0, 0] }} #!\n{}", cloth("")), &["move one of the two"]);
    let camera = "camera = { eye = [0, 0, 1], target = [0, 0, 0], field_of_view = 0 } #!";
    check(&format!("{camera}\n{}", cloth("")), &["camera.field_of_view"]);
}

/// Numbers of a body that are negative, not finite, or too large to be meant.
#[test]
fn numbers_of_bodies() {
    for (line, word) in [
        ("mass = -1", "body[0].mass: must be a finite number from 0 to 1e15 kg, found -1; 0 fixes"),
        ("mass = nan", "found NaN"),
        ("mass = inf", "found inf"),
        ("density = -0.1", "body[0].density"),
        ("radius = -0.1", "body[0].radius"),
        ("thickness = nan", "body[0].thickness"),
        ("friction = -0.1", "body[0].friction"),
        ("dynamic_friction = -0.1", "body[0].dynamic_friction"),
        ("restitution = 1.1", "body[0].restitution"),
        ("damping = -1", "body[0].damping: must be a finite number from 0 to 1000000 1/s, found -1; 0 is none"),
        ("damping = inf", "body[0].damping"),
        ("colour = [0, 2, 0]", "body[0].colour[1]"),
        ("scale = 0", "body[0].scale[0]"),
        ("scale = [1, -1, 1]", "body[0].scale[1]"),
        ("scale = [1, 1, 1e200]", "body[0].scale[2]"),
        ("rotation = [0, 0, 0, 0]", "must not be zero; give a direction"),
        ("rotation = [0, 0, nan, 0]", "body[0].rotation[2]"),
        ("position = [0, 1e39, 0]", "body[0].position[1]"),
        ("velocity = [0, 0, 2e6]", "body[0].velocity[2]"),
        ("velocity = [1e6, 1e6, nan]", "body[0].velocity[2]"),
        ("angular_velocity = [inf, 0, 0]", "body[0].angular_velocity[0]"),
        ("stretch_compliance = -1e-8", "body[0].stretch_compliance"),
        ("stretch_compliance = nan", "0 is rigid"),
        ("shear_compliance = -1", "body[0].shear_compliance"),
        ("bend = { kind = \"distance\", compliance = -1 }", "body[0].bend.compliance"),
        ("stretch_stiffness = 1.5", "from 0 to 1, found 1.5"),
        ("shear_stiffness = -0.5", "body[0].shear_stiffness"),
        ("bend_stiffness = 2", "body[0].bend_stiffness"),
    ] {
        check(&cloth(&format!("{line} #!")), &[word]);
    }
    let light = cloth("mass = 1e-300").replacen("]]", "]] #!", 1);
    check(&light, &["particle 0 gets 1.1111111111111111e-301 kg", "too little for single precision; make it at least"]);
    check(&cloth("radius = 0.1\nthickness = 0.2 #!"), &["give one of the two"]);
    check(&cloth("mass = 1\ndensity = 0.2 #!"), &["give one of the two"]);
}

/// A body must weigh something or be held.
#[test]
fn bodies_without_mass() {
    check(&cloth("mass = 0 #!"), &["nothing is pinned", "give a mass above 0, or pin it"]);
    check(&cloth("density = 0.0 #!"), &["body[0].density", "give a mass above 0, or pin it"]);
    check(&particles("mass = 0.0 #!"), &["give a mass above 0, or pin it"]);
    assert!(try_build(&cloth("mass = 0\npin = [\"top\"]")).is_ok());
    assert!(try_build(&particles("masses = [0, 0, 0]")).is_ok());
}

/// Lists of particles that do not fit together, are empty or leave single precision.
#[test]
fn lists_of_particles() {
    check("[[body]]\nkind = \"particles\"\npositions = [] #!", &["the body is empty; list at least one position"]);
    check(
        "[[body]]\nkind = \"particles\"\npositions = [[0, 1e39, 0]] #!",
        &["positions[0][1]", "nearer to the origin"],
    );
    check("[[body]]\nkind = \"particles\"\npositions = [[0, nan, 0]] #!", &["positions[0][1]", "found NaN"]);
    check(&particles("masses = [1, 1] #!"), &["has 2 entries for 3 particles; give one for each"]);
    check(&particles("masses = [1, -1, 1] #!"), &["masses[1]", "found -1"]);
    check(&particles("masses = [1, 1, inf] #!"), &["masses[2]", "found inf"]);
    check(&particles("mass = 1\nmasses = [1, 1, 1] #!"), &["give one of the two"]);
    check(&particles("density = 1 #!"), &["needs a surface", "give `mass` or `masses`"]);
    check(&particles("velocities = [[0, 0, 0]] #!"), &["has 1 entries for 3 particles"]);
    check(&particles("velocities = [[0, 0, 0], [0, 2e6, 0], [0, 0, 0]] #!"), &["velocities[1][1]", "1e6 m/s"]);
    let fast = particles("velocity = [6e5, 0, 0]\nvelocities = [[6e5, 0, 0], [0, 0, 0], [0, 0, 0]]");
    check(&fast.replacen("]]", "]] #!", 1), &["velocity of particle 0"]);
    let far = particles("scale = 1e9\nposition = [1e9, 0, 0]").replacen("]]", "]] #!", 1);
    check(&far, &["particle 1, as placed", "bring the scene nearer to the origin"]);
}

/// Balloons of what is not closed, or encloses nothing, and what they are filled with.
#[test]
fn balloons() {
    let balloon = |mesh: &str, lines: &str| format!("[[body]]\nkind = \"balloon\"\nmesh = {mesh}\n{lines}\n");
    let sphere = "{ sphere = { radius = 1, segments = 5 } }";
    assert!(try_build(&balloon(sphere, "inflation = 2")).is_ok());
    let grid = balloon("{ grid = { columns = 3, rows = 3, width = 1, height = 1 } } #!", "");
    check(&grid, &["body[0].mesh: is no closed surface", "[-0.5, 0, 0] to", "belongs to one triangle only"]);
    check(&balloon(sphere, "volume_compliance = -1 #!"), &["body[0].volume_compliance", "0 is rigid"]);
    check(&balloon(sphere, "volume_stiffness = 2 #!"), &["body[0].volume_stiffness", "1 is all"]);
    check(&balloon(sphere, "inflation = -1 #!"), &["body[0].inflation", "found -1"]);
    check(&balloon(sphere, "inflation = nan #!"), &["body[0].inflation", "found NaN"]);
    check(&balloon(sphere, "inflaton = 1 #!"), &["did you mean 'inflation'?"]);
    check(&balloon(sphere, "keyframes = [{ time = 0, value = -2 }] #!"), &["body[0].keyframes[0].value", "found -2"]);
    check(&balloon(sphere, "keyframes = [{ time = 0, value = [1, 2] }] #!"), &["must be 1 for rest_volume, found 2"]);
    check(&balloon(sphere, "period = 1 #!"), &["body[0].period", "give these too"]);
    check(&balloon(sphere, "break_force = 1 #!"), &["body[0].break_force: is for cloth", "remove it"]);
    check(&balloon(sphere, "spare_particles = 9 #!"), &["body[0].spare_particles: is for cloth"]);
    check(&cloth("inflation = 1 #!"), &["body[0].inflation: unknown key"]);
    let refused = |triangles: &[[u32; 3]]| {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let body = Body::balloon(TriangleMesh { positions, triangles: triangles.to_vec() });
        Scene::new("").with(body).build().expect_err("a refusal").to_string()
    };
    let inwards = refused(&[[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]]);
    assert!(inwards.contains("body[0].mesh: encloses -0.16") && inwards.contains("wound inwards"), "{inwards}");
    let turned = refused(&[[0, 2, 1], [0, 1, 3], [2, 1, 3], [0, 3, 2]]);
    assert!(turned.contains("wound against each other"), "{turned}");
}

/// Lists of corners that are no closed surface.
#[test]
fn surfaces_of_particles() {
    let volume = |list: &str| {
        let lines = format!("[[body.constraint]]\nkind = \"volume\"\nparticles = [{list}] #!");
        particles_and(&lines).replace("[0, -1, 0]", "[0, 0, 1]")
    };
    let closed = "0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2";
    assert!(try_build(&volume(&format!("[{closed}]"))).is_ok());
    assert!(try_build(&volume("[0, 1, 2, 3]")).is_ok());
    check(&volume("[0, 1, 2]"), &["particles[0]: 'volume' connects 4, or 12 or more particles, found 3"]);
    check(&volume("[0, 1, 2, 2]"), &["names one particle twice"]);
    check(&volume(&format!("[{closed}, 0]")), &["lists the corners of triangles, three each, and has 13"]);
    check(&volume(&format!("[{closed}, 0, 1, 0]")), &["triangle 4 names one particle twice"]);
    check(&volume(&format!("[{closed}, 0, 1, 2]")), &["from [0, 0, 0] to", "belongs to more than two triangles"]);
    check(&volume("[0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 2, 3]"), &["wound against each other"]);
    check(&volume(&format!("[{}]", closed.replace('3', "7"))), &["has no particle 7"]);
}

/// Grids and meshes that are no surface, or more than a machine holds.
#[test]
fn meshes() {
    let grid = |columns: &str, rows: &str, width: &str| {
        let mesh = format!("{{ grid = {{ columns = {columns}, rows = {rows}, width = {width}, height = 1 }} }}");
        format!("[[body]]\nkind = \"cloth\"\nmesh = {mesh} #!")
    };
    check(&grid("1", "3", "1"), &["body[0].mesh.grid.columns: must be at least 2, found 1"]);
    check(&grid("3", "0", "1"), &["body[0].mesh.grid.rows: must be at least 2, found 0"]);
    check(&grid("3", "3", "0"), &["body[0].mesh.grid.width", "give a length above 0"]);
    check(&grid("3", "3", "-1"), &["body[0].mesh.grid.width"]);
    check(&grid("4294967295", "4294967295", "1"), &["18446744065119617025 particles", "make it coarser"]);
    check(&grid("65536", "65536", "1"), &["4294967296 particles", "make it coarser"]);
    check(&grid("-3", "3", "1"), &["must be a whole number"]);
    let mesh = |mesh: &str| format!("[[body]]\nkind = \"cloth\"\nmesh = {mesh} #!");
    check(&mesh("{ sphere = { radius = 0, segments = 8 } }"), &["mesh.sphere.radius"]);
    check(&mesh("{ sphere = { radius = 1, segments = 4 } }"), &["mesh.sphere.segments: must be at least 5"]);
    check(&mesh("{ sphere = { radius = 1, segments = 4000000000 } }"), &["make it coarser"]);
    check(&mesh("{ box = { cells = [1, 0, 1], size = [1, 1, 1] } }"), &["mesh.box.cells[1]: must be at least 1"]);
    check(&mesh("{ box = { cells = [1, 1], size = [1, 1, 1] } }"), &["must be a list of 3 whole numbers"]);
    check(&mesh("{ box = { cells = [1, 1, 1], size = [1, 1, 0] } }"), &["mesh.box.size[2]"]);
    let torus = |tube| format!("{{ torus = {{ radius = 1, tube_radius = {tube}, segments = 8, tube_segments = 6 }} }}");
    check(&mesh(&torus(1.5)), &["tube_radius", "make it smaller"]);
    check(&mesh("{}"), &["needs one of: grid, file, box, sphere, torus"]);
    let shear = "[[body]]\nkind = \"cloth\"\nmesh = { sphere = { radius = 1, segments = 8 } }\nshear_compliance = 1 #!";
    check(shear, &["a triangle mesh has no diagonals", "remove it"]);
}

/// Meshes that a builder hands over are checked as those from files are.
#[test]
fn meshes_of_the_builder() {
    let refused = |positions: &[[f64; 3]], triangles: &[[u32; 3]]| {
        let mesh = TriangleMesh { positions: positions.to_vec(), triangles: triangles.to_vec() };
        Scene::new("").with(Body::cloth(mesh)).build().expect_err("a refusal").to_string()
    };
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    assert!(refused(&[], &[]).contains("body[0].mesh: has no area"));
    assert!(refused(&corners, &[]).contains("has no area"));
    assert!(refused(&corners, &[[0, 1, 3]]).contains("has no area"));
    assert!(refused(&corners, &[[0, 1, 9]]).contains("triangles[0]: names a vertex beyond the 4 that there are"));
    assert!(refused(&corners, &[[0, 1, 2]]).contains("vertex 3 belongs to no triangle with area"));
    assert!(refused(&corners, &[[0, 1, 1]]).contains("triangles[0]: names one vertex twice"));
    assert!(refused(&[[f64::NAN; 3]; 3], &[[0, 1, 2]]).contains("positions[0][0]"));
}

/// Constraints that connect nothing, the wrong number, or a particle with itself, and their numbers.
#[test]
fn constraints() {
    check(&constraint("particles = [] #!"), &["is empty; list the particles"]);
    check(
        &constraint("particles = [[0, 3]] #!"),
        &["constraint[0].particles[0][1]", "no particle 3; indices go from 0 to 2"],
    );
    check(&constraint("particles = [[1, 1]] #!"), &["names one particle twice", "must be different"]);
    check(&constraint("particles = [[0]] #!"), &["'distance' connects 2 particles, found 1"]);
    check(&constraint("particles = [[0, 1, 2]] #!"), &["'distance' connects 2 particles, found 3"]);
    let kind = "[[body.constraint]]\nkind = \"distnce\" #!\nparticles = [[0, 1]]";
    check(&particles(kind), &["unknown constraint kind 'distnce'", "did you mean 'distance'? There are: distance"]);
    for (line, word) in [
        ("compliance = -1", "constraint[0].compliance"),
        ("compliance = nan", "found NaN"),
        ("compliance = [0]", "has 1 entries for 2 constraints"),
        ("compliance = [0, -1]", "compliance[1]"),
        ("damping = -1", "constraint[0].damping"),
        ("damping = inf", "constraint[0].damping"),
        ("stiffness = 1.5", "constraint[0].stiffness"),
        ("break_force = 0", "leave it out for what never breaks"),
        ("rest_length = -1", "constraint[0].rest_length"),
        ("rest_length = inf", "leave it out for the value as placed"),
        ("rest_length = [1, 1, 1]", "has 3 entries for 2 constraints"),
        ("min_length = -1", "constraint[0].min_length"),
        ("max_length = [1]", "has 1 entries for 2 constraints"),
        ("max_lenght = 1", "did you mean 'max_length'?"),
        ("min_angle = 1", "unknown key"),
        ("min_length = 2\nmax_length = [3, 1]", "of constraint 1 is 1, below the min_length of 2"),
        ("min_length = 2\nrest_length = 1", "is given beside limits"),
        ("min_length = 2\nside = \"pull\"", "is given beside limits"),
    ] {
        check(&constraint(&format!("particles = [[0, 1], [1, 2]]\n{line} #!")), &[word]);
    }
    for (lines, words) in [
        ("break_force = 0 #!", ["break_force", "leave it out for what never breaks"]),
        ("break_force = nan #!", ["break_force", "found NaN"]),
        ("break_force = \"weak\" #!", ["break_force", "a number"]),
        ("spare_particles = 9 #!", ["spare_particles", "give it a break_force"]),
        ("break_force = 1\nspare_particles = 0 #!", ["spare_particles", "as many as the mesh has vertices"]),
        ("break_force = 1\nspare_particles = 200000000 #!", ["spare_particles", "give fewer"]),
        ("break_force = 1\nspare_particles = 1.5 #!", ["spare_particles", "whole number"]),
        ("break_force = 1\npin = [\"top\"]\ntether = {} #!", ["tether", "cannot follow a tear"]),
        ("break_force = 1\ndamping = 1.0 #!", ["damping", "cannot follow a tear"]),
        ("break_force = 1\nplanar = true #!", ["planar", "leave out one of the two"]),
    ] {
        check(&cloth(lines), &words);
    }
    let jacobi = format!("[solver]\nmethod = \"jacobi\"\n{}", cloth("break_force = 1 #!"));
    check(&jacobi, &["body[0].break_force", "set it, or remove this"]);
    let of_kind = |kind: &str, lines: &str| particles(&format!("[[body.constraint]]\nkind = \"{kind}\"\n{lines} #!"));
    check(&of_kind("attach", "particles = [[0, 1, 2]]"), &["'attach' connects 1, or 2, or 4 particles, found 3"]);
    check(&of_kind("weld", "particles = [[0]]"), &["'weld' connects 2 particles, found 1"]);
    check(&of_kind("area", "particles = [[0, 1]]"), &["'area' connects 3, or 3 or more particles, found 2"]);
    check(&of_kind("plane", "particles = [[0]]\nnormal = [0, 0, 0]"), &["constraint[0].normal", "must not be zero"]);
    check(&of_kind("plane", "particles = [[0]]\nnormal = [0, 1]"), &["has 2 numbers; give three"]);
    check(&of_kind("plane", "particles = [[0]]\nnormal = 1"), &["is one number; give three"]);
    check(&of_kind("plane", "particles = [[0]]\nnormall = [0, 1, 0]"), &["did you mean 'normal'?"]);
    check(&of_kind("attach", "particles = [[0]]\npoint = [0, nan, 0]"), &["point[1]", "found NaN"]);
    let across = |ends: &str| particles(&format!("[[constraint]]\nkind = \"distance\"\nparticles = [[{ends}]] #!"));
    check(&across("[\"body\", 0], [\"body0\", 1]"), &["there is no body 'body'", "did you mean 'body0'?"]);
    check(&across("[\"body0\", 7], [\"body0\", 1]"), &["'body0' has no particle 7"]);
    check(&across("[\"body0\", 1], [\"body0\", 1]"), &["names one particle twice"]);
    check(&across("[\"body0\", 1]"), &["connects 2 particles, found 1"]);
}

/// Pins that hold nothing, or pull one particle two ways.
#[test]
fn pins() {
    check(&cloth("pin = [9] #!"), &["'body0' has no particle 9; indices go from 0 to 8"]);
    check(&cloth("pin = [{ indices = [0, 12] }] #!"), &["pin[0].indices[1]"]);
    check(&cloth("pin = [{ indices = [] }] #!"), &["selects no particle"]);
    check(&cloth("pin = [\"topleft\"] #!"), &["there is no 'topleft' to pin", "did you mean 'top-left'?"]);
    check(&cloth("pin = [{ box = [[5, 5, 5], [6, 6, 6]] }] #!"), &["selects no particle", "the body spans"]);
    check(&cloth("pin = [{ sphere = [[5, 5, 5], 1] }] #!"), &["selects no particle", "move the selection there"]);
    check(&cloth("pin = [{ sphere = [[0, 0, 0], -1] }] #!"), &["give a length above 0"]);
    check(&cloth("pin = [{ box = [[nan, 5, 5], [6, 6, 6]] }] #!"), &["found NaN"]);
    let moved = "{ names = [\"top-left\"], keyframes = [{ time = 0, value = [1, 0, 0] }] }";
    check(
        &cloth(&format!("pin = [\n\"top\",\n{moved} #!\n]")),
        &["moves particle 0 otherwise than pin[0]", "pin it once"],
    );
    check(&particles("pin = [\"top-left\"] #!"), &["there is no 'top-left'", "top, bottom, left, right"]);
}

/// Keyframes must be there, finite and in order.
#[test]
fn keyframes() {
    let force = |keyframes: &str| particles(&format!("[[force]]\nkeyframes = {keyframes} #!"));
    check(&force("[]"), &["has no keyframe; give at least one"]);
    check(&force("[{ time = 1, value = [0, 0, 0] }, { time = 1, value = [0, 0, 0] }]"), &["put keyframes in order"]);
    check(&force("[{ time = 1, value = [0, 0, 0] }, { time = 0, value = [0, 0, 0] }]"), &["keyframes[1].time"]);
    check(&force("[{ time = nan, value = [0, 0, 0] }]"), &["keyframes[0].time"]);
    check(&force("[{ time = 0, value = [0, inf, 0] }]"), &["keyframes[0].value[1]"]);
    check(&force("[{ time = 0 }]"), &["has no `value`"]);
    check(&cloth("pin = [{ names = [\"top\"], keyframes = [] }] #!"), &["has no keyframe"]);
    let collider = "[[collider]]\nshape = { plane = {} }\nkeyframes = [{ time = 0, value = [0, 1e30, 0] }] #!";
    check(&particles(collider), &["collider[0].keyframes[0].value[1]"]);
}

/// Forces and colliders that act on what is not there, or have no shape.
#[test]
fn forces_and_colliders() {
    check(
        &particles("[[force]]\nbody = \"rope\" #!\nvalue = [0, 0, 0]"),
        &["there is no body 'rope'; there are: body0"],
    );
    check(&particles("[[force]]\nbody = \"body0\"\nparticles = [3] #!\nvalue = [0, 0, 0]"), &["no particle 3"]);
    check(&particles("[[force]]\nbody = \"body0\"\nparticles = [1, 1] #!\nvalue = [0, 0, 0]"), &["name each once"]);
    check(&particles("[[force]]\nbody = \"body0\"\nparticles = [] #!\nvalue = [0, 0, 0]"), &["is empty"]);
    check(&particles("[[force]]\nparticles = [1] #!\nvalue = [0, 0, 0]"), &["say which with `body`"]);
    check(&particles("[[force]]\nvalue = [0, nan, 0] #!"), &["force[0].value[1]"]);
    check(&particles("[[force]] #!\nvalue = [0, 0, 0]\nkeyframes = []"), &["has both `value` and `keyframes`"]);
    let collider = |lines: &str| particles(&format!("[[collider]]\n{lines}"));
    check(&collider("shape = { sphere = { radius = 0 } } #!"), &["shape.sphere.radius", "give a length above 0"]);
    check(&collider("shape = { plane = { normal = [0, 0, 0] } } #!"), &["must not be zero"]);
    check(&collider("shape = { plane = { offset = inf } } #!"), &["shape.plane.offset"]);
    check(&collider("shape = { plane = {} }\ninside = true #!"), &["a plane has no inside"]);
    check(&collider("shape = { plane = {} }\nrestitution = 2 #!"), &["collider[0].restitution"]);
    check(&collider("shape = { plane = {} }\nfriction = -1 #!"), &["collider[0].friction"]);
    check(&collider("shape = { plane = {} }\nrotation = [0, 0, 0, 0] #!"), &["collider[0].rotation"]);
    check(&collider("shape = { plane = {}, sphere = { radius = 1 } } #!"), &["has both `plane` and `sphere`"]);
}

/// Shapes, turning and groups of colliders, and groups of bodies.
#[test]
fn colliders_of_every_shape() {
    let shape = |shape: &str| particles(&format!("[[collider]]\nshape = {{ {shape} }} #!"));
    check(&shape("capsule = { radius = 1 }"), &["shape.capsule", "has no `length`"]);
    check(&shape("capsule = { radius = 1, length = -1 }"), &["shape.capsule.length", "from 0"]);
    check(&shape("capsule = { radius = 0, length = 1 }"), &["shape.capsule.radius", "give a length above 0"]);
    check(&shape("cylinder = { radius = 1, length = 0 }"), &["shape.cylinder.length", "give a length above 0"]);
    check(&shape("cylinder = { radius = 1, hight = 1 }"), &["has no `length`"]);
    check(&shape("box = { size = [1, 0, 1] }"), &["shape.box.size[1]", "give a length above 0"]);
    check(&shape("box = { size = 1 }"), &["shape.box.size", "a list of 3 numbers"]);
    check(&shape("bix = { size = 1 }"), &["did you mean 'box'?"]);

    let collider = |line: &str| particles(&format!("[[collider]]\nshape = {{ plane = {{}} }}\n{line} #!"));
    check(&collider("spin = [0, nan, 0]"), &["collider[0].spin[1]", "finite"]);
    check(&collider("spin = [0, 2000, 0]"), &["spin", "half a turn or more in a substep", "raise solver.substeps"]);
    check(&collider("belt = [0, 0]"), &["belt", "a list of 3 numbers"]);
    check(&collider("belt = [inf, 0, 0]"), &["collider[0].belt[0]"]);
    check(&collider("rotations = []"), &["rotations", "has no keyframe"]);
    check(&collider("rotations = [{ time = 0, value = [0, 0, 0, 0] }]"), &["rotations[0].value", "must not be zero"]);
    check(&collider("rotations = [{ time = 0, value = [0, 0, 1] }]"), &["rotations[0].value", "a list of 4 numbers"]);
    let backwards = "rotations = [{ time = 1, value = [0, 0, 0, 1] }, { time = 0, value = [0, 0, 0, 1] }]";
    check(&collider(backwards), &["rotations[1].time: must be later than the time before, 1 s"]);
    check(&collider("thickness = -1"), &["collider[0].thickness"]);
    check(&collider("adhesion = -1"), &["collider[0].adhesion", "0 holds nothing"]);
    check(&collider("trigger = 1"), &["collider[0].trigger", "true"]);
    check(&collider("trigger = true\nfriction = 0.5"), &["collider[0].friction", "a trigger lets everything through"]);
    check(&collider("collision_group = 32"), &["collider[0].collision_group", "there are 32 groups"]);
    check(&collider("collides_with = [0, 40]"), &["collides_with[1]", "there are 32 groups"]);
    check(&collider("collides_with = 1"), &["collides_with", "a list in square brackets"]);
    check(&particles("collision_group = -1 #!"), &["collision_group", "a whole number"]);
    check(&particles("collides_with = [32] #!"), &["body[0].collides_with[0]", "there are 32 groups"]);
}

/// Names must tell bodies apart, those given by default too.
#[test]
fn names_of_bodies() {
    let two = |first: &str, second: &str| format!("{}{}", particles(first), particles(second));
    check(&two("name = \"a\"", "name = \"a\" #!"), &["'a' is the name of body[0] already", "its own name"]);
    check(&two("", "name = \"body0\" #!"), &["'body0' is the name of body[0] already"]);
}

/// A scene with nothing in it, and one that is no TOML.
#[test]
fn whole_files() {
    assert_eq!(refusal(""), "test.toml: the scene is empty; add a [[body]]");
    check("[[body] #!", &["this is not valid TOML", "correct it there"]);
    let message = refusal("name = \"a\"\n[solver\n");
    assert!(message.starts_with("test.toml:2:8: this is not valid TOML: "), "{message}");
    let message = refusal("name = \"a\"\nname = \"b\"\n");
    assert!(message.starts_with("test.toml:2:1: this is not valid TOML: duplicate key"), "{message}");
    refusal(&format!("a = {}", "[".repeat(100_000)));
}

/// The builder's users get the same checks, with the place and without a line; nothing that is not a number gets through
/// any field.
#[test]
fn builder() {
    let grid = Grid { columns: 3, rows: 3, width: 1.0, height: 1.0 };
    let error = Scene::new("").with(Body::cloth(grid).mass(-1.0)).build().expect_err("a negative mass");
    assert_eq!((error.path().as_str(), error.position), ("body[0].mass", None));
    assert!(error.to_string().starts_with("body[0].mass: must be a finite number from 0"), "{error}");

    let nan = f64::NAN;
    let links = || Constraint::<u32>::new("distance", [[0, 1]]);
    let in_cloth = |cloth: Cloth| Scene::new("").with(Body::cloth(cloth));
    let with = |change: &dyn Fn(Body) -> Body| Scene::new("").with(change(Body::cloth(grid)));
    let plain = || Scene::new("").with(Body::cloth(grid));
    let settings = |change: &dyn Fn(&mut Settings)| {
        let mut scene = plain();
        change(&mut scene.settings);
        scene
    };
    let scenes = [
        in_cloth(Cloth::new(Grid { width: nan, ..grid })),
        in_cloth(Cloth::new(grid).stretch(nan)),
        in_cloth(Cloth::new(grid).shear(nan)),
        in_cloth(Cloth::new(grid).bend(nan)),
        in_cloth(Cloth { stretch_stiffness: nan, ..Cloth::new(grid) }),
        with(&|body| body.scale(nan)),
        with(&|body| body.rotation([nan, 0.0, 0.0, 1.0])),
        with(&|body| body.position([0.0, nan, 0.0])),
        with(&|body| body.velocity([0.0, nan, 0.0])),
        with(&|body| body.angular_velocity([0.0, nan, 0.0])),
        with(&|body| body.density(nan)),
        with(&|body| body.radius(nan)),
        with(&|body| body.thickness(nan)),
        with(&|body| body.friction(nan)),
        with(&|body| body.dynamic_friction(nan)),
        with(&|body| body.restitution(nan)),
        with(&|body| body.damping(nan)),
        with(&|body| body.colour([0.0, f32::NAN, 0.0])),
        with(&|body| body.pin(Select::Sphere { centre: [0.0; 3], radius: nan })),
        with(&|body| body.pin(Pin::from("top").keyframes([(nan, [0.0; 3])]))),
        with(&|body| body.constrain(links().compliance(nan))),
        with(&|body| body.constrain(links().damping(nan))),
        with(&|body| body.constrain(links().stiffness(nan))),
        with(&|body| body.constrain(links().break_force(nan))),
        with(&|body| body.constrain(links().rest("rest_length", nan))),
        plain().force(Force::new([nan, 0.0, 0.0])),
        plain().force(Force::new(vec![(0.0, [nan, 0.0, 0.0])])),
        plain().collider(Collider::plane([nan, 1.0, 0.0], 0.0)),
        plain().collider(Collider::plane([0.0, 1.0, 0.0], nan)),
        plain().collider(Collider::sphere(nan)),
        plain().collider(Collider::sphere(1.0).position([nan; 3])),
        settings(&|settings| settings.frame_rate = nan),
        settings(&|settings| settings.relaxation = nan),
    ];
    for (index, scene) in scenes.iter().enumerate() {
        let error = scene.build().expect_err(&format!("scene {index}"));
        assert!(error.to_string().contains("found NaN"), "scene {index}: {error}");
    }
}

pliant::gpu_record! {
    struct NeverAtRest {
        particles: [u32; 2],
        material: u32,
        _padding: u32,
    }
}

impl Kind for NeverAtRest {
    const NAME: &'static str = "never_at_rest";
    const WGSL: &'static str = "";
    const ARITY: Arity = Arity::Two;
    const REST: &'static [RestValue] = &[];
    const SYMMETRIES: &'static [Symmetry] = &[];
    const PBD: bool = false;
    fn record(particles: &[u32], _: &[f32], material: u32) -> Self {
        Self { particles: [particles[0], particles[1]], material, _padding: 0 }
    }
    fn measure(_: &[Vec3<f64>]) -> Vec<f64> {
        Vec::new()
    }
    fn evaluate<R: Real>(_: &[R], _: usize, x: &[Vec3<R>], gradient: &mut [Vec3<R>]) -> R {
        gradient.fill(Vec3::zero());
        (x[0] - x[1]).length() + R::from_f64(1.0)
    }
}

/// A kind of the embedder's own is found by its name, refused in PBD mode if it has none, and refused if registered twice.
#[test]
fn kinds_of_the_embedder() {
    let links = Constraint::<u32>::new("never_at_rest", [[0, 1]]);
    let body = Body::particles([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).constrain(links);
    let mut scene = Scene::new("").with(body);
    let error = scene.build().expect_err("an unknown kind").to_string();
    assert!(error.contains("body[0].constraint[0].kind: unknown constraint kind 'never_at_rest'"), "{error}");

    scene.register(constraint::kind::<NeverAtRest>());
    assert_eq!(scene.build().expect("a known kind").model.groups[0].kind.name(), "never_at_rest");

    scene.settings.mode = Mode::Pbd;
    let error = scene.build().expect_err("no PBD mode").to_string();
    assert!(error.contains("has no PBD mode") && error.contains("set solver.mode = \"xpbd\""), "{error}");

    scene.register(constraint::kind::<NeverAtRest>());
    let error = scene.build().expect_err("two of a name").to_string();
    assert!(error.contains("two constraint kinds 'never_at_rest'; register each once"), "{error}");
}

/// Curves of rest values that make no sense, or of kinds that have none to drive.
#[test]
fn rest_keyframes() {
    let pair = |lines: &str| constraint(&format!("particles = [[0, 1], [1, 2]]\n{lines}"));
    let of_kind = |kind: &str, particles: &str, lines: &str| {
        particles_and(&format!("[[body.constraint]]\nkind = \"{kind}\"\nparticles = [{particles}]\n{lines}"))
    };
    let place = "body[0].constraint[0].keyframes";
    check(&pair("keyframes = 1 #!"), &[place, "must be a list in square brackets"]);
    check(&pair("keyframes = [] #!"), &[place, "has no keyframe"]);
    check(&pair("keyframes = [{ time = 0, vale = 1 }] #!"), &["keyframes[0].vale", "did you mean 'value'?"]);
    check(&pair("keyframes = [{ time = 0 }] #!"), &["has no `value`; add for instance value = 1.0"]);
    check(&pair("keyframes = [{ time = 0, value = \"a\" }] #!"), &["keyframes[0].value", "must be a number"]);
    check(&pair("keyframes = [{ time = nan, value = 1 }] #!"), &["keyframes[0].time", "the simulation begins at 0 s"]);
    check(&pair("keyframes = [{ time = 0, value = -0.1 }] #!"), &["value[0]", "from 0 to", "1 leaves it as built"]);
    check(&pair("keyframes = [{ time = 0, value = inf }] #!"), &["value[0]", "found inf"]);
    let backwards = "keyframes = [{ time = 1, value = 1 }, { time = 1, value = 2 }] #!";
    check(&pair(backwards), &["keyframes[1].time: must be later than the time before, 1 s"]);
    check(
        &pair("keyframes = [{ time = 0, value = [1, 1, 1] }] #!"),
        &["keyframes[0].value: must be 1 for rest_length, found 3; give as many numbers"],
    );
    check(
        &of_kind("attach", "[0]", "keyframes = [{ time = 0, value = 1 }] #!"),
        &["keyframes[0].value: must be 3 for point_x, point_y, point_z, found 1"],
    );
    check(
        &of_kind("attach", "[0]", "keyframes = [{ time = 0, value = [0, 2e9, 0] }] #!"),
        &["value[1]", "0 leaves it as built"],
    );
    check(
        &of_kind("isometric_bend", "[0, 1, 2, 3]", "keyframes = [{ time = 0, value = [1, 1, 1] }] #!"),
        &[place, "'isometric_bend' has no rest values that a curve could drive; leave it out"],
    );
    let frames = "keyframes = [{ time = 0, value = 1 }, { time = 2, value = 1 }]";
    check(&pair(&format!("{frames}\nperiod = 0 #!")), &["period: must be a finite number above 0", "does not repeat"]);
    check(&pair(&format!("{frames}\nperiod = -1 #!")), &["period", "found -1"]);
    check(&pair(&format!("period = 1.5\n{frames} #!")), &["keyframes[1].time: lies outside of the period of 1.5 s"]);
    let early = "period = 1\nkeyframes = [{ time = -0.5, value = 1 }] #!";
    check(&pair(early), &["keyframes[0].time: lies outside of the period of 1 s; give times from 0 to it"]);
    check(&pair("period = 1 #!"), &["period: repeats `keyframes`; give these too"]);
    check(&pair("delay = 1 #!"), &["delay: delays `keyframes`; give these too"]);
    check(&pair(&format!("{frames}\ndelay = [1, 2, 3] #!")), &["delay: has 3 entries for 2 constraints"]);
    check(&pair(&format!("{frames}\ndelay = [0, nan] #!")), &["delay[1]: must be a finite number"]);
    check(&pair(&format!("{frames}\nperiods = 1 #!")), &["did you mean 'period'?"]);
}

/// Yielding without elastic deformation, without a rest value to take it, and without measure.
#[test]
fn yielding() {
    let pair = |lines: &str| constraint(&format!("particles = [[0, 1], [1, 2]]\n{lines}"));
    let soft = |lines: &str| pair(&format!("compliance = 1e-3\n{lines}"));
    check(&soft("yield = -0.1 #!"), &["yield: must be a finite number from 0", "leave it out for what never yields"]);
    check(&soft("yield = [0.1] #!"), &["yield: has 1 entries for 2 constraints"]);
    check(&soft("yield = \"much\" #!"), &["yield: must be a number"]);
    check(&soft("yield = 0.1\ncreep = 0 #!"), &["creep: must be a finite number above 0", "flows at once"]);
    check(&soft("yield = 0.1\ncreep = inf #!"), &["creep", "found inf"]);
    check(
        &soft("creep = 1 #!"),
        &["creep: is the rate at which what is beyond the yield point flows; give `yield` too"],
    );
    check(&pair("yield = 0.1 #!"), &["yield: is a limit of elastic deformation, and constraint 0 is rigid"]);
    check(&pair("compliance = [1, 0]\nyield = 0.1 #!"), &["constraint 1 is rigid; give it a compliance above 0"]);
    let pbd = format!("[solver]\nmode = \"pbd\"\n{}", soft("yield = 0.1 #!"));
    check(&pbd, &["yield: is a limit of elastic deformation, which PBD mode does not know; set solver.mode"]);
    let attach = "[[body.constraint]]\nkind = \"attach\"\nparticles = [[0]]\ncompliance = 1\nyield = 0.1 #!";
    let words = ["yield: 'attach' has no one rest value that could take what flows", "distance, angle, "];
    check(&particles_and(attach), &words);
    check(
        &constraint("compliance = 1\nyield = 0.1\nrest_length = [1, 0]\nparticles = [[0, 1], [1, 2]] #!"),
        &["particles[1]: has a rest value of 0, of which a yield point can be no share"],
    );
}
