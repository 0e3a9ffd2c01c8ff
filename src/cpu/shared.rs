//! Memory that all threads of a team read and write: the one place of the engine with `unsafe`.
//!
//! Why there is any: within a colour each constraint writes its own particles, which lie anywhere in the list, so no cut of the list
//! gives each thread a part of its own. (Relaxed atomics would do without, number by number.)

use std::cell::UnsafeCell;

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
    /// Between two meetings of the team (`Member::meet`) an entry that one thread writes no other reads or writes. The engine keeps
    /// that thus: what belongs to a particle, a constraint's block or a body is worked on by one thread, that whose share of the
    /// list it is; and what the constraints of a batch write of particles, d, is different for any two of them, which
    /// `blocks::check` asks of a plan before a solver is made of it.
    pub unsafe fn new(list: &'a mut [T]) -> Self {
        let entries: *const [UnsafeCell<T>] = std::ptr::from_mut(list) as *const [UnsafeCell<T>];
        // SAFETY: `UnsafeCell<T>` has the memory layout of `T`, and the list is borrowed for as long as this lives.
        Self { entries: unsafe { &*entries } }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// # Panics
    /// If there is no such entry.
    #[inline(always)]
    pub fn read(&self, index: usize) -> T {
        // SAFETY: nobody writes it meanwhile, by the contract of `Shared::new`.
        unsafe { *self.entries[index].get() }
    }

    /// So many entries from one on, which nobody may write as long as they are borrowed.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline(always)]
    pub fn list(&self, first: usize, count: usize) -> &[T] {
        let entries: *const [UnsafeCell<T>] = &self.entries[first..first + count];
        // SAFETY: nobody writes them meanwhile, by the contract of `Shared::new`; the layouts are the same.
        unsafe { &*(entries as *const [T]) }
    }

    /// # Panics
    /// If there is no such entry.
    #[inline(always)]
    pub fn write(&self, index: usize, value: T) {
        // SAFETY: nobody else reads or writes it meanwhile, by the contract of `Shared::new`.
        unsafe { *self.entries[index].get() = value }
    }
}
