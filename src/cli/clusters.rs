//! Which of the two ways large bodies are solved by on an adapter: by what a short calibration found, which is remembered in the user's
//! folder for caches.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::engine::Device;
use super::failure::Failure;
use crate::calibration::Calibration;
use crate::device::{Gpu, adapters};
use crate::export::atomic;
use crate::input::{self, Unreadable};
use crate::model::Model;
use crate::plan::{Plan, TILE_PARTICLES};

/// What `--clusters` names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Clusters {
    /// What takes less time on the adapter; clusters on the CPU
    #[default]
    Auto,
    /// By clusters
    On,
    /// By colours
    Off,
}

/// What the calibration of an adapter goes by: with another driver or version it is made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    adapter: String,
    driver: String,
    backend: String,
    version: String,
}

impl Key {
    pub fn of(info: &wgpu::AdapterInfo) -> Self {
        Self {
            adapter: info.name.clone(),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
            backend: info.backend.to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    #[serde(flatten)]
    calibration: Calibration,
}

/// What was measured before.
#[derive(Debug, Default)]
pub struct Memory {
    /// `None` on a machine that tells of no folder for caches.
    path: Option<PathBuf>,
    entries: Vec<Entry>,
}

impl Memory {
    /// Of this user; and what is wrong with the file, if anything.
    pub fn open() -> (Self, Option<String>) {
        folder(|name| std::env::var_os(name))
            .map_or_else(Default::default, |path| Self::read(path.join("adapters.json")))
    }

    fn read(path: PathBuf) -> (Self, Option<String>) {
        let entries = match input::read(&path) {
            Ok(bytes) => serde_json::from_slice::<Vec<Entry>>(&bytes).map_err(|error| error.to_string()),
            Err(Unreadable::Missing) => Ok(Vec::new()),
            Err(unreadable) => Err(unreadable.to_string()),
        };
        let good =
            |entry: &Entry| [entry.calibration.colours_ms, entry.calibration.clusters_ms].iter().all(|&ms| ms > 0.0);
        let entries = entries.and_then(|entries| match entries.iter().all(good) {
            true => Ok(entries),
            false => Err("a time in it is not above 0".to_string()),
        });
        let fault = entries.as_ref().err().map(|error| {
            format!("{} is of no use ({error}): what it held is measured again when it is needed", path.display())
        });
        (Self { path: Some(path), entries: entries.unwrap_or_default() }, fault)
    }

    pub fn find(&self, key: &Key) -> Option<Calibration> {
        self.entries.iter().find(|entry| entry.key == *key).map(|entry| entry.calibration)
    }

    /// Where nothing may be written it is measured again the next time.
    pub fn keep(&mut self, key: &Key, calibration: Calibration) {
        self.entries.retain(|entry| (&entry.key.adapter, &entry.key.backend) != (&key.adapter, &key.backend));
        self.entries.push(Entry { key: key.clone(), calibration });
        if let Some(path) = &self.path {
            let _ = atomic::write(path, |file| Ok(serde_json::to_writer_pretty(file, &self.entries)?));
        }
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

/// The folder for what the command may make again, by the variables of the environment.
fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || absolute("HOME");
    let caches = match std::env::consts::OS {
        "windows" => absolute("LOCALAPPDATA"),
        "macos" => home().map(|home| home.join("Library/Caches")),
        _ => absolute("XDG_CACHE_HOME").or_else(|| home().map(|home| home.join(".cache"))),
    };
    Some(caches?.join("pliant"))
}

/// How an adapter solves large bodies, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// Nothing was measured: a software device has neither launches nor memory of workgroups to gain by.
    Software,
    /// By what took less time; whether that was remembered.
    Measured(Calibration, bool),
}

impl Choice {
    /// What was measured counts, else it is measured, but not for a software device unless `again` is asked for.
    pub fn make(
        memory: &mut Memory,
        info: &wgpu::AdapterInfo,
        again: bool,
        measure: impl FnOnce() -> Result<Calibration, Failure>,
    ) -> Result<Self, Failure> {
        let key = Key::of(info);
        match memory.find(&key) {
            Some(calibration) if !again => Ok(Choice::Measured(calibration, true)),
            None if !again && info.device_type == wgpu::DeviceType::Cpu => Ok(Choice::Software),
            _ => {
                let calibration = measure()?;
                memory.keep(&key, calibration);
                Ok(Choice::Measured(calibration, false))
            }
        }
    }

    pub fn clusters(self) -> bool {
        matches!(self, Choice::Measured(calibration, _) if calibration.favours_clusters())
    }

    /// For people: `by clusters: ...`.
    pub fn told(self) -> String {
        let way = if self.clusters() { "clusters" } else { "colours" };
        match self {
            Choice::Software => format!("by {way}, as on every software device (--recalibrate measures it)"),
            Choice::Measured(Calibration { colours_ms, clusters_ms }, remembered) => format!(
                "by {way}: a frame of the cloth of 256 x 256 took {clusters_ms:.2} ms by clusters and {colours_ms:.2} ms by colours ({})",
                if remembered { "remembered; --recalibrate measures it again" } else { "measured just now" }
            ),
        }
    }
}

/// Whether an adapter is known to solve large bodies in less time by clusters: a window is not kept waiting for a measurement.
#[cfg(feature = "viewer")]
pub fn known_for(info: &wgpu::AdapterInfo) -> bool {
    Memory::open().0.find(&Key::of(info)).is_some_and(|known| known.favours_clusters())
}

/// The plan that solves large bodies by clusters, for an adapter or for the CPU engine, or by colours.
pub fn planned(model: &Model, on_cpu: bool, clustered: bool) -> Plan {
    match (clustered, on_cpu) {
        (true, true) => Plan::for_caches(model),
        (true, false) => Plan::clustered(model),
        (false, _) => Plan::new(model),
    }
}

/// Opens an adapter and measures.
pub fn measure(adapter: wgpu::Adapter) -> Result<Calibration, Failure> {
    let gpu = pollster::block_on(Gpu::open_adapter(adapter, wgpu::Limits::default()))?;
    Calibration::measure(&gpu).map_err(|error| Failure::Simulation(format!("the calibration failed: {error}")))
}

/// Whether large bodies are solved in clusters on a device. Where that has to be measured, it says so.
pub fn chosen(device: &Device, clusters: Clusters) -> Result<bool, Failure> {
    let name = match (clusters, device) {
        (Clusters::Off, _) => return Ok(false),
        (Clusters::On, _) => return Ok(true),
        (_, device) if device.is_cpu() => return Ok(true),
        (_, Device::Named(name)) => name,
        _ => "",
    };
    // That there is none is told where it is opened.
    let wanted = |adapter: &wgpu::Adapter| adapter.get_info().name.to_lowercase().contains(&name.to_lowercase());
    let Some(adapter) = pollster::block_on(adapters()).into_iter().find(wanted) else { return Ok(false) };
    let (mut memory, fault) = Memory::open();
    fault.iter().for_each(|fault| eprintln!("note: {fault}"));
    let info = adapter.get_info();
    match Choice::make(&mut memory, &info, false, || measure(adapter)) {
        Err(failure) => {
            eprintln!("note: {} solves large bodies by colours: {failure}", info.name);
            Ok(false)
        }
        Ok(choice) => {
            if let Choice::Measured(_, false) = choice {
                eprintln!("note: {} solves large bodies {}", info.name, choice.told());
            }
            Ok(choice.clusters())
        }
    }
}

/// The same for one model: nothing is measured for what is so small that a workgroup solves it whole.
pub fn chosen_for(model: &Model, device: &Device, clusters: Clusters) -> Result<bool, Failure> {
    match model.particles.len() > TILE_PARTICLES as usize {
        true => chosen(device, clusters),
        false => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(driver: &str) -> Key {
        let text = |text: &str| text.to_string();
        Key { adapter: text("card"), driver: text(driver), backend: text("vulkan"), version: text("1") }
    }

    /// What is kept is found again, by the same adapter, driver and version only; a new driver's takes its place.
    #[test]
    fn what_is_kept_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("not/yet/adapters.json");
        let (mut memory, fault) = Memory::read(path.clone());
        assert_eq!((fault, memory.find(&key("1"))), (None, None));
        let [first, second] = [0.7, 1.3].map(|clusters_ms| Calibration { colours_ms: 1.1, clusters_ms });
        memory.keep(&key("1"), first);
        let (mut again, fault) = Memory::read(path.clone());
        assert_eq!((fault, again.find(&key("1")), again.find(&key("2"))), (None, Some(first), None));
        assert_eq!(again.find(&Key { version: "2".to_string(), ..key("1") }), None);
        again.keep(&Key { adapter: "other".to_string(), ..key("1") }, first);
        again.keep(&key("2"), second);
        let (last, _) = Memory::read(path);
        assert_eq!((last.find(&key("1")), last.find(&key("2")), last.entries.len()), (None, Some(second), 2));
        assert!(first.favours_clusters() && !second.favours_clusters());
    }

    /// A damaged file is told of and written anew.
    #[test]
    fn damage_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("adapters.json");
        let good = Calibration { colours_ms: 2.0, clusters_ms: 1.0 };
        Memory::read(path.clone()).0.keep(&key("1"), good);
        let whole = std::fs::read(&path).unwrap();
        let text = String::from_utf8(whole.clone()).unwrap();
        let damaged = [&whole[..whole.len() / 2], b"", b"[1]", text.replace("2.0", "-2.0").as_bytes(), &[0xff; 40]]
            .map(<[u8]>::to_vec);
        for bytes in damaged {
            std::fs::write(&path, &bytes).unwrap();
            let (mut memory, fault) = Memory::read(path.clone());
            let fault = fault.unwrap_or_else(|| panic!("{bytes:?} was read"));
            assert!(fault.contains("adapters.json") && fault.contains("measured again"), "{fault}");
            assert_eq!(memory.find(&key("1")), None);
            memory.keep(&key("1"), good);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }

    /// A folder of the user's, or none.
    #[test]
    fn folders_follow_the_environment() {
        let of = |pairs: &[(&str, &str)]| {
            folder(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)))
        };
        if cfg!(target_os = "linux") {
            assert_eq!(of(&[("HOME", "/home/a")]), Some("/home/a/.cache/pliant".into()));
            assert_eq!(of(&[("HOME", "/home/a"), ("XDG_CACHE_HOME", "/var/b")]), Some("/var/b/pliant".into()));
            assert_eq!(of(&[("HOME", "/home/a"), ("XDG_CACHE_HOME", "b")]), Some("/home/a/.cache/pliant".into()));
        }
        assert_eq!(of(&[]), None);
    }
}
