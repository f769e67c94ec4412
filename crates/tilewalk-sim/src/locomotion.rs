//! Moves bodies within their physical limits and the limits of the map.

pub mod craft;
pub(crate) mod free_body;
pub mod vehicle;
