//! Reads the seeds of an expectation, and the fraction of seeds that must pass.

use std::collections::BTreeSet;

use toml::de::DeValue;

use crate::keys::expect::MAX_SEEDS;
use crate::keys::map::MAX_SEED;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::{Entry, TableReader};
use tilewalk_sim::scenario::expectation::{Form, Seeds};
use tilewalk_sim::statistics::least_seeds;

/// Reads `seeds`: a number of seeds, or a list of different seeds. The default is one seed. Returns
/// `None` for an invalid value.
#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other TOML types are errors")]
pub fn read(table: &TableReader) -> Option<Seeds> {
    let Some(entry) = table.take("seeds") else { return Some(Seeds::Next(1)) };
    match entry.get() {
        DeValue::Integer(_) => entry.count(1..=MAX_SEEDS as u32).map(Seeds::Next),
        DeValue::Array(_) => read_list(&entry).map(Seeds::List),
        _ => entry.wrong_type("a number of seeds or an array of seeds"),
    }
}

fn read_list(entry: &Entry) -> Option<Vec<u64>> {
    let entries = entry.array()?;
    if entries.len() == 0 || entries.len() > MAX_SEEDS {
        let count = entries.len();
        entry.error(format!("`seeds` needs between 1 and {MAX_SEEDS} seeds, but has {count}"));
        return None;
    }
    let mut known = BTreeSet::new();
    let read = |entry: Entry| {
        let seed = entry.integer(0..=MAX_SEED)?.cast_unsigned();
        if !known.insert(seed) {
            entry.error(format!("the seed {seed} is listed twice"));
        }
        Some(seed)
    };
    let seeds: Vec<_> = entries.map(read).collect();
    seeds.into_iter().collect()
}

fn count(seeds: &Seeds) -> u64 {
    match seeds {
        Seeds::Next(count) => u64::from(*count),
        Seeds::List(seeds) => seeds.len() as u64,
    }
}

/// Reads `at_least` and `confidence`, two fractions. The default of `at_least` is 1. A missing
/// `confidence` is `None`. Reports a confidence that needs more seeds than `seeds`. Returns `None`
/// after any error.
pub fn share(table: &TableReader, seeds: &Seeds) -> Option<(f64, Option<f64>)> {
    let at_least = table.double("at_least");
    let confidence = table.double("confidence");
    let entries = (table.take("at_least"), table.take("confidence"));
    if let (Some(0.0), Some(entry)) = (at_least, &entries.0) {
        entry.error("`at_least` must be above 0");
        return None;
    }
    let is_valid = at_least.is_some() || entries.0.is_none();
    let (share, Some(entry)) = (at_least.unwrap_or(1.0), &entries.1) else {
        if let (Some(entry), 1) = (&entries.0, count(seeds))
            && at_least.is_some_and(|share| share < 1.0)
        {
            let message = "`at_least` has no effect with one seed";
            let warning = Diagnostic::warning(entry.span(), message).help("set `seeds`");
            entry.issues.push(warning);
        }
        return Some((at_least.unwrap_or(1.0), None));
    };
    let confidence = confidence.filter(|_| is_valid)?;
    if confidence == 0.0 || confidence == 1.0 {
        entry.error("`confidence` must be above 0 and below 1");
        return None;
    }
    if share == 1.0 {
        let example = least_seeds(0.95, confidence);
        let help = format!("for example, `at_least = 0.95` needs {example} seeds");
        entry.error_with_help("`confidence` needs `at_least` below 1", help);
        return None;
    }
    let (least, count) = (least_seeds(share, confidence), count(seeds));
    if count < least {
        let message = format!(
            "this claim needs {least} seeds, but has {count}: `at_least` is {share}, `confidence` \
             is {confidence}"
        );
        let help = if least > MAX_SEEDS as u64 {
            format!(
                "more than {MAX_SEEDS} seeds are not possible: lower `at_least` or `confidence`"
            )
        } else {
            format!("write `seeds = {least}` or more, or remove `confidence`")
        };
        entry.error_with_help(message, help);
        return None;
    }
    Some((share, Some(confidence)))
}

/// Reports a golden state for several seeds. Runs with different seeds end in different states.
pub fn check_golden(form: &Form, seeds: &Seeds, table: &TableReader) {
    let is_golden = matches!(form, Form::Golden(_));
    if let Some(entry) = table.take("seeds").filter(|_| is_golden && count(seeds) > 1) {
        entry.error("`golden` is the state of a run with one seed");
    }
}
