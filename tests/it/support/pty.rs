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

use super::process;

/// How long a test waits for anything before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A run of the binary in a terminal of its own.
pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    /// The terminal's other end; dropped, the terminal is gone.
    master: Option<Box<dyn MasterPty + Send>>,
    /// Kept open, so that the modes can be read after the process has ended.
    slave: Option<Box<dyn SlavePty + Send>>,
    keys: Option<Arc<Typist>>,
    seen: Arc<Mutex<Seen>>,
    gone: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
    tty: PathBuf,
}

/// Who writes into the terminal.
type Typist = Mutex<Box<dyn Write + Send>>;

/// Asked how it does ("device status report"), a terminal answers that it does well.
const QUESTION: &[u8] = b"\x1b[5n";
const ANSWER: &[u8] = b"\x1b[0n";

/// A command that terminals ignore, which marks the end of the output.
const END: &[u8] = b"\x1b]7777;end\x07";

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
    pub fn start_with(arguments: &[&str], variables: &[(&str, &str)], size: (u16, u16)) -> Self {
        Self::start_program(env!("CARGO_BIN_EXE_tilewalk"), arguments, variables, size)
    }

    /// Opens a map in a terminal of a size, and stops time.
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
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
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
        if !variables.iter().any(|(name, _)| *name == "XDG_CONFIG_HOME") {
            command.env("TILEWALK_CONFIG", "");
        }
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
        let keys = pair.master.take_writer().expect("the terminal's input");
        let keys: Arc<Typist> = Arc::new(Mutex::new(keys));
        let typist = Arc::downgrade(&keys);
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut chunk)
                && !over.load(Ordering::SeqCst)
            {
                let mut seen = sink.lock().expect("nobody panicked");
                seen.bytes += count;
                seen.text.extend_from_slice(&chunk[..count]);
                seen.parser.process(&chunk[..count]);
                drop(seen);
                let asked = chunk[..count].windows(QUESTION.len()).any(|part| part == QUESTION);
                if let Some(typist) = typist.upgrade().filter(|_| asked) {
                    let _ = typist.lock().expect("nobody panicked").write_all(ANSWER);
                }
            }
        });
        let tty = pair.master.tty_name().expect("a name of the terminal");
        let child = pair.slave.spawn_command(command).expect("the binary starts");
        let (master, slave) = (Some(pair.master), Some(pair.slave));
        Self { child, master, slave, keys: Some(keys), seen, gone, reader: Some(reader), tty }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("nobody panicked")
    }

    /// Types.
    pub fn send(&mut self, keys: &str) {
        let typist = self.keys.as_ref().expect("a terminal");
        let mut writer = typist.lock().expect("nobody panicked");
        writer.write_all(keys.as_bytes()).expect("keys can be sent");
        writer.flush().expect("keys can be sent");
    }

    /// Types, then waits for a time, and until the program has noticed that no key follows.
    pub fn send_and_wait(&mut self, keys: &str, time: Duration) {
        let before = process::waits(self.group(), "input");
        self.send(keys);
        thread::sleep(time);
        // The thread waits twice: for further keys after these, and then for as long as it takes.
        let begin = Instant::now();
        while process::waits(self.group(), "input") < before + 2 {
            assert!(begin.elapsed() < PATIENCE, "it still waits for more after {keys:?}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Stops time.
    pub fn pause(&mut self) {
        self.wait_for("playing");
        self.send(" ");
        self.wait_for("paused");
    }

    /// Types a command after `:`.
    pub fn command(&mut self, text: &str) {
        self.send(&format!(":{text}\r"));
    }

    /// Goes to a frame, back or on.
    pub fn go_to(&mut self, frame: u64) {
        self.command(&format!("goto {frame}"));
        self.wait_for_frame(frame);
    }

    /// Waits until the line of time tells a frame.
    pub fn wait_for_frame(&self, frame: u64) {
        self.wait_until(&format!("frame {frame}"), |screen| frame_on(screen) == Some(frame));
    }

    /// The frame in the line of time.
    pub fn frame(&self) -> u64 {
        frame_on(&self.screen()).expect("a frame")
    }

    /// Waits until a text has gone from the screen.
    pub fn wait_until_gone(&self, text: &str) {
        self.wait_until(&format!("no {text}"), |screen| !screen.contains(text));
    }

    /// `Esc`, alone: with another key in one go it would be a key with Alt. `text` goes with it.
    pub fn escape(&mut self, text: &str) {
        self.send("\u{1b}");
        self.wait_until_gone(text);
    }

    /// Presses `q`, and sees the terminal given back.
    #[track_caller]
    pub fn quit(mut self) {
        self.send("q");
        assert_eq!(self.wait_for_end(), 0);
        self.assert_restored();
    }

    /// Presses a button of the mouse on a cell (from 0) and lets it go; 0 is the left one, 2 the right one.
    pub fn click(&mut self, button: u8, (x, y): (u16, u16)) {
        let (x, y) = (x + 1, y + 1);
        self.send(&format!("\u{1b}[<{button};{x};{y}M\u{1b}[<{button};{x};{y}m"));
    }

    /// Drags with the left button from a cell to another.
    pub fn drag(&mut self, from: (u16, u16), to: (u16, u16)) {
        let ((x, y), (u, v)) = ((from.0 + 1, from.1 + 1), (to.0 + 1, to.1 + 1));
        self.send(&format!("\u{1b}[<0;{x};{y}M\u{1b}[<32;{u};{v}M\u{1b}[<0;{u};{v}m"));
    }

    /// Where a text stands on the screen, in cells from 0.
    #[track_caller]
    pub fn position_of(&self, text: &str) -> (u16, u16) {
        let screen = self.screen();
        let mut lines = screen.lines().enumerate();
        let (y, before) = lines
            .find_map(|(y, line)| Some((y, &line[..line.find(text)?])))
            .unwrap_or_else(|| panic!("no {text} on\n{screen}"));
        (before.chars().count() as u16, y as u16)
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
        self.seen().parser.screen_mut().set_size(rows.clamp(1, 500), cols.clamp(1, 1000));
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

    /// Reads no more output, as a terminal that hangs.
    pub fn stop_reading(&mut self) {
        // The reader ends at the next output, and be it ours, as the process may be stopped.
        self.gone.store(true, Ordering::SeqCst);
        let mut tty = File::options().write(true).open(&self.tty).expect("the terminal");
        tty.write_all(b" ").expect("it takes output");
        drop(tty);
        self.reader.take().expect("it is there once").join().expect("the reader ends");
    }

    /// Takes the terminal away.
    pub fn hang_up(&mut self) {
        // The reader holds the terminal, too.
        self.stop_reading();
        (self.keys, self.master, self.slave) = (None, None, None);
    }

    /// Waits for the end; the exit code.
    pub fn wait_for_end(&mut self) -> u32 {
        self.wait_for_exit().0
    }

    /// Waits for the end; the exit code, and the time until then.
    pub fn wait_for_exit(&mut self) -> (u32, Duration) {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be asked") {
                let time = begin.elapsed();
                self.read_to_end();
                return (status.exit_code(), time);
            }
            assert!(begin.elapsed() < PATIENCE, "it does not end:\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until all output of an ended process is read. For this, it writes a mark to the
    /// terminal, and removes it from the read text.
    fn read_to_end(&self) {
        if self.reader.is_none() {
            return;
        }
        let mut tty = File::options().write(true).open(&self.tty).expect("the terminal");
        tty.write_all(END).expect("the terminal takes output");
        drop(tty);
        let begin = Instant::now();
        loop {
            let mut seen = self.seen();
            if let Some(at) = seen.text.windows(END.len()).rposition(|part| part == END) {
                seen.text.drain(at..at + END.len());
                seen.bytes -= END.len();
                return;
            }
            drop(seen);
            assert!(begin.elapsed() < PATIENCE, "the output does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the process is in a state (`T` stopped, `S` asleep …).
    pub fn wait_for_state(&self, state: &str) {
        let begin = Instant::now();
        while process::stat(self.group())[0] != state {
            assert!(begin.elapsed() < PATIENCE, "it is never {state}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ticks of the processor it has used.
    pub fn ticks(&self) -> u64 {
        process::stat(self.group())[11..13]
            .iter()
            .map(|field| field.parse::<u64>().expect("a number"))
            .sum()
    }

    /// What a terminal of a size shows that got only what was sent since all was cleared last: how the
    /// terminal itself takes another size does not matter then.
    pub fn redrawn(&self, (cols, rows): (u16, u16)) -> String {
        let raw = self.raw();
        let mut fresh = vt100::Parser::new(rows, cols, 0);
        fresh.process(&raw.as_bytes()[raw.rfind("\u{1b}[2J").unwrap_or(0)..]);
        fresh.screen().contents()
    }

    /// The process group it leads.
    pub fn group(&self) -> i32 {
        self.pid().as_raw_nonzero().get()
    }

    /// Who is in that group, itself among them.
    pub fn group_members(&self) -> Vec<String> {
        process::members(self.group())
    }

    /// How often its threads slept until something woke them.
    pub fn wake_ups(&self) -> u64 {
        process::waits(self.group(), "")
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
        self.assert_cooked();
    }

    /// Asserts that the terminal is out of raw mode.
    pub fn assert_cooked(&self) {
        let tty = File::open(&self.tty).expect("the terminal is there");
        let modes = tcgetattr(&tty).expect("its modes").local_modes;
        assert!(modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG), "cooked");
    }
}

/// The number after `frame ` in the line of time, the last but one of the screen.
pub fn frame_on(screen: &str) -> Option<u64> {
    let (_, rest) = screen.lines().rev().nth(1)?.split_once("frame ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Are all hashes of every run those that were recorded, as `tilewalk verify` says?
pub fn all_hashes_match(told: &str) -> bool {
    let ends = [" state hash matches", " state hashes match"];
    told.lines().all(|line| ends.iter().any(|end| line.ends_with(end)))
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
