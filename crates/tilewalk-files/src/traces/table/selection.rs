//! Leaves out rows while a run is read, so that a part of a large file needs little memory.

use crate::traces::error::LineProblem;
use crate::traces::header::TraceOptions;

/// The rows to read.
#[derive(Debug, Clone, Default)]
pub(super) struct Selection {
    /// First and last frame, counted from 0. `None` reads all frames.
    frames: Option<(u64, u64)>,
    /// The last frame key, and the number of different keys before it.
    last: Option<(f64, u64)>,
}

impl Selection {
    /// Returns the selection of frames. In a sparse file, rows before the first frame can hold, so
    /// all rows must be read.
    pub fn new(options: &TraceOptions, is_sparse: bool) -> Self {
        let selects = options.rows_from.is_some() || options.rows_to.is_some();
        let range = (options.rows_from.unwrap_or(0), options.rows_to.unwrap_or(u64::MAX));
        Self { frames: (selects && !is_sparse).then_some(range), last: None }
    }

    /// Returns true if frames were left out, so that the first frame that was read is frame 0.
    pub fn is_used(&self) -> bool {
        self.frames.is_some()
    }

    /// Returns true if the rows of a frame with a key are read. Rows must be in order of frames.
    pub fn takes(&mut self, key: f64) -> Result<bool, LineProblem> {
        let Some((from, to)) = self.frames else { return Ok(true) };
        let frame = match self.last {
            None => 0,
            Some((last, frame)) if last == key => frame,
            Some((last, frame)) if last < key => frame + 1,
            Some(_) => {
                let what = "to read a part with --rows-from and --rows-to, the rows must be in order \
                            of frames";
                return Err(LineProblem::new(1, what));
            }
        };
        self.last = Some((key, frame));
        Ok((from..=to).contains(&frame))
    }
}
