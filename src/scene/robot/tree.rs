//! The tree of links: which hangs on which, and which are only frames.

use std::collections::HashMap;

use super::Base;
use super::urdf::{Joint, Kind, Link, Urdf};
use super::xml::{Result, Source};
use crate::scene::suggest::suggestion;

/// How the links of a robot hang together.
pub(super) struct Tree {
    /// Indices of links, each after its parent; the root first.
    pub order: Vec<usize>,
    /// Of each link the joint on which it hangs; none of the root.
    pub above: Vec<Option<usize>>,
    /// Of each joint its parent and its child.
    pub ends: Vec<[usize; 2]>,
    /// Of each link what its frame moves with.
    pub carriers: Vec<Carrier>,
}

/// What a link's frame moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Nothing: it is fixed to the world. The link may have a body.
    World,
    /// The body of a link, itself or another one.
    Link(usize),
}

impl Link {
    /// Whether it is more than a frame.
    pub fn is_solid(&self) -> bool {
        !self.shapes.is_empty() || self.weight.is_some()
    }
}

impl Tree {
    pub fn new(source: &Source, urdf: &Urdf, base: Base) -> Result<Self> {
        let links = names(source, "link", urdf.links.iter().map(|link| (link.name.as_str(), link.byte)))?;
        names(source, "joint", urdf.joints.iter().map(|joint| (joint.name.as_str(), joint.byte)))?;
        let ends: Vec<[usize; 2]> =
            urdf.joints.iter().map(|joint| ends(source, urdf, &links, joint)).collect::<Result<_>>()?;
        let above = above(source, urdf, &ends)?;
        let order = order(source, urdf, &ends, &above)?;
        let carriers = carriers(source, urdf, (&order, &above, &ends), base)?;
        Ok(Self { order, above, ends, carriers })
    }
}

/// Indices by name.
fn names<'a>(
    source: &Source,
    what: &str,
    all: impl Iterator<Item = (&'a str, usize)>,
) -> Result<HashMap<&'a str, usize>> {
    let mut names = HashMap::new();
    for (index, (name, byte)) in all.enumerate() {
        if names.insert(name, index).is_some() {
            let message = format!("there are two {what}s '{name}'; give each {what} its own name");
            return Err(source.error(byte, message));
        }
    }
    Ok(names)
}

fn ends(source: &Source, urdf: &Urdf, links: &HashMap<&str, usize>, joint: &Joint) -> Result<[usize; 2]> {
    let find = |name: &str| {
        links.get(name).copied().ok_or_else(|| {
            let names = suggestion(name, urdf.links.iter().map(|link| link.name.as_str()));
            source.error(joint.byte, format!("joint '{}': there is no link '{name}'; {names}", joint.name))
        })
    };
    let ends = [find(&joint.parent)?, find(&joint.child)?];
    if ends[0] == ends[1] {
        let message = format!("joint '{}' joins link '{}' to itself; name two links", joint.name, joint.parent);
        return Err(source.error(joint.byte, message));
    }
    Ok(ends)
}

/// Of each link the joint on which it hangs.
fn above(source: &Source, urdf: &Urdf, ends: &[[usize; 2]]) -> Result<Vec<Option<usize>>> {
    let mut above = vec![None; urdf.links.len()];
    for (index, &[_, child]) in ends.iter().enumerate() {
        if let Some(first) = above[child].replace(index) {
            let joint = &urdf.joints[index];
            let message = format!(
                "joint '{}': link '{}' already hangs on joint '{}', and a link has one parent; close a ring by a \
                 [[joint]] of the scene",
                joint.name, joint.child, urdf.joints[first].name
            );
            return Err(source.error(joint.byte, message));
        }
    }
    Ok(above)
}

/// All links, each after its parent.
fn order(source: &Source, urdf: &Urdf, ends: &[[usize; 2]], above: &[Option<usize>]) -> Result<Vec<usize>> {
    let mut order: Vec<usize> = (0..above.len()).filter(|&link| above[link].is_none()).collect();
    if let [first, second, ..] = order[..] {
        let [first, second] = [&urdf.links[first], &urdf.links[second]];
        let message = format!("links '{}' and '{}' both have no parent; join them by a joint", first.name, second.name);
        return Err(source.error(second.byte, message));
    }
    let mut below = vec![Vec::new(); above.len()];
    ends.iter().for_each(|&[parent, child]| below[parent].push(child));
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        order.extend(&below[link]);
        next += 1;
    }
    let mut reached = vec![false; above.len()];
    order.iter().for_each(|&link| reached[link] = true);
    match reached.iter().position(|reached| !reached) {
        Some(link) => {
            let link = &urdf.links[link];
            let message = format!("link '{}' is its own ancestor; remove one joint of the ring", link.name);
            Err(source.error(link.byte, message))
        }
        None => Ok(order),
    }
}

/// What the frame of each link moves with. A link that is only a frame moves with its parent where it is fixed to that,
/// and else with the first link that is fixed to it.
fn carriers(
    source: &Source,
    urdf: &Urdf,
    (order, above, ends): (&[usize], &[Option<usize>], &[[usize; 2]]),
    base: Base,
) -> Result<Vec<Carrier>> {
    let mut below = vec![Vec::new(); above.len()];
    ends.iter().enumerate().for_each(|(joint, &[_, child])| below[ends[joint][0]].push((joint, child)));
    let mut carriers = vec![Carrier::World; above.len()];
    for &link in order {
        let hangs_on = above[link].map(|joint| (urdf.joints[joint].kind, carriers[ends[joint][0]]));
        carriers[link] = match hangs_on {
            None if base == Base::Fixed => Carrier::World,
            Some((Kind::Fixed, Carrier::World)) => Carrier::World,
            _ if urdf.links[link].is_solid() => Carrier::Link(link),
            Some((Kind::Fixed, carrier)) => carrier,
            _ => Carrier::Link(first_solid(urdf, &below, link).ok_or_else(|| massless(source, &urdf.links[link]))?),
        };
    }
    Ok(carriers)
}

/// The first link with a body among those that are fixed to a frame.
fn first_solid(urdf: &Urdf, below: &[Vec<(usize, usize)>], frame: usize) -> Option<usize> {
    let mut waiting = vec![frame];
    while let Some(link) = waiting.pop() {
        if urdf.links[link].is_solid() {
            return Some(link);
        }
        let fixed = below[link].iter().rev().filter(|(joint, _)| urdf.joints[*joint].kind == Kind::Fixed);
        waiting.extend(fixed.map(|(_, child)| *child));
    }
    None
}

fn massless(source: &Source, link: &Link) -> crate::scene::SceneError {
    let message = format!(
        "link '{}' moves and has no mass; add a <collision> to it (1000 kg/m³) or an <inertial>, or make its joint fixed",
        link.name
    );
    source.error(link.byte, message)
}
