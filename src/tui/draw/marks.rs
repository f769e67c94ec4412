//! What is laid over the map for the selected agent: its pattern, its choices, what it senses.

use crate::geom::{TilePos, Vec2, unit};
use crate::id::AgentId;
use crate::map::Map;
use crate::pattern::Pattern;
use crate::pattern::matrix::Candidates;
use crate::steering::Note;
use crate::tui::camera::View;
use crate::tui::session::Session;
use crate::world::{DriveState, Flags};

/// What a mark stands for; later ones are laid over earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A tile of its pattern.
    Pattern,
    /// The tile it came from.
    CameFrom,
    /// A tile the next choice may lead to.
    Candidate,
    /// The tile it steps to next.
    Next,
    /// A piece of the outline of the detection box.
    Box,
    /// The same, with an obstacle in the box.
    BoxHit,
    /// A piece of a feeler.
    Feeler,
    /// Where a feeler met something, or the obstacle that is avoided.
    Hit,
    /// The point wander pulls to.
    Wander,
    /// What steering is about.
    Target,
}

/// Steps a tile between two pieces of a feeler or an outline.
const PIECES: f32 = 2.0;

/// Calls `put` with every mark of the selected agent and its place, in tiles.
pub fn visit(session: &Session, view: &View, put: &mut impl FnMut(Vec2, Mark)) {
    let Some(id) = session.selected() else { return };
    let world = session.world();
    if let Some((pattern, anchor)) = world.pattern(id) {
        pattern_tiles(&world.scenario().map, pattern, anchor, view, put);
        drive(session, id, pattern, anchor, put);
    }
    if let Some(explanation) = session.explanation() {
        for (_, note) in &explanation.ledger.notes {
            sensed(&world.scenario().map, note, put);
        }
    }
}

/// The tiles of a pattern that are in view, by the shorter way: all its tiles, or all in view.
fn pattern_tiles(
    map: &Map,
    pattern: &Pattern,
    anchor: TilePos,
    view: &View,
    put: &mut impl FnMut(Vec2, Mark),
) {
    let tiles = match pattern {
        Pattern::Path(path) => path.tiles(),
        Pattern::Matrix(matrix) => matrix.tiles(),
        Pattern::Steps(_) => return,
    };
    let mut mark = |tile: TilePos| put(tile.centre(), Mark::Pattern);
    if tiles.len() <= (view.columns() * view.rows()) as usize {
        tiles.iter().filter_map(|&tile| map.resolve(anchor + tile)).for_each(&mut mark);
        return;
    }
    for y in 0..view.rows() {
        for x in 0..view.columns() {
            let tile = view.origin + TilePos::new(x, y);
            if pattern.rank_on(map, anchor, tile).is_some() {
                mark(tile);
            }
        }
    }
}

/// Where the pattern leads next, and whence it came.
fn drive(
    session: &Session,
    id: AgentId,
    pattern: &Pattern,
    anchor: TilePos,
    put: &mut impl FnMut(Vec2, Mark),
) {
    let world = session.world();
    let map = &world.scenario().map;
    let mut mark = |tile: TilePos, mark| {
        if let Some(tile) = map.resolve(tile) {
            put(tile.centre(), mark);
        }
    };
    if world.flags(id).has(Flags::JOINING) || world.flags(id).has(Flags::FINISHED) {
        return;
    }
    match (world.drive_state(id), pattern) {
        (DriveState::Path { at, .. }, Pattern::Path(path)) => {
            if let Some(next) = path.next(at) {
                mark(anchor + path.tile(next), Mark::Next);
            }
        }
        (DriveState::Matrix { at, .. }, Pattern::Matrix(_)) => {
            let here = world.tile(id);
            if let Some(way) = at.came_by {
                mark(here.neighbour(way.turned(4)), Mark::CameFrom);
            }
            for &way in world.candidates(id).iter().flat_map(Candidates::ways) {
                mark(here.neighbour(way), Mark::Candidate);
            }
            if let Some(way) = session.coming().and_then(|choice| choice.taken()) {
                mark(here.neighbour(way), Mark::Next);
            }
        }
        _ => {}
    }
}

fn sensed(map: &Map, note: &Note, put: &mut impl FnMut(Vec2, Mark)) {
    match *note {
        Note::Target(at)
        | Note::Predicted(at)
        | Note::Waypoint(at)
        | Note::HidingSpot { at, .. } => put(map.wrap(at), Mark::Target),
        Note::Segment { .. }
        | Note::Facing(_)
        | Note::Neighbourhood { .. }
        | Note::Neighbour(_) => {}
        Note::WanderCircle { point, .. } => put(map.wrap(point), Mark::Wander),
        Note::Feeler { from, to, hit } => {
            line(map, from, to, Mark::Feeler, put);
            if let Some(hit) = hit {
                put(map.wrap(hit), Mark::Hit);
            }
        }
        Note::DetectionBox { from, to, half_width, hit } => {
            let mark = if hit.is_some() { Mark::BoxHit } else { Mark::Box };
            let side = unit((to - from).perp()) * half_width;
            let corners = [from - side, to - side, to + side, from + side];
            for (corner, next) in corners.into_iter().zip(corners.into_iter().skip(1)) {
                line(map, corner, next, mark, put);
            }
            if let Some(obstacle) = hit {
                put(map.wrap(obstacle.centre), Mark::Hit);
            }
        }
    }
}

/// The pieces of a straight line, without its beginning.
fn line(map: &Map, from: Vec2, to: Vec2, mark: Mark, put: &mut impl FnMut(Vec2, Mark)) {
    let pieces = ((to - from).length() * PIECES).ceil().clamp(1.0, 64.0);
    for piece in 1..=pieces as u32 {
        put(map.wrap(from.lerp(to, piece as f32 / pieces)), mark);
    }
}
