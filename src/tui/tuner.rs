//! The list of an agent's values, one of which is changed.

use crate::files::offer::Offer;
use crate::files::settings::Setting;

use super::input::Key;
use super::line::Line;
use super::rank;

/// Values that are listed at most.
const LISTED: usize = 1000;

/// The values of an agent, one of them marked; and the line in which that is changed.
#[derive(Debug, Clone)]
pub struct Tuner {
    kind: String,
    offers: Vec<Offer>,
    filter: Line,
    /// Those that match what is typed.
    matches: Vec<usize>,
    marked: usize,
    /// The new value of the marked one, while it is typed.
    editor: Option<Line>,
}

impl Tuner {
    /// The values of agents of a kind.
    pub fn new(kind: String, offers: Vec<Offer>) -> Self {
        let filter = Line::default();
        let mut tuner = Self { kind, offers, filter, matches: Vec::new(), marked: 0, editor: None };
        tuner.sift();
        tuner
    }

    /// A key: of the line of the value, or of the one that says which values are listed.
    pub fn key(&mut self, key: Key) {
        let nudge = match key {
            Key::Char('+') => Some(true),
            Key::Char('-') if !self.begins_a_number() => Some(false),
            _ => None,
        };
        match (nudge, &mut self.editor) {
            (Some(up), _) => self.nudge(up),
            (None, Some(line)) => drop(line.key(key)),
            (None, None) if self.filter.key(key) => self.sift(),
            (None, None) => {}
        }
    }

    /// A pasted text; only its first line counts.
    pub fn paste(&mut self, text: &str) {
        match &mut self.editor {
            Some(line) => drop(line.paste(text)),
            None if self.filter.paste(text) => self.sift(),
            None => {}
        }
    }

    /// Would a minus be the first sign of a number, or of its exponent?
    fn begins_a_number(&self) -> bool {
        self.editor.as_ref().is_some_and(|line| {
            let before: String = line.text().chars().take(line.cursor()).collect();
            before.is_empty() || before.ends_with(['e', 'E'])
        })
    }

    fn sift(&mut self) {
        self.marked = 0;
        let all = 0..self.offers.len();
        let name = |&index: &usize| self.name(&self.offers[index]).to_owned();
        let text = self.filter.text();
        // What is typed seldom begins the name: its parts are looked for as well.
        self.matches =
            if text.is_empty() { all.collect() } else { rank::best(all, name, text, LISTED) };
    }

    /// Marks the value so many places further; while one is typed, makes it a little less or more.
    pub fn mark(&mut self, by: isize) {
        if self.editor.is_some() {
            self.nudge(by < 0);
            return;
        }
        let count = self.matches.len().max(1);
        self.marked = (self.marked + count).saturating_add_signed(by) % count;
    }

    fn nudge(&mut self, up: bool) {
        let Some(offer) = self.marked_offer() else { return };
        let present = offer.present();
        let text = self.editor.as_ref().map_or(present.as_str(), Line::text);
        let nudged = offer.nudged(text, up);
        if let Some(nudged) = nudged {
            self.editor.get_or_insert_default().set(&nudged);
        }
    }

    /// Begins to change the marked value; of one that is typed already, the setting.
    pub fn enter(&mut self) -> Option<String> {
        let offer = self.marked_offer()?;
        if let Some(line) = &self.editor {
            return Some(format!("{}={}", offer.place, line.text().trim()));
        }
        let present = offer.present();
        self.editor.get_or_insert_default().set(&present);
        None
    }

    /// Leaves the line of the value; was there one?
    pub fn leave(&mut self) -> bool {
        self.editor.take().is_some()
    }

    /// The same list with the values that count now.
    pub fn renew(&mut self, offers: Vec<Offer>) {
        let marked = self.marked_offer().map(|offer| offer.place.clone());
        self.offers = offers;
        self.editor = None;
        self.sift();
        let place =
            self.matches.iter().position(|&i| Some(&self.offers[i].place) == marked.as_ref());
        self.marked = place.unwrap_or(0);
    }

    /// The kind of agents they are of.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What a value is called within its agent.
    pub fn name<'a>(&self, offer: &'a Offer) -> &'a str {
        offer.place.get(self.kind.len() + 1..).unwrap_or_default()
    }

    /// The values that are listed.
    pub fn listed(&self) -> impl ExactSizeIterator<Item = &Offer> {
        self.matches.iter().map(|&index| &self.offers[index])
    }

    /// Which of them is marked.
    pub fn marked(&self) -> usize {
        self.marked
    }

    /// The value that is marked.
    pub fn marked_offer(&self) -> Option<&Offer> {
        self.matches.get(self.marked).map(|&index| &self.offers[index])
    }

    /// What is typed to shorten the list.
    pub fn filter(&self) -> &Line {
        &self.filter
    }

    /// The new value, while it is typed.
    pub fn editor(&self) -> Option<&Line> {
        self.editor.as_ref()
    }
}

/// Is a value among those that are changed?
pub fn is_changed(offer: &Offer, changed: &[Setting]) -> bool {
    changed.iter().any(|setting| setting.place() == offer.place)
}
