//! Every fault of a URDF file is told with file, line and remedy.

use super::super::bad_input::check;
use super::{cube, joint};
use pliant::scene::{Robot, Scene};

/// Refuses a robot with this content in a line that ends with `<!-- ! -->`, with these words.
fn refused(content: &str, words: &[&str]) {
    refused_file(&format!("<robot name=\"arm\">\n{content}\n</robot>"), words);
}

fn refused_file(text: &str, words: &[&str]) {
    let line = 1 + text.lines().position(|line| line.ends_with("<!-- ! -->")).expect("a line is marked");
    let robot = Robot::parse(text, "arm.urdf");
    let message = match Scene::new("").robot(robot).build() {
        Ok(_) => panic!("this robot was accepted:\n{text}"),
        Err(error) => error.to_string(),
    };
    assert!(message.starts_with(&format!("arm.urdf:{line}:")), "line {line} of\n{text}\n{message}");
    words.iter().for_each(|word| assert!(message.contains(word), "'{word}' is not in: {message}"));
}

fn marked(line: &str) -> String {
    format!("{line} <!-- ! -->\n")
}

fn shape(geometry: &str) -> String {
    marked(&format!("<link name=\"a\"><collision><geometry>{geometry}</geometry></collision></link>"))
}

/// What is no URDF at all.
#[test]
fn files_that_are_none() {
    refused_file("<robot><link name=\"a\"></robot> <!-- ! -->", &["not valid XML", "correct it"]);
    refused_file("solid teapot <!-- ! -->", &["not valid XML"]);
    refused_file("<!DOCTYPE a [<!ENTITY b \"c\">]><robot/> <!-- ! -->", &["document type", "remove <!DOCTYPE"]);
    refused_file("<sdf version=\"1.6\"/> <!-- ! -->", &["begins with <sdf>", "give the path of a .urdf file"]);
    refused_file("<robot name=\"arm\"/> <!-- ! -->", &["has no <link>; add one"]);
    let xacro = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name=\"a\">\n<xacro:arm side=\"left\"/> <!-- ! -->\n</robot>";
    refused_file(xacro, &["xacro file", "xacro IN.urdf.xacro > OUT.urdf"]);
    refused("<xacro:arm/> <!-- ! -->", &["xacro file"]);
    refused(&shape("<sphere radius=\"${r}\"/>"), &["found \"${r}\"", "expand it first"]);
    // Deep nesting is no reason to fail otherwise.
    let deep = format!("<robot>{}", "<a>".repeat(200_000));
    assert!(Scene::new("").robot(Robot::parse(deep, "deep.urdf")).build().is_err());
    let deep = format!("<robot name=\"r\">{}{}{}</robot>", "<a>".repeat(50_000), "</a>".repeat(50_000), cube("a"));
    assert!(Scene::new("").robot(Robot::parse(deep, "deep.urdf")).build().is_ok());
}

/// Links: names, shapes, numbers, weights.
#[test]
fn links() {
    refused(&marked("<link/>"), &["<link> has no name; add for instance name=\"base\""]);
    refused(&marked("<link name=\"\"/>"), &["name of <link> is empty"]);
    refused(&(cube("a") + &marked(cube("a").trim())), &["there are two links 'a'; give each link its own name"]);
    refused(&marked("<link name=\"a\"><collision/></link>"), &["<collision> has no <geometry>; add for instance"]);
    refused(&marked("<link name=\"a\"><visual><geometry/></visual></link>"), &["<geometry> is empty; add for"]);
    refused(&shape("<cone/>"), &["<cone> is no geometry", "write a box, sphere, cylinder, capsule or mesh"]);
    refused(&shape("<box/>"), &["<box> has no size; add for instance size=\"0.1 0.1 0.1\""]);
    refused(&shape("<box size=\"1 2\"/>"), &["size of <box> must be 3 numbers", "found \"1 2\"; correct it"]);
    refused(&shape("<box size=\"1 2 0\"/>"), &["has an edge of 0; all three must be above 0"]);
    refused(&shape("<box size=\"1 2 nan\"/>"), &["size of <box> must be finite", "found NaN"]);
    refused(&shape("<box size=\"1 2 1e300\"/>"), &["must be finite and at most 1e9"]);
    refused(&shape("<sphere radius=\"-1\"/>"), &["radius of <sphere> is -1, and it must be above 0"]);
    refused(&shape("<cylinder radius=\"1\"/>"), &["<cylinder> has no length; add for instance"]);
    refused(&shape("<mesh/>"), &["<mesh> has no filename"]);
    refused(&shape("<mesh filename=\"hand.DAE\"/>"), &["COLLADA is not read; convert the mesh to OBJ or STL"]);
    refused(&shape("<mesh filename=\"no.stl\"/>"), &["mesh of link 'a'", "no.stl: there is no such file"]);
    refused(&shape("<mesh filename=\"a.stl\" scale=\"1 0 1\"/>"), &["scale of <mesh> has a 0"]);
    refused(
        &marked(
            "<link name=\"a\"><visual><geometry><sphere radius=\"1\"/></geometry><material name=\"m\"><color rgba=\"1 0 9 1\"/></material></visual></link>",
        ),
        &["rgba of <color> has 9, and channels are from 0 to 1"],
    );
    let weight =
        |mass: &str, inertia: &str| marked(&format!("<link name=\"a\"><inertial>{mass}{inertia}</inertial></link>"));
    let round = "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>";
    refused(&weight("", round), &["<inertial> has no <mass>; add for instance <mass value=\"1\"/>"]);
    refused(&weight("<mass value=\"-1\"/>", round), &["value of <mass> is -1 kg, and it must be above 0"]);
    refused(&weight("<mass value=\"0\"/>", round), &["value of <mass> is 0 kg"]);
    refused(&weight("<mass value=\"1\"/>", ""), &["has no <inertia>; add for instance", "or remove <inertial>"]);
    let inertia = "<inertia ixx=\"1\" iyy=\"1\" izz=\"3\"/>";
    refused(&weight("<mass value=\"1\"/>", inertia), &["link 'a': its <inertia> is of no solid", "below the sum"]);
    let inertia = "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"/>";
    refused(&weight("<mass value=\"1\"/>", inertia), &["link 'a'", "not positive definite", "larger than 0"]);
}

/// Joints: names, ends, kinds, axes, limits, and what mimics what.
#[test]
fn joints() {
    let links = cube("a") + &cube("b") + &cube("c");
    let with = |line: String| format!("{links}{}", marked(line.trim()));
    let also = |first: String, line: String| with(line).replace(&links, &(links.clone() + &first));
    let ab = |kind: &str, keys: &str| joint(kind, "ab", ["a", "b"], keys);
    let limit = "<limit lower=\"-1\" upper=\"1\"/>";
    refused(&with("<joint type=\"fixed\"/>".into()), &["<joint> has no name; add for instance name=\"elbow\""]);
    refused(&with("<joint name=\"j\"/>".into()), &["<joint> has no type; add for instance type=\"revolute\""]);
    refused(&with("<joint name=\"j\" type=\"fixed\"/>".into()), &["has no <parent>; add for instance <parent link"]);
    refused(&with(ab("planar", "")), &["is \"planar\", which is not simulated; write two prismatic joints"]);
    refused(&with(ab("ball", "")), &["type of <joint> is \"ball\"; write revolute, continuous"]);
    refused(&with(joint("fixed", "j", ["a", "bb"], "")), &["joint 'j': there is no link 'bb'; did you mean 'b'?"]);
    refused(&with(joint("fixed", "j", ["a", "a"], "")), &["joins link 'a' to itself; name two links"]);
    refused(&also(ab("fixed", ""), joint("fixed", "ab", ["a", "c"], "")), &["there are two joints 'ab'"]);
    refused(
        &also(joint("fixed", "ac", ["a", "c"], "") + &ab("fixed", ""), joint("fixed", "bc", ["b", "c"], "")),
        &["joint 'bc': link 'c' already hangs on joint 'ac'", "close a ring by a [[joint]] of the scene"],
    );
    refused(
        &with(ab("revolute", "")),
        &["is revolute and has no <limit>; add for instance", "make the joint continuous"],
    );
    refused(&with(ab("prismatic", "")), &["is prismatic and has no <limit>"]);
    refused(
        &with(ab("revolute", "<limit lower=\"2\" upper=\"1\"/>")),
        &["lower of <limit> is 2, above the upper limit, 1"],
    );
    refused(
        &with(ab("continuous", "<dynamics damping=\"-1\"/>")),
        &["damping of <dynamics> is -1, and it must be at least 0"],
    );
    refused(&with(ab("continuous", "<axis xyz=\"0 0 0\"/>")), &["xyz of <axis> is of no length; give the direction"]);
    refused(&with(ab("continuous", "<axis xyz=\"0 0 x\"/>")), &["must be 3 numbers with spaces between them"]);
    refused(&with(ab("fixed", "<origin rpy=\"0 0 inf\"/>")), &["rpy of <origin> must be finite"]);
    let mimic = |name: &str| ab("revolute", &format!("{limit}<mimic joint=\"{name}\"/>"));
    let ac = joint("fixed", "ac", ["a", "c"], "");
    refused(&also(ac.clone(), mimic("no")), &["joint 'ab' mimics 'no', and no joint that moves is called so"]);
    refused(&also(ac, mimic("ab")), &["joint 'ab' mimics itself", "remove one <mimic>"]);
    refused(&with(ab("revolute", &format!("{limit}<mimic/>"))), &["<mimic> has no joint"]);
    // Two roots, and a ring beside the root.
    refused(&(cube("a") + &marked(cube("b").trim())), &["links 'a' and 'b' both have no parent; join them by a joint"]);
    let ring = cube("a")
        + &marked(cube("b").trim())
        + &cube("c")
        + &joint("fixed", "bc", ["b", "c"], "")
        + &joint("fixed", "cb", ["c", "b"], "");
    refused(&ring, &["link 'b' is its own ancestor; remove one joint of the ring"]);
    let massless = cube("a")
        + &marked("<link name=\"b\"/>")
        + &cube("c")
        + &ab("continuous", "")
        + &joint("continuous", "bc", ["b", "c"], "");
    refused(&massless, &["link 'b' moves and has no mass; add a <collision>", "or an <inertial>"]);
}

/// What the scene says of a robot is told with the scene's line; what its bodies refuse, with the file's.
#[test]
fn tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("arm.urdf");
    let limit = "<limit lower=\"-1\" upper=\"1\"/>";
    let text = cube("a")
        + &cube("b")
        + &cube("c")
        + &joint("revolute", "turn", ["a", "b"], limit)
        + &joint("fixed", "f", ["b", "c"], "");
    std::fs::write(&file, format!("<robot name=\"arm\">\n{text}</robot>")).expect("written");
    let table = |line: &str| format!("[[robot]]\nfile = \"{}\"\n{line} #!\n", file.display());
    check("[[robot]] #!\nname = \"a\"", &["robot[0]: has no `file`; add for instance file = \"arm.urdf\""]);
    check(
        "[[robot]]\nfile = \"no.urdf\" #!",
        &["robot[0].file: no.urdf: there is no such file; give the path of a .urdf"],
    );
    check(&table("bse = \"fixed\""), &["robot[0].bse: unknown key", "did you mean 'base'?"]);
    check(&table("base = \"fix\""), &["robot[0].base: 'fix' is not allowed here", "fixed, free"]);
    check(&table("pose = { trun = 1 }"), &["robot[0].pose.trun: there is no joint 'trun'", "did you mean 'turn'?"]);
    check(
        &table("pose = { f = 1 }"),
        &["robot[0].pose.f: is a joint that is fixed or floats, and has no value; remove"],
    );
    check(&table("pose = { turn = 1.5 }"), &["robot[0].pose.turn: is 1.5, and the limits of the joint are -1 and 1"]);
    check(&table("pose = { turn = nan }"), &["robot[0].pose.turn: must be a finite number"]);
    check(&table("pose = { turn = \"up\" }"), &["robot[0].pose.turn: must be a number"]);
    check(
        &table("motor = { wrist = { target = 0 } }"),
        &["robot[0].motor.wrist: there is no joint 'wrist' that moves"],
    );
    check(&table("motor = { turn = { goal = 0 } }"), &["robot[0].motor.turn.goal: unknown key"]);
    check(
        &table("motor = { turn = { target = 0, compliance = -1 } }"),
        &["robot[0].motor.turn.compliance", "0 is rigid"],
    );
    check(&table("friction = -1"), &["robot[0].friction", "0 slides freely"]);
    check(&table("contact = \"surface\""), &["robot[0].contact: needs the surface's thickness"]);
    check(&table("collision_group = 40"), &["robot[0].collision_group", "there are 32 groups"]);
    check(&table("collides_with = [40]"), &["robot[0].collides_with[0]", "there are 32 groups"]);
    check(&table("colour = [0, 0, 2]"), &["robot[0].colour"]);
    check(&table("rotation = [0, 0, 0, 0]"), &["robot[0].rotation: must not be zero"]);
    check(&table("position = [0, 0, inf]"), &["robot[0].position[2]"]);
    check(&table("name = \"\""), &["robot[0].name: is missing, and the file gives none; add"]);
    let two = table("name = \"x\"").replace(" #!", "") + &table("name = \"x\"");
    check(&two, &["robot[1].name: 'x' is already the name of robot[0]; give each robot its own name"]);
    let taken = format!(
        "[[body]]\nname = \"arm/b\"\nkind = \"particles\"\npositions = [[0, 0, 0]]\n{}",
        table("base = \"fixed\"")
    );
    let message = super::super::refusal(&taken);
    assert!(message.contains("arm.urdf:3:1: link 'b': name: 'arm/b' is already the name of body[0]"), "{message}");
    let far = table("position = [1e9, 0, 0]").replace("1e9", "999999999.99");
    let message = super::super::refusal(&far);
    assert!(message.contains("arm.urdf:2:1: link 'a': ") && message.contains("bring the scene nearer"), "{message}");
    let bdf2 = format!("solver.integrator = \"bdf2\"\n{}", table("base = \"fixed\""));
    let message = super::super::refusal(&bdf2);
    assert!(message.contains("joint 'turn': joints need the integrator \"euler\""), "{message}");
}

/// A rigid body refuses an inertial that is none, and a second weight.
#[test]
fn inertials() {
    let body = |lines: &str| {
        format!(
            "[[body]]\nkind = \"rigid\"\nmesh = {{ box = {{ cells = [1, 1, 1], size = [1, 1, 1] }} }}\n{lines} #!\n"
        )
    };
    check(&body("inertial = { mass = 1 }"), &["body[0].inertial: has no `inertia`; add for instance"]);
    check(&body("inertial = { mass = 0, inertia = [1, 1, 1, 0, 0, 0] }"), &["body[0].inertial.mass: must be at least"]);
    check(
        &body("inertial = { mass = 1, inertia = [1, 1, 2, 0, 0, 0] }"),
        &["body[0].inertial.inertia: is of no solid"],
    );
    check(&body("inertial = { mass = 1, inertia = [1, 1, -1, 0, 0, 0] }"), &["inertia: is not positive definite"]);
    check(&body("inertial = { mass = 1, inertia = [1, 1, 1] }"), &["must be a list of 6 numbers, found a list of 3"]);
    let twice = body("inertial = { mass = 1, inertia = [1, 1, 1, 0, 0, 0] }").replace(" #!", "") + "density = 3 #!\n";
    check(&twice, &["body[0].density: cannot be combined with `inertial`"]);
}
