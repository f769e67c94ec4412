//! Selects the number of colours and the character set of the terminal.
//!
//! The user's choice, the environment and the terminal name decide the colours. The locale decides
//! the characters.
//!
//! For colours, the module follows two conventions that many programs share: `NO_COLOR`
//! (<https://no-color.org>) and `CLICOLOR_FORCE` (<https://bixense.com/clicolors>).

pub use crate::files::config::{Depth, UnknownWhen, When};

/// The selected number of colours, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Selected colour depth.
    pub depth: Depth,
    /// Reason for the selection, such as `NO_COLOR is set`.
    pub why: String,
}

/// Selects the colour depth for a stream. `variable` returns the value of an environment variable.
/// `is_terminal` is true if the stream is a terminal.
pub fn decide(
    asked: When,
    variable: impl Fn(&str) -> Option<String>,
    is_terminal: bool,
) -> Decided {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let because = |depth, why: &str| Decided { depth, why: why.to_owned() };
    let able = terminal_has(&set);
    let at_least = |why: &str| {
        let why = format!("{why}; {}", able.why);
        Decided { depth: able.depth.max(Depth::Sixteen), why }
    };
    match asked {
        When::Never => return because(Depth::None, "as requested"),
        When::Exactly(depth) => return because(depth, "as requested"),
        When::Always => return at_least("as requested"),
        When::Auto => {}
    }
    if set("NO_COLOR").is_some() {
        because(Depth::None, "NO_COLOR is set")
    } else if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        at_least("CLICOLOR_FORCE is set")
    } else if set("CLICOLOR").as_deref() == Some("0") {
        because(Depth::None, "CLICOLOR is 0")
    } else if !is_terminal {
        because(Depth::None, "not a terminal")
    } else {
        able
    }
}

/// Returns whether the terminal can show only ASCII characters. Also returns the reason as text.
/// `variable` returns the value of an environment variable.
pub fn ascii(variable: impl Fn(&str) -> Option<String>) -> (bool, String) {
    if variable("TERM").as_deref() == Some("linux") {
        return (true, "the Linux console cannot show Braille".to_owned());
    }
    let set = |name: &&str| variable(name).is_some_and(|value| !value.is_empty());
    let Some(name) = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set) else {
        return (false, "no locale is set".to_owned());
    };
    let locale = variable(name).unwrap_or_default();
    let lower = locale.to_lowercase();
    (!lower.contains("utf-8") && !lower.contains("utf8"), format!("{name} is {locale}"))
}

/// Substrings of `TERM` that identify terminals with RGB colours.
const TRUE_COLOR: [&str; 7] =
    ["alacritty", "contour", "foot", "kitty", "wezterm", "ghostty", "direct"];

/// Prefixes of `TERM` that identify terminals without colours.
const NONE: [&str; 5] = ["dumb", "unknown", "vt52", "vt1", "vt2"];

/// Returns the colour depth of the terminal, and the reason for it. The depth is derived from
/// `TERM` and `COLORTERM`.
fn terminal_has(set: &impl Fn(&str) -> Option<String>) -> Decided {
    let decided = |depth, why: String| Decided { depth, why };
    let Some(term) = set("TERM") else {
        return decided(Depth::None, "TERM is not set".to_owned());
    };
    let named = format!("TERM is {term}");
    if NONE.iter().any(|name| term.starts_with(name)) {
        return decided(Depth::None, named);
    }
    // The Linux console and GNU screen inherit the COLORTERM of another terminal.
    let plain = term == "linux" || (term.starts_with("screen") && set("TMUX").is_none());
    let claims = set("COLORTERM").filter(|value| value == "truecolor" || value == "24bit");
    if let (Some(value), false) = (claims, plain) {
        return decided(Depth::TrueColor, format!("COLORTERM is {value}"));
    }
    if TRUE_COLOR.iter().any(|name| term.contains(name)) {
        decided(Depth::TrueColor, named)
    } else if term.contains("256") {
        decided(Depth::Indexed, named)
    } else {
        decided(Depth::Sixteen, named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(asked: &str, environment: &[(&str, &str)], is_terminal: bool, expected: &str) {
        let variable = |name: &str| {
            let found = environment.iter().find(|(each, _)| *each == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let decided = decide(asked.parse().expect("a word"), variable, is_terminal);
        let told = format!("{}: {}", decided.depth.word(), decided.why);
        assert_eq!(told, expected, "{asked} {environment:?}");
    }

    #[test]
    fn the_option_takes_precedence_over_the_environment_and_the_terminal() {
        let xterm = ("TERM", "xterm-256color");
        check("never", &[xterm, ("CLICOLOR_FORCE", "1")], true, "none: as requested");
        check("16", &[xterm, ("NO_COLOR", "1")], false, "16: as requested");
        check("truecolor", &[], false, "truecolor: as requested");
        check(
            "always",
            &[xterm, ("NO_COLOR", "1")],
            false,
            "256: as requested; TERM is xterm-256color",
        );
        check("always", &[("TERM", "dumb")], true, "16: as requested; TERM is dumb");
        check(
            "auto",
            &[xterm, ("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")],
            true,
            "none: NO_COLOR is set",
        );
        check("auto", &[xterm, ("NO_COLOR", "")], true, "256: TERM is xterm-256color");
        check(
            "auto",
            &[xterm, ("CLICOLOR_FORCE", "1")],
            false,
            "256: CLICOLOR_FORCE is set; TERM is xterm-256color",
        );
        check("auto", &[xterm, ("CLICOLOR_FORCE", "0")], false, "none: not a terminal");
        check("auto", &[xterm, ("CLICOLOR", "0")], true, "none: CLICOLOR is 0");
    }

    #[test]
    fn terminals_are_recognised_by_their_variables() {
        check("auto", &[], true, "none: TERM is not set");
        check("auto", &[("TERM", "dumb"), ("COLORTERM", "truecolor")], true, "none: TERM is dumb");
        check("auto", &[("TERM", "vt100")], true, "none: TERM is vt100");
        check("auto", &[("TERM", "linux"), ("COLORTERM", "truecolor")], true, "16: TERM is linux");
        check("auto", &[("TERM", "xterm")], true, "16: TERM is xterm");
        check(
            "auto",
            &[("TERM", "xterm"), ("COLORTERM", "24bit")],
            true,
            "truecolor: COLORTERM is 24bit",
        );
        check("auto", &[("TERM", "xterm-kitty")], true, "truecolor: TERM is xterm-kitty");
        check(
            "auto",
            &[("TERM", "screen"), ("COLORTERM", "truecolor")],
            true,
            "16: TERM is screen",
        );
        check(
            "auto",
            &[("TERM", "screen-256color"), ("COLORTERM", "truecolor"), ("TMUX", "x")],
            true,
            "truecolor: COLORTERM is truecolor",
        );
        check("auto", &[("TERM", "tmux-256color")], true, "256: TERM is tmux-256color");
    }
}
