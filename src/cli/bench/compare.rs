//! Sets two results of `bench --json` beside each other, row by row.

use std::io::Write;
use std::path::Path;

use serde::Deserialize;

use crate::base::input;
use crate::cli::failure::Failure;

/// What is compared of a file. Those of older versions lack some of it.
#[derive(Debug, Deserialize)]
pub struct Results {
    adapter: String,
    driver: String,
    version: String,
    commit: Option<String>,
    scene: String,
    sizes: Vec<Row>,
    #[serde(default)]
    blocks: Vec<Row>,
    #[serde(default)]
    piles: Vec<Row>,
    #[serde(default)]
    balls: Vec<Row>,
    #[serde(default)]
    quality: Vec<Quality>,
}

#[derive(Debug, Deserialize)]
struct Row {
    n: u64,
    particles: u64,
    constraints: u64,
    substeps: Option<u32>,
    iterations: Option<u32>,
    threads: Option<usize>,
    step_ms_median: f64,
    step_ms_min: f64,
    step_ms_lower_quartile: Option<f64>,
    step_ms_upper_quartile: Option<f64>,
    dispatches_per_frame: u32,
    bytes_per_frame: u64,
    memory_bytes: u64,
    plan_ms: f64,
}

#[derive(Debug, Deserialize)]
struct Quality {
    n: u64,
    #[serde(default)]
    nested: bool,
    substeps: Option<u32>,
    step_ms_median: Option<f64>,
}

impl Results {
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let fault = |what: String| Failure::Input(format!("{}: {what}", path.display()));
        let remedy = "give the path of a file that `pliant bench --json` wrote";
        let text = input::read(path).map_err(|unreadable| fault(format!("{unreadable}; {remedy}")))?;
        serde_json::from_slice(&text)
            .map_err(|error| fault(format!("this is not a result of `pliant bench --json`: {error}")))
    }

    pub fn from_value(value: serde_json::Value) -> Result<Self, Failure> {
        serde_json::from_value(value).map_err(|error| Failure::Input(format!("these results have no rows: {error}")))
    }

    /// Only numbers of one scene compare.
    pub fn is_of(&self, scene: &str) -> Result<(), Failure> {
        if self.scene == scene {
            return Ok(());
        }
        let hint = "compare results of the same scene";
        Err(Failure::Input(format!("the old results are of {} and the new of {scene}; {hint}", self.scene)))
    }

    fn of_machine(&self) -> String {
        let commit = self.commit.as_ref().map_or(String::new(), |commit| format!(", commit {commit}"));
        format!("{} ({}), version {}{commit}", self.adapter, self.driver, self.version)
    }
}

impl Row {
    fn is_as(&self, other: &Self) -> bool {
        let agree = |here: Option<u32>, there: Option<u32>| here.zip(there).is_none_or(|(here, there)| here == there);
        let sizes = |row: &Self| (row.n, row.particles, row.constraints);
        sizes(self) == sizes(other)
            && self.threads == other.threads
            && agree(self.substeps, other.substeps)
            && agree(self.iterations, other.iterations)
    }

    /// Whether the middle halves of the frames of both overlap: then their medians cannot be told apart. `None` if one
    /// does not know its quartiles.
    fn overlaps(&self, other: &Self) -> Option<bool> {
        let (here, there) = (self.step_ms_lower_quartile?, other.step_ms_lower_quartile?);
        Some(here <= other.step_ms_upper_quartile? && there <= self.step_ms_upper_quartile?)
    }
}

/// Prints the new numbers over the old, for every row that both have. Above 1 is more: slower, or larger.
pub fn print(old: &Results, new: &Results, out: &mut impl Write) -> Result<(), Failure> {
    old.is_of(&new.scene)?;
    let tables = [
        (old.scene.as_str(), &old.sizes, &new.sizes),
        ("W2", &old.blocks, &new.blocks),
        ("W4", &old.piles, &new.piles),
        ("W5", &old.balls, &new.balls),
    ];
    let rows: Vec<(&str, &Row, &Row)> = tables
        .iter()
        .flat_map(|(name, old, new)| {
            new.iter().filter_map(move |row| Some((*name, old.iter().find(|other| other.is_as(row))?, row)))
        })
        .collect();
    let qualities: Vec<(&Quality, &Quality)> = new
        .quality
        .iter()
        .filter_map(|row| Some((old.quality.iter().find(|other| (other.n, other.nested) == (row.n, row.nested))?, row)))
        .collect();
    if rows.is_empty() && qualities.is_empty() {
        return Err(Failure::Input("the two results have no row in common; measure the same sizes".to_string()));
    }
    writeln!(out, "old: {}\nnew: {}\nnew / old; a time below 1 is faster", old.of_machine(), new.of_machine())?;
    if !rows.is_empty() {
        writeln!(
            out,
            "\n{:>14} {:>6} {:>10} {:>10} {:>8} {:>8} {:>11} {:>8} {:>8} {:>8}",
            "", "n", "old ms", "new ms", "median", "min", "dispatches", "bytes", "memory", "plan"
        )?;
    }
    for (name, old, new) in rows {
        writeln!(
            out,
            "{:>14} {:6} {:10.3} {:10.3} {:8.3} {:8.3} {:11.3} {:8.3} {:8.3} {:8.3}{}",
            new.threads.map_or(name.to_string(), |threads| format!("{name}, {threads} thr.")),
            new.n,
            old.step_ms_median,
            new.step_ms_median,
            new.step_ms_median / old.step_ms_median,
            new.step_ms_min / old.step_ms_min,
            f64::from(new.dispatches_per_frame) / f64::from(old.dispatches_per_frame),
            new.bytes_per_frame as f64 / old.bytes_per_frame as f64,
            new.memory_bytes as f64 / old.memory_bytes as f64,
            new.plan_ms / old.plan_ms,
            match new.overlaps(old) {
                Some(true) => "  (the quartiles overlap: no difference seen)",
                Some(false) => "",
                None => "  (the old one has no quartiles)",
            }
        )?;
    }
    for (old, new) in qualities {
        let levels = if new.nested { ", with levels" } else { "" };
        write!(out, "\nfor 1 % of sag at n = {}{levels}: ", new.n)?;
        match (old.substeps.zip(old.step_ms_median), new.substeps.zip(new.step_ms_median)) {
            (Some((few, fast)), Some((substeps, ms))) => {
                writeln!(out, "{few} substeps before, {substeps} now; a frame takes {:.3} of the time", ms / fast)?;
            }
            _ => writeln!(out, "one of the two has no number of substeps")?,
        }
    }
    Ok(())
}
