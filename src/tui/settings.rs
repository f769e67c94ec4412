//! Settings of the screen, from the command line, the configuration and the environment, in this
//! order.
//!
//! Each decision comes with a reason, which `tilewalk doctor` prints.

use ratatui::style::{Color, Modifier, Style};

use super::action::{self, Keymap, TABLE};
use super::clock::Speed;
use super::input::Key;
use super::overlays::{self, Overlays};
use super::theme::{self, Name, Theme};
use crate::color;
use crate::depth::{self, Decided, When};
use crate::files::config::{self, Bound, Config, OnReload, Vocabulary};

/// What the command line asks for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// A theme.
    pub theme: Option<Name>,
    /// So many colours.
    pub color: Option<When>,
    /// ASCII alone.
    pub ascii: bool,
}

/// A decision, and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason<T> {
    /// What was decided.
    pub value: T,
    /// Why, in a few words.
    pub why: String,
}

fn because<T>(value: T, why: impl Into<String>) -> Reason<T> {
    Reason { value, why: why.into() }
}

/// All that a theme is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Looks {
    /// The theme.
    pub theme: Reason<Name>,
    /// How many colours there are.
    pub color: Decided,
    /// ASCII alone?
    pub ascii: Reason<bool>,
    /// Has the screen a ground of its own?
    pub background: bool,
    changes: Vec<theme::Change>,
}

impl Looks {
    /// The theme as it is to be shown.
    pub fn made(&self) -> Theme {
        let mut made = Theme::changed(self.theme.value, self.color.depth, &self.changes);
        if !self.background {
            made.screen = Style::new();
        }
        made
    }
}

/// How the screen looks and begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Its looks.
    pub looks: Looks,
    /// Does the mouse belong to it?
    pub mouse: bool,
    /// How fast time runs.
    pub speed: Speed,
    /// The layers over the map.
    pub overlays: Overlays,
    /// Which keys ask for what.
    pub keymap: Keymap,
    /// Are files looked at now and then, whatever the system tells?
    pub poll: bool,
    /// What becomes of the run when a file of its map was saved.
    pub on_reload: OnReload,
    /// What was wrong with the configuration, in words.
    pub trouble: Option<String>,
}

impl Settings {
    /// Decides. `variable` looks into the environment.
    pub fn of(
        config: &Config,
        asked: &Asked,
        trouble: Option<String>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let mut color = match (asked.color, config.color) {
            (Some(when), _) => depth::decide(when, &variable, true),
            (None, when) => depth::decide(when.unwrap_or_default(), &variable, true),
        };
        if asked.color.is_none() && config.color.is_some_and(|when| when != When::Auto) {
            color.why.push_str("; source: configuration file");
        }
        let changes = config.styles.iter().map(|(name, change)| (*name, patch(change)));
        let looks = Looks {
            theme: theme(config, asked, &variable),
            color,
            ascii: ascii(config, asked, &variable),
            background: config.background.unwrap_or(true),
            changes: changes.collect(),
        };
        let speed = config.speed.map(|speed| match speed {
            config::Speed::Factor(factor) => {
                Speed::all().find(|speed| speed.factor() == Some(factor)).unwrap_or_default()
            }
            config::Speed::Max => Speed::MAX,
        });
        Self {
            looks,
            mouse: config.mouse.unwrap_or(true),
            speed: speed.unwrap_or_default(),
            overlays: config.overlays.as_deref().map_or_else(Overlays::default, Overlays::named),
            keymap: keymap(config),
            poll: config.poll.unwrap_or(false),
            on_reload: config.on_reload.unwrap_or_default(),
            trouble,
        }
    }
}

/// The keys a configuration asks for; it has been read, so each of them is one.
fn keymap(config: &Config) -> Keymap {
    let keys = |keys: &[String]| keys.iter().filter_map(|key| key.parse::<Key>().ok()).collect();
    Keymap::with(config.keys.iter().map(|(name, each)| (*name, keys(each))).collect())
}

fn theme(
    config: &Config,
    asked: &Asked,
    variable: &impl Fn(&str) -> Option<String>,
) -> Reason<Name> {
    let configured = || config.theme.and_then(|word| word.parse().ok());
    if let Some(name) = asked.theme {
        return because(name, "set on the command line");
    }
    if let Some(name) = configured() {
        return because(name, "set in the configuration file");
    }
    // Some terminals tell the colours of their text and of their ground, by number.
    let ground = variable("COLORFGBG");
    let ground = ground.as_deref().and_then(|colors| colors.rsplit(';').next());
    match ground {
        Some("7" | "15") => because(Name::Light, "COLORFGBG reports a light background"),
        _ => because(Name::Dark, "default"),
    }
}

fn ascii(
    config: &Config,
    asked: &Asked,
    variable: &impl Fn(&str) -> Option<String>,
) -> Reason<bool> {
    if asked.ascii {
        return because(true, "set on the command line");
    }
    if let Some(ascii) = config.ascii {
        return because(ascii, "set in the configuration file");
    }
    if variable("TERM").as_deref() == Some("linux") {
        return because(true, "the Linux console cannot show Braille");
    }
    let set = |name: &&str| variable(name).is_some_and(|value| !value.is_empty());
    let Some(name) = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set) else {
        return because(false, "no locale is set");
    };
    let locale = variable(name).unwrap_or_default();
    let lower = locale.to_lowercase();
    because(!lower.contains("utf-8") && !lower.contains("utf8"), format!("{name} is {locale}"))
}

/// A change of a style, as the screen takes it.
fn patch(change: &config::Change) -> Style {
    let color = |color| match color {
        color::Color::Ansi(index) => Color::Indexed(index),
        color::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    };
    let flags = [
        (change.bold, Modifier::BOLD),
        (change.italic, Modifier::ITALIC),
        (change.underlined, Modifier::UNDERLINED),
        (change.reversed, Modifier::REVERSED),
    ];
    let plain = Style { fg: change.fg.map(color), bg: change.bg.map(color), ..Style::new() };
    flags.into_iter().fold(plain, |style, (flag, modifier)| match flag {
        Some(true) => style.add_modifier(modifier),
        Some(false) => style.remove_modifier(modifier),
        None => style,
    })
}

/// The words a configuration may use.
pub fn vocabulary() -> Vocabulary {
    Vocabulary {
        themes: Name::WORDS.to_vec(),
        styles: theme::STYLES.iter().map(|(name, _)| *name).collect(),
        overlays: overlays::TABLE.iter().map(|entry| entry.name).collect(),
        speeds: Speed::all().filter_map(Speed::factor).collect(),
        actions: TABLE.iter().map(bound).collect(),
        key: action::spelled,
    }
}

/// A row of the table of actions, as the configuration may speak of it.
fn bound(entry: &action::Command) -> Bound {
    Bound {
        name: entry.name,
        keys: entry.keys.iter().map(Key::to_string).collect(),
        places: entry.contexts.iter().map(|context| context.title()).collect(),
        needs_key: !entry.is_command(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(config: &Config, asked: &Asked, environment: &[(&str, &str)]) -> Looks {
        let variable = |name: &str| {
            let found = environment.iter().find(|(each, _)| *each == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Settings::of(config, asked, None, variable).looks
    }

    #[test]
    fn the_command_line_comes_before_the_configuration_and_that_before_the_environment() {
        let config = Config {
            theme: Some("mono"),
            color: Some(When::Never),
            ascii: Some(false),
            ..Config::default()
        };
        let asked = Asked { theme: Some(Name::Light), color: Some(When::Always), ascii: true };
        let environment =
            [("TERM", "xterm-256color"), ("COLORFGBG", "0;15"), ("LANG", "de_DE.ISO-8859-1")];
        let told = |looks: Looks| {
            (looks.theme.value.word(), looks.color.depth.word(), looks.ascii.value, looks.ascii.why)
        };
        let none = (Config::default(), Asked::default());
        assert_eq!(
            told(decided(&config, &asked, &environment)),
            ("light", "256", true, "set on the command line".into())
        );
        let configured = decided(&config, &none.1, &environment);
        assert_eq!(configured.color.why, "as requested; source: configuration file");
        assert_eq!(
            told(configured),
            ("mono", "none", false, "set in the configuration file".into())
        );
        let free = decided(&none.0, &none.1, &environment);
        assert_eq!(told(free), ("light", "256", true, "LANG is de_DE.ISO-8859-1".into()));
        let bare = decided(&none.0, &none.1, &[]);
        assert_eq!(told(bare), ("dark", "none", false, "no locale is set".into()));
        let utf8 =
            decided(&none.0, &none.1, &[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]);
        assert_eq!(utf8.ascii, because(false, "LC_CTYPE is C.UTF-8"));
        let console = decided(&none.0, &none.1, &[("TERM", "linux"), ("LANG", "C.UTF-8")]);
        assert!(console.ascii.value);
    }

    #[test]
    fn styles_are_changed_and_the_ground_can_be_the_terminals() {
        let change = config::Change {
            bold: Some(false),
            fg: Some(color::Color::Ansi(1)),
            ..config::Change::default()
        };
        let config = Config {
            styles: vec![("title", change)],
            background: Some(false),
            ..Config::default()
        };
        let theme =
            decided(&config, &Asked::default(), &[("COLORTERM", "truecolor"), ("TERM", "xterm")])
                .made();
        assert_eq!(theme.screen, Style::new());
        assert!(theme.title.fg.is_some() && !theme.title.add_modifier.contains(Modifier::BOLD));
    }
}
