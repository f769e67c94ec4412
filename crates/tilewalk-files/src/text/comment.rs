//! Reads the description of a map: the comment at the top of its file.

use crate::show;

/// Prefix of a first line that names a schema for editors.
const SCHEMA: &str = "#:schema ";

/// Returns the comment lines at the top of a TOML text, without `#` and the space after it. The
/// result is safe to print. Returns an empty string if the text has no comment at the top.
pub fn top(text: &str) -> String {
    let directive = text.lines().next().is_some_and(|line| line.starts_with(SCHEMA));
    let lines = text
        .lines()
        .skip(usize::from(directive))
        .map_while(|line| line.trim_start().strip_prefix('#'));
    let lines = lines.map(|line| show::line(line.strip_prefix(' ').unwrap_or(line)));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn top_returns_only_the_first_comment() {
        assert_eq!(super::top("# A map.\r\n#\n#  b\nformat = 1\n# not this\n"), "A map.\n\n b");
        assert_eq!(super::top("format = 1"), "");
        assert_eq!(super::top("#:schema ../docs/schema/map.json\n# A map.\n"), "A map.");
        assert_eq!(super::top("#:schema of things\nformat = 1"), "");
    }
}
