//! Texts of files: their source, values and problems, independent of what the files describe.

pub mod diagnostic;
pub(crate) mod memory_limit;
pub(crate) mod name;
pub(crate) mod quotes;
pub(crate) mod reader;
pub mod report;
pub mod source;
pub(crate) mod span_tree;
