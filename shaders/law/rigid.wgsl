// The rotation of a body by its angular momentum, the twin of src/law/rigid.rs.

// Moments of inertia below this share of all are taken for none. A body of particles in a line has none about it, and sums in
// single precision leave some 1e-7 of the others in its place: dividing by that would be spin out of nothing.
const NEGLIGIBLE: f32 = 1e-6;

const AXES = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);

// The solution of I ω = L, along axes that are conjugate to each other by I (an LDLᵀ factorisation). An axis about which nothing
// has inertia is left out; the axis that starts with the least comes last, so that it is the one.
fn angular_velocity(inertia: mat3x3f, momentum: vec3f, negligible: f32) -> vec3f {
    let diagonal = vec3f(inertia[0].x, inertia[1].y, inertia[2].z);
    var least = select(0u, 1u, diagonal.y < diagonal.x);
    least = select(least, 2u, diagonal.z < min(diagonal.x, diagonal.y));
    var axes = AXES;
    var axis = axes[(least + 1u) % 3u];
    var second = axes[(least + 2u) % 3u];
    var third = axes[least];
    var turn = vec3f(0.0);
    for (var k = 0u; k < 3u; k += 1u) {
        let column = inertia * axis;
        let moment = dot(axis, column);
        if (moment > negligible) {
            turn += axis * (dot(axis, momentum) / moment);
            second -= axis * (dot(second, column) / moment);
            third -= axis * (dot(third, column) / moment);
        }
        axis = second;
        second = third;
    }
    return turn;
}
