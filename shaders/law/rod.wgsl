// Rods and their chains: the twin of src/law/rod.rs and src/math/turn.rs, where the formulas are.

// Of the vector part of a quaternion that is turned at once.
const MOST_TURN: f32 = 0.9;

struct Blocks {
    segment: mat3x3f,
    mixed: mat3x3f,
    joint: mat3x3f,
    // Right sides of the segment and the joint.
    upper: vec3f,
    lower: vec3f,
}

// Columns of the block between a link and the next.
struct Coupling {
    segments: mat3x3f,
    lever: mat3x3f,
    joints: mat3x3f,
}

// X and y of a link.
struct Eliminated {
    ss: mat3x3f,
    sj: mat3x3f,
    js: mat3x3f,
    jj: mat3x3f,
    upper: vec3f,
    lower: vec3f,
}

struct Orientation {
    reference: vec4f,
    turn: vec3f,
}

struct Link {
    present: vec2f,
    inverse_masses: vec2f,
    inverse_inertias: vec2f,
    here: Orientation,
    there: Orientation,
    way: vec3f,
    length: f32,
    rest: vec3f,
    stretch: vec3f,     // α̃
    bend: vec3f,
    damping: f32,
    moved: vec3f,
    turned_here: vec3f,
    turned_there: vec3f,
    multiplier: vec3f,  // λ of the segment
    moment: vec3f,      // λ of the joint
}

struct Rows {
    axes: mat3x3f,
    levers: mat3x3f,
    bends: mat3x3f,
    upper: vec3f,
    lower: vec3f,
    stretch: vec3f,     // α̃ as it stands in the matrix
    bend: vec3f,
}

fn turn_scalar(turn: vec3f) -> f32 {
    return sqrt(max(1.0 - dot3(turn, turn), 0.0));
}

fn shortened(v: vec3f, most: f32) -> vec3f {
    let squared = dot3(v, v);
    return v * select(1.0, most / sqrt(squared), squared > most * most);
}

// The turn `second` after the turn `first`.
fn compose(second: vec3f, first: vec3f) -> vec3f {
    return shortened(first * turn_scalar(second) + second * turn_scalar(first) + cross3(second, first), MOST_TURN);
}

fn turn_by(rotation: vec3f) -> vec3f {
    return shortened(0.5 * rotation, 0.5);
}

fn quaternion_of(turn: vec3f) -> vec4f {
    return vec4f(turn, turn_scalar(turn));
}

fn inverse_of(q: vec4f) -> vec4f {
    return vec4f(-q.xyz, q.w);
}

// The rotation a after b.
fn after(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(b.xyz * a.w + a.xyz * b.w + cross3(a.xyz, b.xyz), a.w * b.w - dot3(a.xyz, b.xyz));
}

fn rotated(q: vec4f, v: vec3f) -> vec3f {
    let twice = 2.0 * cross3(q.xyz, v);
    return v + twice * q.w + cross3(q.xyz, twice);
}

fn axes_of(o: Orientation) -> mat3x3f {
    let turn = quaternion_of(o.turn);
    return mat3x3f(
        rotated(turn, rotated(o.reference, vec3f(1.0, 0.0, 0.0))),
        rotated(turn, rotated(o.reference, vec3f(0.0, 1.0, 0.0))),
        rotated(turn, rotated(o.reference, vec3f(0.0, 0.0, 1.0))),
    );
}

// From an orientation to another, in its axes.
fn from_to(a: Orientation, b: Orientation) -> vec4f {
    let between = compose(-a.turn, b.turn);
    let turned = quaternion_of(rotated(inverse_of(a.reference), between));
    return after(turned, after(inverse_of(a.reference), b.reference));
}

// The angle of the vector (x, y) with neither below zero, to single precision: that of WGSL is good to 4096 roundings.
// Cephes' atanf.
fn angle_of(y: f32, x: f32) -> f32 {
    let steep = y > x;
    let t = select(y, x, steep) / max(select(x, y, steep), 1e-30);
    let large = t > 0.4142135623730950;
    let r = select(t, (t - 1.0) / (t + 1.0), large);
    let z = r * r;
    let p = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1;
    let angle = fma(p * z, r, r) + select(0.0, 0.7853981633974483, large);
    return select(angle, 1.5707963267948966 - angle, steep);
}

// The vector about whose direction a quaternion turns by its length.
fn logarithm(q: vec4f) -> vec3f {
    let p = select(q, -q, q.w < 0.0);
    let squared = dot3(p.xyz, p.xyz);
    let large = squared > 1e-12;
    let sine = sqrt(select(1.0, squared, large));
    return p.xyz * select(2.0 / select(p.w, 1.0, large), 2.0 * angle_of(sine, p.w) / sine, large);
}

fn curvature_share(bending: vec3f) -> f32 {
    let squared = dot3(bending, bending);
    let large = squared > 0.25;
    let angle = sqrt(select(1.0, squared, large));
    let half = cosine_sine(0.5 * angle);
    let exact = (1.0 - angle * half.x / (2.0 * half.y)) / (angle * angle);
    let series = 1.0 / 12.0 + squared * (1.0 / 720.0 + squared * (1.0 / 30240.0 + squared * (1.0 / 1209600.0)));
    return select(series, exact, large);
}

// Gradients of the rotation from one orientation to another with these axes.
fn bend_gradients(bending: vec3f, ends: mat3x3f) -> mat3x3f {
    let curved = curvature_share(bending);
    var gradients: mat3x3f;
    for (var k = 0u; k < 3u; k += 1u) {
        var axis = vec3f(0.0);
        axis[k] = 1.0;
        let across = cross3(bending, axis);
        gradients[k] = times(ends, axis - 0.5 * across + curved * cross3(bending, across));
    }
    return gradients;
}

fn transposed_product(a: mat3x3f, b: mat3x3f) -> mat3x3f {
    return mat3x3f(transposed_times(a, b[0]), transposed_times(a, b[1]), transposed_times(a, b[2]));
}

fn transposed_times(m: mat3x3f, v: vec3f) -> vec3f {
    return vec3f(dot3(m[0], v), dot3(m[1], v), dot3(m[2], v));
}

fn plus_diagonal(m: mat3x3f, d: vec3f) -> mat3x3f {
    return mat3x3f(m[0] + vec3f(d.x, 0.0, 0.0), m[1] + vec3f(0.0, d.y, 0.0), m[2] + vec3f(0.0, 0.0, d.z));
}

fn link_rows(l: Link) -> Rows {
    let ends = axes_of(l.there);
    let own = axes_of(l.here);
    let axes = own * l.present.x;
    let levers = mat3x3f(cross3(axes[0], l.way), cross3(axes[1], l.way), cross3(axes[2], l.way));
    let along = rotated(inverse_of(l.here.reference), rotated(quaternion_of(-l.here.turn), l.way));
    let stretched = (along - vec3f(0.0, 0.0, l.length)) * l.present.x;

    let bending = logarithm(from_to(l.here, l.there));
    let bends = bend_gradients(bending, ends) * l.present.y;
    let bent = (bending - l.rest) * l.present.y;

    let share = 1.0 / (1.0 + l.damping);
    let speed = transposed_times(axes, l.moved) + transposed_times(levers, l.turned_here);
    let turning = transposed_times(bends, l.turned_there - l.turned_here);
    let upper = stretched + l.stretch * l.multiplier + speed * l.damping;
    let lower = bent + l.bend * l.moment + turning * l.damping;
    let absent = vec2f(1.0) - l.present;
    return Rows(
        axes,
        levers,
        bends,
        upper * (-share * l.present.x),
        lower * (-share * l.present.y),
        l.stretch * (share * l.present.x) + absent.x,
        l.bend * (share * l.present.y) + absent.y,
    );
}

fn diagonal_blocks(l: Link, r: Rows) -> Blocks {
    let pushed = (l.inverse_masses.x + l.inverse_masses.y) * l.present.x;
    let here = l.inverse_inertias.x;
    return Blocks(
        plus_diagonal(transposed_product(r.levers, r.levers) * here, r.stretch + pushed),
        transposed_product(r.levers, r.bends) * -here,
        plus_diagonal(transposed_product(r.bends, r.bends) * (here + l.inverse_inertias.y), r.bend),
        r.upper,
        r.lower,
    );
}

fn coupling_to(l: Link, r: Rows, next: Rows) -> Coupling {
    let inertia = l.inverse_inertias.y;
    return Coupling(
        transposed_product(r.axes, next.axes) * -l.inverse_masses.y,
        transposed_product(r.bends, next.levers) * inertia,
        transposed_product(r.bends, next.bends) * -inertia,
    );
}

// L and 1/D of a symmetric, positive matrix.
struct Factor {
    lower: vec3f,
    inverse: vec3f,
}

fn factor(m: mat3x3f) -> Factor {
    let x = 1.0 / m[0].x;
    let a = m[0].y * x;
    let b = m[0].z * x;
    let y = 1.0 / (m[1].y - a * m[0].y);
    let rest = m[1].z - a * m[0].z;
    let c = rest * y;
    let z = 1.0 / (m[2].z - b * m[0].z - c * rest);
    return Factor(vec3f(a, b, c), vec3f(x, y, z));
}

fn solved(f: Factor, v: vec3f) -> vec3f {
    let y0 = v.y - f.lower.x * v.x;
    let z = (v.z - f.lower.y * v.x - f.lower.z * y0) * f.inverse.z;
    let y = y0 * f.inverse.y - f.lower.z * z;
    return vec3f(v.x * f.inverse.x - f.lower.x * y - f.lower.y * z, y, z);
}

fn solved_columns(f: Factor, m: mat3x3f) -> mat3x3f {
    return mat3x3f(solved(f, m[0]), solved(f, m[1]), solved(f, m[2]));
}

// What a link takes off the next one's blocks.
fn taken_by(c: Coupling, e: Eliminated) -> Blocks {
    return Blocks(
        transposed_product(c.segments, e.ss) + transposed_product(c.lever, e.js),
        transposed_product(c.segments, e.sj) + transposed_product(c.lever, e.jj),
        transposed_product(c.joints, e.jj),
        transposed_times(c.segments, e.upper) + transposed_times(c.lever, e.lower),
        transposed_times(c.joints, e.lower),
    );
}

fn eliminated_from(own: Blocks, before: Blocks, c: Coupling) -> Eliminated {
    let segment = own.segment - before.segment;
    let mixed = own.mixed - before.mixed;
    let f = factor(segment);
    let across = solved_columns(f, mixed);
    let g = factor((own.joint - before.joint) - transposed_product(mixed, across));
    let ss = solved_columns(f, c.segments);
    let js = solved_columns(g, c.lever - transposed_product(mixed, ss));
    let jj = solved_columns(g, c.joints);
    let upper = solved(f, own.upper - before.upper);
    let lower = solved(g, (own.lower - before.lower) - transposed_times(mixed, upper));
    let first = upper - times(across, lower);
    return Eliminated(ss - product(across, js), product(across, jj) * -1.0, js, jj, first, lower);
}
