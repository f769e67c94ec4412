//! Command arguments: parses and checks the text after a command name.
//!
//! A command receives a checked value, such as a frame, an agent or a condition. No command parses
//! text itself.

use core::ops::Range;

use crate::condition::{Condition, ConditionError};
use crate::files::settings::{self, Setting, SettingError};
use crate::files::{keys::old_names, show};
use crate::history::breaks::{self, Trigger};
use crate::id::AgentId;
use crate::report::absence;
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::World;

use super::clock::Speed;
use super::overlays;
use super::theme::Name;

/// Maximum number of agent names that are compared with a mistyped name.
const SUGGESTED: usize = 1000;

/// The kind of a command argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "`wanted` describes every kind")]
pub enum ArgumentKind {
    /// A frame number, or a time in seconds.
    Frame,
    /// A whole number of at least 1.
    Count,
    Speed,
    Theme,
    Overlay,
    Agent,
    /// A value that can change during the run, such as `guard.mode` or `distance(guard, thief)`.
    Field,
    /// A condition, such as `guard.speed > 1`.
    Condition,
    /// A change of a setting, such as `boid.steer.2.weight=3`.
    Setting,
    File,
    /// A map, identified by title, file name or path.
    Map,
    Text,
}

/// A parsed argument of a command.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "`ArgumentKind::wanted` describes every kind")]
pub enum Argument {
    Frame(Frame),
    /// A number of at least one.
    Count(u32),
    Speed(Speed),
    Theme(Name),
    Overlay(&'static str),
    /// An agent that is present at the current frame.
    Agent(AgentId),
    /// A value that can change during the run.
    Field {
        /// The typed text.
        text: String,
        /// A condition that is true when the value changes.
        changed: Condition,
    },
    /// A condition that is valid for the scenario.
    Condition(Condition),
    /// A change of a setting. The name of the setting is not checked.
    Setting(Setting),
    /// A path. The file may not exist.
    File(String),
    /// The id of a map. The map may not exist.
    Map(String),
    Text(String),
}

/// An error in a typed argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The invalid part of the text, as a range of bytes.
    pub span: Range<usize>,
    /// The error message, in one sentence.
    pub text: String,
}

impl ArgumentKind {
    /// Returns the placeholder for this kind in usage texts, such as `FRAME`.
    pub fn word(self) -> &'static str {
        self.texts().0
    }

    /// Returns a description of this kind, with an example.
    pub fn wanted(self) -> &'static str {
        self.texts().1
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Frame => ("FRAME", "a frame number (such as 812) or a time (such as 12.5s)"),
            Self::Count => ("N", "a positive whole number, such as 20"),
            Self::Speed => ("SPEED", "a speed (1/8, 1/4, 1/2, 1, 2, 4, 8, 16, 32, 64 or max)"),
            Self::Theme => ("THEME", "a theme (dark, light, high-contrast, color-blind or mono)"),
            Self::Overlay => ("OVERLAY", "an overlay name, such as trail"),
            Self::Agent => ("AGENT", "an agent name, such as guard"),
            Self::Field => ("FIELD", "a value, such as guard.mode"),
            Self::Condition => ("CONDITION", "a condition, such as guard.speed > 1"),
            Self::Setting => ("SETTING", "a setting, such as guard.max_speed=6"),
            Self::File => ("FILE", "a file path"),
            Self::Map => ("MAP", "a map name, such as castle, or a file path"),
            Self::Text => ("TEXT", "some text"),
        }
    }

    /// Parses an argument. `text` must have no leading or trailing spaces. `world` is the current
    /// frame, or `None` if no map is open.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid argument of this kind.
    pub fn read(self, text: &str, world: Option<&World>) -> Result<Argument, Complaint> {
        let scenario = world.map(|world| &**world.scenario());
        let whole = |message: String| Complaint { span: 0..text.len(), text: message };
        let no_map = || whole("no map is open".to_owned());
        let number = || text.parse::<u64>().ok();
        let read = match self {
            Self::Frame => {
                number().map(Frame).or_else(|| at_time(text, scenario?)).map(Argument::Frame)
            }
            Self::Count => {
                let number = number().and_then(|number| u32::try_from(number).ok());
                number.filter(|&number| number > 0).map(Argument::Count)
            }
            Self::Speed => {
                let number = text.trim_start_matches(['×', 'x']);
                Speed::all().find(|&speed| written(speed) == number).map(Argument::Speed)
            }
            Self::Theme => text.parse().ok().map(Argument::Theme),
            Self::Overlay => {
                let name = old_names::current(old_names::AliasKind::Overlay, text);
                let entry = overlays::TABLE.iter().find(|entry| entry.name == name);
                let near = show::nearest(name, overlays::TABLE.iter().map(|entry| entry.name));
                let unknown = || {
                    format!("unknown overlay `{}`{}", show::text(text), show::did_you_mean(near))
                };
                let entry = entry.ok_or_else(|| whole(unknown()))?;
                return Ok(Argument::Overlay(entry.name));
            }
            Self::Setting => {
                let read = settings::parse(text).map(Argument::Setting);
                return read.map_err(|error: SettingError| whole(error.to_string()));
            }
            Self::File => Some(Argument::File(text.to_owned())),
            // The caller looks up the map.
            Self::Map => Some(Argument::Map(text.to_owned())),
            Self::Text => Some(Argument::Text(text.to_owned())),
            Self::Agent => return agent(text, world.ok_or_else(no_map)?),
            Self::Field => return field(text, scenario.ok_or_else(no_map)?),
            Self::Condition => return condition(text, scenario.ok_or_else(no_map)?),
        };
        read.ok_or_else(|| whole(format!("`{}` is not {}", show::text(text), self.wanted())))
    }
}

fn agent(text: &str, world: &World) -> Result<Argument, Complaint> {
    let span = 0..text.len();
    let found = world.find_present(text);
    found.map(Argument::Agent).ok_or_else(|| {
        let text = absence::of_name(world, text).unwrap_or_else(|| {
            let known = world.ids().take(SUGGESTED).map(|id| world.name(id).to_string());
            let known: Vec<_> = known.collect();
            let near = show::nearest(text, known.iter().map(String::as_str));
            let near = show::did_you_mean(near);
            format!("unknown agent `{}`{near}", show::text(text))
        });
        Complaint { span, text }
    })
}

fn field(text: &str, scenario: &Scenario) -> Result<Argument, Complaint> {
    let changed = breaks::read(Trigger::Change, text, scenario)
        .map_err(|error| complaint(&error, text.len()))?;
    Ok(Argument::Field { text: text.to_owned(), changed })
}

fn condition(text: &str, scenario: &Scenario) -> Result<Argument, Complaint> {
    // `event bump` is short for `event(bump)`. Both have the same length, so error positions match.
    let event = text.strip_prefix("event ").filter(|kind| !kind.contains('('));
    let asked = event.map(|kind| format!("event({kind})"));
    breaks::read(Trigger::Condition, asked.as_deref().unwrap_or(text), scenario)
        .map(Argument::Condition)
        .map_err(|error| complaint(&error, text.len()))
}

/// Parses a time in seconds, such as `12.5s`, and returns the nearest frame. Returns `None` if
/// `text` is not a time.
fn at_time(text: &str, scenario: &Scenario) -> Option<Frame> {
    let seconds: f64 = text.strip_suffix('s')?.trim_end().parse().ok()?;
    let frame = (seconds / scenario.tick()).round();
    (0.0..1e15).contains(&frame).then_some(Frame(frame as u64))
}

/// Formats a speed without the `×` sign.
pub fn written(speed: Speed) -> String {
    speed.to_string().trim_start_matches('×').to_owned()
}

/// Converts an error in a condition. The span is limited to the typed text, which is `length` bytes
/// long.
fn complaint(error: &ConditionError, length: usize) -> Complaint {
    let within = |at: usize| at.min(length);
    let near = error.unknown.as_ref().and_then(|(word, known)| {
        let near = show::nearest(word, known.iter().map(String::as_str))?;
        Some(show::did_you_mean(Some(near)))
    });
    let help = match near {
        Some(near) => near,
        None if error.help.is_empty() => String::new(),
        None => format!("; {}", show::text(&error.help)),
    };
    let text = format!("{}{help}", show::text(&error.message));
    Complaint { span: within(error.span.start)..within(error.span.end), text }
}
