@group(0) @binding(5) var<storage, read> materials: array<Material>;
