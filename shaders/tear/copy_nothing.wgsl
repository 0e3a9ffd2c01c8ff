// In place of tear/copy_past.wgsl where there is no past.
fn copy_past(source: u32, slot: u32) {
}
