//! `tilewalk diff`: finds the first differences of two runs.

mod print;
mod side;

use std::process::ExitCode;

use crate::files::{Options, show};
use crate::history::diff::Comparison;
use crate::report::difference::{Differences, End};

use super::args::DiffArgs;
use super::output::{Output, report_problems};
use super::{CliError, EXIT_CANNOT};
use side::{Opened, Side};

/// Exit code if the runs differ.
const EXIT_DIFFERS: u8 = 1;

/// Last compared frame of two maps without `--frames`.
const FRAMES: u64 = 1000;

/// Compares two runs.
pub(super) fn diff(args: &DiffArgs, out: &mut Output) -> Result<ExitCode, CliError> {
    let options = [
        Options { seed: args.seed_a, set: args.set_a.clone() },
        Options { seed: args.seed_b, set: args.set_b.clone() },
    ];
    let [a, b] = [(&args.a, &options[0]), (&args.b, &options[1])]
        .map(|(path, options)| Side::open(path, options));
    let (a, b) = match (a?, b?) {
        (Opened::Ready(a), Opened::Ready(b)) => (a, b),
        (a, b) => {
            for side in [a, b] {
                if let Opened::Wrong(report) = side {
                    report_problems(&report, None);
                }
            }
            return Ok(ExitCode::from(EXIT_CANNOT));
        }
    };
    let names = [(&args.a, &a), (&args.b, &b)].map(|(path, side)| side.name(show::path(path)));
    let mut comparison = Comparison::new(args.tolerance);
    let ended = compare(a, b, args.frames, &mut comparison)?;
    let report = Differences::of(names, &comparison, ended);
    if args.json {
        out.json(&report)?;
    } else {
        print::print(&report, out)?;
    }
    out.flush()?;
    Ok(if report.same { ExitCode::SUCCESS } else { ExitCode::from(EXIT_DIFFERS) })
}

/// Compares frame by frame until the comparison is full or a side ends.
fn compare(
    mut a: Side,
    mut b: Side,
    frames: Option<u64>,
    comparison: &mut Comparison,
) -> Result<Option<End>, CliError> {
    let endless = !a.has_end() && !b.has_end();
    let last = frames.unwrap_or(if endless { FRAMES } else { u64::MAX });
    for frame in 0..=last {
        let advanced = [a.advance()?, b.advance()?];
        if advanced != [true, true] {
            // A map has no end. Without `--frames`, it has as many frames as the other side.
            let both_end = a.has_end() && b.has_end();
            let unequal = advanced[0] != advanced[1] && (frames.is_some() || both_end);
            let side = if advanced[0] { 'b' } else { 'a' };
            return Ok(unequal.then(|| End { side, last: frame.checked_sub(1) }));
        }
        comparison.add(a.moment(), b.moment());
        if comparison.is_full() {
            break;
        }
    }
    Ok(None)
}
