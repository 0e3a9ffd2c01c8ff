// In place of contact/tell.wgsl where no slots are shared.

fn tell(i: u32) {
}
