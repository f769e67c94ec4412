//! Writes pictures and films in any format. Frames are written one by one, so memory doesn't grow with their
//! number.

use std::io::{self, Write};

use crate::palette::Rgb;

use super::Format;
use super::cast;
use super::cells::Cells;
use super::gif::{self, Colors};
use super::pdf;
use super::picture::Picture;
use super::pixels::{self, Canvas};
use super::svg;
use super::y4m;

/// What a frame shows.
#[derive(Debug, Clone)]
pub enum Shown {
    Picture(Picture),
    Cells(Cells),
}

/// How to write a film.
#[derive(Debug, Clone)]
pub struct Settings {
    pub format: Format,
    pub title: String,
    /// Frames per second.
    pub fps: f64,
    /// Whether the file has several frames.
    pub is_film: bool,
    /// Width in pixels of pictures of cells. `None` for the usual longer side.
    pub width: Option<u32>,
    /// Colours that later frames can have.
    pub colors: Vec<Rgb>,
    pub background: Rgb,
}

/// Most frames per second of a GIF. Viewers slow down films with shorter frames.
pub const FASTEST_GIF: f64 = 50.0;

/// A picture or a film that is being written.
pub struct Film<'a> {
    settings: Settings,
    /// Number of written frames.
    frames: u64,
    canvas: Option<Canvas>,
    cells: Option<Cells>,
    planes: Vec<u8>,
    out: Out<'a>,
}

enum Out<'a> {
    Plain(&'a mut dyn Write),
    Gif(Box<gif::Film<'a>>),
    /// The output has failed.
    Nothing,
}

fn ended() -> io::Error {
    io::Error::other("the film has ended")
}

impl<'a> Film<'a> {
    /// Begins a file. Nothing is written before the first frame.
    pub fn begin(settings: Settings, out: &'a mut dyn Write) -> Self {
        let (canvas, cells, planes) = (None, None, Vec::new());
        Self { settings, frames: 0, canvas, cells, planes, out: Out::Plain(out) }
    }

    /// Writes a frame. All frames must have the same size.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn frame(&mut self, shown: Shown) -> io::Result<()> {
        match (self.settings.format, shown) {
            (Format::Svg, Shown::Cells(cells)) => self.text(&cells.svg()),
            (Format::Svg, Shown::Picture(picture)) => self.text(&svg::document(&picture)),
            (Format::Txt, Shown::Cells(cells)) => self.text(&cells.text()),
            (Format::Cast, Shown::Cells(cells)) => self.cast(cells),
            (Format::Txt | Format::Cast, Shown::Picture(_)) => {
                Err(io::Error::other("a text needs cells"))
            }
            (Format::Pdf, shown) => {
                let document = pdf::document(&self.picture(shown), &self.settings.title);
                self.bytes(&document)
            }
            (Format::Png | Format::Gif | Format::Y4m, shown) => {
                let picture = self.picture(shown);
                self.pixels(&picture)
            }
        }?;
        self.frames += 1;
        Ok(())
    }

    fn picture(&self, shown: Shown) -> Picture {
        match shown {
            Shown::Picture(picture) => picture,
            Shown::Cells(cells) => {
                cells.picture(self.settings.width, self.settings.format == Format::Y4m)
            }
        }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.bytes(text.as_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.out {
            Out::Plain(out) => out.write_all(bytes),
            Out::Gif(_) | Out::Nothing => Err(ended()),
        }
    }

    /// Returns the time at which a frame begins, in units of 1/`unit` seconds.
    fn time(&self, frame: u64, unit: f64) -> u64 {
        (frame as f64 * unit / self.settings.fps).round() as u64
    }

    fn cast(&mut self, cells: Cells) -> io::Result<()> {
        let Out::Plain(out) = &mut self.out else { return Err(ended()) };
        if self.frames == 0 {
            cast::begin(out, &cells, &self.settings.title)?;
        }
        let fps = self.settings.fps;
        let time = |frame: u64| (frame as f64 * 1000.0 / fps).round() as u64;
        let passed = time(self.frames) - time(self.frames.saturating_sub(1));
        cast::frame(out, passed, &cells, self.cells.as_ref())?;
        self.cells = Some(cells);
        Ok(())
    }

    fn pixels(&mut self, picture: &Picture) -> io::Result<()> {
        let delay = self.time(self.frames + 1, 100.0) - self.time(self.frames, 100.0);
        let pixels = self.canvas.get_or_insert_with(|| Canvas::new(picture)).draw(picture);
        if self.settings.format == Format::Gif && self.frames == 0 {
            let colors = Colors::of(picture, &self.settings.colors, self.settings.background);
            let out = core::mem::replace(&mut self.out, Out::Nothing);
            let Out::Plain(out) = out else { return Err(ended()) };
            let film = gif::Film::begin(out, picture.size, colors, self.settings.is_film)?;
            self.out = Out::Gif(Box::new(film));
        }
        match &mut self.out {
            Out::Gif(film) => {
                let delay = if self.settings.is_film { delay } else { 0 };
                film.frame(pixels, delay.min(u64::from(u16::MAX)) as u16)
            }
            Out::Plain(out) if self.settings.format == Format::Y4m => {
                if self.frames == 0 {
                    y4m::begin(out, picture.size, rate(self.settings.fps))?;
                }
                y4m::frame(out, pixels, &mut self.planes)
            }
            Out::Plain(out) => pixels::write_png(picture, pixels, out),
            Out::Nothing => Err(ended()),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn finish(mut self) -> io::Result<()> {
        let passed =
            self.time(self.frames, 1000.0) - self.time(self.frames.saturating_sub(1), 1000.0);
        match core::mem::replace(&mut self.out, Out::Nothing) {
            Out::Plain(out) if self.settings.format == Format::Cast => cast::end(out, passed),
            Out::Plain(_) => Ok(()),
            Out::Gif(film) => film.finish(),
            Out::Nothing => Err(ended()),
        }
    }
}

/// Returns the bytes of a picture.
///
/// # Errors
/// Returns an error if the picture is too large.
pub fn still(format: Format, shown: Shown, title: &str) -> io::Result<Vec<u8>> {
    let settings = Settings {
        format,
        title: title.to_owned(),
        fps: 1.0,
        is_film: false,
        width: None,
        colors: Vec::new(),
        background: 0,
    };
    let mut bytes = Vec::new();
    let mut film = Film::begin(settings, &mut bytes);
    film.frame(shown)?;
    film.finish()?;
    Ok(bytes)
}

/// Returns frames per second as a fraction of whole numbers.
fn rate(fps: f64) -> [u64; 2] {
    let (mut frames, mut seconds) = ((fps * 1000.0).round().max(1.0) as u64, 1000);
    for factor in [2, 5] {
        while frames % factor == 0 && seconds % factor == 0 {
            (frames, seconds) = (frames / factor, seconds / factor);
        }
    }
    [frames, seconds]
}
