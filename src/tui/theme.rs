//! Every style of the screen, in two themes: colours, and none.
//!
//! The colours are of the 256 that terminals share, in middle tones that can be read on a light
//! ground as well as on a dark one. What matters is never told by colour alone.

use ratatui::style::{Color, Modifier, Style};

use crate::agent::AgentKind;
use crate::color;
use crate::tile::TileKind;

/// The styles, by what they are for.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    /// May agents and tiles be shown in the colours they ask for?
    colors: bool,
    /// Plain text.
    pub text: Style,
    /// Labels, units, what is of little weight.
    pub dim: Style,
    /// What should be seen first.
    pub strong: Style,
    /// Borders of panes.
    pub border: Style,
    /// Titles of panes.
    pub title: Style,
    /// Keys in hints and help.
    pub key: Style,
    /// The chosen row of a list.
    pub chosen: Style,
    /// All is well: playing, accepted.
    pub good: Style,
    /// Look here: paused, cut, blocked.
    pub warn: Style,
    /// Something failed.
    pub bad: Style,
    /// Bars.
    pub bar: Style,
    /// Walls.
    pub wall: Style,
    /// Ground that can be seen across but not walked.
    pub water: Style,
    /// Ground that slows.
    pub rough: Style,
    /// Trees and pillars.
    pub obstacle: Style,
    /// Walkable ground that hides what is behind it.
    pub door: Style,
    /// Walkable ground of another kind.
    pub ground: Style,
    /// Plain floor.
    pub floor: Style,
    /// Laid over a tile of the selected agent's pattern.
    pub pattern: Style,
    /// Laid over the tile it steps to next.
    pub next: Style,
    /// Laid over a tile it may step to next.
    pub candidate: Style,
    /// Laid over the tile it came from.
    pub came_from: Style,
    /// The target of its steering.
    pub target: Style,
    /// Laid over an agent that is a target.
    pub target_agent: Style,
    /// Its feelers and its detection box.
    pub feeler: Style,
    /// Where a feeler met something, and the box of an obstacle that is avoided.
    pub hit: Style,
    /// Its heading.
    pub heading: Style,
    /// Its velocity.
    pub velocity: Style,
    /// What steering came to.
    pub force: Style,
    /// The wander circle and its point.
    pub wander: Style,
    /// The path it steers along, and its waypoint.
    pub path: Style,
    /// The region in which neighbours count; laid over those who do.
    pub neighbour: Style,
    /// Where it came along.
    pub trail: Style,
    /// The sign of an event, beside whom it happened to.
    pub event: Style,
    /// The vectors of behaviours and their rows in the ledger, by turns.
    vectors: [Style; 8],
    /// Laid over the selected agent or tile.
    pub selected: Style,
    /// Laid over the agent that is driven by hand.
    pub driven: Style,
    /// Laid over every agent.
    pub agent: Style,
    /// Laid over an agent in quarantine.
    pub quarantined: Style,
}

const fn fg(index: u8) -> Style {
    Style::new().fg(Color::Indexed(index))
}

const PLAIN: Style = Style::new();
const BOLD: Style = PLAIN.add_modifier(Modifier::BOLD);
const UNDERLINED: Style = PLAIN.add_modifier(Modifier::UNDERLINED);
const REVERSED: Style = PLAIN.add_modifier(Modifier::REVERSED);

/// Colours for agents that ask for none, by kind.
const AGENTS: [Color; 8] = [
    Color::Indexed(222),
    Color::Indexed(117),
    Color::Indexed(156),
    Color::Indexed(218),
    Color::Indexed(183),
    Color::Indexed(215),
    Color::Indexed(123),
    Color::Indexed(210),
];

/// The sixteen named colours on tiles: calmer than on agents, who should be seen first.
const GROUND: [u8; 16] =
    [236, 131, 71, 143, 67, 133, 73, 244, 239, 167, 114, 186, 110, 176, 116, 252];

/// With colours.
pub const COLORS: Theme = Theme {
    colors: true,
    text: PLAIN,
    dim: fg(245),
    strong: BOLD,
    border: fg(240),
    title: fg(110).add_modifier(Modifier::BOLD),
    key: fg(179).add_modifier(Modifier::BOLD),
    chosen: REVERSED,
    good: fg(108),
    warn: fg(179),
    bad: fg(167).add_modifier(Modifier::BOLD),
    bar: fg(110),
    wall: fg(244).bg(Color::Indexed(237)),
    water: fg(74).bg(Color::Indexed(24)),
    rough: fg(137),
    obstacle: fg(71),
    door: fg(173),
    ground: fg(137),
    floor: fg(239),
    pattern: PLAIN.bg(Color::Indexed(236)),
    next: fg(222).bg(Color::Indexed(239)),
    candidate: fg(156).bg(Color::Indexed(239)),
    came_from: fg(245),
    target: fg(218).add_modifier(Modifier::BOLD),
    target_agent: UNDERLINED,
    feeler: fg(110),
    hit: fg(209).add_modifier(Modifier::BOLD),
    heading: fg(222).add_modifier(Modifier::BOLD),
    velocity: fg(252),
    force: fg(222).add_modifier(Modifier::BOLD),
    wander: fg(137),
    path: fg(73),
    neighbour: fg(141).add_modifier(Modifier::UNDERLINED),
    trail: fg(243),
    event: fg(215).add_modifier(Modifier::BOLD),
    vectors: [fg(114), fg(176), fg(179), fg(80), fg(203), fg(147), fg(150), fg(215)],
    selected: REVERSED,
    driven: fg(16).bg(Color::Indexed(179)),
    agent: BOLD,
    quarantined: fg(167).add_modifier(Modifier::CROSSED_OUT),
};

/// Without a single colour: weight, underline and reverse only.
pub const PLAIN_TEXT: Theme = Theme {
    colors: false,
    text: PLAIN,
    dim: PLAIN,
    strong: BOLD,
    border: PLAIN,
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
    floor: PLAIN,
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
    trail: PLAIN,
    event: BOLD,
    vectors: [PLAIN; 8],
    selected: REVERSED,
    driven: REVERSED.add_modifier(Modifier::UNDERLINED),
    agent: BOLD,
    quarantined: UNDERLINED,
};

impl Theme {
    /// The theme an environment asks for: no colours when `NO_COLOR` is set to anything, or when
    /// the terminal is `dumb`.
    pub fn of(no_color: Option<&str>, term: Option<&str>) -> &'static Self {
        let plain = no_color.is_some_and(|value| !value.is_empty()) || term == Some("dumb");
        if plain { &PLAIN_TEXT } else { &COLORS }
    }

    /// How a tile of a kind looks.
    pub fn tile(&self, kind: &TileKind) -> Style {
        let style = match kind {
            TileKind { walk: false, opaque: true, .. } => self.wall,
            TileKind { walk: false, .. } => self.water,
            TileKind { obstacle: Some(_), .. } => self.obstacle,
            TileKind { opaque: true, .. } => self.door,
            TileKind { cost, drag, .. } if *cost > 1.0 || *drag > 0.0 => self.rough,
            TileKind { glyph, .. } if glyph == "." || glyph == " " => self.floor,
            _ => self.ground,
        };
        match kind.color {
            Some(color::Color::Ansi(index)) if self.colors => {
                style.fg(Color::Indexed(GROUND[usize::from(index) % GROUND.len()]))
            }
            Some(color) if self.colors => style.fg(shown(color)),
            _ => style,
        }
    }

    /// How the vector of a row of steering looks, and its sign in the ledger.
    pub fn vector(&self, row: usize) -> Style {
        self.vectors[row % self.vectors.len()]
    }

    /// How the agents of a kind look, `index` being the kind's place in the scenario.
    pub fn agents(&self, kind: &AgentKind, index: usize) -> Style {
        let color = kind.color.map_or(AGENTS[index % AGENTS.len()], shown);
        if self.colors { self.agent.fg(color) } else { self.agent }
    }
}

/// A colour of a file, as terminals take it.
fn shown(color: color::Color) -> Color {
    match color {
        color::Color::Ansi(index) => Color::Indexed(index),
        color::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_can_turn_colours_off() {
        assert_eq!(Theme::of(None, Some("xterm")), &COLORS);
        assert_eq!(Theme::of(Some(""), Some("xterm")), &COLORS);
        assert_eq!(Theme::of(Some("1"), Some("xterm")), &PLAIN_TEXT);
        assert_eq!(Theme::of(None, Some("dumb")), &PLAIN_TEXT);
    }

    #[test]
    fn without_colours_no_style_has_one() {
        let wall = TileKind { walk: false, opaque: true, ..TileKind::floor("#", "wall") };
        let red = TileKind { color: Some(color::Color::Ansi(1)), ..wall };
        assert_eq!(PLAIN_TEXT.tile(&red).fg, None);
        assert_eq!(COLORS.tile(&red).fg, Some(Color::Indexed(131)));
    }
}
