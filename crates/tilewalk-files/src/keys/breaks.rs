//! Keys of breakpoint files.

use std::sync::LazyLock;

use crate::keys::map::version;
use crate::keys::table::{DefaultValue, Key, Table, ValueKind};

/// Maximum number of breakpoints in a file. The same limit applies to bookmarks.
pub const MOST: usize = 1000;

#[rustfmt::skip]
pub static FILE: LazyLock<Table> = LazyLock::new(|| Table::new("a breakpoint file", "", vec![
    version(),
    Key::new("break", ValueKind::Array("break", 0..=MOST as u64), "Breakpoints with `when`, and watchpoints with `watch`")
        .header("[[break]]").shown_kind("up to 1000 tables"),
    Key::new("marker", ValueKind::Array("marker", 0..=MOST as u64), "Bookmarks")
        .header("[[marker]]").shown_kind("up to 1000 tables"),
]));

/// Keys of a breakpoint or watchpoint.
#[rustfmt::skip]
pub static BREAK: LazyLock<Table> = LazyLock::new(|| Table::new("a breakpoint", "", vec![
    Key::new("when", ValueKind::Condition, "Condition of a breakpoint").default(DefaultValue::Alternative)
        .details("Every field must name its agent: see [Conditions](conditions.md)"),
    Key::new("watch", ValueKind::Text, "Value of a watchpoint: a field such as `guard.mode`, or a call such as `distance(guard, thief)`")
        .default(DefaultValue::Alternative),
    Key::new("enabled", ValueKind::Flag, "Whether the breakpoint or watchpoint is enabled")
        .default(DefaultValue::Flag(true)),
]));

#[rustfmt::skip]
pub static MARKER: LazyLock<Table> = LazyLock::new(|| Table::new("a bookmark", "", vec![
    Key::new("frame", ValueKind::Integer(0..=1 << 53), "Frame of the bookmark, in every run")
        .shown_kind("integer, 0–2⁵³").required(),
    Key::new("name", ValueKind::Line, "Name of the bookmark; the screen uses the first 40 characters").required(),
]));
