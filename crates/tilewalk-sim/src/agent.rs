//! Agent kinds: bodies, modes, and the drive of each mode.

use std::slice;
use std::sync::Arc;

use crate::body::Body;
use crate::color::Color;
use crate::condition::Condition;
use crate::condition::words::Fact;
use crate::id::{AgentId, GroupId};
use crate::pattern::{Pattern, Placement};
use crate::rng::name_hash;
use crate::steering::{self, SightTarget, Target, combine::Combine, intent};

/// The definition of one agent, of a numbered group of identical agents, or of a template.
/// Corresponds to one `[[agent]]` entry of a map file.
#[derive(Debug, Clone)]
pub struct AgentKind {
    /// Name of the agent. The agents of a numbered group are called `name.1` … `name.N`.
    pub name: String,
    /// Glyph shown on the screen: one grapheme, one terminal column wide.
    pub glyph: String,
    /// Colour of the glyph; `None` for the default colour of agents.
    pub color: Option<Color>,
    /// Group of the agents; `None` if they are in no group.
    pub group: Option<GroupId>,
    /// Size, mass, limits and senses of each agent.
    pub body: Body,
    /// The modes, at least one. Agents start in the first mode.
    pub modes: Vec<Mode>,
    /// Targets whose visibility the agents track: the targets of `sees` and `last_seen`, in order
    /// of first use.
    pub watched: Vec<SightTarget>,
    /// Interval between evaluations of transitions, in frames; at least 1. The visibility of
    /// targets is checked at the same interval.
    pub every: u32,
    /// Id of the first agent of this kind. The ids of the kind's other agents follow without gaps.
    pub first: AgentId,
    /// Number of agents, at least 1. For a template, the largest number of instances at once.
    pub count: u32,
    /// Whether the agents are instances of a template. Instances appear by spawn rules.
    pub template: bool,
    /// Condition that removes an agent from the world in any mode; `None` if there is no such
    /// condition.
    pub remove: Option<Condition>,
}

impl AgentKind {
    /// Returns the agents of this kind, in agent order. The agents of a kind have consecutive ids.
    pub fn ids(&self) -> impl Iterator<Item = AgentId> + use<> {
        (self.first.0..self.first.0 + self.count).map(AgentId)
    }

    /// Returns true if the drive of at least one mode has a destination.
    pub(crate) fn has_goal(&self) -> bool {
        self.modes.iter().any(|mode| mode.drive.has_goal())
    }

    /// Iterates over the transition and removal conditions of each mode, then over the removal
    /// condition of the kind.
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        let of_modes = self.modes.iter().flat_map(Mode::conditions);
        of_modes.chain(&self.remove)
    }

    /// Returns true if at least one mode has transitions.
    pub(crate) fn has_rules(&self) -> bool {
        self.modes.iter().any(|mode| !mode.rules.is_empty())
    }

    /// Returns true if a condition can remove agents of this kind. Lifetimes do not count.
    pub(crate) fn can_leave(&self) -> bool {
        self.remove.is_some() || self.modes.iter().any(|mode| mode.remove.is_some())
    }
}

/// A state of an agent's state machine.
#[derive(Debug, Clone)]
pub struct Mode {
    /// Name of the mode. The only mode of an agent without `[[agent.mode]]` is named after its
    /// drive.
    pub name: String,
    /// [`name_hash`] of the mode's name; part of the RNG key.
    pub key: u64,
    /// Frames per step on tiles; at least 1.
    pub pace: u32,
    /// Method of movement while the mode is active.
    pub drive: Drive,
    /// Whether a pattern resumes when the agent enters the mode again. If false, the pattern starts
    /// over.
    pub resume: bool,
    /// Transitions to other modes, in order of priority. The first transition whose condition holds
    /// is taken.
    pub rules: Vec<Rule>,
    /// Condition that removes an agent in this mode from the world; `None` if there is no such
    /// condition.
    pub remove: Option<Condition>,
    /// Text of the signal that an agent sends when a transition leads into this mode; `None` for no
    /// signal.
    pub on_enter: Option<String>,
    /// Text of the signal that an agent sends when a transition leads out of this mode; `None` for
    /// no signal.
    pub on_leave: Option<String>,
}

/// A transition from one mode to another.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The agent changes its mode when this condition holds.
    pub when: Condition,
    /// Index of the new mode in [`AgentKind::modes`].
    pub to: u16,
    /// Text of the signal that the agent sends with the transition; `None` for no signal.
    pub signal: Option<String>,
}

/// The part of an agent's definition that sends a signal, in one of its modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalSource {
    /// A row of a steps pattern, or a leg of a thrust pattern, that started.
    Row {
        /// Index of the pattern in the mode's list.
        pick: u16,
        /// Index of the row or leg in the pattern.
        row: u32,
    },
    /// A transition that changed the mode. The value is its index in the old mode's list.
    Transition(u16),
    /// The mode, which the agent entered.
    Enter,
    /// The mode, which the agent left.
    Leave,
}

impl Mode {
    /// Returns the text of a signal. Returns `None` if this mode has no such signal.
    pub(crate) fn signal(&self, source: SignalSource) -> Option<&str> {
        match source {
            SignalSource::Row { pick, row } => {
                self.drive.pattern(pick)?.pattern.signal(row as usize)
            }
            SignalSource::Transition(rule) => self.rules.get(usize::from(rule))?.signal.as_deref(),
            SignalSource::Enter => self.on_enter.as_deref(),
            SignalSource::Leave => self.on_leave.as_deref(),
        }
    }

    /// Iterates over the texts of all signals that an agent can send in this mode, on entering it
    /// or on leaving it.
    pub fn signals(&self) -> impl Iterator<Item = &str> {
        let of_rules = self.rules.iter().filter_map(|rule| rule.signal.as_deref());
        let of_mode = [&self.on_enter, &self.on_leave].into_iter().filter_map(|it| it.as_deref());
        let patterns = self.drive.patterns();
        let of_patterns = patterns.flat_map(|used| used.pattern.signals());
        of_rules.chain(of_mode).chain(of_patterns)
    }

    /// Returns true if other solid bodies can push a solid agent in this mode. Standing agents
    /// can't be pushed. Agents that move from tile centre to tile centre can't be pushed either.
    ///
    /// `pick` is the index of the current pattern in the mode's list.
    pub(crate) fn gives_way(&self, pick: u16) -> bool {
        !self.is_on_tiles(pick) && !matches!(self.drive, Drive::Stand)
    }

    /// Returns true if other bodies can push a solid agent in this mode. For a list of patterns,
    /// one pattern that allows this is sufficient.
    pub(crate) fn may_give_way(&self) -> bool {
        !self.drive.is_on_tiles() && !matches!(self.drive, Drive::Stand)
    }

    /// Returns true if a body in this mode can move from tile centre to tile centre. For a list of
    /// patterns, one pattern on tiles is sufficient.
    pub fn may_walk(&self) -> bool {
        let walks = |used: &Placed| used.pattern.is_on_tiles();
        self.drive.is_on_tiles() || self.drive.patterns().any(walks)
    }

    /// Returns true if a body in this mode moves from tile centre to tile centre. `pick` is the
    /// index of the current pattern in the mode's list.
    pub(crate) fn is_on_tiles(&self, pick: u16) -> bool {
        match self.drive.pattern(pick) {
            Some(used) => used.pattern.is_on_tiles(),
            None => self.drive.is_on_tiles(),
        }
    }

    fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.rules.iter().map(|rule| &rule.when).chain(&self.remove)
    }

    /// Creates a mode without transitions. [`Mode::resume`] is false. `pace` is the number of
    /// frames per step on tiles.
    pub fn new(name: String, pace: u32, drive: Drive) -> Self {
        let (key, rules) = (name_hash(&name), Vec::new());
        Self {
            key,
            name,
            pace,
            drive,
            resume: false,
            rules,
            remove: None,
            on_enter: None,
            on_leave: None,
        }
    }
}

/// Default of [`Mode::pace`]: frames per step on tiles.
pub const DEFAULT_PACE: u32 = 4;

/// Method of movement in a mode.
#[derive(Debug, Clone)]
pub enum Drive {
    /// The agent does not move.
    Stand,
    /// Steering behaviours produce forces that move the agent.
    Steer {
        /// Method that combines the outputs of the behaviours.
        combine: Combine,
        /// The steering behaviours, in list order.
        rows: Vec<steering::WeightedBehaviour>,
    },
    /// The agent follows one pattern.
    Pattern(Placed),
    /// Only manual control moves the agent.
    Keys {
        /// Whether the agent moves from tile centre to tile centre. Otherwise, the agent moves as a
        /// vehicle.
        on_tiles: bool,
    },
    /// The agent follows several patterns, one after another.
    Patterns {
        /// The patterns, at least one. A pattern can occur several times.
        list: Vec<Placed>,
        /// Method that chooses the next pattern.
        choose: Choose,
    },
    /// The agent steps on tiles along a straight line towards a target.
    Chase {
        /// Agent, group or position to chase.
        target: Target,
    },
    /// The agent steps on tiles away from a target.
    FleeTiles {
        /// Agent, group or position to flee from.
        target: Target,
    },
    /// The agent follows the cheapest route on tiles to a target.
    Travel {
        /// Destination of the route.
        target: Target,
    },
}

/// A pattern with its name and placement.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Name of the pattern in the map.
    pub name: String,
    /// The pattern, shared between agents and modes.
    pub pattern: Arc<Pattern>,
    /// Position of the pattern's anchor on the map.
    pub placement: Placement,
}

/// Method that chooses the next pattern of a mode's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choose {
    /// Patterns run in list order. The first pattern follows the last one.
    #[default]
    Cycle,
    /// Each pattern, including the first, is drawn at random with equal probability. The pattern
    /// that just ended can be drawn again.
    Random,
}

impl Choose {
    /// The methods, each with its keyword in files.
    pub const WORDS: [(&'static str, Self); 2] = [("cycle", Self::Cycle), ("random", Self::Random)];
}

impl Drive {
    /// Creates a drive that steers. Earlier behaviours of the list have priority (see
    /// [`Combine::Prioritized`]).
    pub fn steer<B: Into<steering::WeightedBehaviour>>(rows: impl IntoIterator<Item = B>) -> Self {
        let rows = rows.into_iter().map(Into::into).collect();
        Self::Steer { combine: Combine::Prioritized, rows }
    }

    /// Returns the keyword of the drive in traces and on the screen. For a list of patterns, this
    /// is the keyword of the first pattern.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Steer { .. } => "steer",
            Self::Pattern(_) | Self::Patterns { .. } => {
                self.pattern(0).map_or("stand", |used| used.pattern.word())
            }
            Self::Chase { .. } => "chase",
            Self::FleeTiles { .. } => "flee_tiles",
            Self::Travel { .. } => "travel",
            Self::Keys { .. } => "keys",
        }
    }

    /// Returns the steering behaviours; empty for drives other than [`Drive::Steer`].
    pub fn steering(&self) -> &[steering::WeightedBehaviour] {
        if let Self::Steer { rows, .. } = self { rows } else { &[] }
    }

    /// Returns true if the drive moves the agent from tile centre to tile centre. For a list of
    /// patterns, returns true if all patterns of the list do so.
    pub fn is_on_tiles(&self) -> bool {
        match self {
            Self::Stand | Self::Steer { .. } => false,
            Self::Keys { on_tiles } => *on_tiles,
            Self::Pattern(_) | Self::Patterns { .. } => {
                self.patterns().all(|used| used.pattern.is_on_tiles())
            }
            Self::Chase { .. } | Self::FleeTiles { .. } | Self::Travel { .. } => true,
        }
    }

    /// Returns the pattern at an index of the drive's list; `None` beyond the list. A single
    /// pattern has index 0.
    pub(crate) fn pattern(&self, index: u16) -> Option<&Placed> {
        self.patterns().nth(usize::from(index))
    }

    /// Returns true if the drive has a destination. `chase` and `travel` always have one. A
    /// steering list has one if an active behaviour leads to a position.
    pub(crate) fn has_goal(&self) -> bool {
        match self {
            Self::Steer { rows, .. } => intent::has_goal(rows),
            Self::Chase { .. } | Self::Travel { .. } => true,
            Self::Stand
            | Self::Pattern(_)
            | Self::Patterns { .. }
            | Self::Keys { .. }
            | Self::FleeTiles { .. } => false,
        }
    }

    /// Iterates over the patterns of the drive, in list order. Empty for drives without patterns.
    pub fn patterns(&self) -> impl Iterator<Item = &Placed> {
        let patterns = match self {
            Self::Pattern(placed) => slice::from_ref(placed),
            Self::Patterns { list, .. } => list,
            Self::Stand
            | Self::Steer { .. }
            | Self::Keys { .. }
            | Self::Chase { .. }
            | Self::FleeTiles { .. }
            | Self::Travel { .. } => &[],
        };
        patterns.iter()
    }

    /// Returns the facts that can't be true in a mode with this drive.
    pub fn impossible_facts(&self) -> &'static [Fact] {
        const NEVER: &[Fact] = &[Fact::Arrived, Fact::Finished, Fact::Joining];
        match self {
            Self::Travel { .. } => &[Fact::Finished, Fact::Joining],
            Self::Patterns { .. } => &[Fact::Arrived],
            Self::Pattern(used) => match used.pattern.as_ref() {
                Pattern::Path(path) if path.is_closed() => &[Fact::Arrived, Fact::Finished],
                Pattern::Path(_) | Pattern::Matrix(_) => &[Fact::Arrived],
                Pattern::Steps(steps) if !steps.repeat => &[Fact::Arrived, Fact::Joining],
                Pattern::Thrust(thrust) if !thrust.repeat => &[Fact::Arrived, Fact::Joining],
                Pattern::Steps(_) | Pattern::Thrust(_) => NEVER,
            },
            Self::Stand
            | Self::Steer { .. }
            | Self::Keys { .. }
            | Self::Chase { .. }
            | Self::FleeTiles { .. } => NEVER,
        }
    }

    /// Returns the target of [`Drive::Chase`], [`Drive::FleeTiles`] or [`Drive::Travel`]; `None`
    /// for other drives.
    pub fn target(&self) -> Option<Target> {
        match *self {
            Self::Chase { target } | Self::FleeTiles { target } | Self::Travel { target } => {
                Some(target)
            }
            Self::Stand
            | Self::Steer { .. }
            | Self::Pattern(_)
            | Self::Keys { .. }
            | Self::Patterns { .. } => None,
        }
    }
}

/// Returns the targets whose visibility an agent with these modes must track, in order of first
/// use. `remove` is the condition that removes the agent in any mode.
pub fn watched(modes: &[Mode], remove: Option<&Condition>) -> Vec<SightTarget> {
    let mut watched = Vec::new();
    let mut watch = |sighted: SightTarget| {
        if !watched.contains(&sighted) {
            watched.push(sighted);
        }
    };
    for mode in modes {
        mode.conditions().for_each(|condition| condition.test().visit_sights(&mut watch));
        let rows = mode.drive.steering().iter().flat_map(|row| [row.target, row.other]);
        for target in rows.chain([mode.drive.target()]).flatten() {
            if let Target::LastSeen(sighted) = target {
                watch(sighted);
            }
        }
    }
    if let Some(remove) = remove {
        remove.test().visit_sights(&mut watch);
    }
    watched
}
