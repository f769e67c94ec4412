//! Reads modes, from `[[agent.mode]]` or from the agent itself, with their patterns.

use std::ops::Range;

use toml::de::DeValue;

use crate::keys::agent::{DRIVES, MAX_MODES, MAX_PATTERNS, MODE, drive};
use crate::read::pattern_file::{Library, Shared};
use crate::read::rule;
use crate::read::steer::{self, SteerContext};
use crate::show;
use crate::text::diagnostic::Diagnostic;
use crate::text::name;
use crate::text::reader::{Entry, TableReader};
use crate::values::TablePath;
use tilewalk_sim::agent::{Choose, Drive, Mode, Placed};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::pattern::{Pattern, Placement};
use tilewalk_sim::steering::Target;
use tilewalk_sim::steering::combine::Combine;

/// Function that creates a drive with a target.
type MakeDrive = fn(Target) -> Drive;

/// Keys of drives that move on tiles relative to a target. Each key has the function that creates
/// its drive.
const TARGET_DRIVES: [(&str, MakeDrive); 3] = [
    ("chase", |target| Drive::Chase { target }),
    ("flee_tiles", |target| Drive::FleeTiles { target }),
    ("travel", |target| Drive::Travel { target }),
];

/// Byte ranges of the parts of a mode in the map file. Checks that run after all agents are read
/// use these ranges.
#[derive(Debug, Default)]
pub struct ModeSpans {
    /// Span of the name; `None` if the mode has no valid name.
    pub name: Option<Range<usize>>,
    /// Spans of the pattern names.
    pub patterns: Vec<Range<usize>>,
    /// Spans of the weights of the behaviours.
    pub weights: Vec<Range<usize>>,
    /// Spans of the transition conditions.
    pub rules: Vec<Range<usize>>,
    /// Span of the condition that removes the agent.
    pub remove: Option<Range<usize>>,
}

/// Reads the modes of an agent. Returns at least one mode if the agent has no errors.
pub fn read(agent: &mut TableReader, context: &mut SteerContext) -> Vec<(Mode, ModeSpans)> {
    let Some(list) = agent.take("mode") else {
        if let Some(rules) = agent.take_misplaced("switch") {
            let help = "write the modes as [[agent.mode]] tables, each with a `name`";
            let message = "`switch` needs more than one mode";
            rules.error_at_key(message, help);
        }
        return vec![read_drive(None, agent, context)];
    };
    for key in drive().iter().map(|key| key.name) {
        let Some(entry) = agent.take(key) else { continue };
        let message =
            format!("`{key}` must be set in a mode: this agent has [[agent.mode]] tables");
        let help = format!("move `{key}` into an [[agent.mode]] table");
        entry.error_at_key(message, &help);
    }
    let mut tables = list.tables(&MODE);
    if tables.is_empty() || tables.len() > MAX_MODES {
        let count = tables.len();
        list.error(format!("an agent must have between 1 and {MAX_MODES} modes, but has {count}"));
        tables.truncate(MAX_MODES);
    }
    // Transitions can name modes further down.
    let mut names: Vec<Option<&str>> = Vec::with_capacity(tables.len());
    let mut spans = Vec::with_capacity(tables.len());
    for table in &tables {
        let entry = table.require("name");
        let word = entry.as_ref().and_then(|entry| read_name(entry, &names));
        spans.push(entry.filter(|_| word.is_some()).map(|entry| entry.span()));
        names.push(word);
    }
    let read = |(index, mut table): (usize, TableReader)| {
        let rules = table.take("switch");
        let remove = table.take("remove");
        let signals = ["on_enter", "on_leave"].map(|key| table.take(key));
        let mode = names[index].map(ToOwned::to_owned);
        if mode.is_some() {
            table = table.at(agent.path().map(|path| TablePath { mode, ..path.clone() }));
        }
        let (mut mode, mut parts) = read_drive(names[index], &table, context);
        parts.name.clone_from(&spans[index]);
        let rules = rules.map(|rules| rule::read(&rules, &names, context.targets));
        (mode.rules, parts.rules) = rules.into_iter().flatten().unzip();
        (mode.remove, parts.remove) =
            remove.and_then(|remove| rule::removal(&remove, context.targets)).unzip();
        [mode.on_enter, mode.on_leave] = signals.map(|it| Some(it?.line()?.to_owned()));
        table.finish();
        (mode, parts)
    };
    tables.into_iter().enumerate().map(read).collect()
}

fn read_name<'a>(entry: &Entry<'a>, before: &[Option<&str>]) -> Option<&'a str> {
    let word = entry.string()?;
    if !name::check_word(word, entry.span(), entry.issues) {
        return None;
    }
    if before.contains(&Some(word)) {
        entry.error(format!("duplicate mode `{word}`"));
        return None;
    }
    Some(word)
}

/// Reads the drive of a mode. A mode without a name is named after its drive.
fn read_drive(
    name: Option<&str>,
    table: &TableReader,
    context: &mut SteerContext,
) -> (Mode, ModeSpans) {
    let chosen: Vec<&str> = DRIVES.into_iter().filter(|key| table.has(key)).collect();
    let steer = table.take("steer");
    let combine = table.take("combine");
    let pattern = table.take("pattern");
    let [choose, resume, offset] = ["choose", "resume", "offset"].map(|key| table.take(key));
    let targeted = TARGET_DRIVES.map(|(key, drive)| table.take(key).map(|entry| (entry, drive)));
    let keys = table.take("keys");
    let pace = table.take("pace");
    if chosen.len() > 1 {
        let targeted = targeted.iter().flatten().map(|(entry, _)| entry).next();
        let span = steer
            .as_ref()
            .or(pattern.as_ref())
            .or(targeted)
            .or(keys.as_ref())
            .map_or(table.span(), |entry| entry.key_span.clone());
        let message =
            format!("conflicting keys in one mode: {}", show::list(chosen.iter().copied()));
        let help = "keep one of these keys, or use a separate mode for each key";
        table.issues.push(Diagnostic::error(span, message).help(help));
    }
    refuse_unless(chosen.contains(&"steer"), combine.as_ref(), "`combine` needs `steer`");
    refuse_unless(chosen.contains(&"pattern"), offset.as_ref(), "`offset` needs a `pattern`");
    let paced = chosen.iter().any(|&key| key != "steer");
    let why = "`pace` needs `pattern`, `chase`, `flee_tiles`, `travel` or `keys`";
    refuse_unless(paced, pace.as_ref(), why);
    let keys = keys.filter(is_true).map(|_| Drive::Keys { on_tiles: pace.is_some() });
    let patterned = chosen.contains(&"pattern");
    refuse_unless(patterned, choose.as_ref(), "`choose` needs a `pattern` list");
    refuse_unless(patterned, resume.as_ref(), "`resume` needs a `pattern`");
    let own = [choose.as_ref(), offset.as_ref(), pace.as_ref()];
    let read = |entry: &Entry| read_pattern(entry, own, context.library);
    let (pattern, patterns) = pattern.as_ref().map(read).unwrap_or_default();
    // A pace would turn a vehicle under manual control into a walker.
    let is_free = keys.is_some() && pace.is_none();
    if paced && !is_free && !pattern.as_ref().is_some_and(is_thrust) {
        table.record_tunable("pace");
    }
    let pace = table.count("pace");
    let combine = combine.and_then(|entry| entry.word(&Combine::WORDS)).unwrap_or_default();

    let rows = steer.map(|steer| steer::read(&steer, table.path(), context));
    let (rows, weights): (Option<Vec<_>>, Option<Vec<_>>) =
        rows.map(|rows| rows.into_iter().unzip()).unzip();
    let steer = rows.map(|rows| Drive::Steer { combine, rows });
    let weights = weights.unwrap_or_default();
    let resume = resume.and_then(|entry| entry.boolean()).unwrap_or(false);
    let targeted = targeted.into_iter().flatten().filter_map(|(entry, drive)| {
        let target = context.targets.read(&entry)?;
        Some(drive(target))
    });
    let targeted = targeted.last();
    let drive = steer.or(pattern).or(targeted).or(keys).unwrap_or(Drive::Stand);
    let name = name.unwrap_or(drive.word()).to_owned();
    let mode = Mode { resume, ..Mode::new(name, pace, drive) };
    (mode, ModeSpans { patterns, weights, ..ModeSpans::default() })
}

/// Returns true if all patterns of a drive are thrust patterns, which have no pace.
fn is_thrust(drive: &Drive) -> bool {
    drive.patterns().all(|used| matches!(used.pattern.as_ref(), Pattern::Thrust(_)))
}

/// Returns true if the value of `keys` is `true`. Reports any other value.
fn is_true(entry: &Entry) -> bool {
    match entry.boolean() {
        Some(false) => {
            entry.error("`keys` must be `true` or omitted");
            false
        }
        answer => answer == Some(true),
    }
}

fn refuse_unless(fitting: bool, entry: Option<&Entry>, message: &str) {
    if let Some(entry) = entry.filter(|entry| !fitting && !entry.issues.is_partial()) {
        entry.error_at_key(message, "");
    }
}

/// Reads one or several patterns, with the keys `choose`, `offset` and `pace` of the mode. Returns
/// the drive and the spans of the pattern names.
pub fn read_pattern(
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
