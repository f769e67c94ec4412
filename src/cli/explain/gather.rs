//! From two frames and the explanation of the step between them to what is printed.

mod target;

use crate::agent::{Choose, Drive, PatternUse};
use crate::event;
use crate::geom::{Notch, TilePos, Vec2, heading};
use crate::id::AgentId;
use crate::map::Refusal;
use crate::pattern::matrix::Candidates;
use crate::pattern::steps::{StepsState, Unit};
use crate::pattern::thrust::ThrustState;
use crate::pattern::{Pattern, StepsPattern, ThrustPattern};
use crate::steering::{self, Ledger, LedgerRow, RowState};
use crate::step::{self, Due, Explanation};
use crate::words;
use crate::world::{DriveState, Flags, Look, World};

use super::wire::{
    Attempt, Choice, Event, Explained, Leg, Matrix, Note, Obstacle, Obstruction, Pair, Part, Path,
    Row, Rule, Several, State, Steering, Steps, StepsRow, Thrust, Tile, Wish,
};

/// An agent on the way to a frame.
#[derive(Clone, Copy)]
pub(super) struct Moment<'a> {
    pub agent: AgentId,
    /// The frame before; none of frame 0.
    pub before: Option<&'a World>,
    pub now: &'a World,
    /// Why it moved; nothing at frame 0.
    pub why: Option<&'a Explanation>,
}

impl Moment<'_> {
    /// All of it.
    pub fn explained(&self, file: String) -> Explained {
        let (world, id) = (self.now, self.agent);
        let scenario = world.scenario();
        let mode = world.mode(id);
        let frames = world.frames_in_mode(id);
        let mine = world.events().iter().filter(|event| event.agent == id);
        Explained {
            file,
            title: scenario.title.clone(),
            frame: world.frame().0,
            time: world.time(),
            seed: scenario.seed,
            agent: scenario.name(id).to_string(),
            mode: mode.name.clone(),
            drive: mode.drive.word(),
            frames_in_mode: frames,
            time_in_mode: (f64::from(frames) * scenario.tick) as f32,
            before: self.before.map(|before| state(before, id)),
            now: state(world, id),
            max_speed: world.body(id).max_speed,
            flags: world.flags(id).words().collect(),
            touches: world.touches(id).map(tile),
            obstruction: world.obstruction(id).map(|reason| self.obstruction(reason)),
            rules: self.rules(),
            steering: self.steering(),
            pattern: self.pattern(),
            target: self.target(),
            events: mine
                .map(|event| Event { event: event.kind.word(), text: words::event(event, world) })
                .collect(),
        }
    }

    fn obstruction(&self, reason: event::Obstruction) -> Obstruction {
        use event::Obstruction::{Agent, Ground, NoRoute, NoWay};
        let (word, at) = match reason {
            Ground(Refusal::Edge) => ("edge", None),
            Ground(Refusal::Wall(at)) => ("wall", Some(at)),
            Ground(Refusal::Obstacle(at)) => ("obstacle", Some(at)),
            Ground(Refusal::Corner(at)) => ("corner", Some(at)),
            Agent(_) => ("agent", None),
            NoRoute => ("no route", None),
            NoWay => ("no way", None),
        };
        let scenario = self.now.scenario();
        let agent = match reason {
            Agent(id) => Some(scenario.name(id).to_string()),
            _ => None,
        };
        Obstruction {
            reason: word,
            tile: at.map(tile),
            agent,
            text: words::obstruction(reason, scenario),
        }
    }

    /// The rules that were tried on the frame before; at frame 0 those that will be tried next.
    fn rules(&self) -> Vec<Rule> {
        let (world, id) = (self.before.unwrap_or(self.now), self.agent);
        let modes = &world.kind(id).modes;
        let rules = world.mode(id).rules.iter().enumerate();
        let told = rules.map(|(index, rule)| {
            let look = Look { rule: index as u32, ..Look::at(world) };
            let (_, parts) = rule.when.parts();
            Rule {
                to: modes.get(usize::from(rule.to)).map_or("?", |mode| &mode.name).to_owned(),
                when: rule.when.text().to_owned(),
                holds: rule.when.holds(&look, Some(id)),
                parts: parts
                    .map(|part| Part {
                        text: part.text.to_owned(),
                        holds: part.holds(&look, Some(id)),
                        value: part.measured(&look, Some(id)),
                    })
                    .collect(),
            }
        });
        told.collect()
    }

    fn steering(&self) -> Option<Steering> {
        let combine = match &self.now.mode(self.agent).drive {
            Drive::Steer { combine, .. } => combine.word(),
            Drive::Keys { on_tiles: false } => steering::keys::KEYS,
            _ => return None,
        };
        let body = self.now.body(self.agent);
        let applied = wish(self.why.map_or(steering::Wish::NONE, |why| why.wish));
        let rows = self.why.map_or_else(Vec::new, |why| {
            let rows = why.ledger.rows.iter().enumerate();
            rows.map(|(index, row)| self.row(row, index, &why.ledger)).collect()
        });
        Some(Steering {
            combine,
            max_force: number(body.max_force),
            max_turn_accel: degrees(body.max_turn_accel),
            force: applied.force,
            turn: applied.turn,
            rows,
        })
    }

    fn row(&self, row: &LedgerRow, index: usize, ledger: &Ledger) -> Row {
        let dice = match row.state {
            RowState::DitheredOut { die, probability } => Some((die, probability)),
            _ => None,
        };
        let notes = ledger.notes.iter().filter(|(of, _)| *of == index);
        Row {
            behaviour: row.behaviour,
            raw: wish(row.raw),
            weight: row.weight,
            accepted: wish(row.accepted),
            state: row.state.words(),
            die: dice.map(|(die, _)| die),
            probability: dice.map(|(_, probability)| probability),
            total: wish(row.total),
            looked_at: notes.map(|(_, note)| self.note(note)).collect(),
        }
    }

    fn note(&self, note: &steering::Note) -> Note {
        use steering::Note as Seen;
        match *note {
            Seen::Target(at) => Note::Target { at: pair(at) },
            Seen::Predicted(at) => Note::Predicted { at: pair(at) },
            Seen::Facing(way) => Note::Facing { heading: heading::to_degrees(way) },
            Seen::HidingSpot { at, chosen } => Note::HidingSpot { at: pair(at), chosen },
            Seen::Segment { from, to } => Note::Segment { from: pair(from), to: pair(to) },
            Seen::Waypoint(at) => Note::Waypoint { at: pair(at) },
            Seen::Neighbourhood { radius, angle } => {
                Note::Neighbourhood { radius, angle: angle.map(degrees) }
            }
            Seen::Neighbour(id) => {
                Note::Neighbour { agent: self.now.scenario().name(id).to_string() }
            }
            Seen::Feeler { from, to, hit } => {
                Note::Feeler { from: pair(from), to: pair(to), hit: hit.map(pair) }
            }
            Seen::DetectionBox { from, to, half_width, hit } => Note::DetectionBox {
                from: pair(from),
                to: pair(to),
                half_width,
                hit: hit.map(|hit| Obstacle { at: pair(hit.centre), radius: hit.radius }),
            },
            Seen::WanderCircle { centre, radius, point } => {
                Note::WanderCircle { centre: pair(centre), radius, point: pair(point) }
            }
        }
    }

    fn pattern(&self) -> Option<super::wire::Pattern> {
        let (world, id) = (self.now, self.agent);
        let PatternUse { name, pattern, .. } = world.pattern_use(id)?;
        let (due_in, path, matrix, steps) = match (world.drive_state(id), pattern.as_ref()) {
            (DriveState::Path { walk, .. }, _) => (walk.due_in, self.path(), None, None),
            (DriveState::Matrix { walk, .. }, _) => (walk.due_in, None, self.matrix(), None),
            (DriveState::Steps { at, walk }, Pattern::Steps(steps)) => {
                (walk.due_in, None, None, Some(self.steps(steps, at)))
            }
            _ => (0, None, None, None),
        };
        let thrust = match (world.drive_state(id), pattern.as_ref()) {
            (DriveState::Thrust { at }, Pattern::Thrust(thrust)) => Some(self.thrust(thrust, at)),
            _ => None,
        };
        let attempt = self.why.and_then(|why| why.attempt);
        Some(super::wire::Pattern {
            kind: pattern.word(),
            name: name.to_owned(),
            several: self.several(),
            joining: world.flags(id).has(Flags::JOINING),
            finished: world.flags(id).has(Flags::FINISHED),
            due_in,
            attempt: attempt.map(|attempt| self.attempt(attempt)),
            path,
            matrix,
            steps,
            thrust,
        })
    }

    fn several(&self) -> Option<Several> {
        let Drive::Patterns { list, choose } = &self.now.mode(self.agent).drive else {
            return None;
        };
        let word = Choose::WORDS.into_iter().find(|(_, way)| way == choose);
        Some(Several {
            index: self.now.pick(self.agent),
            patterns: list.len(),
            choose: word.map_or("", |(word, _)| word),
        })
    }

    fn attempt(&self, attempt: step::Attempt) -> Attempt {
        let from = self.before.unwrap_or(self.now).tile(self.agent);
        Attempt {
            purpose: match attempt.due {
                Due::Pattern => "pattern",
                Due::Join => "join",
                Due::Keys => "keys",
                Due::Target => "target",
            },
            way: attempt.way.map(Notch::word),
            to: attempt.way.map(|way| self.on_map(from.neighbour(way))),
            refused: attempt.refused.map(|reason| self.obstruction(reason)),
        }
    }

    /// A tile, the way it is called on a map without edges.
    fn on_map(&self, at: TilePos) -> Tile {
        tile(self.now.scenario().map.resolve(at).unwrap_or(at))
    }

    fn path(&self) -> Option<Path> {
        let (Some((Pattern::Path(path), anchor)), DriveState::Path { at, .. }) =
            (self.now.pattern(self.agent), self.now.drive_state(self.agent))
        else {
            return None;
        };
        Some(Path {
            index: at.index,
            tiles: path.tiles().len(),
            segment: path.segment(at),
            segments: path.segments(),
            back: at.back,
            next: path.next(at).map(|next| self.on_map(anchor + path.tile(next))),
        })
    }

    fn matrix(&self) -> Option<Matrix> {
        let (Some((Pattern::Matrix(matrix), _)), DriveState::Matrix { at, .. }) =
            (self.now.pattern(self.agent), self.now.drive_state(self.agent))
        else {
            return None;
        };
        let here = self.now.tile(self.agent);
        let choice = self.why.and_then(|why| why.choice);
        let open = self.now.candidates(self.agent);
        Some(Matrix {
            tiles: matrix.tiles().len(),
            came_from: at.came_by.map(|way| self.on_map(here.neighbour(way.turned(4)))),
            choice: choice.map(|choice| Choice {
                candidates: choice.candidates().iter().map(|&way| way.word()).collect(),
                picked: choice.picked,
                dead_end: choice.dead_end,
            }),
            open: open.iter().flat_map(Candidates::ways).map(|&way| way.word()).collect(),
        })
    }

    fn steps(&self, steps: &StepsPattern, at: StepsState) -> Steps {
        let row = |at: StepsState| {
            steps.row(at).map(|row| StepsRow {
                index: at.row,
                text: words::steps_row(row, steps.unit),
                done: words::steps_done(steps.unit, row, at),
            })
        };
        let before = self.drive_before();
        let moved =
            steps.unit == Unit::Degrees || self.why.is_some_and(|why| why.attempt.is_some());
        let carried_out = match before.filter(|_| moved) {
            Some(DriveState::Steps { at, .. }) => row(at),
            _ => None,
        };
        let unit = match steps.unit {
            Unit::Notches => "notches",
            Unit::RightAngles => "right angles",
            Unit::Degrees => "degrees",
        };
        Steps { unit, rows: steps.rows.len(), carried_out, next: row(at) }
    }

    fn thrust(&self, pattern: &ThrustPattern, at: ThrustState) -> Thrust {
        let leg = |at: ThrustState| {
            pattern.leg(at).map(|leg| Leg {
                index: at.leg,
                text: words::thrust_leg(leg),
                moved: at.moved.length(),
                turned: number(at.turned),
                side_share: number(pattern.side_share(at)),
            })
        };
        let carried_out = match self.drive_before() {
            Some(DriveState::Thrust { at }) => leg(at),
            _ => None,
        };
        Thrust { legs: pattern.legs.len(), carried_out, next: leg(at) }
    }

    /// What the drive remembered before the step, unless the mode has changed.
    fn drive_before(&self) -> Option<DriveState> {
        let before = self.before?;
        let same = before.mode(self.agent).key == self.now.mode(self.agent).key;
        same.then(|| before.drive_state(self.agent))
    }
}

fn state(world: &World, id: AgentId) -> State {
    let motion = world.motion(id);
    let tile = world.tile(id);
    State {
        mode: world.mode(id).name.clone(),
        x: number(motion.position.x),
        y: number(motion.position.y),
        vx: number(motion.velocity.x),
        vy: number(motion.velocity.y),
        speed: motion.velocity.length(),
        heading: number(world.heading_degrees(id)),
        angular_velocity: degrees(motion.angular_velocity),
        tile_x: tile.x,
        tile_y: tile.y,
    }
}

/// A number as it is printed: 0 for −0.
fn number(value: f32) -> f32 {
    value + 0.0
}

fn degrees(radians: f32) -> f32 {
    number(radians.to_degrees())
}

fn pair(at: Vec2) -> Pair {
    [number(at.x), number(at.y)]
}

fn tile(at: TilePos) -> Tile {
    [at.x, at.y]
}

fn wish(wish: steering::Wish) -> Wish {
    Wish { force: pair(wish.force), turn: degrees(wish.turn) }
}
