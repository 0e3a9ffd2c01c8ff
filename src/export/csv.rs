//! Tables of a state as comma-separated values.

use std::io::{self, Write};
use std::ops::Range;

use crate::measure;
use crate::model::{Against, Contact, Model, Rod, State};

/// `index,x,y,z,vx,vy,vz`: positions in m and velocities in m/s, in the scene's order, with every digit that tells one
/// double from the next. `origin` is that of the model, m.
///
/// # Errors
/// Those of `out`.
pub fn positions(state: &State, origin: [f64; 3], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "index,x,y,z,vx,vy,vz")?;
    for (index, (place, [vx, vy, vz])) in state.positions.iter().zip(&state.velocities).enumerate() {
        let [x, y, z] = from_origin(*place, origin);
        writeln!(out, "{index},{x},{y},{z},{vx},{vy},{vz}")?;
    }
    Ok(())
}

/// `body,index,x,y,z,w`: one row per orientation, a unit quaternion; `index` counts those of its body from 0.
///
/// # Errors
/// Those of `out`.
pub fn orientations(model: &Model, state: &State, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "body,index,x,y,z,w")?;
    let bodies = &model.orientations.bodies;
    let mut firsts = vec![None; model.bodies.len()];
    for (i, ([x, y, z, w], &body)) in state.orientations.iter().zip(bodies).enumerate() {
        let first = *firsts[body as usize].get_or_insert(i);
        writeln!(out, "{},{},{x},{y},{z},{w}", quoted(&model.bodies[body as usize].name), i - first)?;
    }
    Ok(())
}

/// `particle,pressure_pa`: one row per particle of a fluid that is there, the mean pressure of the last frame, Pa.
///
/// # Errors
/// Those of `out`.
pub fn pressures(model: &Model, state: &State, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "particle,pressure_pa")?;
    let particles = model.fluids.iter().flat_map(|fluid| fluid.particles.clone());
    let all = particles.zip(&state.pressures);
    all.filter(|(particle, _)| state.absent.binary_search(particle).is_err())
        .try_for_each(|(particle, pressure)| writeln!(out, "{particle},{pressure}"))
}

/// A text as a field: in quotation marks where it has a comma, a quotation mark or a line's end.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}

/// `kind,index,force_n`: one row per constraint, the size of the last frame's mean force on the particle that feels
/// most of it, N. Then of rods the `stretch_shear` of each segment, N, and the `bend_twist` of each joint, N m.
/// Then of each joint of rigid bodies its kind, its index among all joints, and its force, N.
///
/// # Errors
/// Those of `out`.
pub fn forces(model: &Model, state: &State, out: &mut dyn Write) -> io::Result<()> {
    let model = &*model.as_in(state);
    writeln!(out, "kind,index,force_n")?;
    for (g, group) in model.groups.iter().enumerate() {
        for constraint in 0..group.len() {
            let force = measure::constraint_force(model, state, g, constraint);
            writeln!(out, "{},{constraint},{force}", group.kind.name())?;
        }
    }
    let size = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (kind, of) in [("stretch_shear", segments as Places), ("bend_twist", bends)] {
        let places = model.rods.iter().flat_map(of).map(|place| state.loads.get(place).copied().unwrap_or_default());
        for (index, load) in places.enumerate() {
            let size = size(if kind == "bend_twist" { load.moment } else { load.force });
            writeln!(out, "{kind},{index},{size}")?;
        }
    }
    for (index, joint) in model.joints.iter().enumerate() {
        let force = state.joints.get(index).map_or(0.0, |joint| joint.force);
        writeln!(out, "{},{index},{force}", joint.kind.name())?;
    }
    Ok(())
}

/// At which orientations a rod has something.
type Places = fn(&Rod) -> Range<usize>;

fn segments(rod: &Rod) -> Range<usize> {
    let first = rod.orientations.start as usize + usize::from(rod.clamped[0]);
    first..first + rod.segments.len()
}

fn bends(rod: &Rod) -> Range<usize> {
    let first = rod.orientations.start as usize;
    first..first + rod.bends.len()
}

/// `particle,against,index,x,y,z,nx,ny,nz,force_n,friction_x_n,friction_y_n,friction_z_n`: one row per contact that
/// pressed; `against` is `collider` and `index` that of the collider in the scene, or the same with `trigger`, without
/// a force, or `particle` and the index of the other, larger than the first; the point in m, the normal towards the
/// particle, the force along it and that of friction on the particle in N. `origin` is that of the model, m.
///
/// # Errors
/// Those of `out`.
pub fn contacts(contacts: &[Contact], origin: [f64; 3], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "particle,against,index,x,y,z,nx,ny,nz,force_n,friction_x_n,friction_y_n,friction_z_n")?;
    for Contact { particle, against, point, normal, force, friction } in contacts {
        let ([x, y, z], [nx, ny, nz], [fx, fy, fz]) = (from_origin(*point, origin), normal, friction);
        let (what, index) = match against {
            Against::Collider(index) => ("collider", index),
            Against::Trigger(index) => ("trigger", index),
            Against::Particle(index) => ("particle", index),
        };
        writeln!(out, "{particle},{what},{index},{x},{y},{z},{nx},{ny},{nz},{force},{fx},{fy},{fz}")?;
    }
    Ok(())
}

fn from_origin(place: [f64; 3], origin: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| place[axis] + origin[axis])
}
