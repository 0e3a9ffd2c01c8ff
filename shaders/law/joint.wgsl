// Joints between rigid bodies, as equations: the twin of src/law/joint.rs, where the formulas are. Equations that are
// not there are 1 λ = 0.

const ROWS: u32 = 6u;

const BALL: u32 = 0u;
const HINGE: u32 = 1u;
const SLIDER: u32 = 2u;
const FIXED: u32 = 3u;
const DISTANCE: u32 = 4u;

struct JointTerms {
    kind: u32,
    is_whole: u32,
    has_limits: u32,
    has_motor: u32,
    limits: vec2f,
    compliance: f32,        // α̃ of what it holds
    goal: f32,              // of its motor
    motor_compliance: f32,  // α̃
    has_damping: u32,
    begun: f32,             // its turn, way or length as the substep began
    damping_compliance: f32,    // α̃
}

struct JointPlaced {
    apart: vec3f,           // from its place on the first body to that on the second
    lever0: vec3f,          // from the centre of each body to its place on the second
    lever1: vec3f,
    axes0: mat3x3f,
    axes1: mat3x3f,
}

struct JointRows {
    linear: array<vec3f, 6>,
    angular0: array<vec3f, 6>,
    angular1: array<vec3f, 6>,
    values: array<f32, 6>,
    compliances: array<f32, 6>,
    present: u32,           // a bit for each
    side: f32,              // of the turn, way or length at a limit: 1, -1, or 0 both
    coordinate: f32,        // the turn, way or length
}

fn coordinate_of(kind: u32) -> u32 {
    return select(2u, 5u, kind == HINGE || kind == BALL);
}

fn set_row(rows: ptr<function, JointRows>, row: u32, value: f32, compliance: f32) {
    (*rows).values[row] = value;
    (*rows).compliances[row] = compliance;
    (*rows).present |= 1u << row;
}

fn push_along(rows: ptr<function, JointRows>, row: u32, direction: vec3f, placed: JointPlaced, compliance: f32) {
    (*rows).linear[row] = direction;
    (*rows).angular0[row] = -cross3(placed.lever0, direction);
    (*rows).angular1[row] = cross3(placed.lever1, direction);
    set_row(rows, row, dot3(direction, placed.apart), compliance);
}

fn turn_about(rows: ptr<function, JointRows>, row: u32, gradient: vec3f) {
    (*rows).angular0[row] = -gradient;
    (*rows).angular1[row] = gradient;
}

fn drop_row(rows: ptr<function, JointRows>, row: u32) {
    (*rows).linear[row] = vec3f(0.0);
    (*rows).angular0[row] = vec3f(0.0);
    (*rows).angular1[row] = vec3f(0.0);
    (*rows).values[row] = 0.0;
    (*rows).compliances[row] = 1.0;
    (*rows).present &= ~(1u << row);
    (*rows).side = 0.0;
}

// The angle of the vector (x, y), -π to π, to single precision.
fn signed_angle(y: f32, x: f32) -> f32 {
    let angle = angle_of(abs(y), abs(x));
    let upper = select(angle, 3.1415926535897931 - angle, x < 0.0);
    return select(upper, -upper, y < 0.0);
}

fn wrapped(angle: f32) -> f32 {
    let turned = cosine_sine(angle);
    return signed_angle(turned.y, turned.x);
}

// From one set of axes to another, in either; right below half a turn.
fn rotation_between(a: mat3x3f, b: mat3x3f) -> vec4f {
    let m = transposed_product(a, b);
    let twice = sqrt(max(1.0 + m[0][0] + m[1][1] + m[2][2], 1e-6));
    let vector = vec3f(m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]) * (0.5 / twice);
    let q = vec4f(vector, 0.5 * twice);
    return q / sqrt(dot4(q, q));
}

fn off(terms: JointTerms, way: f32) -> f32 {
    return select(way, wrapped(way), terms.kind == HINGE);
}

// How far a turn, way or length is off, and α̃, by its motor and by what damps it.
fn spring(terms: JointTerms, value: f32) -> vec2f {
    let to_goal = off(terms, value - terms.goal);
    let to_begun = off(terms, value - terms.begun);
    if (terms.has_damping == 0u) {
        return vec2f(to_goal, terms.motor_compliance);
    }
    if (terms.has_motor == 0u) {
        return vec2f(to_begun, terms.damping_compliance);
    }
    let share = terms.motor_compliance / (terms.motor_compliance + terms.damping_compliance);
    return vec2f(to_goal + (to_begun - to_goal) * share, terms.damping_compliance * share);
}

fn hold_coordinate(rows: ptr<function, JointRows>, terms: JointTerms, placed: JointPlaced) {
    let row = coordinate_of(terms.kind);
    var value: f32;
    if (terms.kind == HINGE) {
        let other = placed.axes1[0];
        let cosine = dot3(placed.axes0[0], other);
        let sine = dot3(placed.axes0[1], other);
        let squared = cosine * cosine + sine * sine;
        let along = (placed.axes0[1] * cosine - placed.axes0[0] * sine) * (1.0 / squared);
        turn_about(rows, row, cross3(other, along));
        value = signed_angle(sine, cosine);
    } else if (terms.kind == BALL) {
        let about = cross3(placed.axes0[2], placed.axes1[2]);
        let sine = length3(about);
        turn_about(rows, row, about * select(0.0, 1.0 / sine, sine > 0.0));
        value = signed_angle(sine, dot3(placed.axes0[2], placed.axes1[2]));
    } else if (terms.kind == SLIDER) {
        push_along(rows, row, placed.axes0[2], placed, terms.compliance);
        value = dot3(placed.axes0[2], placed.apart);
    } else {
        value = length3(placed.apart);
        push_along(rows, row, placed.apart * select(0.0, 1.0 / value, value > 0.0), placed, terms.compliance);
    }
    (*rows).coordinate = value;
    let limited = terms.has_limits != 0u;
    if (limited && terms.limits.y <= terms.limits.x) {
        set_row(rows, row, value - terms.limits.x, terms.compliance);
    } else if (limited && value < terms.limits.x) {
        set_row(rows, row, value - terms.limits.x, terms.compliance);
        (*rows).side = 1.0;
    } else if (limited && value > terms.limits.y) {
        set_row(rows, row, value - terms.limits.y, terms.compliance);
        (*rows).side = -1.0;
    } else if (terms.has_motor != 0u || terms.has_damping != 0u) {
        let pull = spring(terms, value);
        set_row(rows, row, pull.x, pull.y);
    } else {
        drop_row(rows, row);
    }
}

fn joint_rows(terms: JointTerms, placed: JointPlaced) -> JointRows {
    var rows: JointRows;
    for (var k = 0u; k < ROWS; k += 1u) {
        rows.compliances[k] = 1.0;
    }
    if (terms.is_whole == 0u) {
        return rows;
    }
    let kind = terms.kind;
    let places = select(select(3u, 2u, kind == SLIDER), 0u, kind == DISTANCE);
    for (var k = 0u; k < places; k += 1u) {
        push_along(&rows, k, placed.axes0[k], placed, terms.compliance);
    }
    if (kind == HINGE) {
        for (var k = 0u; k < 2u; k += 1u) {
            turn_about(&rows, 3u + k, cross3(placed.axes1[2], placed.axes0[k]));
            set_row(&rows, 3u + k, dot3(placed.axes0[k], placed.axes1[2]), terms.compliance);
        }
    }
    if (kind == SLIDER || kind == FIXED) {
        let angle = logarithm(rotation_between(placed.axes0, placed.axes1));
        let gradients = bend_gradients(angle, placed.axes1);
        for (var k = 0u; k < 3u; k += 1u) {
            turn_about(&rows, 3u + k, gradients[k]);
            set_row(&rows, 3u + k, angle[k], terms.compliance);
        }
    }
    if (kind != FIXED) {
        hold_coordinate(&rows, terms, placed);
    }
    return rows;
}
