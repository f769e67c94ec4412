//! Limits of a scenario. They apply to files and to scenarios that are built in code.

/// Maximum absolute value of a coordinate, in tiles.
pub const MAX_COORDINATE: i32 = 1_000_000;

/// Maximum number of agents on a map. A template counts as its largest number of instances.
pub const MAX_AGENTS: u32 = 1_000_000;

/// Maximum number of modes of an agent.
pub const MAX_MODES: usize = 1000;

/// Maximum number of patterns of a mode.
pub const MAX_PATTERNS: usize = 1000;

/// Maximum number of behaviours in a steering list.
pub const MAX_ROWS: usize = 100;

/// Maximum number of frames per tile.
pub const MAX_PACE: u32 = 10_000;

/// Maximum number of spawn rules with a clock. The same limit applies separately to spawn rules
/// that react to signals.
pub const MAX_SPAWNS: usize = 1000;
