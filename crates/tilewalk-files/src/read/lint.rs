//! Warnings about valid content that is probably a mistake.

use std::ops::Range;

use crate::read::agent::AgentDraft;
use crate::read::known_modes::KnownModes;
use crate::read::rule;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::span_tree;
use tilewalk_sim::agent::{AgentKind, Drive, Mode};
use tilewalk_sim::condition::functions::Glance;
use tilewalk_sim::condition::words::Fact;
use tilewalk_sim::condition::{Condition, Known, Subject, Test};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::map::{Map, StepError};
use tilewalk_sim::pattern::{PathPattern, Pattern};
use tilewalk_sim::report::words;
use tilewalk_sim::scenario::Start;
use tilewalk_sim::steering::WeightLimit;

/// Maximum number of path tiles to check in a map. Without this limit, a million agents could share
/// a path of a million tiles.
const MOST_TILES: usize = 20_000_000;

/// Warns about paths across tiles that are not walkable. Checks only the first agent of each group,
/// because the other agents can follow the same path from other starts.
pub fn paths(drafts: &[AgentDraft], starts: &[Start], map: &Map, issues: &Issues) {
    let mut looked_at = 0;
    for (index, draft) in drafts.iter().enumerate() {
        // An agent without a valid start has an error already.
        let start = starts.get(draft.kind.first.index());
        let start = start.filter(|start| start.kind as usize == index && !start.absent);
        let start = start.filter(|_| !issues.is_full());
        let home = start.map(|start| TilePos::containing(start.position));
        let Some(home) = home.filter(|&home| map.refusal(home).is_none()) else { continue };
        for (mode, spans) in draft.kind.modes.iter().zip(&draft.modes) {
            for (used, span) in mode.drive.patterns().zip(&spans.patterns) {
                let Pattern::Path(path) = used.pattern.as_ref() else { continue };
                looked_at += path.tiles().len();
                if looked_at > MOST_TILES {
                    return;
                }
                let anchor = used.placement.anchor(home);
                if let Some(warning) = walled(&used.name, path, anchor, map, span) {
                    issues.push(warning);
                }
            }
        }
    }
}

/// Warns about endless patterns in pattern lists, because the patterns after them never start.
pub fn endless(drafts: &[AgentDraft], issues: &Issues) {
    for draft in drafts {
        for (mode, spans) in draft.kind.modes.iter().zip(&draft.modes).filter(|_| !issues.is_full())
        {
            let Drive::Patterns { list, .. } = &mode.drive else { continue };
            let endless = list.iter().zip(&spans.patterns).filter(|(used, _)| !used.pattern.ends());
            for (used, span) in endless.filter(|_| list.len() > 1) {
                let message = format!(
                    "the pattern `{}` never ends, so later patterns never start",
                    used.name
                );
                let help = match used.pattern.as_ref() {
                    Pattern::Path(_) => "remove `closed` and repeat the first vertex at the end",
                    Pattern::Matrix(_) | Pattern::Steps(_) | Pattern::Thrust(_) => {
                        "set `dead_end = \"stay\"`: the matrix then ends at a dead end"
                    }
                };
                issues.push(Diagnostic::warning(span.clone(), message).help(help));
            }
        }
    }
}

/// Warns about weights with which vehicles jitter. `tick` is the length of a frame in seconds.
pub fn jitter(drafts: &[AgentDraft], tick: f64, issues: &Issues) {
    for draft in drafts {
        for (mode, spans) in draft.kind.modes.iter().zip(&draft.modes).filter(|_| !issues.is_full())
        {
            let Drive::Steer { combine, rows } = &mode.drive else { continue };
            for (row, span) in rows.iter().zip(&spans.weights).filter(|(row, _)| row.enabled) {
                let limit = row.weight_limit(*combine, &draft.kind.body, tick as f32);
                let Some(WeightLimit { gain, weight }) = limit else { continue };
                if row.weight > weight {
                    let (word, product) = (row.behaviour.word(), row.weight * gain);
                    let message = format!(
                        "`{word}` can jitter: weight × gain is {product:.3}, but should be at most \
                         {:.3}",
                        weight * gain
                    );
                    let help = format!("set a `weight` of at most {weight:.3}, or a lower gain");
                    issues.push(Diagnostic::warning(span.clone(), message).help(help));
                }
            }
        }
    }
}

/// Warns about unreachable modes, unknown modes, and slow or impossible conditions. Reports `noticed`
/// with targets that agents do not watch.
pub fn rules(known: &KnownModes, issues: &Issues) {
    let drafts = known.drafts;
    for draft in drafts {
        let modes = &draft.kind.modes;
        // Transitions can't name a mode without a valid name, which is already an error.
        let named = draft.modes.iter().all(|spans| spans.name.is_some());
        for (index, reached) in reached(modes).into_iter().enumerate() {
            if let (Some(span), true, false) = (&draft.modes[index].name, named, reached) {
                let name = &modes[index].name;
                let message = format!("the mode `{name}` is unreachable from the first mode");
                let help = format!("add a transition with `to = \"{name}\"` to another mode");
                issues.push(Diagnostic::warning(span.clone(), message).help(help));
            }
        }
        for (mode, spans) in modes.iter().zip(&draft.modes) {
            let rules = mode.rules.iter().map(|rule| &rule.when).zip(&spans.rules);
            for (when, span) in rules.chain(mode.remove.iter().zip(&spans.remove)) {
                warn_slow(when, span, draft.kind.count, issues);
                check_parts(when, span, draft.kind.every, known, issues);
                if !warn_unknown_modes(when, span, &draft.kind, drafts, issues) {
                    warn_impossible(when, span, Some(mode), issues);
                }
            }
        }
        if let (Some(when), Some(span)) = (&draft.kind.remove, &draft.remove) {
            warn_slow(when, span, draft.kind.count, issues);
            check_parts(when, span, draft.kind.every, known, issues);
            warn_unknown_modes(when, span, &draft.kind, drafts, issues);
        }
    }
}

/// Warns about points and areas outside the map. Reports `noticed` with targets that agents do not
/// watch. Records `sees` as an old spelling of
/// `noticed` if the agent looks only in every `every`-th frame.
fn check_parts(
    when: &Condition,
    span: &Range<usize>,
    every: u32,
    known: &KnownModes,
    issues: &Issues,
) {
    rule::warn_notes(when.notes(), |bytes| inside(span, bytes, issues), issues);
    if let Err(error) = when.check_noticed(known) {
        issues.push(rule::diagnostic(&error, inside(span, error.span.clone(), issues), issues));
    }
    if every > 1 && when.test().contains_glance(Glance::LastOrNow) {
        let text = when.text();
        let is_call = |at: usize| {
            let is_word = text[..at].ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c));
            !is_word && text[at + SEES.len()..].trim_start().starts_with('(')
        };
        for (at, _) in text.match_indices(SEES).filter(|&(at, _)| is_call(at)) {
            let place = inside(span, at..at + SEES.len(), issues);
            let message = format!(
                "with `every = {every}`, `{SEES}` is what the agent saw when it last looked"
            );
            let help = "write `noticed`, which means the same here (since 0.1.0)";
            issues.push_deprecated(Diagnostic::warning(place, message).help(help));
        }
    }
}

/// The function of conditions that means `noticed` in transitions and in `remove`.
const SEES: &str = "sees";

/// Returns one boolean per mode: true if the mode can be reached from the first mode.
fn reached(modes: &[Mode]) -> Vec<bool> {
    let mut reached = vec![false; modes.len()];
    // A file with errors can have an agent without modes.
    let mut open: Vec<_> = (0..modes.len().min(1)).collect();
    while let Some(index) = open.pop() {
        if !core::mem::replace(&mut reached[index], true) {
            open.extend(modes[index].rules.iter().map(|rule| usize::from(rule.to)));
        }
    }
    reached
}

/// Warns about a condition that is slow to evaluate in every frame. `agents` is the number of
/// agents that evaluate the condition.
fn warn_slow(when: &Condition, span: &Range<usize>, agents: u32, issues: &Issues) {
    rule::warn_cost(when.cost().saturating_mul(agents.into()), span, issues);
}

/// Warns about a condition that can never be true. `mode` is the mode with the transition; `None`
/// for a condition outside transitions.
pub fn warn_impossible(
    when: &Condition,
    span: &Range<usize>,
    mode: Option<&Mode>,
    issues: &Issues,
) {
    let own = mode.map(|mode| Known { mode: mode.key, never: mode.drive.impossible_facts() });
    let Some((part, bytes)) = when.never(own) else { return };
    let help = match part {
        Test::Fact(_, Fact::Arrived) => "`arrived` is only true in a mode with `travel`",
        Test::Fact(_, Fact::Finished) => {
            "`finished` is only true in a mode with a pattern that ends"
        }
        Test::Fact(_, Fact::Joining) => "`joining` is only true in a mode with a path or a matrix",
        Test::Same { .. } => "`mode` always equals the mode of this transition",
        Test::Compare(..) => {
            "speeds, distances and times are never negative; headings are below 360"
        }
        Test::Constant(_)
        | Test::Or(_)
        | Test::And(_)
        | Test::Not(_)
        | Test::Fact(..)
        | Test::Is(..)
        | Test::Predicate(_)
        | Test::Any(..)
        | Test::All(..)
        | Test::Changed(_) => "",
    };
    let place = inside(span, bytes, issues);
    issues.push(Diagnostic::warning(place, "this condition is never true").help(help));
}

/// Converts a byte range in a condition to a byte range in the file. The condition is the string at
/// `span`.
fn inside(span: &Range<usize>, bytes: Range<usize>, issues: &Issues) -> Range<usize> {
    let raw = issues.text().get(span.clone()).unwrap_or_default();
    let at = |offset| span_tree::locate_in_string(raw, span.start, offset);
    at(bytes.start)..at(bytes.end)
}

/// Warns about modes in a condition that the named agent does not have. Returns true if the
/// condition names such a mode.
///
/// Conditions of agents are read before the modes of other agents are known. An unknown mode is
/// therefore not an error.
fn warn_unknown_modes(
    when: &Condition,
    span: &Range<usize>,
    own: &AgentKind,
    drafts: &[AgentDraft],
    issues: &Issues,
) -> bool {
    let mut warned = false;
    when.test().visit_modes(&mut |name| {
        let kind = match name.of {
            Some(Subject::Agent(id)) => drafts
                .iter()
                .map(|draft| &draft.kind)
                .find(|kind| (kind.first.0..kind.first.0 + kind.count).contains(&id.0)),
            Some(Subject::Instance(instance)) => {
                drafts.get(instance.kind as usize).map(|draft| &draft.kind)
            }
            Some(Subject::Me) => Some(own),
            Some(Subject::Bound(_)) | None => None,
        };
        let Some(kind) = kind.filter(|kind| kind.modes.iter().all(|mode| mode.key != name.key))
        else {
            return;
        };
        let known = || kind.modes.iter().map(|mode| mode.name.as_str());
        let message = format!("`{}` has no mode \"{}\"", kind.name, show::text(&name.name));
        let place = inside(span, name.span.clone(), issues);
        let near = if issues.stores(&place) { show::nearest(&name.name, known()) } else { None };
        let help = match near {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("known modes: {}", show::list(known())),
        };
        issues.push(Diagnostic::warning(place, message).help(help));
        warned = true;
    });
    warned
}

fn walled(
    name: &str,
    path: &PathPattern,
    anchor: TilePos,
    map: &Map,
    span: &Range<usize>,
) -> Option<Diagnostic> {
    let tiles = path.tiles().iter().map(|&tile| anchor + tile);
    let closed = tiles.clone().filter_map(|tile| Some((tile, map.refusal(tile)?)));
    let steps = tiles.clone().zip(tiles.skip(1)).filter(|_| !map.walls().is_empty());
    let barred = steps.filter_map(|(from, to)| {
        let refusal = map.step(from, map.direction_between(from, to)?, false).err()?;
        let is_new = map.refusal(to).is_none() && matches!(refusal, StepError::FreeWall(..));
        is_new.then_some((to, refusal))
    });
    let mut refusals = closed.chain(barred);
    let (tile, why) = refusals.next()?;
    let why = match why {
        StepError::Edge => "outside the map".to_owned(),
        StepError::Obstacle(_) => "obstacle".to_owned(),
        StepError::FreeWall(_, wall) => words::wall(map, wall),
        StepError::Wall(_) | StepError::Corner(_) => {
            map.kind(tile).map_or("solid", |kind| kind.name.as_str()).to_owned()
        }
    };
    let more = match refusals.count() {
        0 => String::new(),
        1 => " and 1 more tile".to_owned(),
        count => format!(" and {count} more tiles"),
    };
    let message = format!("the path `{name}` is blocked at {tile}{more}: {why}");
    let first = anchor + path.tiles()[0];
    let help = format!("the path starts at {first}");
    Some(Diagnostic::warning(span.clone(), message).help(help))
}
