//! Words that are valid values in map and pattern files, with their meanings.

use tilewalk_sim::map::{Corners, Edges};
use tilewalk_sim::pattern::matrix::DeadEnd;
use tilewalk_sim::pattern::path::Ends;
use tilewalk_sim::pattern::thrust::HeadingFrom;

use crate::keys::table::ValueKind;

pub const EDGES: [(&str, Edges); 2] = [("wall", Edges::Wall), ("wrap", Edges::Wrap)];

pub const CORNERS: [(&str, Corners); 3] =
    [("patterns", Corners::Patterns), ("cut", Corners::Cut), ("block", Corners::Block)];

pub const ENDS: [(&str, Ends); 2] = [("reverse", Ends::Reverse), ("stop", Ends::Stop)];

pub const DEAD_ENDS: [(&str, DeadEnd); 2] = [("back", DeadEnd::Back), ("stay", DeadEnd::Stay)];

pub const HEADINGS: [(&str, HeadingFrom); 2] =
    [("velocity", HeadingFrom::Velocity), ("orientation", HeadingFrom::Orientation)];

pub const UNITS: [(&str, ()); 1] = [("degrees", ())];

/// Returns the value kind that accepts these words.
pub(super) fn kind<T>(words: &[(&'static str, T)]) -> ValueKind {
    ValueKind::Words(words.iter().map(|(word, _)| *word).collect())
}
