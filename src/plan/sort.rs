//! The stable counting sort that the plan is made of: linear in the number of items, whatever their order.

/// The items `0..count` sorted by a key below `keys`; equal keys keep their order.
pub(super) fn sorted(count: usize, keys: usize, key: impl Fn(u32) -> u32) -> Vec<u32> {
    sort(0..count as u32, keys, key)
}

/// The given items sorted by a key below `keys`; equal keys keep their order.
pub(super) fn sort(
    items: impl ExactSizeIterator<Item = u32> + Clone,
    keys: usize,
    key: impl Fn(u32) -> u32,
) -> Vec<u32> {
    let mut next = vec![0u32; keys];
    for item in items.clone() {
        next[key(item) as usize] += 1;
    }
    let mut sum = 0;
    for count in &mut next {
        sum += std::mem::replace(count, sum);
    }
    let mut sorted = vec![0; items.len()];
    for item in items {
        let place = &mut next[key(item) as usize];
        sorted[*place as usize] = item;
        *place += 1;
    }
    sorted
}
