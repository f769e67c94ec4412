//! A thread that waits for signals and for the terminal to hang up.
//!
//! The handler runs on this thread, not in a signal handler, so it may lock, print and exit. The
//! handler works even while the main thread is busy.

use core::ops::RangeInclusive;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGTSTP,
    SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU,
};
use signal_hook::iterator::backend::{Handle, SignalDelivery};
use signal_hook::iterator::exfiltrator::SignalOnly;

/// A request or notification that the system sends to the process.
///
/// If several signals arrive at once, they are handled in this order. A shell that ends a stopped
/// job sends SIGTERM, then SIGCONT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// Numbers of the observed signals that exist on all systems.
///
/// Faults of the program itself (SIGILL, SIGBUS, SIGFPE and SIGSEGV) are not observed: after a
/// handler returns, the faulty instruction runs again. SIGTTIN and SIGTTOU are not observed either,
/// because they stop a process in the background, which must not change the terminal.
const COMMON: [i32; 16] = [
    SIGHUP, SIGINT, SIGQUIT, SIGTRAP, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGCONT,
    SIGTSTP, SIGXCPU, SIGVTALRM, SIGPROF, SIGWINCH, SIGSYS,
];

/// Numbers of the observed signals that end a process on this system only.
#[cfg(target_os = "linux")]
const OF_SYSTEM: &[i32] = &[
    rustix::process::Signal::IO.as_raw(),
    rustix::process::Signal::POWER.as_raw(),
    // Linux has no SIGSTKFLT on some other processors.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    rustix::process::Signal::STKFLT.as_raw(),
];
#[cfg(not(target_os = "linux"))]
const OF_SYSTEM: &[i32] = &[];

/// Numbers of the real-time signals of Linux. The C library reserves the first ones for itself.
const REAL_TIME: RangeInclusive<i32> = 32..=64;

impl Signal {
    /// Returns the meaning of an observed signal number.
    fn of(number: i32) -> Self {
        match number {
            SIGINT | SIGQUIT => Self::Interrupt(number),
            SIGTSTP => Self::Stop,
            SIGCONT => Self::Continued,
            SIGWINCH => Self::Resized,
            _ => Self::End(number),
        }
    }
}

/// The signals that have arrived since they were last read.
type Arrived = SignalDelivery<UnixStream, SignalOnly>;

/// The signal thread, which ends when this value is dropped.
#[derive(Debug)]
pub struct Listener {
    delivery: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    /// Starts the thread, which calls `handle` for each signal. A hang-up of the terminal counts as
    /// SIGHUP.
    pub fn start(handle: impl FnMut(Signal) + Send + 'static) -> io::Result<Self> {
        let (woken, wake) = UnixStream::pair()?;
        let signals = COMMON.iter().chain(OF_SYSTEM);
        let arrived = Arrived::with_pipe(woken, wake, SignalOnly, signals)?;
        let delivery = arrived.handle();
        for number in REAL_TIME.filter(|_| cfg!(target_os = "linux")) {
            // The C library refuses the reserved numbers.
            if let Err(error) = delivery.add_signal(number)
                && error.kind() != io::ErrorKind::InvalidInput
            {
                return Err(error);
            }
        }
        let tty = io::stdin().as_fd().try_clone_to_owned()?;
        let thread = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || listen(arrived, &tty, handle))?;
        Ok(Self { delivery, thread: Some(thread) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.delivery.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Calls `handle` for each signal, until the delivery of signals is closed.
fn listen(mut arrived: Arrived, tty: &OwnedFd, mut handle: impl FnMut(Signal)) {
    while !arrived.handle().is_closed() {
        // `poll` reports a hang-up even if no event is requested.
        let mut fds =
            [PollFd::new(arrived.get_read(), PollFlags::IN), PollFd::new(tty, PollFlags::empty())];
        if poll(&mut fds, None).is_err() {
            continue;
        }
        let hung_up = fds[1].revents().intersects(PollFlags::HUP | PollFlags::ERR);
        let mut signals: Vec<Signal> = arrived.pending().map(Signal::of).collect();
        signals.sort_unstable();
        signals.into_iter().for_each(&mut handle);
        if hung_up {
            handle(Signal::End(SIGHUP));
        }
    }
}
