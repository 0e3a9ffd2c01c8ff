//! Running the command in a folder with a scene in it, and what it wrote.

use pliant::Model;
use pliant::scene::Scene;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;
use tempfile::TempDir;

/// A surface, and loose particles with a name that is no file's.
pub const SCENE: &str = r#"
[[body]]
name = "cloth"
kind = "cloth"
mesh = { grid = { columns = 5, rows = 4, width = 1.0, height = 0.7 } }
mass = 1.0
pin = ["top-left"]
stretch_compliance = 1e-6
[[body]]
name = "a/chain"
kind = "particles"
positions = [[3, 0, 0], [3.3, 0, 0], [3.7, 0, 0]]
masses = [0, 1, 1]
[[body.constraint]]
kind = "distance"
particles = [[0, 1], [1, 2]]
"#;

pub const CLOTH_PARTICLES: usize = 20;

pub const CLOTH_TRIANGLES: usize = 24;

pub const PARTICLES: usize = 23;

/// A folder with a scene in it, and one that runs write to.
pub struct Place {
    pub folder: TempDir,
    pub scene: String,
    pub out: PathBuf,
}

impl Place {
    pub fn new(scene: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        fs::write(&path, scene).unwrap();
        Self { scene: path.to_str().unwrap().to_string(), out: folder.path().join("out"), folder }
    }

    /// `pliant run` with some frames and options; in double precision where they say nothing else.
    pub fn command(&self, frames: u32, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(["run", &self.scene, "--frames", &frames.to_string(), "--out"]).arg(&self.out);
        if !options.contains(&"--device") {
            command.args(["--device", "reference"]);
        }
        command.args(options).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, frames: u32, options: &[&str]) -> (i32, String) {
        ended(self.command(frames, options).output().unwrap())
    }

    pub fn files(&self) -> Vec<String> {
        names(&self.out)
    }

    pub fn model(&self) -> Model {
        Scene::load(&self.scene).unwrap().build().unwrap().model
    }
}

/// Exit code and messages.
pub fn ended(output: Output) -> (i32, String) {
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Positions and velocities of a `--positions` table, as single precision.
pub fn table(path: &Path) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|row| row.split(',').map(|field| field.parse::<f64>().unwrap() as f32));
    rows.map(|row| row.skip(1).collect::<Vec<f32>>())
        .map(|row| ([row[0], row[1], row[2]], [row[3], row[4], row[5]]))
        .unzip()
}

pub fn singles(positions: &[[f64; 3]]) -> Vec<[f32; 3]> {
    positions.iter().map(|position| position.map(|value| value as f32)).collect()
}

/// The triangles that the scene's grid has, over the particles of the model.
pub fn grid_triangles(place: &Place) -> Vec<[u32; 3]> {
    let triangles = place.model().bodies[0].triangles.clone();
    assert_eq!(triangles.len(), CLOTH_TRIANGLES);
    triangles
}

pub fn run_with_table(formats: &[&str]) -> (Place, Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let place = Place::new(SCENE);
    let table_path = place.folder.path().join("positions.csv");
    let mut options = vec!["--positions", table_path.to_str().unwrap()];
    formats.iter().for_each(|format| options.extend(["--export", format]));
    let (code, message) = place.run(3, &options);
    assert_eq!(code, 0, "{message}");
    let (positions, velocities) = table(&table_path);
    assert_eq!(positions.len(), PARTICLES);
    (place, positions, velocities)
}
