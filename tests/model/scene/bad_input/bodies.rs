//! Bodies: their meshes, particles and numbers.

use pliant::scene::{Body, Scene, TriangleMesh};

use super::super::try_build;
use super::{check, cloth, particles, particles_and};

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

/// Pins let go of what has a mass, at a time.
#[test]
fn pins_that_let_go() {
    check(&cloth("pin = [{ box = [[-9, -9, -9], [9, 9, 9]], until = -1 }] #!"), &["body[0].pin[0].until"]);
    check(&cloth("pin = [{ box = [[-9, -9, -9], [9, 9, 9]], until = \"soon\" }] #!"), &["until", "must be a number"]);
    check(
        &cloth("pin = [\"top-left\", { box = [[-9, -9, -9], [9, 9, 9]], until = 1 }] #!"),
        &["body[0].pin[1]", "which pin[0] moves differently"],
    );
    check(
        &particles("masses = [0, 0, 0]\npin = [{ box = [[-9, -9, -9], [9, 9, 9]], until = 1 }] #!"),
        &["body[0].pin[0].until", "lets go of nothing", "have no mass"],
    );
    check(
        &cloth("break_force = 1.0\npin = [{ names = [\"top\"], until = 1 }] #!"),
        &["body[0].pin", "lets go (`until`), and cannot follow a tear"],
    );
    let rigid = "[[body]]\nkind = \"rigid\"\nmesh = { box = { cells = [1, 1, 1], size = [1, 1, 1] } }\n";
    check(
        &format!("{rigid}pin = [{{ box = [[-9, -9, -9], [9, 9, 9]], until = 1 }}] #!"),
        &["body[0].pin", "does not let go of rigid bodies"],
    );
}

/// Shapes are filled where they are closed, flow where they are soft, and blend with the same mesh.
#[test]
fn shapes_that_change() {
    let of = |size: &str| format!("mesh = {{ box = {{ cells = [2, 2, 2], size = {size} }} }}\n");
    let with = |lines: &str| format!("[[body]]\nkind = \"shape\"\n{}{lines}\n", of("[1, 1, 1]"));
    let open = "[[body]]\nkind = \"shape\"\nmesh = { grid = { columns = 3, rows = 3, width = 1, height = 1 } } #!\nfill = 0.1\n";
    check(open, &["body[0].mesh"]);
    check(&with("fill = 0.0 #!"), &["body[0].fill"]);
    check(&with("fill = 5.0 #!"), &["body[0].fill", "no room for a particle", "lower it"]);
    check(&with("fill = 1e-5 #!"), &["body[0].fill", "raise it"]);
    check(&with("fill = \"fine\" #!"), &["body[0].fill", "must be a number"]);
    let fine = "[[body]]\nkind = \"shape\"\nmesh = { box = { cells = [10, 10, 10], size = [1, 1, 1] } }\n";
    check(
        &format!("{fine}fill = 0.25\nregion_spacing = 0.05\nregion_radius = 0.15 #!\n"),
        &["body[0].region_radius", "too small for the `fill`", "lower the fill"],
    );
    check(&with("yield = 0.1 #!"), &["body[0].yield", "rigid", "compliance above 0"]);
    check(&with("shape_compliance = 1e-4\nyield = -0.1 #!"), &["body[0].yield"]);
    check(&with("creep = 1.0 #!"), &["body[0].creep", "give `yield` too"]);
    check(&with("shape_compliance = 1e-4\nyield = 0.1\ncreep = 0 #!"), &["body[0].creep"]);
    check(
        &with("shape_compliance = 1e-5\nlinear_compliance = 1e-4\nyield = 0.1 #!"),
        &["body[0].yield", "changes one rest shape", "remove them"],
    );
    check(&format!("solver.mode = \"pbd\"\n{}", with("yield = 0.1 #!")), &["body[0].yield", "needs XPBD mode"]);
    let once = "keyframes = [{ time = 0, value = 0 }, { time = 1, value = 1 }]\n";
    let blend = |lines: &str| with(&format!("[[body.blend_shape]]\n{lines}"));
    let alone = "[[body.blend_shape]] #!\nmesh = { box = { cells = [2, 2, 2], size = [1, 2, 1] } }";
    check(&with(alone), &["blend_shape[0]", "has no `keyframes`"]);
    check(&with(&format!("[[body.blend_shape]] #!\n{once}")), &["blend_shape[0]", "mesh, pull"]);
    let pull = |keys: &str| blend(&format!("pull = {{ {keys} }} #!\n{once}"));
    check(&pull("at = [9, 9, 9], radius = 1, way = [0, 1, 0]"), &["blend_shape[0].pull", "reaches no particle"]);
    check(&pull("at = [0, 0, 0], radius = 0, way = [0, 1, 0]"), &["blend_shape[0].pull.radius"]);
    check(&pull("at = [0, 0, 0], radius = 1"), &["blend_shape[0].pull", "has no `way`"]);
    check(&pull("at = [0, 0], radius = 1, way = [0, 1, 0]"), &["blend_shape[0].pull.at"]);
    let other = "mesh = { box = { cells = [2, 2, 1], size = [1, 1, 1] } } #!\n";
    check(&blend(&format!("{other}{once}")), &["body[0].blend_shape[0].mesh", "has 18 vertices", "has 26"]);
    let same = of("[1, 2, 1]");
    check(&blend(&format!("{same}{once}perod = 1 #!")), &["blend_shape[0].perod"]);
    let late = format!("{same}{} #!\nperiod = 0.5\n", once.trim_end());
    check(&blend(&late), &["blend_shape[0].keyframes[1].time", "outside of the period"]);
    check(&blend(&format!("{same}{once}delay = inf #!")), &["blend_shape[0].delay"]);
    check(
        &blend(&format!("{same}keyframes = [{{ time = 0, value = 99 }}] #!")),
        &["blend_shape[0].keyframes[0].value"],
    );
    check(&blend(&format!("{same}keyframes = [] #!")), &["blend_shape[0].keyframes", "no keyframe"]);
    check(&with("blend_shape = { } #!"), &["must be a list of tables", "[[blend_shape]]"]);
    let cloth = cloth(&format!("[[body.blend_shape]] #!\n{same}{once}"));
    check(&cloth, &["body[0].blend_shape"]);
}

/// Fluids want a place to fill, one spacing for all, and a solver that can.
#[test]
fn fluids() {
    let fill = "fill = { box = { min = [0, 0, 0], max = [0.2, 0.2, 0.2] } }";
    let with = |lines: &str| format!("[[body]]\nkind = \"fluid\"\n{fill}\nspacing = 0.05\n{lines} #!\n");
    check("[[body]] #!\nkind = \"fluid\"\nspacing = 0.05\n", &["has no particle", "let an [[emitter]] pour it"]);
    check(&format!("[[body]] #!\nkind = \"fluid\"\n{fill}\n"), &["has no `spacing`"]);
    check(&with("viscosity = -1"), &["body[0].viscosity", "water has 0.001"]);
    check(&with("bulk_modulus = -1"), &["body[0].bulk_modulus"]);
    check(&with("surface_tension = -0.07"), &["body[0].surface_tension", "water has 0.072"]);
    check(&with("surface_tension = 0.07\ncontact_angle = 60"), &["body[0].contact_angle", "a right angle is 1.5708"]);
    check(&with("contact_angle = 1.0"), &["body[0].contact_angle", "set surface_tension"]);
    check(&with("radius = 0.01"), &["body[0].radius", "the spacing is the size of their particles; remove it"]);
    check(&with("material = \"rubber\""), &["body[0].material"]);
    check(&with("visc = 1"), &["body[0].visc"]);
    let spaced = |spacing: &str| format!("[[body]]\nkind = \"fluid\"\n{fill}\nspacing = {spacing} #!\n");
    check(&spaced("0.0"), &["body[0].spacing"]);
    check(&spaced("\"fine\""), &["body[0].spacing", "must be a number"]);
    let filled = |fill: &str| format!("[[body]]\nkind = \"fluid\"\nspacing = 0.05\nfill = {fill} #!\n");
    check(&filled("{ box = { min = [0, 0, 0], max = [1, 0, 1] } }"), &["body[0].fill.box.max[1]", "above min"]);
    check(&filled("{ box = { min = [0, 0, 0] } }"), &["has no `max`"]);
    check(&filled("{ box = { min = [0, 0, 0], max = [1e4, 1e4, 1e4] } }"), &["raise the spacing"]);
    check(&filled("{ mesh = { sphere = { radius = 0.001, segments = 12 } } }"), &["body[0].fill.mesh", "no room"]);
    check(&filled("{ mesh = { grid = { columns = 3, rows = 3, width = 1, height = 1 } } }"), &["body[0].fill.mesh"]);
    check(&filled("{ ball = 1 }"), &["body[0].fill"]);
    let second = format!("[[body]]\nkind = \"fluid\"\n{fill}\nspacing = 0.04 #!\n");
    let two = with("").replace(" #!", "") + &second;
    check(&two, &["body[1].spacing", "is 0.04 m, and another fluid has 0.05 m"]);
    check(
        &format!("solver.integrator = \"bdf2\"\n{}", with("").replace(" #!", "").replace("[[body]]", "[[body]] #!")),
        &["fluids need the integrator \"euler\""],
    );
    check(
        &format!("solver.mode = \"pbd\"\n{}", with("").replace(" #!", "").replace("[[body]]", "[[body]] #!")),
        &["fluids have no PBD mode"],
    );
}

/// Emitters want a fluid, a mouth and an end, and drains a box with something in it.
#[test]
fn flows() {
    let water = "[[body]]\nname = \"water\"\nkind = \"fluid\"\nspacing = 0.05\n";
    let whole = ["body = \"water\"", "position = [0, 1, 0]", "direction = [0, -1, 0]", "radius = 0.1", "speed = 1"];
    let with = |line: &str, rest: &[&str]| format!("{water}[[emitter]]\n{}\n{line} #!\n", rest.join("\n"));
    let without = |index: usize| {
        let rest: Vec<&str> = (0..5).filter(|k| *k != index).map(|k| whole[k]).collect();
        format!("{water}[[emitter]] #!\n{}\nuntil = 1\n", rest.join("\n"))
    };
    for (index, key) in ["body", "position", "direction", "radius", "speed"].into_iter().enumerate() {
        check(&without(index), &[&format!("has no `{key}`")]);
    }
    check(&format!("{water}[[emitter]] #!\n{}\n", whole.join("\n")), &["emitter[0]", "pours for ever", "until = 10.0"]);
    check(&with("until = -1", &whole), &["emitter[0].until"]);
    check(&with("particles = 0", &whole), &["emitter[0].particles"]);
    check(&with("till = 1", &whole), &["emitter[0].till"]);
    let replaced = |index: usize, line: &str| {
        let rest: Vec<&str> = (0..5).filter(|k| *k != index).map(|k| whole[k]).collect();
        with(line, &rest).replace("[[emitter]]\n", "[[emitter]]\nuntil = 1\n")
    };
    check(&replaced(0, "body = \"wine\""), &["emitter[0].body", "there is no body 'wine'"]);
    check(&replaced(2, "direction = [0, 0, 0]"), &["emitter[0].direction"]);
    check(&replaced(3, "radius = 0"), &["emitter[0].radius"]);
    check(&replaced(3, "radius = 1e6"), &["emitter[0].radius", "at most"]);
    check(&replaced(3, "radius = 0.1").replace("until = 1\n", "until = 1e9\n"), &["emitter[0].radius", "at most"]);
    check(&replaced(4, "speed = 0"), &["emitter[0].speed"]);
    let stone = "[[body]]\nname = \"stone\"\nkind = \"particles\"\npositions = [[0, 0, 0]]\n";
    check(&format!("{stone}{}", replaced(0, "body = \"stone\"")), &["'stone' is no fluid"]);
    let heavy =
        replaced(4, "speed = 1").replace(" #!", "").replace("spacing = 0.05\n", "spacing = 0.05\nmass = 1 #!\n");
    check(&heavy, &["body[0].mass", "give the density"]);
    let pinned =
        replaced(4, "speed = 1").replace(" #!", "").replace("spacing = 0.05\n", "spacing = 0.05\npin = [0] #!\n");
    check(&pinned, &["body[0].pin", "hold the fluid by colliders"]);
    let drained = |corners: &str| format!("{stone}[[drain]]\nbox = {{ {corners} }} #!\n");
    check(&drained("min = [0, 0, 0], max = [1, 0, 1]"), &["drain[0].box.max[1]", "above min"]);
    check(&drained("min = [0, 0, 0]"), &["has no `max`"]);
    check(&drained("min = [0, 0, 0], max = [1, 1, 1]"), &["drain[0].box", "takes fluids away, and the scene has none"]);
}

/// Rods want a section and a modulus, ends that there are, and a solver that can.
#[test]
fn rods() {
    let line = "mesh = { line = { from = [0, 0, 0], to = [0, 1, 0], segments = 3 } }";
    let with =
        |lines: &str| format!("[[body]]\nkind = \"rod\"\n{line}\nradius = 0.01\n{lines} #!\nyoung_modulus = 1e6\n");
    check(&format!("[[body]] #!\nkind = \"rod\"\n{line}\nyoung_modulus = 1e6\n"), &["a rod needs a `radius`"]);
    check(&format!("[[body]] #!\nkind = \"rod\"\n{line}\nradius = 0.01\n"), &["a rod needs a `young_modulus`"]);
    check(&with("poisson_ratio = 0.7"), &["body[0].poisson_ratio", "0.3 is usual"]);
    check(&with("shear_modulus = 0"), &["body[0].shear_modulus"]);
    check(&with("radii = [0.01]"), &["body[0].radii", "two half axes"]);
    check(&with("radii = [0.01, 0]"), &["body[0].radii"]);
    check(&with("viscosity = -1"), &["body[0].viscosity"]);
    check(&with("twist = nan"), &["body[0].twist"]);
    check(&with("rest = \"bent\""), &["'bent' is not allowed here", "straight, as placed"]);
    check(&with("clamp = [\"top\"]"), &["body[0].clamp[0]", "'top' is not allowed here", "first, last"]);
    check(&with("clamp = [{ spin = { axis = [1, 0, 0], rate = 1 } }]"), &["body[0].clamp[0]", "has no `end`"]);
    check(&with("clamp = [{ end = \"last\", sppin = 1 }]"), &["did you mean 'spin'?"]);
    check(&with("clamp = [{ end = \"last\", spin = { axis = [0, 0, 0], rate = 1 } }]"), &["clamp[0].spin.axis"]);
    let led =
        |way: &str| with(&format!("clamp = [{{ end = \"last\", keyframes = [{{ time = 0, {way} = [0, 0, 0] }}] }}]"));
    check(&led("value"), &["body[0].clamp[0].keyframes[0]", "position"]);
    check(&with("strands = 0"), &["strands: must be at least 1"]);
    let curved = |keys: &str| with(&format!("curvature = {{ {keys} }}"));
    let frames = "keyframes = [{ time = 0, value = [0, 0, 0] }, { time = 2, value = [1, 0, 0] }]";
    check(&curved("period = 1"), &["body[0].curvature", "has no `keyframes`"]);
    check(&curved("keyframes = []"), &["body[0].curvature.keyframes", "at least one"]);
    check(&curved("keyframes = [{ time = 0, value = 1 }]"), &["curvature.keyframes[0].value", "list of 3 numbers"]);
    check(&curved("keyframes = [{ time = 0, value = [0, inf, 0] }]"), &["curvature.keyframes[0].value[1]"]);
    check(&curved(&format!("{frames}, period = 1")), &["curvature.keyframes[1].time", "outside of the period"]);
    check(&curved(&format!("{frames}, period = 0")), &["body[0].curvature.period"]);
    check(&curved(&format!("{frames}, delay = nan")), &["body[0].curvature.delay"]);
    check(&curved(&format!("{frames}, lag = nan")), &["body[0].curvature.lag"]);
    check(&curved(&format!("{frames}, delays = 1")), &["did you mean 'delay'?"]);
    let material = "radius = 0.01\nmaterial = \"rubber\"\nyoung_modulus = 1e6 #!\n";
    check(&format!("[[body]]\nkind = \"rod\"\n{line}\n{material}"), &["cannot be combined with a material"]);
    let helix = "mesh = { helix = { radius = 0, pitch = 1, turns = 2, segments = 9 } } #!";
    check(&format!("[[body]]\nkind = \"rod\"\n{helix}\nradius = 0.1\nyoung_modulus = 1e6\n"), &["helix.radius"]);
    let rod = format!("[[body]] #!\nkind = \"rod\"\n{line}\nradius = 0.01\nyoung_modulus = 1e6\n");
    check(&format!("solver.mode = \"pbd\"\n{rod}"), &["rods have no PBD mode"]);
    check(&format!("solver.integrator = \"bdf2\"\n{rod}"), &["rods need the integrator"]);
}

/// Ropes, hair and strips that have no length or no points, and what they, materials and tethers lack.
#[test]
fn strands_materials_and_tethers() {
    let rope = |mesh: &str, lines: &str| format!("[[body]]\nkind = \"rope\"\n{lines}\nmesh = {mesh} #!\n");
    check(&rope("{ points = [[0, 0, 0]] }", ""), &["mesh.points: has 1 points; a strand needs at least two"]);
    check(&rope("{ points = [[0, 0, 0], [0, 0, 0]] }", ""), &["points 0 and 1 are in one place"]);
    check(&rope("{ points = [[0, 0, 0], [0, nan, 0]] }", ""), &["mesh.points[1][1]", "found NaN"]);
    check(&rope("{ line = { from = [0, 0, 0], to = [0, 0, 0], segments = 3 } }", ""), &["are in one place"]);
    check(
        &rope("{ line = { from = [0, 0, 0], to = [0, 1, 0], segments = 0 } }", ""),
        &["segments: must be at least 1"],
    );
    check(&rope("{ line = { from = [0, 0, 0], to = [0, 1, 0], segments = 4000000000 } }", ""), &["make it coarser"]);
    check(&rope("{ curve = { through = [[0, 0, 0]], segments = 3 } }", ""), &["mesh.curve.through: has 1 points"]);
    check(
        &rope("{ grid = { columns = 3 } }", ""),
        &["mesh.grid: unknown key", "there are: line, curve, helix, points"],
    );
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
    check(&with("material = \"fat\"\nradius = 0.1\nstretch_compliance = 1"), &["cannot be combined with a material"]);
    check(&with("tether = {}"), &["needs pins to hang from; pin the body"]);
    check(&with("pin = [0]\ntether = { slack = 0.5 }"), &["tether.slack", "1 is the way along the mesh"]);
    check(&with("pin = [0]\ntether = { nearest = 0 }"), &["tether.nearest"]);
    check(&with("pin = [0]\ntether = { slak = 2 }"), &["did you mean 'slack'?"]);
    check(&with("planar = 1"), &["planar: must be true or false"]);
    check(&particles("pin = [0]\ntether = {} #!"), &["follows the edges of a mesh, and loose particles have none"]);
    check(
        &particles("radius = 0.1\nmaterial = \"wood\" #!"),
        &["applies to cloth, balloons, ropes, hair, strips, rods and solids only"],
    );
    let oblong = "[[body]]\nkind = \"cloth\"\nmesh = { grid = { columns = 3, rows = 3, width = 1, height = 2 } }";
    check(&format!("{oblong}\nthickness = 0.1\nmaterial = \"wood\" #!"), &["cells of 0.5 m by 1 m"]);
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
    check(&grid, &["body[0].mesh: is not a closed surface", "[-0.5, 0, 0] to", "belongs to one triangle only"]);
    check(&balloon(sphere, "volume_compliance = -1 #!"), &["body[0].volume_compliance", "0 is rigid"]);
    check(&balloon(sphere, "volume_stiffness = 2 #!"), &["body[0].volume_stiffness", "1 is all"]);
    check(&balloon(sphere, "inflation = -1 #!"), &["body[0].inflation", "found -1"]);
    check(&balloon(sphere, "inflation = nan #!"), &["body[0].inflation", "found NaN"]);
    check(&balloon(sphere, "inflaton = 1 #!"), &["did you mean 'inflation'?"]);
    check(&balloon(sphere, "keyframes = [{ time = 0, value = -2 }] #!"), &["body[0].keyframes[0].value", "found -2"]);
    check(&balloon(sphere, "keyframes = [{ time = 0, value = [1, 2] }] #!"), &["must be 1 for rest_volume, found 2"]);
    check(&balloon(sphere, "period = 1 #!"), &["body[0].period", "give keyframes too"]);
    check(&balloon(sphere, "break_force = 1 #!"), &["body[0].break_force: does not apply to balloons", "remove it"]);
    check(&balloon(sphere, "spare_particles = 9 #!"), &["body[0].spare_particles: does not apply to balloons"]);
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
    check(shear, &["does not apply to a triangle mesh", "remove it"]);
}

/// Names must tell bodies apart, those given by default too.
#[test]
fn names_of_bodies() {
    let two = |first: &str, second: &str| format!("{}{}", particles(first), particles(second));
    check(&two("name = \"a\"", "name = \"a\" #!"), &["'a' is already the name of body[0]", "its own name"]);
    check(&two("", "name = \"body0\" #!"), &["'body0' is already the name of body[0]"]);
}

/// A box of this name that is rigid.
fn rigid(name: &str, keys: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nkind = \"rigid\"\nmesh = {{ box = {{ cells = [1, 1, 1], size = [1, 1, 1] }} }}\n{keys}\n"
    )
}

/// Rigid bodies enclose something, and move as one.
#[test]
fn rigid_bodies() {
    check("[[body]] #!\nkind = \"rigid\"", &["body[0]", "mesh"]);
    check(&rigid("a", "damping = 1 #!"), &["body[0].damping", "remove it"]);
    check(&rigid("a", "material = \"rubber\" #!"), &["body[0].material"]);
    let open = "[[body]]\nkind = \"rigid\"\nmesh = { grid = { columns = 3, rows = 3, width = 1, height = 1 } } #!";
    check(open, &["body[0].mesh", "is not a closed surface"]);
}

/// Joints hold rigid bodies that there are, with what their kind has.
#[test]
fn joints() {
    let two = rigid("a", "") + &rigid("b", "position = [2, 0, 0]");
    let joint = |lines: &str| format!("{two}[[joint]]\n{lines}");
    let ball = "kind = \"ball\"\nposition = [0, 0, 0]\n";
    let hinge = "kind = \"hinge\"\nbodies = [\"a\"]\nposition = [0, 0, 0]\n";
    check(&joint("kind = \"bal\" #!"), &["joint[0].kind", "ball, hinge, slider, fixed, distance"]);
    check(&joint(&format!("{ball}bodies = [\"c\"] #!")), &["joint[0].bodies[0]", "there is no body 'c'"]);
    check(&joint(&format!("{ball}bodies = [] #!")), &["joint[0].bodies", "give one body, or two"]);
    check(&joint(&format!("{ball}bodies = [\"a\", \"a\"] #!")), &["names 'a' twice"]);
    check(
        &joint(&format!("{ball}bodies = [\"a\"]\nlimits = [-1, 1] #!")),
        &["joint[0].limits", "give 0, and an angle"],
    );
    let fixed = "kind = \"fixed\"\nposition = [0, 0, 0]\nbodies = [\"a\"]\n";
    check(&joint(&format!("{fixed}limits = [0, 1] #!")), &["joint[0].limits", "leaves no motion"]);
    check(&joint(&format!("{ball}bodies = [\"a\"]\nmotor = {{ target = 1 }} #!")), &["joint[0].motor"]);
    check(&joint(&format!("{ball}bodies = [\"a\"]\nother_end = [0, 1, 0] #!")), &["joint[0].other_end"]);
    check(&joint(&format!("{ball}bodies = [\"a\"]\nbreak_force = 0 #!")), &["joint[0].break_force"]);
    check(&joint(&format!("{ball}bodies = [\"a\"]\nbreak_moment = -1 #!")), &["joint[0].break_moment"]);
    let rod = "kind = \"distance\"\nposition = [0, 0, 0]\nother_end = [0, 1, 0]\nbodies = [\"a\"]\n";
    check(&joint(&format!("{rod}break_moment = 1 #!")), &["joint[0].break_moment", "bears no moment"]);
    check(&joint(&format!("{ball}bodies = [\"a\"]\ncompliance = -1 #!")), &["joint[0].compliance"]);
    check(&joint(&format!("{hinge}axis = [0, 0, 0] #!")), &["joint[0].axis", "direction"]);
    check(&joint(&format!("{hinge}axis = [0, 0, 1]\nlimits = [1, 0] #!")), &["give the lower limit first"]);
    check(&joint(&format!("{hinge}axis = [0, 0, 1]\nlimits = [-4, 0] #!")), &["half a turn"]);
    check(&joint(&format!("{hinge}axis = [0, 0, 1]\nlimits = [1] #!")), &["two numbers"]);
    let motor = |keys: &str| joint(&format!("{hinge}axis = [0, 0, 1]\nmotor = {{ {keys} }} #!"));
    check(&joint(&format!("{hinge}axis = [0, 0, 1]\ndamping = -1 #!")), &["joint[0].damping"]);
    check(&joint(&format!("{ball}bodies = [\"a\"]\ndamping = 1 #!")), &["joint[0].damping", "hinges, sliders"]);
    check(&motor("target = 1, tempo = 2"), &["motor.tempo"]);
    check(&motor("keyframes = []"), &["motor.keyframes", "must not be empty"]);
    check(&motor("target = 1, compliance = -1"), &["motor.compliance"]);
    let distance = "[[joint]] #!\nkind = \"distance\"\nbodies = [\"a\"]\nposition = [0, 0, 0]";
    check(&format!("{two}{distance}"), &["joint[0].other_end", "is missing"]);
    let cloth = "[[body]]\nname = \"c\"\nkind = \"shape\"\nmesh = { box = { cells = [1, 1, 1], size = [1, 1, 1] } }\n";
    let on_shape = format!("{cloth}[[joint]]\n{ball}bodies = [\"c\"] #!");
    check(&on_shape, &["'c' is not rigid", "kind = \"rigid\""]);
    let pinned = rigid("a", "pin = [0]") + &format!("[[joint]]\n{ball}bodies = [\"a\"] #!");
    check(&pinned, &["'a' is pinned in part"]);
    let whole = rigid("a", "") + &format!("[[joint]] #!\n{ball}bodies = [\"a\"]");
    check(&format!("solver.mode = \"pbd\"\n{whole}"), &["joints have no PBD mode"]);
    check(&format!("solver.integrator = \"bdf2\"\n{whole}"), &["joints need the integrator"]);
}
