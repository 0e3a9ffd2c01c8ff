//! A file that grows at its end and is whole whenever somebody looks. Two copies take turns at its name: each is given
//! what has come since its own last turn, so that a turn costs what has come and not what is there.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use super::atomic::{AtomicFile, FileError};

/// A file of items between a beginning, which stays, and an end, which changes.
pub struct GrowingFile {
    /// That whose turn it is next comes first.
    copies: [Copy; 2],
}

struct Copy {
    file: AtomicFile,
    /// How many items it has, and where they end, in bytes.
    items: usize,
    end: u64,
}

/// What is in such a file.
pub trait Content {
    /// How many items there are.
    fn items(&self) -> usize;
    /// What stands before them, always the same.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_beginning(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Some of the items, always the same ones.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_items(&self, which: Range<usize>, out: &mut dyn Write) -> io::Result<()>;
    /// What stands behind them now.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_end(&self, out: &mut dyn Write) -> io::Result<()>;

    /// All of it.
    ///
    /// # Errors
    /// Those of `out`.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_beginning(out)?;
        self.write_items(0..self.items(), out)?;
        self.write_end(out)
    }
}

impl GrowingFile {
    /// Opens it: a place that cannot be written to shows now.
    ///
    /// # Errors
    /// As [`AtomicFile::create`].
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let copy = || Ok(Copy { file: AtomicFile::create(path)?, items: 0, end: 0 });
        Ok(Self { copies: [copy()?, copy()?] })
    }

    /// Shows what there is so far. What is no regular file shows it at the end.
    ///
    /// # Errors
    /// If it cannot be written; what was shown before is then still there.
    pub fn show(&mut self, content: &impl Content) -> Result<(), FileError> {
        let [next, _] = &mut self.copies;
        if next.file.is_swapped() {
            next.bring(content).and_then(|()| next.file.show()).map_err(|source| next.file.error(source))?;
            self.copies.swap(0, 1);
        }
        Ok(())
    }

    /// Completes it.
    ///
    /// # Errors
    /// As [`GrowingFile::show`].
    pub fn finish(self, content: &impl Content) -> Result<(), FileError> {
        let [mut last, _] = self.copies;
        if !last.file.is_swapped() {
            return last.file.fill(|out| content.write(out));
        }
        last.bring(content).map_err(|source| last.file.error(source))?;
        last.file.commit()
    }
}

impl Copy {
    /// Brings it to what there is now.
    fn bring(&mut self, content: &impl Content) -> io::Result<()> {
        let file = self.file.file()?;
        file.seek(SeekFrom::Start(self.end))?;
        let mut out = BufWriter::new(&mut *file);
        if self.end == 0 {
            content.write_beginning(&mut out)?;
        }
        content.write_items(self.items..content.items(), &mut out)?;
        (self.items, self.end) = (content.items(), out.stream_position()?);
        content.write_end(&mut out)?;
        let length = out.stream_position()?;
        drop(out);
        file.set_len(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    struct Numbers(usize, &'static str);

    impl Content for Numbers {
        fn items(&self) -> usize {
            self.0
        }
        fn write_beginning(&self, out: &mut dyn Write) -> io::Result<()> {
            out.write_all(b"numbers:")
        }
        fn write_items(&self, which: Range<usize>, out: &mut dyn Write) -> io::Result<()> {
            which.into_iter().try_for_each(|number| write!(out, " {number}"))
        }
        fn write_end(&self, out: &mut dyn Write) -> io::Result<()> {
            out.write_all(self.1.as_bytes())
        }
    }

    /// Whenever it is looked at it has all items and the end of its last turn, also where that is shorter; and at the
    /// end nothing else is left.
    #[test]
    fn it_is_whole_at_every_turn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.txt");
        fs::write(&path, "of an earlier run").unwrap();
        let mut file = GrowingFile::create(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "of an earlier run");
        for (items, end) in [(1, ", and so on and on"), (2, "."), (2, "!"), (5, ""), (6, " so far")] {
            file.show(&Numbers(items, end)).unwrap();
            let mut expected = Vec::new();
            Numbers(items, end).write(&mut expected).unwrap();
            assert_eq!(fs::read(&path).unwrap(), expected);
        }
        // Whoever takes it away or changes it does no harm.
        fs::write(&path, "scribbled over").unwrap();
        file.show(&Numbers(7, " still")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "numbers: 0 1 2 3 4 5 6 still");
        fs::remove_file(&path).unwrap();
        file.finish(&Numbers(8, ".\n")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "numbers: 0 1 2 3 4 5 6 7.\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// What a turn writes does not grow with what is there.
    #[test]
    fn a_turn_costs_what_has_come() {
        struct Counted<'a>(usize, &'a std::cell::Cell<usize>);
        impl Content for Counted<'_> {
            fn items(&self) -> usize {
                self.0
            }
            fn write_beginning(&self, _: &mut dyn Write) -> io::Result<()> {
                Ok(())
            }
            fn write_items(&self, which: Range<usize>, _: &mut dyn Write) -> io::Result<()> {
                self.1.set(self.1.get() + which.len());
                Ok(())
            }
            fn write_end(&self, _: &mut dyn Write) -> io::Result<()> {
                Ok(())
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let mut file = GrowingFile::create(&folder.path().join("counted.txt")).unwrap();
        let written = std::cell::Cell::new(0);
        (1..=500).for_each(|items| file.show(&Counted(items, &written)).unwrap());
        file.finish(&Counted(500, &written)).unwrap();
        // Each of two copies has each item once.
        assert_eq!(written.get(), 2 * 500);
    }
}
