//! How the frames of a run lie along a bar, and what stands out among them.

pub use crate::debugger::marks::{Mark, MarkKind};
use crate::event::EventKind;
use crate::history::run::Run;
use crate::time::Frame;

/// Frames that the bar of a short run has room for.
const SHORTEST: u64 = 200;

/// Events of a stretch that are looked through for what stands out.
const LOOKED_THROUGH: usize = 64;

/// Frames on a bar of so many cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// Frames that the whole bar has room for: at least those that were made.
    pub span: u64,
    /// Cells.
    pub width: u16,
}

impl Scale {
    /// The scale of a run that has come to `end`. It stays the same for a while as the run goes on.
    pub fn of(end: Frame, width: u16) -> Self {
        let mut span = SHORTEST;
        while span <= end.0 {
            // 200, 500, 1000, 2000, …
            let leading = span / 10_u64.pow(span.ilog10());
            span = if leading == 2 { span / 2 * 5 } else { span * 2 };
        }
        Self { span, width }
    }

    /// The cell of a frame.
    pub fn cell(self, frame: Frame) -> u16 {
        let cell = u128::from(frame.0) * u128::from(self.width) / u128::from(self.span);
        cell.min(u128::from(self.width.saturating_sub(1))) as u16
    }

    /// The first frame of a cell; the cell after the last one begins where the bar ends.
    pub fn first(self, cell: u16) -> Frame {
        let width = u128::from(self.width.max(1));
        Frame((u128::from(cell) * u128::from(self.span)).div_ceil(width) as u64)
    }
}

/// What a cell of the bar is about.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stretch {
    /// Was any of its frames made?
    pub made: bool,
    /// Is one of its frames kept?
    pub keyframe: bool,
    /// How many events its frames have.
    pub events: usize,
    /// The one that stands out most.
    pub standing_out: Option<EventKind>,
    /// Does the run part from another here?
    pub branch: bool,
    /// What one of its frames is marked for.
    pub mark: Option<MarkKind>,
}

/// What each cell of a bar is about; `marks` are in order.
pub fn stretches(run: &Run, marks: &[Mark], scale: Scale) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = (0..scale.width)
        .map(|cell| Stretch { made: scale.first(cell) <= run.end(), ..Stretch::default() })
        .collect();
    let keyframes = run.snapshots().keyframes();
    // Where every cell or two has a keyframe, they tell nothing.
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
        stretches[usize::from(scale.cell(mark.frame))].mark = Some(mark.kind);
    }
    stretches
}

/// How much an event stands out.
fn weight(kind: &EventKind) -> u8 {
    match kind {
        EventKind::Quarantined { .. } => 5,
        EventKind::Stuck | EventKind::Circling => 4,
        EventKind::Mode { .. } => 3,
        EventKind::Seen(_) | EventKind::Lost(_) | EventKind::Arrived | EventKind::Finished => 2,
        EventKind::Bump(_) | EventKind::Overlap(_) | EventKind::Blocked(_) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_has_a_cell_and_every_cell_leads_back_to_it() {
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
    fn the_scale_stays_for_a_while() {
        let spans: Vec<u64> = [0, 199, 200, 499, 500, 999, 1000, 2000]
            .map(|end| Scale::of(Frame(end), 60).span)
            .into();
        assert_eq!(spans, [200, 200, 500, 500, 1000, 1000, 2000, 5000]);
    }
}
