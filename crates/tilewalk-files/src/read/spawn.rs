//! Reads `[[spawn]]` and `[[on]]`: the rules that create instances of templates.

use crate::keys::map::{INHERIT, MAX_SPAWNS, ON, SPAWN};
use crate::read::agent::{AgentDraft, At, StartDraft, StartHeading};
use crate::read::known_modes::KnownModes;
use crate::read::rule;
use crate::read::target::Targets;
use crate::read::{agent, start_positions};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::{Entry, TableReader};
use tilewalk_sim::agent::Mode;
use tilewalk_sim::condition::{Condition, ConditionContext};
use tilewalk_sim::map::Map;
use tilewalk_sim::scenario::spawn::{Spawn, SpawnArea, SpawnCause, SpawnClock, SpawnHeading};

/// The agents and the terrain that spawn rules refer to.
#[derive(Debug, Clone, Copy)]
pub struct SpawnScene<'a> {
    pub drafts: &'a [AgentDraft],
    pub targets: &'a Targets<'a>,
    pub map: Option<&'a Map>,
    /// Duration of a frame, in seconds.
    pub tick: f64,
    /// Whether all agents and patterns could be read, so that all signals are known.
    pub has_all_patterns: bool,
}

/// Reads all rules: first the `[[spawn]]` tables, then the `[[on]]` tables.
pub fn read(spawns: Option<&Entry>, signals: Option<&Entry>, ground: SpawnScene) -> Vec<Spawn> {
    let mut rules = Vec::new();
    for (list, keys, read) in [
        (spawns, &SPAWN, clock as fn(&TableReader, SpawnScene) -> Option<Spawn>),
        (signals, &ON, signal),
    ] {
        let Some(list) = list else { continue };
        let tables = list.tables(keys);
        if tables.len() > MAX_SPAWNS {
            list.error(format!("the map has more than {MAX_SPAWNS} `[[{}]]` tables", list.key));
            continue;
        }
        for table in tables {
            rules.extend(read(&table, ground));
            table.finish();
        }
    }
    rules
}

/// Reads a `[[spawn]]` table: a rule with a rate. Returns `None` after any error.
fn clock(table: &TableReader, ground: SpawnScene) -> Option<Spawn> {
    let kind = template(table, "agent", ground.drafts);
    let every = frames(table, "every", ground.tick);
    let first = frames(table, "first", ground.tick).or(every);
    let total = table.integer("total").map(|total| total as u32);
    let lifetime = frames(table, "lifetime", ground.tick);
    let scope = KnownModes { targets: ground.targets, drafts: ground.drafts };
    let read = |text: &str| Condition::read(text, &scope, ConditionContext::Spawn);
    let when = table.take("when");
    let is_valid = when.is_none();
    let when = when.and_then(|when| {
        let condition = rule::in_string(&when, read)?;
        rule::warn_in(&when, condition.cost(), condition.notes());
        Some(condition)
    });
    let at = table.take("at");
    let draft = &ground.drafts[kind?];
    let (at, span) = match &at {
        Some(at) => (agent::read_at(at, ground.targets.places), at.span()),
        None if draft.start.at.is_some() => (draft.start.at, draft.start.span.clone()),
        None => {
            let message = format!("missing key `at`: `{}` has none either", draft.kind.name);
            report_missing(table, &message);
            return None;
        }
    };
    let at = area(at?, span, draft.draft(), ground.map?, table.issues)?;
    let when = (is_valid || when.is_some()).then_some(when)?;
    let heading = match draft.start.heading {
        StartHeading::Fixed(heading) => SpawnHeading::Fixed(heading),
        StartHeading::Random(from, turn) => SpawnHeading::Random(from, turn),
    };
    let clock = SpawnClock { at, heading, first: first?, every: every?, total, when };
    Some(Spawn { kind: kind? as u32, cause: SpawnCause::Clock(Box::new(clock)), lifetime })
}

/// Reads an `[[on]]` table: a rule that reacts to a signal. Returns `None` after any error.
fn signal(table: &TableReader, ground: SpawnScene) -> Option<Spawn> {
    let entry = table.require("signal");
    let signal = entry.as_ref().and_then(Entry::line);
    if let (Some(entry), Some(signal)) = (&entry, signal) {
        warn_unsent(entry, signal, ground);
    }
    let signal = signal.map(ToOwned::to_owned);
    let kind = template(table, "spawn", ground.drafts);
    let inherits_velocity = table.word("inherit", &INHERIT).unwrap_or(false);
    let lifetime = frames(table, "lifetime", ground.tick);
    let cause = SpawnCause::Signal { signal: signal?, inherits_velocity };
    Some(Spawn { kind: kind? as u32, cause, lifetime })
}

/// Warns about a signal that no agent can send.
fn warn_unsent(entry: &Entry, signal: &str, ground: SpawnScene) {
    let modes = || ground.drafts.iter().flat_map(|draft| &draft.kind.modes);
    let sent = || modes().flat_map(Mode::signals);
    if ground.has_all_patterns && !sent().any(|sent| sent == signal) {
        let all = || {
            let mut known: Vec<_> = sent().collect();
            known.sort_unstable();
            known.dedup();
            match known.as_slice() {
                [] => "set `signal` in a row, a leg or a transition, or `on_enter` or `on_leave` in a \
                       mode"
                    .to_owned(),
                known => format!("signals of this map: {}", show::list(known.iter().copied())),
            }
        };
        let help = entry.suggestion(signal, sent(), all);
        let message = format!("no agent sends the signal `{}`", show::text(signal));
        entry.issues.push(Diagnostic::warning(entry.span(), message).help(help));
    }
}

/// Returns the index of the template whose name is the value of `key`. Reports an unknown name and
/// returns `None`.
fn template(table: &TableReader, key: &'static str, drafts: &[AgentDraft]) -> Option<usize> {
    let entry = table.require(key)?;
    let name = entry.string()?;
    let found = drafts.iter().position(|draft| draft.kind.template && draft.kind.name == name);
    if found.is_none() && !entry.issues.is_partial() {
        let templates = || drafts.iter().filter(|it| it.kind.template).map(|it| &*it.kind.name);
        let is_agent = drafts.iter().any(|draft| draft.kind.name == name);
        let name = show::text(name);
        let (message, help) = if is_agent {
            let help = "add `template = true` and `max` to the agent".to_owned();
            (format!("`{name}` is not a template"), help)
        } else {
            let all = || match templates().count() {
                0 => "no agent of this map has `template = true`".to_owned(),
                _ => format!("templates: {}", show::list(templates())),
            };
            (format!("unknown template `{name}`"), entry.suggestion(&name, templates(), all))
        };
        entry.error_with_help(message, help);
    }
    found
}

/// Reads a duration in seconds. Returns the duration in frames, rounded, at least 1; `None` if the
/// key is missing or invalid.
fn frames(table: &TableReader, key: &'static str, tick: f64) -> Option<u32> {
    let seconds = table.double(key)?;
    Some(((seconds / tick).round() as u32).max(1))
}

/// Converts a position to the area in which instances start. Reports a position where the body does
/// not fit. Returns `None` for a position outside the map.
fn area(
    at: At,
    span: std::ops::Range<usize>,
    draft: StartDraft,
    map: &Map,
    issues: &Issues,
) -> Option<SpawnArea> {
    if let At::Here(point) = at {
        return start_positions::check_exact(draft, point, span, map, issues)
            .map(|_| SpawnArea::Point(point));
    }
    start_positions::area(at, span, map, issues).map(SpawnArea::Within)
}

fn report_missing(table: &TableReader, message: &str) {
    if !table.issues.is_partial() {
        let help = "write a tile, a point, a place, `{ within = [x0, y0, x1, y1] }` or `anywhere`";
        table.issues.push(Diagnostic::error(table.span(), message).help(help));
    }
}
