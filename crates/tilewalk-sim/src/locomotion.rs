//! Moves bodies within their physical limits and the limits of the map.

pub(crate) mod contacts;
pub mod craft;
pub mod vehicle;
