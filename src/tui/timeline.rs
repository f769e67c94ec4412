//! The timeline: maps frames to cells, and summarises each cell.

pub use crate::debugger::marks::{Mark, MarkKind};
use crate::event::EventKind;
use crate::history::run::Run;
use crate::time::Frame;

/// Minimum number of frames that the bar covers.
const SHORTEST: u64 = 200;

/// Maximum number of events examined per cell.
const LOOKED_THROUGH: usize = 64;

/// Conversion between frames and cells of the timeline bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// Number of frames that the bar covers, including all simulated frames.
    pub span: u64,
    /// Width of the bar in cells.
    pub width: u16,
}

impl Scale {
    /// Returns the scale for a run that ends at `end`. The span grows in large steps, so that
    /// frames rarely move to other cells.
    pub fn of(end: Frame, width: u16) -> Self {
        let mut span = SHORTEST;
        while span <= end.0 {
            // The spans are 200, 500, 1000, 2000, …
            let leading = span / 10_u64.pow(span.ilog10());
            span = if leading == 2 { span / 2 * 5 } else { span * 2 };
        }
        Self { span, width }
    }

    /// Returns the cell of a frame, from 0. Frames after the end of the bar belong to the last
    /// cell.
    pub fn cell(self, frame: Frame) -> u16 {
        let cell = u128::from(frame.0) * u128::from(self.width) / u128::from(self.span);
        cell.min(u128::from(self.width.saturating_sub(1))) as u16
    }

    /// Returns the first frame of a cell. The cell after the last one starts at the end of the bar.
    pub fn first(self, cell: u16) -> Frame {
        let width = u128::from(self.width.max(1));
        Frame((u128::from(cell) * u128::from(self.span)).div_ceil(width) as u64)
    }
}

/// Summary of the frames that share a cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stretch {
    /// Whether any of the frames has been simulated.
    pub made: bool,
    /// Whether any of the frames is a keyframe.
    pub keyframe: bool,
    /// Number of events in the frames.
    pub events: usize,
    /// The most important of the examined events. `None` without events.
    pub standing_out: Option<EventKind>,
    /// Whether the run branches from its parent run at one of the frames.
    pub branch: bool,
    /// Mark of the earliest marked frame. A met expectation counts only if the frames have no other
    /// mark. `None` without marks.
    pub mark: Option<MarkKind>,
}

/// Returns the summaries of all cells, from left to right. `marks` must be sorted by frame.
pub fn stretches(run: &Run, marks: &[Mark], scale: Scale) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = (0..scale.width)
        .map(|cell| Stretch { made: scale.first(cell) <= run.end(), ..Stretch::default() })
        .collect();
    let keyframes = run.snapshots().keyframes();
    // Keyframes in every second cell would be noise.
    if keyframes.len() as u64 * scale.span < run.end().0.max(1) * u64::from(scale.width) / 2 {
        for frame in keyframes {
            stretches[usize::from(scale.cell(frame))].keyframe = true;
        }
    }
    let events = run.events();
    let mut first = 0;
    for (cell, stretch) in stretches.iter_mut().enumerate().filter(|(_, stretch)| stretch.made) {
        let next = scale.first(cell as u16 + 1);
        let end = next.0.checked_sub(1).map_or(0, |last| events.count_until(Frame(last)));
        stretch.events = end.saturating_sub(first);
        let some = (first..end).take(LOOKED_THROUGH).filter_map(|index| events.get(index));
        stretch.standing_out = some.map(|event| event.kind).max_by_key(weight);
        first = end;
    }
    if let Some(branch) = run.branch() {
        stretches[usize::from(scale.cell(branch.at))].branch = true;
    }
    for mark in marks.iter().rev().filter(|mark| mark.frame <= run.end()) {
        let shown = &mut stretches[usize::from(scale.cell(mark.frame))].mark;
        if shown.is_none() || mark.kind != MarkKind::Met {
            *shown = Some(mark.kind);
        }
    }
    stretches
}

/// Returns the importance of an event on the timeline. Higher numbers are more important.
fn weight(kind: &EventKind) -> u8 {
    match kind {
        EventKind::Quarantined { .. } => 5,
        EventKind::Stuck
        | EventKind::Circling
        | EventKind::Oscillating
        | EventKind::Deadlocked(_) => 4,
        EventKind::Mode { .. } => 3,
        EventKind::Seen(_)
        | EventKind::Lost(_)
        | EventKind::Arrived
        | EventKind::Finished
        | EventKind::Spawned { .. }
        | EventKind::Removed(_)
        | EventKind::Trace(_) => 2,
        EventKind::Bump(_) | EventKind::Overlap(_) | EventKind::Blocked(_) => 1,
        EventKind::DeadEnd
        | EventKind::Pattern { .. }
        | EventKind::Joined
        | EventKind::Signal(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_cells_are_converted_in_both_directions() {
        for end in [0, 1, 199, 200, 499, 500, 1999, 123_456, 1 << 40] {
            for width in [1, 7, 60, 180] {
                let scale = Scale::of(Frame(end), width);
                assert!(scale.span > end && scale.span <= (end * 5 / 2 + 1).max(SHORTEST));
                for cell in 0..width {
                    let first = scale.first(cell);
                    let shared = scale.span < u64::from(width);
                    assert!(shared || scale.cell(first) == cell, "{end}: {cell} of {width}");
                }
                assert!(scale.cell(Frame(end)) < width);
                assert!(scale.first(width).0 > end);
            }
        }
    }

    #[test]
    fn the_scale_of_the_timeline_grows_in_steps() {
        let spans: Vec<u64> = [0, 199, 200, 499, 500, 999, 1000, 2000]
            .map(|end| Scale::of(Frame(end), 60).span)
            .into();
        assert_eq!(spans, [200, 200, 500, 500, 1000, 1000, 2000, 5000]);
    }
}
