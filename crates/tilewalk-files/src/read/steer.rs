//! Reads steering lists (`steer = [ … ]`) and `combine`. The `Spec` of a behaviour lists its
//! parameters.

use std::ops::Range;

use toml::de::DeValue;

use crate::keys::steer as keys;
use crate::keys::steer::{ANY_BEHAVIOUR, HEADING, MAX_ROWS};
use crate::read::pattern_file::{Library, Shared};
use crate::read::target::Targets;
use crate::text::diagnostic::Diagnostic;
use crate::text::reader::{Entry, TableReader};
use crate::values::{EntryId, InnerTable, TablePath};
use tilewalk_sim::geom::{TilePos, Vec2, heading};
use tilewalk_sim::id::{GroupId, SteeringPathId};
use tilewalk_sim::map::{Edges, Map};
use tilewalk_sim::pattern::Pattern;
use tilewalk_sim::steering::path::MAX_POINTS;
use tilewalk_sim::steering::{
    Behaviour, Parameter, ParameterShape, ParameterValue, SPECS, Spec, SteeringPath, Target,
    TargetKeys, WeightedBehaviour,
};

/// Map data for reading behaviours.
#[derive(Debug)]
pub struct SteerContext<'a, 'b> {
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

/// Reads a `steer` list. `path` is the settings path of the table that contains the list. Returns
/// each behaviour with the span of its weight, or of the whole behaviour if it has no weight.
pub fn read(
    entry: &Entry,
    path: Option<&TablePath>,
    context: &mut SteerContext,
) -> Vec<(WeightedBehaviour, Range<usize>)> {
    let rows = entry.tables(&ANY_BEHAVIOUR);
    let count = entry.array().map_or(1, |rows| rows.len());
    if !(1..=MAX_ROWS).contains(&count) {
        entry.error(format!("`steer` needs between 1 and {MAX_ROWS} behaviours, but has {count}"));
    }
    let (mut follows, mut avoids) = (false, false);
    let mut read = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        let (span, issues) = (row.span(), row.issues);
        let entry = || InnerTable::Entry("steer".to_owned(), EntryId::Number(index + 1));
        let row = row.at(path.map(|path| path.inner(entry())));
        let Some((row, weight_span)) = read_row(row, context) else { continue };
        if count > 1 && matches!(row.behaviour, Behaviour::Track(_)) {
            let message = format!("`track` must be the only behaviour, but this list has {count}");
            let help = "remove the other behaviours: `track` sets the velocity directly";
            issues.push(Diagnostic::error(span.clone(), message).help(help));
        }
        let another = matches!(row.behaviour, Behaviour::FollowPath(_));
        if another && core::mem::replace(&mut follows, true) {
            let help = "use two modes: a mode can follow only one path";
            let message = "more than one `follow_path` in a list";
            issues.push(Diagnostic::error(span.clone(), message).help(help));
        }
        let another = matches!(row.behaviour, Behaviour::AvoidCrowd(_));
        if another && core::mem::replace(&mut avoids, true) {
            let help = "remove one of them: `avoid_crowd` determines the velocity";
            let message = "more than one `avoid_crowd` in a list";
            issues.push(Diagnostic::error(span.clone(), message).help(help));
        }
        read.push((row, weight_span.unwrap_or(span)));
    }
    read
}

/// Reads a behaviour. Also returns the span of its weight, if it has one.
fn read_row(
    mut table: TableReader,
    context: &mut SteerContext,
) -> Option<(WeightedBehaviour, Option<Range<usize>>)> {
    let spec = table.require("do")?.word(&SPECS.map(|spec| (spec.word, spec)))?;
    table.describe(keys::table(spec));
    let weight_span = table.take("weight").map(|entry| entry.span());
    let weight = table.float("weight");
    let probability = table.float("probability");
    let enabled = table.flag("enabled");
    let (target, other) = read_targets(&table, spec.subject, context.targets);
    let behaviour = read_parameters(&table, spec, context);
    if let (Some(0.0), Some(span), true) = (weight, weight_span.clone(), enabled) {
        let message = format!("`{}` has no effect: its weight is 0", behaviour.word());
        let help = "remove the behaviour, or set `enabled = false`";
        table.issues.push(Diagnostic::warning(span, message).help(help));
    }
    table.record_tunable("weight");
    table.record_tunable("probability");
    table.finish();
    let (weight, probability) =
        (weight.unwrap_or(spec.weight), probability.unwrap_or(spec.probability));
    let row = WeightedBehaviour { target, other, weight, probability, enabled, behaviour };
    Some((row, weight_span))
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

/// Reads a behaviour. Missing and invalid parameters get their defaults.
fn read_parameters(table: &TableReader, spec: &Spec, context: &mut SteerContext) -> Behaviour {
    let mut behaviour = (spec.create)();
    if let TargetKeys::Heading(key, set) = spec.subject
        && let Some(entry) = table.take(key).filter(Entry::is_number)
        && let Some(degrees) = entry.float(HEADING)
    {
        set(&mut behaviour, heading::from_degrees(degrees));
    }
    for parameter in spec.parameters {
        if let Some(value) = read_value(table, parameter, context) {
            (parameter.access.set)(&mut behaviour, value);
        }
    }
    behaviour
}

fn read_value(
    table: &TableReader,
    parameter: &Parameter,
    context: &mut SteerContext,
) -> Option<ParameterValue> {
    let key = parameter.key;
    match &parameter.shape {
        ParameterShape::Number(_) => {
            table.record_tunable(key);
            table.float(key).map(ParameterValue::Number)
        }
        ParameterShape::Angle(_) => {
            table.record_tunable(key);
            table.float(key).map(|degrees| ParameterValue::Number(degrees.to_radians()))
        }
        ParameterShape::NumberOrWord(range, words) => {
            table.record_tunable(key);
            let entry = table.take(key)?;
            let number = if let DeValue::String(_) = entry.get() {
                entry.word(words)
            } else {
                entry.float(range.clone())
            };
            number.map(ParameterValue::Number)
        }
        ParameterShape::Count(_) => {
            table.record_tunable(key);
            table.integer(key).map(|number| ParameterValue::Number(number as f32))
        }
        ParameterShape::Flag => table.take(key)?.boolean().map(ParameterValue::Flag),
        ParameterShape::Words(words) => {
            let words: Vec<_> = words.iter().map(|&word| (word, word)).collect();
            table.word(key, &words).map(ParameterValue::Word)
        }
        ParameterShape::Group { is_own_default } => {
            let group = table.take(key).and_then(|entry| context.targets.group(&entry));
            group.or(context.group.filter(|_| *is_own_default)).map(ParameterValue::Group)
        }
        ParameterShape::Offset(range) => {
            table.require(key)?.vector(range).map(ParameterValue::Offset)
        }
        ParameterShape::Path => Some(ParameterValue::Path(read_path(table, context))),
    }
}

/// Reads `points` or `pattern`, and the keys that belong to either. Adds the path to
/// `context.paths` and returns its id. After an error, the id is arbitrary. The map is then
/// rejected, so the id is never used.
pub fn read_path(table: &TableReader, context: &mut SteerContext) -> SteeringPathId {
    let points = table.take("points");
    let pattern = table.take("pattern");
    let closed = table.take("loop");
    let offset = table.take("offset");
    let path = match (points, pattern) {
        (Some(_), Some(pattern)) => {
            let message = "`points` and `pattern` can't be used together";
            pattern.error_at_key(message, "");
            None
        }
        (Some(points), None) => {
            if let Some(offset) = offset {
                let help = "remove `offset`: `points` are map positions";
                offset.error_at_key("`offset` needs a `pattern`", help);
            }
            let closed = closed.and_then(|closed| closed.boolean()).unwrap_or(false);
            read_points(&points, closed, context.map)
        }
        (None, Some(pattern)) => {
            if let Some(closed) = closed {
                let help = "set `closed = true` in the pattern instead";
                closed.error_at_key("`loop` needs `points`", help);
            }
            read_pattern(&pattern, offset.as_ref(), context)
        }
        (None, None) => {
            if !table.issues.is_partial() {
                let message = "missing `points` or `pattern`";
                table.issues.error(table.span(), message);
            }
            None
        }
    };
    if let Some(path) = path {
        context.paths.push(path);
    }
    SteeringPathId((context.paths.len() as u32).saturating_sub(1))
}

fn read_points(entry: &Entry, closed: bool, map: Option<&Map>) -> Option<SteeringPath> {
    let elements = entry.array()?;
    let count = elements.len();
    if !(2..=MAX_POINTS).contains(&count) {
        entry.error(format!("a path needs between 2 and {MAX_POINTS} points, but has {count}"));
        return None;
    }
    let mut points = Vec::with_capacity(count);
    for element in elements {
        let Some(pair) = element.pair() else { continue };
        warn_outside(&element, pair.tile(), map);
        points.push(pair.point());
    }
    // All points are read, so that all problems are reported at once.
    (points.len() == count).then(|| SteeringPath { points: points.into(), closed, at_home: false })
}

/// Warns about a point outside the map. A wrapping map has no outside.
fn warn_outside(entry: &Entry, tile: TilePos, map: Option<&Map>) {
    let outside = |map: &Map| map.edges() == Edges::Wall && !map.tiles().contains(tile);
    if map.is_some_and(outside) {
        let message = format!("{tile} is outside the map");
        entry.issues.push(Diagnostic::warning(entry.span(), message));
    }
}

fn read_pattern(
    entry: &Entry,
    offset: Option<&Entry>,
    context: &mut SteerContext,
) -> Option<SteeringPath> {
    let anchor = offset.and_then(Entry::tile);
    let (name, Shared { pattern, absolute }) = context.library.pattern(entry)?;
    let Pattern::Path(path) = pattern.as_ref() else {
        let word = pattern.word();
        let message = format!("`{name}` is a {word} pattern, not a path");
        entry.error_with_help(message, "use a pattern with `kind = \"path\"`");
        return None;
    };
    if let Some(offset) = offset.filter(|_| absolute) {
        offset.error_at_key("`offset` can't be used with an `absolute` pattern", "");
    }
    let count = path.corners().count();
    if count > MAX_POINTS {
        let message =
            format!("`{name}` has {count} vertices; the limit for steering is {MAX_POINTS}");
        entry.error(message);
        return None;
    }
    let at_home = anchor.is_none() && !absolute;
    let corner = anchor.unwrap_or_default();
    let corners = path.corners().map(|tile| corner + tile);
    if !at_home {
        corners.clone().for_each(|tile| warn_outside(entry, tile, context.map));
    }
    let points: Vec<Vec2> = corners.map(TilePos::centre).collect();
    Some(SteeringPath { points: points.into(), closed: path.rules().closed, at_home })
}
