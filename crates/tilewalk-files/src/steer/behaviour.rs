//! The behaviours as rows of a file: the parameters of each. Defaults are those of the core.

use toml::de::DeValue;

use super::course;
use super::parameters::{LENGTH, Of, POSITIVE};
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
            Behaviour::Flee(Flee { panic: Of("flee").some(table, "panic") })
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
            Behaviour::Flow(Flow { predict: Of("flow").float(table, "predict") })
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
                lead: Of("avoid_agents").float(table, "lead"),
                of: table.take("of").and_then(|entry| context.targets.group(&entry)),
            })
        }),
    ),
    (
        "separation",
        form("a `separation` behaviour", About::Nothing, |table, context| {
            Behaviour::Separation(Separation(neighbourhood("separation", table, context)))
        }),
    ),
    (
        "alignment",
        form("an `alignment` behaviour", About::Nothing, |table, context| {
            Behaviour::Alignment(Alignment(neighbourhood("alignment", table, context)))
        }),
    ),
    (
        "cohesion",
        form("a `cohesion` behaviour", About::Nothing, |table, context| {
            Behaviour::Cohesion(Cohesion(neighbourhood("cohesion", table, context)))
        }),
    ),
];

/// Who counts as a neighbour; without `of` the agent's own group, and everyone for one without.
fn neighbourhood(
    word: &'static str,
    table: &mut TableReader,
    context: &mut Context,
) -> Neighbourhood {
    let of = table.take("of").and_then(|entry| context.targets.group(&entry));
    Neighbourhood {
        radius: Of(word).float(table, "radius"),
        angle: Of(word).some(table, "angle"),
        of: of.or(context.group),
    }
}

fn arrive(table: &mut TableReader) -> Arrive {
    let default = Arrive::default();
    table.offer("deceleration", POSITIVE, Some(default.deceleration), "");
    let words = [("slow", 3.0), ("normal", 2.0), ("fast", 1.0)];
    let deceleration = table.take("deceleration").and_then(|value| match value.get() {
        DeValue::String(_) => value.word(&words, &[]),
        _ => value.float(POSITIVE),
    });
    Arrive {
        deceleration: deceleration.unwrap_or(default.deceleration),
        tweak: Of("arrive").float(table, "tweak"),
        tolerance: Of("arrive").float(table, "tolerance"),
    }
}

fn pursue(table: &mut TableReader) -> Pursue {
    Pursue {
        turn_time: Of("pursue").float(table, "turn_time"),
        head_on: Of("pursue").float(table, "head_on"),
    }
}

fn evade(table: &mut TableReader) -> Evade {
    Evade { threat: Of("evade").some(table, "threat") }
}

fn offset_pursue(table: &mut TableReader) -> OffsetPursue {
    let offset = table.require("offset").and_then(|entry| entry.vector());
    OffsetPursue { offset: offset.unwrap_or(Vec2::ZERO) }
}

fn dynamic_arrive(table: &mut TableReader) -> DynamicArrive {
    DynamicArrive {
        target_radius: Of("dynamic_arrive").float(table, "target_radius"),
        slow_radius: Of("dynamic_arrive").float(table, "slow_radius"),
        time_to_target: Of("dynamic_arrive").float(table, "time_to_target"),
    }
}

fn match_velocity(table: &mut TableReader) -> MatchVelocity {
    MatchVelocity { time_to_target: Of("match_velocity").float(table, "time_to_target") }
}

fn tether(table: &mut TableReader) -> Tether {
    let radius = table.require("radius").and_then(|entry| entry.float(LENGTH));
    Tether { radius: radius.unwrap_or(1.0) }
}

fn hide(table: &mut TableReader) -> Hide {
    let default = Hide::default();
    let seen = table.take("only_if_seen").and_then(|value| value.boolean());
    Hide {
        distance: Of("hide").float(table, "distance"),
        only_if_seen: seen.unwrap_or(default.only_if_seen),
    }
}

fn follow_path(table: &mut TableReader, context: &mut Context) -> FollowPath {
    let course = course::read(table, context);
    FollowPath { course, reach: Of("follow_path").float(table, "reach") }
}

fn stay_on_path(table: &mut TableReader, context: &mut Context) -> StayOnPath {
    let course = course::read(table, context);
    StayOnPath {
        course,
        width: Of("stay_on_path").float(table, "width"),
        predict: Of("stay_on_path").float(table, "predict"),
    }
}

fn hug_walls(table: &mut TableReader) -> HugWalls {
    let default = HugWalls::default();
    let hand = table.take("hand").and_then(|hand| hand.word(&Hand::WORDS, &[]));
    HugWalls {
        distance: Of("hug_walls").float(table, "distance"),
        hand: hand.unwrap_or(default.hand),
    }
}

fn wander(table: &mut TableReader) -> Wander {
    Wander {
        radius: Of("wander").float(table, "radius"),
        distance: Of("wander").float(table, "distance"),
        jitter: Of("wander").float(table, "jitter"),
        strength: Of("wander").float(table, "strength"),
    }
}

fn avoid_obstacles(table: &mut TableReader) -> AvoidObstacles {
    AvoidObstacles {
        box_length: Of("avoid_obstacles").float(table, "box"),
        brake: Of("avoid_obstacles").float(table, "brake"),
        margin: Of("avoid_obstacles").float(table, "margin"),
    }
}

fn avoid_walls(table: &mut TableReader) -> AvoidWalls {
    AvoidWalls {
        feeler: Of("avoid_walls").float(table, "feeler"),
        side: Of("avoid_walls").float(table, "side"),
        angle: Of("avoid_walls").float(table, "angle"),
    }
}
