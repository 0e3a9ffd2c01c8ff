//! Broken files of every format: a result or an error, never a panic, and what is read is clean.

use super::{assert_clean, write};
use pliant::mesh::generate::{Cuboid, Diagonals, Grid};
use pliant::mesh::{self, TriangleMesh};
use proptest::prelude::*;

fn meshes() -> [TriangleMesh; 2] {
    let grid = Grid { columns: 3, rows: 3, width: 2.0, height: 2.0 };
    [grid.mesh(Diagonals::default()), Cuboid { cells: [1; 3], size: [1.0; 3] }.mesh()]
}

/// A place, a byte, and what is done with them.
pub type Edit = (prop::sample::Index, u8, Change);

#[derive(Clone, Copy, Debug)]
pub enum Change {
    Replace,
    Flip,
    Insert,
    Remove,
    Truncate,
    Repeat,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => Just(Change::Replace),
        4 => Just(Change::Flip),
        3 => Just(Change::Insert),
        3 => Just(Change::Remove),
        1 => Just(Change::Truncate),
        1 => Just(Change::Repeat),
    ]
}

/// A few edits.
pub fn edits() -> impl Strategy<Value = Vec<Edit>> {
    proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), change()), 1..8)
}

pub fn edited(mut content: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    for &(place, byte, change) in edits {
        let place = place.index(content.len().max(1));
        // Half of them mean something in text.
        let byte = if byte < 128 { b"0123456789.-+e/ \n\r,:[]{}\"v"[byte as usize % 26] } else { byte };
        match change {
            Change::Replace if place < content.len() => content[place] = byte,
            Change::Flip if place < content.len() => content[place] ^= 1 << (byte % 8),
            Change::Insert => content.insert(place, byte),
            Change::Remove if place < content.len() => _ = content.remove(place),
            Change::Truncate => content.truncate(place),
            Change::Repeat => content.extend_from_within(place.min(content.len())..),
            _ => {}
        }
    }
    content
}

proptest! {
    // Failures are printed, not kept in files.
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Sound files of every format with bytes changed, put in, left out, repeated, or cut off.
    #[test]
    fn mutated_files_never_panic(which in 0usize..2, changes in edits()) {
        for (name, content) in write::all(&meshes()[which]) {
            if let Ok(loaded) = mesh::parse(name, edited(content, &changes)) {
                assert_clean(&loaded.mesh);
            }
        }
    }

    /// A number of a header or a document in place of another: the counts, sizes, offsets and indices that a reader trusts.
    #[test]
    fn changed_numbers_never_panic(
        place in any::<prop::sample::Index>(),
        number in prop_oneof![
            Just("0"), Just("1"), Just("-1"), Just("4294967295"), Just("4294967296"), Just("9223372036854775807"),
            Just("18446744073709551615"), Just("1e999"), Just("99999999999999999999"), Just("0.5"), Just("null"), Just("[]"),
        ],
    ) {
        for (name, content) in write::all(&meshes()[1]) {
            let digits = |at: &usize| content[*at].is_ascii_digit() && (*at == 0 || !content[*at - 1].is_ascii_digit());
            let numbers: Vec<usize> = (0..content.len()).filter(digits).collect();
            let Some(&begin) = numbers.get(place.index(numbers.len().max(1))) else { continue };
            let length = content[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let changed = [&content[..begin], number.as_bytes(), &content[begin + length..]].concat();
            if let Ok(loaded) = mesh::parse(name, changed) {
                assert_clean(&loaded.mesh);
            }
        }
    }

    /// Random bytes after the beginning of each format.
    #[test]
    fn random_bytes_never_panic(bytes: Vec<u8>) {
        let beginnings: [(&str, &[u8]); 6] = [
            ("a.ply", b"ply\n"),
            ("a.ply", b"ply\nformat binary_big_endian 1.0\nelement vertex 9\nproperty double x\nend_header\n"),
            ("a.stl", b""),
            ("a.stl", b"solid "),
            ("a.gltf", b"{"),
            ("a.glb", b"glTF\x02\0\0\0"),
        ];
        for (name, beginning) in beginnings {
            _ = mesh::parse(name, [beginning, &bytes].concat());
        }
    }
}
