//! Draws the solver's buffers.
