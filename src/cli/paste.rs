//! `tilewalk paste`: opens or writes a recording from the text that `tilewalk share` printed.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use crate::files::disk::output_file;
use crate::files::read::recorded;
use crate::files::read::recording_block::BlockReader;
use crate::files::show;

use super::args::LookArgs;
use super::output::{Output, note};
use super::{CliError, record};

/// Arguments of `tilewalk paste`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tilewalk paste < message.txt
  tilewalk paste --output chase.twr < message.txt

Without a file, paste the text into the terminal. It ends with its end line. Lines before and after it, quotation marks (`> `)
and spaces at the ends of lines are ignored. On the screen, pasting the text does the same.
Exit codes: 0 on success, 2 if the text contains no complete recording.")]
pub struct PasteArgs {
    /// Write the recording to a new file, and don't open it
    #[arg(long, short, value_name = "FILE.twr")]
    pub output: Option<PathBuf>,
    /// Appearance of the terminal UI
    #[command(flatten)]
    pub look: LookArgs,
}

/// Maximum length of a line, in bytes. No line of a block is longer.
const MAX_LINE: u64 = 1 << 20;

/// Reads a recording from standard input. Returns its bytes, or writes them to the output file and
/// returns `None`.
pub(super) fn paste(args: &PasteArgs, out: &mut Output) -> Result<Option<Vec<u8>>, CliError> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        note("Paste the text that `tilewalk share` printed. Ctrl-c cancels.\n");
    }
    let bytes = read(stdin.lock())?;
    let Some(path) = &args.output else { return Ok(Some(bytes)) };
    // A recording that can't be opened is refused before it gets a name.
    recorded::from_bytes(show::path(path), &bytes, Path::new(""))?;
    write_new(path, &bytes)?;
    let path = show::path(path);
    out.line(format_args!("wrote {path}; open it with: tilewalk {path}"))?;
    Ok(None)
}

/// Reads the block in a text, up to its end line.
fn read(mut text: impl BufRead) -> Result<Vec<u8>, CliError> {
    let mut block = BlockReader::default();
    loop {
        let mut line = Vec::new();
        let length = io::Read::take(&mut text, MAX_LINE).read_until(b'\n', &mut line);
        let length = length
            .map_err(|source| CliError::Unreadable { path: "standard input".to_owned(), source })?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        for part in line.split('\r') {
            if length > 0 && block.take(part)? {
                return Ok(block.finish()?);
            }
        }
        if length == 0 {
            return Ok(block.finish()?);
        }
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    output_file::create(path, bytes).map_err(|source| record::refused(path, source))
}
