//! The command `import`: text maps, Tiled, LDtk, Sokoban and MovingAI files.

mod basics;
#[cfg(feature = "tiled")]
mod hostile;
mod hostile_levels;
mod levels;
mod movingai_queries;
mod readings;
mod text;
#[cfg(feature = "tiled")]
mod tiled_rules;
#[cfg(feature = "tiled")]
mod tmx;
mod update;
