//! From a line to what it asks for.

use crate::files::show;
use crate::tui::action::{Action, Context, Entry, Invocation, Keymap, Parameter, TABLE, commands};
use crate::tui::argument::{Argument, Complaint, Kind};
use crate::tui::gallery;

use super::Scene;

/// The parts of a line: where the name begins, the name, and where its argument begins if there is
/// a space after the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts<'a> {
    /// Bytes before the name.
    pub begin: usize,
    /// The name, or its beginning.
    pub name: &'a str,
    /// Bytes before the argument.
    pub argument: Option<usize>,
}

/// Takes a line apart. Colons before the name are those that opened the line once more.
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

/// What a line asks for; nothing, if it is empty.
///
/// # Errors
/// What is wrong with it, and where.
pub fn parse(text: &str, scene: Scene) -> Result<Option<Invocation>, Complaint> {
    let Parts { begin, name, argument } = parts(text);
    if name.is_empty() {
        return Ok(None);
    }
    let entry =
        find(name, scene).map_err(|text| Complaint { span: begin..begin + name.len(), text })?;
    let at = argument.unwrap_or(text.len());
    let argument = text[at..].trim_end();
    let span = at..at + argument.len();
    let kind = match (entry.parameter, argument.is_empty()) {
        (Parameter::None | Parameter::Optional(_), true) => return Ok(Some(entry.action.into())),
        (Parameter::None, false) => {
            let text = format!("`{}` takes nothing after it", entry.name);
            return Err(Complaint { span, text });
        }
        (Parameter::Required(kind), true) => {
            let text = format!("`{}` needs {}", entry.name, kind.wanted());
            return Err(Complaint { span: span.end..span.end, text });
        }
        (Parameter::Optional(kind) | Parameter::Required(kind), false) => kind,
    };
    let read = match kind {
        Kind::Map => gallery::find(scene.maps, argument)
            .map(Argument::Map)
            .map_err(|text| Complaint { span: 0..argument.len(), text }),
        kind => kind.read(argument, scene.scenario),
    };
    let shifted =
        |Complaint { span, text }| Complaint { span: span.start + at..span.end + at, text };
    let argument = Some(read.map_err(shifted)?);
    Ok(Some(Invocation { action: entry.action, argument }))
}

/// The row of a name, or of a beginning that only one name has.
///
/// # Errors
/// That there is none, or which of several may be meant.
pub fn find(name: &str, scene: Scene) -> Result<&'static Entry, String> {
    let commands = commands(scene.context);
    if let Some(entry) = commands.iter().find(|entry| entry.name == name) {
        return Ok(entry);
    }
    let begun: Vec<_> = commands.iter().filter(|entry| entry.name.starts_with(name)).collect();
    match begun[..] {
        [only] => return Ok(only),
        [] => {}
        _ => {
            let names = show::list(begun.into_iter().map(|entry| entry.name));
            return Err(format!("`{}` may be {names}", show::text(name)));
        }
    }
    if let Some(entry) = TABLE.iter().find(|entry| entry.name == name && entry.is_command()) {
        let there = entry.contexts[0];
        let place = there.place();
        return Err(match way(scene.context, there, scene.keymap).join(", then ").as_str() {
            "" => format!("`{name}` works {place}"),
            way => format!("`{name}` works {place}: {way}"),
        });
    }
    let near = show::nearest(name, commands.iter().map(|entry| entry.name));
    Err(format!("there is no command `{}`{}", show::text(name), show::did_you_mean(near)))
}

/// The keys that lead from one place to another, or the names of what has no key; nothing where
/// nobody goes on purpose.
fn way(from: Context, to: Context, keymap: &Keymap) -> Vec<String> {
    let in_map = from == Context::Watch || from.is_over_watch();
    let first = match (from, to) {
        (Context::Gallery, _) => Some((Action::Open, from)),
        _ if in_map => None,
        _ => Some((Action::Close, from)),
    };
    let last = to.entered_by().map(|action| (action, Context::Watch));
    if to != Context::Watch && last.is_none() {
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
        asked_in(Context::Watch, text)
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
    fn what_is_wrong_is_told_with_its_place() {
        let (begin, end, text) = asked(" folow").unwrap_err();
        assert_eq!((begin, end), (1, 6));
        assert_eq!(text, "there is no command `folow`: did you mean `follow`?");
        let (begin, end, text) = asked("goto 1x").unwrap_err();
        assert_eq!((begin, end), (5, 7));
        assert_eq!(
            text,
            "`1x` is not the number of a frame, such as 812, or a time, such as 12.5s"
        );
        let (begin, _, text) = asked("goto ").unwrap_err();
        assert_eq!(
            (begin, text.as_str()),
            (5, "`goto` needs the number of a frame, such as 812, or a time, such as 12.5s")
        );
        assert_eq!(asked("play 3").unwrap_err().2, "`play` takes nothing after it");
        let text = asked("re").unwrap_err().2;
        assert_eq!(text, "`re` may be `reverse`, `restart`, `reload`");
    }

    #[test]
    fn what_works_elsewhere_says_where_and_how_one_gets_there() {
        let told = |context, text| asked_in(context, text).unwrap_err().2;
        for (name, says) in [
            ("find-map", "`find-map` works in the list of maps: G"),
            ("undo", "`undo` works while painting the map: p"),
            ("vertex", "`vertex` works while drawing a path: :draw-path"),
            ("return-to", "`return-to` works while choosing a run: :runs"),
            ("start-anew", "`start-anew` works when a file was saved"),
        ] {
            assert_eq!(told(Context::Watch, name), says);
        }
        assert_eq!(told(Context::Gallery, "goto 3"), "`goto` works while watching a map: Enter");
        assert_eq!(
            told(Context::Gallery, "undo"),
            "`undo` works while painting the map: Enter, then p"
        );
        assert_eq!(told(Context::Runs, "goto 3"), "`goto` works while watching a map: Esc");
        assert_eq!(told(Context::Paint, "let-go"), "`let-go` works while driving an agent: i");
    }
}
