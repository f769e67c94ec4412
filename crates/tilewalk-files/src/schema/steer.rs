//! Rows of steering, one table for each behaviour.

use serde_json::{Value, json};

use super::{flag, float, list, reference, table, text, words};
use crate::steer::parameters::{PARAMETERS, POSITIVE, Parameter, Shape};
use crate::steer::{About, FORMS, PROBABILITY};
use tilewalk_sim::steering::Hand;
use tilewalk_sim::steering::course::MAX_POINTS;

/// A key and what it may be.
type Key = (&'static str, Value);

/// A row, a target, and what they are made of.
pub fn definitions() -> Vec<(&'static str, Value)> {
    let rows: Vec<Value> =
        FORMS.iter().map(|&(word, form)| row(word, form.row, form.about)).collect();
    let target = json!({
        "anyOf": [
            { "type": "string" },
            reference("pair", ""),
        ],
        "description": "An agent, a group, a place, \"home\", \"last_seen(name)\" or a position [x, y].",
    });
    vec![("row", json!({ "anyOf": rows })), ("target", target)]
}

fn row(word: &str, title: &str, about: About) -> Value {
    let mut keys = vec![
        ("do", words([word], "Name of the behaviour.")),
        ("weight", float(0.0..=1e6, "Factor applied to the steering force.")),
        (
            "probability",
            float(
                PROBABILITY,
                "Probability per frame that the behaviour acts; used only by `dithered`.",
            ),
        ),
        ("enabled", flag("Whether the behaviour is enabled. Default: true.")),
    ];
    let mut required = vec!["do"];
    match about {
        About::Nothing => {}
        About::One(key) => {
            keys.push((key, reference("target", "")));
            required.push(key);
        }
        About::Heading(key) => {
            let degrees = float(-360.0..=360.0, "Heading in degrees.");
            keys.push((
                key,
                json!({ "anyOf": [degrees, text("Agent or group whose heading to match.")] }),
            ));
            required.push(key);
        }
        About::Two => {
            keys.push(("between", list(&reference("target", ""), 2..=2, "")));
            required.push("between");
        }
    }
    let (own, needed) = parameters(word);
    keys.extend(own);
    required.extend(needed);
    table(title, "", &required, keys)
}

/// The parameters of a behaviour, and which of them are required.
fn parameters(word: &str) -> (Vec<Key>, Vec<&'static str>) {
    let own = || PARAMETERS.iter().filter(|it| it.behaviours.contains(&word));
    let keys = own().map(|it| (it.key, schema(it))).collect();
    (keys, own().filter(|it| it.is_required).map(|it| it.key).collect())
}

fn schema(parameter: &Parameter) -> Value {
    let about = parameter.about;
    match &parameter.shape {
        Shape::Number(range) | Shape::Angle(range) => {
            let unit = match parameter.unit {
                "" => String::new(),
                "s" => ", in seconds".to_owned(),
                unit => format!(", in {unit}"),
            };
            let unset = (!parameter.unset.is_empty()).then(|| parameter.unset.to_owned());
            let default = parameter.written_default().map(|it| it.to_string()).or(unset);
            let default = default.map_or_else(String::new, |it| format!(" Default: {it}."));
            float(range.clone(), &format!("{about}{unit}.{default}"))
        }
        Shape::Flag => flag(about),
        Shape::Side => words(Hand::WORDS.map(|(word, _)| word), about),
        Shape::Group => reference("name", about),
        Shape::Deceleration => json!({
            "anyOf": [words(["slow", "normal", "fast"], ""), float(POSITIVE, "")],
            "description": about,
        }),
        Shape::Offset => json!({
            "type": "array", "minItems": 2, "maxItems": 2, "items": float(-10_000.0..=10_000.0, ""),
            "description": about,
        }),
        Shape::Points => list(&reference("pair", ""), 2..=MAX_POINTS as u64, about),
        Shape::Pattern => text(about),
        Shape::Tile => reference("tile", about),
    }
}
