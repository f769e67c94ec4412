//! The parameters of each behaviour. Defaults are those of the core.

use std::ops::RangeInclusive;

use toml::de::DeValue;

use crate::files::reader::TableReader;
use crate::geom::Vec2;
use crate::steering::{
    Arrive, AvoidObstacles, AvoidWalls, Behaviour, DynamicArrive, Evade, Flee, MatchVelocity,
    OffsetPursue, Pursue, Tether, Wander,
};

/// Lengths in tiles that must be more than nothing.
const LENGTH: RangeInclusive<f64> = 0.001..=10_000.0;

/// Lengths in tiles that may be nothing.
const REACH: RangeInclusive<f64> = 0.0..=10_000.0;

/// Seconds and factors that must be more than nothing.
const POSITIVE: RangeInclusive<f64> = 0.001..=1000.0;

/// A feeler, in tiles: it looks at every tile it crosses, in every frame.
const FEELER: RangeInclusive<f64> = 0.001..=1000.0;

/// The detection box, in tiles: it looks at every tile as far away as it is long, in every frame.
const BOX: RangeInclusive<f64> = 0.001..=100.0;

/// A behaviour by its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// `seek`.
    Seek,
    /// `flee`.
    Flee,
    /// `arrive`.
    Arrive,
    /// `pursue`.
    Pursue,
    /// `evade`.
    Evade,
    /// `interpose`.
    Interpose,
    /// `offset_pursue`.
    OffsetPursue,
    /// `dynamic_seek`.
    DynamicSeek,
    /// `dynamic_flee`.
    DynamicFlee,
    /// `dynamic_arrive`.
    DynamicArrive,
    /// `match_velocity`.
    MatchVelocity,
    /// `tether`.
    Tether,
    /// `wander`.
    Wander,
    /// `avoid_obstacles`.
    AvoidObstacles,
    /// `avoid_walls`.
    AvoidWalls,
}

impl Word {
    /// Every behaviour under its word in files.
    pub const ALL: [(&'static str, Self); 15] = [
        ("seek", Self::Seek),
        ("flee", Self::Flee),
        ("arrive", Self::Arrive),
        ("pursue", Self::Pursue),
        ("evade", Self::Evade),
        ("interpose", Self::Interpose),
        ("offset_pursue", Self::OffsetPursue),
        ("dynamic_seek", Self::DynamicSeek),
        ("dynamic_flee", Self::DynamicFlee),
        ("dynamic_arrive", Self::DynamicArrive),
        ("match_velocity", Self::MatchVelocity),
        ("tether", Self::Tether),
        ("wander", Self::Wander),
        ("avoid_obstacles", Self::AvoidObstacles),
        ("avoid_walls", Self::AvoidWalls),
    ];

    /// A row with it, in words.
    pub fn row(self) -> &'static str {
        match self {
            Self::Seek => "a `seek` row",
            Self::Flee => "a `flee` row",
            Self::Arrive => "an `arrive` row",
            Self::Pursue => "a `pursue` row",
            Self::Evade => "an `evade` row",
            Self::Interpose => "an `interpose` row",
            Self::OffsetPursue => "an `offset_pursue` row",
            Self::DynamicSeek => "a `dynamic_seek` row",
            Self::DynamicFlee => "a `dynamic_flee` row",
            Self::DynamicArrive => "a `dynamic_arrive` row",
            Self::MatchVelocity => "a `match_velocity` row",
            Self::Tether => "a `tether` row",
            Self::Wander => "a `wander` row",
            Self::AvoidObstacles => "an `avoid_obstacles` row",
            Self::AvoidWalls => "an `avoid_walls` row",
        }
    }

    /// Reads the parameters of the behaviour; what is missing or wrong is the default.
    pub fn read(self, table: &mut TableReader) -> Behaviour {
        match self {
            Self::Seek => Behaviour::Seek,
            Self::Flee => Behaviour::Flee(Flee { panic: table.float("panic", LENGTH) }),
            Self::Arrive => Behaviour::Arrive(arrive(table)),
            Self::Pursue => Behaviour::Pursue(pursue(table)),
            Self::Evade => Behaviour::Evade(evade(table)),
            Self::Interpose => Behaviour::Interpose,
            Self::OffsetPursue => Behaviour::OffsetPursue(offset_pursue(table)),
            Self::DynamicSeek => Behaviour::DynamicSeek,
            Self::DynamicFlee => Behaviour::DynamicFlee,
            Self::DynamicArrive => Behaviour::DynamicArrive(dynamic_arrive(table)),
            Self::MatchVelocity => Behaviour::MatchVelocity(match_velocity(table)),
            Self::Tether => Behaviour::Tether(tether(table)),
            Self::Wander => Behaviour::Wander(wander(table)),
            Self::AvoidObstacles => Behaviour::AvoidObstacles(avoid_obstacles(table)),
            Self::AvoidWalls => Behaviour::AvoidWalls(avoid_walls(table)),
        }
    }
}

fn arrive(table: &mut TableReader) -> Arrive {
    let default = Arrive::default();
    let words = [("slow", 3.0), ("normal", 2.0), ("fast", 1.0)];
    let deceleration = table.take("deceleration").and_then(|value| match value.get() {
        DeValue::String(_) => value.word(&words, &[]),
        _ => value.float(POSITIVE),
    });
    Arrive {
        deceleration: deceleration.unwrap_or(default.deceleration),
        tweak: table.float("tweak", POSITIVE).unwrap_or(default.tweak),
        tolerance: table.float("tolerance", 0.0..=1000.0).unwrap_or(default.tolerance),
    }
}

fn pursue(table: &mut TableReader) -> Pursue {
    let default = Pursue::default();
    Pursue {
        turn_time: table.float("turn_time", 0.0..=1000.0).unwrap_or(default.turn_time),
        head_on: table.float("head_on", -1.0..=1.0).unwrap_or(default.head_on),
    }
}

fn evade(table: &mut TableReader) -> Evade {
    Evade { threat: table.float("threat", LENGTH).or(Evade::default().threat) }
}

fn offset_pursue(table: &mut TableReader) -> OffsetPursue {
    let offset = table.require("offset").and_then(|entry| entry.vector());
    OffsetPursue { offset: offset.unwrap_or(Vec2::ZERO) }
}

fn dynamic_arrive(table: &mut TableReader) -> DynamicArrive {
    let default = DynamicArrive::default();
    DynamicArrive {
        target_radius: table.float("target_radius", REACH).unwrap_or(default.target_radius),
        slow_radius: table.float("slow_radius", LENGTH).unwrap_or(default.slow_radius),
        time_to_target: table.float("time_to_target", POSITIVE).unwrap_or(default.time_to_target),
    }
}

fn match_velocity(table: &mut TableReader) -> MatchVelocity {
    let default = MatchVelocity::default().time_to_target;
    MatchVelocity { time_to_target: table.float("time_to_target", POSITIVE).unwrap_or(default) }
}

fn tether(table: &mut TableReader) -> Tether {
    let radius = table.require("radius").and_then(|entry| entry.float(LENGTH));
    Tether { radius: radius.unwrap_or(1.0) }
}

fn wander(table: &mut TableReader) -> Wander {
    let default = Wander::default();
    Wander {
        radius: table.float("radius", LENGTH).unwrap_or(default.radius),
        distance: table.float("distance", REACH).unwrap_or(default.distance),
        jitter: table.float("jitter", 0.0..=10_000.0).unwrap_or(default.jitter),
        strength: table.float("strength", 0.001..=10_000.0).unwrap_or(default.strength),
    }
}

fn avoid_obstacles(table: &mut TableReader) -> AvoidObstacles {
    let default = AvoidObstacles::default();
    AvoidObstacles {
        box_length: table.float("box", BOX).unwrap_or(default.box_length),
        brake: table.float("brake", 0.0..=1000.0).unwrap_or(default.brake),
        margin: table.float("margin", 0.0..=1000.0).unwrap_or(default.margin),
    }
}

fn avoid_walls(table: &mut TableReader) -> AvoidWalls {
    let default = AvoidWalls::default();
    let angle = table.float("angle", 0.0..=180.0).map(f32::to_radians);
    AvoidWalls {
        feeler: table.float("feeler", FEELER).unwrap_or(default.feeler),
        side: table.float("side", 0.001..=1.0).unwrap_or(default.side),
        angle: angle.unwrap_or(default.angle),
    }
}
