// Forces on the particles of a sheet and what M⁻¹ makes of them, by all threads of a workgroup: `Smoother` in src/measure/cords.rs.

// What the cords' ways exert on a particle.
fn exerted(knot: u32) -> vec3f {
    var force = vec3f(0.0);
    for (var k = cord_rows[2u * knot]; k < cord_rows[2u * knot + 1u]; k += 1u) {
        let cord = cords[cord_rows[k] / 2u];
        let tension = cord.root * cord.way;
        force += select(tension, -tension, (cord_rows[k] & 1u) == 1u) * cord.along;
    }
    return force;
}

// Places of the particles from the forces on them: M⁻¹.
fn smooth_forces(thread: u32, ranges: vec2u) {
    for (var level = ranges.x + 2u; level < ranges.y; level += 1u) {
        let own = cord_ranges[level];
        for (var i = own.x + thread; i < own.y; i += GROUP_SIZE) {
            var force = vec3f(0.0);
            for (var k = cord_rows[2u * i]; k < cord_rows[2u * i + 1u]; k += 2u) {
                force += bitcast<f32>(cord_rows[k + 1u]) * knots[cord_rows[k]].force;
            }
            knots[i].force = force;
        }
        meet();
    }
    for (var level = ranges.y - 1u; level > ranges.x; level -= 1u) {
        let own = cord_ranges[level];
        for (var i = own.x + thread; i < own.y; i += GROUP_SIZE) {
            let softness = knots[i].softness;
            var place = softness * knots[i].force;
            if (softness > 0.0) {
                for (var k = cord_rows[2u * i + 1u]; k < cord_rows[2u * i + 2u]; k += 2u) {
                    place += bitcast<f32>(cord_rows[k + 1u]) * knots[cord_rows[k]].place;
                }
            }
            knots[i].place = place;
        }
        meet();
    }
}
