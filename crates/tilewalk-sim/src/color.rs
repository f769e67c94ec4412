//! Colours in files. A front end decides how to display the colours.

/// A named terminal colour, or an RGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// One of the 16 terminal colours: an index in [`WORDS`], 0 to 15.
    Ansi(u8),
    /// Red, green and blue, 0 to 255.
    Rgb(u8, u8, u8),
}

/// The keywords of the 16 terminal colours, in ANSI order.
pub const WORDS: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "gray",
    "dark_gray",
    "light_red",
    "light_green",
    "light_yellow",
    "light_blue",
    "light_magenta",
    "light_cyan",
    "white",
];

impl Color {
    /// Parses a colour keyword or `#rrggbb`; returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(index) = WORDS.iter().position(|&word| word == text) {
            return Some(Self::Ansi(index as u8));
        }
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let [_, r, g, b] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self::Rgb(r, g, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_accepts_keywords_and_hex() {
        assert_eq!(Color::parse("yellow"), Some(Color::Ansi(3)));
        assert_eq!(Color::parse("#ff8000"), Some(Color::Rgb(255, 128, 0)));
        assert_eq!(Color::parse("#+f8000"), None);
        assert_eq!(Color::parse("Yellow"), None);
        assert_eq!(Color::parse("#é1234"), None);
    }
}
