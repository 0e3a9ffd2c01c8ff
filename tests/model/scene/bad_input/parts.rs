//! Constraints, pins, curves, forces and colliders.

use super::{check, cloth, constraint, particles, particles_and};

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
        ("break_force = 0", "leave it out for a constraint that never breaks"),
        ("rest_length = -1", "constraint[0].rest_length"),
        ("rest_length = inf", "leave it out for the value as placed"),
        ("rest_length = [1, 1, 1]", "has 3 entries for 2 constraints"),
        ("min_length = -1", "constraint[0].min_length"),
        ("max_length = [1]", "has 1 entries for 2 constraints"),
        ("max_lenght = 1", "did you mean 'max_length'?"),
        ("min_angle = 1", "unknown key"),
        ("min_length = 2\nmax_length = [3, 1]", "of constraint 1 is 1, below the min_length of 2"),
        ("min_length = 2\nrest_length = 1", "cannot be combined with limits"),
        ("min_length = 2\nside = \"pull\"", "cannot be combined with limits"),
    ] {
        check(&constraint(&format!("particles = [[0, 1], [1, 2]]\n{line} #!")), &[word]);
    }
    for (lines, words) in [
        ("break_force = 0 #!", ["break_force", "leave it out for a constraint that never breaks"]),
        ("break_force = nan #!", ["break_force", "found NaN"]),
        ("break_force = \"weak\" #!", ["break_force", "a number"]),
        ("spare_particles = 9 #!", ["spare_particles", "give it a break_force"]),
        ("break_force = 1\nspare_particles = 0 #!", ["spare_particles", "as many as the mesh has vertices"]),
        ("break_force = 1\nspare_particles = 200000000 #!", ["spare_particles", "give fewer"]),
        ("break_force = 1\nspare_particles = 1.5 #!", ["spare_particles", "whole number"]),
        ("break_force = 1\npin = [\"top\"]\ntether = {} #!", ["tether", "cannot follow a tear"]),
        ("break_force = 1\ndamping = 1.0 #!", ["damping", "cannot follow a tear"]),
        ("break_force = 1\nplanar = true #!", ["planar", "remove one of the two"]),
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
    check(&of_kind("attach", "particles = [[0]]\npoint = [1e20, 0, 0]"), &["point[0]", "1e9 m"]);
    let angle = "particles = [[0, 1, 2]]\nrest_angle = 90";
    check(&of_kind("spatial_angle", angle), &["rest_angle", "rad", "90° is 1.5708"]);
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
        &["moves particle 0, which pin[0] moves differently", "pin it once"],
    );
    check(&particles("pin = [\"top-left\"] #!"), &["there is no 'top-left'", "top, bottom, left, right"]);
    let turning = |keys: &str| cloth(&format!("pin = [{{ indices = [0], {keys} }}] #!"));
    let turned = "keyframes = [{ time = 0, rotation = [0, 0, 0, 1] }]";
    let spin = "spin = { axis = [1, 0, 0], rate = 1 }";
    check(&turning(&format!("{spin}, {turned}")), &["pin[0].spin", "cannot be combined with a rotation"]);
    check(&turning("pivot = [0, 0, 0]"), &["pin[0].pivot", "give a spin, or a rotation in `keyframes`"]);
    check(&turning(&format!("pivot = [0, nan, 0], {turned}")), &["pin[0].pivot[1]", "found NaN"]);
    check(&turning("spin = { axis = [0, 0, 0], rate = 1 }"), &["pin[0].spin.axis", "has no direction"]);
    let zero = "keyframes = [{ time = 0, rotation = [0, 0, 0, 0] }]";
    check(&turning(zero), &["pin[0].keyframes[0].rotation"]);
    let one_of_two = "keyframes = [{ time = 0, rotation = [0, 0, 0, 1] }, { time = 1, value = [0, 0, 0] }]";
    check(&turning(one_of_two), &["pin[0].keyframes[0]", "has no `value`"]);
    let late = "keyframes = [{ time = 1, rotation = [0, 0, 0, 1] }, { time = 1, rotation = [0, 0, 0, 1] }]";
    check(&turning(late), &["pin[0].keyframes[1].time", "put keyframes in order"]);
    check(&turning("to = \"body0\""), &["pin[0].to", "'body0' is no driven body"]);
    check(&turning("to = \"dancer\""), &["pin[0].to", "there is no body 'dancer'"]);
}

/// Two entries may hold a particle that neither moves.
#[test]
fn pins_may_overlap() {
    super::super::build(&cloth("pin = [\"top\", \"left\"]"));
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
    check(&particles("[[force]]\nparticles = [1] #!\nvalue = [0, 0, 0]"), &["name the body with `body`"]);
    check(&particles("[[force]]\nvalue = [0, nan, 0] #!"), &["force[0].value[1]"]);
    check(&particles("[[force]] #!\nvalue = [0, 0, 0]\nkeyframes = []"), &["has both `value` and `keyframes`"]);
    let collider = |lines: &str| particles(&format!("[[collider]]\n{lines}"));
    check(&collider("shape = { sphere = { radius = 0 } } #!"), &["shape.sphere.radius", "give a length above 0"]);
    check(&collider("shape = { plane = { normal = [0, 0, 0] } } #!"), &["must not be zero"]);
    check(&collider("shape = { plane = { offset = inf } } #!"), &["shape.plane.offset"]);
    check(&collider("shape = { plane = {} }\ninside = true #!"), &["does not apply to a plane"]);
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
    check(&collider("trigger = true\nfriction = 0.5"), &["collider[0].friction", "which lets everything through"]);
    check(&collider("collision_group = 32"), &["collider[0].collision_group", "there are 32 groups"]);
    check(&collider("collides_with = [0, 40]"), &["collides_with[1]", "there are 32 groups"]);
    check(&collider("collides_with = 1"), &["collides_with", "a list in square brackets"]);
    check(&particles("collision_group = -1 #!"), &["collision_group", "a whole number"]);
    check(&particles("collides_with = [32] #!"), &["body[0].collides_with[0]", "there are 32 groups"]);
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
        &[place, "'isometric_bend' has no rest values that keyframes can drive; remove it"],
    );
    let frames = "keyframes = [{ time = 0, value = 1 }, { time = 2, value = 1 }]";
    check(&pair(&format!("{frames}\nperiod = 0 #!")), &["period: must be a finite number above 0", "do not repeat"]);
    check(&pair(&format!("{frames}\nperiod = -1 #!")), &["period", "found -1"]);
    check(&pair(&format!("period = 1.5\n{frames} #!")), &["keyframes[1].time: lies outside of the period of 1.5 s"]);
    let early = "period = 1\nkeyframes = [{ time = -0.5, value = 1 }] #!";
    check(&pair(early), &["keyframes[0].time: lies outside of the period of 1 s; give times from 0 to it"]);
    check(&pair("period = 1 #!"), &["period: repeats `keyframes`, and there are none; give keyframes too"]);
    check(&pair("delay = 1 #!"), &["delay: delays `keyframes`, and there are none; give keyframes too"]);
    check(&pair(&format!("{frames}\ndelay = [1, 2, 3] #!")), &["delay: has 3 entries for 2 constraints"]);
    check(&pair(&format!("{frames}\ndelay = [0, nan] #!")), &["delay[1]: must be a finite number"]);
    check(&pair(&format!("{frames}\nperiods = 1 #!")), &["did you mean 'period'?"]);
}

/// Yielding without elastic deformation, without a rest value to take it, and without measure.
#[test]
fn yielding() {
    let pair = |lines: &str| constraint(&format!("particles = [[0, 1], [1, 2]]\n{lines}"));
    let soft = |lines: &str| pair(&format!("compliance = 1e-3\n{lines}"));
    check(
        &soft("yield = -0.1 #!"),
        &["yield: must be a finite number from 0", "leave it out for a constraint that never yields"],
    );
    check(&soft("yield = [0.1] #!"), &["yield: has 1 entries for 2 constraints"]);
    check(&soft("yield = \"much\" #!"), &["yield: must be a number"]);
    check(&soft("yield = 0.1\ncreep = 0 #!"), &["creep: must be a finite number above 0", "flow at once"]);
    check(&soft("yield = 0.1\ncreep = inf #!"), &["creep", "found inf"]);
    check(&soft("creep = 1 #!"), &["creep: is the rate of flow beyond the yield point; give `yield` too"]);
    check(&pair("yield = 0.1 #!"), &["yield: is a limit of elastic deformation, and constraint 0 is rigid"]);
    check(&pair("compliance = [1, 0]\nyield = 0.1 #!"), &["constraint 1 is rigid; give it a compliance above 0"]);
    let pbd = format!("[solver]\nmode = \"pbd\"\n{}", soft("yield = 0.1 #!"));
    check(&pbd, &["yield: needs XPBD mode: PBD mode has no elastic deformation; set solver.mode"]);
    let attach = "[[body.constraint]]\nkind = \"attach\"\nparticles = [[0]]\ncompliance = 1\nyield = 0.1 #!";
    let words = ["yield: 'attach' cannot yield", "distance, angle, "];
    check(&particles_and(attach), &words);
    check(
        &constraint("compliance = 1\nyield = 0.1\nrest_length = [1, 0]\nparticles = [[0, 1], [1, 2]] #!"),
        &["particles[1]: has a rest value of 0, and `yield` is a share of the rest value"],
    );
}
