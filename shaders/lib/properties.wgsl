// What a particle refers to.

struct Properties {
    body: u32,
    drive: u32,
}
