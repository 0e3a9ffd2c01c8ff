// How a constraint yields, damps and breaks; see lib/xpbd.wgsl.
struct Material {
    compliance: f32,
    damping: f32,
    scale: f32,
    multiplier_min: f32,
    multiplier_max: f32,
    break_force: f32,   // N
    reserved0: u32,
    reserved1: u32,
}
