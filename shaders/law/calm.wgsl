// 2gh²: who comes in by less in a substep does so by gravity alone, and would never come to rest if it were thrown back.
fn calm_way() -> f32 {
    return 2.0 * length(substep.gravity) * substep.seconds * substep.seconds;
}
