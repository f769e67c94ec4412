//! Makes ctrl-c end the program even if the main thread is busy or blocked, for example by a disk
//! or a terminal that has stopped.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use super::terminal;

/// Time that the main loop has to handle ctrl-c. After that, the process exits. Together with the
/// 0.2 s that [`terminal::restore_before_exit`] can wait, this is well below the promised second.
const LEAVE: Duration = Duration::from_millis(500);

/// Counters of ctrl-c presses, shared by all clones.
#[derive(Debug, Clone, Default)]
pub struct Interrupts {
    pressed: Arc<AtomicU32>,
    handled: Arc<AtomicU32>,
}

impl Interrupts {
    /// Records a press. The process exits after [`LEAVE`] if the main loop has not handled the
    /// press by then and the screen is still shown.
    pub fn press(&self) {
        let number = self.pressed.fetch_add(1, Ordering::SeqCst) + 1;
        let handled = Arc::clone(&self.handled);
        let exit = move || {
            thread::sleep(LEAVE);
            if handled.load(Ordering::SeqCst) < number && terminal::restore_before_exit() {
                process::exit(0);
            }
        };
        // If no thread can be started, only the main loop handles the key.
        let _ = thread::Builder::new().name("interrupt".to_owned()).spawn(exit);
    }

    /// Records that the main loop has handled a press without ending the program.
    pub fn handled(&self) {
        self.handled.fetch_add(1, Ordering::SeqCst);
    }
}
