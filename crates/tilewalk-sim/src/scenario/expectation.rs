//! Expectations: properties that runs of a scenario must have.
//!
//! Times are in frames. For a duration in a file, the file reader converts seconds to frames, adds
//! a millionth of a frame, and rounds down. With a tick of 0.1 s, 3.0 s are thus 30 frames.

use core::fmt;

use super::setting::Setting;
use crate::condition::{Condition, NumberCondition};

/// A statement about a run, which `judge` checks. Corresponds to one `[[expect]]` entry of a map
/// file.
#[derive(Debug, Clone)]
pub struct Expectation {
    /// Name of the expectation, unique in the scenario.
    pub name: String,
    /// The property that the run must have.
    pub form: Form,
    /// Start of the window of judged frames.
    pub from: WindowStart,
    /// Length of the window in frames: its last frame minus its first frame.
    pub duration: u64,
    /// The seeds of the runs to judge.
    pub seeds: Seeds,
    /// Share of the runs that must pass, from 0 to 1.
    pub at_least: f64,
    /// Confidence of the claim about all seeds, between 0 and 1; `None` for a claim about the
    /// listed seeds only.
    pub confidence: Option<f64>,
    /// Largest difference of the share from `at_least` that does not matter; 0 for none.
    pub margin: f64,
    /// Value changes for the judged runs.
    pub set: Vec<Setting>,
    /// The reason for a known failure; `None` if the expectation should pass. With a reason, pass
    /// and fail are exchanged.
    pub fails: Option<String>,
    /// Tags by which the user can select the expectation.
    pub tags: Vec<String>,
    /// Position of the expectation in the source files.
    pub place: SourcePosition,
}

/// A property of the frames in a window. The forms are the patterns of Dwyer, Avrunin and Corbett,
/// "Patterns in Property Specifications for Finite-State Verification" (1999).
///
/// A condition *becomes true* at a frame if it holds there and not at the frame before, or if it
/// holds at the first frame of the window.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// The condition holds in at least one frame of the window.
    Eventually(Condition),
    /// The condition holds in no frame of the window.
    Never(Condition),
    /// The condition holds in every frame of the window.
    Always(Condition),
    /// Each time `when` becomes true in the window, `then` holds in that frame or at most `within`
    /// frames later. The last answer can be after the window.
    Response {
        /// The trigger: a condition that demands an answer each time it becomes true.
        when: Condition,
        /// The condition that answers a trigger.
        then: Condition,
        /// Largest number of frames from a trigger to its answer.
        within: u64,
    },
    /// `before` never holds in a frame before `first` has held. Both may begin to hold in the same
    /// frame.
    Precedence {
        /// The condition that must hold first.
        first: Condition,
        /// The condition that must not hold before `first` has held.
        before: Condition,
    },
    /// From some frame on, the condition holds until the end of the window. That frame is at least
    /// `hold` frames before the end.
    Settles {
        /// The condition that must begin to hold and then keep holding.
        condition: Condition,
        /// Minimum length of the final span in which the condition holds, in frames: its last frame
        /// minus its first frame.
        hold: u64,
    },
    /// The condition becomes true in every span of the window. A span contains `every` + 1
    /// consecutive frames.
    Repeats {
        /// The condition that must become true in every span.
        condition: Condition,
        /// Length of each span in frames: its last frame minus its first frame.
        every: u64,
    },
    /// The value stays strictly within the bounds in every frame in which the value is defined.
    Bounds {
        /// The number that must stay within the bounds.
        value: NumberCondition,
        /// Upper bound, exclusive; `None` for no upper bound.
        below: Option<f64>,
        /// Lower bound, exclusive; `None` for no lower bound.
        above: Option<f64>,
    },
    /// The state at the end of the window has a known hash; `None` if no hash is known yet.
    Golden(Option<Golden>),
}

/// The known state of a run at the end of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Golden {
    /// Revision of the engine that computed the hash, see [`crate::step::ENGINE_REVISION`].
    pub engine: u16,
    /// State hash of the last frame of the window.
    pub hash: u64,
}

/// Start of the window of judged frames.
#[derive(Debug, Clone, PartialEq)]
pub enum WindowStart {
    /// The window starts at the frame with this number.
    Frame(u64),
    /// The window starts at the first frame in which a condition holds.
    When {
        /// The condition that starts the window.
        condition: Box<Condition>,
        /// Latest frame at which the window can start, counted from the start of the run.
        by: u64,
    },
}

/// Seeds of the runs to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seeds {
    /// Consecutive seeds, starting with the seed of the scenario. The field is the number of seeds,
    /// at least 1.
    Next(u32),
    /// Exactly these seeds, in this order.
    List(Vec<u64>),
}

/// A position in the source files of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SourcePosition {
    /// Index of the file in [`Sources::files`](super::sources::Sources::files).
    pub file: usize,
    /// Line, from 1; 0 if the scenario was built in code.
    pub line: usize,
    /// Column, from 1; 0 if the scenario was built in code.
    pub column: usize,
}

impl Expectation {
    /// Creates an expectation about frames 0 to 1,200 of one run with the seed of the scenario. The
    /// run must pass.
    pub fn new(name: impl Into<String>, form: Form) -> Self {
        Self {
            name: name.into(),
            form,
            from: WindowStart::Frame(0),
            duration: 1_200,
            seeds: Seeds::Next(1),
            at_least: 1.0,
            confidence: None,
            margin: 0.0,
            set: Vec::new(),
            fails: None,
            tags: Vec::new(),
            place: SourcePosition::default(),
        }
    }

    /// Iterates over the conditions of the expectation: first the start of the window, then the
    /// conditions of the form.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.start_condition().into_iter().chain(self.form.conditions())
    }

    /// Returns the condition that starts the window; `None` if the window starts at a frame.
    pub fn start_condition(&self) -> Option<&Condition> {
        match &self.from {
            WindowStart::Frame(_) => None,
            WindowStart::When { condition, .. } => Some(condition),
        }
    }

    /// Returns true if both expectations have the same name, window and form. Seeds, value changes
    /// and the share of runs that must pass can differ.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.name == other.name
            && self.duration == other.duration
            && self.from == other.from
            && self.form == other.form
    }

    /// Returns true if a condition or value of the expectation can depend on the previous frame.
    pub fn uses_previous_frame(&self) -> bool {
        self.form.value().is_some_and(NumberCondition::is_momentary)
            || self.conditions().any(Condition::is_momentary)
    }
}

impl Form {
    /// Returns the properties of the form: one row for each form.
    fn row(&self) -> FormRow<'_> {
        let row = FormRow::default();
        match self {
            Self::Eventually(condition) => {
                FormRow { word: "eventually", first: Some(condition), is_liveness: true, ..row }
            }
            Self::Never(condition) => FormRow { word: "never", first: Some(condition), ..row },
            Self::Always(condition) => FormRow { word: "always", first: Some(condition), ..row },
            Self::Response { when, then, .. } => FormRow {
                word: "when",
                first: Some(when),
                second: Some(then),
                is_liveness: true,
                ..row
            },
            Self::Precedence { first, before } => {
                FormRow { word: "first", first: Some(first), second: Some(before), ..row }
            }
            Self::Settles { condition, .. } => {
                FormRow { word: "settles", first: Some(condition), is_liveness: true, ..row }
            }
            Self::Repeats { condition, .. } => {
                FormRow { word: "repeats", first: Some(condition), is_liveness: true, ..row }
            }
            Self::Bounds { value, .. } => FormRow { word: "value", value: Some(value), ..row },
            Self::Golden(_) => FormRow { word: "golden", ..row },
        }
    }

    /// Iterates over the conditions of the form, in the order of its fields. Empty for `Bounds` and
    /// `Golden`.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let row = self.row();
        row.first.into_iter().chain(row.second)
    }

    /// Returns the number whose bounds are judged; `None` for forms other than `Bounds`.
    pub fn value(&self) -> Option<&NumberCondition> {
        self.row().value
    }

    /// Returns the key of a map file that selects the form, such as `never`.
    pub fn word(&self) -> &'static str {
        self.row().word
    }

    /// Returns true for a liveness property: if the run fails, something did not happen.
    pub fn is_liveness(&self) -> bool {
        self.row().is_liveness
    }
}

/// The properties of a form.
#[derive(Default)]
struct FormRow<'a> {
    /// Key of a map file that selects the form.
    word: &'static str,
    first: Option<&'a Condition>,
    second: Option<&'a Condition>,
    /// The number whose bounds are judged.
    value: Option<&'a NumberCondition>,
    is_liveness: bool,
}

impl fmt::Display for Golden {
    /// Formats the engine revision and the hash as in a map file, such as `2:0123456789abcdef`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:016x}", self.engine, self.hash)
    }
}

impl Seeds {
    /// Returns the seeds in order. `first` is the seed of the scenario, where [`Seeds::Next`]
    /// starts. After 2⁵³ − 1, seeds continue at 0.
    pub fn list(&self, first: u64) -> Vec<u64> {
        match self {
            &Self::Next(count) => {
                (0..u64::from(count)).map(|index| (first + index) % (1 << 53)).collect()
            }
            Self::List(seeds) => seeds.clone(),
        }
    }
}
