//! The kernels of tiles: the glue of several kinds in one text. What it declares is there once for each kind, under names with the kind's
//! own behind them; kinds themselves have names of their own already.

use super::constraint_kernel::{call_piece, constraint_piece, glue_piece, material_piece, shared_pieces};
use super::kernel::{Kernel, Piece};
use super::unpack::fields;
use crate::constraint::{Arity, Kind};
use crate::engine::Needs;
use crate::shader_piece;

/// All kernels for these kinds, without those that a workgroup solves one by one: for tests that need no device.
pub fn kernels(kinds: &[&dyn Kind]) -> Vec<Kernel> {
    let kinds: Vec<&dyn Kind> = kinds.iter().copied().filter(|kind| kind.arity() != Arity::Many).collect();
    let of = |large| [solve_kernel(&kinds, large), frame_kernel(&kinds, large)];
    [false, true].into_iter().flat_map(of).flatten().collect()
}

/// Threads of a workgroup whose tiles have no more particles than its memory holds: with more, most would have nothing to do in most
/// stages, which on software devices takes as long as if they had.
const FEW: u32 = 64;
/// Threads of one with larger tiles. (1,024 took as long on an NVIDIA H200.)
const MANY: u32 = 256;

/// Solves tiles where they lie, `large` if some are larger than a workgroup's memory. `None` if a kind's records hold what is not a
/// number or a vector of numbers.
pub fn solve_kernel(kinds: &[&dyn Kind], large: bool) -> Option<Kernel> {
    let label = if large { "large tile solve" } else { "tile solve" };
    let particles = vec![
        shader_piece!("lib/particle.wgsl"),
        shader_piece!("lib/displacement.wgsl"),
        shader_piece!("lib/position.wgsl"),
    ];
    kernel(label, Threads::of_tiles(large), kinds, whole, particles, vec![shader_piece!("tile/solve.wgsl")])
}

/// Solves all substeps of a frame in workgroup memory, or where the tiles lie if some are larger than that.
pub fn frame_kernel(kinds: &[&dyn Kind], large: bool) -> Option<Kernel> {
    let (label, particles) = match large {
        true => ("large tile frame", shader_piece!("tile/stored.wgsl")),
        false => ("tile frame", shader_piece!("tile/local.wgsl")),
    };
    let steps =
        vec![shader_piece!("step/fall.wgsl"), shader_piece!("step/settle.wgsl"), shader_piece!("tile/frame.wgsl")];
    let particles = vec![shader_piece!("lib/status.wgsl"), particles];
    kernel(label, Threads::of_tiles(large), kinds, whole, particles, steps)
}

/// The threads of a workgroup.
#[derive(Clone, Copy)]
pub struct Threads {
    pub count: u32,
    /// Whether a stage never has more constraints than that. (wgpu guards each loop against going on for ever: without the one over turns W1 of 1,024 × 1,024
    /// in clusters takes an NVIDIA H200 1.38 ms in place of 1.49.)
    pub in_one_turn: bool,
}

/// Threads of a workgroup that solves tiles, `large` if some are larger than its memory.
pub fn threads(large: bool) -> u32 {
    if large { MANY } else { FEW }
}

impl Threads {
    fn of_tiles(large: bool) -> Self {
        Self { count: threads(large), in_one_turn: false }
    }
}

/// How a kernel reads the records of a kind: `fetch_kind(at)` asks for one, `unpack_kind` makes a record of what was asked for. Apart, since
/// the next stage's are asked for before a stage is done.
pub struct Reading {
    pub text: String,
    /// What is asked for.
    pub fetched: String,
    /// Of a record.
    pub words: usize,
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
    threads: Threads,
    kinds: &[&dyn Kind],
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
        shader_piece!("tile/sweep.wgsl"),
        shader_piece!("tile/stages.wgsl"),
    ]);
    pieces.extend(shared_pieces());
    let mut readings = Vec::new();
    for (index, &kind) in kinds.iter().enumerate() {
        let reading = reading(index, kind)?;
        pieces.push(constraint_piece(kind));
        pieces.extend(named(kind));
        pieces.push(Piece { path: "the lines that read a record".into(), text: reading.text.clone().into() });
        readings.push((kind, reading));
    }
    pieces.push(Piece { path: "the lines that solve each kind".into(), text: solve_kinds(&readings, threads).into() });
    pieces.extend(last);
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    Some(Kernel::new(format!("{label} {}", names.join(" ")), pieces))
}

/// A sweep over all stages of a tile, kind after kind. No choice of the kind within a loop: software devices run what is not chosen, too.
///
/// On a card a stage is over before what it reads from memory would be there. So while one is solved, the records of the next are made of what was
/// asked for before, those of the one after it are asked for, and where those of the third lie.
fn solve_kinds(kinds: &[(&dyn Kind, Reading)], threads: Threads) -> String {
    let of_kind = |(index, (kind, reading)): (usize, &(&dyn Kind, Reading))| {
        let (name, Reading { fetched, words, .. }) = (kind.name(), reading);
        let gather = if index == 0 { "    gather(thread);\n" } else { "" };
        let solved = match threads.in_one_turn {
            true => format!(
                "        if (thread < stage.count) {{
            solve_{name}(record_{name}, stage.multiplier + thread * COMPONENTS_{name}, 0u);
        }}
"
            ),
            false => format!(
                "        var c = thread;
        loop {{
            if (c < stage.count) {{
                solve_{name}(record_{name}, stage.multiplier + c * COMPONENTS_{name}, 0u);
            }}
            c += THREADS;
            if (c >= stage.count) {{
                break;
            }}
            record_{name} = unpack_{name}(ask_{name}(stage, c));
        }}
"
            ),
        };
        let ask = format!(
            "fn ask_{name}(stage: TileStage, c: u32) -> {fetched} {{
    var fetched: {fetched};
    if (c < stage.count) {{
        fetched = fetch_{name}(stage.record + c * {words}u);
    }}
    return fetched;
}}

"
        );
        let sweep = format!(
            "    at = words[stages + {index}u];
    end = words[stages + {index}u + 1u];
    stage = load_stage(at, end);
    second = load_stage(at + STAGE_WORDS, end);
    third = load_stage(at + 2u * STAGE_WORDS, end);
    var record_{name} = unpack_{name}(ask_{name}(stage, thread));
    var asked_{name} = ask_{name}(second, thread);
{gather}    loop {{
        let second_record = unpack_{name}(asked_{name});
        asked_{name} = ask_{name}(third, thread);
        let fourth = load_stage(at + 3u * STAGE_WORDS, end);
{solved}        end_stage();
        stage = second;
        second = third;
        third = fourth;
        record_{name} = second_record;
        at += STAGE_WORDS;
        if (at >= end) {{
            break;
        }}
    }}
"
        );
        (ask, sweep)
    };
    let (asks, sweeps): (String, String) = kinds.iter().enumerate().map(of_kind).unzip();
    format!(
        "const KINDS: u32 = {}u;\nconst THREADS: u32 = {}u;\n\n{asks}\
         fn solve_kinds(stages: u32, thread: u32) {{
    var at = 0u;
    var end = 0u;
    var stage: TileStage;
    var second: TileStage;
    var third: TileStage;
{sweeps}}}\n",
        kinds.len(),
        threads.count
    )
}

/// The multiplier and the glue of a kind, with the kind's name behind all that they declare.
fn named(kind: &dyn Kind) -> Vec<Piece> {
    let pieces = [
        shader_piece!("lib/xpbd.wgsl"),
        call_piece(kind),
        material_piece(kind),
        shader_piece!("solve/apply_direct.wgsl"),
        glue_piece(kind.arity()),
    ];
    let declared: Vec<String> = pieces.iter().flat_map(|piece| declared(&piece.text)).collect();
    let named = |piece: Piece| Piece { text: renamed(&piece.text, &declared, kind.name()).into(), ..piece };
    pieces.into_iter().map(named).collect()
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
