//! Names of agents, groups and places, which share a namespace.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::reader::Entry;
use tilewalk_sim::condition::functions::is_reserved;

pub use tilewalk_sim::scenario::builder::{MAX_NAME as MAX_CHARS, is_name as is_word};

/// Converts a text to a valid name: lower-case letters, digits and `_`, at most `MAX_CHARS`
/// characters.
pub fn word(text: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let mut word: String = text.chars().map(fit).take(MAX_CHARS - 1).collect();
    if !is_word(&word) {
        word.insert(0, '_');
    }
    if is_reserved(&word) {
        word.push('_');
    }
    word
}

/// Appends `_` and a number to an ASCII name. Shortens the name to fit into `MAX_CHARS`.
pub fn numbered(name: &str, number: u32) -> String {
    let ending = format!("_{number}");
    format!("{}{ending}", &name[..name.len().min(MAX_CHARS - ending.len())])
}

/// Converts a text to a name that is not taken, and records the name in `taken`. `taken` holds the
/// last number used for each word.
pub fn unique(text: &str, taken: &mut BTreeMap<String, u32>) -> String {
    let word = word(text);
    let mut number = taken.get(&word).copied().unwrap_or(0);
    let name = loop {
        number += 1;
        let name = if number == 1 { word.clone() } else { numbered(&word, number) };
        // Another text may already have the numbered name.
        if number == 1 || !taken.contains_key(&name) {
            break name;
        }
    };
    taken.insert(word, number);
    taken.entry(name.clone()).or_insert(1);
    name
}

/// Checks a name outside the shared namespace, such as the name of a mode. Reports an invalid name
/// and returns false.
pub fn check_word(name: &str, span: Range<usize>, issues: &Issues) -> bool {
    if is_word(name) {
        return true;
    }
    let shown = show::text(name);
    let count = name.chars().count();
    let (message, help) = if name.is_empty() {
        ("a name can't be empty".to_owned(), "")
    } else if count > MAX_CHARS {
        (format!("the name `{shown}` has {count} characters; the limit is {MAX_CHARS}"), "")
    } else {
        let help = "use only letters, digits and `_`, and don't begin with a digit";
        (format!("invalid name `{shown}`"), help)
    };
    issues.push(Diagnostic::error(span, message).help(help));
    false
}

/// Checks a name of the shared namespace. Reports an invalid or reserved name and returns false.
pub fn check(name: &str, span: Range<usize>, issues: &Issues) -> bool {
    if !check_word(name, span.clone(), issues) {
        return false;
    }
    if is_reserved(name) {
        let message = format!("the name `{name}` is reserved");
        let help = "choose another name: conditions and targets use this word";
        issues.push(Diagnostic::error(span, message).help(help));
        return false;
    }
    true
}

/// Meaning of a name in the shared namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// A place, by its index in the list of places.
    Place(usize),
    /// One or more agents, by the index of their kind.
    Agent(usize),
    /// A group, by its index.
    Group(usize),
}

impl NameKind {
    fn what(self) -> &'static str {
        match self {
            Self::Place(_) => "a place",
            Self::Agent(_) => "an agent",
            Self::Group(_) => "a group",
        }
    }
}

/// All names of the shared namespace, with their meanings.
#[derive(Debug, Default)]
pub struct Names<'a> {
    bearers: BTreeMap<&'a str, NameKind>,
}

impl<'a> Names<'a> {
    /// Returns the meaning of a name; `None` if the name is not defined.
    pub fn get(&self, name: &str) -> Option<NameKind> {
        self.bearers.get(name).copied()
    }

    pub fn all(&self) -> impl Iterator<Item = &'a str> {
        self.bearers.keys().copied()
    }

    /// Defines a name. Reports a name that is already defined.
    pub fn claim(&mut self, name: &'a str, bearer: NameKind, span: Range<usize>, issues: &Issues) {
        if let Some(before) = self.get(name) {
            let message = format!("the name `{}` is already used by {}", name, before.what());
            let help = "choose another name: agents, groups and places share one namespace";
            issues.push(Diagnostic::error(span, message).help(help));
        } else {
            self.bearers.insert(name, bearer);
        }
    }
}

/// Reads a name of the shared namespace. Reports an invalid name and returns `None`.
pub fn read<'a>(entry: &Entry<'a>) -> Option<&'a str> {
    let name = entry.string()?;
    check(name, entry.span(), entry.issues).then_some(name)
}

/// Splits a name into words in lower case, at separators, digits and capital letters.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last_is_lower = false;
    for c in name.chars() {
        if !c.is_alphabetic() || (c.is_uppercase() && last_is_lower) {
            words.push(String::new());
        }
        last_is_lower = c.is_lowercase();
        if c.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_converts_any_text_to_a_name() {
        assert_eq!(word("Starting Point"), "starting_point");
        assert_eq!(
            (word("3rd"), word(""), word("home")),
            ("_3rd".into(), "_".into(), "home_".into())
        );
        assert!(is_word(&word(&"é".repeat(99))));
    }
}
