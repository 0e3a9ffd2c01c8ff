//! A URDF file, read into plain structs: links with their shapes and weights, joints, colours.

use std::collections::{BTreeSet, HashMap};

use super::frame::Frame;
use super::xml::{Element, Result, Source, XACRO};

/// What a file says.
pub(super) struct Urdf {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    /// What changes the physics and is not used, in words.
    pub ignored: BTreeSet<&'static str>,
    pub notes: Vec<String>,
}

pub(super) struct Link {
    pub name: String,
    /// Where it stands in the text.
    pub byte: usize,
    pub weight: Option<Weight>,
    /// What touches: the `<collision>` shapes, or the `<visual>` ones where there are none.
    pub shapes: Vec<Shape>,
    /// Linear red, green, blue.
    pub colour: Option<[f32; 3]>,
}

/// What `<inertial>` says.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    pub byte: usize,
    /// Its centre and its axes in the link's frame.
    pub origin: Frame,
    /// kg, above 0.
    pub mass: f64,
    /// xx, yy, zz, xy, xz, yz about its centre along its axes, kg m².
    pub inertia: [f64; 6],
}

pub(super) struct Shape {
    pub byte: usize,
    pub origin: Frame,
    pub geometry: Geometry,
}

/// Lengths in m. Cylinders and capsules lie along z.
pub(super) enum Geometry {
    Box([f64; 3]),
    Sphere {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// `length` is that between the centres of its ends.
    Capsule {
        radius: f64,
        length: f64,
    },
    Mesh {
        file: String,
        scale: [f64; 3],
    },
}

pub(super) struct Joint {
    pub name: String,
    pub byte: usize,
    pub kind: Kind,
    /// Names of links.
    pub parent: String,
    pub child: String,
    pub origin: Frame,
    /// In the joint's frame, of any length but 0.
    pub axis: [f64; 3],
    /// rad or m
    pub limits: Option<[f64; 2]>,
    /// N m s/rad, or N s/m.
    pub damping: f64,
    pub mimic: Option<Mimic>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Hinge,
    Slider,
    Fixed,
    Floating,
}

impl Kind {
    /// Whether it has a value, which can be posed and driven.
    pub fn has_value(self) -> bool {
        matches!(self, Self::Hinge | Self::Slider)
    }
}

/// The value of a joint is that of another one times a factor plus an offset.
pub(super) struct Mimic {
    pub byte: usize,
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
}

/// Reads a file.
pub(super) fn read(source: &Source) -> Result<Urdf> {
    let document = source.document()?;
    let root = Element::root(source, &document);
    if let Some(found) = root.all().find(|element| element.is_macro()) {
        return Err(found.error(XACRO));
    }
    if root.name() != "robot" {
        let message = format!("is no URDF: it begins with <{}>; give the path of a .urdf file", root.name());
        return Err(root.error(message));
    }
    let colours = colours(root)?;
    let mut urdf = Urdf {
        name: root.text("name").unwrap_or_default().to_string(),
        links: Vec::new(),
        joints: Vec::new(),
        ignored: BTreeSet::new(),
        notes: Vec::new(),
    };
    for element in root.named("link") {
        let link = link(element, &colours, &mut urdf.notes)?;
        urdf.links.push(link);
    }
    for element in root.named("joint") {
        let joint = joint(element, &mut urdf.ignored)?;
        urdf.joints.push(joint);
    }
    if urdf.links.is_empty() {
        return Err(root.error("<robot> has no <link>; add one, with a <collision>"));
    }
    Ok(urdf)
}

/// The colours of the materials by their names. Those inside of links are known everywhere, too.
fn colours<'a>(root: Element<'a>) -> Result<HashMap<&'a str, [f32; 3]>> {
    let mut colours = HashMap::new();
    for material in root.all().filter(|element| element.name() == "material") {
        if let (Some(name), Some(colour)) = (material.text("name").filter(|name| !name.is_empty()), colour(material)?) {
            colours.entry(name).or_insert(colour);
        }
    }
    Ok(colours)
}

/// What a material says of its colour, made linear: files have it as screens do.
fn colour(material: Element) -> Result<Option<[f32; 3]>> {
    let Some(colour) = material.child("color") else { return Ok(None) };
    let Some(rgba) = colour.vector::<4>("rgba")? else {
        return Err(colour.error("<color> has no rgba; add for instance rgba=\"0.8 0.2 0.1 1\""));
    };
    if let Some(channel) = rgba.iter().find(|channel| !(0.0..=1.0).contains(*channel)) {
        return Err(colour.at("rgba", format!("has {channel}, and channels are from 0 to 1; correct it")));
    }
    let linear = |s: f64| if s <= 0.040_45 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) };
    Ok(Some([rgba[0], rgba[1], rgba[2]].map(|channel| linear(channel) as f32)))
}

fn link(element: Element, colours: &HashMap<&str, [f32; 3]>, notes: &mut Vec<String>) -> Result<Link> {
    let name = element.required_text("name", "base")?.to_string();
    let shapes = |of: &'static str| element.named(of).map(shape).collect::<Result<Vec<Shape>>>();
    let mut touching = shapes("collision")?;
    if touching.is_empty() {
        touching = shapes("visual")?;
    }
    let material = element.named("visual").find_map(|visual| visual.child("material"));
    let colour = match material {
        Some(material) => of_material(material, colours, &name, notes)?,
        None => None,
    };
    let weight = element.child("inertial").map(weight).transpose()?.flatten();
    Ok(Link { name, byte: element.byte(), weight, shapes: touching, colour })
}

fn of_material(
    material: Element,
    colours: &HashMap<&str, [f32; 3]>,
    link: &str,
    notes: &mut Vec<String>,
) -> Result<Option<[f32; 3]>> {
    let name = material.text("name").unwrap_or_default();
    let found = colour(material)?.or_else(|| colours.get(name).copied());
    if found.is_none() && material.child("texture").is_none() {
        notes.push(format!("link '{link}': no material '{name}' has a colour; add <color rgba=\"...\"/> to it"));
    }
    Ok(found)
}

fn origin(element: Element) -> Result<Frame> {
    let Some(origin) = element.child("origin") else { return Ok(Frame::IDENTITY) };
    let (position, angles) = (origin.vector("xyz")?, origin.vector("rpy")?);
    Ok(Frame::of_origin(position.unwrap_or_default(), angles.unwrap_or_default()))
}

fn shape(element: Element) -> Result<Shape> {
    let example = "<geometry><box size=\"0.1 0.1 0.1\"/></geometry>";
    let geometry = element.required_child("geometry", example)?;
    let Some(solid) = geometry.children().next() else {
        return Err(geometry.error("<geometry> is empty; add for instance <box size=\"0.1 0.1 0.1\"/>"));
    };
    Ok(Shape { byte: solid.byte(), origin: origin(element)?, geometry: self::geometry(solid)? })
}

fn geometry(solid: Element) -> Result<Geometry> {
    let radius = || solid.required_size("radius", "0.05");
    let length = || solid.required_size("length", "0.2");
    Ok(match solid.name() {
        "box" => Geometry::Box(box_size(solid)?),
        "sphere" => Geometry::Sphere { radius: radius()? },
        "cylinder" => Geometry::Cylinder { radius: radius()?, length: length()? },
        "capsule" => Geometry::Capsule { radius: radius()?, length: length()? },
        "mesh" => mesh(solid)?,
        other => {
            let message =
                format!("<{other}> is no geometry that is read; write a box, sphere, cylinder, capsule or mesh");
            return Err(solid.error(message));
        }
    })
}

fn box_size(solid: Element) -> Result<[f64; 3]> {
    solid.required_text("size", "0.1 0.1 0.1")?;
    let size = solid.vector("size")?.unwrap_or_default();
    match size.iter().find(|edge| **edge <= 0.0) {
        Some(edge) => Err(solid.at("size", format!("has an edge of {edge}; all three must be above 0"))),
        None => Ok(size),
    }
}

fn mesh(solid: Element) -> Result<Geometry> {
    let file = solid.required_text("filename", "hand.stl")?.to_string();
    let scale = solid.vector("scale")?.unwrap_or([1.0; 3]);
    if scale.contains(&0.0) {
        return Err(solid.at("scale", "has a 0, which leaves nothing; 1 leaves the size as it is"));
    }
    let name = file.to_lowercase();
    if name.ends_with(".dae") {
        let message =
            format!("is '{file}', and COLLADA is not read; convert the mesh to OBJ or STL, and name that file");
        return Err(solid.at("filename", message));
    }
    Ok(Geometry::Mesh { file, scale })
}

/// `None` where all of it is 0: some programs write that for a frame.
fn weight(element: Element) -> Result<Option<Weight>> {
    let example = "<mass value=\"1\"/>";
    let mass_element = element.required_child("mass", example)?;
    let mass = mass_element.required_number("value", "1")?;
    let inertia_element = element.child("inertia");
    let entry = |key: &str| match inertia_element {
        Some(inertia) => inertia.number(key).map(|value| value.unwrap_or_default()),
        None => Ok(0.0),
    };
    let inertia = [entry("ixx")?, entry("iyy")?, entry("izz")?, entry("ixy")?, entry("ixz")?, entry("iyz")?];
    let is_nothing = mass == 0.0 && inertia == [0.0; 6];
    if mass <= 0.0 && !is_nothing {
        return Err(mass_element.at("value", format!("is {mass} kg, and it must be above 0; correct it")));
    }
    let Some(inertia_element) = inertia_element.or(is_nothing.then_some(element)) else {
        let message = "<inertial> has no <inertia>; add for instance <inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" \
                       ixy=\"0\" ixz=\"0\" iyz=\"0\"/>, or remove <inertial>: the link then weighs 1000 kg/m³";
        return Err(element.error(message));
    };
    Ok((!is_nothing).then_some(Weight { byte: inertia_element.byte(), origin: origin(element)?, mass, inertia }))
}

fn joint(element: Element, ignored: &mut BTreeSet<&'static str>) -> Result<Joint> {
    let name = element.required_text("name", "elbow")?.to_string();
    let type_name = element.required_text("type", "revolute")?;
    let link = |name, example| element.required_child(name, example)?.required_text("link", "arm").map(str::to_string);
    let parent = link("parent", "<parent link=\"base\"/>")?;
    let child = link("child", "<child link=\"arm\"/>")?;
    let kind = kind(element, type_name)?;
    note_ignored(element, ignored)?;
    let limits = if kind.has_value() && type_name != "continuous" { Some(limits(element, type_name)?) } else { None };
    Ok(Joint {
        name,
        byte: element.byte(),
        kind,
        parent,
        child,
        origin: origin(element)?,
        axis: axis(element, kind)?,
        limits,
        damping: if kind.has_value() { damping(element)? } else { 0.0 },
        mimic: element.child("mimic").map(mimic).transpose()?,
    })
}

fn kind(element: Element, type_name: &str) -> Result<Kind> {
    Ok(match type_name {
        "revolute" | "continuous" => Kind::Hinge,
        "prismatic" => Kind::Slider,
        "fixed" => Kind::Fixed,
        "floating" => Kind::Floating,
        "planar" => {
            let message = "is \"planar\", which is not simulated; write two prismatic joints and a continuous one, \
                           with light links between them";
            return Err(element.at("type", message));
        }
        _ => {
            let message = format!("is \"{type_name}\"; write revolute, continuous, prismatic, fixed or floating");
            return Err(element.at("type", message));
        }
    })
}

fn axis(element: Element, kind: Kind) -> Result<[f64; 3]> {
    let Some(axis) = element.child("axis").filter(|_| kind.has_value()) else { return Ok([1.0, 0.0, 0.0]) };
    let direction = axis.vector("xyz")?.unwrap_or([1.0, 0.0, 0.0]);
    if direction.iter().map(|c| c * c).sum::<f64>() < 1e-18 {
        return Err(axis.at("xyz", "is of no length; give the direction of the axis"));
    }
    Ok(direction)
}

fn limits(element: Element, type_name: &str) -> Result<[f64; 2]> {
    let instead = if type_name == "revolute" { ", or make the joint continuous" } else { "" };
    let Some(limit) = element.child("limit") else {
        let message = format!(
            "<joint> is {type_name} and has no <limit>; add for instance <limit lower=\"-1\" upper=\"1\"/>{instead}"
        );
        return Err(element.error(message));
    };
    let limits = [limit.number("lower")?.unwrap_or_default(), limit.number("upper")?.unwrap_or_default()];
    if limits[0] > limits[1] {
        let message = format!("is {}, above the upper limit, {}; exchange the two", limits[0], limits[1]);
        return Err(limit.at("lower", message));
    }
    Ok(limits)
}

fn damping(element: Element) -> Result<f64> {
    let Some(dynamics) = element.child("dynamics") else { return Ok(0.0) };
    let damping = dynamics.number("damping")?.unwrap_or(0.0);
    if damping < 0.0 {
        return Err(dynamics.at("damping", format!("is {damping}, and it must be at least 0; correct it")));
    }
    Ok(damping)
}

/// Notes what of a joint changes the physics and is not simulated.
fn note_ignored(element: Element, ignored: &mut BTreeSet<&'static str>) -> Result<()> {
    let parts = [
        ("dynamics", "friction", "friction"),
        ("limit", "effort", "effort limits"),
        ("limit", "velocity", "velocity limits"),
    ];
    for (child, attribute, words) in parts {
        let value = element.child(child).map(|child| child.number(attribute)).transpose()?.flatten();
        if value.is_some_and(|value| value != 0.0) {
            ignored.insert(words);
        }
    }
    Ok(())
}

fn mimic(element: Element) -> Result<Mimic> {
    Ok(Mimic {
        byte: element.byte(),
        joint: element.required_text("joint", "left_finger")?.to_string(),
        multiplier: element.number("multiplier")?.unwrap_or(1.0),
        offset: element.number("offset")?.unwrap_or(0.0),
    })
}
