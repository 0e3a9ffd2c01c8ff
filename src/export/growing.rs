//! A file that grows at its end and is complete whenever it is read. Two copies take turns at its name. Each turn
//! appends the items that came since the copy's last turn, so that its cost does not grow with the file.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use super::atomic::{AtomicFile, FileError};

/// A file of items between a fixed beginning and an end that changes.
pub struct GrowingFile {
    /// The first one is next.
    copies: [Copy; 2],
}

struct Copy {
    file: AtomicFile,
    /// How many items it holds, and where they end, bytes.
    items: usize,
    end: u64,
    /// How long it was left, bytes.
    length: u64,
}

/// The content of such a file.
pub trait Content {
    /// How many items there are.
    fn items(&self) -> usize;
    /// Writes what precedes the items, always the same.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_beginning(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Writes some of the items; each item is always the same.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_items(&self, which: Range<usize>, out: &mut dyn Write) -> io::Result<()>;
    /// Writes what follows the items now.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_end(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes all of it.
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
    /// Opens the file: a place that cannot be written to shows now.
    ///
    /// # Errors
    /// As [`AtomicFile::create`].
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let copy = || Ok(Copy { file: AtomicFile::create(path)?, items: 0, end: 0, length: 0 });
        Ok(Self { copies: [copy()?, copy()?] })
    }

    /// Shows the content so far. A file that is not regular, as a pipe, is written at the end only.
    ///
    /// # Errors
    /// If it cannot be written; the content shown before then stays.
    pub fn show(&mut self, content: &impl Content) -> Result<(), FileError> {
        let [next, _] = &mut self.copies;
        if next.file.is_swapped() {
            next.bring(content).and_then(|()| next.file.show()).map_err(|source| next.file.error(source))?;
            self.copies.swap(0, 1);
        }
        Ok(())
    }

    /// Completes the file.
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
    /// Brings the copy up to date. A copy that another program has cut or extended while it was shown is written anew.
    fn bring(&mut self, content: &impl Content) -> io::Result<()> {
        let file = self.file.file()?;
        if file.metadata()?.len() != self.length {
            (self.items, self.end) = (0, 0);
        }
        file.seek(SeekFrom::Start(self.end))?;
        let mut out = BufWriter::new(&mut *file);
        if self.end == 0 {
            content.write_beginning(&mut out)?;
        }
        content.write_items(self.items..content.items(), &mut out)?;
        (self.items, self.end) = (content.items(), out.stream_position()?);
        content.write_end(&mut out)?;
        self.length = out.stream_position()?;
        drop(out);
        file.set_len(self.length)
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

    /// After each turn the file has all items and the present end, also a shorter one; at the end no other file is
    /// left.
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
        // Others may remove or change it.
        fs::write(&path, "scribbled over").unwrap();
        file.show(&Numbers(7, " still")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "numbers: 0 1 2 3 4 5 6 still");
        fs::remove_file(&path).unwrap();
        file.finish(&Numbers(8, ".\n")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "numbers: 0 1 2 3 4 5 6 7.\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// A turn writes only new items.
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
        // Each copy has each item once.
        assert_eq!(written.get(), 2 * 500);
    }
}
