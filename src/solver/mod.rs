//! GPU buffers and pipelines.
