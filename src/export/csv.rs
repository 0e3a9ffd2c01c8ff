//! Tables of a state as comma-separated values.

use std::io::{self, Write};

use crate::measure;
use crate::model::{Against, Contact, Model, State};

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

/// `kind,index,force_n`: one row per constraint, the size of the last frame's mean force on the particle that feels
/// most of it, N.
///
/// # Errors
/// Those of `out`.
pub fn forces(model: &Model, state: &State, out: &mut dyn Write) -> io::Result<()> {
    let model = &*model.torn(state);
    writeln!(out, "kind,index,force_n")?;
    for (g, group) in model.groups.iter().enumerate() {
        for constraint in 0..group.len() {
            let force = measure::constraint_force(model, state, g, constraint);
            writeln!(out, "{},{constraint},{force}", group.kind.name())?;
        }
    }
    Ok(())
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
