//! Random bytes after the beginning of each format: a result or an error, never a panic.

use pliant::mesh;
use proptest::prelude::*;

proptest! {
    // Failures are printed, not kept in files.
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

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
