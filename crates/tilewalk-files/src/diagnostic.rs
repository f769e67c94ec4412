//! What is wrong with a file, and where: diagnostics, and a report of them with the texts they
//! point into. How they look is `render`'s business.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use super::alias::Alias;
use super::offer::Offer;
use super::source::Source;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file can't be used.
    Error,
    /// It can, but it hardly says what is meant.
    Warning,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A file of a [`Report`], by its place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// One thing that is wrong. All its words are safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file it is in.
    pub file: FileId,
    /// The bytes of the file it is about; empty at 0 for the file as a whole.
    pub span: Range<usize>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// A few words beside the caret, or nothing.
    pub label: String,
    /// What to do about it, line by line.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error about a stretch of a file that is still to be named.
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

    /// A warning about a stretch of a file that is still to be named.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// With words beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With a line of help; an empty one is no line.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        let help = help.into();
        if !help.is_empty() {
            self.help.push(help);
        }
        self
    }
}

/// Where the diagnostics of one file are put while it is read.
#[derive(Debug)]
pub struct Issues {
    file: FileId,
    text: Arc<str>,
    // Readers of nested tables all write here; none of them holds a borrow while another runs.
    list: RefCell<Vec<Diagnostic>>,
    /// Old spellings the file uses.
    deprecated: RefCell<Vec<Diagnostic>>,
    /// The numbers that were asked for.
    offers: RefCell<Vec<Offer>>,
    /// How many were not kept.
    dropped: Cell<usize>,
    sound: Cell<bool>,
    /// Where what can be trusted ends, in a file with syntax errors.
    trusted: Cell<Option<usize>>,
}

/// Diagnostics of one file that are kept; nobody reads more, and a file may have millions.
const MOST_KEPT: usize = 500;

impl Issues {
    /// None yet.
    pub fn new(file: FileId, text: Arc<str>) -> Self {
        let (dropped, sound) = (Cell::new(0), Cell::new(true));
        let (list, offers, deprecated) = Default::default();
        Self { file, text, list, deprecated, offers, dropped, sound, trusted: Cell::new(None) }
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file they are about.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// From now on takes only what is about the text before an offset: the parser has stumbled
    /// there, and made what it could of the rest.
    pub fn trust_until(&self, offset: usize) {
        self.trusted.set(Some(offset));
    }

    /// Is only the beginning of the file to be trusted? Then what seems to be missing may be there.
    pub fn is_partial(&self) -> bool {
        self.trusted.get().is_some()
    }

    /// One more.
    pub fn push(&self, diagnostic: Diagnostic) {
        let Range { start, end } = diagnostic.span;
        if self.trusted.get().is_some_and(|trusted| end > trusted || (start, end) == (0, 0)) {
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

    /// One more error without label and help.
    pub fn error(&self, span: Range<usize>, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    /// Records that the file uses an old spelling: no error, and reported only on request.
    pub fn deprecated(&self, span: Range<usize>, alias: &Alias) {
        let (noun, since) = (alias.kind.noun(), alias.since);
        let message = format!("{noun} `{}` is an old spelling", alias.old);
        let help = format!("write `{}` (since {since})", alias.new);
        let warning = Diagnostic::warning(span, message).help(help);
        self.deprecated.borrow_mut().push(Diagnostic { file: self.file, ..warning });
    }

    /// The old spellings the file uses, as warnings.
    pub fn take_deprecated(&self) -> Vec<Diagnostic> {
        self.deprecated.take()
    }

    /// Notes a number that was asked for.
    pub fn offer(&self, offer: Offer) {
        self.offers.borrow_mut().push(offer);
    }

    /// The numbers that were asked for, in the order of the questions.
    pub fn take_offers(&self) -> Vec<Offer> {
        self.offers.take()
    }

    /// Has nothing worse than warnings been found?
    pub fn is_sound(&self) -> bool {
        self.sound.get()
    }

    /// Are there so many that no more are kept? Then help need not be looked for.
    pub fn is_full(&self) -> bool {
        self.list.borrow().len() >= MOST_KEPT
    }

    /// All of them; the last one may say that there are more.
    pub fn into_list(self) -> Vec<Diagnostic> {
        let sound = self.is_sound();
        let (file, dropped) = (self.file, self.dropped.get());
        let mut list = self.list.into_inner();
        if dropped > 0 {
            let more = tilewalk_sim::words::count(dropped as u64, "more problem");
            let message = format!("not shown: {more} in this file");
            let severity = if sound { Severity::Warning } else { Severity::Error };
            let end = self.text.len();
            list.push(Diagnostic { severity, file, ..Diagnostic::error(end..end, message) });
        }
        list
    }
}

/// Diagnostics, and the files they are about.
#[derive(Debug, Clone, Default)]
pub struct Report {
    sources: Vec<Source>,
    diagnostics: Vec<Diagnostic>,
    deprecated: Vec<Diagnostic>,
}

impl Report {
    /// Takes a file in. The first one is the file that was asked for.
    pub fn add_source(&mut self, source: Source) -> FileId {
        self.sources.push(source);
        FileId(self.sources.len() as u32 - 1)
    }

    /// Takes diagnostics of its files in, in the order of the text.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
        self.diagnostics.sort_by_key(|each| (each.file, each.span.start, each.severity));
    }

    /// Adds old spellings, which stay out of the diagnostics until [`Report::with_deprecated`].
    pub fn add_deprecated(&mut self, warnings: Vec<Diagnostic>) {
        self.deprecated.extend(warnings);
    }

    /// The report with a warning for each old spelling.
    #[must_use]
    pub fn with_deprecated(mut self) -> Self {
        let deprecated = core::mem::take(&mut self.deprecated);
        self.extend(deprecated);
        self
    }

    /// Takes everything of another report in; a file and a diagnostic that are here already are
    /// not repeated.
    pub fn merge(&mut self, other: Self) {
        let mut ids = Vec::with_capacity(other.sources.len());
        for source in other.sources {
            let same = |each: &Source| {
                // Files that were kept lie nowhere; they are told apart by what they are for the map.
                let kept = source.path().is_none();
                let there = each.path() == source.path();
                there && (!kept || each.place() == source.place()) && each.text() == source.text()
            };
            let known = self.sources.iter().position(same);
            ids.push(known.map_or_else(|| self.add_source(source), |index| FileId(index as u32)));
        }
        let lists =
            [(&mut self.diagnostics, other.diagnostics), (&mut self.deprecated, other.deprecated)];
        for (list, others) in lists {
            for mut diagnostic in others {
                diagnostic.file = ids[diagnostic.file.0 as usize];
                if !list.contains(&diagnostic) {
                    list.push(diagnostic);
                }
            }
        }
    }

    /// The files, the one that was asked for first.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The file a diagnostic is in.
    pub fn source(&self, file: FileId) -> &Source {
        &self.sources[file.0 as usize]
    }

    /// The diagnostics, file by file, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|each| each.severity == severity).count()
    }
}
