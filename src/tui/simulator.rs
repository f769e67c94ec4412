//! The simulator thread: runs everything that may take long, so that the main thread can always
//! receive input.
//!
//! The [`App`] moves to the thread with a job, and comes back when the job is complete. Between two
//! jobs, the main thread reads and draws the app.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::cancel::Cancel;

use super::app::App;
use super::mailbox::{LoopEvent, Post};

type Job = Box<dyn FnOnce(&mut App) + Send>;

/// Handle of the simulator thread. Holds the app while no job is running.
#[derive(Debug)]
pub struct Simulator {
    app: Option<Box<App>>,
    jobs: Sender<(Box<App>, Job)>,
    complete: Receiver<Box<App>>,
    cancel: Cancel,
}

impl Simulator {
    /// Starts the thread, which sends [`LoopEvent::Computed`] after each job. The thread ends when
    /// this value is dropped and no job is running.
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

    /// Returns the app.
    ///
    /// # Panics
    /// Panics while a job is running.
    pub fn app(&self) -> &App {
        self.app.as_ref().expect("no job is running")
    }

    /// Starts a job. The returned channel receives the job's result.
    ///
    /// # Panics
    /// Panics while a job is running.
    pub fn run<R: Send + 'static>(
        &mut self,
        job: impl FnOnce(&mut App) -> R + Send + 'static,
    ) -> Receiver<R> {
        let app = self.app.take().expect("no job is running");
        let (sender, result) = mpsc::channel();
        let job = move |app: &mut App| {
            // The main loop may have ended in the meantime.
            let _ = sender.send(job(app));
        };
        // A panic on the simulator thread ends the process, so the thread still receives jobs.
        let _ = self.jobs.send((app, Box::new(job)));
        result
    }

    /// Returns true if no job is running. If a job has just completed, takes the app back and
    /// resets the cancellation.
    pub fn is_idle(&mut self) -> bool {
        if self.app.is_none()
            && let Ok(app) = self.complete.try_recv()
        {
            self.cancel.reset();
            self.app = Some(app);
        }
        self.app.is_some()
    }

    /// Requests that the current job end soon. Unfinished steps are discarded.
    pub fn cancel(&self) {
        self.cancel.request();
    }

    /// Returns the flag that [`Simulator::cancel`] sets.
    pub fn cancellation(&self) -> &Cancel {
        &self.cancel
    }
}
