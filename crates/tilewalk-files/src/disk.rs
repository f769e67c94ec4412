//! Files on the disk and files that are compiled into the program: finding, reading and replacing
//! them as a whole.

pub mod output_file;
pub mod project;
pub(crate) mod save_note;
pub mod store;
