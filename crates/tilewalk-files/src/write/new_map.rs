//! Templates for a first map and pattern. The templates run unchanged, and comments explain what to
//! change.

/// Placeholder for the name in the templates.
const NAME: &str = "NAME";

const MAP: &str = include_str!("new_map/map.toml");
const PATTERN: &str = include_str!("new_map/pattern.toml");
const MAPF: &str = include_str!("new_map/mapf.expect.toml");

/// A new map and its pattern, created from the templates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starter {
    /// TOML text of the map file.
    pub map: String,
    /// Name of the pattern that the map uses, without `.toml`.
    pub pattern_name: String,
    /// TOML text of the pattern file.
    pub pattern: String,
}

/// Returns true if a new map can have this name. A valid name has 1 to 64 ASCII letters, digits,
/// `_` and `-`, and does not begin with `-`.
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(fits) && !name.starts_with('-')
}

/// Returns the texts of a new map called `name` and of its pattern.
pub fn starter(name: &str) -> Starter {
    let fill = |text: &str| text.replace(NAME, name);
    Starter { map: fill(MAP), pattern_name: format!("{name}_round"), pattern: fill(PATTERN) }
}

/// Returns the text of a file `NAME.expect.toml` with expectations about plans of path planners.
pub fn mapf_expectations(name: &str) -> String {
    MAPF.replace(NAME, name)
}

/// Returns the text of a new map without agents: a room of floor with a wall around it. `width` and
/// `height` are in tiles and include the wall.
pub fn room(name: &str, width: usize, height: usize) -> String {
    let wall = "#".repeat(width);
    let floor = format!("#{}#\n", ".".repeat(width.saturating_sub(2)));
    let rows = floor.repeat(height.saturating_sub(2));
    format!(
        "# {name}: describe the map here.\nformat = 1\ntitle  = \"{name}\"\n\n\
         tiles = '''\n{wall}\n{rows}{wall}\n'''\n"
    )
}
