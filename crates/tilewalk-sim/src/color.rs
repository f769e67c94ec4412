//! The colours that files can name. The screen decides how they look.

/// A colour: one of the sixteen a terminal names, or red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// One of the terminal's own sixteen, by its ANSI number.
    Ansi(u8),
    /// Exact red, green and blue.
    Rgb(u8, u8, u8),
}

/// The words for the terminal's sixteen colours, in ANSI order.
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
    /// Reads a colour word or `#rrggbb`; `None` for anything else.
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
    fn colours_are_words_or_hex() {
        assert_eq!(Color::parse("yellow"), Some(Color::Ansi(3)));
        assert_eq!(Color::parse("#ff8000"), Some(Color::Rgb(255, 128, 0)));
        assert_eq!(Color::parse("#+f8000"), None);
        assert_eq!(Color::parse("Yellow"), None);
        assert_eq!(Color::parse("#é1234"), None);
    }
}
