// A particle as others touch it. Its place is kept as the anchor, on the lattice, and small ways from there, so that the relative place of
// two of them is as exact as x and e, wherever in the world they are.

struct Ball {
    middle: vec3f,      // of its way in this substep, m
    reach: f32,         // m: only pairs whose middles are nearer than the sum of their reaches may touch in this substep
    anchor: vec3f,      // x when the lists were made, m
    inverse_mass: f32,
    start: vec3f,       // from the anchor to where the substep began, m
    radius: f32,        // m; 0 where it touches nothing
    ahead: vec3f,       // its way in this substep as predicted, and from the first sweep on as that found it, m
    body: u32,          // with MEETS_ITSELF, OF_SEGMENT and UNBOUND
    way: vec3f,         // d - e before the sweep, m
    split: f32,         // the inverse mass that each of its contacts sees
    before: vec3f,      // u before the substep, m
    level: u32,         // of the grid, or NOWHERE
    placed: vec3f,      // where the scene put it, m
    allowance: f32,     // how far from its anchor it may be before the lists are made again, m
    after: vec3f,       // u with restitution, and once that is taken over u without it, m
    extent: f32,        // m: only pairs whose anchors are nearer than the sum of their extents may touch until then
}

const MEETS_ITSELF: u32 = 0x80000000u;
const OF_SEGMENT: u32 = 0x40000000u;    // an end of a segment: others touch it as that
const UNBOUND: u32 = 0x20000000u;         // no constraint holds it
const BODY: u32 = 0x1fffffffu;
const NOWHERE: u32 = 0xffffffffu;
const NONE: u32 = 0xffffffffu;

// As in src/model/touch.rs.
const PLACED_APART: f32 = 1.0001;
const SLACK: f32 = 0.1;
// What a ball may always move before lists are made again, in radii.
const CALM: f32 = 0.25;
