//! Runs the real binary in a pseudo-terminal: sends keys, reads the screen, and checks the final state.

#![expect(clippy::disallowed_methods, reason = "a test waits for a process in real time")]

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};
use tempfile::TempDir;

use super::process;

/// How long a test waits for a condition before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A run of a program in its own pseudo-terminal.
pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    /// The controlling end of the terminal. Dropping it closes the terminal.
    master: Option<Box<dyn MasterPty + Send>>,
    /// The program's end of the terminal. It stays open, so that the modes can be read after the process has
    /// ended.
    slave: Option<Box<dyn SlavePty + Send>>,
    writer: Option<Arc<Writer>>,
    output: Arc<Mutex<Output>>,
    reader_stopped: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
    tty: PathBuf,
    /// The empty directory of a gallery.
    _folder: Option<TempDir>,
}

/// Writes input to the terminal.
type Writer = Mutex<Box<dyn Write + Send>>;

/// The request for a device status report (DSR), and the reply "OK".
const STATUS_REQUEST: &[u8] = b"\x1b[5n";
const STATUS_OK: &[u8] = b"\x1b[0n";

/// An escape sequence that terminals ignore. It marks the end of the output.
const END: &[u8] = b"\x1b]7777;end\x07";

/// All output to the terminal, and the screen that results.
struct Output {
    bytes: usize,
    text: Vec<u8>,
    parser: vt100::Parser,
}

impl Session {
    /// Starts the binary in a terminal of 80 × 24.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, &[], (80, 24))
    }

    /// Starts the binary with environment variables in a terminal of a given size.
    pub fn start_with(arguments: &[&str], variables: &[(&str, &str)], size: (u16, u16)) -> Self {
        Self::start_program(env!("CARGO_BIN_EXE_tilewalk"), arguments, variables, size)
    }

    /// Opens a map in a terminal of a given size, and pauses playback.
    pub fn paused(map: &str, size: (u16, u16)) -> Self {
        let mut session = Self::start_with(&[map], &[], size);
        session.pause();
        session
    }

    /// Starts any program, such as a shell, as [`Self::start_with`] does.
    pub fn start_program(
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
        (cols, rows): (u16, u16),
    ) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("pseudo-terminal is opened");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        // The gallery would list the maps of the repository, and tests could change them.
        let empty = arguments.is_empty().then(|| tempfile::tempdir().expect("folder is created"));
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        command.cwd(empty.as_ref().map_or(repository, TempDir::path));
        command.env("TERM", "xterm-256color");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLORFGBG"] {
            command.env_remove(name);
        }
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        // The user who runs the tests may have a configuration.
        if !variables.iter().any(|(name, _)| *name == "XDG_CONFIG_HOME") {
            command.env("TILEWALK_CONFIG", "");
        }
        // A backtrace would scroll a panic message off the screen.
        command.env("RUST_BACKTRACE", "0");
        for (name, value) in variables {
            command.env(name, value);
        }
        let parser = vt100::Parser::new(rows, cols, 0);
        let output = Arc::new(Mutex::new(Output { bytes: 0, text: Vec::new(), parser }));
        let mut source = pair.master.try_clone_reader().expect("output is readable");
        let shared_output = Arc::clone(&output);
        let reader_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&reader_stopped);
        let writer = pair.master.take_writer().expect("input is writable");
        let writer: Arc<Writer> = Arc::new(Mutex::new(writer));
        let weak_writer = Arc::downgrade(&writer);
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = source.read(&mut chunk)
                && !stopped.load(Ordering::SeqCst)
            {
                let mut output = shared_output.lock().expect("lock is not poisoned");
                output.bytes += count;
                output.text.extend_from_slice(&chunk[..count]);
                output.parser.process(&chunk[..count]);
                drop(output);
                let is_requested =
                    chunk[..count].windows(STATUS_REQUEST.len()).any(|part| part == STATUS_REQUEST);
                if let Some(writer) = weak_writer.upgrade().filter(|_| is_requested) {
                    let _ = writer.lock().expect("lock is not poisoned").write_all(STATUS_OK);
                }
            }
        });
        let tty = pair.master.tty_name().expect("terminal has a name");
        let child = pair.slave.spawn_command(command).expect("program starts");
        let (master, slave) = (Some(pair.master), Some(pair.slave));
        Self {
            child,
            master,
            slave,
            writer: Some(writer),
            output,
            reader_stopped,
            reader: Some(reader),
            tty,
            _folder: empty,
        }
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.output.lock().expect("lock is not poisoned")
    }

    /// Sends input to the program, as if typed.
    pub fn send(&mut self, keys: &str) {
        let writer = self.writer.as_ref().expect("terminal is open");
        let mut writer = writer.lock().expect("lock is not poisoned");
        writer.write_all(keys.as_bytes()).expect("input is sent");
        writer.flush().expect("input is sent");
    }

    /// Sends input, sleeps for `time`, and waits until the program has noticed that no more input follows.
    pub fn send_and_wait(&mut self, keys: &str, time: Duration) {
        let before = process::waits(self.group(), "input");
        self.send(keys);
        thread::sleep(time);
        // The input thread blocks twice: first with a timeout for the rest of a sequence, then without.
        let begin = Instant::now();
        while process::waits(self.group(), "input") < before + 2 {
            assert!(
                begin.elapsed() < PATIENCE,
                "the program still waits for more input after {keys:?}"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the map plays, and pauses it.
    pub fn pause(&mut self) {
        self.wait_for("playing");
        self.send(" ");
        self.wait_for("paused");
    }

    /// Types and runs a command.
    pub fn command(&mut self, text: &str) {
        self.send(&format!(":{text}\r"));
    }

    /// Seeks to a frame and waits until it is shown.
    pub fn go_to(&mut self, frame: u64) {
        self.command(&format!("goto {frame}"));
        self.wait_for_frame(frame);
    }

    /// Waits until the status line shows a frame.
    pub fn wait_for_frame(&self, frame: u64) {
        self.wait_until(&format!("frame {frame}"), |screen| frame_on(screen) == Some(frame));
    }

    /// Waits until the status line shows a later frame than `frame`.
    pub fn wait_for_frame_above(&self, frame: u64) {
        let holds = |screen: &str| frame_on(screen).is_some_and(|shown| shown > frame);
        self.wait_until(&format!("a frame after {frame}"), holds);
    }

    /// Returns the frame that the status line shows.
    pub fn frame(&self) -> u64 {
        // A part of the screen can be drawn later than the rest.
        self.wait_until("a frame in the status line", |screen| frame_on(screen).is_some());
        frame_on(&self.screen()).expect("status line shows a frame")
    }

    /// Waits until the screen does not contain a text.
    pub fn wait_until_gone(&self, text: &str) {
        self.wait_until(&format!("no {text}"), |screen| !screen.contains(text));
    }

    /// Sends `Esc` and waits until `text` disappears. Without the wait, `Esc` and the next key could be read as
    /// one key with Alt.
    pub fn escape(&mut self, text: &str) {
        self.send("\u{1b}");
        self.wait_until_gone(text);
    }

    /// Presses `q`, and asserts that the program exits with code 0 and restores the terminal.
    #[track_caller]
    pub fn quit(mut self) {
        self.send("q");
        assert_eq!(self.wait_for_end(), 0);
        self.assert_restored();
    }

    /// Clicks a cell (counted from 0) with a mouse button: 0 is left, 2 is right.
    pub fn click(&mut self, button: u8, (x, y): (u16, u16)) {
        let (x, y) = (x + 1, y + 1);
        self.send(&format!("\u{1b}[<{button};{x};{y}M\u{1b}[<{button};{x};{y}m"));
    }

    /// Drags from one cell to another with the left button.
    pub fn drag(&mut self, from: (u16, u16), to: (u16, u16)) {
        let ((x, y), (u, v)) = ((from.0 + 1, from.1 + 1), (to.0 + 1, to.1 + 1));
        self.send(&format!("\u{1b}[<0;{x};{y}M\u{1b}[<32;{u};{v}M\u{1b}[<0;{u};{v}m"));
    }

    /// Returns the position of a text on the screen, in cells counted from 0.
    #[track_caller]
    pub fn position_of(&self, text: &str) -> (u16, u16) {
        let screen = self.screen();
        let mut lines = screen.lines().enumerate();
        let (y, before) = lines
            .find_map(|(y, line)| Some((y, &line[..line.find(text)?])))
            .unwrap_or_else(|| panic!("no {text} on\n{screen}"));
        (before.chars().count() as u16, y as u16)
    }

    /// Returns the text on the screen.
    pub fn screen(&self) -> String {
        self.output().parser.screen().contents()
    }

    /// Returns the background colour of the top left cell.
    pub fn background(&self) -> String {
        let output = self.output();
        let cell = output.parser.screen().cell(0, 0).expect("a cell");
        format!("{:?}", cell.bgcolor())
    }

    /// Returns the number of bytes written to the terminal so far.
    pub fn bytes(&self) -> usize {
        self.output().bytes
    }

    /// Returns everything written to the terminal so far, including escape sequences.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.output().text).into_owned()
    }

    /// Waits until the screen contains a text.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Waits up to two minutes until the screen contains a text.
    pub fn wait_for_long(&self, text: &str) {
        let begin = Instant::now();
        while !self.screen().contains(text) {
            assert!(begin.elapsed().as_secs() < 120, "the screen is:\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns the id of the process.
    pub fn process(&self) -> u32 {
        self.child.process_id().expect("process has an id")
    }

    /// Waits until a condition on the text of the screen holds. The error message describes the
    /// condition as `what`.
    pub fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let begin = Instant::now();
        while !holds(&self.screen()) {
            let in_time = begin.elapsed() < PATIENCE;
            assert!(in_time, "timed out waiting for {what}; the screen is:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Resizes the terminal. The stored screen is limited to 1000 × 500.
    pub fn resize(&self, cols: u16, rows: u16) {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        // `vt100` panics if a character of two columns does not fit into a row.
        self.output().parser.screen_mut().set_size(rows.clamp(1, 500), cols.clamp(2, 1000));
        self.master.as_ref().expect("terminal is open").resize(size).expect("terminal is resized");
    }

    fn pid(&self) -> Pid {
        let id = self.child.process_id().expect("process has an id").cast_signed();
        Pid::from_raw(id).expect("process has an id")
    }

    /// Sends a signal to the process.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("process exists");
    }

    /// Stops reading the output, like a terminal that hangs.
    pub fn stop_reading(&mut self) {
        // The reader thread ends after the next output. The process may be suspended, so this
        // writes a space.
        self.reader_stopped.store(true, Ordering::SeqCst);
        let mut tty = File::options().write(true).open(&self.tty).expect("terminal opens");
        tty.write_all(b" ").expect("output is written");
        drop(tty);
        self.reader.take().expect("reader is running").join().expect("reader ends");
    }

    /// Closes the terminal.
    pub fn hang_up(&mut self) {
        // The reader keeps the terminal open, too.
        self.stop_reading();
        (self.writer, self.master, self.slave) = (None, None, None);
    }

    /// Waits until the process exits, and returns its exit code.
    pub fn wait_for_end(&mut self) -> u32 {
        self.wait_for_timed_end().0
    }

    /// Waits until the process exits, and returns its exit code and the time that this took.
    pub fn wait_for_timed_end(&mut self) -> (u32, Duration) {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("process can be polled") {
                let time = begin.elapsed();
                self.read_to_end();
                return (status.exit_code(), time);
            }
            assert!(begin.elapsed() < PATIENCE, "the process does not exit:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until all output of an ended process is read. For this, it writes a marker to the
    /// terminal, and removes it from the output.
    fn read_to_end(&self) {
        if self.reader.is_none() {
            return;
        }
        let mut tty = File::options().write(true).open(&self.tty).expect("terminal opens");
        tty.write_all(END).expect("output is written");
        drop(tty);
        let begin = Instant::now();
        loop {
            let mut output = self.output();
            if let Some(at) = output.text.windows(END.len()).rposition(|part| part == END) {
                output.text.drain(at..at + END.len());
                output.bytes -= END.len();
                return;
            }
            drop(output);
            assert!(begin.elapsed() < PATIENCE, "the output does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the process is in a state (`T` stopped, `S` sleeping, …).
    pub fn wait_for_state(&self, state: &str) {
        let begin = Instant::now();
        while process::stat(self.group())[0] != state {
            assert!(begin.elapsed() < PATIENCE, "timed out waiting for state {state}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns the CPU time that the process has used, in clock ticks.
    pub fn ticks(&self) -> u64 {
        process::stat(self.group())[11..13]
            .iter()
            .map(|field| field.parse::<u64>().expect("field is a number"))
            .sum()
    }

    /// Returns the screen that a new terminal shows if it gets only the output since the screen was last
    /// cleared. It does not depend on how the old terminal handled a resize.
    pub fn redrawn(&self, (cols, rows): (u16, u16)) -> String {
        let raw = self.raw();
        let mut fresh = vt100::Parser::new(rows, cols, 0);
        fresh.process(&raw.as_bytes()[raw.rfind("\u{1b}[2J").unwrap_or(0)..]);
        fresh.screen().contents()
    }

    /// Returns the id of the process group that the process leads.
    pub fn group(&self) -> i32 {
        self.pid().as_raw_nonzero().get()
    }

    /// Returns the name and state of each process in the group, including the process itself.
    pub fn group_members(&self) -> Vec<String> {
        process::members(self.group())
    }

    /// Returns how often threads of the process have blocked.
    pub fn wake_ups(&self) -> u64 {
        process::waits(self.group(), "")
    }

    /// Asserts that the terminal is as it was before the program started.
    pub fn assert_restored(&self) {
        // The last output may not have arrived yet.
        let begin = Instant::now();
        while self.output().parser.screen().alternate_screen() && begin.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(10));
        }
        let output = self.output();
        let screen = output.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is on");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "bracketed paste is on");
        let mouse = screen.mouse_protocol_mode();
        assert_eq!(mouse, vt100::MouseProtocolMode::None, "the mouse is captured");
        drop(output);
        self.assert_cooked();
    }

    /// Asserts that the terminal is not in raw mode.
    pub fn assert_cooked(&self) {
        let tty = File::open(&self.tty).expect("terminal exists");
        let modes = tcgetattr(&tty).expect("modes are readable").local_modes;
        assert!(
            modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG),
            "the terminal is in raw mode"
        );
    }
}

/// Returns the frame in the status line, which is the second line from the bottom of the screen.
pub fn frame_on(screen: &str) -> Option<u64> {
    let (_, rest) = screen.lines().rev().nth(1)?.split_once("frame ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Returns true if every line in the output of `tilewalk verify` says that all hashes match.
pub fn all_hashes_match(output: &str) -> bool {
    let ends = [" state hash matches", " state hashes match"];
    output.lines().all(|line| ends.iter().any(|end| line.ends_with(end)))
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
