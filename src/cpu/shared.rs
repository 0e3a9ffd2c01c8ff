//! Memory that all threads of a team read and write.
//!
//! Why there is any: within a colour each constraint writes its own particles, which lie anywhere in the list, so no
//! cut of the list gives each thread a part of its own. (Relaxed atomics would do without, number by number.)

use std::cell::UnsafeCell;
use std::ops::Range;

/// A list that several threads hold at once.
pub struct Shared<'a, T> {
    entries: &'a [UnsafeCell<T>],
}

impl<T> Clone for Shared<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<'_, T> {}

// SAFETY: by the contract of `Shared::new` no entry is written by one thread while another reads or writes it.
unsafe impl<T: Send> Sync for Shared<'_, T> {}
// SAFETY: as above; and it holds no more than a reference.
unsafe impl<T: Send> Send for Shared<'_, T> {}

impl<'a, T: Copy> Shared<'a, T> {
    /// Shares a list.
    ///
    /// # Safety
    /// Between two meetings of the team (`Member::meet`) an entry that one thread writes no other reads or writes. The
    /// engine keeps that thus: what belongs to a particle, a constraint's block or a body is worked on by one thread,
    /// that whose share of the list it is; and what constraints write of particles, d, is different for those of
    /// different threads: they have parts of the particles each (`schedule.rs`), or shares of a batch, any two of whose
    /// constraints write different ones, which `check::plan` asks of a plan before a solver is made of it.
    pub unsafe fn new(list: &'a mut [T]) -> Self {
        let entries: *const [UnsafeCell<T>] = std::ptr::from_mut(list) as *const [UnsafeCell<T>];
        // SAFETY: `UnsafeCell<T>` has the memory layout of `T`, and the list is borrowed for as long as this lives.
        Self { entries: unsafe { &*entries } }
    }

    /// Entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// # Panics
    /// If there is no such entry.
    #[inline(always)]
    pub fn read(&self, index: usize) -> T {
        // SAFETY: no thread writes it meanwhile, by the contract of `Shared::new`.
        unsafe { *self.entries[index].get() }
    }

    /// The first entry, for accesses that are not checked: what is read and written through it is bound by the contract
    /// of [`Shared::new`], too.
    #[inline(always)]
    pub fn pointer(&self) -> *mut T {
        UnsafeCell::raw_get(self.entries.as_ptr())
    }

    /// # Panics
    /// If there is no such entry.
    #[inline(always)]
    pub fn write(&self, index: usize, value: T) {
        // SAFETY: no other thread reads or writes it meanwhile, by the contract of `Shared::new`.
        unsafe { *self.entries[index].get() = value }
    }

    /// Entries, until the next meeting.
    ///
    /// # Panics
    /// If there are no such entries.
    #[inline(always)]
    pub fn look_at(&self, range: Range<usize>) -> &[T] {
        let entries: *const [UnsafeCell<T>] = &self.entries[range];
        // SAFETY: no thread writes them meanwhile, by the contract of `Shared::new`; `UnsafeCell<T>` has the memory
        // layout of `T`.
        unsafe { &*(entries as *const [T]) }
    }

    /// An entry, until the next meeting.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline(always)]
    pub fn look(&self, index: usize) -> &T {
        // SAFETY: no thread writes it meanwhile, by the contract of `Shared::new`.
        unsafe { &*self.entries[index].get() }
    }
}
