//! Where a run's files go.

use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::report::Report;
use super::run::Options;
use crate::export::atomic::{self, AtomicFile};
use crate::export::csv;
use crate::model::{Contact, Model, State};

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
        let default = (options.render || !options.export.is_empty() || options.checkpoint_every.is_some())
            .then(|| default_folder(&options.scene));
        let folder = options.out.clone().or(default);
        let report = options.report.clone().or_else(|| folder.as_ref().map(|folder| folder.join("report.json")));
        Self { folder, report }
    }
}

/// The files of a run, open from the beginning: what cannot be written shows before anything is simulated.
pub struct Files {
    pub folder: Option<PathBuf>,
    report: Option<AtomicFile>,
    positions: Option<AtomicFile>,
    pub forces: Option<AtomicFile>,
    contacts: Option<AtomicFile>,
}

impl Files {
    pub fn open(options: &Options) -> Result<Self, Failure> {
        let named = Named::of(options);
        refuse_one_for_two([
            ("--report", named.report.as_deref()),
            ("--positions", options.positions.as_deref()),
            ("--forces", options.forces.as_deref()),
            ("--contacts", options.contacts.as_deref()),
        ])?;
        named.folder.as_deref().map_or(Ok(()), atomic::make_folder)?;
        let open = |path: Option<&PathBuf>| path.map(|path| AtomicFile::create(path)).transpose();
        Ok(Self {
            report: open(named.report.as_ref())?,
            positions: open(options.positions.as_ref())?,
            forces: open(options.forces.as_ref())?,
            contacts: open(options.contacts.as_ref())?,
            folder: named.folder,
        })
    }

    /// Writes the report as it is so far: what is killed without notice leaves the frames up to its checkpoint.
    pub fn keep_report(&mut self, report: &Report) -> Result<(), Failure> {
        if let Some(file) = self.report.take_if(|file| file.is_swapped()) {
            self.report = Some(file.renew(|out| report.write(out))?);
        }
        Ok(())
    }

    /// Writes all that can be; returns the first trouble. Without `contacts` their file stays as it was: no frame was solved that could tell.
    pub fn write(
        self,
        model: &Model,
        state: &State,
        contacts: Option<&[Contact]>,
        report: &Report,
    ) -> Result<(), Failure> {
        let written = [
            self.report.map(|file| file.fill(|out| report.write(out))),
            self.positions.map(|file| file.fill(|out| csv::positions(state, out))),
            self.forces.map(|file| file.fill(|out| csv::forces(model, state, out))),
            self.contacts.zip(contacts).map(|(file, contacts)| file.fill(|out| csv::contacts(contacts, out))),
        ];
        Ok(written.into_iter().flatten().collect::<Result<(), _>>()?)
    }
}

/// One file cannot hold what two flags want in it.
fn refuse_one_for_two(files: [(&str, Option<&Path>); 4]) -> Result<(), Failure> {
    let given: Vec<(&str, PathBuf)> = files
        .into_iter()
        .filter_map(|(flag, path)| Some((flag, path?)))
        // Things that are no files, as /dev/stdout, take what comes.
        .filter(|(_, path)| path.is_file() || !path.exists())
        .map(|(flag, path)| (flag, path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or(path.into())))
        .collect();
    for (index, (flag, path)) in given.iter().enumerate() {
        if let Some((other, _)) = given[..index].iter().find(|(_, other)| other == path) {
            let message = format!("{other} and {flag} name one file, {}: give each its own", path.display());
            return Err(Failure::Input(message));
        }
    }
    Ok(())
}
