//! Fuzzes sweeps: a report is safe to print, a sweep reads the same from its stored files, its shards
//! cover all runs, and its first and last run can be simulated. Other files are read as a plan.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilewalk::files::sweep::{self, SweepOrigin};
use tilewalk::sweep::Runs;
use tilewalk::sweep::plan::Plan;
use tilewalk_fuzz::{assert_printable, file};

/// The map that the sweeps of the corpus run.
const MAP: &str = include_str!("../corpus/sweep/room.toml");

/// Maximum number of design points, and of frames, of a sweep that is simulated.
const MAX_SIZE: u64 = 200;

fuzz_target!(|bytes: &[u8]| {
    file("sweep/room.toml", MAP.as_bytes());
    let path = file("sweep/sweep.toml", bytes);
    if bytes.starts_with(b"{") {
        // Random plans have a wrong hash, so this reads only the outer part.
        assert!(Plan::read(&path).is_err());
        return;
    }
    let Ok(loaded) = sweep::load(&SweepOrigin::Disk(path)) else { return };
    assert_printable(&loaded.report);
    assert_eq!(loaded.sweep.is_none(), loaded.report.errors() > 0);
    let Some(sweep) = loaded.sweep else { return };
    if sweep.points.len() as u64 > MAX_SIZE || sweep.frames > MAX_SIZE {
        return;
    }
    let again = sweep::load(&SweepOrigin::Kept(sweep.frozen.clone())).expect("stored files");
    let again = again.sweep.unwrap_or_else(|| panic!("{}", again.report.plain()));
    assert_eq!(format!("{again:?}"), format!("{sweep:?}"));

    let plan = Plan::new(sweep, 3);
    let mut next = 0;
    for shard in 0..3 {
        let runs = plan.shard(shard).expect("one of 3 shards");
        assert_eq!(runs.start, next);
        next = runs.end;
    }
    assert_eq!(next, plan.runs());
    let runs = Runs::new(&plan);
    for run in [0, next - 1] {
        runs.simulate(run);
    }
});
