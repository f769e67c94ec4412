//! The keys of all files. Readers, schemas, value lists and documents derive from them.
//! `keys/table.rs` describes the tables.

pub(crate) mod agent;
pub(crate) mod expect;
pub(crate) mod map;
pub mod old_names;
pub(crate) mod pattern;
pub mod schema;
pub(crate) mod steer;
pub(crate) mod sweep;
pub(crate) mod table;
pub(crate) mod words;
