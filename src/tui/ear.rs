//! Waiting for whatever comes first: something that is typed, or somebody who wakes the screen.
//!
//! crossterm 0.29 waits for keys and for signals in one set, is told of each only once, and of two
//! that come together forgets one until the next comes: a key pressed while the window changes its
//! size would lie there unheard, or the change unseen. So it is never left to wait, and signals are
//! heard here; when a key lies there all the same, the terminal is asked how it does, as its answer
//! brings the key along.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::crossterm::event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::SigId;
use signal_hook::consts::{SIGURG, SIGWINCH};
use signal_hook::flag;
use signal_hook::low_level::{pipe, unregister};

/// "Device status report": every terminal answers at once, and the answer is no key.
const HOW_DO_YOU_DO: &[u8] = b"\x1b[5n";

/// How long a key may lie there before it is looked for again.
const PATIENCE: Duration = Duration::from_millis(20);

/// What the main thread listens with.
#[derive(Debug)]
pub struct Ear {
    pipe: UnixStream,
    /// Has the window another size, or has all to be drawn anew?
    resized: Arc<AtomicBool>,
    registered: Vec<SigId>,
    /// Was the terminal asked for a key that lies there?
    asked: bool,
}

impl Ear {
    /// Begins to listen.
    pub fn start() -> io::Result<Self> {
        let (wake, pipe) = UnixStream::pair()?;
        pipe.set_nonblocking(true)?;
        let resized = Arc::default();
        // First the note, then the wake-up: what a signal does is done in the order it is asked for.
        let mut registered = vec![flag::register(SIGWINCH, Arc::clone(&resized))?];
        for signal in [SIGWINCH, SIGURG] {
            registered.push(pipe::register(signal, wake.try_clone()?)?);
        }
        Ok(Self { pipe, resized, registered, asked: false })
    }

    /// Waits until crossterm has something to tell, somebody calls [`super::wake`], or a time is over;
    /// `None`: for ever.
    pub fn wait(&mut self, time: Option<Duration>) -> io::Result<()> {
        // What crossterm has already read the terminal doesn't tell of any more.
        if event::poll(Duration::ZERO)? {
            self.asked = false;
            return Ok(());
        }
        let typed = self.sleep(true, time)?;
        if !typed || event::poll(Duration::ZERO)? || !self.sleep(true, Some(Duration::ZERO))? {
            self.asked = false;
            return Ok(());
        }
        if !self.asked {
            self.asked = true;
            let mut out = io::stdout();
            out.write_all(HOW_DO_YOU_DO)?;
            out.flush()?;
        }
        self.sleep(false, Some(time.map_or(PATIENCE, |time| time.min(PATIENCE))))?;
        Ok(())
    }

    /// Has the window got another size since this was asked last, or has all to be drawn anew?
    pub fn is_resized(&self) -> bool {
        self.resized.swap(false, Ordering::SeqCst)
    }

    /// Sleeps until somebody wakes it, or until something is typed, if that counts. Says whether
    /// something is.
    fn sleep(&mut self, keys: bool, time: Option<Duration>) -> io::Result<bool> {
        let time = time.and_then(|time| Timespec::try_from(time).ok());
        let stdin = io::stdin();
        let wanted = if keys { PollFlags::IN } else { PollFlags::empty() };
        let mut fds = [PollFd::new(&self.pipe, PollFlags::IN), PollFd::new(&stdin, wanted)];
        match poll(&mut fds, time.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let typed = fds[1].revents().contains(PollFlags::IN);
        self.drain()?;
        Ok(typed)
    }

    /// Forgets how often it was woken.
    fn drain(&mut self) -> io::Result<()> {
        loop {
            match self.pipe.read(&mut [0; 64]) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            unregister(id);
        }
    }
}
