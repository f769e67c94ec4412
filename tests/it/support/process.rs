//! What Linux says about processes in `/proc`.

use std::fs::{self, DirEntry};
use std::io;

/// The fields of `/proc/PID/stat` from the state of the process on.
pub fn stat(pid: i32) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let (_, rest) = text.rsplit_once(") ").expect("a name in parentheses");
    rest.split(' ').map(str::to_owned).collect()
}

/// How often the threads of a process whose names begin with a text have waited for something.
pub fn waits(pid: i32, name: &str) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the process is there");
    let waits = |thread: io::Result<DirEntry>| {
        // A thread may have ended by now.
        let text = fs::read_to_string(thread.ok()?.path().join("status")).ok()?;
        let field =
            |name| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(":\t"));
        let count = field("voluntary_ctxt_switches").expect("Linux counts them");
        field("Name")?.starts_with(name).then(|| count.parse::<u64>().expect("a number"))
    };
    threads.filter_map(waits).sum()
}

/// The processes of a group, each as its name and state, such as `(sh) S`.
pub fn members(group: i32) -> Vec<String> {
    let of = |process: io::Result<DirEntry>| {
        let text = fs::read_to_string(process.ok()?.path().join("stat")).ok()?;
        let (name, rest) = text.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        let (state, its) = (fields.next()?, fields.nth(1)?);
        let name = name.split_once(' ')?.1;
        (its == group.to_string()).then(|| format!("{name}) {state}"))
    };
    fs::read_dir("/proc").expect("Linux").filter_map(of).collect()
}
