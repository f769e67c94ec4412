//! Finds the files that a Tiled file names: tile sets and templates.

use crate::disk::store::Store;
use crate::formats::tiled::reader::element::Element;
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::report::{Report, read_source};
use crate::text::source::Found;

/// Access to the tile set and template files of a map.
#[derive(Debug)]
pub struct Files<'a> {
    pub store: &'a Store,
    /// Problems in the files read.
    pub report: Report,
}

/// Reads the file that an attribute of `element` names. `key` is the name of the attribute, and
/// `what` is the noun for messages. A missing file causes a warning with the advice `missing`. A
/// file that must not be read causes an error. Returns `None` in both cases.
pub fn read<T>(
    files: &mut Files,
    element: &Element,
    (key, what): (&str, &str),
    missing: &str,
    read: impl FnOnce(&Issues) -> Option<T>,
) -> Option<T> {
    let source = element.attribute(key).unwrap_or_default();
    let shown = show::text(source);
    if source.is_empty() || source.chars().any(show::is_hidden) || source.len() > 1000 {
        let fault = if source.is_empty() { "the path is empty" } else { "the path is invalid" };
        element.error_at(key, format!("can't read the {what} `{shown}`: {fault}"));
        return None;
    }
    let slashed = source.replace('\\', "/");
    let name = resolved(&slashed);
    let file_name = slashed.rsplit('/').next().unwrap_or_default();
    let file = files.store.project_file(name.as_deref(), file_name);
    let warn = |message: String, help: &str| {
        let warning = Diagnostic::warning(element.span_of(key), message);
        element.issues.push(warning.help(help));
    };
    match file.found {
        Found::Read(source, problems) => {
            if let Some(elsewhere) = file.elsewhere {
                let message = format!("the {what} `{shown}` is read from `{elsewhere}`");
                warn(message, "write the path as it is on the disk");
            } else if slashed != *shown {
                let message = format!("`\\` in the path of the {what} `{shown}` is read as `/`");
                warn(message, "");
            }
            read_source(&mut files.report, source, problems, read)
        }
        Found::Missing => {
            let why = if name.is_some() { "" } else { ": the path is not relative to the map" };
            warn(format!("no {what} `{shown}`{why}"), missing);
            None
        }
        Found::Refused(why) => {
            let message = format!("the {what} `{shown}` {why}");
            let help = "import with `--root DIR` for a wider project directory, or with \
                        `--tilesets DIR` for copies of the tile sets";
            element.issues.push(Diagnostic::error(element.span_of(key), message).help(help));
            None
        }
    }
}

/// Returns a path relative to the map, without `.` and inner `..`. Returns `None` for an absolute
/// path.
fn resolved(source: &str) -> Option<String> {
    if source.starts_with('/') || source.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in source.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn paths_are_relative_to_the_map() {
        let of = |source| resolved(source).unwrap_or_else(|| "none".into());
        assert_eq!((of("a.tsx"), of("./x/../../a.tsx")), ("a.tsx".into(), "../a.tsx".into()));
        for source in ["/a", "C:/a", "file:///a"] {
            assert_eq!(of(source), "none");
        }
    }
}
