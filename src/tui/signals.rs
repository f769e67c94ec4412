//! Signals, and a terminal that goes away.
//!
//! A thread sleeps until one comes. Those that end a process end it from here, after the terminal
//! was given back: the main thread may be anywhere, even spinning in a read of a terminal that is
//! gone, which is what crossterm 0.29 does.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Signal, getpid, kill_process};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::low_level::unregister;
use signal_hook::{SigId, flag, low_level};

use super::terminal;

/// The signals that are heard; of several at once those that end the process come first, as a
/// shell that ends a stopped job sends SIGTERM and then SIGCONT.
const HEARD: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT];

/// Which of [`HEARD`] have come.
type Come = [Arc<AtomicBool>; HEARD.len()];

/// Exit code of a process that a signal ended, less the signal's number.
const ENDED: i32 = 128;

/// The thread that listens; dropped, it ends.
#[derive(Debug)]
pub struct Listener {
    registered: Vec<SigId>,
    wake: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    /// Begins to listen.
    pub fn start() -> io::Result<Self> {
        let (wake, ear) = UnixStream::pair()?;
        let come = Come::default();
        let mut registered = Vec::new();
        for (signal, come) in HEARD.into_iter().zip(&come) {
            // First the note, then the wake-up: actions run in the order they are registered.
            registered.push(flag::register(signal, Arc::clone(come))?);
            registered.push(low_level::pipe::register(signal, wake.try_clone()?)?);
        }
        let tty = io::stdin().as_fd().try_clone_to_owned()?;
        let thread = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || listen(ear, &tty, &come))?;
        Ok(Self { registered, wake: Some(wake), thread: Some(thread) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        for id in self.registered.drain(..) {
            unregister(id);
        }
        // With the last writing end gone the thread reads the end of the stream.
        if let Some(wake) = self.wake.take() {
            let _ = wake.shutdown(std::net::Shutdown::Both);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn listen(mut ear: UnixStream, tty: &OwnedFd, come: &Come) {
    loop {
        // A hang-up is reported whether or not it is asked for; nothing else is asked for.
        let mut fds = [PollFd::new(&ear, PollFlags::IN), PollFd::new(tty, PollFlags::empty())];
        if poll(&mut fds, None).is_err() {
            continue;
        }
        let gone = !fds[1].revents().is_empty();
        let heard = !fds[0].revents().is_empty();
        if heard && matches!(ear.read(&mut [0; 64]), Ok(0) | Err(_)) {
            return;
        }
        for (signal, come) in HEARD.into_iter().zip(come) {
            match (signal, come.swap(false, Ordering::SeqCst)) {
                (_, false) => {}
                (SIGTSTP, true) => {
                    let _ = terminal::suspend();
                    redraw();
                }
                (SIGCONT, true) => {
                    let _ = terminal::retake();
                    redraw();
                }
                // The editor has the terminal: it is the one that was to be interrupted.
                (SIGINT | SIGQUIT, true) if terminal::is_lent() => {}
                (signal, true) => end(signal),
            }
        }
        if gone {
            end(SIGHUP);
        }
    }
}

/// Wakes the main thread, even while it waits for keys. Who doesn't listen isn't disturbed by the
/// signal.
pub fn wake() {
    let _ = kill_process(getpid(), Signal::URG);
}

/// Has the main thread draw everything anew, even while it waits for keys: it takes this for a
/// change of size.
fn redraw() {
    let _ = kill_process(getpid(), Signal::WINCH);
}

fn end(signal: i32) -> ! {
    terminal::restore_at_last();
    process::exit(ENDED + signal)
}
