//! Pictures and films of runs.
//!
//! A [`scene::Scene`] draws frames of a run as a display list, a [`picture::Picture`]. Screens and maps
//! as text are [`cells::Cells`]. A [`film::Film`] writes both, in each [`Format`].
//!
//! The bytes of text formats and of PDF are the same on every machine. Pixels are the same for every build
//! for a target.

pub mod cast;
pub mod cells;
pub mod film;
pub mod font;
pub mod gif;
pub mod pdf;
pub mod picture;
pub mod pixels;
pub mod run;
pub mod scene;
pub mod style;
pub mod svg;
pub mod y4m;

use std::path::Path;

/// A format of pictures or films.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Svg,
    Pdf,
    Png,
    Txt,
    Gif,
    Cast,
    /// Raw frames for an encoder.
    Y4m,
}

impl Format {
    /// The formats with their file name extensions.
    pub const ALL: [(Self, &str); 7] = [
        (Self::Svg, "svg"),
        (Self::Pdf, "pdf"),
        (Self::Png, "png"),
        (Self::Txt, "txt"),
        (Self::Gif, "gif"),
        (Self::Cast, "cast"),
        (Self::Y4m, "y4m"),
    ];

    /// Returns the format with a file name extension.
    pub fn parse(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        Self::ALL.into_iter().find(|(_, word)| *word == ending).map(|(format, _)| format)
    }

    /// Returns the format of a file by its extension.
    pub fn of(path: &Path) -> Option<Self> {
        path.extension().and_then(|ending| Self::parse(&ending.to_string_lossy()))
    }

    /// Returns the extension.
    pub fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns whether a file has several frames.
    pub fn is_film(self) -> bool {
        match self {
            Self::Svg | Self::Pdf | Self::Png | Self::Txt => false,
            Self::Gif | Self::Cast | Self::Y4m => true,
        }
    }

    /// Returns whether files consist of text cells.
    pub fn is_text(self) -> bool {
        match self {
            Self::Txt | Self::Cast => true,
            Self::Svg | Self::Pdf | Self::Png | Self::Gif | Self::Y4m => false,
        }
    }

    /// Returns all extensions, such as `.svg, .pdf or .png`.
    pub fn endings() -> String {
        let words = Self::ALL.map(|(_, word)| format!(".{word}"));
        let (last, others) = words.split_last().unwrap_or((&words[0], &[]));
        format!("{} or {last}", others.join(", "))
    }
}
