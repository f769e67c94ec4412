//! Reads steering lists (`steer = [ … ]`) and `combine`.

mod parameters;
mod path;

use super::diagnostic::Diagnostic;
use super::keys::steer as keys;
use super::keys::steer::{ANY_BEHAVIOUR, MAX_ROWS};
use super::library::Library;
use super::reader::Entry;
use super::reader::TableReader;
use super::target::Targets;
use super::value_path::{EntryId, InnerTable, TablePath};
use tilewalk_sim::id::GroupId;
use tilewalk_sim::map::Map;
use tilewalk_sim::steering::{
    Behaviour, SPECS, SteeringPath, Target, TargetKeys, WeightedBehaviour,
};

/// Map data for reading behaviours.
#[derive(Debug)]
pub struct Context<'a, 'b> {
    /// Agents, groups and places that targets can name.
    pub targets: &'a Targets<'a>,
    /// Group of the agent whose steering list is read; `None` for an agent without a group.
    pub group: Option<GroupId>,
    /// Library of the patterns that behaviours can follow as paths.
    pub library: &'a mut Library<'b>,
    /// The terrain; `None` if the terrain has errors.
    pub map: Option<&'a Map>,
    /// The paths of all behaviours read so far.
    pub paths: Vec<SteeringPath>,
}

/// Reads a `steer` list. `path` is the settings path of the table that contains the list.
pub fn read(
    entry: &Entry,
    path: Option<&TablePath>,
    context: &mut Context,
) -> Vec<WeightedBehaviour> {
    let rows = entry.tables(&ANY_BEHAVIOUR);
    let count = entry.array().map_or(1, |rows| rows.len());
    if !(1..=MAX_ROWS).contains(&count) {
        entry.error(format!("`steer` needs between 1 and {MAX_ROWS} behaviours, but has {count}"));
    }
    let mut follows = false;
    let mut read = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        let (span, issues) = (row.span(), row.issues);
        let entry = || InnerTable::Entry("steer".to_owned(), EntryId::Number(index + 1));
        let row = row.at(path.map(|path| path.inner(entry())));
        let Some(row) = read_row(row, context) else { continue };
        if count > 1 && matches!(row.behaviour, Behaviour::Track(_)) {
            let message = format!("`track` must be the only behaviour, but this list has {count}");
            let help = "remove the other behaviours: `track` sets the velocity directly";
            issues.push(Diagnostic::error(span.clone(), message).help(help));
        }
        let another = matches!(row.behaviour, Behaviour::FollowPath(_));
        if another && core::mem::replace(&mut follows, true) {
            let help = "use two modes: a mode can follow only one path";
            let message = "more than one `follow_path` in a list";
            issues.push(Diagnostic::error(span, message).help(help));
        }
        read.push(row);
    }
    read
}

fn read_row(mut table: TableReader, context: &mut Context) -> Option<WeightedBehaviour> {
    let spec = table.require("do")?.word(&SPECS.map(|spec| (spec.word, spec)))?;
    table.describe(keys::table(spec));
    let weight_span = table.take("weight").map(|entry| entry.span());
    let weight = table.float("weight");
    let probability = table.float("probability");
    let enabled = table.flag("enabled");
    let (target, other) = read_targets(&table, spec.subject, context.targets);
    let behaviour = parameters::read(&table, spec, context);
    if let (Some(0.0), Some(span), true) = (weight, weight_span, enabled) {
        let message = format!("`{}` has no effect: its weight is 0", behaviour.word());
        let help = "remove the behaviour, or set `enabled = false`";
        table.issues.push(Diagnostic::warning(span, message).help(help));
    }
    table.record_tunable("weight");
    table.record_tunable("probability");
    table.finish();
    Some(WeightedBehaviour {
        target,
        other,
        weight: weight.unwrap_or(spec.weight),
        probability: probability.unwrap_or(spec.probability),
        enabled,
        behaviour,
    })
}

/// Reads the targets of a behaviour: none, one or two.
fn read_targets(
    table: &TableReader,
    subject: TargetKeys,
    targets: &Targets,
) -> (Option<Target>, Option<Target>) {
    match subject {
        TargetKeys::Nothing => (None, None),
        TargetKeys::Heading(key, _) => {
            let entry = table.require(key).filter(|entry| !entry.is_number());
            (entry.and_then(|entry| targets.read_facing(&entry)), None)
        }
        TargetKeys::Target(key) => {
            (table.require(key).and_then(|entry| targets.read(&entry)), None)
        }
        TargetKeys::Pair(key) => {
            let both = table.require(key).and_then(|entry| read_between(&entry, targets));
            (both.map(|both| both[0]), both.map(|both| both[1]))
        }
    }
}

/// Reads two targets: `[a, b]`. Returns `None` if one of them is invalid.
fn read_between(entry: &Entry, targets: &Targets) -> Option<[Target; 2]> {
    let [a, b] = entry.two("a pair `[a, b]` of targets")?;
    let (a, b) = (targets.read(&a), targets.read(&b));
    Some([a?, b?])
}
