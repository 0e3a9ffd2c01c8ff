// Goes through contacts colour after colour, by one workgroup: those of one colour move no vertex in common.

var<workgroup> colours: u32;
var<workgroup> ends: array<u32, COLOURS>;

fn each_colour(lane: u32) {
    if (lane == 0u) {
        colours = surface_contacts.colours;
    }
    if (lane < COLOURS) {
        ends[lane] = surface_contacts.ends[lane];
    }
    let count = workgroupUniformLoad(&colours);
    var first = 0u;
    for (var colour = 0u; colour < count; colour += 1u) {
        let end = ends[colour];
        for (var k = first + lane; k < end; k += GROUP_SIZE) {
            act(surface_contacts.list[k].sorted);
        }
        first = end;
        storageBarrier();
    }
}
