//! A first map and a first pattern, for whoever starts from nothing: they run at once, and say in
//! comments what to change.

/// What a name stands for in the templates.
const NAME: &str = "NAME";

const MAP: &str = include_str!("starter/map.toml");
const PATTERN: &str = include_str!("starter/pattern.toml");

/// A map and its pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starter {
    /// The text of the map.
    pub map: String,
    /// What the pattern is called.
    pub pattern_name: String,
    /// The text of the pattern.
    pub pattern: String,
}

/// May a new map be called so? Letters, digits, `_` and `-`, up to 64.
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(fits) && !name.starts_with('-')
}

/// The texts for a new map.
pub fn starter(name: &str) -> Starter {
    let fill = |text: &str| text.replace(NAME, name);
    Starter { map: fill(MAP), pattern_name: format!("{name}_round"), pattern: fill(PATTERN) }
}
