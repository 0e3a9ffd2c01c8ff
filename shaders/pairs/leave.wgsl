// Takes over the velocities, once all of velocity.wgsl is done, keeps those from before for who asks what pressed (read.wgsl), and tells.

@group(0) @binding(2) var<storage, read_write> balls: array<Ball>;
@group(0) @binding(5) var<storage, read_write> u: array<vec3f>;
@group(0) @binding(6) var<storage, read_write> status: Status;

fn tell() {
    let wanted = atomicLoad(&lists.wanted);
    atomicMax(&status.pairs, wanted);
    atomicAdd(&status.contacts, atomicExchange(&lists.pressing, 0u));
    // Without an entry there is no λ to go on from: which of the two sides of a pair has none is up to scheduling.
    if (ITERATED) {
        atomicMax(&status.missing_contacts, wanted - min(wanted, room()));
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = item(id);
    if (i == 0u) {
        tell();
    }
    if (i >= batch.count || balls[i].radius == 0.0) {
        return;
    }
    let before = u[i];
    if (balls[i].inverse_mass > 0.0) {
        u[i] = balls[i].after;
    }
    balls[i].after = before;
}
