//! The limit of the size of files (`ulimit -f`).

use std::io;
use std::sync::Arc;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;

/// Makes a write beyond the limit an error, which the writer reports. By default, the signal SIGXFSZ
/// ends the process.
///
/// # Errors
/// Returns an error if the system refuses the signal handler.
pub fn report_file_size_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}
