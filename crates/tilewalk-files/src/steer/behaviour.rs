//! The behaviours as rows of a file: the parameters of each. Defaults are those of the core.

use std::ops::RangeInclusive;

use toml::de::DeValue;

use super::course;
use super::turning::{align, track, turning};
use crate::library::Library;
use crate::reader::TableReader;
use crate::target::Targets;
use tilewalk_sim::geom::Vec2;
use tilewalk_sim::id::GroupId;
use tilewalk_sim::map::Map;
use tilewalk_sim::steering::{
    Alignment, Arrive, AvoidAgents, AvoidObstacles, AvoidWalls, Behaviour, Cohesion, Course,
    DynamicArrive, Evade, Flee, Flow, FollowPath, Hand, Hide, HugWalls, MatchVelocity,
    Neighbourhood, OffsetPursue, Pursue, Separation, StayOnPath, Tether, Wander,
};

/// Lengths in tiles that must be more than nothing.
pub const LENGTH: RangeInclusive<f64> = 0.001..=10_000.0;

/// Lengths in tiles that may be nothing.
const REACH: RangeInclusive<f64> = 0.0..=10_000.0;

/// Seconds and factors that must be more than nothing.
pub const POSITIVE: RangeInclusive<f64> = 0.001..=1000.0;

/// How far ahead in time a body looks, in seconds.
const PREDICT: RangeInclusive<f64> = 0.0..=1000.0;

/// How far ahead others are looked at, in seconds: all who could come so far are looked at, in every
/// frame.
const LEAD: RangeInclusive<f64> = 0.001..=60.0;

/// The whole angle of a cone, in degrees; one in which nobody can be is an error.
const CONE: RangeInclusive<f64> = 0.1..=360.0;

/// A feeler, in tiles: it looks at every tile it crosses, in every frame.
const FEELER: RangeInclusive<f64> = 0.001..=1000.0;

/// The detection box, in tiles: it looks at every tile as far away as it is long, in every frame.
const BOX: RangeInclusive<f64> = 0.001..=100.0;

/// Whom or what a behaviour is about, and by which key a row says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// No target.
    Nothing,
    /// One, under this key.
    One(&'static str),
    /// A heading in degrees, or one whose heading counts, under this key.
    Heading(&'static str),
    /// Two, as `between = [a, b]`.
    Two,
}

/// What most are about.
const TARGET: About = About::One("target");

/// What a row may be read with besides its own table.
#[derive(Debug)]
pub struct Context<'a, 'b> {
    /// Everything a target may be.
    pub targets: &'a Targets<'a>,
    /// The group of the agent whose row it is.
    pub group: Option<GroupId>,
    /// The pattern files.
    pub library: &'a mut Library<'b>,
    /// The ground, if that could be read.
    pub map: Option<&'a Map>,
    /// The paths that rows follow, as far as they have been read.
    pub courses: Vec<Course>,
}

/// How a row with some behaviour is read.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// Such a row, in words.
    pub row: &'static str,
    /// What it is about.
    pub about: About,
    /// Reads the parameters; what is missing or wrong is the default.
    pub read: fn(&mut TableReader, &mut Context) -> Behaviour,
}

const fn form(
    row: &'static str,
    about: About,
    read: fn(&mut TableReader, &mut Context) -> Behaviour,
) -> Form {
    Form { row, about, read }
}

/// Every behaviour under its word in files.
pub const FORMS: [(&str, Form); 28] = [
    ("seek", form("a `seek` behaviour", TARGET, |_, _| Behaviour::Seek)),
    (
        "flee",
        form("a `flee` behaviour", TARGET, |table, _| {
            Behaviour::Flee(Flee { panic: table.some_float("panic", LENGTH) })
        }),
    ),
    ("arrive", form("an `arrive` behaviour", TARGET, |table, _| Behaviour::Arrive(arrive(table)))),
    ("pursue", form("a `pursue` behaviour", TARGET, |table, _| Behaviour::Pursue(pursue(table)))),
    ("evade", form("an `evade` behaviour", TARGET, |table, _| Behaviour::Evade(evade(table)))),
    ("interpose", form("an `interpose` behaviour", About::Two, |_, _| Behaviour::Interpose)),
    (
        "offset_pursue",
        form("an `offset_pursue` behaviour", About::One("leader"), |table, _| {
            Behaviour::OffsetPursue(offset_pursue(table))
        }),
    ),
    ("dynamic_seek", form("a `dynamic_seek` behaviour", TARGET, |_, _| Behaviour::DynamicSeek)),
    ("dynamic_flee", form("a `dynamic_flee` behaviour", TARGET, |_, _| Behaviour::DynamicFlee)),
    (
        "dynamic_arrive",
        form("a `dynamic_arrive` behaviour", TARGET, |table, _| {
            Behaviour::DynamicArrive(dynamic_arrive(table))
        }),
    ),
    (
        "match_velocity",
        form("a `match_velocity` behaviour", TARGET, |table, _| {
            Behaviour::MatchVelocity(match_velocity(table))
        }),
    ),
    (
        "tether",
        form("a `tether` behaviour", About::One("to"), |table, _| Behaviour::Tether(tether(table))),
    ),
    ("track", form("a `track` behaviour", TARGET, |table, _| Behaviour::Track(track(table)))),
    (
        "align",
        form("an `align` behaviour", About::Heading("to"), |table, _| {
            Behaviour::Align(align(table))
        }),
    ),
    ("face", form("a `face` behaviour", TARGET, |table, _| Behaviour::Face(turning(table)))),
    (
        "look_ahead",
        form("a `look_ahead` behaviour", About::Nothing, |table, _| {
            Behaviour::LookAhead(turning(table))
        }),
    ),
    (
        "hide",
        form("a `hide` behaviour", About::One("from"), |table, _| Behaviour::Hide(hide(table))),
    ),
    (
        "flow",
        form("a `flow` behaviour", About::One("to"), |table, _| {
            let predict = table.float_or("predict", PREDICT, Flow::default().predict);
            Behaviour::Flow(Flow { predict })
        }),
    ),
    (
        "follow_path",
        form("a `follow_path` behaviour", About::Nothing, |table, context| {
            Behaviour::FollowPath(follow_path(table, context))
        }),
    ),
    (
        "stay_on_path",
        form("a `stay_on_path` behaviour", About::Nothing, |table, context| {
            Behaviour::StayOnPath(stay_on_path(table, context))
        }),
    ),
    (
        "hug_walls",
        form("a `hug_walls` behaviour", About::Nothing, |table, _| {
            Behaviour::HugWalls(hug_walls(table))
        }),
    ),
    (
        "wander",
        form("a `wander` behaviour", About::Nothing, |table, _| Behaviour::Wander(wander(table))),
    ),
    (
        "avoid_obstacles",
        form("an `avoid_obstacles` behaviour", About::Nothing, |table, _| {
            Behaviour::AvoidObstacles(avoid_obstacles(table))
        }),
    ),
    (
        "avoid_walls",
        form("an `avoid_walls` behaviour", About::Nothing, |table, _| {
            Behaviour::AvoidWalls(avoid_walls(table))
        }),
    ),
    (
        "avoid_agents",
        form("an `avoid_agents` behaviour", About::Nothing, |table, context| {
            Behaviour::AvoidAgents(AvoidAgents {
                lead: table.float_or("lead", LEAD, AvoidAgents::default().lead),
                of: table.take("of").and_then(|entry| context.targets.group(&entry)),
            })
        }),
    ),
    (
        "separation",
        form("a `separation` behaviour", About::Nothing, |table, context| {
            Behaviour::Separation(Separation(neighbourhood(table, context)))
        }),
    ),
    (
        "alignment",
        form("an `alignment` behaviour", About::Nothing, |table, context| {
            Behaviour::Alignment(Alignment(neighbourhood(table, context)))
        }),
    ),
    (
        "cohesion",
        form("a `cohesion` behaviour", About::Nothing, |table, context| {
            Behaviour::Cohesion(Cohesion(neighbourhood(table, context)))
        }),
    ),
];

/// Who counts as a neighbour; without `of` the agent's own group, and everyone for one without.
fn neighbourhood(table: &mut TableReader, context: &mut Context) -> Neighbourhood {
    let of = table.take("of").and_then(|entry| context.targets.group(&entry));
    Neighbourhood {
        radius: table.float_or("radius", LENGTH, Neighbourhood::RADIUS),
        angle: table.some_float("angle", CONE).map(f32::to_radians),
        of: of.or(context.group),
    }
}

fn arrive(table: &mut TableReader) -> Arrive {
    let default = Arrive::default();
    table.offer("deceleration", POSITIVE, Some(default.deceleration));
    let words = [("slow", 3.0), ("normal", 2.0), ("fast", 1.0)];
    let deceleration = table.take("deceleration").and_then(|value| match value.get() {
        DeValue::String(_) => value.word(&words, &[]),
        _ => value.float(POSITIVE),
    });
    Arrive {
        deceleration: deceleration.unwrap_or(default.deceleration),
        tweak: table.float_or("tweak", POSITIVE, default.tweak),
        tolerance: table.float_or("tolerance", 0.0..=1000.0, default.tolerance),
    }
}

fn pursue(table: &mut TableReader) -> Pursue {
    let default = Pursue::default();
    Pursue {
        turn_time: table.float_or("turn_time", 0.0..=1000.0, default.turn_time),
        head_on: table.float_or("head_on", -1.0..=1.0, default.head_on),
    }
}

fn evade(table: &mut TableReader) -> Evade {
    let default = Evade::default().threat;
    table.offer("threat", LENGTH, default);
    Evade { threat: table.float("threat", LENGTH).or(default) }
}

fn offset_pursue(table: &mut TableReader) -> OffsetPursue {
    let offset = table.require("offset").and_then(|entry| entry.vector());
    OffsetPursue { offset: offset.unwrap_or(Vec2::ZERO) }
}

fn dynamic_arrive(table: &mut TableReader) -> DynamicArrive {
    let default = DynamicArrive::default();
    DynamicArrive {
        target_radius: table.float_or("target_radius", REACH, default.target_radius),
        slow_radius: table.float_or("slow_radius", LENGTH, default.slow_radius),
        time_to_target: table.float_or("time_to_target", POSITIVE, default.time_to_target),
    }
}

fn match_velocity(table: &mut TableReader) -> MatchVelocity {
    let default = MatchVelocity::default().time_to_target;
    MatchVelocity { time_to_target: table.float_or("time_to_target", POSITIVE, default) }
}

fn tether(table: &mut TableReader) -> Tether {
    let radius = table.require("radius").and_then(|entry| entry.float(LENGTH));
    Tether { radius: radius.unwrap_or(1.0) }
}

fn hide(table: &mut TableReader) -> Hide {
    let default = Hide::default();
    let seen = table.take("only_if_seen").and_then(|value| value.boolean());
    Hide {
        distance: table.float_or("distance", 0.0..=100.0, default.distance),
        only_if_seen: seen.unwrap_or(default.only_if_seen),
    }
}

fn follow_path(table: &mut TableReader, context: &mut Context) -> FollowPath {
    let course = course::read(table, context);
    FollowPath { course, reach: table.float_or("reach", LENGTH, FollowPath::REACH) }
}

fn stay_on_path(table: &mut TableReader, context: &mut Context) -> StayOnPath {
    let course = course::read(table, context);
    StayOnPath {
        course,
        width: table.float_or("width", REACH, StayOnPath::WIDTH),
        predict: table.float_or("predict", PREDICT, StayOnPath::PREDICT),
    }
}

fn hug_walls(table: &mut TableReader) -> HugWalls {
    let default = HugWalls::default();
    let hand = table.take("hand").and_then(|hand| hand.word(&Hand::WORDS, &[]));
    HugWalls {
        distance: table.float_or("distance", 0.001..=20.0, default.distance),
        hand: hand.unwrap_or(default.hand),
    }
}

fn wander(table: &mut TableReader) -> Wander {
    let default = Wander::default();
    Wander {
        radius: table.float_or("radius", LENGTH, default.radius),
        distance: table.float_or("distance", REACH, default.distance),
        jitter: table.float_or("jitter", 0.0..=10_000.0, default.jitter),
        strength: table.float_or("strength", 0.001..=10_000.0, default.strength),
    }
}

fn avoid_obstacles(table: &mut TableReader) -> AvoidObstacles {
    let default = AvoidObstacles::default();
    AvoidObstacles {
        box_length: table.float_or("box", BOX, default.box_length),
        brake: table.float_or("brake", 0.0..=1000.0, default.brake),
        margin: table.float_or("margin", 0.0..=1000.0, default.margin),
    }
}

fn avoid_walls(table: &mut TableReader) -> AvoidWalls {
    let default = AvoidWalls::default();
    AvoidWalls {
        feeler: table.float_or("feeler", FEELER, default.feeler),
        side: table.float_or("side", 0.001..=1.0, default.side),
        angle: table.angle_or("angle", 0.0..=180.0, default.angle),
    }
}
