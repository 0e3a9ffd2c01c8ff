// How joints that hang together are kept, and what is worked out for them in a sweep: numbers of bodies, of joints, and
// the blocks of the matrix, one after another in joint_numbers.

const NOBODY: u32 = 0xffffffffu;
const HAS_LIMITS: u32 = 1u;
const HAS_MOTOR: u32 = 2u;
const HAS_DAMPING: u32 = 4u;
// What a substep of a group begins with.
const SETTLES: u32 = 1u;
const REMEMBERS: u32 = 2u;

struct JointGroup {
    first_body: u32,
    bodies: u32,
    first_joint: u32,
    joints: u32,
    blocks: u32,        // below the diagonal
    structure: u32,     // where its blocks, columns and targets begin
    work: u32,          // where its numbers begin
    curves: u32,        // of the model
    begins: u32,        // whether joints form rings, which settle, and whether some are damped
}

struct JointBody {
    first: u32,         // where its members begin
    count: u32,
    inverse_mass: f32,
    most: f32,          // at least the largest inverse inertia about any axis
    inertia0: vec3f,    // columns of its inverse inertia as placed
    reserved1: u32,
    inertia1: vec3f,
    reserved2: u32,
    inertia2: vec3f,
    reserved3: u32,
}

struct JointMember {
    rest: vec3f,        // from the centre as placed
    share: f32,         // of the mass
    slot: u32,
    reserved0: u32,
    reserved1: u32,
    reserved2: u32,
}

struct JointSeat {
    bodies: vec2u,      // of the group
    kind: u32,
    flags: u32,
    arm0: vec3f,        // from the centre of each body as placed; of the world its place
    compliance: f32,
    arm1: vec3f,
    motor_compliance: f32,
    axes: vec4f,        // as placed
    limits: vec2f,
    curve: u32,         // of its motor
    break_force: f32,
    damping: f32,
    break_moment: f32,
    reserved0: u32,
    reserved1: u32,
}

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> d: array<vec4f>;
@group(0) @binding(4) var<storage, read> curves: array<vec4f>;
@group(0) @binding(5) var<storage, read> joint_structure: array<u32>;
@group(0) @binding(6) var<storage, read> joint_bodies: array<vec4f>; // bodies, then their members
@group(0) @binding(7) var<storage, read> e: array<vec4f>;
@group(0) @binding(8) var<storage, read> joint_seats: array<JointSeat>;
@group(0) @binding(9) var<storage, read_write> joint_numbers: array<f32>;

// What is kept of a joint, before all that is worked out: λ of its equations, their sums over the frame, and whether it
// has broken, and its turn, way or length as the substep began.
const KEPT_NUMBERS: u32 = 16u;
const SUMS_AT: u32 = 6u;
const BROKEN_AT: u32 = 12u;
const BEGUN_AT: u32 = 13u;

// Numbers of a body: origin, offset, axes, how it moves, and by how much its inverse mass and inertia are multiplied in
// this substep.
const BODY_NUMBERS: u32 = 23u;
const SHARES_AT: u32 = 21u;
const OFFSET_AT: u32 = 3u;
const AXES_AT: u32 = 6u;
const MOTION_AT: u32 = 15u;

// Numbers of a joint: gradients of six equations along and about, those times the inverse inertias, what they are, α̃,
// the solution, which are there, the side, the lengths of both levers and of the way between, and the diagonal of the
// block before elimination, and what equations stay off in this substep.
const JOINT_NUMBERS: u32 = 125u;
const LEFT_AT: u32 = 119u;
const DIAGONAL_AT: u32 = 113u;
const LENGTHS_AT: u32 = 110u;
const LINEAR_AT: u32 = 0u;
const ANGULAR_AT: u32 = 18u;
const TURNS_AT: u32 = 54u;
const VALUES_AT: u32 = 90u;
const COMPLIANCES_AT: u32 = 96u;
const SOLUTION_AT: u32 = 102u;
const PRESENT_AT: u32 = 108u;
const SIDE_AT: u32 = 109u;

const BLOCK_NUMBERS: u32 = 36u;

// Groups stand before their structures.
const GROUP_WORDS: u32 = 9u;

fn group_at(index: u32) -> JointGroup {
    let at = index * GROUP_WORDS;
    return JointGroup(
        joint_structure[at],
        joint_structure[at + 1u],
        joint_structure[at + 2u],
        joint_structure[at + 3u],
        joint_structure[at + 4u],
        joint_structure[at + 5u],
        joint_structure[at + 6u],
        joint_structure[at + 7u],
        joint_structure[at + 8u],
    );
}

fn joint_body(group: JointGroup, body: u32) -> JointBody {
    let at = 4u * (group.first_body + body);
    let words = bitcast<vec4u>(joint_bodies[at]);
    let weights = joint_bodies[at].zw;
    let inertia0 = joint_bodies[at + 1u].xyz;
    let inertia1 = joint_bodies[at + 2u].xyz;
    let inertia2 = joint_bodies[at + 3u].xyz;
    return JointBody(words.x, words.y, weights.x, weights.y, inertia0, 0u, inertia1, 0u, inertia2, 0u);
}

fn joint_member(body: JointBody, index: u32) -> JointMember {
    let at = body.first + 2u * index;
    let place = joint_bodies[at];
    return JointMember(place.xyz, place.w, bitcast<u32>(joint_bodies[at + 1u].x), 0u, 0u, 0u);
}

fn body_at(group: JointGroup, body: u32) -> u32 {
    return group.work + body * BODY_NUMBERS;
}

fn joint_at(group: JointGroup, joint: u32) -> u32 {
    return group.work + group.bodies * BODY_NUMBERS + joint * JOINT_NUMBERS;
}

fn kept_at(group: JointGroup, joint: u32) -> u32 {
    return (group.first_joint + joint) * KEPT_NUMBERS;
}

// The diagonal's blocks come first.
fn block_at(group: JointGroup, block: u32) -> u32 {
    return joint_at(group, group.joints) + block * BLOCK_NUMBERS;
}

// Row and column of a block below the diagonal.
fn place_of_block(group: JointGroup, block: u32) -> vec2u {
    let at = group.structure + 2u * block;
    return vec2u(joint_structure[at], joint_structure[at + 1u]);
}

fn column_start(group: JointGroup, column: u32) -> u32 {
    return joint_structure[group.structure + 2u * group.blocks + column];
}

fn target_at(group: JointGroup, index: u32) -> u32 {
    return joint_structure[group.structure + 2u * group.blocks + group.joints + 1u + index];
}

fn load3(at: u32) -> vec3f {
    return vec3f(joint_numbers[at], joint_numbers[at + 1u], joint_numbers[at + 2u]);
}

fn store3(at: u32, v: vec3f) {
    joint_numbers[at] = v.x;
    joint_numbers[at + 1u] = v.y;
    joint_numbers[at + 2u] = v.z;
}

fn axes_at(body: u32) -> mat3x3f {
    return mat3x3f(load3(body + AXES_AT), load3(body + AXES_AT + 3u), load3(body + AXES_AT + 6u));
}
