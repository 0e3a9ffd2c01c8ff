// As materials.wgsl where there are few of them, see src/solver/texels.rs.

const FEW_MATERIALS: u32 = 512u;

@group(0) @binding(5) var<uniform> materials: array<Material, FEW_MATERIALS>;
