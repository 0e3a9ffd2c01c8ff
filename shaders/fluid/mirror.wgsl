// Walls mirror what is near them. Two particles that share planes have an image of each other behind each, and behind those that are square
// to one another one more for two or three of them: its distance is r² + 4 Σ d d', d and d' being the gaps of the two, and the way from it has 2 d' n besides.

override WALLS: bool = true;

@group(0) @binding(8) var<storage, read> fluid_planes: array<WallPlane>;
@group(0) @binding(9) var<storage, read> fluid_mirrors: array<Mirrors>;

// Planes whose normals have a product less than this are square to one another.
const SQUARE: f32 = 0.1;
const NO_GAP: f32 = -1.0;

var<private> mirrors: Mirrors;
var<private> normals: array<vec3f, MOST>;
// Whether each set of planes is square, a bit for each: the set is a number whose bits are planes.
var<private> square_sets: u32;

fn load_mirrors(own: u32) {
    if (!WALLS) {
        return;
    }
    mirrors = fluid_mirrors[own];
    for (var k = 0u; k < mirrors.count; k += 1u) {
        normals[k] = fluid_planes[MOST * own + k].normal;
    }
    square_sets = 0u;
    for (var planes = 1u; planes < (1u << mirrors.count); planes += 1u) {
        var is_square = true;
        for (var a = 0u; a < mirrors.count; a += 1u) {
            for (var b = 0u; b < a; b += 1u) {
                let both = (1u << a) | (1u << b);
                is_square = is_square && ((planes & both) != both || abs(dot(normals[a], normals[b])) < SQUARE);
            }
        }
        square_sets |= select(0u, 1u << planes, is_square);
    }
}

// Hands over the images of another: `meet` as of itself.
fn meet_images(j: u32, fourth: f32, way: vec3f, squared: f32) {
    if (!WALLS || mirrors.count == 0u || fluid_mirrors[j].count == 0u) {
        return;
    }
    let other = fluid_mirrors[j];
    var gaps = vec3f(NO_GAP);
    for (var a = 0u; a < mirrors.count; a += 1u) {
        for (var b = 0u; b < other.count; b += 1u) {
            gaps[a] = select(gaps[a], other.gaps[b], mirrors.walls[a] == other.walls[b]);
        }
    }
    for (var planes = 1u; planes < (1u << mirrors.count); planes += 1u) {
        var is_there = (square_sets & (1u << planes)) != 0u;
        var image_squared = squared;
        var image_way = way;
        for (var a = 0u; a < mirrors.count; a += 1u) {
            if ((planes & (1u << a)) != 0u) {
                is_there = is_there && gaps[a] >= 0.0;
                image_squared += 4.0 * mirrors.gaps[a] * gaps[a];
                image_way += 2.0 * gaps[a] * normals[a];
            }
        }
        if (is_there && image_squared < reach_squared) {
            meet(j, fourth, image_way, image_squared);
        }
    }
}
