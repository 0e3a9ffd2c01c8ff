// In place of fluid/mirror.wgsl where nothing is mirrored.

fn load_mirrors(own: u32) {
}

fn meet_images(j: u32, fourth: f32, way: vec3f, squared: f32, then: f32) {
}
