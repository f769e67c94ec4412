//! Names of common things in tile maps, with the words that denote them.

use crate::text::name::words;

/// A thing that the names of layers, tile sets, classes, properties and terrains can denote.
#[derive(Debug)]
pub struct Class {
    pub name: &'static str,
    /// Lower-case words for the thing, separated by spaces.
    words: &'static str,
    /// Glyphs of open tiles and of solid tiles.
    pub glyphs: [&'static str; 2],
    /// Colour without an image.
    pub color: &'static str,
    /// Whether the name says so little about the look that tiles also need a colour.
    pub is_vague: bool,
}

const fn class(
    name: &'static str,
    words: &'static str,
    glyphs: [&'static str; 2],
    color: &'static str,
) -> Class {
    Class { name, words, glyphs, color, is_vague: false }
}

/// All classes. The number of a class is its index plus one.
pub static CLASSES: [Class; 19] = [
    class("water", "water sea ocean lake river pond pool", ["~", "~"], "blue"),
    class("lava", "lava magma", ["!", "!"], "light_red"),
    class("snow", "snow ice", ["*", "*"], "white"),
    class("grass", "grass lawn meadow", [";", ";"], "green"),
    class(
        "plants",
        "flower flowers plant plants bush bushes hedge hedges crop crops",
        ["i", "Y"],
        "light_green",
    ),
    class("tree", "tree trees forest woods", ["t", "T"], "green"),
    class("path", "path paths trail", [":", ":"], "yellow"),
    class("road", "road roads street streets pavement", ["_", "_"], "gray"),
    class("bridge", "bridge bridges", ["=", "="], "yellow"),
    class("sand", "sand beach desert", ["-", "-"], "light_yellow"),
    class("dirt", "dirt soil mud earth", ["s", "S"], "yellow"),
    class(
        "rock",
        "rock rocks boulder boulders cliff cliffs mountain mountains",
        ["^", "%"],
        "gray",
    ),
    class("fence", "fence fences", ["|", "|"], "yellow"),
    class("roof", "roof roofs", ["n", "A"], "red"),
    class("house", "house houses building buildings", ["h", "H"], "light_red"),
    class("stairs", "stair stairs ladder ladders", ["z", "Z"], "yellow"),
    class("carpet", "carpet carpets rug rugs", ["c", "C"], "magenta"),
    Class { is_vague: true, ..class("wall", "wall walls", ["", ""], "gray") },
    Class { is_vague: true, ..class("floor", "floor floors", ["", ""], "gray") },
];

/// Returns the number of the class that a name denotes. Returns 0 if the name has no word of a class,
/// or words of several classes.
pub fn class_of(name: &str) -> u8 {
    let words = words(name);
    let is_named = |class: &Class| {
        words.iter().any(|word| !word.is_empty() && class.words.split(' ').any(|own| own == word))
    };
    let mut found = CLASSES.iter().enumerate().filter(|(_, class)| is_named(class));
    match (found.next(), found.next()) {
        (Some((index, _)), None) => index as u8 + 1,
        _ => 0,
    }
}

/// Returns a class by its number; `None` for 0.
pub fn class_by_number(number: u8) -> Option<&'static Class> {
    CLASSES.get(usize::from(number).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_denote_at_most_one_class() {
        let name = |text| class_by_number(class_of(text)).map_or("", |class| class.name);
        assert_eq!(
            (name("Deep Water"), name("waterfall"), name("grassTiles")),
            ("water", "", "grass")
        );
        assert_eq!((name("Grass and paths"), name("River water"), name("")), ("", "water", ""));
    }

    #[test]
    fn each_word_denotes_the_class_that_lists_it() {
        for (index, class) in CLASSES.iter().enumerate() {
            for word in class.words.split(' ').chain([class.name]) {
                assert_eq!(usize::from(class_of(word)), index + 1, "{word}");
            }
        }
    }
}
