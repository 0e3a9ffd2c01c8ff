// What workgroups have to do: a range of nodes or edges for each, or more that say where others are.
@group(0) @binding(6) var<storage, read> ranges: array<vec2u>;

// That of a workgroup; nothing beyond the last.
fn piece_of(group: vec3u) -> vec2u {
    let index = group.x + group.y * batch.row;
    if (index >= batch.count) {
        return vec2u(0u);
    }
    return ranges[batch.first + index];
}
