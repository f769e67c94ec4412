//! One line on how things stand: time, seed, hash, and the last word.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::time::Frame;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::app::Message;
use crate::tui::clock::Clock;
use crate::tui::glyph;
use crate::tui::recording::Recording;
use crate::tui::session::Session;
use crate::tui::theme::Theme;
use crate::words;

use super::pane;

/// With more agents than this, the hash is worked out only while time stands.
const HASHED: usize = 500;

/// From this width on there is room for everything and an answer.
const ROOMY: u16 = 120;

/// Columns of the name of who is driven.
const NAME: usize = 16;

/// The status line.
#[derive(Debug)]
pub struct Status<'a> {
    /// What is watched.
    pub session: &'a Session,
    /// How time runs.
    pub clock: &'a Clock,
    /// Could the machine not keep up?
    pub late: bool,
    /// The frame that is sought and how far the search has come, if it takes long.
    pub under_way: Option<(Frame, Frame)>,
    /// The recording of this map.
    pub recording: Option<&'a Recording>,
    /// The answer to the last key.
    pub message: Option<&'a Message>,
    /// Which keys ask for what.
    pub keymap: &'a Keymap,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for Status<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let end = area.right();
        let mut x = area.x + 1;
        for (index, (text, style)) in self.facts(area.width).into_iter().enumerate() {
            let width = usize::from(end.saturating_sub(x));
            // Half a fact would be another one.
            if index == 0 || text.width() <= width {
                buffer.set_stringn(x, area.y, pane::fitted(&text, width), width, style);
                x = x.saturating_add(text.width() as u16 + 2);
            }
        }
        let (text, style) = self.last_word(area.width);
        if x < end {
            let width = usize::from(end - x).saturating_sub(1);
            buffer.set_stringn(x, area.y, pane::fitted(&text, width), width, style);
        }
    }
}

impl Status<'_> {
    fn facts(&self, width: u16) -> Vec<(String, Style)> {
        let (world, theme) = (self.session.world(), self.theme);
        let speed = self.clock.speed;
        let state = match (self.clock.playing, self.late) {
            (true, _) if self.clock.backwards => {
                (format!("{} playing back {speed}", glyph::PLAYING_BACK), theme.good)
            }
            (true, false) => (format!("{} playing {speed}", glyph::PLAYING), theme.good),
            (true, true) => (format!("{} playing {speed}, late", glyph::PLAYING), theme.warn),
            (false, _) => (format!("{} paused {speed}", glyph::PAUSED), theme.warn),
        };
        if let Some((sought, scout)) = self.under_way {
            let key = self.keymap.named(Action::Close, Context::Watch);
            let share = (scout.0 as f64 / sought.0.max(1) as f64 * 100.0).min(99.0);
            let text =
                format!("on the way to frame {sought}: at {scout}, {share:.0} %; {key} stops");
            return vec![(text, theme.warn)];
        }
        let mut facts = vec![state];
        // Where there is little room, an answer counts more.
        let room = self.message.is_none() || width >= ROOMY;
        if room && self.session.draft().is_unsaved() {
            facts.push(("* unsaved".to_owned(), theme.warn));
        }
        facts.extend(self.recording.map(|recording| rec(recording, theme)));
        let (answers, drives) = (self.message.is_some(), self.session.driven().is_some());
        if let Some(id) = self.session.driven() {
            let name = world.scenario().name(id).to_string();
            let long = driving(&name, self.keymap);
            let fits = facts[0].0.width() + long.width() + 3 <= usize::from(width);
            facts.push((if answers || !fits { in_hand(&name) } else { long }, theme.key));
        }
        let ghost = self.ghost().filter(|_| !answers && (width >= ROOMY || !drives));
        // The seed never changes, so it is what makes room.
        let seeded = ghost.is_none() || width >= ROOMY;
        facts.extend(ghost.map(|ghost| (ghost, theme.key)));
        // An answer is more than what never changes, and so is who is driven.
        if answers && drives && width < ROOMY {
            return facts;
        }
        let hit = !self.session.hits().is_empty();
        let mark = if hit { format!("{} ", glyph::BREAK) } else { String::new() };
        facts.extend([
            (format!("{mark}frame {}", world.frame()), theme.strong),
            (format!("{:.2} s", world.time()), theme.text),
        ]);
        if (answers || drives) && width < ROOMY || answers && drives {
            return facts;
        }
        if seeded {
            facts.push((format!("seed {}", world.scenario().seed), theme.dim));
        }
        if !self.clock.playing || world.len() <= HASHED {
            facts.push((format!("#{:08x}", world.hash() >> 32), theme.dim));
        }
        let warnings = self.session.problems().warnings();
        if warnings > 0 {
            facts.push((words::count(warnings as u64, "warning"), theme.warn));
        }
        facts
    }

    /// The run that was left, and where.
    fn ghost(&self) -> Option<String> {
        let history = self.session.history();
        let ghost = history.ghost()?;
        let (number, parted) = (ghost.0 + 1, history.parted(ghost, history.present()));
        let end = history.runs()[ghost.0 as usize].end();
        Some(if history.frame() > end {
            format!("ghost: run {number}, ended at {end}")
        } else {
            format!("ghost: run {number}, branched at {parted}")
        })
    }

    /// The answer to the last key, else the last event.
    fn last_word(&self, width: u16) -> (String, Style) {
        if let Some(message) = self.message {
            return answer(message, self.theme);
        }
        if self.session.driven().is_some() && width < ROOMY {
            return (String::new(), self.theme.dim);
        }
        let world = self.session.world();
        let text = self.session.events().next().map(|event| {
            let name = world.scenario().name(event.agent);
            format!("{}: {name} {}", event.frame, words::event(event, world))
        });
        (text.unwrap_or_default(), self.theme.dim)
    }
}

/// Is what happens kept?
fn rec(recording: &Recording, theme: &Theme) -> (String, Style) {
    match recording.ended() {
        None => (format!("{} rec", glyph::BREAK), theme.good),
        Some(_) => ("rec has ended".to_owned(), theme.bad),
    }
}

/// Who is driven.
fn in_hand(name: &str) -> String {
    format!("driving {}", pane::fitted(name, NAME))
}

/// Who is driven, how, and how to leave.
fn driving(name: &str, keymap: &Keymap) -> String {
    let arrows = [Action::DriveUp, Action::DriveLeft, Action::DriveDown, Action::DriveRight];
    let key = |action, index: usize| {
        let key = keymap.keys_of(action, Context::Drive).get(index);
        key.map_or(String::new(), ToString::to_string)
    };
    // The words for the arrows are long, and everybody knows them together.
    let usual = arrows.map(|action| key(action, 0)).concat();
    let usual = if usual == "UpLeftDownRight" { "arrows".to_owned() } else { usual };
    let letters = arrows.map(|action| key(action, 1)).concat();
    let (driving, leave) = (in_hand(name), key(Action::LetGo, 0));
    format!("{driving}: {usual} or {letters}, {leave} lets go")
}

/// An answer alone in its line.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The answer.
    pub message: &'a Message,
    /// The styles.
    pub theme: &'a Theme,
}

impl Widget for Answer<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.width < 2 || area.height == 0 {
            return;
        }
        let (text, style) = answer(self.message, self.theme);
        let width = usize::from(area.width - 1);
        buffer.set_stringn(area.x + 1, area.y, pane::fitted(&text, width), width, style);
    }
}

fn answer(message: &Message, theme: &Theme) -> (String, Style) {
    match message {
        Message::Note(text) => (text.clone(), theme.strong),
        Message::Warning(text) => (text.clone(), theme.warn),
    }
}
