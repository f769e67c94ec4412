//! Reads the properties of tiles, layers and objects.

use crate::formats::tiled::reader::element::Element;
use crate::formats::tiled::reader::marks::{MarkId, Marks};
use crate::formats::tiled::rules::{Rules, known};
use crate::formats::tiled::selector::{Rule, Selector};
use crate::formats::tiled::words::{says_walkable, truth};
use crate::show;

/// Range of route costs.
const COSTS: std::ops::RangeInclusive<f32> = 1.0..=1000.0;

/// Returns the name, the value and the element of each property of an element.
pub fn all<'a>(
    element: &Element<'a>,
) -> impl Iterator<Item = (&'a str, &'a str, Element<'a>)> + use<'a> {
    let list = element.all("properties").flat_map(|list| list.all("property"));
    list.map(|property| {
        let name = property.attribute("name").unwrap_or_default();
        (name, property.attribute("value").unwrap_or_else(|| property.text()), property)
    })
}

/// Returns the mark that the properties of an element select; `None` if they select no mark. `rule`
/// is the rule for properties of this kind of element. A property without a known meaning can be
/// chosen by the user: if its value is true, its selector is passed to `candidate`.
pub fn mark(
    element: &Element,
    rule: Rule,
    rules: &Rules,
    marks: &mut Marks,
    mut candidate: impl FnMut(Selector),
) -> Option<MarkId> {
    let (mut walk, mut glyph, mut cost, mut chosen) = (None, None, None, None);
    for (name, value, property) in all(element) {
        let is_set = truth(value) == Some(true);
        let selector = Selector { rule, name: name.to_owned() };
        if truth(value) != Some(false)
            && let Some(walks) = rules.chosen(&selector)
        {
            chosen = Some(marks.plain(walks, Rule::Chosen, &selector.to_string()));
        }
        if name == "glyph" {
            let help = "add an entry to [legend] in the map that uses this file";
            let span = property.span_of("value");
            glyph = known(value, span, marks.legend(), property.issues, help).or(glyph);
        } else if name.eq_ignore_ascii_case("cost") {
            cost = route_cost(value, &property).or(cost);
        } else if let Some(walkable) = says_walkable(name) {
            let Some(value) = known_truth(name, value, &property) else { continue };
            let walks = value == walkable;
            if walk.is_some_and(|(before, _)| before != walks) {
                let message = "`walk` and `solid` contradict each other";
                property.refuse(message, "in Tiled, remove one of the properties");
            }
            walk = Some((walks, name));
        } else if is_set {
            candidate(selector);
        }
    }
    let solid = walk.filter(|(walks, _)| !walks);
    let plain = match (glyph, solid.or(walk), cost) {
        (Some(kind), _, _) => Some(marks.mark(kind, rule, "glyph")),
        (None, Some((false, name)), _) | (None, Some((true, name)), None) => {
            Some(marks.plain(solid.is_none(), rule, name))
        }
        (None, _, Some(cost)) if cost > 1.0 => Some(marks.cost(cost, rule, "cost")),
        (None, _, Some(_)) => Some(marks.plain(true, rule, "cost")),
        (None, None, None) => None,
    };
    chosen.or(plain)
}

/// Reads a value as true or false. Warns about any other value and returns `None`.
fn known_truth(name: &str, value: &str, property: &Element) -> Option<bool> {
    let found = truth(value);
    if found.is_none() {
        let (name, value) = (show::text(name), show::text(value));
        let message = format!("`{name}` must be `true` or `false`, not `{value}`");
        property.warn_at("value", message, "the property is ignored");
    }
    found
}

fn route_cost(value: &str, property: &Element) -> Option<f32> {
    let cost = value.trim().parse().ok().filter(|cost| COSTS.contains(cost));
    if cost.is_none() {
        let (low, high) = (COSTS.start(), COSTS.end());
        let value = show::text(value);
        let message = format!("`cost` must be a number between {low} and {high}, not `{value}`");
        property.warn_at("value", message, "the property is ignored");
    }
    cost
}
