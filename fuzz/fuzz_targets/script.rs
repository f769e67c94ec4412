//! Fuzzes sessions: keys, mouse, sizes and commands never break the screen, which shows the frames of a
//! plain run. The bytes replace the random numbers of the generator in `tests/it/support/script.rs`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tilewalk_fuzz::support::script::{SAVED, play, script};
use tilewalk_fuzz::support::{screen, stage};

fuzz_target!(|bytes: &[u8]| {
    // The first two bytes select the screen and the text of a saved file.
    let [screen, saved, bytes @ ..] = bytes else { return };
    let rng = TestRng::from_seed(RngAlgorithm::PassThrough, &[bytes, noise()].concat());
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let Ok(script) = script().new_tree(&mut runner) else { return };
    let app = match screen % 4 {
        0 => stage::watching(120, 40),
        1 => screen::builtin("castle"),
        2 => screen::builtin("flock"),
        _ => stage::gallery(80, 24),
    };
    play(app, script.current(), SAVED[usize::from(*saved) % SAVED.len()]);
});

/// Returns bytes for a generator that needs more than the fuzzer provides. Zeros would not do: a generator
/// that rejects them would draw forever.
fn noise() -> &'static [u8] {
    static NOISE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let next = |n: &u64| Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695));
        std::iter::successors(Some(1), next).map(|n| (n >> 33) as u8).take(1 << 16).collect()
    });
    &NOISE
}
