//! Runs patterns on tiles, and moves bodies to the centre of their tile. Each due step of a pattern
//! is taken or refused.
//!
//! A body moves to the centre of its tile after a change from free motion to motion on tiles. It
//! moves at the speed of its steps, one tile per pace. It arrives before its first step is due,
//! because no point of a tile is farther from the centre than one tile.
//!
//! If a wall blocks the path to the centre, the body moves to the nearest reachable centre of an
//! adjacent tile. Its drive restarts there. If no such centre is reachable, the body waits.

use crate::agent::{Drive, SignalSource};
use crate::event::{EventKind, Obstruction};
use crate::geom::{Direction, TilePos, Vec2, unit};
use crate::id::AgentId;
use crate::map::StepError;
use crate::map::route::NextStep;
use crate::pattern::matrix::{DeadEnd, MatrixState};
use crate::pattern::path::PathState;
use crate::pattern::steps::{StepsRow, StepsState, Unit};
use crate::pattern::{MatrixPattern, PathPattern, StepsPattern};
use crate::rng::Use;
use crate::step::contact::occupy_tile;
use crate::step::observer::{Due, Observer};
use crate::world::{DriveState, Flags, StepTimer, World};

/// Options of a step on tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WalkManner {
    /// Duration of the step, in frames.
    pub pace: u32,
    /// Whether the body turns to face the direction of the step.
    pub faces: bool,
    /// Whether the corner rules of routes apply instead of the corner rules of patterns.
    pub routed: bool,
}

/// Takes the next step of a path pattern if the step is due.
pub(super) fn path(
    world: &mut World,
    id: AgentId,
    path: &PathPattern,
    at: PathState,
    pace: u32,
    observer: &mut impl Observer,
) {
    let Some(due) = due(world, id, observer) else { return };
    let mut next = at;
    let mut dwell = 0;
    let mut walked = false;
    if due == Due::Join {
        // A resumed path continues at the point where it stopped. Otherwise the path starts at the
        // tile where the agent joined it.
        let goes_on = world.left_on(id).is_some();
        if let Some(rank) = join(world, id, pace, observer)
            && !goes_on
        {
            next = PathState { index: rank as u32, back: false };
        }
    } else if let Some(ahead) = path.next(at) {
        let goal = placed(world, id, path.tile(ahead));
        if step_to(world, id, goal, pace, observer) {
            next = ahead;
            dwell = path.dwell(ahead);
            // In a list, a path ends after one pass. From the path's last tile, the pass goes
            // backwards.
            walked = path.is_walked(next) && is_one_of_several(world, id);
        }
    }
    let timer = StepTimer { due_in: pace + dwell };
    world.state.drive[id.index()] = DriveState::Path { at: next, timer };
    if (walked || path.next(next).is_none()) && !world.flags(id).has(Flags::JOINING) {
        end(world, id, dwell);
    }
}

/// Takes the next random step of a matrix pattern if the step is due.
pub(super) fn matrix(
    world: &mut World,
    id: AgentId,
    matrix: &MatrixPattern,
    at: MatrixState,
    pace: u32,
    observer: &mut impl Observer,
) {
    let Some(due) = due(world, id, observer) else { return };
    let (mut next, mut ended) = (at, false);
    if due == Due::Join {
        join(world, id, pace, observer);
    } else {
        let here = world.tile(id);
        let random = world.rng_key(id, world.mode(id)).stream(Use::Matrix);
        let choice = matrix.choose(at, here, |direction| target(world, id, direction), random);
        observer.choice(id, choice);
        if choice.dead_end && !world.flags(id).has(Flags::BLOCKED) {
            world.report(id, EventKind::DeadEnd);
        }
        match choice.taken() {
            Some(direction) => {
                if step(
                    world,
                    id,
                    direction,
                    WalkManner { pace, faces: true, routed: false },
                    observer,
                ) {
                    next = MatrixState { came_by: Some(direction) };
                }
            }
            None if matrix.dead_end() == DeadEnd::Stay => ended = true,
            None => refuse(world, id, Obstruction::NoWay),
        }
    }
    world.state.drive[id.index()] =
        DriveState::Matrix { at: next, timer: StepTimer { due_in: pace } };
    if ended {
        world.state.set_velocity(id.index(), Vec2::ZERO);
        end(world, id, 0);
    }
}

/// Takes the next step of a steps pattern on tiles if the step is due.
pub(super) fn steps(
    world: &mut World,
    id: AgentId,
    steps: &StepsPattern,
    mut at: StepsState,
    observer: &mut impl Observer,
) {
    if due(world, id, observer).is_none() {
        return;
    }
    let mut ended = false;
    if let Some(row) = steps.row(at) {
        begin_row(world, id, row, steps.unit, &mut at);
        if row.forward == 0.0 {
            world.state.set_velocity(id.index(), Vec2::ZERO);
            at.done += 1;
        } else if step_along(world, id, row.forward, at.pace, observer) {
            at.done += 1;
        }
        if at.done >= row.paces() {
            ended = is_over(world, id, steps, at);
            at = steps.next_row(at);
        }
    }
    let timer = StepTimer { due_in: at.pace };
    world.state.drive[id.index()] = DriveState::Steps { at, timer };
    if ended {
        end(world, id, 0);
    }
}

/// Returns true if the agent's mode has a list of patterns.
pub(super) fn is_one_of_several(world: &World, id: AgentId) -> bool {
    matches!(world.mode(id).drive, Drive::Patterns { .. })
}

/// Returns true if a steps pattern ends after the current row. A pattern in a list does not repeat.
pub(super) fn is_over(world: &World, id: AgentId, steps: &StepsPattern, at: StepsState) -> bool {
    (is_one_of_several(world, id) || !steps.repeat) && at.row as usize + 1 >= steps.rows.len()
}

/// Turns the agent and sends the row's signal. Does nothing if the row has already begun.
fn begin_row(world: &mut World, id: AgentId, row: &StepsRow, unit: Unit, at: &mut StepsState) {
    if core::mem::replace(&mut at.begun, true) {
        return;
    }
    let straight = unit == Unit::RightAngles;
    let eighths = row.turn as i32 * if straight { 2 } else { 1 };
    let heading = Direction::nearest(world.heading(id), straight).turned(eighths);
    world.state.set_heading(id.index(), heading.vector());
    if row.signal.is_some() {
        let source = SignalSource::Row { pick: world.pick(id), row: at.row };
        world.report(id, EventKind::Signal(source));
    }
}

/// Takes a step along the heading, or in the opposite direction if `forward` is negative. Returns
/// false if the step is refused.
fn step_along(
    world: &mut World,
    id: AgentId,
    forward: f32,
    pace: u32,
    observer: &mut impl Observer,
) -> bool {
    let ahead = Direction::nearest(world.heading(id), false);
    let direction = if forward < 0.0 { ahead.turned(4) } else { ahead };
    step(world, id, direction, WalkManner { pace, faces: false, routed: false }, observer)
}

/// Returns the purpose of the due step. If no step is due or the pattern has ended, counts down the
/// step timer and returns `None`.
pub(super) fn due(world: &mut World, id: AgentId, observer: &mut impl Observer) -> Option<Due> {
    let flags = world.flags(id);
    let drive = &mut world.state.drive[id.index()];
    if let Some(timer) = drive.timer_mut()
        && (timer.due_in > 1 || flags.has(Flags::FINISHED))
    {
        timer.due_in = timer.due_in.saturating_sub(1).max(1);
        return None;
    }
    let has_target = matches!(
        drive,
        DriveState::Chase { .. } | DriveState::FleeTiles { .. } | DriveState::Travel { .. }
    );
    let due = if has_target {
        Due::Target
    } else if flags.has(Flags::JOINING) {
        Due::Join
    } else {
        Due::Pattern
    };
    observer.due(id, due);
    Some(due)
}

/// Converts a tile of the agent's pattern to a tile of the map.
fn placed(world: &World, id: AgentId, tile: TilePos) -> TilePos {
    let anchor = world.pattern(id).map_or(TilePos::default(), |(_, anchor)| anchor);
    anchor + tile
}

/// Takes a step towards the nearest tile of the pattern. If the agent joins the pattern, returns
/// the rank of the reached tile in the pattern. Otherwise returns `None`.
fn join(world: &mut World, id: AgentId, pace: u32, observer: &mut impl Observer) -> Option<usize> {
    match world.route_to_pattern(id) {
        None => {
            refuse(world, id, Obstruction::NoRoute);
            return None;
        }
        Some(NextStep::Step(direction)) => {
            if !step(world, id, direction, WalkManner { pace, faces: true, routed: true }, observer)
            {
                return None;
            }
        }
        Some(NextStep::Here) => {}
    }
    let (pattern, anchor) = world.pattern(id)?;
    let here = world.tile(id);
    let rank = pattern.rank_on(&world.scenario().map, anchor, here)?;
    if world.left_on(id).is_some_and(|tile| tile != here) {
        return None;
    }
    world.drop_saved(id);
    world.state.flags[id.index()].set(Flags::JOINING, false);
    world.report(id, EventKind::Joined);
    Some(rank)
}

/// Takes a step to `goal`, a neighbouring tile of the pattern. Returns false if the step is
/// refused.
fn step_to(
    world: &mut World,
    id: AgentId,
    goal: TilePos,
    pace: u32,
    observer: &mut impl Observer,
) -> bool {
    let map = &world.scenario().map;
    if map.resolve(goal) == Some(world.tile(id)) {
        // On a map that wraps and is one tile wide, a step can end on the same tile.
        world.state.set_velocity(id.index(), Vec2::ZERO);
        return true;
    }
    let Some(direction) = map.direction_between(world.tile(id), goal) else {
        refuse(world, id, Obstruction::NoWay);
        return false;
    };
    step(world, id, direction, WalkManner { pace, faces: true, routed: false }, observer)
}

/// Returns the neighbouring tile of a matrix walker in a direction. The bool is true if the walker
/// can enter that tile now.
fn target(world: &World, id: AgentId, direction: Direction) -> (TilePos, bool) {
    let (to, belongs) = world.target_in_pattern(id, direction);
    (to, belongs && open_tile(world, id, direction, false).is_ok())
}

/// Takes a step on tiles. Returns false if the step is refused. The agent then stops and is
/// blocked.
pub(super) fn step(
    world: &mut World,
    id: AgentId,
    direction: Direction,
    manner: WalkManner,
    observer: &mut impl Observer,
) -> bool {
    observer.direction(id, direction);
    let from = world.tile(id);
    let to = match open_tile(world, id, direction, manner.routed) {
        Ok(to) => to,
        Err(reason) => {
            refuse(world, id, reason);
            return false;
        }
    };
    let index = id.index();
    let seconds = manner.pace as f32 * world.scenario().dt();
    let step = direction.step();
    let velocity = Vec2::new(step.x as f32, step.y as f32) / seconds;
    world.state.set_position(index, to.centre());
    world.state.set_velocity(index, velocity);
    if manner.faces {
        world.state.set_heading(index, direction.vector());
    }
    if world.body(id).solid {
        world.occupancy.moved(id, from, to);
    }
    note_free(world, id);
    true
}

/// Returns the neighbouring tile in a direction, if the agent can enter it now.
///
/// # Errors
/// Returns the obstruction if the terrain or a solid agent prevents the step.
pub(super) fn open_tile(
    world: &World,
    id: AgentId,
    direction: Direction,
    routed: bool,
) -> Result<TilePos, Obstruction> {
    let map = &world.scenario().map;
    let (from, position) = (world.tile(id), world.position(id));
    let to = map.step(from, direction, routed).map_err(Obstruction::Ground)?;
    // A body that is not at the centre yet can be on another side of a wall than the centre.
    if position != from.centre()
        && let Some(wall) = map.wall_barring_way(position, map.offset(position, to.centre()))
    {
        return Err(Obstruction::Ground(StepError::FreeWall(to, wall)));
    }
    match world.occupancy.occupant(to, id).or_else(|| wide_body_near(world, id, to)) {
        None => Ok(to),
        Some(holder) => Err(Obstruction::Agent(holder)),
    }
}

/// Returns the first wide solid body that blocks a step to `tile`. A body is wide if it is wider
/// than a tile. It blocks the step if the walker would overlap the body on `tile` and would be
/// nearer to it than before.
fn wide_body_near(world: &World, id: AgentId, tile: TilePos) -> Option<AgentId> {
    let map = &world.scenario().map;
    let is_near = |&other: &AgentId| {
        let at = world.position(other);
        let distance = |from: Vec2| map.offset(from, at).length();
        let reach = world.body(other).radius + world.body(id).radius;
        let after = distance(tile.centre());
        after < reach && after < distance(world.position(id))
    };
    let others = world.occupancy.wide().iter().copied();
    let mut others = others.filter(|&other| other != id && world.is_present(other));
    others.find(is_near)
}

/// Refuses a step: stops the agent and stores the reason.
pub(super) fn refuse(world: &mut World, id: AgentId, reason: Obstruction) {
    world.state.set_velocity(id.index(), Vec2::ZERO);
    note_refusal(world, id, reason);
}

/// Marks the agent as blocked and stores the reason. Reports the reason if the agent was not
/// blocked before.
pub(super) fn note_refusal(world: &mut World, id: AgentId, reason: Obstruction) {
    let index = id.index();
    let began = !world.flags(id).has(Flags::BLOCKED);
    world.state.flags[index].set(Flags::BLOCKED, true);
    world.state.obstruction[index] = Some(reason);
    if began {
        world.report(id, EventKind::Blocked(reason));
    }
}

pub(super) fn note_free(world: &mut World, id: AgentId) {
    world.state.flags[id.index()].set(Flags::BLOCKED, false);
    world.state.obstruction[id.index()] = None;
}

/// Ends a pattern. If the mode has a list of patterns, starts the next one after `wait` frames.
/// Otherwise stops the agent and marks its mode as finished.
pub(super) fn end(world: &mut World, id: AgentId, wait: u32) {
    if world.next_pattern(id, wait) {
        return;
    }
    world.state.set_velocity(id.index(), Vec2::ZERO);
    world.state.flags[id.index()].set(Flags::FINISHED, true);
    world.report(id, EventKind::Finished);
}

/// Moves a body on tiles towards the centre of its tile. If an obstacle closes the tile, the body
/// waits for its first step instead. Does nothing if the body moves freely.
#[inline]
pub(super) fn approach(world: &mut World, id: AgentId, pace: u32) {
    if world.position(id) != world.tile(id).centre() {
        approach_from_side(world, id, pace);
    }
}

/// Moves a body towards the centre of its tile if it is not there. This is rare on tiles.
fn approach_from_side(world: &mut World, id: AgentId, pace: u32) {
    if !world.is_on_tiles(id) {
        return;
    }
    let (position, from) = (world.position(id), world.tile(id));
    let Some((goal, offset)) = goal(world, position, from, id) else { return };
    let distance = 1.0 / pace as f32;
    let arrives = offset.length() <= distance;
    let (to, velocity) = if arrives {
        (goal.centre(), Vec2::ZERO)
    } else {
        let moved = unit(offset) * distance;
        (world.scenario().map.wrap(position + moved), moved / world.scenario().dt())
    };
    world.state.set_position(id.index(), to);
    world.state.set_velocity(id.index(), velocity);
    if world.tile(id) != from {
        occupy_tile(world, id, from);
        world.restart_drive(id, pace);
    }
}

/// Returns the tile whose centre the body can move to, and the vector to the centre in tiles.
/// Returns `None` if no centre is reachable.
fn goal(world: &World, position: Vec2, own: TilePos, id: AgentId) -> Option<(TilePos, Vec2)> {
    let map = &world.scenario().map;
    let offset = own.centre() - position;
    match map.refusal(own) {
        Some(StepError::FreeWall(..)) => {}
        Some(_) => return None,
        None if map.wall_barring_way(position, offset).is_none() => return Some((own, offset)),
        None => {}
    }
    let mut nearest: Option<(TilePos, Vec2)> = None;
    // On the way to a diagonal tile, a body can pass either of the tiles beside it.
    let passes = |direction: &Direction| {
        let TilePos { x, y } = direction.step();
        [TilePos::new(x, 0), TilePos::new(0, y)].iter().all(|&by| !map.is_solid(own + by))
    };
    let directions = Direction::ALL.into_iter().filter(passes);
    for tile in directions.filter_map(|direction| map.resolve(own.neighbour(direction))) {
        let offset = map.offset(position, tile.centre());
        let is_free = map.is_open(tile)
            && world.occupancy.occupant(tile, id).is_none()
            && map.wall_barring_way(position, offset).is_none();
        if is_free && nearest.is_none_or(|(_, least)| offset.length() < least.length()) {
            nearest = Some((tile, offset));
        }
    }
    nearest
}
