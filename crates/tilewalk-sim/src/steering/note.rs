//! The reports of steering: notes and the force breakdown.
//!
//! A note is a fact that a behaviour sensed, for overlays and explanations. A kind of note is
//! declared only in this file: its data, the shapes that its overlay draws, and its fields and
//! texts in reports. Reports and the screen treat all kinds of notes alike.
//!
//! The force breakdown contains the output of each behaviour, and the accepted part of the output.
//!
//! Steering reports to a `Probe`. A running world uses `NoProbe`, which costs nothing; explaining a
//! frame runs the same code with a [`ForceBreakdown`].

use crate::body::Motion;
use crate::geom::heading::to_degrees;
use crate::geom::vector::{point_text, rotate_by};
use crate::geom::{Direction, TilePos, Vec2, unit};
use crate::id::AgentId;
use crate::map::{FaceOwner, Obstacle, WallId};
use crate::steering::{CellBlock, HalfPlane, PlaneOwner, SteeringOutput, Target};

/// Radius of the circle drawn around each agent that a neighbour search found, in tiles.
const CANDIDATE: f32 = 0.7;

/// Length of the line that shows a desired heading, in tiles.
const FACING: f32 = 1.5;

/// Time in seconds after which a drawn velocity would reach its end. The overlay of the agent's own
/// velocity uses the same time.
const AHEAD: f32 = 0.5;

/// Half the length of the line that shows the boundary of a half-plane, in tiles.
const BOUNDARY: f32 = 1.0;

/// Length of the line that points into a half-plane, in tiles.
const INTO: f32 = 0.3;

const SOLID: Pen = Pen { dash: Dash::Solid, is_hit: false };
const HIT: Pen = Pen { dash: Dash::Solid, is_hit: true };
const DOTTED: Pen = Pen { dash: Dash::Dotted, is_hit: false };

/// A fact that a behaviour sensed. Positions are in tiles, not wrapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note {
    /// Position of the behaviour's target, in tiles.
    Target(Vec2),
    /// The target does not exist, such as an agent that has left the world.
    Absent(Target),
    /// A member of the target group that contributes to the output.
    Member {
        /// Id of the member.
        agent: AgentId,
        /// Factor of the member's contribution, above 0. The nearest member has factor 1.
        weight: f32,
    },
    /// The predicted position of the agent, the target, or a nearby agent, in tiles.
    Predicted(Vec2),
    /// The desired heading, as a unit vector.
    Facing(Vec2),
    /// A spot behind an obstacle, out of the hunter's sight.
    HidingSpot {
        /// Position of the hiding spot, in tiles.
        at: Vec2,
        /// Distance from the agent to the spot, in tiles. The nearest spot is chosen.
        distance: f32,
        /// Whether the agent moves to the spot.
        chosen: bool,
    },
    /// A segment of the path that the agent follows or stays on.
    Segment {
        /// Start of the segment, in tiles.
        from: Vec2,
        /// End of the segment, in tiles.
        to: Vec2,
    },
    /// The point of a path that the agent currently moves to, in tiles.
    Waypoint(Vec2),
    /// The paths of the flow field leave room for the whole body.
    Clearance {
        /// Radius of the body, in tiles.
        radius: f32,
    },
    /// The area in which neighbours count: a circle or a sector.
    Neighbourhood {
        /// Radius around the agent, in tiles.
        radius: f32,
        /// Full angle of the sector around the heading, in radians; `None` for a circle.
        angle: Option<f32>,
    },
    /// A neighbour that contributes to the output.
    Neighbour(AgentId),
    /// A block of cells that the search for neighbours visited.
    Cells(CellBlock),
    /// An agent in the cells that the search for neighbours visited.
    Candidate {
        /// Id of the agent that the search found.
        agent: AgentId,
        /// Position of the agent, in tiles.
        at: Vec2,
        /// Whether the agent is in the behaviour's neighbourhood.
        is_neighbour: bool,
    },
    /// A ray that detects walls.
    Feeler {
        /// Position of the body, where the feeler starts, in tiles.
        from: Vec2,
        /// Position of the feeler's tip, in tiles.
        to: Vec2,
        /// Position of the nearest hit, in tiles; `None` if the feeler hits no wall.
        hit: Option<Vec2>,
        /// The free wall that the feeler hits; `None` if the feeler hits a tile or nothing.
        wall: Option<WallId>,
    },
    /// The area in which obstacles are detected.
    DetectionBox {
        /// Centre of the near end of the box, in tiles: the position of the agent.
        from: Vec2,
        /// Centre of the far end of the box, in tiles.
        to: Vec2,
        /// Half the width of the box, in tiles.
        half_width: f32,
        /// The obstacle that is avoided; `None` if the box is free.
        hit: Option<Obstacle>,
    },
    /// The velocity in tiles/s that the other behaviours of the list lead to.
    PreferredVelocity(Vec2),
    /// A half-plane of permitted velocities that determines the agent's new velocity.
    HalfPlane {
        /// The agent, wall or obstacle that is avoided.
        owner: PlaneOwner,
        /// The half-plane, in tiles/s.
        plane: HalfPlane,
        /// Whether the new velocity is outside the half-plane, because no velocity is in all
        /// half-planes.
        relaxed: bool,
    },
    /// The circle of the behaviour `wander`, and the wander point on the circle.
    WanderCircle {
        /// Centre of the wander circle, in tiles.
        centre: Vec2,
        /// Radius of the wander circle, in tiles.
        radius: f32,
        /// Position of the wander point, which attracts the agent, in tiles.
        point: Vec2,
    },
}

/// A switchable layer of the map screen that shows notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the screen's table of overlays describes each overlay")]
pub enum NoteOverlay {
    Targets,
    Predicted,
    HidingSpots,
    Path,
    Neighbours,
    Cells,
    Feelers,
    DetectionBox,
    HalfPlanes,
    Wander,
}

/// A shape on the map. Positions are in tiles, not wrapped.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names of the fields describe them")]
pub enum Primitive {
    /// A symbol at a point.
    Sign { at: Vec2, sign: Sign },
    /// A straight line.
    Line { from: Vec2, to: Vec2, pen: Pen },
    /// A circle; the radius is in tiles.
    Circle { centre: Vec2, radius: f32, pen: Pen },
    /// An arc that starts at `centre + from`. The arc extends clockwise by `angle`, in radians.
    Arc { centre: Vec2, from: Vec2, angle: f32, pen: Pen },
    /// A highlight of the agent with this id.
    Agent(AgentId),
}

/// A symbol on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A target. If an agent is on the target's tile, the symbol is drawn beside the agent.
    Target,
    /// A predicted position.
    Predicted,
    /// An arrow in a direction.
    Arrow(Direction),
    /// A possible hiding spot, drawn dim.
    HidingSpot,
    /// The hiding spot that the agent moves to.
    ChosenHidingSpot,
    /// A distance in whole tiles, drawn to the right of a symbol at the same point.
    Distance(u32),
    /// The current point of a path.
    Waypoint,
    /// A point of contact, or an obstacle ahead, in the colour of collisions.
    Hit,
    /// The point on the wander circle that a wandering agent seeks.
    Wander,
}

/// The line style of a stroke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    /// A solid line.
    Solid,
    /// A dashed line: two dots on, two dots off.
    Dashed,
    /// A dotted line: every second dot.
    Dotted,
}

/// The line style and colour of a shape. The colour is the overlay's colour or the collision
/// colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pen {
    /// Whether the line is solid, dashed or dotted.
    pub dash: Dash,
    /// Whether the shape has the collision colour instead of the overlay's colour.
    pub is_hit: bool,
}

impl Note {
    /// Returns the overlay that shows the note, and the shapes of the note in drawing order.
    /// `agent` is the motion of the agent at the previous frame.
    pub fn drawing(&self, agent: Motion) -> (NoteOverlay, Vec<Primitive>) {
        use NoteOverlay as Overlay;
        use Primitive::{Circle, Line};
        let here = agent.position;
        let sign = |at, sign| Primitive::Sign { at, sign };
        match *self {
            Self::Target(at) => (Overlay::Targets, vec![sign(at, Sign::Target)]),
            Self::Absent(_) => (Overlay::Targets, Vec::new()),
            Self::Member { agent, .. } => (Overlay::Targets, vec![Primitive::Agent(agent)]),
            Self::Predicted(at) => (Overlay::Predicted, vec![sign(at, Sign::Predicted)]),
            Self::Facing(direction) => {
                let to = here + direction * FACING;
                let arrow = sign(to, Sign::Arrow(Direction::nearest(direction, false)));
                (Overlay::Targets, vec![Line { from: here, to, pen: DOTTED }, arrow])
            }
            Self::HidingSpot { at, distance, chosen } => {
                let spot = if chosen { Sign::ChosenHidingSpot } else { Sign::HidingSpot };
                let distance = Sign::Distance(libm::roundf(distance) as u32);
                (Overlay::HidingSpots, vec![sign(at, spot), sign(at, distance)])
            }
            Self::Segment { from, to } => {
                let pen = Pen { dash: Dash::Dashed, is_hit: false };
                (Overlay::Path, vec![Line { from, to, pen }])
            }
            Self::Waypoint(at) => (Overlay::Path, vec![sign(at, Sign::Waypoint)]),
            Self::Clearance { radius } => {
                (Overlay::Path, vec![Circle { centre: here, radius, pen: DOTTED }])
            }
            Self::Neighbourhood { radius, angle } => {
                (Overlay::Neighbours, neighbourhood(agent, radius, angle))
            }
            Self::Neighbour(id) => (Overlay::Neighbours, vec![Primitive::Agent(id)]),
            Self::Cells(block) => (Overlay::Cells, grid(block)),
            Self::Candidate { at, is_neighbour, .. } => {
                let pen = if is_neighbour { SOLID } else { DOTTED };
                (Overlay::Cells, vec![Circle { centre: at, radius: CANDIDATE, pen }])
            }
            Self::Feeler { from, to, hit, wall: _ } => {
                let mut shapes = vec![Line { from, to: hit.unwrap_or(to), pen: SOLID }];
                if let Some(hit) = hit {
                    let pen = Pen { dash: Dash::Dashed, is_hit: true };
                    shapes.extend([Line { from: hit, to, pen }, sign(hit, Sign::Hit)]);
                }
                (Overlay::Feelers, shapes)
            }
            Self::DetectionBox { from, to, half_width, hit } => {
                let pen = if hit.is_some() { HIT } else { DOTTED };
                let mut shapes = rectangle(from, to, half_width, pen);
                if let Some(Obstacle { centre, radius, opaque: _ }) = hit {
                    let obstacle = Circle { centre, radius, pen: HIT };
                    shapes.extend([obstacle, sign(centre, Sign::Hit)]);
                }
                (Overlay::DetectionBox, shapes)
            }
            Self::PreferredVelocity(velocity) => {
                let to = here + velocity * AHEAD;
                let arrow = sign(to, Sign::Arrow(Direction::nearest(velocity, false)));
                (Overlay::HalfPlanes, vec![Line { from: here, to, pen: DOTTED }, arrow])
            }
            Self::HalfPlane { plane, relaxed, .. } => {
                (Overlay::HalfPlanes, half_plane(here, plane, relaxed))
            }
            Self::WanderCircle { centre, radius, point } => {
                let circle = Circle { centre, radius, pen: SOLID };
                let pull = Line { from: here, to: point, pen: DOTTED };
                (Overlay::Wander, vec![circle, pull, sign(point, Sign::Wander)])
            }
        }
    }

    /// Returns the JSON fields and texts of the note. `name` returns the name of an agent, `wall`
    /// the name of a free wall, and `absent` the name of a target with the reason for its absence.
    pub fn report(
        &self,
        name: impl Fn(AgentId) -> String,
        wall: impl Fn(WallId) -> String,
        absent: impl Fn(Target) -> [String; 2],
    ) -> NoteReport {
        use NoteValue::{Flag, Nothing, Number, Point};
        match *self {
            Self::Target(at) => NoteReport::point("target", at),
            Self::Absent(target) => {
                let [name, text] = absent(target);
                let fields = [("target", NoteValue::Target(name))];
                NoteReport { role: Role::Absent, ..NoteReport::new("absent", fields, text) }
            }
            Self::Member { agent, weight } => {
                let text = format!("{} weight {weight:.2}", name(agent));
                let fields = [("agent", NoteValue::Agent(name(agent))), ("weight", Number(weight))];
                NoteReport { role: Role::Member, ..NoteReport::new("member", fields, text) }
            }
            Self::Predicted(at) => NoteReport {
                text: format!("predicted position {}", point_text(at)),
                ..NoteReport::point("predicted", at)
            },
            Self::Facing(direction) => {
                let heading = to_degrees(direction);
                let text = format!("desired heading {heading:.1}°");
                NoteReport::new("facing", [("heading", Number(heading))], text)
            }
            Self::HidingSpot { at, distance, chosen } => {
                let word = if chosen { "chosen" } else { "possible" };
                let text =
                    format!("{word} hiding spot {}, {distance:.1} tiles away", point_text(at));
                let fields =
                    [("at", Point(at)), ("chosen", Flag(chosen)), ("distance", Number(distance))];
                NoteReport::new("hiding_spot", fields, text)
                    .short("hiding spot", chosen.then_some(at))
            }
            Self::Segment { from, to } => {
                let text = format!("path segment {} to {}", point_text(from), point_text(to));
                NoteReport::new("segment", [("from", Point(from)), ("to", Point(to))], text)
            }
            Self::Waypoint(at) => NoteReport::point("waypoint", at),
            Self::Clearance { radius } => {
                let text = format!("path with room for a radius of {radius} tiles");
                NoteReport::new("clearance", [("radius", Number(radius))], text)
            }
            Self::Neighbourhood { radius, angle } => {
                let angle = angle.map(|angle| angle.to_degrees() + 0.0);
                let sector = angle.map_or_else(String::new, |angle| format!(", angle {angle:.0}°"));
                let text = format!("neighbourhood radius {radius} tiles{sector}");
                let angle = angle.map_or(Nothing, Number);
                let fields = [("radius", Number(radius)), ("angle", angle)];
                NoteReport::new("neighbourhood", fields, text)
            }
            Self::Neighbour(id) => {
                let fields = [("agent", NoteValue::Agent(name(id)))];
                NoteReport {
                    role: Role::Neighbour,
                    ..NoteReport::new("neighbour", fields, name(id))
                }
            }
            Self::Cells(block) => cells(block),
            Self::Candidate { agent, is_neighbour, .. } => {
                let fields = [
                    ("agent", NoteValue::Agent(name(agent))),
                    ("is_neighbour", Flag(is_neighbour)),
                ];
                let role = Role::Candidate;
                NoteReport { role, ..NoteReport::new("candidate", fields, name(agent)) }
            }
            Self::Feeler { from, to, hit, wall: id } => {
                NoteReport::feeler([from, to], hit, id.map(wall))
            }
            Self::DetectionBox { from, to, half_width, hit } => {
                let centre = hit.map(|hit| hit.centre);
                let obstacle = hit.map_or_else(
                    || "no obstacle".to_owned(),
                    |hit| format!("obstacle at {}, radius {}", point_text(hit.centre), hit.radius),
                );
                let (end, width) = (point_text(to), half_width * 2.0);
                let text = format!("detection box to {end}, {width:.2} wide: {obstacle}");
                let fields = [
                    ("from", Point(from)),
                    ("to", Point(to)),
                    ("half_width", Number(half_width)),
                    ("hit", hit.map_or(Nothing, NoteValue::Obstacle)),
                ];
                NoteReport::new("detection_box", fields, text).short("obstacle", centre)
            }
            Self::PreferredVelocity(velocity) => {
                let text = format!("preferred velocity {} tiles/s", point_text(velocity));
                NoteReport::new("preferred_velocity", [("velocity", Point(velocity))], text)
            }
            Self::HalfPlane { owner, plane, relaxed } => {
                NoteReport::half_plane(owner, plane, relaxed, name, wall)
            }
            Self::WanderCircle { centre, radius, point } => wander(centre, radius, point),
        }
    }
}

fn cells(block: CellBlock) -> NoteReport {
    let CellBlock { from, to, size: [columns, rows], grid: [all_columns, all_rows] } = block;
    let text = format!(
        "searched {columns} × {rows} of {all_columns} × {all_rows} cells, {} to {}",
        point_text(from),
        point_text(to)
    );
    let fields = [
        ("from", NoteValue::Point(from)),
        ("to", NoteValue::Point(to)),
        ("columns", NoteValue::Number(columns as f32)),
        ("rows", NoteValue::Number(rows as f32)),
    ];
    NoteReport { role: Role::Cells, ..NoteReport::new("cells", fields, text) }
}

fn wander(centre: Vec2, radius: f32, point: Vec2) -> NoteReport {
    let (middle, pull) = (point_text(centre), point_text(point));
    let text = format!("wander circle at {middle}, radius {radius}, target point {pull}");
    let fields = [
        ("centre", NoteValue::Point(centre)),
        ("radius", NoteValue::Number(radius)),
        ("point", NoteValue::Point(point)),
    ];
    NoteReport::new("wander_circle", fields, text)
}

/// Returns the lines between the cells of a block, and the outline of the block.
fn grid(block: CellBlock) -> Vec<Primitive> {
    let CellBlock { from, to, size: [columns, rows], .. } = block;
    let line = |from, to| Primitive::Line { from, to, pen: DOTTED };
    let share = |index: u32, count: u32| index as f32 / count as f32;
    let down = (0..=columns).map(|column| {
        let x = from.x + (to.x - from.x) * share(column, columns);
        line(Vec2::new(x, from.y), Vec2::new(x, to.y))
    });
    let across = (0..=rows).map(|row| {
        let y = from.y + (to.y - from.y) * share(row, rows);
        line(Vec2::new(from.x, y), Vec2::new(to.x, y))
    });
    down.chain(across).collect()
}

/// Returns a neighbourhood as a circle, or as a sector around the heading if there is an angle.
fn neighbourhood(of: Motion, radius: f32, angle: Option<f32>) -> Vec<Primitive> {
    let (centre, pen) = (of.position, DOTTED);
    let Some(angle) = angle else { return vec![Primitive::Circle { centre, radius, pen }] };
    let first = rotate_by(of.heading * radius, -angle / 2.0);
    let side = |side| Primitive::Line { from: centre, to: centre + side, pen };
    let arc = Primitive::Arc { centre, from: first, angle, pen };
    vec![arc, side(first), side(rotate_by(first, angle))]
}

/// Returns the boundary of a half-plane of velocities as a line, and a line into the half-plane.
fn half_plane(here: Vec2, plane: HalfPlane, relaxed: bool) -> Vec<Primitive> {
    let HalfPlane { normal, offset } = plane;
    let pen = if relaxed { Pen { dash: Dash::Dashed, is_hit: true } } else { SOLID };
    let foot = here + normal * (offset * AHEAD);
    let side = normal.perp() * BOUNDARY;
    let boundary = Primitive::Line { from: foot - side, to: foot + side, pen };
    let into = Primitive::Line { from: foot, to: foot + normal * INTO, pen };
    vec![boundary, into]
}

/// Returns the four sides of a rectangle around the line between two points.
fn rectangle(from: Vec2, to: Vec2, half_width: f32, pen: Pen) -> Vec<Primitive> {
    let side = unit((to - from).perp()) * half_width;
    let corners = [from - side, to - side, to + side, from + side, from - side];
    corners.windows(2).map(|ends| Primitive::Line { from: ends[0], to: ends[1], pen }).collect()
}

/// The JSON fields of a note, and its description as text.
#[derive(Debug, Clone, PartialEq)]
pub struct NoteReport {
    /// Value of `kind` in JSON, such as `hiding_spot`.
    pub kind: &'static str,
    /// Names and values of the fields in JSON.
    pub fields: Vec<(&'static str, NoteValue)>,
    /// Description of the note. For a neighbour or a candidate, the name of the agent. For a member
    /// of a group, the name and the weight.
    pub text: String,
    /// Role of the note. Reports combine notes of the same role.
    pub role: Role,
    /// Name and position of the note in short reports; `None` if short reports omit the note. The
    /// position is in tiles.
    pub short: Option<(&'static str, Vec2)>,
}

/// The role of a note, which determines its presentation in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A perceived value, reported in a sentence of its own.
    Input,
    /// A target that does not exist, reported in a sentence of its own, also in short reports.
    Absent,
    /// A member of the target group. One sentence lists all members with their weights.
    Member,
    /// A half-plane, reported in a sentence of its own, which short reports include.
    HalfPlane,
    /// A neighbour. One sentence lists all neighbours.
    Neighbour,
    /// The cells that the search for neighbours visited. Reported only on request.
    Cells,
    /// An agent in the searched cells. Reported only on request; one sentence lists all candidates.
    Candidate,
}

/// The value of a note's field in JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum NoteValue {
    /// The field has no value, such as the hit of a feeler that touches nothing.
    Nothing,
    /// A length in tiles, or an angle in degrees.
    Number(f32),
    /// A boolean field, such as `chosen`.
    Flag(bool),
    /// A position in tiles, a velocity in tiles/s, or a unit vector.
    Point(Vec2),
    /// A tile.
    Tile(TilePos),
    /// The name of an agent.
    Agent(String),
    /// The name of a target.
    Target(String),
    /// A round obstacle.
    Obstacle(Obstacle),
    /// The name of a free wall.
    Wall(String),
}

impl NoteReport {
    pub(super) fn new<const N: usize>(
        kind: &'static str,
        fields: [(&'static str, NoteValue); N],
        text: String,
    ) -> Self {
        Self { kind, fields: fields.into(), text, role: Role::Input, short: None }
    }

    /// Creates the report of a position. Short reports include the position under the name `kind`.
    pub(super) fn point(kind: &'static str, at: Vec2) -> Self {
        let text = format!("{kind} {}", point_text(at));
        Self::new(kind, [("at", NoteValue::Point(at))], text).short(kind, Some(at))
    }

    /// Creates the report of a feeler between two points. `wall` is the name of the free wall that
    /// the feeler hits.
    pub(super) fn feeler([from, to]: [Vec2; 2], hit: Option<Vec2>, wall: Option<String>) -> Self {
        use NoteValue::{Nothing, Point};
        let whose = wall.as_ref().map_or_else(String::new, |wall| format!(" {wall}"));
        let contact = hit.map(|hit| format!("hit{whose} at {}", point_text(hit)));
        let contact = contact.as_deref().unwrap_or("no hit");
        let text = format!("feeler to {}: {contact}", point_text(to));
        let fields = [
            ("from", Point(from)),
            ("to", Point(to)),
            ("hit", hit.map_or(Nothing, Point)),
            ("wall", wall.map_or(Nothing, NoteValue::Wall)),
        ];
        Self::new("feeler", fields, text).short("feeler hit", hit)
    }

    /// Creates the report of a half-plane. The functions return the names of agents and walls.
    fn half_plane(
        owner: PlaneOwner,
        plane: HalfPlane,
        relaxed: bool,
        name: impl Fn(AgentId) -> String,
        wall: impl Fn(WallId) -> String,
    ) -> Self {
        use NoteValue::{Flag, Nothing, Number, Point};
        let [mut agent, mut tile, mut free_wall, mut obstacle] = [const { Nothing }; 4];
        let of = match owner {
            PlaneOwner::Agent(id) => {
                agent = NoteValue::Agent(name(id));
                name(id)
            }
            PlaneOwner::Face(FaceOwner::Tile(at)) => {
                tile = NoteValue::Tile(at);
                format!("the solid tile {at}")
            }
            PlaneOwner::Face(FaceOwner::Wall(id)) => {
                free_wall = NoteValue::Wall(wall(id));
                wall(id)
            }
            PlaneOwner::Obstacle(it) => {
                obstacle = NoteValue::Obstacle(it);
                format!("the obstacle at {}", point_text(it.centre))
            }
        };
        let HalfPlane { normal, offset } = plane;
        let (normal_text, state) = (point_text(normal), if relaxed { ", relaxed" } else { "" });
        let text =
            format!("half-plane of {of}: normal {normal_text}, offset {offset:.3} tiles/s{state}");
        let fields = [
            ("agent", agent),
            ("tile", tile),
            ("wall", free_wall),
            ("obstacle", obstacle),
            ("normal", Point(normal)),
            ("offset", Number(offset)),
            ("relaxed", Flag(relaxed)),
        ];
        Self { role: Role::HalfPlane, ..Self::new("half_plane", fields, text) }
    }

    pub(super) fn short(self, name: &'static str, at: Option<Vec2>) -> Self {
        Self { short: at.map(|at| (name, at)), ..self }
    }
}

/// Receives the reports of steering behaviours.
pub(crate) trait Probe {
    /// Returns true if reports are recorded. Callers check this before they compute data only for
    /// reports.
    fn listens(&self) -> bool;

    /// Reports a note. `note` is called only if reports are recorded.
    fn note(&mut self, note: impl FnOnce() -> Note);

    /// Reports the result of a behaviour. `row` is called only if reports are recorded.
    fn row(&mut self, row: impl FnOnce() -> BreakdownRow);

    /// Sets the output of a behaviour that acts after all others. `row` is the index of its row,
    /// which is already reported. The notes since the last row belong to this behaviour.
    fn conclude(&mut self, _row: usize, _output: SteeringOutput) {}
}

/// A probe that discards all reports at no cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoProbe;

impl Probe for NoProbe {
    fn listens(&self) -> bool {
        false
    }

    fn note(&mut self, _: impl FnOnce() -> Note) {}
    fn row(&mut self, _: impl FnOnce() -> BreakdownRow) {}
}

/// The effect of combination on a behaviour's output: accepted, cut or skipped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowState {
    /// The output was accepted without change.
    Accepted,
    /// The output was shortened to the force or turn limit, or to the unused part of that limit.
    Cut,
    /// The behaviour was skipped, because earlier behaviours used up the limit or because one of
    /// them acts alone.
    NoRoom,
    /// The output was zero, or too small for [`Combine::First`](super::combine::Combine::First).
    Zero,
    /// The behaviour was skipped, because its random number was not below its probability.
    DitheredOut {
        /// The random number, in [0, 1).
        drawn: f32,
        /// Probability of the behaviour, in (0, 1].
        probability: f32,
    },
    /// The behaviour is disabled in the steering list and was not evaluated.
    Disabled,
}

impl RowState {
    /// Returns the state as text for the screen, in lower case.
    pub fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Cut => "cut",
            Self::NoRoom => "no room",
            Self::Zero => "zero",
            Self::DitheredOut { .. } => "dithered out",
            Self::Disabled => "disabled",
        }
    }
}

/// Name of the extra row that reports the truncation of a sum of forces or turns.
pub const LIMIT: &str = "limit";

/// A row of the force breakdown: the output of one behaviour or of manual control, or a truncation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BreakdownRow {
    /// Name of the behaviour in files, [`LIMIT`] for a truncation, or
    /// [`MANUAL_CONTROL`](super::MANUAL_CONTROL) for manual control.
    pub behaviour: &'static str,
    /// Output before weighting; zero if the behaviour was not evaluated. For a truncation, the sum
    /// before the truncation.
    pub raw: SteeringOutput,
    /// Factor that scaled the output: the weight, or weight / probability with dithering. For a
    /// truncation, the remaining share of the sum.
    pub weight: f32,
    /// The part of the output that was accepted. For a truncation, the truncated sum minus the sum
    /// before the truncation.
    pub accepted: SteeringOutput,
    /// Whether the output was accepted, cut or skipped, and why.
    pub state: RowState,
    /// Sum of the accepted outputs of this row and all earlier rows.
    pub total: SteeringOutput,
}

/// The reports of one agent's steering in one frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ForceBreakdown {
    /// One row per behaviour in list order, then one row per truncation. Under manual control, a
    /// single row.
    pub rows: Vec<BreakdownRow>,
    /// The notes, each with the index of its behaviour in `rows`.
    pub notes: Vec<(usize, Note)>,
}

impl Probe for ForceBreakdown {
    fn listens(&self) -> bool {
        true
    }

    fn note(&mut self, note: impl FnOnce() -> Note) {
        self.notes.push((self.rows.len(), note()));
    }

    fn row(&mut self, row: impl FnOnce() -> BreakdownRow) {
        self.rows.push(row());
    }

    fn conclude(&mut self, row: usize, output: SteeringOutput) {
        let count = self.rows.len();
        for (of, _) in self.notes.iter_mut().filter(|(of, _)| *of == count) {
            *of = row;
        }
        let Some(changed) = self.rows.get_mut(row) else { return };
        (changed.raw, changed.accepted, changed.weight) = (output, output, 1.0);
        let is_zero = output == SteeringOutput::NONE;
        changed.state = if is_zero { RowState::Zero } else { RowState::Accepted };
        for later in &mut self.rows[row..] {
            later.total += output;
        }
    }
}
