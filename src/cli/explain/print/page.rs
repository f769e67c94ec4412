//! Lines of labelled facts, wrapped between words.

/// Width of a label, in columns.
pub(super) const LABEL: usize = 10;

/// Maximum width of a line, in columns.
const WIDTH: usize = 80;

/// The lines of an explanation so far.
#[derive(Debug, Default)]
pub(super) struct Page(pub Vec<String>);

impl Page {
    pub fn blank(&mut self) {
        self.0.push(String::new());
    }

    /// Adds `text` after a label that is padded to [`LABEL`] columns.
    pub fn fact(&mut self, label: &str, text: &str) {
        self.wrapped(&format!("{label:<LABEL$}"), text);
    }

    /// Adds a label and a text, wrapped between words. Continuation lines are indented by the width
    /// of the label.
    pub fn wrapped(&mut self, label: &str, text: &str) {
        let indent = label.chars().count();
        let mut line = label.to_owned();
        let mut used = indent;
        let mut first = true;
        for word in text.split(' ') {
            let width = unicode_width::UnicodeWidthStr::width(word);
            if !first && used + 1 + width > WIDTH {
                self.0.push(line.trim_end().to_owned());
                line = " ".repeat(indent);
                (used, first) = (indent, true);
            }
            if !first {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += width;
            first = false;
        }
        self.0.push(line.trim_end().to_owned());
    }
}
