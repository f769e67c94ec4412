//! Moves bodies: applies steering and pattern steps within the limits of the body and the map.

pub mod craft;
pub(crate) mod glide;
pub mod vehicle;
