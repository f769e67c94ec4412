//! Determines which numbers of an agent have an effect.
//!
//! The value list shows the numbers of the current mode first, and marks unused numbers.
//! `tests/files/parameter_usage.rs` runs the shipped maps and checks that unused numbers have no
//! effect.

use core::fmt;

use super::TunableValue;
use super::{EntryId, InnerTable, ValuePath};
use crate::keys::agent::AGENT;
use crate::keys::steer;
use crate::keys::table::Usage;
use tilewalk_sim::agent::{AgentKind, Drive, Mode};
use tilewalk_sim::body::{self, Needs};
use tilewalk_sim::pattern::Pattern;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::steering::combine::Combine;
use tilewalk_sim::steering::is_oriented;

/// Effect of a number on an agent. The most relevant variants come first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterUsage {
    /// The number affects the current mode.
    Now,
    /// The number affects another mode.
    OtherMode,
    /// The number affects all modes.
    Always,
    /// The number has no effect.
    None(Unused),
}

/// Reason why a number has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unused {
    /// None of the agent's types of motion uses the number. Contains these types.
    By(Vec<Mover>),
    /// The agent moves by steering forces, but no behaviour turns the agent's body.
    NeverTurns,
    /// No condition tests what the agent sees.
    NoViewChecks,
    /// The agent has no transitions and looks for no other agents.
    NoTransitions,
    /// The behaviour is disabled.
    Disabled,
    /// Only `combine = "dithered"` uses probabilities.
    NotDithered,
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::By(movers) => {
                let words: Vec<_> = movers.iter().map(|mover| mover.word()).collect();
                write!(f, "not used by {}", words.join(" or "))
            }
            Self::NeverTurns => f.write_str("not used: body never turns"),
            Self::NoViewChecks => f.write_str("not used: no view checks"),
            Self::NoTransitions => f.write_str("not used: no transitions"),
            Self::Disabled => f.write_str("not used: disabled"),
            Self::NotDithered => f.write_str("used only by `dithered`"),
        }
    }
}

/// Type of motion of a body. Each type uses different numbers of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mover {
    /// The body never moves.
    Standing,
    /// The body moves from tile centre to tile centre.
    Walker,
    /// The body follows a `steps` pattern whose directions are in degrees.
    Glider,
    /// Steering forces move the body.
    Vehicle,
    /// Thrusters move the body.
    Craft,
}

impl Mover {
    fn word(self) -> &'static str {
        match self {
            Self::Standing => "a standing agent",
            Self::Walker => "a walker",
            Self::Glider => "a steps walker",
            Self::Vehicle => "a vehicle",
            Self::Craft => "a craft",
        }
    }
}

use Mover::{Craft, Vehicle};

/// An agent kind with its current mode.
#[derive(Debug, Clone, Copy)]
pub struct AgentActivity<'a> {
    /// Scenario that contains the agent kind.
    pub scenario: &'a Scenario,
    /// Agent kind to evaluate.
    pub kind: &'a AgentKind,
    /// Current mode; `None` to treat all modes as current.
    pub mode: Option<&'a Mode>,
    /// Whether the user drives the agent as a vehicle.
    pub by_hand: bool,
}

/// A tunable value, and its effect on an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedValue {
    /// The value, with range and default.
    pub tunable: TunableValue,
    /// Effect of the value on the agent.
    pub usage: ParameterUsage,
}

impl RankedValue {
    /// Returns the reason why the value has no effect; `None` if the value has an effect.
    pub fn unused(&self) -> Option<&Unused> {
        self.usage.unused()
    }
}

impl ParameterUsage {
    /// Returns the reason why the number has no effect; `None` if the number has an effect.
    pub fn unused(&self) -> Option<&Unused> {
        if let Self::None(why) = self { Some(why) } else { None }
    }
}

impl AgentActivity<'_> {
    /// Sorts tunable values by their usage by the agent, most used first. Values of equal
    /// usage keep their order.
    pub fn ranked(&self, tunables: Vec<TunableValue>) -> Vec<RankedValue> {
        let rank = |tunable: TunableValue| {
            let usage = self.usage(&tunable.path);
            RankedValue { tunable, usage }
        };
        let mut ranked: Vec<_> = tunables.into_iter().map(rank).collect();
        // All unused values have the same rank, so they keep the order of the file.
        ranked.small_sort_by_key(|each| match each.usage {
            ParameterUsage::Now => 0,
            ParameterUsage::OtherMode => 1,
            ParameterUsage::Always => 2,
            ParameterUsage::None(_) => 3,
        });
        ranked
    }

    /// Returns how the number at a path affects the agent.
    pub fn usage(&self, path: &ValuePath) -> ParameterUsage {
        if let Some(usage) = usage(path) {
            return self.missing_use(usage).map_or(ParameterUsage::Always, ParameterUsage::None);
        }
        let Some(mode) = mode_of(self.kind, path) else { return ParameterUsage::Always };
        let present = self.mode.is_none_or(|present| core::ptr::eq(present, mode));
        match in_mode(mode, path) {
            Some(why) => ParameterUsage::None(why),
            None if present => ParameterUsage::Now,
            None => ParameterUsage::OtherMode,
        }
    }

    /// Returns the reason why a number with this usage has no effect on the agent. Returns `None`
    /// if the number has an effect.
    fn missing_use(&self, usage: Usage) -> Option<Unused> {
        match usage {
            Usage::Always | Usage::Dithered => None,
            Usage::Body(needs) => self.missing_body_use(needs),
            Usage::Checks => {
                let thinks = self.kind.conditions().next().is_some();
                (!thinks && self.kind.watched.is_empty()).then_some(Unused::NoTransitions)
            }
        }
    }

    fn missing_body_use(&self, needs: Needs) -> Option<Unused> {
        let movers = self.movers();
        let (vehicle, craft) = (movers.contains(&Vehicle), movers.contains(&Craft));
        let turns = || self.kind.modes.iter().any(|mode| is_oriented(mode.drive.steering()));
        let is_used = match needs {
            Needs::Nothing => true,
            Needs::Forces => vehicle,
            Needs::ForcesOrThrust => vehicle || craft,
            Needs::Thrust => craft,
            Needs::Turns if vehicle && !turns() => return Some(Unused::NeverTurns),
            Needs::Turns => turns(),
            Needs::Looks if self.needs_view() => true,
            Needs::Looks => return Some(Unused::NoViewChecks),
        };
        (!is_used).then_some(Unused::By(movers))
    }

    /// Returns all types of motion of the agent, in all its modes.
    fn movers(&self) -> Vec<Mover> {
        let mut movers: Vec<_> = self.kind.modes.iter().flat_map(movers_of).collect();
        movers.extend(self.by_hand.then_some(Vehicle));
        movers.sort_unstable();
        movers.dedup();
        // Standing counts only for agents that never move.
        if movers.len() > 1 {
            movers.retain(|mover| *mover != Mover::Standing);
        }
        movers
    }

    /// Returns true if the agent looks for other agents, or if any condition tests what the agent
    /// sees.
    fn needs_view(&self) -> bool {
        let asks = |kind: &AgentKind, myself: bool| {
            kind.conditions().any(|condition| condition.test().contains_sees(myself))
        };
        let mut kinds = self.scenario.kinds().iter();
        let clocks = self.scenario.spawns().iter().filter_map(|spawn| spawn.clock());
        let mut conditions = clocks.filter_map(|clock| clock.when.as_ref());
        !self.kind.watched.is_empty()
            || conditions.any(|condition| condition.test().contains_sees(false))
            || asks(self.kind, true)
            || kinds.any(|kind| asks(kind, false))
    }
}

/// Returns when a number of an agent has an effect. Returns `None` for numbers of modes, and for
/// numbers that always have an effect.
fn usage(path: &ValuePath) -> Option<Usage> {
    let number = |key: &str| body::number(key).map(|number| Usage::Body(number.needs));
    let key = &path.key;
    let table = path.table.as_ref()?;
    match (&table.mode, &table.inner) {
        (None, InnerTable::Body) => number(key),
        (None, InnerTable::View) => number(&format!("view.{key}")),
        (None, InnerTable::Own) => {
            AGENT.key(key).map(|key| key.usage).filter(|usage| *usage != Usage::Always)
        }
        (None, InnerTable::Entry(..)) | (Some(_), _) => None,
    }
}

/// Returns the mode that a path belongs to; `None` for a path outside of modes. For an agent
/// without `[[agent.mode]]`, returns its only mode.
fn mode_of<'a>(kind: &'a AgentKind, path: &ValuePath) -> Option<&'a Mode> {
    let table = path.table.as_ref()?;
    let of_mode = match &table.inner {
        InnerTable::Own => path.key == "pace",
        InnerTable::Entry(list, _) => list == "steer",
        InnerTable::Body | InnerTable::View => false,
    };
    let mut modes = kind.modes.iter().filter(|_| of_mode);
    modes.find(|mode| table.mode.as_ref().is_none_or(|name| mode.name == *name))
}

/// Returns the reason why a number of a mode has no effect; `None` if the number has an effect.
fn in_mode(mode: &Mode, path: &ValuePath) -> Option<Unused> {
    let Drive::Steer { combine, rows } = &mode.drive else { return None };
    let InnerTable::Entry(_, EntryId::Number(number)) = &path.table.as_ref()?.inner else {
        return None;
    };
    let row = rows.get(number.checked_sub(1)?)?;
    let usage = steer::table(row.behaviour.spec()).key(&path.key).map(|key| key.usage);
    if !row.enabled {
        return Some(Unused::Disabled);
    }
    let is_idle = usage == Some(Usage::Dithered) && *combine != Combine::Dithered;
    is_idle.then_some(Unused::NotDithered)
}

/// Returns all types of motion in a mode.
fn movers_of(mode: &Mode) -> Vec<Mover> {
    let pattern = |pattern: &Pattern| match pattern {
        Pattern::Thrust(_) => Craft,
        Pattern::Path(_) | Pattern::Matrix(_) | Pattern::Steps(_) => {
            if pattern.is_on_tiles() {
                Mover::Walker
            } else {
                Mover::Glider
            }
        }
    };
    match &mode.drive {
        Drive::Stand => vec![Mover::Standing],
        Drive::Steer { .. } | Drive::Keys { on_tiles: false } => vec![Vehicle],
        Drive::Pattern(_) | Drive::Patterns { .. } => {
            mode.drive.patterns().map(|used| pattern(&used.pattern)).collect()
        }
        Drive::Keys { on_tiles: true }
        | Drive::Chase { .. }
        | Drive::FleeTiles { .. }
        | Drive::Travel { .. } => vec![Mover::Walker],
    }
}
