//! Frames written for other programs, read back by readers that are not ours and held against the run's own tables.

mod caches;
mod ends;
mod formats;
mod place;
mod readers;
mod surfaces;
