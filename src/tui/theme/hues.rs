//! Colour tables of the themes.
//!
//! All colours have the theme's [`Hues::contrast`] on the background, except borders and floor,
//! which are meant to be faint. `tests/it/screens/themes.rs` checks the contrast.

use super::mapping::Rgb;

/// The colours of a theme, by purpose.
#[derive(Debug, PartialEq)]
pub struct Hues {
    /// Minimum contrast of text on its background.
    pub contrast: f32,
    /// Background of the screen.
    pub background: Rgb,
    pub text: Rgb,
    /// Secondary text, trails and previous tiles.
    pub dim: Rgb,
    pub border: Rgb,
    pub floor: Rgb,
    /// Titles, bars and feelers.
    pub accent: Rgb,
    /// Key names, warnings and events.
    pub key: Rgb,
    /// Success and normal states.
    pub good: Rgb,
    /// Errors and quarantined agents.
    pub bad: Rgb,
    /// Next tiles, headings and applied forces.
    pub bright: Rgb,
    /// Candidates for the next tile.
    pub open: Rgb,
    /// Feeler hits, avoided obstacles and the heat map.
    pub hit: Rgb,
    /// Steering targets.
    pub target: Rgb,
    pub neighbour: Rgb,
    pub path: Rgb,
    /// Walkable tiles other than plain floor.
    pub ground: Rgb,
    /// Text and background of walls.
    pub wall: (Rgb, Rgb),
    /// Text and background of water.
    pub water: (Rgb, Rgb),
    pub obstacle: Rgb,
    pub door: Rgb,
    /// Background of pattern tiles.
    pub pattern: Rgb,
    /// Background of next tiles, candidates and selected rows.
    pub next: Rgb,
    /// Colours of behaviour vectors, reused cyclically.
    pub vectors: [Rgb; 8],
    /// Colours of agent kinds that define no colour, reused cyclically.
    pub agents: [Rgb; 8],
}

/// Light text on a dark background.
pub const DARK: Hues = Hues {
    contrast: 4.5,
    background: 0x12_141a,
    text: 0xcf_d3dc,
    dim: 0x8d_93a0,
    border: 0x46_4c5a,
    floor: 0x48_4d5a,
    accent: 0x7f_b0e0,
    key: 0xe0_b060,
    good: 0x8f_bf87,
    bad: 0xf0_7178,
    bright: 0xf5_d76e,
    open: 0xa9_dc76,
    hit: 0xff_9e64,
    target: 0xf2_9bc1,
    neighbour: 0xb7_9af7,
    path: 0x63_c5bf,
    ground: 0xc8_a274,
    wall: (0x9a_a1b0, 0x23_262e),
    water: (0x7c_c4f0, 0x12_3a74),
    obstacle: 0x7f_b56e,
    door: 0xe0_956a,
    pattern: 0x33_3a4c,
    next: 0x45_4e66,
    vectors: [
        0xa0_d884, 0xd3_9ae0, 0xe0_b060, 0x63_c5bf, 0xf0_7178, 0x9f_a8f0, 0xc9_d68a, 0xff_9e64,
    ],
    agents: [
        0xff_d787, 0x87_d7ff, 0xaf_ff87, 0xff_afd7, 0xd7_afff, 0xff_af5f, 0x87_ffff, 0xff_8787,
    ],
};

/// Dark text on a light background.
pub const LIGHT: Hues = Hues {
    contrast: 4.5,
    background: 0xfa_faf7,
    text: 0x2b_2f36,
    dim: 0x5f_6672,
    border: 0xb4_b8c0,
    floor: 0xb8_bbc0,
    accent: 0x1f_5fa8,
    key: 0x8a_5a00,
    good: 0x2f_6f2a,
    bad: 0xb3_202a,
    bright: 0x7a_4a00,
    open: 0x2a_5f1c,
    hit: 0xb0_4208,
    target: 0xa8_216b,
    neighbour: 0x6a_3fb5,
    path: 0x0b_6a66,
    ground: 0x75_5526,
    wall: (0x55_5a64, 0xdc_dee2),
    water: (0x12_507f, 0xcf_e4f3),
    obstacle: 0x2f_6f2a,
    door: 0x9c_4610,
    pattern: 0xe4_e7ee,
    next: 0xd4_dae6,
    vectors: [
        0x2f_7018, 0x8a_3aa0, 0x8a_5a00, 0x0b_6a66, 0xb3_202a, 0x3f_4fc0, 0x55_6800, 0xb0_4208,
    ],
    agents: [
        0x80_5200, 0x00_5a96, 0x2c_6a00, 0xa8_216b, 0x6a_3fb5, 0xa5_4000, 0x00_656b, 0xb3_202a,
    ],
};

/// White and strong colours on black. All text has a contrast of at least 7.
pub const HIGH_CONTRAST: Hues = Hues {
    contrast: 7.0,
    background: 0x00_0000,
    text: 0xff_ffff,
    dim: 0xd0_d0d0,
    border: 0x9c_9c9c,
    floor: 0x80_8080,
    accent: 0x7f_d4ff,
    key: 0xff_ff00,
    good: 0x6c_ff6c,
    bad: 0xff_9c9c,
    bright: 0xff_ff00,
    open: 0x6c_ff6c,
    hit: 0xff_b347,
    target: 0xff_9ee0,
    neighbour: 0xd0_b0ff,
    path: 0x5f_ffff,
    ground: 0xff_c98a,
    wall: (0xff_ffff, 0x3a_3a3a),
    water: (0xc8_ecff, 0x00_3a6b),
    obstacle: 0x6c_ff6c,
    door: 0xff_b37f,
    pattern: 0x30_3030,
    next: 0x40_4040,
    vectors: [
        0x6c_ff6c, 0xff_9ee0, 0xff_ff00, 0x5f_ffff, 0xff_9c9c, 0xb8_c0ff, 0xd8_ff8a, 0xff_b347,
    ],
    agents: [
        0xff_e08a, 0x87_d7ff, 0xaf_ff87, 0xff_afd7, 0xd7_b8ff, 0xff_b868, 0x87_ffff, 0xff_a0a0,
    ],
};

/// Colours that differ in lightness and on the blue-yellow axis, which most colour-blind users can
/// distinguish.
pub const COLOR_BLIND: Hues = Hues {
    contrast: 4.5,
    background: 0x12_141a,
    text: 0xd6_d9e0,
    dim: 0x92_98a5,
    border: 0x46_4c5a,
    floor: 0x48_4d5a,
    accent: 0x7c_b4f5,
    key: 0xff_d23f,
    good: 0x56_b4e9,
    bad: 0xe8_6a1c,
    bright: 0xff_f27a,
    open: 0x8f_d0ff,
    hit: 0xe8_6a1c,
    target: 0xff_b0d8,
    neighbour: 0xa4_5cff,
    path: 0x3f_a0f0,
    ground: 0xb0_8f45,
    wall: (0x94_9ba8, 0x23_262e),
    water: (0x8f_d0ff, 0x0f_3a74),
    obstacle: 0xc8_f0b0,
    door: 0xff_c020,
    pattern: 0x33_3a4c,
    next: 0x45_4e66,
    vectors: [
        0xc3_c3f0, 0xff_f00f, 0xd2_785a, 0xb4_69ff, 0xf0_f0d2, 0xb4_a500, 0xff_ff87, 0xff_2d96,
    ],
    agents: [
        0xff_f00f, 0xc3_c3f0, 0xd2_785a, 0xf0_f0d2, 0xb4_69ff, 0xff_ff87, 0xb4_a500, 0xff_2d96,
    ],
};

/// RGB values of the 16 colour names in map files. The contrast is adjusted to each background.
pub const NAMED_COLORS: [Rgb; 16] = [
    0x00_0000, 0xcd_3131, 0x3f_a34d, 0xd7_af3f, 0x4a_7fe0, 0xb5_65c8, 0x35_a6b0, 0xb8_bcc4,
    0x80_8690, 0xff_6b6b, 0x7f_e08a, 0xff_e27a, 0x7f_b0ff, 0xe5_9af0, 0x7f_e6ea, 0xff_ffff,
];
