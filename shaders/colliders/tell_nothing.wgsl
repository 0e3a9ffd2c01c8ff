// In place of colliders/tell.wgsl where no slots are shared.

fn tell(i: u32) {
}
