//! Writes what another person needs to see the current frame: a small recording of the current run.
//!
//! A run stores all its commands since frame 0, so its ancestors are left out. The compared run of
//! the same map is written too, because its agents are visible as ghosts. Each run has one batch up
//! to the current frame and one up to its last frame, each with a state hash.

use std::io;

use crate::command::Command;
use crate::time::Frame;

use super::History;
use super::recorder::{Batch, Recorder};
use super::run::{ReplayRange, Run};

/// Returns the bytes of a new recording with the current run of a history as its last run. If
/// another run of the history is compared with it, that run comes first. `view` describes what the
/// user sees (see [`super::recording::Recording::view`]).
///
/// Frames that the history has not simulated yet are written without a state hash.
///
/// # Errors
/// Returns an error if the runs can't be recorded: their agents follow the run of another program.
pub fn shared(history: &History, view: &str) -> io::Result<Vec<u8>> {
    let mut recorder = Recorder::begin(Vec::new())?;
    let (frame, run) = (history.frame(), history.run());
    let mut branch = None;
    if let Some(id) = history.comparison() {
        let other = &history.runs()[id];
        write(&mut recorder, other, frame, None)?;
        branch = Some((0, history.parted(id, history.present())));
    }
    write(&mut recorder, run, frame, branch)?;
    recorder.view(view)?;
    recorder.finish()
}

/// Writes a run. `branch` is the index of an earlier run in the recording and the last frame that
/// both runs share.
fn write(
    recorder: &mut Recorder<Vec<u8>>,
    run: &Run,
    frame: Frame,
    branch: Option<(u32, Frame)>,
) -> io::Result<()> {
    recorder.open(branch, run.start().sources())?;
    let index = u32::from(branch.is_some());
    let begin = branch.map_or(Frame(0), |(_, at)| at);
    let commands: Vec<(Frame, Command)> =
        run.log().iter().map(|(frame, command)| (frame, command.clone())).collect();
    let mut written = run.log().until(begin).len();
    let mut last = begin;
    for to in [frame, run.end()] {
        if !(last.next()..=run.end()).contains(&to) {
            continue;
        }
        let end = run.log().until(to).len();
        let commands = &commands[written..end];
        recorder.batch(Batch { run: index, to, commands, hash: hash(run, to) })?;
        (written, last) = (end, to);
    }
    Ok(())
}

/// Returns the state hash of a frame: the recorded one, or that of the simulated frame. Returns
/// `None` if the frame is not simulated yet.
fn hash(run: &Run, frame: Frame) -> Option<u64> {
    let known = run.checks().binary_search_by_key(&frame, |&(checked, _)| checked);
    if let Ok(index) = known {
        return Some(run.checks()[index].1);
    }
    if run.events().last_frame() < frame {
        return None;
    }
    let mut hash = None;
    ReplayRange::to(frame, run, None).resume(
        run,
        |world, _| hash = (world.frame() == frame).then(|| world.hash()),
        || true,
    );
    hash
}
