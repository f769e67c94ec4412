//! A slow evaluator of expectations that follows the definitions of their forms.

use tilewalk_sim::judge::Outcome;

/// Whether a condition holds at each frame from 0 on.
pub type Values = Vec<bool>;

/// Returns the frames from `first` to `last` at which a condition becomes true. A condition that holds at
/// `first` counts as becoming true at `first`.
fn becomes_true(values: &Values, first: usize, last: usize) -> Vec<usize> {
    (first..=last).filter(|&f| values[f] && (f == first || !values[f - 1])).collect()
}

/// Evaluates the form `word` for the conditions `a` and `b` on the frames from `first` to `last`, exactly as
/// it is defined. `span` is the duration in the form, in frames.
pub fn slow(word: &str, a: &Values, b: &Values, span: usize, first: usize, last: usize) -> Outcome {
    let truth = |passes: bool| if passes { Outcome::Pass } else { Outcome::Fail };
    let mut window = first..=last;
    match word {
        "eventually" => truth(window.any(|f| a[f])),
        "never" => truth(!window.any(|f| a[f])),
        "always" => truth(window.all(|f| a[f])),
        "when" => {
            let triggers = becomes_true(a, first, last);
            let is_answered = |&f: &usize| (f..=f + span).any(|g| b[g]);
            if triggers.is_empty() {
                return Outcome::Inconclusive;
            }
            truth(triggers.iter().all(is_answered))
        }
        "first" => {
            let too_early = |f: usize| b[f] && !(first..=f).any(|g| a[g]);
            if !window.clone().any(|f| a[f] || b[f]) {
                return Outcome::Inconclusive;
            }
            truth(!window.any(too_early))
        }
        "settles" => truth(window.any(|f| f + span <= last && (f..=last).all(|g| a[g]))),
        "repeats" => {
            let times = becomes_true(a, first, last);
            let spans = first..=(last - span);
            truth(spans.clone().all(|f| times.iter().any(|time| (f..=f + span).contains(time))))
        }
        other => unreachable!("unknown form {other}"),
    }
}
