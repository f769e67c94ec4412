//! Simulates a run, and writes a picture or a film of it.

use core::ops::ControlFlow;
use std::io::{self, Write};
use std::sync::Arc;

use crate::geom::Vec2;
use crate::history::Log;
use crate::history::breaks::Break;
use crate::runner::Frames;
use crate::scenario::Scenario;
use crate::world::{Look, World};

use super::Format;
use super::cells::Cells;
use super::film::{FASTEST_GIF, Film, Settings, Shown};
use super::scene::agents::Colors;
use super::scene::{Scene, View};
use super::style::Style;

/// The frames to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub from: u64,
    pub to: u64,
    /// Distance of frames.
    pub every: u64,
}

/// A run, and what to write of it.
#[derive(Debug)]
pub struct Job<'a> {
    pub scenario: Arc<Scenario>,
    /// The commands of the run.
    pub commands: Option<&'a Log>,
    pub range: Range,
    /// The run ends at the first frame in which this condition is true. For a picture, this is the frame to
    /// write.
    pub until: Option<&'a Break>,
    pub view: &'a View,
    pub format: Format,
    /// Frames per second; `None` for the speed of the simulation.
    pub fps: Option<f64>,
    /// Factor of the speed.
    pub speed: f64,
}

/// Returns the screen at a frame.
pub type Painter<'a> = dyn FnMut(u64) -> Cells + 'a;

/// Reasons why nothing can be written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The condition is never true, so there is no frame to write.
    #[error("the condition is never true; nothing was written")]
    NeverTrue,
    /// A message about the request.
    #[error("{0}")]
    Request(String),
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// The result of [`Job::write`].
#[derive(Debug)]
pub struct Written {
    /// Number of written frames.
    pub frames: u64,
    /// Whether the condition was true. `None` without a condition.
    pub until: Option<bool>,
}

impl<'a> Job<'a> {
    /// Returns the job that writes frame 0 of a scenario.
    pub fn of(scenario: Arc<Scenario>, view: &'a View, format: Format) -> Self {
        let range = Range { from: 0, to: 0, every: 1 };
        let (commands, until, fps, speed) = (None, None, None, 1.0);
        Self { scenario, commands, range, until, view, format, fps, speed }
    }

    /// Returns frames per second.
    fn fps(&self) -> f64 {
        let own = 1.0 / (self.scenario.tick() * self.range.every as f64);
        let fps = self.fps.unwrap_or(own) * self.speed;
        if self.format == Format::Gif && self.fps.is_none() { fps.min(FASTEST_GIF) } else { fps }
    }

    /// Returns how the file is written.
    pub fn settings(&self, scene: &Scene) -> Settings {
        let title = self.view.title.clone().unwrap_or_else(|| self.scenario.title().to_owned());
        Settings {
            format: self.format,
            title,
            fps: self.fps(),
            is_film: self.format.is_film() && self.range.from != self.range.to,
            width: self.view.width,
            colors: scene.extra_colors(),
            background: scene.background(),
        }
    }

    /// Simulates the run and writes its frames. With a `painter`, writes the screen instead of the map.
    ///
    /// # Errors
    /// Returns an error if the request is impossible or the output fails.
    pub fn write(
        &self,
        out: &mut dyn Write,
        mut painter: Option<&mut Painter>,
    ) -> Result<Written, RenderError> {
        let mut world = World::new(Arc::clone(&self.scenario));
        let mut scene = Scene::new(self.view.clone(), &world).map_err(RenderError::Request)?;
        let mut film = Film::begin(self.settings(&scene), out);
        let (mut until, mut frames) = (self.until.cloned(), 0);
        let run = Frames {
            last: self.range.to,
            keeps_previous: scene.needs_previous() || until.is_some(),
            commands: self.commands,
        };
        let ended = run.observe(&mut world, |look| {
            let holds = until.as_mut().is_some_and(|until| until.holds(look));
            scene.note(look.now);
            if self.is_shown(look.now.frame().0, holds) {
                let shown = match &mut painter {
                    Some(painter) => Shown::Cells(painter(look.now.frame().0)),
                    None => self.shown(&mut scene, look),
                };
                if let Err(error) = film.frame(shown) {
                    return ControlFlow::Break(Some(error));
                }
                frames += 1;
            }
            if holds { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
        });
        if let Some(Some(error)) = ended {
            return Err(error.into());
        }
        let until = self.until.map(|_| ended.is_some());
        if frames == 0 {
            return Err(RenderError::NeverTrue);
        }
        film.finish()?;
        Ok(Written { frames, until })
    }

    /// Returns whether a frame is written. `holds` is whether the condition is true.
    fn is_shown(&self, frame: u64, holds: bool) -> bool {
        let Range { from, to, every } = self.range;
        if self.until.is_some() && !self.format.is_film() {
            return holds;
        }
        let is_due = (from..=to).contains(&frame) && (frame - from).is_multiple_of(every);
        is_due || (holds && frame >= from)
    }

    fn shown(&self, scene: &mut Scene, look: &Look) -> Shown {
        if !self.format.is_text() {
            return Shown::Picture(scene.picture(look, self.commands));
        }
        let style = Style::of(self.view.theme);
        let scenario = look.now.scenario();
        let colors = Colors::of(scenario, self.view.by, style);
        let map = scenario.map();
        let whole = [Vec2::ZERO, Vec2::new(map.width() as f32, map.height() as f32)];
        let area = self.view.crop.map_or(whole, |[left, top, right, bottom]| {
            [Vec2::new(left, top).floor(), Vec2::new(right, bottom).ceil()]
        });
        Shown::Cells(Cells::of_map(look.now, area, &colors, &style))
    }
}
