//! The kernels of tiles: the glue of several kinds in one text. What it declares is there once for each kind, under
//! names with the kind's own behind them; kinds themselves have names of their own already.

use crate::constraint::Kind;
use crate::gpu::constraint_kernel::{call_piece, constraint_piece, glue_piece, material_piece, shared_pieces};
use crate::gpu::kernel::{Kernel, Piece};
use crate::gpu::sweep_text::{Reading, Sweep, solve_name};
use crate::gpu::unpack::fields;
use crate::gpu::visit::KernelLeg;
use crate::shader_piece;
use crate::step::Needs;

/// All kernels for these kinds, without those that a workgroup solves one by one: for tests that need no device.
pub fn kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    let kinds: Vec<&dyn Kind> = kinds.iter().copied().filter(|kind| !kind.joins_many()).collect();
    let legs = KernelLeg::either_way(kinds.len());
    let of = |legs: &[KernelLeg], large| [solve_kernel(&kinds, legs, large), frame_kernel(&kinds, legs, large)];
    legs.iter().flat_map(|legs| [false, true].map(|large| of(legs, large))).flatten().flatten().collect()
}

/// Threads of a workgroup whose tiles have no more particles than its memory holds: with more, most would have nothing
/// to do in most stages, which on software devices takes as long as if they had.
const FEW: u32 = 64;
/// Threads of one with larger tiles. (1,024 took as long on an NVIDIA H200.)
const MANY: u32 = 256;

/// Solves tiles where they lie, `large` if some are larger than a workgroup's memory. `None` if a kind's records hold
/// what is not a number or a vector of numbers.
pub fn solve_kernel(kinds: &[&dyn Kind], legs: &[KernelLeg], large: bool) -> Option<Kernel> {
    let label = if large { "large tile solve" } else { "tile solve" };
    let particles = vec![
        shader_piece!("lib/particle.wgsl"),
        shader_piece!("lib/displacement.wgsl"),
        shader_piece!("lib/position.wgsl"),
    ];
    kernel(
        label,
        Sweep::Turns { threads: threads(large) },
        (kinds, legs),
        whole,
        particles,
        vec![shader_piece!("tile/solve.wgsl")],
    )
}

/// Solves all substeps of a frame in workgroup memory, or where the tiles lie if some are larger than that.
pub fn frame_kernel(kinds: &[&dyn Kind], legs: &[KernelLeg], large: bool) -> Option<Kernel> {
    let (label, particles) = match large {
        true => ("large tile frame", shader_piece!("tile/stored.wgsl")),
        false => ("tile frame", shader_piece!("tile/local.wgsl")),
    };
    let steps =
        vec![shader_piece!("step/fall.wgsl"), shader_piece!("step/settle.wgsl"), shader_piece!("tile/frame.wgsl")];
    let particles = vec![shader_piece!("lib/status.wgsl"), particles];
    kernel(label, Sweep::Turns { threads: threads(large) }, (kinds, legs), whole, particles, steps)
}

/// Threads of a workgroup that solves tiles, `large` if some are larger than its memory.
pub fn threads(large: bool) -> u32 {
    if large { MANY } else { FEW }
}

/// Of whole records, with particles counted from the tile's origin.
fn whole(_: usize, kind: &dyn Kind) -> Option<Reading> {
    let (name, record) = (kind.name(), kind.record_name());
    let fields = fields(kind, |k| format!("words[at + {k}u]"), " - origin")?;
    let text = format!(
        "fn fetch_{name}(at: u32) -> {record} {{\n    return {record}(\n{fields}    );\n}}\n\n\
         fn unpack_{name}(record: {record}) -> {record} {{\n    return record;\n}}\n"
    );
    Some(Reading { text, fetched: record.to_string(), words: kind.record_size() / 4 })
}

/// `reading`: of each kind, by its index.
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
            true => shader_piece!("tile/carried.wgsl"),
            false => shader_piece!("lib/kept.wgsl"),
        },
        shader_piece!("tile/sweep.wgsl"),
        shader_piece!("tile/stages.wgsl"),
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
