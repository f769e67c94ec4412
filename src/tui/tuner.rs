//! The list of an agent's values, one of which is changed.

use crate::files::offer::Offer;
use crate::files::relevance::Ranked;
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
    /// All of them, those first that matter.
    values: Vec<Ranked>,
    filter: Line,
    /// Those that match what is typed.
    matches: Vec<usize>,
    marked: usize,
    /// The new value of the marked one, while it is typed.
    editor: Option<Line>,
    /// Why what is typed can't be the value.
    complaint: Option<String>,
}

impl Tuner {
    /// The values of agents of a kind.
    pub fn new(kind: String, values: Vec<Ranked>) -> Self {
        let mut tuner = Self {
            kind,
            values,
            filter: Line::default(),
            matches: Vec::new(),
            marked: 0,
            editor: None,
            complaint: None,
        };
        tuner.sift();
        tuner
    }

    /// A key: of the line of the value, or of the one that says which values are listed.
    pub fn key(&mut self, key: Key) {
        self.complaint = None;
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
        self.complaint = None;
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
        let all = 0..self.values.len();
        let name = |&index: &usize| self.name(&self.values[index].offer).to_owned();
        let text = self.filter.text();
        // What is typed seldom begins the name: its parts are looked for as well.
        self.matches =
            if text.is_empty() { all.collect() } else { rank::best(all, name, text, LISTED) };
    }

    /// Marks the value so many places further, round and round; while one is typed, makes it a little
    /// less or more.
    pub fn mark(&mut self, by: isize) {
        self.complaint = None;
        if self.editor.is_some() {
            self.nudge(by < 0);
            return;
        }
        let count = self.matches.len().max(1);
        self.marked = (self.marked + count).saturating_add_signed(by) % count;
    }

    /// Marks the value at a place of the list, or the last one; one that is typed is left as it was.
    pub fn mark_at(&mut self, place: usize) {
        (self.complaint, self.editor) = (None, None);
        self.marked = place.min(self.matches.len().saturating_sub(1));
    }

    /// Marks the value of a place, in its full spelling, and begins to change it; is there such a one?
    pub fn open(&mut self, place: &str) -> bool {
        let found = self.matches.iter().position(|&index| self.values[index].offer.place == place);
        let Some(found) = found else { return false };
        self.mark_at(found);
        self.enter();
        true
    }

    fn nudge(&mut self, up: bool) {
        let Some(offer) = self.marked_offer() else { return };
        let present = offer.present();
        let text = self.editor.as_ref().map_or(present.as_str(), Line::text);
        if let Some(nudged) = offer.nudged(text, up) {
            self.editor.get_or_insert_default().select(&nudged);
        }
    }

    /// Begins to change the marked value; of one that is typed already, the setting.
    pub fn enter(&mut self) -> Option<String> {
        let offer = self.marked_offer()?;
        if let Some(line) = &self.editor {
            return Some(format!("{}={}", offer.place, line.text().trim()));
        }
        let present = offer.present();
        self.editor.get_or_insert_default().select(&present);
        None
    }

    /// What is typed can't be: it stays, and so does the reason until something is done about it.
    pub fn complain(&mut self, why: String) {
        self.complaint = Some(why);
    }

    /// Why what is typed can't be the value.
    pub fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    /// Leaves the line of the value; was there one?
    pub fn leave(&mut self) -> bool {
        self.complaint = None;
        self.editor.take().is_some()
    }

    /// The same list with the values that count now.
    pub fn renew(&mut self, values: Vec<Ranked>) {
        let marked = self.marked_offer().map(|offer| offer.place.clone());
        self.values = values;
        self.leave();
        self.sift();
        let place =
            self.matches.iter().position(|&i| Some(&self.values[i].offer.place) == marked.as_ref());
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
    pub fn listed(&self) -> impl ExactSizeIterator<Item = &Ranked> {
        self.matches.iter().map(|&index| &self.values[index])
    }

    /// Which of them is marked.
    pub fn marked(&self) -> usize {
        self.marked
    }

    /// The value that is marked.
    pub fn marked_value(&self) -> Option<&Ranked> {
        self.matches.get(self.marked).map(|&index| &self.values[index])
    }

    /// The number that is marked.
    pub fn marked_offer(&self) -> Option<&Offer> {
        self.marked_value().map(|value| &value.offer)
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
