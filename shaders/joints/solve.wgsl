// A workgroup for all joints that hang together: a step of Newton's method over them, as src/law/articulation.rs has
// it. Bodies, joints and blocks are shared out among its threads; one thread eliminates.

override TWO_STEPS: bool = false;

const TEAM: u32 = 64u;
const DEPENDENT: f32 = 3e-5;
const RELEASES: u32 = 3u;
const CORRECTED: f32 = 0.1;
const SOFT: f32 = 0.01;

// How many equations at limits would pull.
var<workgroup> released: atomic<u32>;
var<workgroup> again: u32;

fn open(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints; i += TEAM) {
        let kept = kept_at(group, i);
        for (var k = 0u; k < ROWS; k += 1u) {
            joint_numbers[kept + k] = 0.0;
            joint_numbers[joint_at(group, i) + LEFT_AT + k] = 0.0;
            if (substep.index == 0u) {
                joint_numbers[kept + SUMS_AT + k] = 0.0;
            }
        }
    }
}

// How far a particle is from x: what rounding has left as the substep began.
fn away(slot: u32, begun: bool) -> vec3f {
    return select(d[slot].xyz, e[slot].xyz, begun);
}

// Where bodies are, now or as the substep began.
fn fit_bodies(group: JointGroup, thread: u32, begun: bool) {
    for (var i = thread; i < group.bodies; i += TEAM) {
        let body = joint_body(group, i);
        let first = joint_member(body, 0u).slot;
        var offset = vec3f(0.0);
        var turned = mat3x3f(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for (var k = 0u; k < body.count; k += 1u) {
            let member = joint_member(body, k);
            let way = lattice_way(x[first].xyz, x[member.slot].xyz) + (away(member.slot, begun) - away(first, begun));
            let place = way * member.share;
            offset += place;
            turned[0] += place * member.rest.x;
            turned[1] += place * member.rest.y;
            turned[2] += place * member.rest.z;
        }
        let at = body_at(group, i);
        let axes = rotation_next_to(turned);
        store3(at, x[first].xyz);
        store3(at + OFFSET_AT, offset + away(first, begun));
        joint_numbers[at + SHARES_AT] = 1.0;
        joint_numbers[at + SHARES_AT + 1u] = 1.0;
        for (var k = 0u; k < 3u; k += 1u) {
            store3(at + AXES_AT + 3u * k, axes[k]);
        }
    }
}

// Origin and offset of a joint's place on a body, the axes there, and the way from the centre.
struct Seated {
    origin: vec3f,
    offset: vec3f,
    lever: vec3f,
    axes: mat3x3f,
}

fn seated(group: JointGroup, body: u32, arm: vec3f, axes: mat3x3f) -> Seated {
    if (body == NOBODY) {
        return Seated(arm, vec3f(0.0), vec3f(0.0), axes);
    }
    let at = body_at(group, body);
    let turned = axes_at(at);
    let own = mat3x3f(times(turned, axes[0]), times(turned, axes[1]), times(turned, axes[2]));
    return Seated(load3(at), load3(at + OFFSET_AT), times(turned, arm), own);
}

fn terms_of(group: JointGroup, seat: JointSeat, kept: u32) -> JointTerms {
    let has_motor = seat.flags & HAS_MOTOR;
    var goal = 0.0;
    if (has_motor != 0u) {
        goal = curves[substep.index * group.curves + seat.curve].x;
    }
    return JointTerms(
        seat.kind,
        select(1u, 0u, joint_numbers[kept + BROKEN_AT] != 0.0),
        seat.flags & HAS_LIMITS,
        has_motor,
        seat.limits,
        seat.compliance * substep.inverse_seconds_squared,
        goal,
        seat.motor_compliance * substep.inverse_seconds_squared,
        seat.flags & HAS_DAMPING,
        joint_numbers[kept + BEGUN_AT],
        substep.inverse_seconds / max(seat.damping, 1e-30),
    );
}

// Whether an equation has no compliance and is not the turn, way or length.
fn is_rigid(seat: JointSeat, row: u32) -> bool {
    let has_own = seat.kind != FIXED;
    return seat.compliance == 0.0 && !(has_own && row == coordinate_of(seat.kind));
}

fn write_rows(group: JointGroup, thread: u32, settling: bool) {
    for (var i = thread; i < group.joints; i += TEAM) {
        let seat = joint_seats[group.first_joint + i];
        let axis_x = rotated(seat.axes, vec3f(1.0, 0.0, 0.0));
        let axis_y = rotated(seat.axes, vec3f(0.0, 1.0, 0.0));
        let axis_z = rotated(seat.axes, vec3f(0.0, 0.0, 1.0));
        let axes = mat3x3f(axis_x, axis_y, axis_z);
        let a = seated(group, seat.bodies.x, seat.arm0, axes);
        let b = seated(group, seat.bodies.y, seat.arm1, axes);
        let apart = lattice_way(a.origin, b.origin) + ((b.offset + b.lever) - (a.offset + a.lever));
        let placed = JointPlaced(apart, a.lever + apart, b.lever, a.axes, b.axes);
        let rows = joint_rows(terms_of(group, seat, kept_at(group, i)), placed);
        let at = joint_at(group, i);
        if (settling) {
            joint_numbers[kept_at(group, i) + BEGUN_AT] = rows.coordinate;
        }
        var present = rows.present;
        for (var k = 0u; k < ROWS; k += 1u) {
            if (settling && !is_rigid(seat, k)) {
                take_out(at, k);
                present &= ~(1u << k);
                continue;
            }
            store3(at + LINEAR_AT + 3u * k, rows.linear[k]);
            store3(at + ANGULAR_AT + 3u * k, rows.angular0[k]);
            store3(at + ANGULAR_AT + 18u + 3u * k, rows.angular1[k]);
            let left = select(joint_numbers[at + LEFT_AT + k], 0.0, settling);
            joint_numbers[at + VALUES_AT + k] = rows.values[k] - left;
            joint_numbers[at + COMPLIANCES_AT + k] = rows.compliances[k];
        }
        joint_numbers[at + PRESENT_AT] = f32(present);
        joint_numbers[at + SIDE_AT] = rows.side;
        store3(at + LENGTHS_AT, vec3f(length3(a.lever), length3(b.lever), length3(apart)));
    }
}

// Takes an equation out.
fn take_out(at: u32, row: u32) {
    store3(at + LINEAR_AT + 3u * row, vec3f(0.0));
    store3(at + ANGULAR_AT + 3u * row, vec3f(0.0));
    store3(at + ANGULAR_AT + 18u + 3u * row, vec3f(0.0));
    joint_numbers[at + VALUES_AT + row] = 0.0;
    joint_numbers[at + COMPLIANCES_AT + row] = 1.0;
}

// I⁻¹ ∂C/∂φ.
fn weigh(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints; i += TEAM) {
        let bodies = joint_seats[group.first_joint + i].bodies;
        let at = joint_at(group, i);
        for (var side = 0u; side < 2u; side += 1u) {
            if (bodies[side] == NOBODY) {
                continue;
            }
            let body = joint_body(group, bodies[side]);
            let inertia = mat3x3f(body.inertia0, body.inertia1, body.inertia2);
            let own = body_at(group, bodies[side]);
            let axes = axes_at(own);
            let share = joint_numbers[own + SHARES_AT + 1u];
            for (var k = 0u; k < ROWS; k += 1u) {
                let place = 18u * side + 3u * k;
                let inside = transposed_times(axes, load3(at + ANGULAR_AT + place));
                store3(at + TURNS_AT + place, times(axes, times(inertia, inside)) * share);
            }
        }
    }
}

// J W Jᵀ of the equations of one joint by those of another, into a block.
fn couple(group: JointGroup, block: u32, row: u32, column: u32) {
    let at = block_at(group, block);
    for (var k = 0u; k < BLOCK_NUMBERS; k += 1u) {
        joint_numbers[at + k] = 0.0;
    }
    let rows = joint_at(group, row);
    let columns = joint_at(group, column);
    let of_row = joint_seats[group.first_joint + row].bodies;
    let of_column = joint_seats[group.first_joint + column].bodies;
    for (var one = 0u; one < 2u; one += 1u) {
        for (var other = 0u; other < 2u; other += 1u) {
            if (of_row[one] == NOBODY || of_row[one] != of_column[other]) {
                continue;
            }
            let share = joint_numbers[body_at(group, of_row[one]) + SHARES_AT];
            let inverse_mass = joint_body(group, of_row[one]).inverse_mass * share;
            let mass = select(-inverse_mass, inverse_mass, one == other);
            for (var i = 0u; i < ROWS; i += 1u) {
                let linear = load3(rows + LINEAR_AT + 3u * i) * mass;
                let turn = load3(rows + TURNS_AT + 18u * one + 3u * i);
                for (var j = 0u; j < ROWS; j += 1u) {
                    let along = dot3(linear, load3(columns + LINEAR_AT + 3u * j));
                    let about = dot3(turn, load3(columns + ANGULAR_AT + 18u * other + 3u * j));
                    joint_numbers[at + ROWS * i + j] += along + about;
                }
            }
        }
    }
}

fn assemble(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints + group.blocks; i += TEAM) {
        if (i >= group.joints) {
            let place = place_of_block(group, i - group.joints);
            couple(group, i, place.x, place.y);
            continue;
        }
        couple(group, i, i, i);
        let at = joint_at(group, i);
        let block = block_at(group, i);
        let present = u32(joint_numbers[at + PRESENT_AT]);
        for (var k = 0u; k < ROWS; k += 1u) {
            let compliance = joint_numbers[at + COMPLIANCES_AT + k];
            let own = joint_numbers[block + (ROWS + 1u) * k] + compliance;
            joint_numbers[block + (ROWS + 1u) * k] = own;
            joint_numbers[at + DIAGONAL_AT + k] = own;
            let there = (present & (1u << k)) != 0u;
            let pressed = select(0.0, compliance * joint_numbers[kept_at(group, i) + k], there);
            joint_numbers[at + SOLUTION_AT + k] = -joint_numbers[at + VALUES_AT + k] - pressed;
        }
    }
}

// L of a diagonal block in place, with the inverses of its diagonal on it; 0 for equations that say what others say.
fn cholesky(block: u32, diagonal: u32) {
    for (var i = 0u; i < ROWS; i += 1u) {
        for (var j = 0u; j <= i; j += 1u) {
            var left = joint_numbers[block + ROWS * i + j];
            for (var k = 0u; k < j; k += 1u) {
                left -= joint_numbers[block + ROWS * i + k] * joint_numbers[block + ROWS * j + k];
            }
            if (i == j) {
                let least = DEPENDENT * joint_numbers[diagonal + i];
                left = select(0.0, 1.0 / sqrt(max(left, 1e-38)), left > least);
            } else {
                left *= joint_numbers[block + (ROWS + 1u) * j];
            }
            joint_numbers[block + ROWS * i + j] = left;
        }
    }
}

// L⁻¹ b, of six numbers in place.
fn forward(block: u32, at: u32) {
    for (var i = 0u; i < ROWS; i += 1u) {
        var left = joint_numbers[at + i];
        for (var k = 0u; k < i; k += 1u) {
            left -= joint_numbers[block + ROWS * i + k] * joint_numbers[at + k];
        }
        joint_numbers[at + i] = left * joint_numbers[block + (ROWS + 1u) * i];
    }
}

// L⁻ᵀ b
fn backward(block: u32, at: u32) {
    for (var back = ROWS; back > 0u; back -= 1u) {
        let i = back - 1u;
        var left = joint_numbers[at + i];
        for (var k = back; k < ROWS; k += 1u) {
            left -= joint_numbers[block + ROWS * k + i] * joint_numbers[at + k];
        }
        joint_numbers[at + i] = left * joint_numbers[block + (ROWS + 1u) * i];
    }
}

// Takes the product of two blocks of a column off another block.
fn take_off(goal: u32, one: u32, other: u32) {
    for (var i = 0u; i < ROWS; i += 1u) {
        for (var j = 0u; j < ROWS; j += 1u) {
            var sum = 0.0;
            for (var k = 0u; k < ROWS; k += 1u) {
                sum += joint_numbers[one + ROWS * i + k] * joint_numbers[other + ROWS * j + k];
            }
            joint_numbers[goal + ROWS * i + j] -= sum;
        }
    }
}

fn factor_blocks(group: JointGroup) {
    var next = 0u;
    for (var column = 0u; column < group.joints; column += 1u) {
        let pivot = block_at(group, column);
        cholesky(pivot, joint_at(group, column) + DIAGONAL_AT);
        let first = column_start(group, column);
        let end = column_start(group, column + 1u);
        for (var i = first; i < end; i += 1u) {
            for (var line = 0u; line < ROWS; line += 1u) {
                forward(pivot, block_at(group, group.joints + i) + ROWS * line);
            }
        }
        for (var one = first; one < end; one += 1u) {
            for (var other = first; other <= one; other += 1u) {
                let goal = block_at(group, target_at(group, next));
                take_off(goal, block_at(group, group.joints + one), block_at(group, group.joints + other));
                next += 1u;
            }
        }
    }
}

fn substitute(group: JointGroup) {
    for (var column = 0u; column < group.joints; column += 1u) {
        let solution = joint_at(group, column) + SOLUTION_AT;
        forward(block_at(group, column), solution);
        for (var i = column_start(group, column); i < column_start(group, column + 1u); i += 1u) {
            let above = joint_at(group, place_of_block(group, i).x) + SOLUTION_AT;
            let block = block_at(group, group.joints + i);
            for (var line = 0u; line < ROWS; line += 1u) {
                var sum = 0.0;
                for (var k = 0u; k < ROWS; k += 1u) {
                    sum += joint_numbers[block + ROWS * line + k] * joint_numbers[solution + k];
                }
                joint_numbers[above + line] -= sum;
            }
        }
    }
    for (var back = group.joints; back > 0u; back -= 1u) {
        let column = back - 1u;
        let solution = joint_at(group, column) + SOLUTION_AT;
        for (var i = column_start(group, column); i < column_start(group, back); i += 1u) {
            let above = joint_at(group, place_of_block(group, i).x) + SOLUTION_AT;
            let block = block_at(group, group.joints + i);
            for (var line = 0u; line < ROWS; line += 1u) {
                for (var k = 0u; k < ROWS; k += 1u) {
                    joint_numbers[solution + k] -= joint_numbers[block + ROWS * line + k] * joint_numbers[above + line];
                }
            }
        }
        backward(block_at(group, column), solution);
    }
}

// Makes heavier what is too light for its loads.
fn stiffen(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.bodies; i += TEAM) {
        var loads = vec2f(0.0);
        for (var joint = 0u; joint < group.joints; joint += 1u) {
            let seat = joint_seats[group.first_joint + joint];
            let at = joint_at(group, joint);
            if (seat.bodies.x != i && seat.bodies.y != i) {
                continue;
            }
            var impulse = vec3f(0.0);
            for (var row = 0u; row < 3u; row += 1u) {
                let lambda = joint_numbers[kept_at(group, joint) + row] + joint_numbers[at + SOLUTION_AT + row];
                impulse += load3(at + LINEAR_AT + 3u * row) * lambda;
            }
            let size = length3(impulse);
            let lengths = load3(at + LENGTHS_AT);
            loads.y += size * (select(0.0, lengths.x, seat.bodies.x == i) + select(0.0, lengths.y, seat.bodies.y == i));
            if (seat.kind == DISTANCE && lengths.z > 0.0) {
                loads.x += size / lengths.z;
            }
        }
        let body = joint_body(group, i);
        let excess = loads * vec2f(body.inverse_mass, body.most);
        let at = body_at(group, i) + SHARES_AT;
        joint_numbers[at] = 1.0 / max(excess.x, 1.0);
        joint_numbers[at + 1u] = 1.0 / max(excess.y, 1.0);
        if (excess.x > 1.0 || excess.y > 1.0) {
            atomicAdd(&released, 1u);
        }
    }
}

// Takes out what would pull at a limit.
fn release(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints; i += TEAM) {
        let row = coordinate_of(joint_seats[group.first_joint + i].kind);
        let at = joint_at(group, i);
        let lambda = joint_numbers[kept_at(group, i) + row] + joint_numbers[at + SOLUTION_AT + row];
        if (lambda * joint_numbers[at + SIDE_AT] < 0.0) {
            take_out(at, row);
            joint_numbers[at + PRESENT_AT] = f32(u32(joint_numbers[at + PRESENT_AT]) & ~(1u << row));
            joint_numbers[at + SIDE_AT] = 0.0;
            atomicAdd(&released, 1u);
        }
    }
}

fn press(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints; i += TEAM) {
        for (var k = 0u; k < ROWS; k += 1u) {
            joint_numbers[kept_at(group, i) + k] += joint_numbers[joint_at(group, i) + SOLUTION_AT + k];
        }
    }
}

// How bodies move, and with them their particles.
fn move_bodies(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.bodies; i += TEAM) {
        let share = joint_numbers[body_at(group, i) + SHARES_AT];
        let inverse_mass = joint_body(group, i).inverse_mass * share;
        var shift = vec3f(0.0);
        var turn = vec3f(0.0);
        for (var joint = 0u; joint < group.joints; joint += 1u) {
            let bodies = joint_seats[group.first_joint + joint].bodies;
            let at = joint_at(group, joint);
            for (var side = 0u; side < 2u; side += 1u) {
                if (bodies[side] != i) {
                    continue;
                }
                let mass = select(-inverse_mass, inverse_mass, side == 1u);
                for (var k = 0u; k < ROWS; k += 1u) {
                    let change = joint_numbers[at + SOLUTION_AT + k];
                    shift += load3(at + LINEAR_AT + 3u * k) * (mass * change);
                    turn += load3(at + TURNS_AT + 18u * side + 3u * k) * change;
                }
            }
        }
        store3(body_at(group, i) + MOTION_AT, shift);
        store3(body_at(group, i) + MOTION_AT + 3u, turn);
    }
}

fn move_members(group: JointGroup, thread: u32) {
    for (var i = 0u; i < group.bodies; i += 1u) {
        let body = joint_body(group, i);
        if (body.inverse_mass == 0.0) {
            continue;
        }
        let at = body_at(group, i);
        let shift = load3(at + MOTION_AT);
        let q = quaternion_of(turn_by(load3(at + MOTION_AT + 3u)));
        for (var k = thread; k < body.count; k += TEAM) {
            let slot = joint_member(body, k).slot;
            let lever = lattice_way(load3(at), x[slot].xyz) + (d[slot].xyz - load3(at + OFFSET_AT));
            let twice = 2.0 * cross3(q.xyz, lever);
            d[slot] += vec4f(shift + twice * q.w + cross3(q.xyz, twice), 0.0);
        }
    }
}

// Ends the substep; the last of a frame breaks what bore too much.
fn close(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints; i += TEAM) {
        let kept = kept_at(group, i);
        var squared = vec2f(0.0);   // of the force, and of the moment
        for (var k = 0u; k < ROWS; k += 1u) {
            let sum = joint_numbers[kept + SUMS_AT + k] + joint_numbers[kept + k];
            joint_numbers[kept + SUMS_AT + k] = sum;
            squared += select(vec2f(0.0, sum * sum), vec2f(sum * sum, 0.0), k < 3u);
        }
        let loads = sqrt(squared) * substep.inverse_seconds_squared / f32(substep.count);
        let seat = joint_seats[group.first_joint + i];
        if (substep.index + 1u == substep.count && (loads.x > seat.break_force || loads.y > seat.break_moment)) {
            joint_numbers[kept + BROKEN_AT] = 1.0;
        }
    }
}

// Bodies and equations, now or, to settle, as the substep began.
fn find_rows(group: JointGroup, thread: u32, settling: bool) {
    fit_bodies(group, thread, settling);
    workgroupBarrier();
    storageBarrier();
    write_rows(group, thread, settling);
    workgroupBarrier();
    storageBarrier();
}

fn find_matrix(group: JointGroup, thread: u32) {
    weigh(group, thread);
    workgroupBarrier();
    storageBarrier();
    assemble(group, thread);
    workgroupBarrier();
    storageBarrier();
}

fn eliminate(group: JointGroup, thread: u32) {
    if (thread == 0u) {
        factor_blocks(group);
        substitute(group);
    }
    workgroupBarrier();
    storageBarrier();
}

// Makes a system soft, and asks for a share of what equations are off.
fn soften(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints; i += TEAM) {
        let at = joint_at(group, i);
        for (var k = 0u; k < ROWS; k += 1u) {
            joint_numbers[block_at(group, i) + (ROWS + 1u) * k] *= 1.0 + SOFT;
            joint_numbers[at + SOLUTION_AT + k] *= CORRECTED;
        }
    }
}

// What equations are still off.
fn leave(group: JointGroup, thread: u32) {
    for (var i = thread; i < group.joints; i += TEAM) {
        let at = joint_at(group, i);
        for (var k = 0u; k < ROWS; k += 1u) {
            let kept = joint_numbers[at + VALUES_AT + k] * (1.0 - CORRECTED);
            let soft = SOFT * joint_numbers[at + DIAGONAL_AT + k] * joint_numbers[at + SOLUTION_AT + k];
            joint_numbers[at + LEFT_AT + k] = kept - soft;
        }
    }
}

// Corrects some of what rings were off as the substep began, where their rows are known: `settle` in
// src/law/articulation.rs.
fn settle(group: JointGroup, thread: u32) {
    find_matrix(group, thread);
    soften(group, thread);
    workgroupBarrier();
    storageBarrier();
    eliminate(group, thread);
    leave(group, thread);
    move_bodies(group, thread);
    workgroupBarrier();
    storageBarrier();
    fit_bodies(group, thread, false);
    workgroupBarrier();
    storageBarrier();
    move_members(group, thread);
    workgroupBarrier();
    storageBarrier();
}

fn step(group: JointGroup, thread: u32) {
    find_rows(group, thread, false);
    for (var turn = 0u; turn < RELEASES; turn += 1u) {
        if (thread == 0u) {
            atomicStore(&released, 0u);
        }
        find_matrix(group, thread);
        eliminate(group, thread);
        if (turn == 0u) {
            stiffen(group, thread);
        }
        workgroupBarrier();
        storageBarrier();
        release(group, thread);
        workgroupBarrier();
        storageBarrier();
        if (thread == 0u) {
            again = atomicLoad(&released);
        }
        if (workgroupUniformLoad(&again) == 0u) {
            break;
        }
    }
    press(group, thread);
    move_bodies(group, thread);
    workgroupBarrier();
    storageBarrier();
    move_members(group, thread);
    workgroupBarrier();
    storageBarrier();
}

@compute @workgroup_size(TEAM)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = item(workgroup);
    if (index >= batch.count) {
        return;
    }
    let group = group_at(batch.first + index);
    if ((batch.visit & OPENS) != 0u) {
        open(group, thread);
    }
    if (thread == 0u) {
        again = select(0u, group.begins, (batch.visit & OPENS) != 0u);
    }
    workgroupBarrier();
    storageBarrier();
    let begins = workgroupUniformLoad(&again);
    if (begins != 0u) {
        find_rows(group, thread, true);
    }
    if ((begins & SETTLES) != 0u) {
        settle(group, thread);
    }
    step(group, thread);
    if (TWO_STEPS) {
        step(group, thread);
    }
    if ((batch.visit & CLOSES) != 0u) {
        close(group, thread);
    }
}
