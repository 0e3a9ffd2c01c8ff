//! Plans: orders, colourings, batches and their check.

mod check;
mod clusters;
mod colours;
mod models;
mod packing;
