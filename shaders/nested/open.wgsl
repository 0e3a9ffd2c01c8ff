// Before a frame: keeps what the constraints of a sheet bore in the last one, and switches off the nodes that would hold together what is broken. One
// workgroup for each sheet that can break.

@group(0) @binding(6) var<storage, read> multipliers: array<vec2f>;
@group(0) @binding(7) var<storage, read_write> nodes: array<Node>;

// The inverse mass of a node that is switched off: less than nothing together with any other.
const OFF: f32 = -1e30;

fn has_broken(particle: u32) -> bool {
    var broken = false;
    for (var k = cord_rows[2u * particle]; k < cord_rows[2u * particle + 1u]; k += 1u) {
        broken = broken || cords[cord_rows[k] / 2u].broken != 0u;
    }
    return broken;
}

// Whether any knot that a node moves is off, or has lost a constraint.
fn is_off(knot: u32, finest: bool) -> bool {
    var off = false;
    for (var k = cord_rows[2u * knot]; k < cord_rows[2u * knot + 1u]; k += 2u) {
        let below = cord_rows[k];
        if (finest) {
            off = off || has_broken(below);
        } else {
            off = off || nodes[knots[below].index].inverse_mass < 0.0;
        }
    }
    return off;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let sheet = group.x + group.y * batch.row;
    if (sheet >= batch.count) {
        return;
    }
    let ranges = cord_ranges[sheet];
    let all = cord_ranges[ranges.x];
    for (var i = all.x + thread; i < all.y; i += GROUP_SIZE) {
        let multiplier = multipliers[cords[i].place];
        let broken = multiplier.x == BROKEN;
        cords[i].broken = u32(broken);
        cords[i].kept = select(multiplier.y, 0.0, broken);
    }
    meet();
    for (var level = ranges.x + 2u; level < ranges.y; level += 1u) {
        let own = cord_ranges[level];
        for (var i = own.x + thread; i < own.y; i += GROUP_SIZE) {
            nodes[knots[i].index].inverse_mass = select(knots[i].inverse_mass, OFF, is_off(i, level == ranges.x + 2u));
        }
        meet();
    }
}
