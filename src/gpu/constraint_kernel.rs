//! The kernels that solve constraints: which WGSL files they are joined of, and the lines that say which kind the glue
//! calls.

use crate::constraint::{Arity, Kind};
use crate::gpu::kernel::{Kernel, Piece};
use crate::shader_piece;

/// The kernel that solves a kind, coloured or by Jacobi; `back`: a constraint's components from the last.
pub fn solve_kernel(kind: &dyn Kind, jacobi: bool, back: bool) -> Kernel {
    kernel(if jacobi { " jacobi" } else { "" }, kind, [jacobi, back], shader_piece!("solve/each.wgsl"))
}

/// The kernel that solves several colours of a kind of less than many particles.
pub fn run_kernel(kind: &dyn Kind, back: bool) -> Kernel {
    kernel(" run", kind, [false, back], shader_piece!("solve/run.wgsl"))
}

fn kernel(suffix: &str, kind: &dyn Kind, [jacobi, back]: [bool; 2], last: Piece) -> Kernel {
    let mut pieces = vec![
        shader_piece!("lib/substep.wgsl"),
        shader_piece!("lib/batch.wgsl"),
        shader_piece!("lib/particle.wgsl"),
        shader_piece!("lib/broken.wgsl"),
        shader_piece!("lib/material.wgsl"),
        shader_piece!("lib/materials.wgsl"),
        shader_piece!("lib/multipliers.wgsl"),
        shader_piece!("lib/kept.wgsl"),
        shader_piece!("lib/sweep.wgsl"),
        shader_piece!("lib/xpbd.wgsl"),
        shader_piece!("lib/displacement.wgsl"),
        shader_piece!("lib/position.wgsl"),
    ];
    if jacobi || kind.joins_many() {
        pieces.push(shader_piece!("lib/corrections.wgsl"));
    }
    pieces.extend(evaluation_pieces(kind));
    pieces.push(material_piece(kind));
    pieces.push(match jacobi {
        false => shader_piece!("solve/apply_direct.wgsl"),
        true => shader_piece!("solve/apply_jacobi.wgsl"),
    });
    pieces.push(glue_piece(kind, back));
    match kind.joins_many() {
        true => pieces.extend([shader_piece!("lib/summed.wgsl"), whole_piece(kind)]),
        false => pieces.extend([shader_piece!("solve/record.wgsl"), last]),
    }
    let way = if back && kind.components() > 1 { " back" } else { "" };
    Kernel::new(format!("solve {}{suffix}{way}", kind.name()), pieces)
}

/// Gather, evaluate, multiplier, scatter for a kind's arity: `solve`, but for many particles, where it is the kernel's
/// end. `back`: components from the last.
pub fn glue_piece(kind: &dyn Kind, back: bool) -> Piece {
    let piece = match kind.arity() {
        Arity::One => shader_piece!("solve/one.wgsl"),
        Arity::Two => shader_piece!("solve/two.wgsl"),
        Arity::Three => shader_piece!("solve/three.wgsl"),
        Arity::Four => shader_piece!("solve/four.wgsl"),
        Arity::Many => return shader_piece!("solve/many.wgsl"),
    };
    let text = match kind.components() {
        few @ ..=FEW_COMPONENTS => one_by_one(&piece.text, few, back),
        _ if back => from_the_last(&piece.text),
        _ => return piece,
    };
    Piece { text: text.into(), ..piece }
}

/// So many components are written out in place of a loop over them, which wgpu would guard against going on for ever,
/// and which a compiler then keeps: an NVIDIA H200 takes W1 of 1,024 x 1,024 in clusters 0.91 of the time so, W2's
/// tetrahedra 0.86.
const FEW_COMPONENTS: usize = 2;

/// The glue's loop over components.
const LOOP: &str = "        for (var k = 0u; k < COMPONENTS; k += 1u) {\n";

/// The glue with its loop over so many components written out.
fn one_by_one(text: &str, components: usize, back: bool) -> String {
    const END: &str = "\n        }\n";
    let parts = text.split_once(LOOP).and_then(|(before, rest)| Some((before, rest.split_once(END)?)));
    let Some((before, (body, after))) = parts else { return text.to_string() };
    let of_component = |turn: usize| {
        let k = if back { components - 1 - turn } else { turn };
        format!("        {{\n            const k = {k}u;\n{body}{END}")
    };
    format!("{before}{}{after}", (0..components).map(of_component).collect::<String>())
}

/// The glue with its loop over components in the opposite order.
fn from_the_last(text: &str) -> String {
    let back =
        "        for (var turn = 0u; turn < COMPONENTS; turn += 1u) {\n            let k = COMPONENTS - 1u - turn;\n";
    text.replace(LOOP, back)
}

/// What a kernel needs that calls a kind's function: its text, as `evaluate`, and the functions that kinds share.
pub fn evaluation_pieces(kind: &dyn Kind) -> Vec<Piece> {
    shared_pieces().into_iter().chain([constraint_piece(kind), call_piece(kind)]).collect()
}

/// The functions that kinds share. For whichever kind has angles, rotations, or nearest points: a function that is not
/// called costs nothing.
pub fn shared_pieces() -> [Piece; 5] {
    [
        shader_piece!("lib/evaluation.wgsl"),
        shader_piece!("lib/products.wgsl"),
        shader_piece!("law/closest.wgsl"),
        shader_piece!("lib/angle.wgsl"),
        shader_piece!("lib/rotation.wgsl"),
    ]
}

/// A kind's own text.
pub fn constraint_piece(kind: &dyn Kind) -> Piece {
    Piece { path: format!("constraint/{}.wgsl", kind.name()).into(), text: kind.wgsl().into() }
}

/// The lines by which the glue calls a kind's function.
pub fn call_piece(kind: &dyn Kind) -> Piece {
    Piece { path: "the lines that call the constraint".into(), text: call(kind).into() }
}

/// What a kind over any number of particles does with all of them at once.
fn whole_piece(kind: &dyn Kind) -> Piece {
    let whole = kind.whole();
    Piece { path: whole.path.into(), text: whole.wgsl.into() }
}

/// The line by which the glue finds the material of a component.
pub fn material_piece(kind: &dyn Kind) -> Piece {
    Piece { path: "the line that finds a component's material".into(), text: material_of(kind).into() }
}

/// The kernel that sums the corrections of a Jacobi batch.
pub fn gather_kernel() -> Kernel {
    let pieces =
        vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl"), shader_piece!("solve/gather.wgsl")];
    Kernel::new("gather", pieces)
}

/// The function by which the glue finds the material of a component: the constraint's, or one of its own.
fn material_of(kind: &dyn Kind) -> String {
    let material = if kind.own_materials() { "materials[index + k]" } else { "first" };
    format!("fn material_of(first: Material, index: u32, k: u32) -> Material {{\n    return {material};\n}}\n")
}

fn call(kind: &dyn Kind) -> String {
    let (parameters, arguments, result) = match kind.arity() {
        Arity::One => ("x0: vec3f, d0: vec3f", "x0, d0", "1"),
        Arity::Two => ("x0: vec3f, x1: vec3f", "x0, x1", "2"),
        Arity::Three => ("x0: vec3f, x1: vec3f, x2: vec3f", "x0, x1, x2", "3"),
        Arity::Four => ("x0: vec3f, x1: vec3f, x2: vec3f, x3: vec3f", "x0, x1, x2, x3", "4"),
        Arity::Many => ("j: u32", "j", "Many"),
    };
    let (record, function, components) = (kind.record_name(), kind.name(), kind.components());
    let component = if components > 1 { "k, " } else { "" };
    let own = u32::from(kind.own_materials());
    format!(
        "const COMPONENTS: u32 = {components}u;\n\
         const OWN_MATERIALS: u32 = {own}u;\n\
         alias Constraint = {record};\n\
         fn evaluate(c: Constraint, k: u32, {parameters}) -> Evaluation{result} {{\n    \
             return {function}(c, {component}{arguments});\n}}\n"
    )
}
