// What has strayed in a turn of the guard is sought again.

// Whether a vertex was moved in this turn and nobody has asked for it yet.
fn claims(v: u32) -> bool {
    return atomicLoad(&surface_vertices[v].moved) == turn && atomicExchange(&surface_vertices[v].claimed, turn) != turn;
}

// Notes the strays among the vertices of what failed.
fn note_strays(lane: u32, count: u32) {
    for (var k = lane; k < count; k += GROUP_SIZE) {
        let v = surface_contacts.list[surface_contacts.list[k].failing].vertices;
        note_stray(v.x);
        note_stray(v.y);
        note_stray(v.z);
        note_stray(v.w);
    }
}

fn note_stray(v: u32) {
    let now = d[v].xyz;
    if (claims(v) && length3(now - surface_vertices[v].sought) > surface_vertices[v].slack) {
        surface_vertices[v].sought = now;
        surface_vertices[v].stray = turn;
        surface_vertices[atomicAdd(&strays, 1u)].queued = v;
    }
}

// Whether a stray is the first of a face's: each face is looked at for one of them.
fn leads(v: u32, face: vec4u) -> bool {
    var first = NO_BID;
    for (var k = 0u; k < 3u; k += 1u) {
        if (surface_vertices[face[k]].stray == turn) {
            first = min(first, face[k]);
        }
    }
    return first == v;
}

// New boxes for the faces of strays, and then what comes near them.
fn seek_strays(lane: u32) {
    load_levels(faces());
    let count = strays_now;
    for (var level = 0u; level < MOST_LEVELS; level += 1u) {
        if (level <= top) {
            for (var k = lane; k < count; k += GROUP_SIZE) {
                let v = surface_vertices[k].queued;
                for (var l = 0u; l < surface_vertices[v].count; l += 1u) {
                    let face = face_around(surface_vertices[v].around + l);
                    if (!leads(v, face_at(face))) {
                        continue;
                    }
                    if (level == 0u) {
                        put_box(face, box_of(face_at(face), surface_contacts.common_way));
                    } else {
                        enclose(level, face >> (OF_WIDTH * level));
                    }
                }
            }
        }
        storageBarrier();
    }
    for (var k = lane; k < count; k += GROUP_SIZE) {
        let v = surface_vertices[k].queued;
        for (var l = 0u; l < surface_vertices[v].count; l += 1u) {
            let face = face_around(surface_vertices[v].around + l);
            if (leads(v, face_at(face))) {
                seek(face, turn);
            }
        }
    }
}
