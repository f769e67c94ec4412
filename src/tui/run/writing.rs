//! Writes files on another thread, so that the keys work even if a file system does not answer.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::tui::app::App;
use crate::tui::mailbox::{CTRL_C, LoopEvent};

use super::{Running, Stop, now};

/// Maximum time that input waits for a file, so that a key after `w` sees the written file.
const PATIENCE: Duration = Duration::from_secs(1);

/// Maximum time that ctrl-c waits for a file.
const PATIENCE_AT_CTRL_C: Duration = Duration::from_millis(100);

/// Function that passes the result of a write on to the app.
pub(super) type WriteEnd = Box<dyn FnOnce(&mut App) + Send>;

impl Running<'_> {
    /// Writes files with `write`, and passes the result on to the app with `end`. Returns when the
    /// files are written or input has waited long enough. In the second case, the write goes on.
    pub(super) fn write<R: Send + 'static>(
        &mut self,
        write: impl FnOnce() -> R + Send + 'static,
        end: impl FnOnce(&mut App, R) + Send + 'static,
    ) -> Result<(), Stop> {
        let (sender, ended) = mpsc::channel();
        let post = self.mailbox.post();
        thread::Builder::new().name("writing".to_owned()).spawn(move || {
            let result = write();
            let end: WriteEnd = Box::new(move |app| end(app, result));
            // The main loop may have ended in the meantime.
            let _ = sender.send(end);
            post.send(LoopEvent::Written);
        })?;
        self.writing = Some(ended);
        let begin = now();
        while self.writing.is_some() {
            let interrupted = self.inputs.contains(&CTRL_C);
            let patience = if interrupted { PATIENCE_AT_CTRL_C } else { PATIENCE };
            let left = patience.saturating_sub(begin.elapsed());
            if left.is_zero() {
                self.answer();
                return self.compute(App::write_continues);
            }
            if let Some(event) = self.mailbox.wait(Some(left)) {
                self.take(event)?;
            }
            self.end_write()?;
        }
        Ok(())
    }

    /// Passes the result of the write in progress on to the app, if the write has ended.
    pub(super) fn end_write(&mut self) -> Result<(), Stop> {
        let Some(end) = self.writing.as_ref().and_then(|ended| ended.try_recv().ok()) else {
            return Ok(());
        };
        self.writing = None;
        self.answer();
        self.compute(|app| {
            app.write_ended();
            end(app);
        })
    }
}
