//! Events that other threads send to the main loop.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use crate::unix::{Read, StdinThread};

use super::input::{Decoder, Input, Key};
use super::interrupt::Interrupts;

/// Input that quits tilewalk in every context.
pub(super) const CTRL_C: Input = Input::Key(Key::Ctrl('c'));

/// An event from another thread.
#[derive(Debug)]
pub enum LoopEvent {
    Input(Input),
    /// The terminal was resized, or its contents were lost.
    Redraw,
    /// The main loop must check for changed files, warnings and recording failures.
    Messages,
    /// The simulator thread has completed a job.
    Computed,
    /// A file was written, or could not be written.
    Written,
    /// Standard input was closed.
    Closed,
}

/// Receiver of events for the main loop. [`Post`] sends events to the mailbox.
#[derive(Debug)]
pub struct Mailbox {
    events: Receiver<LoopEvent>,
    post: Post,
}

/// Sender of events from another thread to the main loop.
#[derive(Debug, Clone)]
pub struct Post(Sender<LoopEvent>);

impl Default for Mailbox {
    fn default() -> Self {
        let (sender, events) = mpsc::channel();
        Self { events, post: Post(sender) }
    }
}

impl Mailbox {
    /// Returns a sender for another thread.
    pub fn post(&self) -> Post {
        self.post.clone()
    }

    /// Waits for an event, but no longer than `time`. `None` waits without a limit. Returns `None`
    /// if no event arrived in time.
    pub(super) fn wait(&self, time: Option<Duration>) -> Option<LoopEvent> {
        match time {
            None => self.events.recv().ok(),
            // A mailbox holds its own sender, so the only error is a timeout.
            Some(time) => self.events.recv_timeout(time).ok(),
        }
    }

    /// Returns the next event without waiting. Returns `None` if there is none.
    pub(super) fn next(&self) -> Option<LoopEvent> {
        self.events.try_recv().ok()
    }
}

impl Post {
    /// Sends an event. Does nothing if the main loop has ended.
    pub(super) fn send(&self, event: LoopEvent) {
        let _ = self.0.send(event);
    }

    /// Wakes the main loop to fetch changed files, warnings and recording failures.
    pub fn wake(&self) {
        self.send(LoopEvent::Messages);
    }
}

/// Starts the thread that reads and decodes standard input. `interrupts` counts each ctrl-c.
pub(super) fn read_stdin(post: Post, interrupts: Interrupts) -> io::Result<StdinThread> {
    let mut decoder = Decoder::default();
    StdinThread::start(move |read| {
        let patience = match read {
            Read::Bytes(bytes, more) => {
                decoder.feed(bytes, more);
                Some(decoder.patience())
            }
            Read::Silence => {
                decoder.silence();
                None
            }
            Read::Closed => {
                post.send(LoopEvent::Closed);
                None
            }
        };
        while let Some(input) = decoder.pop() {
            if input == CTRL_C {
                interrupts.press();
            }
            post.send(LoopEvent::Input(input));
        }
        patience
    })
}
