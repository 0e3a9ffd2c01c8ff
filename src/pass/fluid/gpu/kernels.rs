//! The kernels of fluids: `shaders/fluid/`.

use crate::gpu::{Kernel, Piece};
use crate::pass::colliders::gpu::Shapes;
use crate::shader_piece;

fn kernel(label: &str, words: Piece, own: &[Piece]) -> Kernel {
    let shared =
        [shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), words, shader_piece!("fluid/grid.wgsl")];
    Kernel::new(format!("fluid {label}"), [&shared, own].concat())
}

/// A kernel that makes the cells.
fn making(label: &str, own: &[Piece]) -> Kernel {
    kernel(label, shader_piece!("fluid/atomic_words.wgsl"), own)
}

/// A kernel that reads them.
fn reading(label: &str, own: &[Piece]) -> Kernel {
    kernel(label, shader_piece!("fluid/words.wgsl"), own)
}

/// A kernel that goes through neighbours.
fn walking(label: &str, own: &[Piece]) -> Kernel {
    let walk = [
        shader_piece!("fluid/wet.wgsl"),
        shader_piece!("law/fluid.wgsl"),
        shader_piece!("fluid/planes.wgsl"),
        shader_piece!("fluid/walk.wgsl"),
    ];
    reading(label, &[&walk, own].concat())
}

/// What sorts all that take part, in this order.
pub fn sorting() -> [Kernel; 6] {
    let [wet, sorting, blocks] =
        [shader_piece!("fluid/wet.wgsl"), shader_piece!("fluid/sorting.wgsl"), shader_piece!("fluid/blocks.wgsl")];
    let count = [shader_piece!("lib/status.wgsl"), wet.clone(), sorting.clone(), shader_piece!("fluid/count.wgsl")];
    [
        making("clear", &[shader_piece!("fluid/clear.wgsl")]),
        making("count", &count),
        reading("sum", &[blocks.clone(), shader_piece!("fluid/sum.wgsl")]),
        making("allot", &[blocks, shader_piece!("fluid/allot.wgsl")]),
        reading("scatter", &[sorting.clone(), shader_piece!("fluid/scatter.wgsl")]),
        reading("sort", &[wet, sorting, shader_piece!("fluid/sort.wgsl")]),
    ]
}

/// What finds walls.
pub fn walls(shapes: Shapes) -> Kernel {
    let (label, fields) = match shapes {
        Shapes::Plain => ("walls", vec![shader_piece!("colliders/no_fields.wgsl")]),
        Shapes::Fields => (
            "walls fields",
            vec![
                shader_piece!("fluid/samples.wgsl"),
                shader_piece!("colliders/grid.wgsl"),
                shader_piece!("colliders/heights.wgsl"),
                shader_piece!("colliders/fields.wgsl"),
            ],
        ),
    };
    let own = [
        shader_piece!("fluid/wet.wgsl"),
        shader_piece!("fluid/planes.wgsl"),
        shader_piece!("colliders/colliders.wgsl"),
        shader_piece!("colliders/shapes.wgsl"),
        shader_piece!("colliders/pose.wgsl"),
        shader_piece!("fluid/walls.wgsl"),
    ];
    reading(label, &[&own[..], &fields].concat())
}

/// What finds how much solids are pushed.
pub fn pushed() -> Kernel {
    walking("pushed", &[shader_piece!("fluid/mirror.wgsl"), shader_piece!("fluid/pushed.wgsl")])
}

/// Surface tension: what particles pull by, and what comes of it.
pub fn tension() -> [Kernel; 2] {
    let own = [shader_piece!("fluid/mirror.wgsl"), shader_piece!("fluid/tension.wgsl")];
    [
        walking("pull", &[&own[..], &[shader_piece!("fluid/pull.wgsl")]].concat()),
        walking("tighten", &[&own[..], &[shader_piece!("fluid/tighten.wgsl")]].concat()),
    ]
}

/// A sweep.
pub fn sweep() -> [Kernel; 3] {
    let follow =
        [shader_piece!("fluid/wet.wgsl"), shader_piece!("fluid/planes.wgsl"), shader_piece!("fluid/follow.wgsl")];
    [
        reading("follow", &follow),
        walking("press", &[shader_piece!("fluid/mirror.wgsl"), shader_piece!("fluid/press.wgsl")]),
        walking("push", &[shader_piece!("fluid/mirror.wgsl"), shader_piece!("fluid/push.wgsl")]),
    ]
}

/// Viscosity: what begins it, a step of it, what ends it.
pub fn rubbing() -> [Kernel; 3] {
    let rub = [shader_piece!("fluid/pairs.wgsl"), shader_piece!("fluid/rub.wgsl"), shader_piece!("fluid/ways.wgsl")];
    let weigh = [shader_piece!("lib/status.wgsl"), shader_piece!("fluid/weigh.wgsl")];
    [
        walking("weigh", &[&rub[..], &weigh].concat()),
        walking("step", &[&rub[..], &[shader_piece!("fluid/step.wgsl")]].concat()),
        reading("leave", &[shader_piece!("fluid/wet.wgsl"), shader_piece!("fluid/leave.wgsl")]),
    ]
}

/// All kernels, for tests that need no device.
pub fn all() -> Vec<Kernel> {
    let others = [walls(Shapes::Plain), walls(Shapes::Fields), pushed()];
    sorting().into_iter().chain(others).chain(tension()).chain(sweep()).chain(rubbing()).collect()
}
