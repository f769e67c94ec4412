//! The pattern an agent follows, whole: its place, its program, how far it is.

use ratatui::text::Span;

use crate::agent::{Drive, Mode};
use crate::geom::TilePos;
use crate::pattern::matrix::DeadEnd;
use crate::pattern::path::{Ends, PathState};
use crate::pattern::{MatrixPattern, PathPattern, Pattern, Placement};
use crate::tui::draw::facts::{Facts, Phrase, Shown};
use crate::tui::draw::first_shown;
use crate::tui::glyph;
use crate::words;
use crate::world::DriveState;

use super::about::About;
use super::agent;

/// Rows of a program that are listed around the present one: so many that it is all of most.
const ALL: u16 = 500;

/// The lines of a pattern; of any other drive those of that drive.
pub fn describe(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Some(used) = world.pattern_use(id) else {
        let mode = world.mode(id);
        let none = format!("none: mode {} uses {}", mode.name, mode.drive.word());
        facts.phrases("pattern", [(none, theme.text)]);
        pace(about, facts);
        if !matches!(mode.drive, Drive::Steer { .. }) {
            agent::drive(about, ALL, facts);
        }
        return;
    };
    let name = (used.name.to_owned(), theme.strong);
    facts.phrases("pattern", [name, (used.pattern.word().to_owned(), theme.text)]);
    list(about, facts);
    pace(about, facts);
    let Some((pattern, anchor)) = world.pattern(id) else { return };
    if pattern.is_on_tiles() && !pattern.tiles().is_empty() {
        let how = match used.placement {
            Placement::Home => "home".to_owned(),
            Placement::At(_) => "fixed position".to_owned(),
        };
        facts.phrases("anchor", [(anchor.to_string(), theme.text), (how, theme.dim)]);
    }
    agent::drive(about, ALL, facts);
    match (pattern, world.drive_state(id)) {
        (Pattern::Path(path), DriveState::Path { at, .. }) => program(path, at, anchor, facts),
        (Pattern::Matrix(matrix), _) => rules(matrix, facts),
        _ => {}
    }
}

/// How long a step takes, of whoever has a pace.
fn pace(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Mode { drive, pace, .. } = world.mode(id);
    let steps = |pattern: &Pattern| !matches!(pattern, Pattern::Thrust(_));
    if drive.is_on_tiles() || drive.patterns().any(|used| steps(used.pattern)) {
        let text = format!("{} per step", words::count((*pace).into(), "frame"));
        facts.phrases("pace", [Phrase::from((text, theme.text)).showing(Shown::OfMode("pace"))]);
    }
}

/// The patterns of the mode, if there are several.
fn list(about: About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Drive::Patterns { list, .. } = &world.mode(id).drive else { return };
    for (index, placed) in list.iter().enumerate() {
        let here = index == usize::from(world.pick(id));
        let (sign, style) = if here { (glyph::MARKER, theme.strong) } else { (" ", theme.text) };
        let label = if index == 0 { "list" } else { "" };
        facts.phrases(label, [(format!("{sign} {}. {}", index + 1, placed.name), style)]);
    }
}

/// A path as a program of segments from vertex to vertex.
fn program(path: &PathPattern, at: PathState, anchor: TilePos, facts: &mut Facts) {
    let theme = facts.theme;
    let (count, rules) = (path.tiles().len(), path.rules());
    let share = (at.index + 1) as f32 / count.max(1) as f32 * 100.0;
    facts.phrases("progress", [(format!("{share:.0}% of {count} tiles"), theme.text)]);
    let ends = match (rules.closed, rules.ends) {
        (true, _) => "closed: repeats",
        (false, Ends::Reverse) => "open: reverses at both ends",
        (false, Ends::Stop) => "open: stops at the end",
    };
    let mut phrases = vec![(ends.to_owned(), theme.text)];
    if rules.dwell > 0 {
        let dwell = words::count(rules.dwell.into(), "frame");
        phrases.push((format!("waits {dwell} at each vertex"), theme.text));
    }
    facts.phrases("rules", phrases);
    let corners: Vec<TilePos> = path.corners().map(|tile| anchor + tile).collect();
    let ends = corners.iter().skip(1).chain(corners.first().filter(|_| rules.closed));
    let first = first_shown(path.segment(at), path.segments(), ALL);
    let rows = corners.iter().zip(ends).enumerate().skip(first).take(ALL.into());
    for (index, (from, to)) in rows {
        let present = index == path.segment(at);
        let (from, to) = if at.back { (to, from) } else { (from, to) };
        let sign = if present { glyph::MARKER } else { " " };
        let style = if present { theme.strong } else { theme.text };
        facts.line(vec![
            Span::styled(format!("{sign} "), theme.key),
            Span::styled(format!("{:>4}   ", index + 1), theme.dim),
            Span::styled(format!("{from} → {to}"), style),
        ]);
    }
}

/// What a random walk over a matrix may do.
fn rules(matrix: &MatrixPattern, facts: &mut Facts) {
    let theme = facts.theme;
    let dead_end = match matrix.dead_end() {
        DeadEnd::Back => "goes back at a dead end",
        DeadEnd::Stay => "stays at a dead end",
    };
    let bounds = matrix.bounds();
    let size = format!("within {}×{} tiles", bounds.width(), bounds.height());
    facts.phrases("rules", [(dead_end.to_owned(), theme.text), (size, theme.dim)]);
}
