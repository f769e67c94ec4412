//! Settings of the screen.
//!
//! The command line takes precedence over the configuration file, and the file over the
//! environment. Each decision has a reason, which `tilewalk doctor` prints.

use ratatui::style::{Color, Modifier, Style};

use super::action::{self, Keymap, TABLE};
use super::clock::Speed;
use super::input::Key;
use super::overlays::{self, Overlays};
use super::query::Answer;
use super::theme::{self, Name, Theme};
use crate::color;
use crate::depth::{self, Decided, When};
use crate::files::config::{self, Bound, Config, ConfigSchema, OnReload};

/// Appearance options of the command line.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Value of the `--theme` option. `None` if the option is not set.
    pub theme: Option<Name>,
    /// Value of the `--color` option. `None` if the option is not set.
    pub color: Option<When>,
    /// Whether `--ascii` is set.
    pub ascii: bool,
}

/// A setting with the reason for its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision<T> {
    pub value: T,
    /// Short reason for the value, printed by `tilewalk doctor`.
    pub why: String,
    /// Whether the user chose the value. Answers of the terminal change only other values.
    pub is_chosen: bool,
}

impl<T> Decision<T> {
    pub(super) fn chosen(value: T, why: impl Into<String>) -> Self {
        Self { value, why: why.into(), is_chosen: true }
    }

    fn derived(value: T, why: impl Into<String>) -> Self {
        Self { value, why: why.into(), is_chosen: false }
    }
}

/// Appearance of the screen, from which a [`Theme`] is built.
#[derive(Debug, Clone, PartialEq)]
pub struct Looks {
    /// Name of the base theme.
    pub theme: Decision<Name>,
    /// Number of colours to use.
    pub color: Decided,
    /// Whether to use only ASCII characters.
    pub ascii: Decision<bool>,
    /// Whether the theme replaces the default colours of the terminal.
    pub background: bool,
    /// Styles that the configuration changes.
    changes: Vec<theme::StyleChange>,
}

impl Looks {
    /// Adapts the theme to the terminal's background, and the symbols to the width in which the
    /// terminal draws them. Values that the user chose stay.
    pub(super) fn adapt(&mut self, answer: Answer) {
        match answer {
            Answer::Background { is_light } if !self.theme.is_chosen => {
                let (name, word) =
                    if is_light { (Name::Light, "light") } else { (Name::Dark, "dark") };
                let why = format!("the terminal's background is {word}");
                self.theme = Decision::derived(name, why);
            }
            Answer::Symbols { are_wide: true } if !self.ascii.is_chosen => {
                self.ascii = Decision::derived(true, "the terminal draws wide symbols");
            }
            Answer::Background { .. } | Answer::Symbols { .. } | Answer::Last => {}
        }
    }

    /// Builds the theme with all configured changes.
    pub fn made(&self) -> Theme {
        let mut theme = Theme::changed(self.theme.value, self.color.depth, &self.changes);
        if !self.background {
            theme.screen = Style::new();
        }
        theme
    }
}

/// Settings of the screen at startup.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Theme, colours and character set.
    pub looks: Looks,
    /// Whether to capture the mouse.
    pub mouse: bool,
    /// Initial playback speed.
    pub speed: Speed,
    /// Initially visible overlays.
    pub overlays: Overlays,
    pub keymap: Keymap,
    /// Whether to poll map files instead of using file-system notifications.
    pub poll: bool,
    /// Reaction of the run to a changed map file.
    pub on_reload: OnReload,
    /// Error messages of the configuration file. `None` without errors.
    pub trouble: Option<String>,
}

impl Settings {
    /// Combines the command line, the configuration and the environment into settings. `trouble`
    /// contains the error messages of the configuration file. `variable` returns the value of an
    /// environment variable.
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

/// Returns the key bindings of the configuration. The keys are already validated.
fn keymap(config: &Config) -> Keymap {
    let keys = |keys: &[String]| keys.iter().filter_map(|key| key.parse::<Key>().ok()).collect();
    Keymap::with(config.keys.iter().map(|(name, each)| (*name, keys(each))).collect())
}

fn theme(
    config: &Config,
    asked: &Asked,
    variable: &impl Fn(&str) -> Option<String>,
) -> Decision<Name> {
    let configured = || config.theme.and_then(|word| word.parse().ok());
    if let Some(name) = asked.theme {
        return Decision::chosen(name, "set on the command line");
    }
    if let Some(name) = configured() {
        return Decision::chosen(name, "set in the configuration file");
    }
    // Some terminals set COLORFGBG to the indices of their text and background colours.
    let colors = variable("COLORFGBG");
    let background = colors.as_deref().and_then(|colors| colors.rsplit(';').next());
    match background {
        Some("7" | "15") => Decision::derived(Name::Light, "COLORFGBG reports a light background"),
        _ => Decision::derived(Name::Dark, "default"),
    }
}

fn ascii(
    config: &Config,
    asked: &Asked,
    variable: &impl Fn(&str) -> Option<String>,
) -> Decision<bool> {
    if asked.ascii {
        return Decision::chosen(true, "set on the command line");
    }
    if let Some(ascii) = config.ascii {
        return Decision::chosen(ascii, "set in the configuration file");
    }
    let (value, why) = depth::ascii(variable);
    Decision::derived(value, why)
}

/// Converts a configured style change.
fn patch(change: &config::StyleSetting) -> Style {
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

/// Returns the names, keys and speeds that a configuration file may contain.
pub fn config_schema() -> ConfigSchema {
    ConfigSchema {
        themes: Name::WORDS.to_vec(),
        styles: theme::STYLES.iter().map(|(name, _)| *name).collect(),
        overlays: overlays::TABLE.iter().map(|entry| entry.name).collect(),
        speeds: Speed::all().filter_map(Speed::factor).collect(),
        actions: TABLE.iter().map(bound).collect(),
        key: action::spelled,
    }
}

/// Converts a command to its description for the configuration reader.
fn bound(entry: &action::Command) -> Bound {
    Bound {
        name: entry.name,
        keys: entry.keys.iter().map(Key::to_string).collect(),
        places: entry.contexts().iter().map(|context| context.title()).collect(),
        needs_key: !entry.is_command(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(config: &Config, asked: &Asked, environment: &[(&str, &str)]) -> Looks {
        let variable = |name: &str| {
            let found = environment.iter().find(|(each, _)| *each == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Settings::of(config, asked, None, variable).looks
    }

    #[test]
    fn the_command_line_precedes_the_configuration_and_the_configuration_the_environment() {
        let config = Config {
            theme: Some("mono"),
            color: Some(When::Never),
            ascii: Some(false),
            ..Config::default()
        };
        let asked = Asked { theme: Some(Name::Light), color: Some(When::Always), ascii: true };
        let environment =
            [("TERM", "xterm-256color"), ("COLORFGBG", "0;15"), ("LANG", "de_DE.ISO-8859-1")];
        let summary = |looks: Looks| {
            (looks.theme.value.word(), looks.color.depth.word(), looks.ascii.value, looks.ascii.why)
        };
        let none = (Config::default(), Asked::default());
        assert_eq!(
            summary(looks(&config, &asked, &environment)),
            ("light", "256", true, "set on the command line".into())
        );
        let configured = looks(&config, &none.1, &environment);
        assert_eq!(configured.color.why, "as requested; source: configuration file");
        assert_eq!(
            summary(configured),
            ("mono", "none", false, "set in the configuration file".into())
        );
        let free = looks(&none.0, &none.1, &environment);
        assert_eq!(summary(free), ("light", "256", true, "LANG is de_DE.ISO-8859-1".into()));
        let bare = looks(&none.0, &none.1, &[]);
        assert_eq!(summary(bare), ("dark", "none", false, "no locale is set".into()));
        let utf8 =
            looks(&none.0, &none.1, &[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]);
        assert_eq!(utf8.ascii, Decision::derived(false, "LC_CTYPE is C.UTF-8"));
        let console = looks(&none.0, &none.1, &[("TERM", "linux"), ("LANG", "C.UTF-8")]);
        assert!(console.ascii.value);
    }

    #[test]
    fn answers_of_the_terminal_change_only_what_the_user_did_not_choose() {
        let adapted = |config: &Config, asked: &Asked| {
            let mut looks = looks(config, asked, &[("COLORFGBG", "15;0"), ("LANG", "C.UTF-8")]);
            looks.adapt(Answer::Background { is_light: true });
            looks.adapt(Answer::Symbols { are_wide: true });
            (looks.theme.value, looks.ascii.value)
        };
        let asked = Asked { theme: Some(Name::Mono), ..Asked::default() };
        let config = Config { ascii: Some(false), ..Config::default() };
        assert_eq!(adapted(&Config::default(), &Asked::default()), (Name::Light, true));
        assert_eq!(adapted(&Config::default(), &asked), (Name::Mono, true));
        assert_eq!(adapted(&config, &Asked::default()), (Name::Light, false));
    }

    #[test]
    fn configuration_changes_styles_and_background() {
        let change = config::StyleSetting {
            bold: Some(false),
            fg: Some(color::Color::Ansi(1)),
            ..config::StyleSetting::default()
        };
        let config = Config {
            styles: vec![("title", change)],
            background: Some(false),
            ..Config::default()
        };
        let theme =
            looks(&config, &Asked::default(), &[("COLORTERM", "truecolor"), ("TERM", "xterm")])
                .made();
        assert_eq!(theme.screen, Style::new());
        assert!(theme.title.fg.is_some() && !theme.title.add_modifier.contains(Modifier::BOLD));
    }
}
