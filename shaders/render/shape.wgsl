// What a particle's neighbours make of it. On the lattice at rest the weights below sum to `WHOLE`, and at a plane
// surface their mean lies `INWARDS` off the particle.
const WHOLE = 6.875;
const INWARDS = 0.3;
/// Of that as much is kept: the shapes reach a little beyond the surface.
const KEPT = 0.75;
/// Of the largest share of the way to the mean of the neighbours: all of it would lose drops' shapes.
const SMOOTHS = 0.9;
/// Radii, spacings: of what is among others, and of what is alone.
const RADIUS = 1.0;
const ALONE = 0.42;
/// The axis of particles on both sides of which others lie, as a share of the radius, and of those in a single layer.
const THICK = 1.0;
const THIN = 0.36;
/// What is as fast as after a fall of so many spacings begins to foam, and foams fully after so many.
const FALLS = vec2f(2.0, 14.0);
const GRAVITY = 9.81;
const STEPS = 10;

/// The unit vector along which a symmetric matrix is least, by iteration with what is left of its trace.
fn least(matrix: mat3x3f, trace: f32) -> vec3f {
    let rest = mat3x3f(
        vec3f(trace, 0.0, 0.0) - matrix[0],
        vec3f(0.0, trace, 0.0) - matrix[1],
        vec3f(0.0, 0.0, trace) - matrix[2],
    );
    var axis = vec3f(0.36, 0.8, 0.48);
    for (var i = 0; i < STEPS; i++) {
        axis = direction(rest * axis, vec3f(0.0, 1.0, 0.0));
    }
    return axis;
}

@compute @workgroup_size(64)
fn crowd_shape(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = id.x + id.y * groups.x * 64u;
    if i >= arrayLength(&points) {
        return;
    }
    let d = frame.spacing;
    let own = place_of(i);
    if !is_there(i) {
        shapes[i] = Shape(own, 0.0, vec3f(0.0), points[i].style);
        return;
    }
    let cell = cell_of(own);
    // Relative to the particle, spacings; of itself the weight is 1.
    var sum = vec3f(0.0);
    var weights = 0.0;
    var products = mat3x3f();
    for (var n = 0; n < 27; n++) {
        let near = cell + vec3i(n % 3, (n / 3) % 3, n / 9) - 1;
        let bucket = bucket_of(near);
        let end = atomicLoad(&buckets[bucket + 1u]);
        for (var k = atomicLoad(&buckets[bucket]); k < end; k++) {
            let place = place_of(order[k]);
            let away = (place - own) / d;
            let left = 1.0 - dot(away, away) / (SUPPORT * SUPPORT);
            // Another cell may have the same bucket.
            if left <= 0.0 || order[k] == i || any(cell_of(place) != near) {
                continue;
            }
            let weight = left * left;
            weights += weight;
            sum += weight * away;
            products += mat3x3f(weight * away.x * away, weight * away.y * away, weight * away.z * away);
        }
    }
    let mean = sum / (1.0 + weights);
    let spread = mat3x3f(
        products[0] / (1.0 + weights) - mean.x * mean,
        products[1] / (1.0 + weights) - mean.y * mean,
        products[2] / (1.0 + weights) - mean.z * mean,
    );
    let trace = spread[0].x + spread[1].y + spread[2].z;
    let axis = least(spread, trace);
    let along = max(dot(axis, spread * axis), 0.0);
    let flat = sqrt(along / max(0.5 * (trace - along), 1e-6));
    let crowd = weights / WHOLE;
    let among = smoothstep(0.08, 0.4, crowd);
    let thickness = mix(1.0, clamp(THICK * flat, THIN, THICK), among);
    // A plane surface stays where it is.
    let inwards = length(mean);
    let kept = direction(mean, vec3f(0.0)) * KEPT * INWARDS * smoothstep(0.0, INWARDS, inwards);
    let centre = own + SMOOTHS * smoothstep(0.1, 0.45, crowd) * (mean - kept) * d;
    let radius = mix(ALONE, RADIUS, among) * d;
    let speed = length(ways[points[i].slot].xyz) / frame.substep;
    let fell = speed * speed / (2.0 * GRAVITY * d);
    // A drop by itself is clear, and so is what is full.
    let sparse = smoothstep(0.03, 0.1, crowd) * (1.0 - smoothstep(0.14, 0.34, crowd));
    let foam = sparse * smoothstep(FALLS.x, FALLS.y, fell);
    shapes[i] = Shape(centre, radius, axis * thickness, points[i].style | (u32(255.0 * foam) << 24u));
}
