//! Changes of bytes, as damage, careless editing and malice make them.

use crate::random::Random;

/// Bytes that mean something in text.
const LETTERS: &[u8] = b"0123456789.-+e/ \n\r,:[]{}\"=#_vfinaN";
/// In place of a number.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "1e999",
    "nan",
    "-inf",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999",
];

impl Random {
    pub fn below(&mut self, count: usize) -> usize {
        (self.number(0.0, count as f64) as usize).min(count.saturating_sub(1))
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// One to eight changes.
pub fn altered(content: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = content.to_vec();
    for _ in 0..1 + random.below(8) {
        alter(&mut bytes, random);
    }
    bytes
}

fn alter(bytes: &mut Vec<u8>, random: &mut Random) {
    let place = random.below(bytes.len());
    let byte = if random.below(2) == 0 { random.of(LETTERS) } else { random.below(256) as u8 };
    match random.below(20) {
        _ if bytes.is_empty() => bytes.push(byte),
        0..=4 => bytes[place] = byte,
        5..=7 => bytes[place] ^= 1 << random.below(8),
        8..=9 => bytes.insert(place, byte),
        10..=11 => _ = bytes.remove(place),
        12..=14 => another_number(bytes, place, random),
        15..=16 => another_word(bytes, place, random),
        17 => {
            // A part comes twice, or elsewhere.
            let end = (place + 1 + random.below(40)).min(bytes.len());
            let part = bytes[place..end].to_vec();
            let at = random.below(bytes.len());
            bytes.splice(at..at, part);
        }
        18 => {
            let end = (place + 1 + random.below(40)).min(bytes.len());
            bytes.drain(place..end);
        }
        _ => bytes.truncate(place),
    }
}

/// The next number in digits becomes another: counts, sizes, offsets and indices that a reader trusts.
fn another_number(bytes: &mut Vec<u8>, place: usize, random: &mut Random) {
    let Some(begin) = (place..bytes.len()).find(|&at| bytes[at].is_ascii_digit()) else { return };
    let length = bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = random.of(&NUMBERS);
    bytes.splice(begin..begin + length, number.bytes());
}

/// Four or eight bytes become a number at the end of what they hold.
fn another_word(bytes: &mut [u8], place: usize, random: &mut Random) {
    let value = random.of(&[0, 1, 0x7f, 0xff, 0xffff, i32::MAX as u64, u64::from(u32::MAX), i64::MAX as u64, u64::MAX]);
    let width = random.of(&[4, 8]);
    let mut word = value.to_le_bytes()[..width].to_vec();
    if random.below(2) == 0 {
        word.reverse();
    }
    bytes[place..].iter_mut().zip(word).for_each(|(byte, with)| *byte = with);
}
