//! Running the command in a folder with a scene in it.

use serde_json::Value;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Output;
use tempfile::TempDir;

pub fn pliant(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.args(arguments);
    command
}

/// What a command printed, and its exit code.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn run(arguments: &[&str]) -> Ran {
    ran(pliant(arguments).output().unwrap())
}

pub fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// A folder with a scene in it.
pub struct Place {
    pub folder: TempDir,
    pub scene: String,
}

impl Place {
    pub fn new(scene: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, scene).unwrap();
        Self { scene: path.to_str().unwrap().to_string(), folder }
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    pub fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }
    /// What lies in the folder, the scene aside.
    pub fn files(&self) -> Vec<String> {
        self.files_in("")
    }
    /// What lies in a folder in it, the scene aside.
    pub fn files_in(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name)).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name != "scene.toml");
        names.sort();
        names
    }
}

pub fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

pub const CLOTH: &str = r#"
name = "Small cloth"
[[body]]
name = "cloth"
kind = "cloth"
mesh = { grid = { columns = 8, rows = 8, width = 1.0, height = 1.0 } }
mass = 1.0
pin = ["top-left", "top-right"]
stretch_compliance = 1e-6
bend = { kind = "distance", compliance = 1e-3 }
"#;
