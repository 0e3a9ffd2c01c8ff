// The particles' velocities as lines, longer and hotter the faster they are.
@vertex
fn velocity_vertex(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> LineVertex {
    let a = local_position(slot);
    let velocity = ways[slot].xyz / frame.substep;
    let b = a + velocity * frame.arrow;
    let colour = vec4f(heat(length(velocity) / frame.full_speed), 0.9);
    return line_corner(vertex, a, b, colour, 4.0 * pixel_at(a));
}
