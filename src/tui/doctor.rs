//! The part of `tilewalk doctor` about the terminal UI: terminal, appearance and configuration.

use ratatui::crossterm::terminal::size;

use super::glyph::ascii;
use super::settings::Settings;
use super::theme::Name;
use crate::config_file::ConfigLocation;
use crate::depth::Depth;

/// One entry of the report: a label and its text.
pub type Finding = (&'static str, String);

/// Describes the terminal, the settings of the screen and the configuration file at `place`.
pub fn findings(settings: &Settings, place: &ConfigLocation) -> Vec<Finding> {
    let looks = &settings.looks;
    let term = std::env::var_os("TERM").map(|term| term.to_string_lossy().into_owned());
    let term = term.filter(|term| !term.is_empty()).unwrap_or_else(|| "TERM is not set".to_owned());
    let size = match size() {
        Ok((width, height)) => format!("{width} x {height}"),
        Err(_) => "size unknown".to_owned(),
    };
    let theme = &looks.theme;
    let colourless = looks.color.depth == Depth::None && theme.value != Name::Mono;
    let note = if colourless { ", shown as mono" } else { "" };
    let theme = format!("{}{note}: {}", theme.value, theme.why);
    let symbols = if looks.ascii.value { "ASCII" } else { "Unicode" };
    let mouse = if settings.mouse {
        "captured by tilewalk; `m` releases the mouse"
    } else {
        "not captured; `m` captures the mouse"
    };
    let config = match place {
        ConfigLocation::Nowhere(why) => format!("none: {why}"),
        ConfigLocation::Usual(path) if !path.exists() => format!("{}: not found", path.display()),
        ConfigLocation::Usual(path) => format!("{}: {}", path.display(), load_state(settings)),
        ConfigLocation::Named(path, source) => {
            format!("{} ({source}): {}", path.display(), load_state(settings))
        }
    };
    let trouble = settings.trouble.clone().unwrap_or_default();
    let findings = vec![
        ("terminal", format!("{term}, {size}")),
        ("colours", format!("{}: {}", looks.color.depth.word(), looks.color.why)),
        ("theme", theme),
        ("symbols", format!("{symbols}: {}", looks.ascii.why)),
        ("mouse", mouse.to_owned()),
        ("updates", "synchronized output, if the terminal supports it".to_owned()),
        ("config", format!("{config}\n{trouble}")),
    ];
    let spelled = |text: String| if looks.ascii.value { ascii::spelled(&text) } else { text };
    findings.into_iter().map(|(label, text)| (label, spelled(text))).collect()
}

fn load_state(settings: &Settings) -> &'static str {
    if settings.trouble.is_some() { "has errors; defaults are used" } else { "loaded" }
}
