//! Every fault of a scene is told with file, line, place and remedy.

mod bodies;
mod builder;
mod parts;

use super::refusal;

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

/// What does not exist is refused, never dropped in silence.
#[test]
fn what_does_not_exist_is_refused() {
    check("[[body]]\nkind = \"cloht\" #!", &["unknown kind of body 'cloht'", "did you mean 'cloth'?"]);
    check("[[body]]\nkind = \"cloth\"\nmesh = { line = {} } #!", &["mesh.line: unknown key", "There are: grid, file"]);
    check(&cloth("bend = { kind = \"dihedra\" } #!"), &["unknown kind of bend 'dihedra'; did you mean 'dihedral'?"]);
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
    check(&format!("[world]\npush_out_speed = 0 #!\n{}", cloth("")), &["world.push_out_speed", "1 is usual"]);
    check(
        &format!("[world]\nfriction_combine = \"average\" #!\n{}", cloth("")),
        &["world.friction_combine: 'average' is not allowed here", "there are: mean, min, max, product"],
    );
    check(&format!("[world]\nfriction_combine = 1 #!\n{}", cloth("")), &["must be a text in quotes"]);
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
    check(&cloth("contact = \"surface\" #!"), &["body[0].contact: needs the surface's thickness; give the body"]);
    check(&cloth("contact = \"mesh\" #!"), &["body[0].contact: 'mesh' is not allowed here", "balls, surface"]);
    let bdf2 = format!("solver.integrator = \"bdf2\"\n{}", cloth("thickness = 0.01\ncontact = \"surface\" #!"));
    check(&bdf2, &["body[0].contact: is \"surface\", which needs the integrator \"euler\""]);
    let tears = cloth("thickness = 0.01\nbreak_force = 1\ncontact = \"surface\" #!");
    check(&tears, &["body[0].contact: is \"surface\", which cannot follow a tear"]);
    check(&cloth("pin = [{ indices = [0], pivot = [0, 0, 0] }] #!"), &["pivot: is what a pin turns about"]);
    let spin = |text: &str| cloth(&format!("pin = [{{ indices = [0], spin = {{ {text} }} }}] #!"));
    check(&spin("axis = [0, 0, 0], rate = 1"), &["spin.axis: has no direction"]);
    check(&spin("axis = [0, 1, 0], rate = inf"), &["spin.rate", "found inf"]);
    check(&spin("axis = [0, 1, 0], rate = 1, until = -1"), &["spin.until", "found -1"]);
    check(&spin("axis = [0, 1, 0]"), &["rate"]);
    check(&format!("[world]\ngravity = [0, inf, 0] #!\n{}", cloth("")), &["world.gravity[1]", "found inf"]);
    check(&format!("camera = {{ eye = [0, 0, 0], target = [0, 0, 0] }} #!\n{}", cloth("")), &["move one of the two"]);
    let camera = "camera = { eye = [0, 0, 1], target = [0, 0, 0], field_of_view = 0 } #!";
    check(&format!("{camera}\n{}", cloth("")), &["camera.field_of_view"]);
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
