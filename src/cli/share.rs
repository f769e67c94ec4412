//! `tilewalk share`: prints a recording as text to send.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::debugger::SharedView;
use crate::files::read::{recorded, recording_block};
use crate::files::show;
use crate::history::shared::shared;
use crate::time::Frame;

use super::CliError;
use super::args::AskedArgs;
use super::output::{Output, complain};

/// Arguments of `tilewalk share`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk share castle-300.twr
  tilewalk share chase.twr --goto 300 --agent guard
  tilewalk share chase.twr > message.txt

The text contains the map and the run, so the receiver needs no other file. `tilewalk paste` opens it.
The command `:share` of the screen writes a recording with the current view.")]
pub struct ShareArgs {
    /// Recording (.twr file)
    pub file: PathBuf,
    /// What the receiver sees
    #[command(flatten)]
    pub asked: AskedArgs,
}

/// Size up to which a text fits in a message, in bytes. The size of longer texts is printed.
const USUAL: usize = 4096;

pub(super) fn share(args: &ShareArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let recorded = recorded::recording(&args.file)?;
    let mut asked = args.asked.clone();
    if recorded.recording.view.is_none() {
        // Without a view, the receiver sees the end of the run.
        asked.goto = asked.goto.or(Some(u64::MAX));
    }
    let shown = asked.open(&recorded).map_err(CliError::Settings)?;
    let (mut history, view) = (shown.history, shown.view);
    for remark in recorded::remarks(&recorded.recording).into_iter().chain(shown.warning) {
        complain(&format!("{}: {remark}", recorded.label));
    }
    // All frames are simulated, so that each run has a state hash at its end.
    if let Some(ghost) = history.comparison() {
        let run = history.present();
        history.switch_run(ghost);
        history.go_to(history.run().end());
        history.switch_run(run);
    }
    history.go_to(history.run().end());
    history.go_to(Frame(view.frame));
    let SharedView { run, ghost, .. } = SharedView::of(&history);
    let view = SharedView { run, ghost, ..view };
    let failed = |source| CliError::Write { what: "the recording".to_owned(), source };
    let bytes = shared(&history, &view.text()).map_err(failed)?;
    let block = recording_block::encode(&bytes).ok_or_else(|| {
        CliError::Settings(format!("{}: too large for a text; send the file", recorded.label))
    })?;
    let map = history.run().start().sources().files.first().map_or("", |file| file.label.as_str());
    let agent = view.agent.map(|name| format!(", agent {}", show::text(&name)));
    out.line(format_args!(
        "{} at frame {}{}; open with: tilewalk paste",
        show::text(map),
        view.frame,
        agent.unwrap_or_default()
    ))?;
    out.text(&block)?;
    if block.len() > USUAL {
        let size = block.len() as f64 / 1024.0;
        complain(&format!(
            "the text has {size:.1} KiB; chat programs may cut it, so send the file"
        ));
    }
    Ok(ExitCode::SUCCESS)
}
