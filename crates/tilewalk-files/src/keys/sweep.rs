//! Keys of sweep files.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use serde_json::json;

use crate::keys::expect::{MAX_NAME, SECONDS, seeds};
use crate::keys::map::{MAX_SEED, version};
use crate::keys::table::{DefaultValue, Key, Table, ValueKind};
use crate::keys::words;

/// Maximum number of frames of a run.
const MAX_FRAMES: i64 = 1_000_000_000;

/// Maximum number of design points. Each takes about 100 bytes of memory.
pub const MAX_POINTS: i64 = 1_000_000;

/// Maximum number of runs: design points times seeds.
pub const MAX_RUNS: u64 = 100_000_000;

/// Maximum number of varied values in a sweep.
pub const MAX_PATHS: usize = 100;

/// Maximum number of measures in a sweep.
pub const MAX_MEASURES: usize = 1000;

/// Valid first and last values of a range.
const ENDS: RangeInclusive<f64> = -1e12..=1e12;

/// Rule that combines the values of all paths into design points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DesignKind {
    /// All combinations. The first path varies slowest.
    Grid,
    /// Point N combines the N-th values of all paths.
    Zip,
    /// Independent random values.
    Random,
    /// Points of the Halton sequence, which fill the space evenly.
    Halton,
    /// One point in each of N equal parts of each path's values, where N is the number of points.
    Latin,
}

impl DesignKind {
    /// Returns true if the design draws its values at random or from a sequence. The number of
    /// points is then free, and ranges need no steps.
    pub fn is_sampled(self) -> bool {
        match self {
            Self::Grid | Self::Zip => false,
            Self::Random | Self::Halton | Self::Latin => true,
        }
    }
}

/// Spacing of the values of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Neighbouring values have the same difference.
    Linear,
    /// Neighbouring values have the same ratio.
    Log,
}

/// Rule that combines the numbers of a run into one result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Take {
    /// The number in the last frame; empty if that frame has no number.
    Last,
    /// The mean over the frames with a number.
    Mean,
    /// The smallest number of the run.
    Min,
    /// The largest number of the run.
    Max,
    /// The sum over the frames with a number.
    Sum,
    /// The standard deviation over the frames with a number: the root of the sum of the squared
    /// deviations from the mean, divided by the number of frames minus 1.
    Sd,
    /// The number below which this share of the numbers lies, 0 to 1. Between two numbers, it is
    /// interpolated.
    Quantile(f64),
}

pub const DESIGNS: [(&str, DesignKind); 5] = [
    ("grid", DesignKind::Grid),
    ("zip", DesignKind::Zip),
    ("random", DesignKind::Random),
    ("halton", DesignKind::Halton),
    ("latin", DesignKind::Latin),
];

pub const SCALES: [(&str, Scale); 2] = [("linear", Scale::Linear), ("log", Scale::Log)];

pub const TAKES: [(&str, Take); 7] = [
    ("last", Take::Last),
    ("mean", Take::Mean),
    ("min", Take::Min),
    ("max", Take::Max),
    ("sum", Take::Sum),
    ("median", Take::Quantile(0.5)),
    ("sd", Take::Sd),
];

#[rustfmt::skip]
pub static SWEEP: LazyLock<Table> = LazyLock::new(|| Table::new("a sweep", "A tilewalk sweep: many runs over seeds and values.", vec![
    version(),
    Key::new("map", ValueKind::Text, "Map file, relative to the sweep file. Required unless `[vary]` has `map`")
        .default(DefaultValue::Alternative),
    Key::new("frames", ValueKind::Integer(1..=MAX_FRAMES), "Frames of each run").required(),
    Key::new("seeds", ValueKind::Other(seeds), "Number of seeds, from the seed of the first map on, or a list of seeds")
        .shown_kind("1–1,000,000, or array of integers").default(DefaultValue::Number(1.0))
        .details("All design points use the same seeds"),
    Key::new("until", ValueKind::Condition, "A run ends after the first frame in which this condition holds"),
    Key::new("design", words::kind(&DESIGNS), "How the values of `[vary]` form design points")
        .default(DefaultValue::Word("grid")),
    Key::new("points", ValueKind::Integer(1..=MAX_POINTS), "Number of design points. Required with `random`, `halton` and `latin`, and valid only there"),
    Key::new("design_seed", ValueKind::Integer(0..=MAX_SEED), "Seed of the random numbers of the design")
        .shown_kind("integer, 0 to 2⁵³ − 1").default(DefaultValue::Number(0.0)),
    Key::new("vary", ValueKind::Map("the varied values", "vary"), "Values to vary, by path")
        .header("[vary]").default(DefaultValue::Text("one design point")),
    Key::new("measure", ValueKind::Map("the measures", "measure"), "Measures of each run, by column name")
        .header("[measure]").required(),
]));

/// The table `vary`, whose keys are paths of values.
pub static VARY: LazyLock<Table> = LazyLock::new(|| Table::open("the varied values"));

/// The table `measure`, whose keys are column names.
pub static MEASURES: LazyLock<Table> = LazyLock::new(|| Table::open("the measures"));

#[rustfmt::skip]
pub static RANGE: LazyLock<Table> = LazyLock::new(|| Table::new("a range of values", "", vec![
    Key::new("from", ValueKind::Float(ENDS), "First value").required(),
    Key::new("to", ValueKind::Float(ENDS), "Last value").required(),
    Key::new("steps", ValueKind::Integer(2..=MAX_POINTS), "Number of values, including both ends. Required with `grid` and `zip`, and valid only there"),
    Key::new("scale", words::kind(&SCALES), "Spacing of the values: `linear` (equal differences) or `log` (equal ratios)")
        .default(DefaultValue::Word("linear")),
]));

#[rustfmt::skip]
pub static MEASURE: LazyLock<Table> = LazyLock::new(|| Table::new("a measure", "Exactly one of `value`, `count`, `first` and `expect` is required.", vec![
    Key::new("value", ValueKind::Text, "Number in each frame; `take` combines the numbers of a run")
        .shown_kind("[number](conditions.md)").default(DefaultValue::Alternative),
    Key::new("take", words::kind(&TAKES), "With `value`: which number of the run is the result. Frames without a value are skipped, except by `last`")
        .default(DefaultValue::Word("last")),
    Key::new("quantile", ValueKind::Float(0.0..=1.0), "With `value`, instead of `take`: the result is the number below which this share of the numbers lies")
        .details("Between two numbers, it is interpolated"),
    Key::new("from", ValueKind::Float(SECONDS), "First judged time. Earlier frames do not count. Not valid with `expect`, which has its own `from`")
        .unit("s").default(DefaultValue::Number(0.0)),
    Key::new("count", ValueKind::Condition, "Number of frames in which this condition holds").default(DefaultValue::Alternative),
    Key::new("first", ValueKind::Condition, "First frame in which this condition holds; empty if there is none").default(DefaultValue::Alternative),
    Key::new("expect", ValueKind::Other(|| json!({ "type": "string", "minLength": 1, "maxLength": MAX_NAME })), "Name of an expectation of the map. The result is `pass`, `fail` or `inconclusive`")
        .shown_kind("string").default(DefaultValue::Alternative),
]));
