//! Conflicts between the starts of solid agents.

use std::collections::BTreeMap;

use crate::read::agent::{At, StartDraft};
use crate::text::diagnostic::Issues;
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::map::{Map, TILE_RADIUS};

use super::on_tiles;

/// The starts of solid agents, by tile.
#[derive(Debug, Default)]
pub struct Solid {
    by_tile: BTreeMap<TilePos, Vec<Standing>>,
    /// Largest radius of all bodies, in tiles.
    widest: f32,
    /// Whether some solid body is wider than a tile, so that bodies on different tiles can overlap.
    pub has_wide: bool,
}

#[derive(Debug, Clone, Copy)]
struct Standing {
    at: Vec2,
    radius: f32,
    on_tiles: bool,
}

#[derive(Debug, Clone, Copy)]
enum Conflict {
    Tile,
    Overlap,
}

impl Solid {
    pub fn new(drafts: &[StartDraft]) -> Self {
        let solid = drafts.iter().map(|draft| draft.kind.body).filter(|body| body.solid);
        let has_wide = solid.into_iter().any(|body| body.radius > TILE_RADIUS);
        Self { has_wide, ..Self::default() }
    }

    /// Records the start of a solid agent, and reports a conflict: two walkers on the same tile, or
    /// overlapping bodies.
    pub fn claim(&mut self, draft: StartDraft, tile: TilePos, map: &Map, issues: &Issues) {
        let Some(At::Here(point)) = draft.start.at else { return };
        let body = Standing::new(draft, if on_tiles(draft) { tile.centre() } else { point });
        let name = &draft.kind.name;
        let message = match self.conflict(&body, map) {
            Some(Conflict::Tile) => Some(format!(
                "`{name}` and another agent start on {tile}; solid agents can't share a tile"
            )),
            Some(Conflict::Overlap) => {
                Some(format!("`{name}` overlaps another solid agent at its start on {tile}"))
            }
            None if draft.kind.count > 1 => Some(format!(
                "all agents of `{name}` start on {tile}; solid agents can't share a tile"
            )),
            None => None,
        };
        if let Some(message) = message {
            issues.error(draft.start.span.clone(), message);
        }
        self.add(body);
    }

    /// Returns true if the agent overlaps no other solid agent at the centre of a tile. Agents that
    /// are not solid overlap nothing.
    pub fn has_room(&self, draft: StartDraft, tile: TilePos, map: &Map) -> bool {
        let is_alone = || self.conflict(&Standing::new(draft, tile.centre()), map).is_none();
        !self.has_wide || !draft.kind.body.solid || is_alone()
    }

    /// Records an agent at the centre of a tile if the agent is solid.
    pub fn take(&mut self, draft: StartDraft, tile: TilePos) {
        if self.has_wide && draft.kind.body.solid {
            self.add(Standing::new(draft, tile.centre()));
        }
    }

    fn add(&mut self, body: Standing) {
        self.widest = self.widest.max(body.radius);
        self.by_tile.entry(TilePos::containing(body.at)).or_default().push(body);
    }

    fn conflict(&self, body: &Standing, map: &Map) -> Option<Conflict> {
        let tile = TilePos::containing(body.at);
        let reach = (body.radius + self.widest).ceil().max(1.0) as i32;
        let around = (-reach..=reach).flat_map(|y| (-reach..=reach).map(move |x| (x, y)));
        let around = around.map(|(x, y)| tile + TilePos::new(x, y));
        let near = around.filter_map(|near| self.by_tile.get(&map.resolve(near)?)).flatten();
        near.fold(None, |taken, other| taken.or(body.conflict(other, map)))
    }
}

impl Standing {
    fn new(draft: StartDraft, at: Vec2) -> Self {
        Self { at, radius: draft.kind.body.radius, on_tiles: on_tiles(draft) }
    }

    fn conflict(&self, other: &Self, map: &Map) -> Option<Conflict> {
        let same_tile = TilePos::containing(self.at) == TilePos::containing(other.at);
        let distance = map.offset(self.at, other.at).length();
        if same_tile && self.on_tiles && other.on_tiles {
            Some(Conflict::Tile)
        } else if distance < self.radius + other.radius {
            Some(Conflict::Overlap)
        } else {
            None
        }
    }
}
