//! Imports go down the list of rooms in ARCHITECTURE.md, and the engines and the oracle do not know each other. Read
//! off the text of every file below `src`: paths in `use` items and in code, not in comments, strings and unit tests.

#[path = "rooms/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use source::{Reference, code, references};

/// Imports that go up all the same: the file, the room, and why.
const EXCEPTIONS: [(&str, &str, &str); 1] = [(
    "constraint/on_cpu.rs",
    "cpu",
    "the CPU engine's loop is compiled for each kind, and the type of a kind is known only where it is erased",
)];

/// Of a path these parts tell the engine, or the oracle, that it belongs to.
const ENGINES: [&str; 3] = ["reference", "cpu", "gpu"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rooms, each row of the table in ARCHITECTURE.md with those that it names first.
fn rows() -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once("\n## The rooms\n").expect("ARCHITECTURE.md has a section of that name");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | ")).map(|(names, _)| names);
    let name = |name: &str| name.trim_matches(['`', ' ']).trim_end_matches('/').trim_end_matches(".rs").to_string();
    rows.map(|names| names.split(',').map(name).collect()).collect()
}

/// All files of Rust below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let of_entry = |entry: PathBuf| match entry.is_dir() {
        true => files(&entry),
        false => vec![entry],
    };
    let all = entries.into_iter().flat_map(of_entry);
    all.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// A file of the crate.
struct File {
    /// From `src` on, with slashes.
    name: String,
    /// Its module, from the crate on.
    module: Vec<String>,
    /// Without comments, strings and unit tests.
    code: String,
}

impl File {
    fn read(path: &Path) -> Self {
        let name = path.strip_prefix(root().join("src")).unwrap().to_str().unwrap().replace('\\', "/");
        let module =
            name.trim_end_matches(".rs").split('/').filter(|part| *part != "mod").map(str::to_string).collect();
        Self { module, code: code(&fs::read_to_string(path).unwrap()), name }
    }

    fn room(&self) -> &str {
        &self.module[0]
    }

    /// Everything of the crate that it names.
    fn references(&self) -> impl Iterator<Item = Reference> {
        references(&self.code, &self.module).into_iter()
    }
}

/// The crate: its files in rooms, and in which rooms names are that it has at its root.
struct Crate {
    files: Vec<File>,
    rooms: BTreeMap<String, String>,
    /// Names of other crates.
    foreign: BTreeSet<String>,
}

impl Crate {
    fn read() -> Self {
        let all: Vec<File> = files(&root().join("src")).iter().map(|path| File::read(path)).collect();
        let (at_root, files): (Vec<File>, Vec<File>) =
            all.into_iter().partition(|file| ["lib.rs", "main.rs"].contains(&file.name.as_str()));
        let mut rooms: BTreeMap<String, String> =
            files.iter().map(|file| (file.room().to_string(), file.room().to_string())).collect();
        for file in &files {
            let exported = file.code.split("#[macro_export]").skip(1);
            let names = exported.filter_map(|text| Some(source::name(text.split_once("macro_rules!")?.1.trim_start())));
            rooms.extend(names.map(|name| (name.to_string(), file.room().to_string())));
        }
        let mut foreign = BTreeSet::new();
        let lib = at_root.iter().find(|file| file.name == "lib.rs").expect("a library");
        for export in lib.code.split("pub use ").skip(1).map(|text| text.split(';').next().unwrap_or_default()) {
            match export.split_once("::") {
                Some((room, name)) => drop(rooms.insert(name.to_string(), room.to_string())),
                None => drop(foreign.insert(export.to_string())),
            }
        }
        // Unit tests in files of their own.
        let files = files.into_iter().filter(|file| !file.name.ends_with("/tests.rs")).collect();
        Self { files, rooms, foreign }
    }

    /// Everything of the crate that some file names: the file, and what with its room.
    fn references(&self) -> impl Iterator<Item = (&File, Reference, &str)> {
        let all = self.files.iter().flat_map(|file| file.references().map(move |reference| (file, reference)));
        all.filter(|(_, reference)| !self.foreign.contains(&reference.path[0])).map(|(file, reference)| {
            let room = self.rooms.get(&reference.path[0]);
            let room =
                room.unwrap_or_else(|| panic!("{}: `{}` is in no room", at(file, &reference), reference.path[0]));
            (file, reference, room.as_str())
        })
    }
}

fn at(file: &File, reference: &Reference) -> String {
    format!("src/{}:{}", file.name, reference.line)
}

/// The engine, or the oracle, that a module belongs to: a room of its own, or its part of a pass or of the solvers.
fn engine(path: &[String]) -> Option<&str> {
    let part = match path.first()?.as_str() {
        "pass" => path.get(2)?,
        "solver" => path.get(1)?,
        room => room,
    };
    ENGINES.into_iter().find(|engine| *engine == part)
}

/// All that is in `src` is in the list of rooms, and all that the list names is there.
#[test]
fn every_room_is_listed() {
    let listed: BTreeSet<String> = rows().into_iter().flatten().collect();
    let there: BTreeSet<String> = Crate::read().files.iter().map(|file| file.room().to_string()).collect();
    assert_eq!(there, listed);
}

/// A room imports only rooms above it in the list, those in its own row neither.
#[test]
fn imports_go_down() {
    let row_of: BTreeMap<String, usize> =
        (0..).zip(rows()).flat_map(|(index, row)| row.into_iter().map(move |room| (room, index))).collect();
    let source = Crate::read();
    let (mut imports, mut upward, mut excused) = (0, Vec::new(), BTreeSet::new());
    for (file, reference, room) in source.references().filter(|(file, _, room)| file.room() != *room) {
        imports += 1;
        if row_of[room] >= row_of[file.room()] {
            match EXCEPTIONS.iter().position(|&(name, other, _)| (name, other) == (file.name.as_str(), room)) {
                Some(exception) => drop(excused.insert(exception)),
                None => upward.push(format!("{}: {} imports {room}", at(file, &reference), file.room())),
            }
        }
    }
    assert!(imports > 1000, "only {imports} imports were found");
    assert!(upward.is_empty(), "rooms import such as are not above them in ARCHITECTURE.md:\n{}", upward.join("\n"));
    assert_eq!(excused.len(), EXCEPTIONS.len(), "an exception is none any more");
}

/// No engine imports another, and neither the oracle; nor does the oracle import an engine. In passes and solvers, too.
#[test]
fn engines_do_not_know_each_other() {
    let source = Crate::read();
    let (mut within, mut across) = (0, Vec::new());
    for (file, reference, _) in source.references() {
        match (engine(&file.module), engine(&reference.path)) {
            (Some(mine), Some(theirs)) if mine == theirs => within += 1,
            (Some(mine), Some(theirs)) => across.push(format!("{}: {mine} imports {theirs}", at(file, &reference))),
            _ => {}
        }
    }
    assert!(within > 100, "only {within} imports within an engine were found");
    assert!(across.is_empty(), "engines import each other or the oracle:\n{}", across.join("\n"));
}

/// The order of a substep is written once: the table in ARCHITECTURE.md has the passes of `PASSES`, in order.
#[test]
fn substep_is_told_in_order() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = page.split_once("\n## One substep\n").expect("ARCHITECTURE.md has a section of that name");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let row = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_string());
    let told: Vec<String> = section.lines().filter_map(row).collect();
    let there: Vec<&str> = pliant::solver::PASSES.iter().map(|pass| pass.name()).collect();
    assert_eq!(told, there);
    for name in there {
        assert!(root().join("src/pass").join(name).join("mod.rs").exists(), "src/pass/{name} is no folder");
    }
}
