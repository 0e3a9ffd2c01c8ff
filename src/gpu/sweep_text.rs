//! The text of a sweep over all stages of a cluster: a loop, or for few stages of simple constraints one after
//! another.

use crate::constraint::Kind;
use crate::gpu::visit::KernelLeg;

/// How a kernel reads the records of a kind: `fetch_kind(at)` asks for one, `unpack_kind` makes a record of what was
/// asked for. Apart, since the next stage's are asked for before a stage is done.
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
    /// In a loop, and in turns through the constraints of each: so islands are solved.
    Turns { threads: u32 },
    /// In a loop, where no stage has more constraints than there are threads. (wgpu guards each loop against going on
    /// for ever: without the one over turns W1 of 1,024 × 1,024 in clusters takes an NVIDIA H200 1.38 ms in place of
    /// 1.49.)
    OneTurn { threads: u32 },
    /// The same without a loop: of each leg so many stages at most; `carries`: λ waits in registers, since a stage has
    /// as many in each leg of its kind.
    WrittenOut { threads: u32, stages: &'a [u32], carries: bool },
}

/// What is written out at most, in components of particles. It is brought from memory to be done once: an NVIDIA H200
/// takes W1 of 1,024 × 1,024, 12 stages of springs, 0.87 of the time so, but the last phase of W2, 13 stages of
/// tetrahedra, 1.6 times as long. There and back it is twice the text; what is between was not measured.
const MOST_WRITTEN_OUT: usize = 48;

/// Whether that many stages of each kind at most are better written out.
pub fn is_written_out<'a>(stages: impl IntoIterator<Item = (&'a dyn Kind, u32)>) -> bool {
    let of_kind = |(kind, stages): (&dyn Kind, u32)| {
        let particles = kind.arity().count().unwrap_or(MOST_WRITTEN_OUT);
        stages as usize * kind.components() * particles
    };
    stages.into_iter().map(of_kind).sum::<usize>() <= MOST_WRITTEN_OUT
}

impl Sweep<'_> {
    /// Whether λ waits in registers from one visit to the next.
    pub fn carries(&self) -> bool {
        matches!(self, Sweep::WrittenOut { carries: true, .. })
    }

    fn threads(&self) -> u32 {
        match *self {
            Sweep::Turns { threads } | Sweep::OneTurn { threads } | Sweep::WrittenOut { threads, .. } => threads,
        }
    }

    /// Leg after leg. No choice of the kind within a loop: software devices run what is not chosen, too.
    ///
    /// On a card a stage is over before what it reads from memory would be there. So while one is solved, the records
    /// of the next are made of what was asked for before, those of the one after it are asked for, and where those of
    /// the third lie.
    pub fn text(&self, kinds: &[(&dyn Kind, Reading)], legs: &[KernelLeg]) -> String {
        let of_leg = |(index, leg): (usize, &KernelLeg)| {
            let (kind, _) = &kinds[leg.kind];
            let (name, solve) = (kind.name(), solve_name(*kind, leg.back));
            // Particles come once what is asked for first is on its way; those of islands are there.
            let gather = if index == 0 { "    gather(thread);\n" } else { "" };
            match self {
                Sweep::WrittenOut { stages, carries, .. } => {
                    let carried = carries.then_some(leg.back);
                    written_out([name, &solve], index, stages[index], (gather, carried))
                }
                Sweep::OneTurn { .. } => in_loop(name, index, &one_turn([name, &solve]), gather),
                Sweep::Turns { .. } => in_loop(name, index, &turns([name, &solve]), ""),
            }
        };
        let carried = |(index, (kind, _)): (usize, &(&dyn Kind, Reading))| {
            let stages = self.stages_of(legs, index);
            (0..stages).map(|k| format!("    var lambda_{}_{k} = 0.0;\n", kind.name())).collect::<String>()
        };
        let carried: String = kinds.iter().enumerate().map(carried).collect();
        let asks: String = kinds.iter().map(|(kind, reading)| ask(kind.name(), reading)).collect();
        let sweeps: String = legs.iter().enumerate().map(of_leg).collect();
        let (kinds, legs, threads) = (kinds.len(), legs.len(), self.threads());
        format!(
            "const KINDS: u32 = {kinds}u;\nconst LEGS: u32 = {legs}u;\nconst THREADS: u32 = {threads}u;\n\n{asks}\
             fn solve_kinds(stages: u32, thread: u32) {{\n    var at = 0u;\n    var end = 0u;\n{carried}{sweeps}}}\n"
        )
    }

    /// How many stages of a kind have a λ in a register.
    fn stages_of(&self, legs: &[KernelLeg], kind: usize) -> u32 {
        match self {
            Sweep::WrittenOut { stages, carries: true, .. } => {
                let of_kind = legs.iter().zip(*stages).filter(|(leg, _)| leg.kind == kind);
                of_kind.map(|(_, &stages)| stages).max().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

/// The function that solves a kind, on the way back by its components from the last.
pub fn solve_name(kind: &dyn Kind, back: bool) -> String {
    let suffix = if back && kind.components() > 1 { "_back" } else { "" };
    format!("{}{suffix}", kind.name())
}

/// The function that asks for the record of a stage's constraint.
fn ask(name: &str, Reading { fetched, words, .. }: &Reading) -> String {
    format!(
        "fn ask_{name}(stage: Stage, c: u32) -> {fetched} {{
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
fn one_turn([name, solve]: [&str; 2]) -> String {
    format!(
        "        if (thread < stage.count) {{
            solve_{solve}(record, stage.multiplier + thread * COMPONENTS_{name}, 0u);
        }}
"
    )
}

fn turns([name, solve]: [&str; 2]) -> String {
    format!(
        "        var c = thread;
        loop {{
            if (c < stage.count) {{
                solve_{solve}(record, stage.multiplier + c * COMPONENTS_{name}, 0u);
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
        begin_visit(stage.visit);
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
///
/// `carried`: λ waits in registers, and whether the leg goes back, to whose first stage the last register belongs.
fn written_out([name, solve]: [&str; 2], index: usize, stages: u32, (gather, carried): (&str, Option<bool>)) -> String {
    let load = |k: u32| format!("    let stage{k} = load_stage(at + {k}u * STAGE_WORDS, end);\n");
    let ask = |k: u32| format!("    let asked{k} = ask_{name}(stage{k}, thread);\n");
    let unpack = |k: u32| format!("    let record{k} = unpack_{name}(asked{k});\n");
    let if_there = |k: u32, line: &dyn Fn(u32) -> String| if k < stages { line(k) } else { String::new() };
    let begin: String = (0..3).map(|k| if_there(k, &load)).collect();
    let begin = begin + &if_there(0, &ask) + &if_there(0, &unpack) + &if_there(1, &ask);
    let of_stage = |k: u32| {
        let ahead = if_there(k + 1, &unpack) + &if_there(k + 2, &ask) + &if_there(k + 3, &load);
        let [before, behind] = match carried {
            Some(back) => {
                let lambda = format!("lambda_{name}_{}", if back { stages - 1 - k } else { k });
                [format!("        carried = {lambda};\n"), format!("        {lambda} = carried;\n")]
            }
            None => [String::new(), String::new()],
        };
        format!(
            "{ahead}    begin_visit(stage{k}.visit);
    if (thread < stage{k}.count) {{
{before}        solve_{solve}(record{k}, stage{k}.multiplier + thread * COMPONENTS_{name}, 0u);
{behind}    }}
    end_stage();
"
        )
    };
    let all: String = (0..stages).map(of_stage).collect();
    format!(
        "    {{\n    at = words[stages + {index}u];\n    end = words[stages + {index}u + 1u];\n\
         {begin}{gather}{all}    }}\n"
    )
}

#[cfg(test)]
mod tests {
    use crate::constraint::{Distance, NeoHookean, kind};
    use crate::gpu::sweep_text::*;

    /// Springs of few colours are written out, more of them are not, nor are tetrahedra.
    #[test]
    fn what_is_written_out_is_little() {
        let (springs, tetrahedra): (&dyn Kind, &dyn Kind) = (kind::<Distance>(), kind::<NeoHookean>());
        assert!(is_written_out([(springs, 24)]) && !is_written_out([(springs, 25)]));
        assert!(is_written_out([(springs, 20), (tetrahedra, 1)]) && !is_written_out([(springs, 21), (tetrahedra, 1)]));
    }
}
