// What the multiplier of lib/xpbd.wgsl reads and keeps.

// x: λ of this substep. y: its sum over the frame, from which the mean force is taken, where somebody asks for it.
@group(0) @binding(6) var<storage, read_write> multipliers: array<vec2f>;
