//! Colours of the themes: contrast by WCAG 2.2, colour blindness by the matrices of Machado, Oliveira
//! and Fernandes (2009), distance by CIE 1976.

use ratatui::style::{Color, Modifier, Style};
use tilewalk::agent::{AgentKind, Drive};
use tilewalk::body::Body;
use tilewalk::color;
use tilewalk::depth::Depth;
use tilewalk::geom::Vec2;
use tilewalk::map::Edges;
use tilewalk::tile::TileKind;
use tilewalk::tui::theme::{HEAT_LEVELS, Name, STYLES, Theme};

use crate::support::build;

/// The sixteen ANSI colours in xterm.
const SIXTEEN: [u32; 16] = [
    0x00_0000, 0xcd_0000, 0x00_cd00, 0xcd_cd00, 0x00_00ee, 0xcd_00cd, 0x00_cdcd, 0xe5_e5e5,
    0x7f_7f7f, 0xff_0000, 0x00_ff00, 0xff_ff00, 0x5c_5cff, 0xff_00ff, 0x00_ffff, 0xff_ffff,
];

const DEPTHS: [Depth; 3] = [Depth::Sixteen, Depth::Indexed, Depth::TrueColor];

/// Styles that may have low contrast.
const FAINT: [&str; 2] = ["border", "floor"];

type Linear = [f64; 3];

/// Returns the linear red, green and blue of a colour, each from 0 to 1.
fn linear(color: Color) -> Linear {
    let [red, green, blue] = match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(index @ 0..16) => {
            let [_, red, green, blue] = SIXTEEN[usize::from(index)].to_be_bytes();
            [red, green, blue]
        }
        Color::Indexed(index @ 16..232) => {
            let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let cube = index - 16;
            [step(cube / 36), step(cube / 6 % 6), step(cube % 6)]
        }
        Color::Indexed(index) => [8 + 10 * (index - 232); 3],
        other => panic!("{other:?} depends on the terminal"),
    };
    [red, green, blue].map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
    })
}

pub fn contrast(one: Color, other: Color) -> f64 {
    let luminance = |color| {
        let [red, green, blue] = linear(color);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns all styles of a theme with their names.
fn styles(theme: &Theme) -> Vec<(String, Style)> {
    let mut theme = theme.clone();
    let mut styles: Vec<_> = STYLES
        .iter()
        .map(|(name, _)| ((*name).to_owned(), *theme.style_mut(name).expect("a style")))
        .collect();
    styles.extend((0..8).map(|row| (format!("vector {row}"), theme.vector(row))));
    styles.extend((0..HEAT_LEVELS).map(|step| (format!("heat {step}"), theme.heat(step))));
    styles
}

/// Formats a style: its colours in hexadecimal and its modifiers.
fn describe(style: Style) -> String {
    let color = |color: Option<Color>| match color {
        Some(Color::Rgb(red, green, blue)) => format!("{red:02x}{green:02x}{blue:02x}"),
        None => String::new(),
        Some(other) => format!("{other:?}"),
    };
    let ground = if style.bg.is_some() { format!("/{}", color(style.bg)) } else { String::new() };
    let text = color(style.fg) + &ground;
    if style.add_modifier.is_empty() { text } else { format!("{text} {:?}", style.add_modifier) }
}

#[test]
fn the_colours_of_the_themes_match_the_snapshot() {
    let themes = Name::ALL.map(|name| styles(&Theme::of(name, Depth::TrueColor)));
    let mut table = format!("{:13}", "");
    table += &Name::WORDS.map(|word| format!("{word:28}")).concat();
    for row in 0..themes[0].len() {
        let cells = themes.each_ref().map(|styles| format!("{:28}", describe(styles[row].1)));
        let line = format!("{:13}{}", themes[0][row].0, cells.concat());
        table = format!("{table}\n{}", line.trim_end());
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("themes", table);
    });
}

/// An agent kind with the given colour.
fn agent(color: Option<color::Color>) -> AgentKind {
    let map = build::map(&["...".to_owned()], Edges::Wall);
    let mut scenario = build::scenario(map);
    build::add(&mut scenario, "a", Vec2::new(1.5, 0.5), Body::default(), Drive::Stand);
    AgentKind { color, ..scenario.kinds()[0].clone() }
}

#[test]
fn every_style_has_enough_contrast_to_its_background() {
    for name in Name::ALL.into_iter().filter(|&name| name != Name::Mono) {
        for depth in DEPTHS {
            let theme = Theme::of(name, depth);
            let (fg, bg) = (theme.screen.fg.expect("text"), theme.screen.bg.expect("a background"));
            // Several of the sixteen ANSI colours, such as red, do not reach a contrast of 7.
            let required =
                if name == Name::HighContrast && depth > Depth::Sixteen { 7.0 } else { 4.5 };
            for (style_name, style) in styles(&theme) {
                let found = contrast(style.fg.unwrap_or(fg), style.bg.unwrap_or(bg));
                let required = if FAINT.contains(&style_name.as_str()) { 1.5 } else { required };
                assert!(
                    found >= required - 0.02,
                    "{name} {} {style_name}: {found:.2}",
                    depth.word()
                );
            }
        }
    }
}

#[test]
fn every_colour_set_in_a_map_file_is_drawn_with_enough_contrast() {
    let words = (0..16).map(color::Color::Ansi);
    let others =
        [(0, 0, 0), (20, 22, 27), (0, 0, 255), (128, 128, 128), (255, 255, 255), (250, 250, 200)];
    let others = others.map(|(red, green, blue)| color::Color::Rgb(red, green, blue));
    let wall = TileKind { walk: false, opaque: true, ..TileKind::floor("#", "wall") };
    for color in words.chain(others).map(Some).chain([None]) {
        for name in Name::ALL.into_iter().filter(|&name| name != Name::Mono) {
            for depth in DEPTHS {
                let theme = Theme::of(name, depth);
                let screen = theme.screen.bg.expect("a background");
                for style in [
                    theme.agents(&agent(color), 3),
                    theme.tile(&TileKind { color, ..wall.clone() }),
                ] {
                    let found = contrast(style.fg.expect("a colour"), style.bg.unwrap_or(screen));
                    assert!(
                        found >= 4.45,
                        "{color:?} {name} {}: {found:.2} {style:?}",
                        depth.word()
                    );
                }
            }
        }
    }
}

/// Normal vision, severe protanopia and severe deuteranopia, as matrices for linear channels.
const BLINDNESS: [[[f64; 3]; 3]; 3] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
];

/// Returns a colour in CIE L*a*b* as seen with the given colour vision.
fn lab(color: Color, blindness: &[[f64; 3]; 3]) -> [f64; 3] {
    let from = linear(color);
    let [r, g, b] = blindness.map(|row| {
        let sum: f64 = row.iter().zip(from).map(|(share, channel)| share * channel).sum();
        sum.clamp(0.0, 1.0)
    });
    let f = |t: f64| if t > 0.008_856 { libm::cbrt(t) } else { 7.787 * t + 16.0 / 116.0 };
    let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.950_47);
    let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.088_83);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns the smallest distance between two colours over the three kinds of colour vision.
pub fn distance(one: Color, other: Color) -> f64 {
    let each = BLINDNESS.iter().map(|blindness| {
        let (one, other) = (lab(one, blindness), lab(other, blindness));
        one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    });
    each.fold(f64::INFINITY, f64::min)
}

fn closest(colors: &[(String, Color)]) -> (f64, String) {
    let mut closest = (f64::INFINITY, String::new());
    for (index, (style_name, one)) in colors.iter().enumerate() {
        for (other, color) in &colors[..index] {
            let distance = distance(*one, *color);
            if distance < closest.0 {
                closest = (distance, format!("{style_name} and {other}"));
            }
        }
    }
    closest
}

/// Groups of styles that have different meanings and are shown side by side.
const GROUPS: [&[&str]; 4] = [
    &["good", "warn", "bad"],
    &["wall", "water", "obstacle", "door", "rough"],
    &["target", "heading", "feeler", "hit", "neighbour"],
    &["dim", "key", "title", "bad"],
];

fn groups(theme: &Theme) -> Vec<Vec<(String, Color)>> {
    let mut theme = theme.clone();
    let mut color = |name: &&str| {
        let style = theme.style_mut(name).expect("a style");
        ((*name).to_owned(), style.fg.expect("a colour"))
    };
    let mut groups: Vec<Vec<_>> =
        GROUPS.iter().map(|names| names.iter().map(&mut color).collect()).collect();
    let uncoloured = agent(None);
    let agents = (0..8).map(|index| {
        (format!("agent {index}"), theme.agents(&uncoloured, index).fg.expect("a colour"))
    });
    let vectors =
        (0..8).map(|row| (format!("vector {row}"), theme.vector(row).fg.expect("a colour")));
    groups.extend([agents.collect(), vectors.collect()]);
    groups
}

#[test]
fn colours_of_the_colour_blind_theme_differ_for_colour_blind_users() {
    for depth in [Depth::Indexed, Depth::TrueColor] {
        for group in groups(&Theme::of(Name::ColorBlind, depth)) {
            let (found, which) = closest(&group);
            assert!(found >= 15.0, "{which} at {}: {found:.1}", depth.word());
        }
    }
    let dark: Vec<_> = groups(&Theme::of(Name::Dark, Depth::TrueColor))
        .iter()
        .map(|group| closest(group).0)
        .collect();
    assert!(
        dark.iter().any(|&found| found < 10.0),
        "the test detects a theme that is not made for colour blindness: {dark:?}"
    );
}

#[test]
fn without_colours_important_styles_have_modifiers() {
    for name in Name::ALL {
        let mut theme = Theme::of(name, Depth::None);
        assert_eq!(theme, Theme::of(Name::Mono, Depth::None), "{name}");
        for (style_name, style) in styles(&theme) {
            assert_eq!((style.fg, style.bg), (None, None), "{style_name}");
        }
        let red = TileKind { color: Some(color::Color::Ansi(1)), ..TileKind::floor("#", "wall") };
        assert_eq!(theme.tile(&red).fg, None);
        assert_eq!(theme.agents(&agent(Some(color::Color::Ansi(1))), 0).fg, None);
        let mut modifier = |name: &str| theme.style_mut(name).expect("a style").add_modifier;
        for important in [
            "strong",
            "title",
            "key",
            "chosen",
            "warn",
            "bad",
            "pattern",
            "next",
            "candidate",
            "target",
            "target_agent",
            "hit",
            "heading",
            "force",
            "neighbour",
            "selected",
            "driven",
            "agent",
            "quarantined",
        ] {
            assert_ne!(modifier(important), Modifier::empty(), "{important}");
        }
        // These styles also differ from each other on an agent, which is drawn in bold.
        let overlaid = ["agent", "selected", "driven", "target_agent"]
            .map(|name| modifier(name) | Modifier::BOLD);
        for (index, one) in overlaid.iter().enumerate() {
            assert!(!overlaid[..index].contains(one), "{overlaid:?}");
        }
    }
}

#[test]
fn patterns_are_visible_at_every_colour_depth() {
    for name in Name::ALL {
        for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::TrueColor] {
            let theme = Theme::of(name, depth);
            let plain = theme.pattern.bg.is_none() || theme.pattern.bg == theme.screen.bg;
            let visible = !plain || theme.pattern.add_modifier == Modifier::UNDERLINED;
            assert!(visible, "{name} {}: {:?}", depth.word(), theme.pattern);
        }
    }
}

#[test]
fn a_changed_style_is_reduced_to_the_colour_depth_of_the_terminal() {
    let change =
        [("border", Style::new().fg(Color::Rgb(0xff, 0x87, 0)).add_modifier(Modifier::BOLD))];
    let changed = |depth| Theme::changed(Name::Dark, depth, &change).border;
    assert_eq!(changed(Depth::TrueColor), change[0].1);
    assert_eq!(changed(Depth::Indexed).fg, Some(Color::Indexed(208)));
    assert_eq!(changed(Depth::Sixteen).fg, Some(Color::Indexed(3)));
    assert_eq!(changed(Depth::None), Style::new().add_modifier(Modifier::BOLD));
}
