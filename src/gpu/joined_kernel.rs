//! Kernels of clusters: the glue of several kinds in one text. What it declares is there once for each kind, under
//! names with the kind's own behind them; kinds themselves have names of their own already.

use crate::constraint::Kind;
use crate::gpu::constraint_kernel::{call_piece, constraint_piece, glue_piece, material_piece, shared_pieces};
use crate::gpu::kernel::{Kernel, Piece};
use crate::gpu::sweep_text::{Reading, Sweep, solve_name};
use crate::gpu::visit::KernelLeg;
use crate::shader_piece;
use crate::step::Needs;

/// How many words stand before the clusters, and how many particles one has at most.
pub fn sizes(head: usize, particles: u32) -> Piece {
    let text = format!("const HEAD: u32 = {head}u;\nconst CLUSTER_PARTICLES: u32 = {particles}u;\n");
    Piece { path: "the lines that tell sizes".into(), text: text.into() }
}

/// The kernel that goes through stages of these kinds leg by leg. `reading`: of each kind, by its index; `particles`:
/// how the glue sees particles; `last`: the entry point and what it calls.
pub fn kernel(
    label: &str,
    sweep: Sweep,
    (kinds, legs): (&[&dyn Kind], &[KernelLeg]),
    reading: impl Fn(usize, &dyn Kind) -> Option<Reading>,
    particles: Vec<Piece>,
    last: Vec<Piece>,
) -> Option<Kernel> {
    let mut pieces = vec![shader_piece!("lib/substep.wgsl"), shader_piece!("lib/batch.wgsl")];
    pieces.extend(particles);
    pieces.extend([
        shader_piece!("lib/broken.wgsl"),
        shader_piece!("lib/material.wgsl"),
        shader_piece!("lib/materials.wgsl"),
        shader_piece!("lib/multipliers.wgsl"),
        match sweep.carries() {
            true => shader_piece!("cluster/carried.wgsl"),
            false => shader_piece!("lib/kept.wgsl"),
        },
        shader_piece!("cluster/sweep.wgsl"),
        shader_piece!("cluster/stages.wgsl"),
    ]);
    pieces.extend(shared_pieces());
    let mut readings = Vec::new();
    for (index, &kind) in kinds.iter().enumerate() {
        let reading = reading(index, kind)?;
        pieces.push(constraint_piece(kind));
        let back = legs.iter().any(|leg| leg.back && leg.kind == index);
        pieces.extend(named(kind, back && kind.components() > 1));
        pieces.push(Piece { path: "the lines that read a record".into(), text: reading.text.clone().into() });
        readings.push((kind, reading));
    }
    pieces.push(Piece { path: "the lines that solve each kind".into(), text: sweep.text(&readings, legs).into() });
    pieces.extend(last);
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let order = if legs.len() > kinds.len() { " there and back" } else { "" };
    Some(Kernel::new(format!("{label} {}{order}", names.join(" ")), pieces))
}

/// The multiplier and the glue of a kind, with the kind's name behind all that they declare; `back`: and that of the
/// way back.
fn named(kind: &dyn Kind, back: bool) -> Vec<Piece> {
    let pieces = [
        shader_piece!("lib/xpbd.wgsl"),
        call_piece(kind),
        material_piece(kind),
        shader_piece!("solve/apply_direct.wgsl"),
        glue_piece(kind, false),
    ];
    let declared: Vec<String> = pieces.iter().flat_map(|piece| declared(&piece.text)).collect();
    let named = |piece: Piece| Piece { text: renamed(&piece.text, &declared, kind.name()).into(), ..piece };
    let other_way = back.then(|| {
        let Piece { path, text } = named(glue_piece(kind, true));
        let solve = |back| format!("fn solve_{}(", solve_name(kind, back));
        Piece { path, text: text.replace(&solve(false), &solve(true)).into() }
    });
    pieces.into_iter().map(named).chain(other_way).collect()
}

/// The names of the functions, constants and aliases of a text, each declared at the beginning of a line.
fn declared(text: &str) -> impl Iterator<Item = String> {
    let keywords = ["fn ", "const ", "override ", "alias "];
    text.lines().filter_map(move |line| {
        let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?;
        Some(rest.chars().take_while(|&letter| is_word(letter)).collect())
    })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The text with `_suffix` behind each of these names, but those of fields.
fn renamed(text: &str, names: &[String], suffix: &str) -> String {
    let mut result = String::with_capacity(text.len() * 5 / 4);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let end = match is_word(letter) {
            true => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            false => letter.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        let field = result.ends_with('.');
        result.push_str(word);
        if !field && names.iter().any(|name| name == word) {
            result.push('_');
            result.push_str(suffix);
        }
        rest = after;
    }
    result
}

/// Pipeline constants with names that were made.
pub struct Constants(Vec<(String, bool)>);

impl Constants {
    pub fn each(&self) -> Vec<(&str, bool)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }
}

/// The constants of a kernel for these kinds, their needs, and which share fixed particles within a colour.
pub fn constants(kinds: &[&dyn Kind], needs: &[Needs], sharing: &[bool]) -> Constants {
    let mut constants = Vec::new();
    for ((kind, needs), &sharing) in kinds.iter().zip(needs).zip(sharing) {
        let of_kind = needs.constants().into_iter().chain([("SHARING", sharing)]);
        constants.extend(of_kind.map(|(name, value)| (format!("{name}_{}", kind.name()), value)));
    }
    Constants(constants)
}
