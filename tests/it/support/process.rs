//! Reads facts about processes from Linux's `/proc`.

use std::fs::{self, DirEntry};
use std::io;

/// Returns the fields of `/proc/PID/stat`, starting with the state of the process.
pub fn stat(pid: i32) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).expect("process exists");
    let (_, rest) = text.rsplit_once(") ").expect("name is in parentheses");
    rest.split(' ').map(str::to_owned).collect()
}

/// Returns how often the threads of a process have blocked. Only threads whose names start with `name` count.
pub fn waits(pid: i32, name: &str) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("process exists");
    let waits = |thread: io::Result<DirEntry>| {
        // A thread may have ended by now.
        let text = fs::read_to_string(thread.ok()?.path().join("status")).ok()?;
        let field =
            |name| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(":\t"));
        let count = field("voluntary_ctxt_switches").expect("status has the field");
        field("Name")?.starts_with(name).then(|| count.parse::<u64>().expect("field is a number"))
    };
    threads.filter_map(waits).sum()
}

/// Returns the name and state of each process of a group, such as `(sh) S`.
pub fn members(group: i32) -> Vec<String> {
    let describe = |process: io::Result<DirEntry>| {
        let text = fs::read_to_string(process.ok()?.path().join("stat")).ok()?;
        let (name, rest) = text.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        let (state, its_group) = (fields.next()?, fields.nth(1)?);
        let name = name.split_once(' ')?.1;
        (its_group == group.to_string()).then(|| format!("{name}) {state}"))
    };
    fs::read_dir("/proc").expect("/proc is readable").filter_map(describe).collect()
}
