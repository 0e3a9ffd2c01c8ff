//! The command `pliant` as people and scripts meet it: exit codes, messages, files, runs in pieces.
#![cfg(feature = "cli")]

mod bench;
mod checkpoint;
mod drawing;
mod ends;
mod export;
mod of_mesh;
mod place;
mod report;
mod telling;
mod trouble;
