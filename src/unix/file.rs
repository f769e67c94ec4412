//! Identities, locks and the size limit of files.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;

/// Returns the device and inode number of a file. Two paths to the same file have equal identities.
pub fn identity(metadata: &Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// Returns the id and the name of the process that has locked a file. Returns `None` without a
/// lock, and on systems without `/proc/locks`.
pub fn lock_holder(file: &Metadata) -> Option<(u32, String)> {
    let inode = file.ino();
    let locks = fs::read_to_string("/proc/locks").ok()?;
    // A line such as `3: FLOCK  ADVISORY  WRITE 1234 00:1d:5678 0 EOF`. Layered file systems list
    // another device than the file has, so only the inode is compared.
    let holder = |line: &str| {
        let mut words = line.split_whitespace().skip(4);
        let process: u32 = words.next()?.parse().ok()?;
        let found: u64 = words.next()?.rsplit(':').next()?.parse().ok()?;
        (found == inode).then_some(process)
    };
    let process = locks.lines().find_map(holder)?;
    let name = fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
    Some((process, name.trim_end().to_owned()))
}

/// Makes a write beyond the limit of the size of files (`ulimit -f`) an error, which the writer
/// reports. By default, the signal SIGXFSZ ends the process.
///
/// # Errors
/// Returns an error if the system refuses the signal handler.
pub fn report_file_size_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default()).map(drop)
}
