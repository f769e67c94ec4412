//! Themes: all styles of the screen.
//!
//! A theme is a table of colours (`hues`), converted to styles for the number of colours of the
//! terminal. Only this module converts colours, including the colours of map files.
//! Colour is never the only cue: the theme [`MONO`] has no colours and shows the same information.

mod mapping;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use crate::agent::AgentKind;
use crate::depth::Depth;
use crate::palette::{self, Hues, Rgb, file_color};
use crate::tile::TileKind;

pub use crate::palette::{Name, UnknownTheme};

const PLAIN: Style = Style::new();
const BOLD: Style = PLAIN.add_modifier(Modifier::BOLD);
const DIM: Style = PLAIN.add_modifier(Modifier::DIM);
const UNDERLINED: Style = PLAIN.add_modifier(Modifier::UNDERLINED);
const REVERSED: Style = PLAIN.add_modifier(Modifier::REVERSED);
const CROSSED_OUT: Style = PLAIN.add_modifier(Modifier::CROSSED_OUT);

const fn fg(rgb: Rgb) -> Style {
    PLAIN.fg(Color::from_u32(rgb))
}

const fn bg(rgb: Rgb) -> Style {
    PLAIN.bg(Color::from_u32(rgb))
}

const fn bold(rgb: Rgb) -> Style {
    fg(rgb).add_modifier(Modifier::BOLD)
}

const fn on((text, background): (Rgb, Rgb)) -> Style {
    fg(text).bg(Color::from_u32(background))
}

/// Declares [`Theme`], its styles with and without colours, and access to the styles by name.
///
/// Each row has a description, a name and the style without colours. The optional last part is the
/// style with the colours of a table.
macro_rules! styles {
    ($(#[doc = $about:literal] $name:ident: $mono:expr $(=> |$hues:ident| $full:expr)?;)*) => {
        /// The styles of the screen, for a terminal with a fixed number of colours.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Theme {
            $(#[doc = $about] pub $name: Style,)*
            /// Styles of force vectors and of behaviour labels in the force breakdown. The
            /// behaviours use the eight styles cyclically.
            vectors: [Style; 8],
            /// Colour table of the theme. If `None`, colours of map files are ignored too.
            hues: Option<&'static Hues>,
            depth: Depth,
        }

        /// Names and descriptions of the styles that the configuration can change.
        pub const STYLES: &[(&str, &str)] = &[$((stringify!($name), $about),)*];

        /// The theme without colours: bold, dim, underlined, reversed and crossed-out text only.
        pub const MONO: Theme = Theme {
            $($name: $mono,)*
            vectors: [PLAIN; 8],
            hues: None,
            depth: Depth::None,
        };

        /// Builds the theme of a colour table, for a true-colour terminal.
        fn full(hues: &'static Hues) -> Theme {
            Theme {
                $($($name: { let $hues = hues; $full },)?)*
                vectors: hues.vectors.map(fg),
                hues: Some(hues),
                depth: Depth::TrueColor,
                ..MONO
            }
        }

        impl Theme {
            /// Returns the style with this name. Returns `None` if the name is not in [`STYLES`].
            pub fn style_mut(&mut self, name: &str) -> Option<&mut Style> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

styles! {
    /// Default text and background colours.
    screen: PLAIN => |hues| on((hues.text, hues.background));
    /// Plain text.
    text: PLAIN;
    /// Labels, units and secondary text.
    dim: DIM => |hues| fg(hues.dim);
    /// Emphasized text.
    strong: BOLD;
    /// Pane borders.
    border: DIM => |hues| fg(hues.border);
    /// Pane titles.
    title: BOLD => |hues| bold(hues.accent);
    /// Key names in hints and help.
    key: BOLD => |hues| bold(hues.key);
    /// The selected row of a list.
    chosen: REVERSED => |hues| bg(hues.next);
    /// Success and normal states, such as a playing run.
    good: PLAIN => |hues| fg(hues.good);
    /// Warnings and notable states, such as a paused run.
    warn: BOLD => |hues| fg(hues.key);
    /// Errors.
    bad: BOLD.add_modifier(Modifier::UNDERLINED) => |hues| bold(hues.bad);
    /// Bars and plots.
    bar: PLAIN => |hues| fg(hues.accent);
    /// Walls.
    wall: PLAIN => |hues| on(hues.wall);
    /// Tiles that are transparent but not walkable.
    water: PLAIN => |hues| on(hues.water);
    /// Tiles with increased cost or drag.
    rough: PLAIN => |hues| fg(hues.ground);
    /// Obstacles, such as trees and pillars.
    obstacle: PLAIN => |hues| fg(hues.obstacle);
    /// Walkable opaque tiles.
    door: PLAIN => |hues| fg(hues.door);
    /// Walkable tiles without a style of their own.
    ground: PLAIN => |hues| fg(hues.ground);
    /// Plain floor tiles.
    floor: DIM => |hues| fg(hues.floor);
    /// Tiles of an agent's pattern.
    pattern: UNDERLINED => |hues| bg(hues.pattern);
    /// The next tile of a walking agent.
    next: BOLD.add_modifier(Modifier::UNDERLINED) => |hues| on((hues.bright, hues.next));
    /// Candidate tiles for the next random step.
    candidate: UNDERLINED => |hues| on((hues.open, hues.next));
    /// The previous tile of a walking agent.
    came_from: PLAIN => |hues| fg(hues.dim);
    /// Steering targets and predicted positions.
    target: BOLD => |hues| bold(hues.target);
    /// Agents that are steering targets.
    target_agent: UNDERLINED;
    /// Feelers and detection boxes.
    feeler: PLAIN => |hues| fg(hues.accent);
    /// Feeler hits and avoided obstacles.
    hit: BOLD => |hues| bold(hues.hit);
    /// Heading vectors.
    heading: BOLD => |hues| bold(hues.bright);
    /// Velocity vectors.
    velocity: PLAIN;
    /// Applied steering forces.
    force: BOLD => |hues| bold(hues.bright);
    /// Wander circles and wander points.
    wander: PLAIN => |hues| fg(hues.ground);
    /// Steering paths and current waypoints.
    path: PLAIN => |hues| fg(hues.path);
    /// Neighbour regions and the neighbours inside.
    neighbour: UNDERLINED => |hues| fg(hues.neighbour).add_modifier(Modifier::UNDERLINED);
    /// Past positions of an agent.
    trail: DIM => |hues| fg(hues.dim);
    /// Event signs beside agents.
    event: BOLD => |hues| bold(hues.key);
    /// The selected agent or tile.
    selected: REVERSED;
    /// The agent under manual control.
    driven: REVERSED.add_modifier(Modifier::UNDERLINED) => |hues| on((hues.background, hues.key));
    /// The pinned agent and the pin symbol.
    pinned: BOLD.add_modifier(Modifier::UNDERLINED);
    /// All agents.
    agent: BOLD;
    /// Agents stopped by the NaN guard.
    quarantined: CROSSED_OUT => |hues| fg(hues.bad).add_modifier(Modifier::CROSSED_OUT);
}

/// A style name of [`STYLES`], and the colours and modifiers to replace.
pub type StyleChange = (&'static str, Style);

impl Theme {
    /// Returns a built-in theme for a terminal with this number of colours.
    pub fn of(name: Name, depth: Depth) -> Self {
        Self::changed(name, depth, &[])
    }

    /// Returns a built-in theme with `changes` applied, for a terminal with this number of colours.
    /// Changes with unknown names are ignored.
    pub fn changed(name: Name, depth: Depth, changes: &[StyleChange]) -> Self {
        let hues = name.hues().filter(|_| depth > Depth::None);
        let mut theme = hues.map_or(MONO, full);
        for (name, change) in changes {
            if let Some(style) = theme.style_mut(name) {
                *style = style.patch(*change);
                // Terminals cannot show bold and dim at the same time.
                if change.add_modifier.contains(Modifier::BOLD) {
                    style.add_modifier.remove(Modifier::DIM);
                }
            }
        }
        let screen = theme.screen.bg.and_then(mapping::to_rgb).unwrap_or_default();
        let converted_screen = mapping::convert(theme.screen, screen, depth);
        for (name, _) in STYLES {
            if let Some(style) = theme.style_mut(name) {
                *style = mapping::convert_overlay(*style, screen, depth);
            }
        }
        theme.screen = converted_screen;
        theme.vectors = theme.vectors.map(|style| mapping::convert_overlay(style, screen, depth));
        theme.depth = depth;
        theme
    }

    /// Returns the number of colours of the terminal.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns the style of a tile kind. A colour set in the map file replaces the theme's colour.
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
        let (Some(color), Some(hues)) = (kind.color, self.hues) else { return style };
        let background = style.bg.and_then(mapping::to_rgb).unwrap_or(hues.background);
        // Dim named colours, so that agents stand out from tiles.
        let calm = match color {
            crate::color::Color::Ansi(_) => palette::mix(file_color(color), background, 0.25),
            crate::color::Color::Rgb(..) => file_color(color),
        };
        style.fg(self.readable(calm, background, hues))
    }

    /// Returns the style of a behaviour's force vector, and of its label in the force breakdown.
    /// `row` is the index of the behaviour in the steering list.
    pub fn vector(&self, row: usize) -> Style {
        self.vectors[row % self.vectors.len()]
    }

    /// Returns the style of agents of a kind. `index` is the index of the kind in the scenario. The
    /// index selects a theme colour if the kind defines no colour.
    pub fn agents(&self, kind: &AgentKind, index: usize) -> Style {
        let Some(hues) = self.hues else { return self.agent };
        let color = kind.color.map_or(hues.agents[index % hues.agents.len()], file_color);
        self.agent.fg(self.readable(color, hues.background, hues))
    }

    /// Adjusts the contrast of a colour from a map file, and converts the colour for the terminal.
    fn readable(&self, color: Rgb, background: Rgb, hues: &Hues) -> Color {
        // The margin compensates for the approximation of the luminance.
        let wanted = hues.contrast * 1.03;
        mapping::text_color(palette::readable(color, background, wanted), background, self.depth)
    }

    /// Replaces default colours with the screen's colours in all cells of a finished frame.
    pub fn fill(&self, buffer: &mut Buffer) {
        let Style { fg, bg, .. } = self.screen;
        for cell in &mut buffer.content {
            if let (Color::Reset, Some(fg)) = (cell.fg, fg) {
                cell.fg = fg;
            }
            if let (Color::Reset, Some(bg)) = (cell.bg, bg) {
                cell.bg = bg;
            }
        }
    }
}

/// Returns a colour of the screen as `0xRRGGBB`. Returns `None` for the terminal's default colours.
pub fn rgb(color: Color) -> Option<u32> {
    mapping::to_rgb(color)
}

/// Number of levels into which visit counts are divided.
pub const HEAT_LEVELS: usize = 5;

/// Maximum share of the heat colour in a background. The actual maximum is lower if text would be
/// unreadable.
const MAX_SHARE: f32 = 0.64;

impl Theme {
    /// Returns the style of a heat level, from 0 to [`HEAT_LEVELS`] - 1, with readable text. Themes
    /// without colours return an empty style.
    pub fn heat(&self, step: usize) -> Style {
        let Some(hues) = self.hues else { return Style::new() };
        let wanted = hues.contrast * 1.03;
        let mix = |share| palette::mix(hues.background, hues.hit, share);
        let shown = |share| mapping::to_rgb(mapping::background_color(mix(share), self.depth));
        let text = |background| palette::readable(hues.text, background, wanted);
        let fits = |share: &f32| {
            shown(*share)
                .is_none_or(|background| palette::contrast(text(background), background) >= wanted)
        };
        // Use the highest share with enough contrast. The second search is needed because the
        // nearest colour of the terminal may be lighter.
        let shares = |max: f32| (0..=16_u8).map(move |n| max * f32::from(16 - n) / 16.0);
        let hottest = shares(MAX_SHARE).find(fits).unwrap_or(0.0);
        let wanted_share = hottest * (step.min(HEAT_LEVELS - 1) + 1) as f32 / HEAT_LEVELS as f32;
        let share = shares(wanted_share).find(fits).unwrap_or(0.0);
        let background = shown(share).unwrap_or(hues.background);
        let style =
            Style::new().fg(Color::from_u32(text(background))).bg(Color::from_u32(background));
        mapping::convert_overlay(style, hues.background, self.depth)
    }
}
