//! Converts rows to and from named JSON values, for formats with typed values.

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use crate::files::sweep::Measure;
use crate::sweep::plan::Plan;
use crate::sweep::row::{Cell, End, ResultRow, outcome};

/// Returns the values of a row in the order of the columns. Undefined values are `null`.
pub(super) fn values(plan: &Plan, row: &ResultRow) -> Vec<Json> {
    let mut values = vec![Json::from(row.run), plan.sweep.seeds[row.seed].into()];
    values.extend(plan.sweep.points[row.point].iter().map(|value| {
        let text = || Json::from(value.text());
        value.number().map_or_else(text, number)
    }));
    values.extend((0..plan.sweep.measures.len()).map(|index| match row.cells.get(index) {
        None | Some(Cell::Empty) => Json::Null,
        Some(Cell::Number(value)) => number(*value),
        Some(Cell::Outcome(outcome)) => Json::from(outcome.word()),
    }));
    let hash = row.hash.map_or(Json::Null, |hash| format!("{hash:016x}").into());
    values.extend([row.frames.into(), row.end.word().into(), hash]);
    values
}

/// Reads a row from named values. `get` returns the value of a column. `is_same` compares a value
/// that was read with the value that the plan expects. Returns `None` if the values are not a row
/// of this plan.
pub(super) fn row<'a>(
    plan: &Plan,
    get: impl Fn(&str) -> Option<&'a Json>,
    is_same: impl Fn(&Json, &Json) -> bool,
) -> Option<ResultRow> {
    let run = get("run")?.as_u64().filter(|run| *run < plan.runs())?;
    let (point, seed) = plan.run(run);
    let end: End = get("end")?.as_str()?.parse().ok()?;
    let cell = |measure: &Measure| {
        let value = get(&measure.name)?;
        Some(match value.as_str() {
            Some(word) => Cell::Outcome(outcome(word)?),
            None if value.is_null() => Cell::Empty,
            None => Cell::Number(value.as_f64()?),
        })
    };
    let cells = plan.sweep.measures.iter().map(cell).collect::<Option<Vec<_>>>()?;
    let cells = if end == End::Error { Vec::new() } else { cells };
    let hash = match get("hash")? {
        digits if digits.is_null() => None,
        digits => Some(u64::from_str_radix(digits.as_str()?, 16).ok()?),
    };
    let row = ResultRow { run, point, seed, cells, frames: get("frames")?.as_u64()?, end, hash };
    // Other values come from other programs, or from another plan.
    let is_same = |(name, value): (&String, &Json)| get(name).is_some_and(|it| is_same(it, value));
    plan.header().iter().zip(&values(plan, &row)).all(is_same).then_some(row)
}

/// Formats a row as a JSON object on one line.
pub(super) fn json(plan: &Plan, row: &ResultRow) -> String {
    let object = Object { names: plan.header(), values: values(plan, row) };
    serde_json::to_string(&object).expect("texts and numbers are valid JSON")
}

/// Parses a row from a JSON object. Returns `None` if it is not a row of this plan.
pub(super) fn row_of_json(plan: &Plan, line: &str) -> Option<ResultRow> {
    let object: serde_json::Map<String, Json> = serde_json::from_str(line).ok()?;
    row(plan, |name| object.get(name), PartialEq::eq)
}

/// Returns the names of the values of a JSON object. Returns `None` if the line is not an object.
pub(super) fn names(line: &str) -> Option<Vec<String>> {
    let object: serde_json::Map<String, Json> = serde_json::from_str(line).ok()?;
    Some(object.into_iter().map(|(name, _)| name).collect())
}

/// Converts a number to JSON, without a fraction if it is an integer.
pub(super) fn number(value: f64) -> Json {
    let integer = value as i64;
    if integer as f64 == value { Json::from(integer) } else { Json::from(value) }
}

/// A JSON object whose keys have the order of the columns.
struct Object {
    names: Vec<String>,
    values: Vec<Json>,
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(&self.values))
    }
}
