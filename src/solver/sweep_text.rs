//! The text of a sweep over all stages of a tile or cluster: a loop, or for few stages of simple constraints one after another.

use crate::constraint::Kind;

/// How a kernel reads the records of a kind: `fetch_kind(at)` asks for one, `unpack_kind` makes a record of what was asked for. Apart, since
/// the next stage's are asked for before a stage is done.
pub struct Reading {
    pub text: String,
    /// What is asked for.
    pub fetched: String,
    /// Of a record.
    pub words: usize,
}

/// How a workgroup of so many threads goes through stages.
#[derive(Clone, Copy)]
pub enum Sweep<'a> {
    /// In a loop, and in turns through the constraints of each.
    Turns { threads: u32 },
    /// In a loop, where no stage has more constraints than there are threads. (wgpu guards each loop against going on for ever: without the one over turns W1
    /// of 1,024 × 1,024 in clusters takes an NVIDIA H200 1.38 ms in place of 1.49.)
    OneTurn { threads: u32 },
    /// The same without a loop: of each kind so many stages at most.
    WrittenOut { threads: u32, stages: &'a [u32] },
}

/// What is written out at most, in components of particles. It is brought from memory to be done once: an NVIDIA H200 takes W1 of 1,024 × 1,024, 12 stages of springs, 0.87 of
/// the time so, but the last phase of W2, 13 stages of tetrahedra, 1.6 times as long.
const MOST_WRITTEN_OUT: usize = 32;

/// Whether that many stages of each kind at most are better written out.
pub fn is_written_out<'a>(stages: impl IntoIterator<Item = (&'a dyn Kind, u32)>) -> bool {
    let of_kind = |(kind, stages): (&dyn Kind, u32)| {
        let particles = kind.arity().count().unwrap_or(MOST_WRITTEN_OUT);
        stages as usize * kind.components() * particles
    };
    stages.into_iter().map(of_kind).sum::<usize>() <= MOST_WRITTEN_OUT
}

impl Sweep<'_> {
    fn threads(&self) -> u32 {
        match *self {
            Sweep::Turns { threads } | Sweep::OneTurn { threads } | Sweep::WrittenOut { threads, .. } => threads,
        }
    }

    /// Kind after kind. No choice of the kind within a loop: software devices run what is not chosen, too.
    ///
    /// On a card a stage is over before what it reads from memory would be there. So while one is solved, the records of the next are made of what was
    /// asked for before, those of the one after it are asked for, and where those of the third lie.
    pub fn text(&self, kinds: &[(&dyn Kind, Reading)]) -> String {
        let of_kind = |(index, (kind, reading)): (usize, &(&dyn Kind, Reading))| {
            let name = kind.name();
            let gather = if index == 0 { "    gather(thread);\n" } else { "" };
            let sweep = match self {
                Sweep::WrittenOut { stages, .. } => written_out(name, index, stages[index], gather),
                Sweep::OneTurn { .. } => in_loop(name, index, &one_turn(name), gather),
                Sweep::Turns { .. } => in_loop(name, index, &turns(name), gather),
            };
            (ask(name, reading), sweep)
        };
        let (asks, sweeps): (String, String) = kinds.iter().enumerate().map(of_kind).unzip();
        let (count, threads) = (kinds.len(), self.threads());
        format!(
            "const KINDS: u32 = {count}u;\nconst THREADS: u32 = {threads}u;\n\n{asks}\
             fn solve_kinds(stages: u32, thread: u32) {{\n    var at = 0u;\n    var end = 0u;\n{sweeps}}}\n"
        )
    }
}

/// The function that asks for the record of a stage's constraint.
fn ask(name: &str, Reading { fetched, words, .. }: &Reading) -> String {
    format!(
        "fn ask_{name}(stage: TileStage, c: u32) -> {fetched} {{
    var fetched: {fetched};
    if (c < stage.count) {{
        fetched = fetch_{name}(stage.record + c * {words}u);
    }}
    return fetched;
}}

"
    )
}

/// A stage that has no more constraints than there are threads.
fn one_turn(name: &str) -> String {
    format!(
        "        if (thread < stage.count) {{
            solve_{name}(record, stage.multiplier + thread * COMPONENTS_{name}, 0u);
        }}
"
    )
}

fn turns(name: &str) -> String {
    format!(
        "        var c = thread;
        loop {{
            if (c < stage.count) {{
                solve_{name}(record, stage.multiplier + c * COMPONENTS_{name}, 0u);
            }}
            c += THREADS;
            if (c >= stage.count) {{
                break;
            }}
            record = unpack_{name}(ask_{name}(stage, c));
        }}
"
    )
}

fn in_loop(name: &str, index: usize, solved: &str, gather: &str) -> String {
    format!(
        "    {{
    at = words[stages + {index}u];
    end = words[stages + {index}u + 1u];
    var stage = load_stage(at, end);
    var second = load_stage(at + STAGE_WORDS, end);
    var third = load_stage(at + 2u * STAGE_WORDS, end);
    var record = unpack_{name}(ask_{name}(stage, thread));
    var asked = ask_{name}(second, thread);
{gather}    loop {{
        let second_record = unpack_{name}(asked);
        asked = ask_{name}(third, thread);
        let fourth = load_stage(at + 3u * STAGE_WORDS, end);
{solved}        end_stage();
        stage = second;
        second = third;
        third = fourth;
        record = second_record;
        at += STAGE_WORDS;
        if (at >= end) {{
            break;
        }}
    }}
    }}
"
    )
}

/// Each stage by names of its own. A cluster with fewer stages finds the last ones empty.
fn written_out(name: &str, index: usize, stages: u32, gather: &str) -> String {
    let load = |k: u32| format!("    let stage{k} = load_stage(at + {k}u * STAGE_WORDS, end);\n");
    let ask = |k: u32| format!("    let asked{k} = ask_{name}(stage{k}, thread);\n");
    let unpack = |k: u32| format!("    let record{k} = unpack_{name}(asked{k});\n");
    let if_there = |k: u32, line: &dyn Fn(u32) -> String| if k < stages { line(k) } else { String::new() };
    let begin: String = (0..3).map(|k| if_there(k, &load)).collect();
    let begin = begin + &if_there(0, &ask) + &if_there(0, &unpack) + &if_there(1, &ask);
    let of_stage = |k: u32| {
        let ahead = if_there(k + 1, &unpack) + &if_there(k + 2, &ask) + &if_there(k + 3, &load);
        format!(
            "{ahead}    if (thread < stage{k}.count) {{
        solve_{name}(record{k}, stage{k}.multiplier + thread * COMPONENTS_{name}, 0u);
    }}
    end_stage();
"
        )
    };
    let all: String = (0..stages).map(of_stage).collect();
    format!(
        "    {{\n    at = words[stages + {index}u];\n    end = words[stages + {index}u + 1u];\n{begin}{gather}{all}    }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Distance, NeoHookean, kind};

    /// Springs of few colours are written out, more of them are not, nor are tetrahedra.
    #[test]
    fn what_is_written_out_is_little() {
        let (springs, tetrahedra): (&dyn Kind, &dyn Kind) = (kind::<Distance>(), kind::<NeoHookean>());
        assert!(is_written_out([(springs, 16)]) && !is_written_out([(springs, 17)]));
        assert!(is_written_out([(springs, 12), (tetrahedra, 1)]) && !is_written_out([(springs, 13), (tetrahedra, 1)]));
    }
}
