//! Words with which Tiled maps mark tiles as solid or walkable.

use crate::text::name::words;

/// Lower-case words for solid things. A layer, terrain or class is solid if its name contains one
/// of these words.
const SOLID: [&str; 33] = [
    "wall",
    "walls",
    "collision",
    "collisions",
    "colision",
    "colisions",
    "collide",
    "collides",
    "collider",
    "colliders",
    "collidable",
    "collidables",
    "solid",
    "solids",
    "obstacle",
    "obstacles",
    "blocked",
    "blocking",
    "blocker",
    "blockers",
    "impassable",
    "impassible",
    "unwalkable",
    "nonwalkable",
    "barrier",
    "barriers",
    "boundary",
    "boundaries",
    "border",
    "borders",
    "physics",
    "hitbox",
    "hitboxes",
];

/// Words of `SOLID` for visible things. A layer whose name contains such a word can be a picture.
const PICTURED: [&str; 4] = ["wall", "walls", "barrier", "barriers"];

/// Words for things that are not solid. They take precedence over words of `SOLID` in the same
/// name.
const DRAWN: [&str; 16] = [
    "no",
    "non",
    "not",
    "without",
    "deco",
    "decor",
    "decoration",
    "decorations",
    "shadow",
    "shadows",
    "above",
    "over",
    "overlay",
    "top",
    "tops",
    "background",
];

/// Words in the names of terrains that bodies can't enter, in addition to `SOLID`.
const TERRAIN: [&str; 16] = [
    "water",
    "sea",
    "ocean",
    "lake",
    "river",
    "lava",
    "cliff",
    "cliffs",
    "rock",
    "rocks",
    "void",
    "mountain",
    "mountains",
    "hedge",
    "abyss",
    "chasm",
];

/// Names of properties that make tiles solid, in lower case and without separators.
const SOLID_KEYS: [&str; 19] = [
    "solid",
    "issolid",
    "collides",
    "collide",
    "collidable",
    "collideable",
    "collision",
    "hascollision",
    "blocked",
    "blocking",
    "blocks",
    "blocker",
    "isblocked",
    "obstacle",
    "impassable",
    "impassible",
    "unwalkable",
    "wall",
    "iswall",
];

/// Names of properties that make tiles walkable, in lower case and without separators.
const WALK_KEYS: [&str; 6] =
    ["walk", "walkable", "iswalkable", "passable", "ispassable", "traversable"];

/// Names of properties of one-way platforms, in lower case and without separators.
const ONE_WAY_KEYS: [&str; 4] = ["oneway", "isoneway", "onewayplatform", "jumpthrough"];

/// Words in the names of layers that are drawn above moving things.
const ABOVE: [&str; 6] = ["above", "over", "overhead", "overlay", "roof", "roofs"];

/// Beginnings of words of `SOLID` for marks that games do not show.
const UNSEEN: [&str; 7] =
    ["collision", "colision", "collid", "hitbox", "physics", "blocke", "blocking"];

/// Names of properties of things that are drawn above moving things, in lower case and without
/// separators.
const ABOVE_KEYS: [&str; 6] = ["z", "zindex", "above", "overhead", "foreground", "top"];

/// Property with the height of a tile, in lower case and without separators. Tiles with a positive height
/// are above moving things.
const HEIGHT_KEY: &str = "z";

/// Words of names that do not describe an object layer, such as the names that Tiled gives.
const MEANINGLESS: [&str; 4] = ["", "object", "objects", "layer"];

/// Returns true if a layer, class or object with this name is solid.
pub fn is_solid(name: &str) -> bool {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    has(&SOLID) && !has(&DRAWN)
}

/// Returns true if a layer with this name is solid, but can also be only a picture. Returns false
/// for other names.
pub fn can_be_picture(name: &str) -> bool {
    let words = words(name);
    let mut solid = words.iter().filter(|word| SOLID.contains(&word.as_str()));
    is_solid(name) && solid.all(|word| PICTURED.contains(&word.as_str()))
}

/// Returns true if a layer name means "walkable".
pub fn is_walkable(name: &str) -> bool {
    says_walkable(name) == Some(true)
}

/// Returns true if an object name is a single word for something solid. A longer name can contain
/// such a word and still name a place.
pub fn is_solid_word(name: &str) -> bool {
    let words = words(name);
    let mut words = words.iter().filter(|word| !word.is_empty());
    words.next().is_some_and(|word| SOLID.contains(&word.as_str())) && words.next().is_none()
}

/// Returns true if bodies can't enter a terrain with this name.
pub fn is_closed_terrain(name: &str) -> bool {
    let words = words(name);
    is_solid(name) || words.iter().any(|word| TERRAIN.contains(&word.as_str()))
}

/// Returns true if a property with this name makes things walkable, and false if it makes them
/// solid. Returns `None` for other names.
pub fn says_walkable(name: &str) -> Option<bool> {
    let plain = plain(name);
    if WALK_KEYS.contains(&plain.as_str()) {
        return Some(true);
    }
    SOLID_KEYS.contains(&plain.as_str()).then_some(false)
}

/// Returns true if a property with this name marks a one-way platform.
pub fn is_one_way(name: &str) -> bool {
    ONE_WAY_KEYS.contains(&plain(name).as_str())
}

/// Returns true if a name is `plain`, which is in lower case and without separators, in any spelling.
pub fn is_spelled(name: &str, plain: &str) -> bool {
    self::plain(name) == plain
}

/// Returns true if a layer with this name is drawn above moving things.
pub fn is_above(name: &str) -> bool {
    words(name).iter().any(|word| ABOVE.contains(&word.as_str()))
}

/// Returns true if a property with this name and value puts things above moving things. Such a
/// value is true or a positive number.
pub fn puts_above(name: &str, value: &str) -> bool {
    ABOVE_KEYS.contains(&plain(name).as_str()) && is_positive(value)
}

/// Returns true if a property of a tile with this name and value is a positive height: the tile is above
/// moving things.
pub fn is_raised(name: &str, value: &str) -> bool {
    is_spelled(name, HEIGHT_KEY) && is_positive_number(value)
}

/// Returns true if the value of a property is true or a positive number.
pub fn is_positive(value: &str) -> bool {
    truth(value) == Some(true) || is_positive_number(value)
}

fn is_positive_number(value: &str) -> bool {
    value.trim().parse().is_ok_and(|number: f64| number > 0.0)
}

/// Returns true if the name of an object layer does not describe its objects.
pub fn is_meaningless(name: &str) -> bool {
    words(name).iter().all(|word| MEANINGLESS.contains(&word.as_str()))
}

/// Returns a name in lower case and without separators.
fn plain(name: &str) -> String {
    let plain = name.chars().filter(char::is_ascii_alphanumeric);
    plain.map(|c| c.to_ascii_lowercase()).collect()
}

/// Reads the value of a property as true or false. An empty value is true, as in old maps. Returns
/// `None` for any other text.
pub fn truth(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" | "" => Some(true),
        "false" | "no" | "off" | "none" | "0" => Some(false),
        _ => None,
    }
}

/// Returns true if the tiles of a layer with this name are marks that a game does not show.
pub fn is_unseen(name: &str) -> bool {
    let words = words(name);
    is_solid(name) && words.iter().any(|word| UNSEEN.iter().any(|begin| word.starts_with(begin)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_solid_layers_are_recognised() {
        for name in ["walls", "WALL", "Collision Layer", "solid_tiles", "upperWalls", "Obstacles2"]
        {
            assert!(is_solid(name), "{name}");
        }
        for name in ["Ground", "wallpaper", "no collision", "Wall Decoration", "wallsTop", ""] {
            assert!(!is_solid(name), "{name}");
        }
        assert!(can_be_picture("Upper Walls") && can_be_picture("wall_2"));
        for name in ["Collision", "Wall Collision", "Ground", "Wall decoration"] {
            assert!(!can_be_picture(name), "{name}");
        }
        assert!(can_be_picture("Barriers") && !can_be_picture("Border"));
        assert!(
            is_meaningless("Object Layer 1") && is_meaningless("objects") && is_meaningless("")
        );
        assert!(!is_meaningless("Spawn objects"));
        assert!(is_closed_terrain("Deep Water") && !is_closed_terrain("Waterfall path"));
    }

    #[test]
    fn properties_are_recognised_in_any_spelling() {
        for name in ["solid", "Solid", "is_solid", "collides", "isBlocked"] {
            assert_eq!(says_walkable(name), Some(false), "{name}");
        }
        assert_eq!((says_walkable("Walkable"), says_walkable("sound")), (Some(true), None));
        assert_eq!((truth("True"), truth("0"), truth("7")), (Some(true), Some(false), None));
        assert!(puts_above("Z", "2") && puts_above("above", "true"));
        assert!(is_raised("Z", " 0.5") && !is_raised("z", "true") && !is_raised("zindex", "1"));
        assert!(!puts_above("z", "0") && !puts_above("z", "-1") && !puts_above("x", "1"));
    }
}
