//! Reads the parameters of a behaviour. The `Spec` of the behaviour lists them.

use tilewalk_sim::geom::heading;
use tilewalk_sim::steering::{Behaviour, Parameter, Shape, Spec, Subject, Value};
use toml::de::DeValue;

use super::Context;
use crate::keys::steer::HEADING;
use crate::read::steer::path;
use crate::text::reader::Entry;
use crate::text::reader::TableReader;

/// Reads a behaviour. Missing and invalid parameters get their defaults.
pub fn read(table: &TableReader, spec: &Spec, context: &mut Context) -> Behaviour {
    let mut behaviour = (spec.create)();
    if let Subject::Heading(key, set) = spec.subject
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

fn read_value(table: &TableReader, parameter: &Parameter, context: &mut Context) -> Option<Value> {
    let key = parameter.key;
    match &parameter.shape {
        Shape::Number(_) => {
            table.record_tunable(key);
            table.float(key).map(Value::Number)
        }
        Shape::Angle(_) => {
            table.record_tunable(key);
            table.float(key).map(|degrees| Value::Number(degrees.to_radians()))
        }
        Shape::NumberOrWord(range, words) => {
            table.record_tunable(key);
            let entry = table.take(key)?;
            let number = if let DeValue::String(_) = entry.get() {
                entry.word(words)
            } else {
                entry.float(range.clone())
            };
            number.map(Value::Number)
        }
        Shape::Flag => table.take(key)?.boolean().map(Value::Flag),
        Shape::Words(words) => {
            let words: Vec<_> = words.iter().map(|&word| (word, word)).collect();
            table.word(key, &words).map(Value::Word)
        }
        Shape::Group { is_own_default } => {
            let group = table.take(key).and_then(|entry| context.targets.group(&entry));
            group.or(context.group.filter(|_| *is_own_default)).map(Value::Group)
        }
        Shape::Offset(range) => table.require(key)?.vector(range).map(Value::Offset),
        Shape::Path => Some(Value::Path(path::read(table, context))),
    }
}
