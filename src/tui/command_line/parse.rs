//! Parses the command line.

use std::path::Path;

use crate::files::{keys::old_names, show};
use crate::tui::action::{
    Action, Command, Context, FEATURES, Invocation, Keymap, Parameter, TABLE, commands, conditions,
    matches, mistyped, nearest,
};
use crate::tui::argument::{Argument, ArgumentKind, Complaint};
use crate::tui::gallery;

use super::Scene;

/// The parts of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Number of bytes before the name.
    pub begin: usize,
    /// The command name, possibly incomplete.
    pub name: &'a str,
    /// Number of bytes before the argument. `None` if no space follows the name.
    pub argument: Option<usize>,
}

/// Splits a line. Leading colons and spaces are ignored.
pub fn parts(text: &str) -> Parts<'_> {
    let rest = text.trim_start_matches(|c: char| c == ':' || c.is_whitespace());
    let begin = text.len() - rest.len();
    let name = rest.split(char::is_whitespace).next().unwrap_or_default();
    let behind = &rest[name.len()..];
    let argument = behind.starts_with(char::is_whitespace).then(|| {
        let gap = behind.len() - behind.trim_start().len();
        begin + name.len() + gap
    });
    Parts { begin, name, argument }
}

/// Parses a line. Returns `None` for an empty line.
///
/// # Errors
/// Returns an error if the line is not a valid command.
pub fn parse(text: &str, scene: Scene) -> Result<Option<Invocation>, Complaint> {
    let Parts { begin, name, argument } = parts(text);
    if name.is_empty() {
        return Ok(None);
    }
    if let Some(goto) = frame(text[begin..].trim_end(), scene) {
        return Ok(Some(goto));
    }
    let found = match find(name, scene) {
        // Without a command, all words are a search.
        Err(_) if argument.is_some() && !is_known(name, scene) => {
            let typed = text[begin..].trim_end();
            Err((typed.len(), unknown(typed, &commands(scene.context))))
        }
        found => found.map_err(|text| (name.len(), text)),
    };
    let entry = found.map_err(|(length, text)| Complaint { span: begin..begin + length, text })?;
    let entry = if name == "save" && is_picture(&text[argument.unwrap_or(text.len())..]) {
        // `:save picture.svg` is the old form of `:screenshot picture.svg`.
        find("screenshot", scene).unwrap_or(entry)
    } else {
        entry
    };
    let at = argument.unwrap_or(text.len());
    let argument = text[at..].trim_end();
    let span = at..at + argument.len();
    let kind = match (entry.parameter, argument.is_empty()) {
        (Parameter::None | Parameter::Optional(_), true) => return Ok(Some(entry.action.into())),
        (Parameter::None, false) => {
            let text = format!("`{}` takes no argument", entry.name);
            return Err(Complaint { span, text });
        }
        (Parameter::Required(kind), true) => {
            let text = format!("`{}` needs {}", entry.name, kind.wanted());
            return Err(Complaint { span: span.end..span.end, text });
        }
        (Parameter::Optional(kind) | Parameter::Required(kind), false) => kind,
    };
    let read = if kind == ArgumentKind::Map {
        gallery::find(scene.maps, argument)
            .map(Argument::Map)
            .map_err(|text| Complaint { span: 0..argument.len(), text })
    } else {
        kind.read(argument, scene.world)
    };
    let shifted =
        |Complaint { span, text }| Complaint { span: span.start + at..span.end + at, text };
    let argument = Some(read.map_err(shifted)?);
    Ok(Some(Invocation { action: entry.action, argument }))
}

/// Returns true if a path can be that of a screenshot, because it is not that of a map.
fn is_picture(path: &str) -> bool {
    let path = Path::new(path.trim_end());
    path.file_name().is_some() && path.extension().is_none_or(|it| !it.eq_ignore_ascii_case("toml"))
}

/// Returns true if `name` begins the name of a command, in any context.
fn is_known(name: &str, scene: Scene) -> bool {
    TABLE.iter().any(|row| row.name == name)
        || commands(scene.context).iter().any(|row| row.name.starts_with(name))
}

/// Parses a frame or a time, such as `100` or `12.5s`, as a `goto` command. Returns `None` for
/// other text, or if `goto` is not available.
fn frame(text: &str, scene: Scene) -> Option<Invocation> {
    let goto = commands(scene.context).into_iter().find(|row| row.action == Action::Goto)?;
    let argument = text.starts_with(|c: char| c.is_ascii_digit());
    let argument = argument.then(|| ArgumentKind::Frame.read(text, scene.world).ok()).flatten()?;
    Some(Invocation { action: goto.action, argument: Some(argument) })
}

/// Finds a command by its name, an old name, or a unique prefix or keyword.
///
/// # Errors
/// Returns a message for the user if no command, or more than one, matches.
pub fn find(name: &str, scene: Scene) -> Result<&'static Command, String> {
    let commands = commands(scene.context);
    // A short name can be an old name, too: `save` was the name of `screenshot`.
    let is_short = |entry: &&&Command| entry.short.contains(&name);
    let current = old_names::current(old_names::AliasKind::Action, name);
    let is_called = |entry: &&&Command| entry.name == current;
    if let Some(entry) = commands.iter().find(is_short).or(commands.iter().find(is_called)) {
        return Ok(entry);
    }
    let name = current;
    let begun: Vec<_> = commands.iter().filter(|entry| entry.name.starts_with(name)).collect();
    match begun[..] {
        [only] => return Ok(only),
        [] => {}
        _ => {
            let names = show::list(begun.into_iter().map(|entry| entry.name));
            return Err(format!("`{}` is ambiguous: {names}", show::text(name)));
        }
    }
    let named: Vec<_> = commands.iter().filter(|entry| entry.has_keyword(name)).collect();
    if let [only] = named[..] {
        return Ok(only);
    }
    if let Some(entry) = TABLE.iter().find(|entry| entry.name == name && entry.is_command()) {
        let there = entry.contexts()[0];
        let place = there.place();
        return Err(match way(scene.context, there, scene.keymap).join(", then ").as_str() {
            "" => format!("`{name}` works {place}"),
            way => format!("`{name}` works {place}: press {way}"),
        });
    }
    Err(unknown(name, &commands))
}

/// Returns the error message for unknown words, with the features that match them. Without a match,
/// names the nearest feature.
fn unknown(typed: &str, commands: &[&'static Command]) -> String {
    let shown = show::text(typed);
    let words: Vec<_> = typed.split_whitespace().map(str::to_lowercase).collect();
    let texts = commands.iter().filter(|row| matches(&words, &row.texts()));
    let related = texts.map(|row| row.name.to_owned());
    let breaks = conditions(&words).into_iter().map(|hit| hit.command);
    let related: Vec<_> = breaks.chain(related).take(4).collect();
    let feature = FEATURES.iter().find(|it| matches(&words, &it.texts()));
    let shell = feature.map_or_else(String::new, |it| format!("; in a shell: {}", it.usage));
    if !related.is_empty() {
        let names = show::list(related.iter().map(String::as_str));
        return format!("no command `{shown}`; try {names}{shell}");
    }
    let is_typo = typed.split_whitespace().count() == 1;
    if let Some(near) = mistyped(typed).filter(|_| is_typo && shell.is_empty()) {
        return format!("no command `{shown}`{}", show::did_you_mean(Some(near)));
    }
    match nearest(typed) {
        _ if !shell.is_empty() => format!("no command `{shown}`{shell}"),
        Some(near) => format!("no command `{shown}`; nearest: {near}"),
        None => format!("no command `{shown}`; `?` searches the help"),
    }
}

/// Returns the keys or commands that lead from one context to another. Returns an empty list if no
/// keys or commands lead there.
fn way(from: Context, to: Context, keymap: &Keymap) -> Vec<String> {
    let in_map = from == Context::Map || from.is_over_map();
    let first = if from == Context::Gallery {
        Some((Action::Open, from))
    } else {
        (!in_map).then_some((Action::Close, from))
    };
    let last = to.entered_by().map(|action| (action, Context::Map));
    if to != Context::Map && last.is_none() {
        return Vec::new();
    }
    let spelled = |(action, context)| match keymap.named(action, context) {
        key if !key.is_empty() => key,
        _ => {
            let row = TABLE.iter().find(|row| row.action == action);
            row.map_or_else(String::new, |row| format!(":{}", row.name))
        }
    };
    first.into_iter().chain(last).map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Frame;
    use crate::tui::argument::Argument;

    fn asked_in(
        context: Context,
        text: &str,
    ) -> Result<Option<Invocation>, (usize, usize, String)> {
        let keymap = Keymap::default();
        parse(text, Scene::new(context, None, &keymap))
            .map_err(|error| (error.span.start, error.span.end, error.text))
    }

    fn asked(text: &str) -> Result<Option<Invocation>, (usize, usize, String)> {
        asked_in(Context::Map, text)
    }

    #[test]
    fn a_line_is_a_name_and_its_argument() {
        assert_eq!(asked("  "), Ok(None));
        assert_eq!(asked(" :play "), Ok(Some(Action::PlayPause.into())));
        let frame = Some(Argument::Frame(Frame(12)));
        let goto = Invocation { action: Action::Goto, argument: frame };
        assert_eq!(asked("goto  12 "), Ok(Some(goto.clone())));
        assert_eq!(asked("got 12"), Ok(Some(goto)));
        assert_eq!(asked("step"), Ok(Some(Action::Step.into())));
    }

    #[test]
    fn errors_have_a_message_and_a_position() {
        let (begin, end, text) = asked(" folow").unwrap_err();
        assert_eq!((begin, end), (1, 6));
        assert_eq!(text, "no command `folow`: did you mean `follow`?");
        let (begin, end, text) = asked("goto 1x").unwrap_err();
        assert_eq!((begin, end), (5, 7));
        assert_eq!(text, "`1x` is not a frame number (such as 812) or a time (such as 12.5s)");
        let (begin, _, text) = asked("goto ").unwrap_err();
        assert_eq!(
            (begin, text.as_str()),
            (5, "`goto` needs a frame number (such as 812) or a time (such as 12.5s)")
        );
        assert_eq!(asked("play 3").unwrap_err().2, "`play` takes no argument");
        let text = asked("re").unwrap_err().2;
        assert_eq!(
            text,
            "`re` is ambiguous: `reverse`, `reverse-continue`, `rename-agent`, `remove-agent`, `render`, `record`, `restart`, `reload`, `redo`"
        );
    }

    #[test]
    fn commands_of_other_contexts_report_their_context_and_its_key() {
        let told = |context, text| asked_in(context, text).unwrap_err().2;
        for (name, says) in [
            ("find-map", "`find-map` works in the gallery: press G"),
            ("grab", "`grab` works in paint mode: press p"),
            ("vertex", "`vertex` works while drawing a path: press :draw-path"),
            ("return-to", "`return-to` works in the run list: press :runs"),
            ("start-anew", "`restart-with-changes` works when a changed file asks what to do"),
        ] {
            assert_eq!(told(Context::Map, name), says);
        }
        assert_eq!(told(Context::Gallery, "goto 3"), "`goto` works on a map: press Enter");
        assert_eq!(
            told(Context::Gallery, "grab"),
            "`grab` works in paint mode: press Enter, then p"
        );
        assert_eq!(told(Context::Runs, "goto 3"), "`goto` works on a map: press Esc");
        assert_eq!(
            told(Context::Paint, "let-go"),
            "`stop-driving` works under manual control: press i"
        );
    }
}
