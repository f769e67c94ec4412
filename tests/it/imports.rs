//! The command `import`: text maps, Tiled, LDtk, Sokoban and MovingAI files.

pub mod basics;
mod games;
mod independent_readers;
#[cfg(feature = "tiled")]
mod layer_remarks;
mod levels;
#[cfg(feature = "tiled")]
mod looks;
mod malicious_levels;
#[cfg(feature = "tiled")]
mod malicious_tmx;
mod movingai_queries;
mod text;
#[cfg(feature = "tiled")]
mod tile_effects;
#[cfg(feature = "tiled")]
mod tiled_rules;
#[cfg(feature = "tiled")]
mod tmx;
mod update;
mod update_kinds;
