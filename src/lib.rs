//! tilewalk: a lab for designing and debugging how agents move on tile maps.
pub mod geom;
pub mod id;
pub mod rng;
pub mod time;

pub mod color;
pub mod grid;
pub mod tile;

pub mod body;
pub mod map;

pub mod locomotion;
pub mod pattern;
pub mod steering;

pub mod agent;
pub mod files;
pub mod scenario;
