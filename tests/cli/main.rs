//! The command `pliant` as people and scripts meet it: exit codes, messages, files.

mod bench;
mod ends;
mod place;
mod report;
mod telling;
mod trouble;
