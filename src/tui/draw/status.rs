//! The status line: time, seed, hash and message.
//!
//! A message replaces the less important facts. A long message takes more rows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use crate::debugger::past_event;
use crate::debugger::session::Session;
use crate::history::OtherSide;
use crate::time::Frame;
use crate::tui::action::{Action, Context, Keymap};
use crate::tui::clock::Clock;
use crate::tui::glyph;
use crate::tui::messages::Message;
use crate::tui::recording::Recording;
use crate::tui::theme::Theme;
use crate::words;

use super::{answer, expectations, pane, problems};

/// Maximum number of agents for which the world's hash is shown while playing.
const HASHED: usize = 500;

/// Minimum width of the screen, in columns, that has room for all facts.
const ROOMY: u16 = 120;

/// Minimum width of the screen, in columns, at which counts of expectations have words. Narrower
/// screens show symbols.
const WIDE: u16 = 160;

/// Width of the beginning of an event, in columns. A longer event does not replace details.
const EVENT: usize = 24;

/// Maximum width of the driven agent's name, in terminal columns.
const NAME: usize = 16;

/// Importance of a fact, most important first. A message replaces the least important facts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Play,
    Frame,
    Unsaved,
    Driving,
    Standing,
    Time,
    Detail,
}

/// Lowest rank that is always shown. A message never replaces facts up to this rank.
const LEAST: Rank = Rank::Frame;

/// Minimum width of the room for a message beside unsaved changes, in columns. In a narrower row, the
/// message replaces them.
const BESIDE_UNSAVED: usize = 30;

#[derive(Debug)]
struct Fact {
    rank: Rank,
    text: String,
    style: Style,
}

/// The status line with the optional message. A long message covers the rows above the status line.
#[derive(Debug)]
pub struct Status<'a> {
    pub session: &'a Session,
    pub clock: &'a Clock,
    /// Whether there are changes that are not written to a file.
    pub is_unsaved: bool,
    /// Whether the simulation is slower than the playback speed.
    pub late: bool,
    /// Whether playback shows the frames of a run when another program writes them.
    pub follows: bool,
    /// Target frame of a long seek, and the frame reached so far. `None` while no long seek is
    /// running.
    pub under_way: Option<(Frame, Frame)>,
    pub recording: Option<&'a Recording>,
    pub message: Option<&'a Message>,
    pub keymap: &'a Keymap,
    pub theme: &'a Theme,
}

impl Widget for Status<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let row = Rect { y: area.bottom() - 1, height: 1, ..area };
        let facts = self.facts(area.width);
        let room_beside = |least| room(facts.iter().filter(|fact| fact.rank <= least), row.width);
        let shows_unsaved = room_beside(Rank::Unsaved) >= BESIDE_UNSAVED;
        let least = if shows_unsaved { Rank::Unsaved } else { LEAST };
        let room = room_beside(least);
        let banner = || problems::banner(self.session.problems(), self.keymap, room);
        let Some((text, style)) = (match self.message {
            Some(message) => Some(answer::styled(message, self.theme)),
            None => banner().map(|text| (pane::fitted(&text, room), self.theme.bad)),
        }) else {
            let (text, style) = self.last_event(area.width);
            // The last event replaces details only if its beginning would have no room, and never
            // the frame or the time.
            let facts = beside(facts, text.width().min(EVENT), row.width, Rank::Time);
            write(&facts, &text, style, row, buffer);
            return;
        };
        let (above, last) = if text.width() <= room {
            (Vec::new(), text)
        } else {
            answer::above(&text, row.width, room)
        };
        // Beside a message with several rows, only the most important facts remain.
        let in_two = !above.is_empty() && !last.is_empty();
        let columns = if in_two { usize::MAX } else { last.width() };
        let facts = beside(facts, columns, row.width, least);
        write(&facts, &last, style, row, buffer);
        let over = Rect { height: area.height - 1, ..area };
        answer::write(&above, style, over, buffer);
    }
}

/// Returns the number of columns that remain for a text beside the facts, in a row of `width`
/// columns.
fn room<'a>(facts: impl IntoIterator<Item = &'a Fact>, width: u16) -> usize {
    let taken: usize = facts.into_iter().map(|fact| fact.text.width() + 2).sum();
    usize::from(width).saturating_sub(taken + 2)
}

/// Returns the facts that fit into a row of `width` columns beside a text of `columns` columns.
/// Facts up to the rank `least` are always included.
fn beside(mut facts: Vec<Fact>, columns: usize, width: u16, least: Rank) -> Vec<Fact> {
    let ranks =
        [Rank::Detail, Rank::Time, Rank::Standing, Rank::Driving, Rank::Unsaved, Rank::Frame];
    for last in ranks {
        facts.retain(|fact| fact.rank <= last);
        if last <= least || columns <= room(&facts, width) {
            break;
        }
    }
    facts
}

/// Writes facts from the left end of a row, followed by a text.
fn write(facts: &[Fact], text: &str, style: Style, row: Rect, buffer: &mut Buffer) {
    let mut x = row.x + 1;
    for (index, fact) in facts.iter().enumerate() {
        let width = usize::from(row.right().saturating_sub(x));
        // A fact that would be cut is left out, because a part of it could be wrong.
        if index == 0 || fact.text.width() <= width {
            buffer.set_stringn(x, row.y, pane::fitted(&fact.text, width), width, fact.style);
            x = x.saturating_add(fact.text.width() as u16 + 2);
        }
    }
    if x < row.right() {
        let width = usize::from(row.right() - x).saturating_sub(1);
        buffer.set_stringn(x, row.y, pane::fitted(text, width), width, style);
    }
}

impl Status<'_> {
    fn facts(&self, width: u16) -> Vec<Fact> {
        let (world, theme) = (self.session.world(), self.theme);
        let fact = |rank, (text, style)| Fact { rank, text, style };
        if let Some((sought, reached)) = self.under_way {
            let key = self.keymap.named(Action::Close, Context::Map);
            let share = (reached.0 as f64 / sought.0.max(1) as f64 * 100.0).min(99.0);
            let text = format!("seeking frame {sought}: at {reached}, {share:.0}%; {key} stops");
            return vec![fact(Rank::Play, (text, theme.warn))];
        }
        let mut facts = vec![fact(Rank::Play, self.pace())];
        if self.session.is_replay() {
            facts.push(fact(Rank::Standing, ("replay".to_owned(), theme.text)));
        }
        if self.is_unsaved {
            facts.push(fact(Rank::Unsaved, ("* unsaved".to_owned(), theme.warn)));
        }
        facts.extend(self.recording.map(|recording| fact(Rank::Standing, rec(recording, theme))));
        let drives = self.session.driven().is_some();
        if let Some(id) = self.session.driven() {
            let name = world.name(id).to_string();
            let long = driving(&name, self.keymap);
            let fits = facts[0].text.width() + long.width() + 3 <= usize::from(width);
            let text = if self.message.is_some() || !fits { in_hand(&name) } else { long };
            facts.push(fact(Rank::Driving, (text, theme.key)));
        }
        let comparison = self.comparison().filter(|_| width >= ROOMY || !drives);
        // In a narrow row with a comparison, the seed is left out, because it never changes.
        let seeded = comparison.is_none() || width >= ROOMY;
        facts.extend(comparison.map(|text| fact(Rank::Standing, (text, theme.key))));
        let hit = !self.session.hits().is_empty();
        let mark = if hit { format!("{} ", glyph::BREAK) } else { String::new() };
        facts.extend([
            fact(Rank::Frame, (format!("{mark}frame {}", world.frame()), theme.strong)),
            fact(Rank::Time, (format!("{:.2} s", world.time()), theme.text)),
        ]);
        if drives && width < ROOMY {
            return facts;
        }
        let summary = expectations::summary(self.session, width >= WIDE, theme);
        facts.extend(summary.map(|it| {
            let rank = if it.is_violated { Rank::Standing } else { Rank::Detail };
            fact(rank, (it.text, it.style))
        }));
        if seeded {
            let seed = format!("seed {}", world.scenario().seed());
            facts.push(fact(Rank::Detail, (seed, theme.dim)));
        }
        if !self.clock.playing || world.len() <= HASHED {
            let hash = format!("#{:08x}", world.hash() >> 32);
            facts.push(fact(Rank::Detail, (hash, theme.dim)));
        }
        let problems = self.session.problems();
        if problems.errors() > 0 && self.message.is_some() {
            // The message takes the place of the first error.
            facts.push(fact(Rank::Standing, (problems::counts(problems), theme.bad)));
        } else if problems.warnings() > 0 {
            let warnings = words::count(problems.warnings() as u64, "warning");
            facts.push(fact(Rank::Standing, (warnings, theme.warn)));
        }
        facts
    }

    /// Returns the playback state and speed, such as `▶ playing ×1`.
    fn pace(&self) -> (String, Style) {
        let (speed, theme) = (self.clock.speed, self.theme);
        match (self.clock.playing, self.late) {
            (true, _) if self.clock.backwards => {
                (format!("{} playing back {speed}", glyph::PLAYING_BACK), theme.good)
            }
            (true, _) if self.follows => (format!("{} playing live", glyph::PLAYING), theme.good),
            (true, false) => (format!("{} playing {speed}", glyph::PLAYING), theme.good),
            (true, true) => (format!("{} playing {speed}, lagging", glyph::PLAYING), theme.warn),
            (false, _) => (format!("{} paused {speed}", glyph::PAUSED), theme.warn),
        }
    }

    /// Describes the compared run. Returns `None` if no run of this map is compared.
    ///
    /// The text contains the frame at which the runs diverged. After the last frame of the compared
    /// run, the text contains that last frame instead.
    fn comparison(&self) -> Option<String> {
        let history = self.session.history();
        let OtherSide::Run { id, parted, end } = history.other_side()? else { return None };
        let number = id.0 + 1;
        Some(if history.frame() > end {
            format!("ghost: run {number}, ended at {end}")
        } else {
            format!("ghost: run {number}, branched at {parted}")
        })
    }

    /// Describes the latest event up to the current frame. The text is empty if there is no event,
    /// or if the row is narrow and an agent is driven. `width` is in columns.
    fn last_event(&self, width: u16) -> (String, Style) {
        if self.session.driven().is_some() && width < ROOMY {
            return (String::new(), self.theme.dim);
        }
        let history = self.session.history();
        let text = self.session.events().next().map(|event| {
            let (name, text) = (past_event::name(event, history), past_event::text(event, history));
            format!("{}: {name} {text}", event.frame)
        });
        (text.unwrap_or_default(), self.theme.dim)
    }
}

/// Describes whether the recording is running or has stopped.
fn rec(recording: &Recording, theme: &Theme) -> (String, Style) {
    match recording.stopped() {
        None => (format!("{} rec", glyph::BREAK), theme.good),
        Some(_) => ("rec stopped".to_owned(), theme.bad),
    }
}

fn in_hand(name: &str) -> String {
    format!("driving {}", pane::fitted(name, NAME))
}

/// Describes manual control: the driven agent's name, and the keys that move the agent and stop
/// driving.
fn driving(name: &str, keymap: &Keymap) -> String {
    let arrows = [Action::DriveUp, Action::DriveLeft, Action::DriveDown, Action::DriveRight];
    let key = |action, index: usize| {
        let key = keymap.keys_of(action, Context::Drive).get(index);
        key.map_or(String::new(), ToString::to_string)
    };
    // The names of the arrow keys are too long to list.
    let usual = arrows.map(|action| key(action, 0)).concat();
    let usual = if usual == "UpLeftDownRight" { "arrows".to_owned() } else { usual };
    let letters = arrows.map(|action| key(action, 1)).concat();
    let (driving, leave) = (in_hand(name), key(Action::StopDriving, 0));
    format!("{driving}: {usual} or {letters}, {leave} stops")
}
