//! The colours of pictures of maps, from the colours of a theme.

use crate::agent::AgentKind;
use crate::color::Color;
use crate::palette::{Hues, Name, PAPER, Rgb, file_color, mix, readable};
use crate::tile::TileKind;

/// Least contrast of lines and discs with the floor (WCAG 2.2, 1.4.11).
const MARK: f32 = 3.0;

/// Margin for the approximation of the luminance.
const MARGIN: f32 = 1.03;

/// Colours of a picture.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub hues: &'static Hues,
    /// Whether colours of map files are used.
    has_colors: bool,
}

/// The fill and the outline of a region of tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    pub fill: Option<Rgb>,
    pub line: Option<Rgb>,
    /// Whether the region is drawn over other regions.
    pub is_wall: bool,
}

impl Style {
    /// Returns the colours of a theme. The theme without colours has greys on white.
    pub fn of(theme: Name) -> Self {
        Self { hues: theme.hues().unwrap_or(&PAPER), has_colors: theme.hues().is_some() }
    }

    /// Returns the colour of the floor and of the margins.
    pub fn background(&self) -> Rgb {
        self.hues.background
    }

    /// Returns the colour of the lines between tiles, which are meant to be faint.
    pub fn grid(&self) -> Rgb {
        mix(self.hues.background, self.hues.floor, 0.3)
    }

    /// Returns the colour of walls and of the border of the map.
    pub fn wall(&self) -> Rgb {
        self.mark(self.hues.wall.0)
    }

    /// Returns how a kind of tile is drawn.
    pub fn ground(&self, kind: &TileKind) -> Ground {
        let hues = self.hues;
        let floor = hues.background;
        let own = kind.color.filter(|_| self.has_colors).map(|color| match color {
            Color::Ansi(_) => mix(file_color(color), floor, 0.25),
            Color::Rgb(..) => file_color(color),
        });
        let tint = |rgb: Rgb, share: f32| Some(mix(floor, own.unwrap_or(rgb), share));
        match kind {
            TileKind { walk: false, opaque: true, .. } => {
                let fill = own.map_or(hues.wall.1, |own| mix(hues.wall.1, own, 0.35));
                Ground { fill: Some(fill), line: Some(self.wall()), is_wall: true }
            }
            TileKind { walk: false, .. } => {
                let fill = own.map_or(hues.water.1, |own| mix(hues.water.1, own, 0.25));
                let line = self.mark(own.unwrap_or(hues.water.0));
                Ground { fill: Some(fill), line: Some(line), is_wall: false }
            }
            // The obstacle itself is a disc.
            TileKind { obstacle: Some(_), .. } => Ground { fill: None, line: None, is_wall: false },
            TileKind { opaque: true, .. } => {
                let line = self.mark(own.unwrap_or(hues.door));
                Ground { fill: tint(hues.door, 0.35), line: Some(line), is_wall: false }
            }
            TileKind { cost, drag, .. } if *cost > 1.0 || *drag > 0.0 => {
                Ground { fill: tint(hues.ground, 0.3), line: None, is_wall: false }
            }
            TileKind { glyph, .. } if own.is_none() && (glyph == "." || glyph == " ") => {
                Ground { fill: None, line: None, is_wall: false }
            }
            TileKind { .. } => Ground { fill: tint(hues.ground, 0.12), line: None, is_wall: false },
        }
    }

    /// Returns the fill and the outline of obstacles. `kind` is the kind of tile with the obstacle,
    /// if any.
    pub fn obstacle(&self, kind: Option<&TileKind>) -> [Rgb; 2] {
        let own = kind.and_then(|kind| kind.color).filter(|_| self.has_colors).map(file_color);
        let rgb = own.unwrap_or(self.hues.obstacle);
        [mix(self.hues.background, rgb, 0.4), self.mark(rgb)]
    }

    /// Returns the colour of agents of a kind. `index` is the index of the kind in the scenario.
    pub fn agents(&self, kind: &AgentKind, index: usize) -> Rgb {
        let own = kind.color.filter(|_| self.has_colors).map(file_color);
        own.map_or_else(|| self.numbered(index), |own| self.mark(own))
    }

    /// Returns the colour of a mode or a group by its number.
    pub fn numbered(&self, index: usize) -> Rgb {
        self.mark(self.hues.agents[index % self.hues.agents.len()])
    }

    /// Returns the colour of the force vector of a behaviour.
    pub fn vector(&self, index: usize) -> Rgb {
        self.mark(self.hues.vectors[index % self.hues.vectors.len()])
    }

    /// Returns a colour with enough contrast for lines and discs.
    pub fn mark(&self, rgb: Rgb) -> Rgb {
        readable(rgb, self.hues.background, MARK * MARGIN)
    }

    /// Returns a colour with enough contrast for text.
    pub fn text(&self, rgb: Rgb) -> Rgb {
        readable(rgb, self.hues.background, self.hues.contrast * MARGIN)
    }

    /// Returns the colour of the heat map for a share from 0 to 1.
    pub fn heat(&self, share: f32) -> Rgb {
        mix(self.hues.background, self.hues.hit, 0.1 + 0.6 * share)
    }

    /// Returns the colours that frames can use besides those of the ground, for the palette of a film.
    pub fn moving(&self) -> Vec<Rgb> {
        let hues = self.hues;
        let marks = [hues.target, hues.path, hues.accent, hues.hit, hues.neighbour, hues.bright];
        let marks = marks.into_iter().map(|rgb| self.mark(rgb));
        let vectors = (0..hues.vectors.len()).map(|index| self.vector(index));
        let text = [hues.text, hues.dim].map(|rgb| self.text(rgb));
        marks.chain(vectors).chain(text).collect()
    }
}

/// Returns the colour of a disc's border: between the disc and the text colour.
pub fn border(fill: Rgb, style: &Style) -> Rgb {
    mix(fill, style.hues.text, 0.45)
}
