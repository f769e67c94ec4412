//! Colour tables of the themes.
//!
//! All colours have at least the contrast [`Hues::contrast`] on the background. Borders and floor
//! are exceptions, because they are meant to be faint. `tests/it/screens/themes.rs` checks the
//! contrast.

use super::Rgb;

/// Declares [`Hues`] and the colour tables from one row for each colour.
macro_rules! hues {
    ($(
        $(#[$doc:meta])*
        $name:ident: $kind:ty = $dark:expr, $light:expr, $contrast:expr, $blind:expr;
    )*) => {
        /// The colours of a theme, by purpose.
        #[derive(Debug, PartialEq)]
        pub struct Hues {
            $($(#[$doc])* pub $name: $kind,)*
        }

        /// Light text on a dark background.
        pub const DARK: Hues = Hues { $($name: $dark,)* };
        /// Dark text on a light background.
        pub const LIGHT: Hues = Hues { $($name: $light,)* };
        /// White and strong colours on black. All text has a contrast of at least 7.
        pub const HIGH_CONTRAST: Hues = Hues { $($name: $contrast,)* };
        /// Colours that differ in lightness and on the blue-yellow axis, which most colour-blind
        /// users can distinguish.
        pub const COLOR_BLIND: Hues = Hues { $($name: $blind,)* };
    };
}

// The columns are the themes dark, light, high-contrast and color-blind.
hues! {
    /// Minimum contrast of text on its background.
    contrast: f32 = 4.5, 4.5, 7.0, 4.5;
    /// Background of the screen.
    background: Rgb = 0x12_141a, 0xfa_faf7, 0x00_0000, 0x12_141a;
    text: Rgb = 0xcf_d3dc, 0x2b_2f36, 0xff_ffff, 0xd6_d9e0;
    /// Secondary text, trails and previous tiles.
    dim: Rgb = 0x8d_93a0, 0x5f_6672, 0xd0_d0d0, 0x92_98a5;
    border: Rgb = 0x46_4c5a, 0xb4_b8c0, 0x9c_9c9c, 0x46_4c5a;
    floor: Rgb = 0x48_4d5a, 0xb8_bbc0, 0x80_8080, 0x48_4d5a;
    /// Titles, bars and feelers.
    accent: Rgb = 0x7f_b0e0, 0x1f_5fa8, 0x7f_d4ff, 0x7c_b4f5;
    /// Key names, warnings and events.
    key: Rgb = 0xe0_b060, 0x8a_5a00, 0xff_ff00, 0xff_d23f;
    /// Success and normal states.
    good: Rgb = 0x8f_bf87, 0x2f_6f2a, 0x6c_ff6c, 0x56_b4e9;
    /// Errors and quarantined agents.
    bad: Rgb = 0xf0_7178, 0xb3_202a, 0xff_9c9c, 0xe8_6a1c;
    /// Next tiles, headings and applied forces.
    bright: Rgb = 0xf5_d76e, 0x7a_4a00, 0xff_ff00, 0xff_f27a;
    /// Candidates for the next tile.
    open: Rgb = 0xa9_dc76, 0x2a_5f1c, 0x6c_ff6c, 0x8f_d0ff;
    /// Feeler hits, avoided obstacles and the heat map.
    hit: Rgb = 0xff_9e64, 0xb0_4208, 0xff_b347, 0xe8_6a1c;
    /// Steering targets.
    target: Rgb = 0xf2_9bc1, 0xa8_216b, 0xff_9ee0, 0xff_b0d8;
    neighbour: Rgb = 0xb7_9af7, 0x6a_3fb5, 0xd0_b0ff, 0xa4_5cff;
    path: Rgb = 0x63_c5bf, 0x0b_6a66, 0x5f_ffff, 0x3f_a0f0;
    /// Walkable tiles other than plain floor.
    ground: Rgb = 0xc8_a274, 0x75_5526, 0xff_c98a, 0xb0_8f45;
    /// Text and background of walls.
    wall: (Rgb, Rgb) =
        (0x9a_a1b0, 0x23_262e), (0x55_5a64, 0xdc_dee2), (0xff_ffff, 0x3a_3a3a), (0x94_9ba8, 0x23_262e);
    /// Text and background of water.
    water: (Rgb, Rgb) =
        (0x7c_c4f0, 0x12_3a74), (0x12_507f, 0xcf_e4f3), (0xc8_ecff, 0x00_3a6b), (0x8f_d0ff, 0x0f_3a74);
    obstacle: Rgb = 0x7f_b56e, 0x2f_6f2a, 0x6c_ff6c, 0xc8_f0b0;
    door: Rgb = 0xe0_956a, 0x9c_4610, 0xff_b37f, 0xff_c020;
    /// Background of pattern tiles.
    pattern: Rgb = 0x33_3a4c, 0xe4_e7ee, 0x30_3030, 0x33_3a4c;
    /// Background of next tiles, candidates and selected rows.
    next: Rgb = 0x45_4e66, 0xd4_dae6, 0x40_4040, 0x45_4e66;
    /// Colours of behaviour vectors, reused cyclically.
    vectors: [Rgb; 8] =
        [0xa0_d884, 0xd3_9ae0, 0xe0_b060, 0x63_c5bf, 0xf0_7178, 0x9f_a8f0, 0xc9_d68a, 0xff_9e64],
        [0x2f_7018, 0x8a_3aa0, 0x8a_5a00, 0x0b_6a66, 0xb3_202a, 0x3f_4fc0, 0x55_6800, 0xb0_4208],
        [0x6c_ff6c, 0xff_9ee0, 0xff_ff00, 0x5f_ffff, 0xff_9c9c, 0xb8_c0ff, 0xd8_ff8a, 0xff_b347],
        [0xc3_c3f0, 0xff_f00f, 0xd2_785a, 0xb4_69ff, 0xf0_f0d2, 0xb4_a500, 0xff_ff87, 0xff_2d96];
    /// Colours of agent kinds that define no colour, reused cyclically.
    agents: [Rgb; 8] =
        [0xff_d787, 0x87_d7ff, 0xaf_ff87, 0xff_afd7, 0xd7_afff, 0xff_af5f, 0x87_ffff, 0xff_8787],
        [0x80_5200, 0x00_5a96, 0x2c_6a00, 0xa8_216b, 0x6a_3fb5, 0xa5_4000, 0x00_656b, 0xb3_202a],
        [0xff_e08a, 0x87_d7ff, 0xaf_ff87, 0xff_afd7, 0xd7_b8ff, 0xff_b868, 0x87_ffff, 0xff_a0a0],
        [0xff_f00f, 0xc3_c3f0, 0xd2_785a, 0xf0_f0d2, 0xb4_69ff, 0xff_ff87, 0xb4_a500, 0xff_2d96];
}

/// RGB values of the 16 colour names in map files. The contrast is adjusted to each background.
pub const NAMED_COLORS: [Rgb; 16] = [
    0x00_0000, 0xcd_3131, 0x3f_a34d, 0xd7_af3f, 0x4a_7fe0, 0xb5_65c8, 0x35_a6b0, 0xb8_bcc4,
    0x80_8690, 0xff_6b6b, 0x7f_e08a, 0xff_e27a, 0x7f_b0ff, 0xe5_9af0, 0x7f_e6ea, 0xff_ffff,
];

/// Black and grey on white, for pictures of the theme without colours.
pub const PAPER: Hues = Hues {
    contrast: 4.5,
    background: 0xff_ffff,
    text: 0x00_0000,
    dim: 0x50_5050,
    border: 0xb0_b0b0,
    floor: 0xd0_d0d0,
    accent: 0x30_3030,
    key: 0x20_2020,
    good: 0x30_3030,
    bad: 0x00_0000,
    bright: 0x00_0000,
    open: 0x40_4040,
    hit: 0x00_0000,
    target: 0x20_2020,
    neighbour: 0x50_5050,
    path: 0x40_4040,
    ground: 0x60_6060,
    wall: (0x30_3030, 0xc8_c8c8),
    water: (0x50_5050, 0xe6_e6e6),
    obstacle: 0x40_4040,
    door: 0x50_5050,
    pattern: 0xe8_e8e8,
    next: 0xd8_d8d8,
    vectors: [
        0x00_0000, 0x50_5050, 0x30_3030, 0x6a_6a6a, 0x20_2020, 0x5c_5c5c, 0x40_4040, 0x70_7070,
    ],
    agents: [
        0x00_0000, 0x6e_6e6e, 0x3c_3c3c, 0x58_5858, 0x1e_1e1e, 0x74_7474, 0x2d_2d2d, 0x4a_4a4a,
    ],
};
