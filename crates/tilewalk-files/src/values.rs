//! Values of a map that settings can change: their paths, ranges and use.

mod path;
mod tunable;
pub mod usage;

pub(crate) use path::map_keys;
pub use path::{EntryId, InnerTable, NoPath, TablePath, ValuePath};
pub use tunable::TunableValue;
