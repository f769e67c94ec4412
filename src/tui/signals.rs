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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Signal, getpid, kill_process};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::low_level::unregister;
use signal_hook::{SigId, flag, low_level};

use super::terminal;

/// The signals that are heard.
const HEARD: [i32; 6] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT];

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
        let last = Arc::new(AtomicUsize::new(0));
        let mut registered = Vec::new();
        for signal in HEARD {
            // First the number, then the wake-up: actions run in the order they are registered.
            registered.push(flag::register_usize(
                signal,
                Arc::clone(&last),
                signal.unsigned_abs() as usize,
            )?);
            registered.push(low_level::pipe::register(signal, wake.try_clone()?)?);
        }
        let tty = io::stdin().as_fd().try_clone_to_owned()?;
        let thread = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || listen(ear, &tty, &last))?;
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

fn listen(mut ear: UnixStream, tty: &OwnedFd, last: &AtomicUsize) {
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
        match i32::try_from(last.swap(0, Ordering::SeqCst)).unwrap_or(0) {
            0 if gone => end(SIGHUP),
            0 => {}
            SIGTSTP => {
                let _ = terminal::suspend();
                redraw();
            }
            SIGCONT => {
                let _ = terminal::retake();
                redraw();
            }
            signal => end(signal),
        }
    }
}

/// Has the main thread draw everything anew, even while it waits for keys: it takes this for a
/// change of size.
fn redraw() {
    let _ = kill_process(getpid(), Signal::WINCH);
}

fn end(signal: i32) -> ! {
    terminal::restore();
    process::exit(ENDED + signal)
}
