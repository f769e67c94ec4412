//! The simulator thread: runs everything that may take long, so that the main thread can always
//! receive what the user does.
//!
//! The [`App`] is handed to the thread with a job and comes back when the job is complete. Between
//! two jobs the main thread draws the app and asks it questions.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::cancel::Cancel;

use super::app::App;
use super::mailbox::{LoopEvent, Post};

type Job = Box<dyn FnOnce(&mut App) + Send>;

/// The thread, and the app while no job is running.
#[derive(Debug)]
pub struct Simulator {
    app: Option<Box<App>>,
    jobs: Sender<(Box<App>, Job)>,
    complete: Receiver<Box<App>>,
    cancel: Cancel,
}

impl Simulator {
    /// Starts the thread. It sends [`LoopEvent::Computed`] after each job, and ends when this value
    /// is dropped and no job is running.
    pub fn start(mut app: Box<App>, post: Post) -> io::Result<Self> {
        let cancel = Cancel::new();
        app.set_cancel(cancel.clone());
        let (jobs, received) = mpsc::channel::<(Box<App>, Job)>();
        let (finished, complete) = mpsc::channel();
        thread::Builder::new().name("simulator".to_owned()).spawn(move || {
            for (mut app, job) in received {
                job(&mut app);
                if finished.send(app).is_err() {
                    return;
                }
                post.send(LoopEvent::Computed);
            }
        })?;
        Ok(Self { app: Some(app), jobs, complete, cancel })
    }

    /// The app.
    ///
    /// # Panics
    /// While a job is running.
    pub fn app(&self) -> &App {
        self.app.as_ref().expect("no job is running")
    }

    /// Starts a job. Its result is received when the job is complete.
    ///
    /// # Panics
    /// While a job is running.
    pub fn run<R: Send + 'static>(
        &mut self,
        job: impl FnOnce(&mut App) -> R + Send + 'static,
    ) -> Receiver<R> {
        let app = self.app.take().expect("no job is running");
        let (sender, result) = mpsc::channel();
        let job = move |app: &mut App| {
            // The main loop may have ended meanwhile.
            let _ = sender.send(job(app));
        };
        // A panic on the simulator thread ends the process, so the thread is there.
        let _ = self.jobs.send((app, Box::new(job)));
        result
    }

    /// Whether no job is running. Takes the app back and withdraws the cancellation if one has just
    /// been completed.
    pub fn is_idle(&mut self) -> bool {
        if self.app.is_none()
            && let Ok(app) = self.complete.try_recv()
        {
            self.cancel.reset();
            self.app = Some(app);
        }
        self.app.is_some()
    }

    /// Asks the current job to end soon. Steps under way are discarded.
    pub fn cancel(&self) {
        self.cancel.request();
    }

    /// The flag that [`Simulator::cancel`] sets.
    pub fn cancellation(&self) -> &Cancel {
        &self.cancel
    }
}
