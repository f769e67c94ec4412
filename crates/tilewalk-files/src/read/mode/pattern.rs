//! Reads `pattern`: a name or a list of names.

use std::ops::Range;

use toml::de::DeValue;

use crate::keys::agent::MAX_PATTERNS;
use crate::read::library::{Library, Shared};
use crate::text::reader::Entry;
use tilewalk_sim::agent::{Choose, Drive, Placed};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::pattern::{Pattern, Placement};

/// Reads one or several patterns, with the keys `choose`, `offset` and `pace` of the mode. Returns
/// the drive and the spans of the pattern names.
pub fn read(
    entry: &Entry,
    [choose, offset, pace]: [Option<&Entry>; 3],
    library: &mut Library,
) -> (Option<Drive>, Vec<Range<usize>>) {
    let several = matches!(entry.get(), DeValue::Array(_));
    if let Some(choose) = choose.filter(|_| !several) {
        let help = "write `pattern = [\"a\", \"b\"]`";
        choose.error_with_help("`choose` needs a `pattern` list", help);
    }
    let tile = offset.and_then(Entry::tile);
    let entries: Vec<Entry> =
        if several { entry.array().into_iter().flatten().collect() } else { vec![entry.clone()] };
    if entries.is_empty() || entries.len() > MAX_PATTERNS {
        let count = entries.len();
        entry.error(format!(
            "a mode must have between 1 and {MAX_PATTERNS} patterns, but has {count}"
        ));
        return (None, Vec::new());
    }
    let spans = entries.iter().map(Entry::span).collect();
    let choose = choose.and_then(|choose| choose.word(&Choose::WORDS)).unwrap_or_default();
    let read: Vec<_> = entries.iter().map(|entry| library.pattern(entry)).collect();
    let Some(read) = read.into_iter().collect::<Option<Vec<_>>>() else { return (None, spans) };
    if let Some(offset) = offset
        && let Some(why) = no_offset(&read)
    {
        offset.error_at_key(why, "");
    }
    let is_thrust = |shared: &Shared| matches!(shared.pattern.as_ref(), Pattern::Thrust(_));
    if let Some(pace) = pace.filter(|_| read.iter().all(|(_, shared)| is_thrust(shared))) {
        let why = "`pace` can't be used with a thrust pattern: thrust sets the speed";
        pace.error_at_key(why, "");
    }
    let placed = read.into_iter().map(|(name, shared)| {
        let placement = placement(&shared, tile);
        Placed { name, pattern: shared.pattern, placement }
    });
    let drive = if several {
        Some(Drive::Patterns { list: placed.collect(), choose })
    } else {
        placed.last().map(Drive::Pattern)
    };
    (drive, spans)
}

/// Returns the reason why `offset` has no effect on the patterns. Returns `None` if `offset` has an
/// effect on at least one pattern.
fn no_offset(patterns: &[(String, Shared)]) -> Option<&'static str> {
    let why = |shared: &Shared| match shared.pattern.as_ref() {
        Pattern::Steps(_) => {
            Some("`offset` can't be used with a steps pattern: steps start at the body")
        }
        Pattern::Thrust(_) => {
            Some("`offset` can't be used with a thrust pattern: legs start at the body")
        }
        Pattern::Path(_) | Pattern::Matrix(_) => {
            shared.absolute.then_some("`offset` can't be used with an `absolute` pattern")
        }
    };
    let whys: Option<Vec<_>> = patterns.iter().map(|(_, shared)| why(shared)).collect();
    whys?.last().copied()
}

fn placement(shared: &Shared, offset: Option<TilePos>) -> Placement {
    match offset {
        _ if shared.absolute => Placement::At(TilePos::default()),
        Some(tile) => Placement::At(tile),
        None => Placement::Home,
    }
}
