//! Sweeps: many runs of a map over parameter values and seeds.

pub mod summary;
