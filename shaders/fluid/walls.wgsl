// Finds the planes by which colliders bound each particle: that at the nearest point; of hollow boxes and cylinders
// each face, since fluid lies in their corners. src/law/walls.rs does the same.

@group(0) @binding(3) var<storage, read> fluid_places: array<vec4f>;
@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read> colliders: array<Collider>;
@group(0) @binding(8) var<storage, read_write> fluid_planes: array<WallPlane>;
@group(0) @binding(9) var<storage, read_write> fluid_mirrors: array<Mirrors>;

// Faces of a collider that are told apart.
const FACES: u32 = 8u;

// Of those found so far the nearest, by their gaps.
var<private> planes: array<WallPlane, MOST>;
var<private> gaps: vec4f;
var<private> found: u32;

var<private> place: vec3f;

// A plane at so much from a point, relative to the collider's place.
fn tell(c: Collider, wall: u32, point: vec3f, normal: vec3f, distance: f32) {
    let gap = distance - c.thickness;
    if (!(gap < header(SUPPORT)) || (found == MOST && gap >= gaps[MOST - 1u])) {
        return;
    }
    let touched = point - distance * normal;
    var at = min(found, MOST - 1u);
    while (at > 0u && gaps[at - 1u] > gap) {
        planes[at] = planes[at - 1u];
        gaps[at] = gaps[at - 1u];
        at -= 1u;
    }
    planes[at] = WallPlane(normal, gap - dot(normal, place), carried_at(c, touched, touched, normal), wall);
    gaps[at] = gap;
    found = min(found + 1u, MOST);
}

fn find(c: Collider, wall: u32) {
    let point = ((origin() - c.place) + place) - c.place_low;
    let own = vec3f(dot(c.axis_x, point), dot(c.axis_y, point), dot(c.axis_z, point));
    if (c.shape == BOX && c.inside != 0u) {
        tell(c, wall, point, -c.axis_x, c.size.x - own.x);
        tell(c, wall + 1u, point, c.axis_x, c.size.x + own.x);
        tell(c, wall + 2u, point, -c.axis_y, c.size.y - own.y);
        tell(c, wall + 3u, point, c.axis_y, c.size.y + own.y);
        tell(c, wall + 4u, point, -c.axis_z, c.size.z - own.z);
        tell(c, wall + 5u, point, c.axis_z, c.size.z + own.z);
    } else if (c.shape == CYLINDER && c.inside != 0u) {
        let radius = length(own.xz);
        let flat = select(vec2f(0.0), own.xz / radius, radius > 0.0);
        tell(c, wall, point, -c.axis_y, c.size.y - own.y);
        tell(c, wall + 1u, point, c.axis_y, c.size.y + own.y);
        tell(c, wall + 2u, point, -(flat.x * c.axis_x + flat.y * c.axis_z), c.size.x - radius);
    } else {
        let near = gap_to(c, point, 0.0);
        tell(c, wall, point, near.xyz, near.w);
    }
}

// Whether a collider is solid to a particle: a trigger is not.
fn is_solid(c: Collider, one: Wet) -> bool {
    return c.adhesion >= 0.0 && (c.meets & (1u << (one.body & 31u))) != 0u && (c.groups & one.meets) != 0u;
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let own = item(id);
    if (own >= batch.count) {
        return;
    }
    let one = fluid_wet[own];
    place = fluid_places[own].xyz;
    // What is absent has no walls.
    let colliders_near = select(substep.colliders, 0u, place.x >= 1e10);
    for (var k = 0u; k < colliders_near; k += 1u) {
        let c = colliders[collider_index(k)];
        if (is_solid(c, one)) {
            find(c, FACES * k);
        }
    }
    var mirrors = Mirrors(max(gaps, vec4f(0.0)), max(gaps, vec4f(0.0)), vec4u(NO_WALL));
    for (var k = 0u; k < found; k += 1u) {
        fluid_planes[MOST * own + k] = planes[k];
        mirrors.walls[k] = planes[k].wall;
    }
    if (found < MOST) {
        fluid_planes[MOST * own + found].wall = NO_WALL;
    }
    fluid_mirrors[own] = mirrors;
}
