//! The pattern page of the inspector: the pattern list, the position, the program and the progress
//! of an agent.

use crate::agent::{Drive, Mode};
use crate::pattern::matrix::DeadEnd;
use crate::pattern::path::Ends;
use crate::pattern::{MatrixPattern, PathPattern, Pattern, Placement};
use crate::tui::draw::facts::{Facts, Phrase, Shown};
use crate::tui::glyph;
use crate::words;

use super::about::About;
use super::drive;

/// Maximum number of program lines on the pattern page.
const ALL: usize = 500;

/// Adds the lines of the pattern page. If the current mode has no pattern, adds what moves the
/// agent instead.
pub fn describe(about: &About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let (Some(used), Some((pattern, anchor))) = (world.pattern_use(id), world.pattern(id)) else {
        let mode = world.mode(id);
        facts.fact("pattern", format!("none: mode {} uses {}", mode.name, mode.drive.word()));
        pace(about, facts);
        if !matches!(mode.drive, Drive::Steer { .. }) {
            drive::describe(about, ALL, facts);
        }
        return;
    };
    let kind = used.pattern.word().to_owned();
    facts.phrases("pattern", [(used.name.clone(), theme.strong), (kind, theme.text)]);
    list(about, facts);
    pace(about, facts);
    if pattern.is_on_tiles() && !pattern.tiles().is_empty() {
        let how = match used.placement {
            Placement::Home => "home".to_owned(),
            Placement::At(_) => "fixed position".to_owned(),
        };
        facts.phrases("anchor", [(anchor.to_string(), theme.text), (how, theme.dim)]);
    }
    drive::describe(about, ALL, facts);
    match pattern {
        Pattern::Path(path) => program(about, path, facts),
        Pattern::Matrix(matrix) => rules(matrix, facts),
        Pattern::Steps(_) | Pattern::Thrust(_) => {}
    }
}

/// Adds the duration of a step in frames. Adds nothing if the current mode takes no steps on tiles.
fn pace(about: &About, facts: &mut Facts) {
    let theme = facts.theme;
    let Mode { drive, pace, .. } = about.world.mode(about.id);
    let steps = |pattern: &Pattern| !matches!(pattern, Pattern::Thrust(_));
    if drive.is_on_tiles() || drive.patterns().any(|used| steps(&used.pattern)) {
        let text = format!("{} per step", words::count((*pace).into(), "frame"));
        facts.phrases("pace", [Phrase::from((text, theme.text)).showing(Shown::OfMode("pace"))]);
    }
}

/// Adds the numbered patterns of the current mode, and marks the pattern in use. Adds nothing if
/// the mode has no list of patterns.
fn list(about: &About, facts: &mut Facts) {
    let (world, id, theme) = (about.world, about.id, facts.theme);
    let Drive::Patterns { list, .. } = &world.mode(id).drive else { return };
    for (index, placed) in list.iter().enumerate() {
        let is_current = index == usize::from(world.pick(id));
        let (sign, style) =
            if is_current { (glyph::MARKER, theme.strong) } else { (" ", theme.text) };
        let label = if index == 0 { "list" } else { "" };
        facts.phrases(label, [(format!("{sign} {}. {}", index + 1, placed.name), style)]);
    }
}

/// Adds the progress along a path in percent, the rules for its ends and vertices, and the lines of
/// its program.
fn program(about: &About, path: &PathPattern, facts: &mut Facts) {
    let report = about.report.pattern.as_ref().and_then(|pattern| pattern.path.as_ref());
    let Some(report) = report else { return };
    let (theme, rules) = (facts.theme, path.rules());
    let share = (report.index + 1) as f32 / report.tiles.max(1) as f32 * 100.0;
    facts.fact("progress", format!("{share:.0}% of {} tiles", report.tiles));
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
    drive::program(about, ALL, facts);
}

/// Adds the rules of a matrix pattern: its behaviour at dead ends, and its size.
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
