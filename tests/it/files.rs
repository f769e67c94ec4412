//! Files that the program writes, watches or reads its configuration from.

mod atomic_writes;
#[cfg(feature = "tui")]
mod configuration;
#[cfg(feature = "tui")]
mod old_files;
#[cfg(feature = "tui")]
mod watching;
