//! `tilewalk diff`: where two runs part, without a screen.

mod print;
mod side;
mod wire;

use std::process::ExitCode;

use crate::files::{Options, show};
use crate::history::diff::Comparison;
use crate::time::Frame;

use super::args::DiffArgs;
use super::output::{Output, report_problems};
use super::{CliError, EXIT_CANNOT};
use side::{Opened, Side};
use wire::Wire;

/// The two are not the same.
const EXIT_DIFFERS: u8 = 1;

/// Frames of two maps that are compared when nobody says how many.
const FRAMES: u64 = 1000;

/// One side came to its end, and the other goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ended {
    /// 0 the first, 1 the second.
    side: usize,
    /// Its last frame; `None` when it has none at all.
    last: Option<Frame>,
}

/// What came out.
#[derive(Debug)]
struct Answer {
    /// What the two are called, safe to print.
    names: [String; 2],
    comparison: Comparison,
    ended: Option<Ended>,
}

impl Answer {
    fn is_same(&self) -> bool {
        self.comparison.is_same() && self.ended.is_none()
    }
}

/// Compares two runs; the exit code is 1 when they differ, and 2 when one can't be read.
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
    let names = [(&args.a, &a), (&args.b, &b)].map(|(path, side)| side.told(show::path(path)));
    let mut comparison = Comparison::new(args.tolerance);
    let ended = compare(a, b, args.frames, &mut comparison)?;
    let answer = Answer { names, comparison, ended };
    if args.json {
        out.json(&Wire::of(&answer))?;
    } else {
        print::print(&answer, out)?;
    }
    out.flush()?;
    Ok(if answer.is_same() { ExitCode::SUCCESS } else { ExitCode::from(EXIT_DIFFERS) })
}

/// Compares frame by frame, until enough is found or one side ends.
fn compare(
    mut a: Side,
    mut b: Side,
    frames: Option<u64>,
    comparison: &mut Comparison,
) -> Result<Option<Ended>, CliError> {
    let endless = !a.has_end() && !b.has_end();
    let last = frames.unwrap_or(if endless { FRAMES } else { u64::MAX });
    for frame in 0..=last {
        let there = [a.advance()?, b.advance()?];
        if there != [true, true] {
            let asked = frames.is_some() || a.has_end() && b.has_end();
            let ended = Ended { side: 0, last: frame.checked_sub(1).map(Frame) };
            return Ok(match there {
                [false, true] if asked => Some(ended),
                [true, false] if asked => Some(Ended { side: 1, ..ended }),
                // A map goes on for ever; it was asked for as many frames as the other side has.
                _ => None,
            });
        }
        comparison.add(a.moment(), b.moment());
        if comparison.is_full() {
            break;
        }
    }
    Ok(None)
}
