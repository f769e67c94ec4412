//! Finds the location of a pattern file's tiles on the map.

use crate::debugger::Session;
use crate::files::write::edit::{matrix_pattern, path_pattern};
use crate::geom::LineKind;
use crate::geom::TilePos;
use crate::id::AgentId;

use super::{Drawing, Matrix};

impl Session {
    /// Returns the name of the selected agent's pattern of a kind such as `path` or `matrix`.
    /// Prefers the pattern that the agent currently follows. Returns `None` without such a pattern.
    pub fn pattern_of_selected(&self, word: &str) -> Option<String> {
        let id = self.selected()?;
        let walked = self.world().pattern_use(id);
        let kind = self.scenario().kind(id);
        let others = kind.modes.iter().flat_map(|mode| mode.drive.patterns());
        let mut all = walked.into_iter().chain(others);
        all.find(|used| used.pattern.word() == word).map(|used| used.name.clone())
    }

    /// Returns the offset from a pattern file's coordinates to map coordinates.
    ///
    /// The offset is zero if `absolute` is true or no agent uses the pattern. Otherwise it depends
    /// on an agent that uses the pattern, preferably the selected agent.
    fn shift(&self, name: &str, absolute: bool, anchor: TilePos) -> TilePos {
        if absolute {
            return TilePos::default();
        }
        let scenario = self.scenario();
        let kinds = scenario.kinds().iter().map(|kind| kind.first);
        let mut ids = self.selected().into_iter().chain(kinds);
        let placed = ids.find_map(|id: AgentId| {
            let modes = &scenario.kind(id).modes;
            let mut used = modes.iter().flat_map(|mode| mode.drive.patterns());
            let used = used.find(|used| used.name == name)?;
            Some(used.placement.anchor(TilePos::containing(self.world().home(id))))
        });
        placed.map_or(TilePos::default(), |placed| placed - anchor)
    }

    /// Starts to draw a path: a new version of the pattern `name`, or a new pattern.
    ///
    /// # Errors
    /// Returns a one-line message for the user if the path can't be drawn.
    pub fn drawing(&self, name: &str) -> Result<Drawing, String> {
        path_pattern::check_name(name)?;
        let files = self.draft().files();
        let place = crate::scenario::sources::FileRole::Pattern(name.to_owned());
        let name = name.to_owned();
        let (warned, closed) = (false, false);
        if files.file(&place).is_none() {
            let (shift, line) = (TilePos::default(), LineKind::Standard);
            let vertices = Vec::new();
            return Ok(Drawing {
                name,
                is_new: true,
                shift,
                line,
                vertices,
                fixed: 0,
                closed,
                warned,
            });
        }
        let route = path_pattern::read(&name, files)?;
        let first = route.vertices.first().copied().unwrap_or_default();
        let shift = self.shift(&name, route.absolute, first);
        // A relative pattern is placed by its first vertex, so that vertex stays fixed.
        let vertices = if route.absolute { Vec::new() } else { vec![first + shift] };
        let (fixed, line, closed) = (vertices.len(), route.line, route.closed);
        Ok(Drawing { name, is_new: false, shift, line, vertices, fixed, closed, warned })
    }

    /// Reads a matrix pattern for painting.
    ///
    /// # Errors
    /// Returns a one-line message for the user if the matrix can't be painted.
    pub fn matrix(&self, name: &str) -> Result<Matrix, String> {
        let cells = matrix_pattern::read(name, self.draft().files())?;
        let shift = self.shift(name, cells.absolute, cells.anchor);
        Ok(Matrix { name: name.to_owned(), shift, cells })
    }
}
