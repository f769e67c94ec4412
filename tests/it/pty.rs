//! The real binary in a pseudo-terminal: keys in, the screen out, and what is left behind.

#![expect(clippy::disallowed_methods, reason = "a test waits for a process in real time")]

use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};

/// How long a test waits for anything before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A run of the binary in a terminal of its own.
pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    /// The terminal's other end; dropped, the terminal is gone.
    master: Option<Box<dyn MasterPty + Send>>,
    /// Kept open, so that the modes can be read after the process has ended.
    slave: Option<Box<dyn SlavePty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    seen: Arc<Mutex<Seen>>,
    gone: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
    tty: PathBuf,
}

/// Everything the terminal got, and what it looks like now.
struct Seen {
    bytes: usize,
    text: Vec<u8>,
    parser: vt100::Parser,
}

impl Session {
    /// Starts the binary with arguments in a terminal of 80 × 24.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[], (80, 24))
    }

    /// Starts the binary with arguments and environment variables in a terminal of a size.
    pub fn start_with(
        arguments: &[&str],
        variables: &[(&str, &str)],
        (cols, rows): (u16, u16),
    ) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tilewalk"));
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLORFGBG"] {
            command.env_remove(name);
        }
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        // Whoever runs the tests may have a configuration.
        command.env("TILEWALK_CONFIG", "");
        // A backtrace would scroll the message of a panic away.
        command.env("RUST_BACKTRACE", "0");
        for (name, value) in variables {
            command.env(name, value);
        }
        let parser = vt100::Parser::new(rows, cols, 0);
        let seen = Arc::new(Mutex::new(Seen { bytes: 0, text: Vec::new(), parser }));
        let mut output = pair.master.try_clone_reader().expect("the terminal's output");
        let sink = Arc::clone(&seen);
        let gone = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&gone);
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut chunk)
                && !over.load(Ordering::SeqCst)
            {
                let mut seen = sink.lock().expect("nobody panicked");
                seen.bytes += count;
                seen.text.extend_from_slice(&chunk[..count]);
                seen.parser.process(&chunk[..count]);
            }
        });
        let tty = pair.master.tty_name().expect("a name of the terminal");
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        let keys = pair.master.take_writer().expect("the terminal's input");
        let (master, slave) = (Some(pair.master), Some(pair.slave));
        Self { child, master, slave, keys: Some(keys), seen, gone, reader: Some(reader), tty }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("nobody panicked")
    }

    /// Types.
    pub fn keys(&mut self, keys: &str) {
        let writer = self.keys.as_mut().expect("a terminal");
        writer.write_all(keys.as_bytes()).expect("keys can be sent");
        writer.flush().expect("keys can be sent");
    }

    /// What the screen shows.
    pub fn screen(&self) -> String {
        self.seen().parser.screen().contents()
    }

    /// Bytes the terminal got so far.
    pub fn bytes(&self) -> usize {
        self.seen().bytes
    }

    /// All the terminal got so far, escapes and all.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.seen().text).into_owned()
    }

    /// Waits until the screen shows a text.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Waits until the screen is as it should be.
    pub fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let begin = Instant::now();
        while !holds(&self.screen()) {
            let waited = begin.elapsed() < PATIENCE;
            assert!(waited, "waited for {what} in vain; the screen is:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Gives the terminal another size; what is seen of an absurd one is not kept.
    pub fn resize(&self, cols: u16, rows: u16) {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.seen().parser.screen_mut().set_size(rows.min(500), cols.min(1000));
        self.master.as_ref().expect("a terminal").resize(size).expect("another size");
    }

    fn pid(&self) -> Pid {
        let id = self.child.process_id().expect("a process").cast_signed();
        Pid::from_raw(id).expect("a process")
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("the process is there");
    }

    /// Takes the terminal away.
    pub fn hang_up(&mut self) {
        // The reader holds the terminal, too: it lets go at the next output, which another size
        // brings about.
        self.gone.store(true, Ordering::SeqCst);
        self.resize(70, 20);
        self.reader.take().expect("it is there once").join().expect("the reader ends");
        (self.keys, self.master, self.slave) = (None, None, None);
    }

    /// Waits for the end; the exit code.
    pub fn wait_for_end(&mut self) -> u32 {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be asked") {
                // What it wrote last may still be on its way.
                thread::sleep(Duration::from_millis(100));
                return status.exit_code();
            }
            assert!(begin.elapsed() < PATIENCE, "it does not end:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Fields of /proc/<pid>/stat from the process's state on.
    fn stat(&self) -> Vec<String> {
        let path = format!("/proc/{}/stat", self.pid().as_raw_nonzero());
        let text = std::fs::read_to_string(path).expect("the process is there");
        let (_, rest) = text.rsplit_once(") ").expect("a name in parentheses");
        rest.split(' ').map(str::to_owned).collect()
    }

    /// Waits until the process is in a state (`T` stopped, `S` asleep …).
    pub fn wait_for_state(&self, state: &str) {
        let begin = Instant::now();
        while self.stat()[0] != state {
            assert!(begin.elapsed() < PATIENCE, "it is never {state}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ticks of the processor it has used.
    pub fn ticks(&self) -> u64 {
        self.stat()[11..13].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
    }

    /// Is the terminal as it was before, for whoever comes next?
    pub fn assert_restored(&self) {
        // What it wrote last may still be on its way.
        let begin = Instant::now();
        while self.seen().parser.screen().alternate_screen() && begin.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(10));
        }
        let seen = self.seen();
        let screen = seen.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        let mouse = screen.mouse_protocol_mode();
        assert_eq!(mouse, vt100::MouseProtocolMode::None, "the mouse is left alone");
        drop(seen);
        let tty = File::open(&self.tty).expect("the terminal is there");
        let modes = tcgetattr(&tty).expect("its modes").local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "cooked");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
