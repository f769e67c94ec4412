//! A thread that reads standard input.

use std::fs::File;
use std::io::{self, Read as _, Stdin, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::terminal::open_terminal;

/// Makes the terminal of the process standard input, so that the screen reads keys while another
/// program writes to the former standard input. Returns the former standard input.
///
/// # Errors
/// Returns an error if the process has no terminal.
pub fn replace_by_terminal() -> io::Result<File> {
    let former = io::stdin().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdin(open_terminal()?)?;
    Ok(File::from(former))
}

/// One result of the thread that reads standard input.
#[derive(Debug, Clone, Copy)]
pub enum Read<'a> {
    /// The bytes read. The flag is true if more bytes are waiting.
    Bytes(&'a [u8], bool),
    /// No bytes arrived within the time that the receiver requested.
    Silence,
    /// Standard input was closed or failed.
    Closed,
}

/// Command to the thread: stop reading until [`RESUME`].
const PAUSE: u8 = b'p';

/// Command to the thread: resume reading.
const RESUME: u8 = b'r';

/// The input thread, which ends when this value is dropped.
#[derive(Debug)]
pub struct StdinThread {
    control: UnixStream,
    paused: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl StdinThread {
    /// Starts reading. `take` receives each result, and returns the time to wait for more input.
    /// After that time, `take` receives a [`Read::Silence`]. `None` waits without a limit.
    pub fn start(
        take: impl FnMut(Read<'_>) -> Option<Duration> + Send + 'static,
    ) -> io::Result<Self> {
        let (control, commands) = UnixStream::pair()?;
        let (confirm, paused) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || read(commands, &confirm, take))?;
        Ok(Self { control, paused, thread: Some(thread) })
    }

    /// Stops reading. After this function returns, another program can read all further bytes.
    pub fn pause(&mut self) -> io::Result<()> {
        self.control.write_all(&[PAUSE])?;
        // Fails only if the thread has ended, which also stops reading.
        let _ = self.paused.recv();
        Ok(())
    }

    /// Resumes reading after [`StdinThread::pause`].
    pub fn resume(&mut self) -> io::Result<()> {
        self.control.write_all(&[RESUME])
    }
}

impl Drop for StdinThread {
    fn drop(&mut self) {
        let _ = self.control.shutdown(std::net::Shutdown::Both);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn read(
    mut commands: UnixStream,
    confirm: &Sender<()>,
    mut take: impl FnMut(Read<'_>) -> Option<Duration>,
) {
    let stdin = io::stdin();
    let mut buffer = [0; 4096];
    let mut reading = true;
    let mut silence = None;
    loop {
        let wanted = if reading { PollFlags::IN } else { PollFlags::empty() };
        let mut fds = [PollFd::new(&commands, PollFlags::IN), PollFd::new(&stdin, wanted)];
        let time = silence.filter(|_| reading).and_then(|time| Timespec::try_from(time).ok());
        let ready = match poll(&mut fds, time.as_ref()) {
            Ok(ready) => ready,
            Err(Errno::INTR | Errno::AGAIN) => continue,
            Err(_) => break,
        };
        let [commanded, typed] = [0, 1].map(|index: usize| !fds[index].revents().is_empty());
        if ready == 0 {
            silence = take(Read::Silence);
        }
        if commanded {
            let mut command = [0];
            match commands.read(&mut command) {
                Ok(1) if command[0] == PAUSE => {
                    reading = false;
                    let _ = confirm.send(());
                }
                Ok(1) => reading = true,
                Ok(_) | Err(_) => return,
            }
        } else if typed && reading {
            match rustix::io::read(&stdin, &mut buffer) {
                Ok(0) => break,
                Ok(count) => silence = take(Read::Bytes(&buffer[..count], has_input(&stdin))),
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => break,
            }
        } else if typed {
            // The terminal hung up while another program was using the terminal.
            break;
        }
    }
    take(Read::Closed);
}

/// Returns true if bytes are waiting to be read.
///
/// A full buffer is no sign of that: Linux returns at most 4,095 bytes of a terminal at once.
fn has_input(stdin: &Stdin) -> bool {
    let now = Timespec::default();
    poll(&mut [PollFd::new(stdin, PollFlags::IN)], Some(&now)).is_ok_and(|ready| ready > 0)
}
