//! Where a run's files go.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::PossibleValue;

use super::failure::Failure;
use super::pictures;
use super::report::Report;
use super::run::Options;
use crate::export::atomic::{self, AtomicFile};
use crate::export::growing::GrowingFile;
use crate::export::lock::FolderLock;
use crate::export::{self, csv};
use crate::model::{Contact, Model, State};

/// How the names of pictures end.
const PICTURE: &str = "png";

/// `out/NAME`, by the gallery's or the file's name.
pub fn default_folder(scene: &str) -> PathBuf {
    Path::new("out").join(Path::new(scene).file_stem().unwrap_or(scene.as_ref()))
}

/// Where files go, by what was asked for.
pub struct Named {
    pub folder: Option<PathBuf>,
    pub report: Option<PathBuf>,
}

impl Named {
    pub fn of(options: &Options) -> Self {
        let default = (options.drawing.render || !options.export.is_empty() || options.checkpoint_every.is_some())
            .then(|| default_folder(&options.subject.scene));
        let folder = options.out.clone().or(default);
        let report = options.report.clone().or_else(|| folder.as_ref().map(|folder| folder.join("report.json")));
        Self { folder, report }
    }
}

/// The files of a run, open from the beginning: what cannot be written shows before anything is simulated.
pub struct Files {
    pub folder: Option<PathBuf>,
    report: Option<GrowingFile>,
    positions: Option<AtomicFile>,
    pub forces: Option<AtomicFile>,
    contacts: Option<AtomicFile>,
    orientations: Option<AtomicFile>,
    pressures: Option<AtomicFile>,
    /// Released last.
    _lock: Option<FolderLock>,
}

impl Files {
    /// `inputs` are what the run is made from: nothing is written over them.
    pub fn open(options: &Options, inputs: &[PathBuf], model: &Model) -> Result<Self, Failure> {
        let named = Named::of(options);
        let mut each = vec![
            ("--report", named.report.as_deref()),
            ("--positions", options.positions.as_deref()),
            ("--forces", options.forces.as_deref()),
            ("--contacts", options.contacts.as_deref()),
            ("--orientations", options.orientations.as_deref()),
            ("--pressures", options.pressures.as_deref()),
        ];
        each.extend(options.drawing.files());
        refuse_one_for_two(&each)?;
        refuse_inputs(options, inputs, &each, named.folder.as_deref(), model)?;
        named.folder.as_deref().map_or(Ok(()), atomic::make_folder)?;
        let lock = named.folder.as_deref().map(FolderLock::take).transpose()?;
        named.folder.iter().for_each(|folder| atomic::clear(folder));
        each.into_iter().filter_map(|(_, path)| path).for_each(atomic::clear_for);
        let open = |path: Option<&PathBuf>| path.map(|path| AtomicFile::create(path)).transpose();
        Ok(Self {
            _lock: lock,
            report: named.report.as_deref().map(GrowingFile::create).transpose()?,
            positions: open(options.positions.as_ref())?,
            forces: open(options.forces.as_ref())?,
            contacts: open(options.contacts.as_ref())?,
            orientations: open(options.orientations.as_ref())?,
            pressures: open(options.pressures.as_ref())?,
            folder: named.folder,
        })
    }

    /// Shows the report as it is so far: a killed run then leaves the frames up to its checkpoint.
    pub fn keep_report(&mut self, report: &Report) -> Result<(), Failure> {
        Ok(self.report.as_mut().map_or(Ok(()), |file| file.show(report))?)
    }

    /// Writes all that can be; returns the first trouble. Without `contacts` their file stays as it was: no frame was
    /// solved that could tell.
    pub fn write(
        self,
        model: &Model,
        state: &State,
        contacts: Option<&[Contact]>,
        report: &Report,
    ) -> Result<(), Failure> {
        let written = [
            self.report.map(|file| file.finish(report)),
            self.positions.map(|file| file.fill(|out| csv::positions(state, model.origin, out))),
            self.forces.map(|file| file.fill(|out| csv::forces(model, state, out))),
            self.orientations.map(|file| file.fill(|out| csv::orientations(model, state, out))),
            self.pressures.map(|file| file.fill(|out| csv::pressures(model, state, out))),
            self.contacts
                .zip(contacts)
                .map(|(file, contacts)| file.fill(|out| csv::contacts(contacts, model.origin, out))),
        ];
        Ok(written.into_iter().flatten().collect::<Result<(), _>>()?)
    }
}

/// What a run reads it must not write over.
fn refuse_inputs(
    options: &Options,
    inputs: &[PathBuf],
    files: &[(&str, Option<&Path>)],
    folder: Option<&Path>,
    model: &Model,
) -> Result<(), Failure> {
    let whole = |path: &Path| path.canonicalize().ok();
    let folder = folder.and_then(whole);
    for input in inputs.iter().filter_map(|path| whole(path)) {
        let taken = files.iter().find(|(_, path)| path.and_then(whole).as_ref() == Some(&input));
        let name = input.file_name().unwrap_or_default().to_string_lossy();
        let in_folder = folder.is_some() && input.parent() == folder.as_deref();
        let export = options.export.iter().find(|format| in_folder && format.writes(&name, model));
        let picture = in_folder && options.drawing.render && pictures::writes(&name);
        let by = match (taken, export, picture) {
            (Some((flag, _)), ..) => (*flag).to_string(),
            (_, Some(format), _) => {
                let name = format.to_possible_value();
                format!("--export {}", name.as_ref().map_or("", PossibleValue::get_name))
            }
            (.., true) => "--render".to_string(),
            _ => continue,
        };
        let message = format!("{by} would overwrite {}, which this run reads; give another path", input.display());
        return Err(Failure::Input(message));
    }
    Ok(())
}

/// Frames beyond the last one of this run, and pictures between those that it draws, that an earlier one has left in
/// its folder, if any: who opens the series gets them, too.
pub fn later_frames(options: &Options) -> Option<String> {
    let folder = Named::of(options).folder?;
    let pictures = options.drawing.render.then_some(PICTURE);
    let extensions: Vec<&str> = options.export.iter().filter_map(|format| format.of_frames()).chain(pictures).collect();
    let later = |name: &str| {
        let mut of = extensions.iter().map(|&extension| (extension, export::frame_of(name, extension)));
        let (extension, frame) = of.find_map(|(extension, frame)| Some((extension, frame?)))?;
        let is_between = extension == PICTURE && !frame.is_multiple_of(options.drawing.every());
        (frame > options.frames || is_between).then_some(frame)
    };
    let entries = std::fs::read_dir(&folder).ok()?.flatten();
    let left = entries.filter_map(|entry| later(&entry.file_name().to_string_lossy())).max()?;
    Some(format!(
        "{} has frames of an earlier run, up to {left}. They stay, and other programs will read them as part of this \
         run; delete them, or choose another folder",
        folder.display()
    ))
}

/// One file cannot hold what two flags want in it.
fn refuse_one_for_two(files: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let given: Vec<(&str, PathBuf)> = files
        .iter()
        .filter_map(|&(flag, path)| Some((flag, path?)))
        // Things that are no files, as /dev/stdout, take what comes.
        .filter(|(_, path)| path.is_file() || !path.exists())
        .map(|(flag, path)| (flag, path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or(path.into())))
        .collect();
    for (index, (flag, path)) in given.iter().enumerate() {
        if let Some((other, _)) = given[..index].iter().find(|(_, other)| other == path) {
            let message = format!("{other} and {flag} name the same file, {}; give each its own", path.display());
            return Err(Failure::Input(message));
        }
    }
    Ok(())
}
