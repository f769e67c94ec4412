//! A thread that waits for signals and for the terminal to hang up.
//!
//! The handler runs on this thread, not in a signal handler, so it may lock, print and exit. The
//! handler works even while the main thread is busy.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::low_level::unregister;
use signal_hook::{SigId, flag, low_level};

/// A request or notification that the system sends to the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Request to terminate, with the signal number. After SIGHUP, the terminal is gone.
    End(i32),
    /// Request to terminate, from a key of the terminal. Contains the number of SIGINT or SIGQUIT.
    Interrupt(i32),
    /// Request to stop until SIGCONT.
    Stop,
    /// The process was continued.
    Continued,
    /// The terminal was resized.
    Resized,
}

/// The observed signals. If several signals arrive at once, the first in this list is handled
/// first: a shell that ends a stopped job sends SIGTERM, then SIGCONT.
const OBSERVED: [(i32, Signal); 12] = [
    (SIGHUP, Signal::End(SIGHUP)),
    (SIGINT, Signal::Interrupt(SIGINT)),
    (SIGQUIT, Signal::Interrupt(SIGQUIT)),
    (SIGTERM, Signal::End(SIGTERM)),
    (SIGABRT, Signal::End(SIGABRT)),
    (SIGALRM, Signal::End(SIGALRM)),
    (SIGUSR1, Signal::End(SIGUSR1)),
    (SIGUSR2, Signal::End(SIGUSR2)),
    (SIGXCPU, Signal::End(SIGXCPU)),
    (SIGTSTP, Signal::Stop),
    (SIGCONT, Signal::Continued),
    (SIGWINCH, Signal::Resized),
];

/// One flag per entry of [`OBSERVED`], set when the signal arrives.
type Arrived = [Arc<AtomicBool>; OBSERVED.len()];

/// The signal thread, which ends when this value is dropped.
#[derive(Debug)]
pub struct Listener {
    registered: Vec<SigId>,
    wake: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    /// Starts the thread, which calls `handle` for each signal. A hang-up of the terminal counts as
    /// SIGHUP.
    pub fn start(handle: impl FnMut(Signal) + Send + 'static) -> io::Result<Self> {
        let (wake, woken) = UnixStream::pair()?;
        let arrived = Arrived::default();
        // A file that grows too large is then an error of the write, which is reported.
        let mut registered = vec![flag::register(SIGXFSZ, Arc::default())?];
        for ((signal, _), arrived) in OBSERVED.into_iter().zip(&arrived) {
            // Actions run in the order of registration: the flag must be set before the wake-up.
            registered.push(flag::register(signal, Arc::clone(arrived))?);
            registered.push(low_level::pipe::register(signal, wake.try_clone()?)?);
        }
        let tty = io::stdin().as_fd().try_clone_to_owned()?;
        let thread = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || listen(woken, &tty, &arrived, handle))?;
        Ok(Self { registered, wake: Some(wake), thread: Some(thread) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            unregister(id);
        }
        // The thread ends when the stream is closed.
        if let Some(wake) = self.wake.take() {
            let _ = wake.shutdown(std::net::Shutdown::Both);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn listen(mut woken: UnixStream, tty: &OwnedFd, arrived: &Arrived, mut handle: impl FnMut(Signal)) {
    loop {
        // `poll` reports a hang-up even if no event is requested.
        let mut fds = [PollFd::new(&woken, PollFlags::IN), PollFd::new(tty, PollFlags::empty())];
        if poll(&mut fds, None).is_err() {
            continue;
        }
        let hung_up = fds[1].revents().intersects(PollFlags::HUP | PollFlags::ERR);
        let signalled = !fds[0].revents().is_empty();
        if signalled && matches!(woken.read(&mut [0; 64]), Ok(0) | Err(_)) {
            return;
        }
        for ((_, signal), arrived) in OBSERVED.into_iter().zip(arrived) {
            if arrived.swap(false, Ordering::SeqCst) {
                handle(signal);
            }
        }
        if hung_up {
            handle(Signal::End(SIGHUP));
        }
    }
}
