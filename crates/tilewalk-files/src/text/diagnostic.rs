//! Problems in a file, with their locations.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use crate::keys::old_names::Alias;
use crate::show;
use crate::values::TunableValue;

/// Whether a problem makes a file unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file can't be used.
    Error,
    /// The file can be used, but probably contains a mistake.
    Warning,
}

impl Severity {
    /// Returns `error` or `warning`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// Index of a file in a [`Report`](crate::text::report::Report).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A problem in a file. All texts are safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the problem is an error or a warning.
    pub severity: Severity,
    /// File with the problem: an index into the sources of the report.
    pub file: FileId,
    /// Byte range of the problem; `0..0` for the whole file.
    pub span: Range<usize>,
    /// Description of the problem in one sentence.
    pub message: String,
    /// Short text beside the caret, or an empty string.
    pub label: String,
    /// Lines of advice on how to fix the problem; can be empty.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// Creates an error without a label or advice. `Issues::push` sets the file.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            file: FileId::default(),
            span,
            message: message.into(),
            label: String::new(),
            help: Vec::new(),
        }
    }

    /// Creates a warning without a label or advice. `Issues::push` sets the file.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Sets the text beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds a line of advice; an empty line is ignored.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        let help = help.into();
        if !help.is_empty() {
            self.help.push(help);
        }
        self
    }
}

/// Returns advice for an unknown word. The advice names the most similar known word. Without a
/// similar word, the advice is the result of `otherwise`.
pub(crate) fn suggestion<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    show::nearest(word, known).map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

/// Collects the problems in a file while the file is read.
#[derive(Debug)]
pub(crate) struct Issues {
    file: FileId,
    text: Arc<str>,
    // A `RefCell`, because the readers of nested tables share the collector.
    list: RefCell<Vec<Diagnostic>>,
    /// Warnings about old spellings in the file.
    deprecated: RefCell<Vec<Diagnostic>>,
    /// Names of the agents whose tunable values are recorded.
    tuned: Vec<String>,
    /// Tunable values of the agents in `tuned`.
    tunables: RefCell<Vec<TunableValue>>,
    /// Number of problems discarded because `list` was full.
    dropped: Cell<usize>,
    sound: Cell<bool>,
    /// Byte offset of the first syntax error, where the valid part of the file ends. `None` without
    /// syntax errors.
    trusted: Cell<Option<usize>>,
}

/// Maximum number of problems stored per file. A file can have millions of problems.
const MOST_KEPT: usize = 500;

impl Issues {
    pub fn new(file: FileId, text: Arc<str>) -> Self {
        let (dropped, sound) = (Cell::new(0), Cell::new(true));
        let (list, tuned, tunables, deprecated) = Default::default();
        let trusted = Cell::new(None);
        Self { file, text, list, deprecated, tuned, tunables, dropped, sound, trusted }
    }

    /// Sets the names of the agents whose tunable values are recorded. The default is no agent.
    #[must_use]
    pub fn tuning(self, agents: &[&str]) -> Self {
        Self { tuned: agents.iter().map(|&agent| agent.to_owned()).collect(), ..self }
    }

    /// Returns true if the tunable values of an agent are recorded.
    pub fn tunes(&self, agent: &str) -> bool {
        self.tuned.iter().any(|tuned| tuned == agent)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Sets the byte offset of the first syntax error. Problems after `offset` are then ignored.
    pub fn trust_until(&self, offset: usize) {
        self.trusted.set(Some(offset));
    }

    /// Returns true if only the beginning of the file is valid. A missing key can then be in the
    /// invalid part.
    pub fn is_partial(&self) -> bool {
        self.trusted.get().is_some()
    }

    /// Adds a problem, unless its location is in the ignored part of the file.
    pub fn push(&self, diagnostic: Diagnostic) {
        if self.is_ignored(&diagnostic.span) {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.sound.set(false);
        }
        if self.is_full() {
            self.dropped.set(self.dropped.get() + 1);
        } else {
            self.list.borrow_mut().push(Diagnostic { file: self.file, ..diagnostic });
        }
    }

    /// Returns true if a location is in the ignored part of the file.
    fn is_ignored(&self, span: &Range<usize>) -> bool {
        let is_whole_file = *span == (0..0);
        self.trusted.get().is_some_and(|trusted| span.end > trusted || is_whole_file)
    }

    /// Returns true if a problem at a location would be stored. Otherwise, callers need not compute
    /// advice: a file can have millions of problems.
    pub fn stores(&self, span: &Range<usize>) -> bool {
        !self.is_full() && !self.is_ignored(span)
    }

    /// Returns advice for an unknown word in a problem at a location (see [`suggestion`]). Returns
    /// an empty text if the problem would not be stored.
    pub fn suggestion<'a>(
        &self,
        span: &Range<usize>,
        word: &str,
        known: impl IntoIterator<Item = &'a str>,
        otherwise: impl FnOnce() -> String,
    ) -> String {
        if self.stores(span) { suggestion(word, known, otherwise) } else { String::new() }
    }

    /// Adds an error without a label or advice.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    /// Records an old spelling in the file. Old spellings are valid. They are reported only on
    /// request.
    pub fn deprecated(&self, span: Range<usize>, alias: &Alias) {
        let (noun, since) = (alias.kind.noun(), alias.since);
        let message = format!("{noun} `{}` is an old spelling", alias.old);
        let help = format!("write `{}` (since {since})", alias.new);
        self.push_deprecated(Diagnostic::warning(span, message).help(help));
    }

    /// Records a warning about an old spelling, which is reported only on request.
    pub fn push_deprecated(&self, warning: Diagnostic) {
        self.deprecated.borrow_mut().push(Diagnostic { file: self.file, ..warning });
    }

    /// Removes and returns warnings about the old spellings in the file.
    pub fn take_deprecated(&self) -> Vec<Diagnostic> {
        self.deprecated.take()
    }

    pub fn record_tunable(&self, tunable: TunableValue) {
        self.tunables.borrow_mut().push(tunable);
    }

    /// Removes and returns the tunable values, in reading order.
    pub fn take_tunables(&self) -> Vec<TunableValue> {
        self.tunables.take()
    }

    /// Returns true if no error was added. Warnings are allowed.
    pub fn is_sound(&self) -> bool {
        self.sound.get()
    }

    /// Returns true if the list is full and new problems are discarded. Callers then need not
    /// compute advice.
    pub fn is_full(&self) -> bool {
        self.list.borrow().len() >= MOST_KEPT
    }

    /// Returns all problems. If problems were discarded, the last entry states how many.
    pub fn into_list(self) -> Vec<Diagnostic> {
        let sound = self.is_sound();
        let (file, dropped) = (self.file, self.dropped.get());
        let mut list = self.list.into_inner();
        if dropped > 0 {
            let more = tilewalk_sim::report::words::count(dropped as u64, "more problem");
            let message = format!("not shown: {more} in this file");
            let severity = if sound { Severity::Warning } else { Severity::Error };
            let end = self.text.len();
            list.push(Diagnostic { severity, file, ..Diagnostic::error(end..end, message) });
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::COMPARED;
    use crate::{Options, Origin, load};

    /// Returns the text of an item for each of the numbers below 2,000.
    fn repeated(item: impl Fn(usize) -> String) -> String {
        (0..2_000).map(item).collect()
    }

    #[test]
    fn suggestions_are_computed_only_for_stored_problems() {
        let keys = || repeated(|n| format!("key{n} = 1\n"));
        let agent = "[[agent]]\nname = 'a'\nat = [0, 0]\n";
        let list = |key: &str, item: &str| format!("{agent}{key} = [{}]\n", item.repeat(2_000));
        let each =
            |key: &str| repeated(|n| format!("[[agent]]\nname = 'a{n}'\nat = [0, 0]\n{key}\n"));
        for (what, text) in [
            ("keys of a map", keys()),
            ("keys of an agent", format!("{agent}{}", keys())),
            ("keys of a body", format!("{agent}[agent.body]\n{}", keys())),
            ("keys after a syntax error", format!("seed = \n{agent}{}", keys())),
            ("behaviours", list("steer", "{ do = 'seak' },")),
            ("targets", list("steer", "{ do = 'seek', target = 'b' },")),
            ("modes", list("switch", "{ when = 'time > 1', to = 'b' },")),
            ("names in conditions", list("switch", "{ when = 'b.x > 1', to = 'b' },")),
            ("colours", each("color = 'rad'")),
            ("headings", each("heading = 'randon'")),
            ("starts", each("at = 'anywere'").replace("at = [0, 0]\n", "")),
            ("templates", repeated(|_| "[[spawn]]\ntemplate = 'b'\n".to_owned())),
        ] {
            let text = format!("tiles = '...'\n{text}");
            let before = COMPARED.get();
            let origin = Origin::Text { label: "many".to_owned(), text, set: None };
            let loaded = load(&origin, &Options::default()).unwrap();
            assert!(loaded.report.errors() > 0, "{what}");
            let compared = COMPARED.get() - before;
            // A key of an agent is compared with the keys of the agent twice, and with the keys of
            // its body.
            assert!(compared <= 3 * MOST_KEPT, "{what}: {compared} comparisons");
        }
    }
}
