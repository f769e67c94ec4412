//! Files that the program writes, watches and configures itself with.

mod atomic_writes;
#[cfg(feature = "tui")]
mod configuration;
#[cfg(feature = "tui")]
mod old_files;
#[cfg(feature = "tui")]
mod watching;
