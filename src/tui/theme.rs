//! Themes: every style of the screen.
//!
//! A theme is a table of colours (`hues`), converted to styles for the number of colours the
//! terminal has. All colours are mapped here and nowhere else, including those from map files.
//! Colour is never the only cue: the theme [`MONO`] has no colours and shows the same information.

mod heat;
mod hues;
mod mapping;
mod mono;

use core::fmt;
use core::str::FromStr;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

pub use self::heat::HEATS;
use self::hues::Hues;
use self::mapping::Rgb;
pub use self::mono::MONO;
use crate::agent::AgentKind;
use crate::color;
use crate::depth::Depth;
use crate::tile::TileKind;

/// The themes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "their names say what they are")]
pub enum Name {
    #[default]
    Dark,
    Light,
    HighContrast,
    ColorBlind,
    Mono,
}

impl Name {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Dark, Self::Light, Self::HighContrast, Self::ColorBlind, Self::Mono];

    /// The words for all of them.
    pub const WORDS: [&str; 5] = ["dark", "light", "high-contrast", "color-blind", "mono"];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    fn hues(self) -> Option<&'static Hues> {
        match self {
            Self::Dark => Some(&hues::DARK),
            Self::Light => Some(&hues::LIGHT),
            Self::HighContrast => Some(&hues::HIGH_CONTRAST),
            Self::ColorBlind => Some(&hues::COLOR_BLIND),
            Self::Mono => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Name {
    type Err = UnknownTheme;

    fn from_str(word: &str) -> Result<Self, UnknownTheme> {
        Self::ALL.into_iter().find(|name| name.word() == word).ok_or(UnknownTheme)
    }
}

/// It is none of [`Name::WORDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected dark, light, high-contrast, color-blind or mono")]
pub struct UnknownTheme;

/// Makes the struct of styles, and the means to find one by its name.
macro_rules! styles {
    ($(#[doc = $about:literal] $name:ident,)*) => {
        /// The styles, by what they are for.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Theme {
            $(#[doc = $about] pub $name: Style,)*
            /// The vectors of behaviours and their rows in the ledger, by turns.
            vectors: [Style; 8],
            /// Where the colours come from; without any, files get none either.
            hues: Option<&'static Hues>,
            /// How many of them the terminal shows.
            depth: Depth,
        }

        /// The styles that can be changed by name, and what each is for.
        pub const STYLES: &[(&str, &str)] = &[$((stringify!($name), $about),)*];

        impl Theme {
            /// The style of a name of [`STYLES`].
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
    screen,
    /// Plain text.
    text,
    /// Labels, units and secondary text.
    dim,
    /// Emphasized text.
    strong,
    /// Pane borders.
    border,
    /// Pane titles.
    title,
    /// Key names in hints and help.
    key,
    /// The selected row of a list.
    chosen,
    /// Success and normal states, such as a playing run.
    good,
    /// Warnings and notable states, such as a paused run.
    warn,
    /// Errors.
    bad,
    /// Bars and plots.
    bar,
    /// Walls.
    wall,
    /// Tiles that are transparent but not walkable.
    water,
    /// Tiles with increased cost or drag.
    rough,
    /// Obstacles, such as trees and pillars.
    obstacle,
    /// Walkable opaque tiles.
    door,
    /// Walkable tiles without a style of their own.
    ground,
    /// Plain floor tiles.
    floor,
    /// Tiles of an agent's pattern.
    pattern,
    /// The next tile of a walking agent.
    next,
    /// Candidate tiles for the next random step.
    candidate,
    /// The previous tile of a walking agent.
    came_from,
    /// Steering targets and predicted positions.
    target,
    /// Agents that are steering targets.
    target_agent,
    /// Feelers and detection boxes.
    feeler,
    /// Feeler hits and avoided obstacles.
    hit,
    /// Heading vectors.
    heading,
    /// Velocity vectors.
    velocity,
    /// Applied steering forces.
    force,
    /// Wander circles and wander points.
    wander,
    /// Steering paths and current waypoints.
    path,
    /// Neighbour regions and the neighbours inside.
    neighbour,
    /// Past positions of an agent.
    trail,
    /// Event signs beside agents.
    event,
    /// The selected agent or tile.
    selected,
    /// The agent under manual control.
    driven,
    /// The pinned agent and the pin symbol.
    pinned,
    /// All agents.
    agent,
    /// Agents stopped by the NaN guard.
    quarantined,
}

const PLAIN: Style = Style::new();

const fn fg(rgb: Rgb) -> Style {
    PLAIN.fg(Color::from_u32(rgb))
}

const fn on((text, ground): (Rgb, Rgb)) -> Style {
    fg(text).bg(Color::from_u32(ground))
}

/// The styles of a table of colours, all of them shown.
fn full(hues: &'static Hues) -> Theme {
    let bold = |rgb| fg(rgb).add_modifier(Modifier::BOLD);
    Theme {
        screen: on((hues.text, hues.background)),
        dim: fg(hues.dim),
        border: fg(hues.border),
        title: bold(hues.accent),
        key: bold(hues.key),
        chosen: PLAIN.bg(Color::from_u32(hues.next)),
        good: fg(hues.good),
        warn: fg(hues.key),
        bad: bold(hues.bad),
        bar: fg(hues.accent),
        wall: on(hues.wall),
        water: on(hues.water),
        rough: fg(hues.ground),
        obstacle: fg(hues.obstacle),
        door: fg(hues.door),
        ground: fg(hues.ground),
        floor: fg(hues.floor),
        pattern: PLAIN.bg(Color::from_u32(hues.pattern)),
        next: on((hues.bright, hues.next)),
        candidate: on((hues.open, hues.next)),
        came_from: fg(hues.dim),
        target: bold(hues.target),
        feeler: fg(hues.accent),
        hit: bold(hues.hit),
        heading: bold(hues.bright),
        force: bold(hues.bright),
        wander: fg(hues.ground),
        path: fg(hues.path),
        neighbour: fg(hues.neighbour).add_modifier(Modifier::UNDERLINED),
        trail: fg(hues.dim),
        event: fg(hues.key).add_modifier(Modifier::BOLD),
        vectors: hues.vectors.map(fg),
        driven: on((hues.background, hues.key)),
        quarantined: fg(hues.bad).add_modifier(Modifier::CROSSED_OUT),
        hues: Some(hues),
        depth: Depth::TrueColor,
        ..MONO
    }
}

/// A change of a style, by its name.
pub type Change = (&'static str, Style);

impl Theme {
    /// A theme as a terminal of a depth shows it.
    pub fn of(name: Name, depth: Depth) -> Self {
        Self::changed(name, depth, &[])
    }

    /// The same with changed styles, for which the terminal's depth counts, too.
    pub fn changed(name: Name, depth: Depth, changes: &[Change]) -> Self {
        let hues = name.hues().filter(|_| depth > Depth::None);
        let mut theme = hues.map_or(MONO, full);
        for (name, change) in changes {
            if let Some(style) = theme.style_mut(name) {
                *style = style.patch(*change);
                // Nothing is both.
                if change.add_modifier.contains(Modifier::BOLD) {
                    style.add_modifier.remove(Modifier::DIM);
                }
            }
        }
        let screen = theme.screen.bg.and_then(mapping::seen).unwrap_or_default();
        let ground = mapping::colored(theme.screen, screen, depth);
        for (name, _) in STYLES {
            if let Some(style) = theme.style_mut(name) {
                *style = mapping::limited(*style, screen, depth);
            }
        }
        theme.screen = ground;
        theme.vectors = theme.vectors.map(|style| mapping::limited(style, screen, depth));
        theme.depth = depth;
        theme
    }

    /// How many colours it is made for.
    pub fn depth(&self) -> Depth {
        self.depth
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
        let (Some(color), Some(hues)) = (kind.color, self.hues) else { return style };
        let ground = style.bg.and_then(mapping::seen).unwrap_or(hues.background);
        // Calmer than agents, who should be seen first.
        let calm = match color {
            color::Color::Ansi(_) => mapping::mixed(asked(color), ground, 0.25),
            color::Color::Rgb(..) => asked(color),
        };
        style.fg(self.readable(calm, ground, hues))
    }

    /// How the vector of a row of steering looks, and its sign in the ledger.
    pub fn vector(&self, row: usize) -> Style {
        self.vectors[row % self.vectors.len()]
    }

    /// How the agents of a kind look, `index` being the kind's place in the scenario.
    pub fn agents(&self, kind: &AgentKind, index: usize) -> Style {
        let Some(hues) = self.hues else { return self.agent };
        let color = kind.color.map_or(hues.agents[index % hues.agents.len()], asked);
        self.agent.fg(self.readable(color, hues.background, hues))
    }

    /// A colour of a file, as it can be read on a ground.
    fn readable(&self, color: Rgb, ground: Rgb, hues: &Hues) -> Color {
        // A little more than is promised: luminance is worked out a little roughly.
        let wanted = hues.contrast * 1.03;
        mapping::text(mapping::readable(color, ground, wanted), ground, self.depth)
    }

    /// Gives a finished drawing the colours of the screen where it has none of its own.
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

/// What a colour of the screen looks like, as `0xRRGGBB`; `None` for the terminal's own.
pub fn rgb(color: Color) -> Option<u32> {
    mapping::seen(color)
}

/// What a colour of a file looks like.
fn asked(color: color::Color) -> Rgb {
    match color {
        color::Color::Ansi(index) => hues::WORDS[usize::from(index) % hues::WORDS.len()],
        color::Color::Rgb(red, green, blue) => mapping::from_channels([red, green, blue]),
    }
}
