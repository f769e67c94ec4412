//! Reads the parameters of a behaviour. The `Spec` of the behaviour lists them.

use tilewalk_sim::geom::heading;
use tilewalk_sim::steering::{
    Behaviour, Parameter, ParameterShape, ParameterValue, Spec, TargetKeys,
};
use toml::de::DeValue;

use super::{Context, path};
use crate::keys::steer::HEADING;
use crate::reader::Entry;
use crate::reader::TableReader;

/// Reads a behaviour. Missing and invalid parameters get their defaults.
pub fn read(table: &TableReader, spec: &Spec, context: &mut Context) -> Behaviour {
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
    context: &mut Context,
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
        ParameterShape::Path => Some(ParameterValue::Path(path::read(table, context))),
    }
}
