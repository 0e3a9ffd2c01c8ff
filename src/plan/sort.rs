//! The stable counting sort that the plan is made of: linear in the number of items, whatever their order.

use crate::base::parallel;

/// What `make` makes of items that come with keys below `keys`, sorted by these; equal keys keep their order. And where
/// those of each key begin, and the end. Each thread goes through all items and takes those of its keys.
pub(super) fn sort<I, T: Clone + Default + Send>(
    items: impl Iterator<Item = (u32, I)> + Clone + Sync,
    keys: usize,
    make: impl Fn(u32, I) -> T + Sync,
) -> (Vec<T>, Vec<u32>) {
    let mut offsets = vec![0u32; keys + 1];
    parallel::fill(&mut offsets[1..], parallel::LEAST, |first, counts| {
        for (key, _) in items.clone() {
            if let Some(count) = counts.get_mut((key as usize).wrapping_sub(first)) {
                *count += 1;
            }
        }
    });
    for key in 0..keys {
        offsets[key + 1] += offsets[key];
    }
    let mut sorted = vec![T::default(); offsets[keys] as usize];
    parallel::fill_rows(&mut sorted, &offsets, |keys, sorted| {
        let first = offsets[keys.start];
        let mut next = offsets[keys.clone()].to_vec();
        for (key, item) in items.clone() {
            if let Some(place) = next.get_mut((key as usize).wrapping_sub(keys.start)) {
                sorted[(*place - first) as usize] = make(key, item);
                *place += 1;
            }
        }
    });
    (sorted, offsets)
}

/// The items `0..count` sorted by a key below `keys`; equal keys keep their order. And where those of each key begin,
/// and the end.
pub(super) fn sorted(count: usize, keys: usize, key: impl Fn(u32) -> u32 + Sync) -> (Vec<u32>, Vec<u32>) {
    let key_of = parallel::list(count, 0, |item| key(item as u32));
    sort(key_of.iter().copied().zip(0..), keys, |_, item| item)
}

/// As [`sorted`] of items in another order.
pub(super) fn resorted(items: &[u32], keys: usize, key: impl Fn(u32) -> u32 + Sync) -> (Vec<u32>, Vec<u32>) {
    let key_of = parallel::list(items.len(), 0, |index| key(items[index]));
    sort(key_of.iter().copied().zip(items.iter().copied()), keys, |_, item| item)
}
