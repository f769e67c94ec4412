//! The theme without colours.

use ratatui::style::{Modifier, Style};

use super::Theme;
use crate::depth::Depth;

const PLAIN: Style = Style::new();
const BOLD: Style = PLAIN.add_modifier(Modifier::BOLD);
const DIM: Style = PLAIN.add_modifier(Modifier::DIM);
const UNDERLINED: Style = PLAIN.add_modifier(Modifier::UNDERLINED);
const REVERSED: Style = PLAIN.add_modifier(Modifier::REVERSED);
const CROSSED_OUT: Style = PLAIN.add_modifier(Modifier::CROSSED_OUT);

/// Styles without colours: bold, dim, underlined, reversed and crossed-out text only.
pub const MONO: Theme = Theme {
    screen: PLAIN,
    text: PLAIN,
    dim: DIM,
    strong: BOLD,
    border: DIM,
    title: BOLD,
    key: BOLD,
    chosen: REVERSED,
    good: PLAIN,
    warn: BOLD,
    bad: BOLD.add_modifier(Modifier::UNDERLINED),
    bar: PLAIN,
    wall: PLAIN,
    water: PLAIN,
    rough: PLAIN,
    obstacle: PLAIN,
    door: PLAIN,
    ground: PLAIN,
    floor: DIM,
    pattern: UNDERLINED,
    next: BOLD.add_modifier(Modifier::UNDERLINED),
    candidate: UNDERLINED,
    came_from: PLAIN,
    target: BOLD,
    target_agent: UNDERLINED,
    feeler: PLAIN,
    hit: BOLD,
    heading: BOLD,
    velocity: PLAIN,
    force: BOLD,
    wander: PLAIN,
    path: PLAIN,
    neighbour: UNDERLINED,
    trail: DIM,
    event: BOLD,
    vectors: [PLAIN; 8],
    selected: REVERSED,
    driven: REVERSED.add_modifier(Modifier::UNDERLINED),
    pinned: BOLD.add_modifier(Modifier::UNDERLINED),
    agent: BOLD,
    quarantined: CROSSED_OUT,
    hues: None,
    depth: Depth::None,
};
