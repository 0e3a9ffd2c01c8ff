// Walls mirror what is near them. Two particles that share a wall have an image of each other behind it, and behind
// walls that are square to one another one more for two or three of them. At the gaps d and d' the square of its
// distance is r² + 4 Σ d d', and the way from it has 2 Σ d' n besides. src/law/walls.rs does the same, and there is
// why.

override WALLS: bool = true;

@group(0) @binding(8) var<storage, read> fluid_planes: array<WallPlane>;
@group(0) @binding(9) var<storage, read> fluid_mirrors: array<Mirrors>;

// Walls whose normals have a product less than this are square to one another; no more than three are.
const SQUARE: f32 = 0.02;
const NO_GAP: f32 = -1.0;

var<private> mirrors: Mirrors;
var<private> wall_count: u32;
var<private> normals: array<vec3f, MOST>;
// Whether all of a set of walls are square to one another, a bit for each set: the number of a set has a bit for each
// wall.
var<private> square_sets: u32;
// The walls that mirror what `meet` is handed.
var<private> mirrored_in: u32;

fn load_mirrors(own: u32) {
    if (!WALLS) {
        return;
    }
    mirrors = fluid_mirrors[own];
    for (wall_count = 0u; wall_count < MOST && mirrors.walls[wall_count] != NO_WALL; wall_count += 1u) {
        normals[wall_count] = fluid_planes[MOST * own + wall_count].normal;
    }
    square_sets = 0u;
    for (var several = 1u; several < (1u << wall_count); several += 1u) {
        var is_square = countOneBits(several) <= 3u;
        for (var a = 0u; a < wall_count; a += 1u) {
            for (var b = 0u; b < a; b += 1u) {
                let both = (1u << a) | (1u << b);
                is_square = is_square && ((several & both) != both || abs(dot(normals[a], normals[b])) < SQUARE);
            }
        }
        square_sets |= select(0u, 1u << several, is_square);
    }
}

// The gaps of another, which has these walls, to the walls of this one, or NO_GAP.
fn gaps_of(walls: vec4u, theirs: vec4f) -> vec4f {
    var gaps = vec4f(NO_GAP);
    for (var a = 0u; a < wall_count; a += 1u) {
        for (var b = 0u; b < MOST; b += 1u) {
            gaps[a] = select(gaps[a], theirs[b], mirrors.walls[a] == walls[b]);
        }
    }
    return gaps;
}

// Hands over the images of another: `meet` as of itself.
fn meet_images(j: u32, fourth: f32, way: vec3f, squared: f32, then: f32) {
    if (!WALLS || wall_count == 0u) {
        return;
    }
    let other = fluid_mirrors[j];
    let gaps = gaps_of(other.walls, other.gaps);
    var gaps_then = gaps;
    if (asks_then) {
        gaps_then = gaps_of(other.walls, other.began);
    }
    for (var several = 1u; several < (1u << wall_count); several += 1u) {
        var is_there = (square_sets & (1u << several)) != 0u;
        var image_squared = squared;
        var image_then = then;
        var image_way = way;
        for (var a = 0u; a < wall_count; a += 1u) {
            if ((several & (1u << a)) != 0u) {
                is_there = is_there && gaps[a] >= 0.0;
                image_squared += 4.0 * mirrors.gaps[a] * gaps[a];
                image_then += select(0.0, 4.0 * mirrors.began[a] * gaps_then[a], asks_then);
                image_way += 2.0 * gaps[a] * normals[a];
            }
        }
        if (is_there && image_squared < reach_squared && image_then < reach_squared) {
            mirrored_in = several;
            meet(j, fourth, image_way, image_squared);
        }
    }
    mirrored_in = 0u;
}

// A vector of what `meet` is handed, as it is seen in the walls.
fn mirrored(vector: vec3f) -> vec3f {
    var seen_there = vector;
    for (var a = 0u; a < wall_count; a += 1u) {
        if ((mirrored_in & (1u << a)) != 0u) {
            seen_there -= 2.0 * dot(normals[a], seen_there) * normals[a];
        }
    }
    return seen_there;
}
