//! Rung 3: what bodies do with what steering and patterns want.

pub mod craft;
pub mod glide;
pub mod vehicle;
