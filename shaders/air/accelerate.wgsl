// What the air does to each particle in a substep, H² w F, from the wind and what velocities would be without it.
//
// A triangle of area A and unit normal n that moves through the air with v takes, a third at each corner,
//   F = -½ ρ A |v·n| (C_D v + C_L |v| n'),   n' = the part of n across v, n turned to v's side:
// the drag of its projected area, and a lift ½ ρ A C_L v² sin α cos α at the angle of attack α, that of a flat plate: both
// go smoothly to zero edge-on.
// A segment of length L of a strand of radius r, half at each end, is a cylinder with the drag of its projected area, too, v' the part of v across its axis:
//   F = -½ ρ 2r L C_D |v'| v.
// Along itself nothing drags. (By the cross-flow principle F is along v'. That pushes tilted segments sideways into each other: a level rope that resists no
// bending crumples as it falls, from roundings within seconds.) A particle in neither is a ball, F = -½ ρ π r² C_D |v| v.

// As in normals.wgsl.
override TORN: bool = false;

// How a body meets the air.
struct Foil {
    drag: f32,      // C_D
    lift: f32,      // C_L
    radius: f32,    // m, of balls and cylinders
}

@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> u: array<vec3f>;
@group(0) @binding(4) var<storage, read> properties: array<Properties>;
@group(0) @binding(5) var<storage, read> foils: array<Foil>;
@group(0) @binding(6) var<storage, read> indices: array<u32>;
@group(0) @binding(7) var<storage, read> fans: array<u32>;  // as in normals.wgsl
@group(0) @binding(8) var<storage, read_write> air: array<vec3f>;

const PI: f32 = 3.14159265;

// Force in N (xyz), and a bound on how fast it brings a mass of 1 kg to the air's speed, 1/s (w).
fn plate(v: vec3f, twice_area: vec3f, foil: Foil) -> vec4f {
    let doubled = length(twice_area);
    let speed = length(v);
    if (doubled == 0.0 || speed == 0.0) {
        return vec4f(0.0);
    }
    let facing = dot(v, twice_area) / doubled;
    let n = twice_area * (sign(facing) / doubled);
    let across = n - (abs(facing) / speed) * (v / speed);
    let pressure = 0.25 * substep.air_density * doubled;
    let force = -pressure * abs(facing) * (foil.drag * v + foil.lift * speed * across);
    return vec4f(force, pressure * speed * (foil.drag + foil.lift));
}

// As of a plate, by the vector from one end to the other.
fn cylinder(v: vec3f, along: vec3f, foil: Foil) -> vec4f {
    let squared = dot(along, along);
    if (squared == 0.0) {
        return vec4f(0.0);
    }
    let across = v - along * (dot(v, along) / squared);
    let resistance = substep.air_density * foil.radius * sqrt(squared) * foil.drag * length(across);
    return vec4f(-resistance * v, resistance);
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i >= batch.count) {
        return;
    }
    let foil = foils[properties[i].body];
    var sum = vec4f(0.0);
    for (var k = fans[2u * i]; k < fans[2u * i + 1u]; k += 1u) {
        let t = 3u * fans[k];
        let a = indices[t];
        let b = indices[t + 1u];
        let c = indices[t + 2u];
        if (TORN && a != i && b != i && c != i) {
            continue;
        }
        if (a == b) {
            // What is drawn as a triangle without area is a segment.
            let v = (way_without_forces(a) + way_without_forces(c)) * (0.5 * substep.inverse_seconds) - substep.wind;
            sum += 0.5 * cylinder(v, x[c].xyz - x[a].xyz, foil);
            continue;
        }
        let v = (way_without_forces(a) + way_without_forces(b) + way_without_forces(c)) * (substep.inverse_seconds / 3.0) - substep.wind;
        sum += plate(v, cross(x[b].xyz - x[a].xyz, x[c].xyz - x[a].xyz), foil) / 3.0;
    }
    if (fans[2u * i] == fans[2u * i + 1u]) {
        let v = way_without_forces(i) * substep.inverse_seconds - substep.wind;
        let resistance = 0.5 * substep.air_density * PI * foil.radius * foil.radius * foil.drag * length(v);
        sum = vec4f(-resistance * v, resistance);
    }
    // Explicit steps overshoot where the air stops a particle within a substep: no further than to its own speed.
    let rate = x[i].w * sum.w * substep.implicit_seconds;
    let share = select(1.0, 1.0 / rate, rate > 1.0);
    air[i] = share * x[i].w * substep.implicit_seconds * substep.implicit_seconds * sum.xyz;
}
