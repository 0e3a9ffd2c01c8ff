//! Triangle meshes: generated, read, repaired.
