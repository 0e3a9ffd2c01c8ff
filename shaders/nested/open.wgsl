// Before a frame: keeps what the constraints of a sheet bore in the last one, and switches off the nodes that would hold together what has come
// apart: see src/reference/bearing.rs. One workgroup for each sheet that can break.

@group(0) @binding(6) var<storage, read> multipliers: array<vec2f>;
@group(0) @binding(7) var<storage, read_write> nodes: array<Node>;

// The inverse mass of a node that is switched off: less than nothing together with any other.
const OFF: f32 = -1e30;

const AS_STIFF: f32 = 0.08;
const NONE: u32 = 0xffffffffu;

// The particle at the other end of the cord of an entry; none where it is broken, away, or softer than that.
fn reached(entry: u32, root: f32) -> u32 {
    let cord = cords[entry / 2u];
    let whole = multipliers[cord.place].x != BROKEN && !is_away(cord) && cord.root >= root;
    return select(NONE, select(cord.ends.x, cord.ends.y, (entry & 1u) == 0u), whole);
}

// Whether whole cords about as stiff join the ends of a broken one by two other particles.
fn is_joined(cord: Cord) -> bool {
    let root = AS_STIFF * cord.root;
    var joined = false;
    var first = NONE;
    for (var k = cord_rows[2u * cord.ends.x]; k < cord_rows[2u * cord.ends.x + 1u]; k += 1u) {
        let middle = reached(cord_rows[k], root);
        var meets = false;
        for (var l = cord_rows[2u * cord.ends.y]; l < cord_rows[2u * cord.ends.y + 1u]; l += 1u) {
            meets = meets || reached(cord_rows[l], root) == middle;
        }
        if (middle != NONE && meets) {
            joined = joined || (first != NONE && middle != first);
            first = middle;
        }
        joined = joined || middle == cord.ends.y;
    }
    return joined;
}

fn is_parted(particle: u32) -> bool {
    var parted = false;
    for (var k = cord_rows[2u * particle]; k < cord_rows[2u * particle + 1u]; k += 1u) {
        parted = parted || cords[cord_rows[k] / 2u].parted != 0u;
    }
    return parted;
}

// Whether any knot that a node moves is off, or an end of what has come apart.
fn is_off(knot: u32, finest: bool) -> bool {
    var off = false;
    for (var k = cord_rows[2u * knot]; k < cord_rows[2u * knot + 1u]; k += 2u) {
        let below = cord_rows[k];
        if (finest) {
            off = off || is_parted(below);
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
        cords[i].kept = select(multiplier.y, 0.0, broken);
        cords[i].parted = 0u;
        if (is_away(cords[i])) {
            cords[i].parted = AWAY;
        } else if (broken) {
            cords[i].parted = u32(!is_joined(cords[i]));
        }
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
