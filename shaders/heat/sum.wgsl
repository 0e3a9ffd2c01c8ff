// Means over the elements at a particle, by fixed point: integers give the same sum in whatever order they are added. Of the
// particle's sum in full scales the shares of its elements are 1 together, so that it stays below 2^31.
@group(1) @binding(0) var<storage, read_write> heat_sums: array<atomic<u32>>;

/// 1 in fixed point.
const UNIT = 134217728.0;
/// More than this an element does not count, full scales.
const MOST = 16.0;

/// At least 1, so that 0 means that there is no element.
fn add_heat(slot: u32, share: f32, value: f32) {
    atomicAdd(&heat_sums[slot], max(u32(clamp(value, 0.0, MOST) * share * UNIT), 1u));
}
