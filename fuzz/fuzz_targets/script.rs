//! Fuzzes sessions: keys, mouse, sizes and commands never break the screen, which shows the frames of a
//! plain run. Each pair of bytes selects an action of the generator in `tests/it/support/script.rs`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tilewalk_fuzz::support::script::{Action, SAVED, action, play};
use tilewalk_fuzz::support::{sample_maps, screen};

/// Maximum number of actions.
const LENGTH: usize = 100;

fuzz_target!(|bytes: &[u8]| {
    // The first two bytes select the screen and the text of a saved file.
    let [screen, saved, bytes @ ..] = bytes else { return };
    let any = action();
    let action = |pair: &[u8]| -> Action {
        let mut seed = [0; 32];
        seed[..2].copy_from_slice(pair);
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        any.new_tree(&mut runner).expect("an action").current()
    };
    let script = bytes.chunks_exact(2).take(LENGTH).map(action).collect();
    let app = match screen % 4 {
        0 => sample_maps::map_screen(120, 40),
        1 => screen::builtin("castle"),
        2 => screen::builtin("flock"),
        _ => sample_maps::gallery(80, 24),
    };
    play(app, script, SAVED[usize::from(*saved) % SAVED.len()]);
});
