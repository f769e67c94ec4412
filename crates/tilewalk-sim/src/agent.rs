//! The design of an agent: its body, its modes, and what drives each mode.

use std::sync::Arc;

use crate::body::Body;
use crate::color::Color;
use crate::condition::Condition;
use crate::id::{AgentId, GroupId};
use crate::pattern::{Pattern, Placement};
use crate::rng::name_hash;
use crate::steering::{self, Sighted, Target, combine::Combine};

/// One `[[agent]]` of a map: a single agent, or a numbered lot of equals.
#[derive(Debug, Clone)]
pub struct AgentKind {
    /// Its name; members of a lot are called `name.1` … `name.N`.
    pub name: String,
    /// The glyph that stands for it: one grapheme of width 1.
    pub glyph: String,
    /// Its colour on the screen, if it asks for one.
    pub color: Option<Color>,
    /// The group it belongs to.
    pub group: Option<GroupId>,
    /// Its body.
    pub body: Body,
    /// Its modes, at least one; it starts in the first.
    pub modes: Vec<Mode>,
    /// Whom it looks out for: what its rules ask about, and whose last place it goes to.
    pub watched: Vec<Sighted>,
    /// Frames from one look around, and from one trial of its rules, to the next; ≥ 1.
    pub every: u32,
    /// Its first agent.
    pub first: AgentId,
    /// How many agents there are of it; ≥ 1.
    pub count: u32,
}

impl AgentKind {
    /// Its agents, in agent order: kind by kind, they are all there are.
    pub fn ids(&self) -> impl Iterator<Item = AgentId> + use<> {
        (self.first.0..self.first.0 + self.count).map(AgentId)
    }
}

/// One way of moving.
#[derive(Debug, Clone)]
pub struct Mode {
    /// Its name; the drive's word for an agent without `[[agent.mode]]`.
    pub name: String,
    /// [`name_hash`] of its name: the part of a die's key.
    pub key: u64,
    /// Frames a step on tiles takes; ≥ 1.
    pub pace: u32,
    /// What moves the body.
    pub drive: Drive,
    /// Does its pattern go on where it was left, when the mode is entered again?
    pub resume: bool,
    /// When to change to another mode: the first rule that holds counts.
    pub rules: Vec<Rule>,
}

/// When to change from one mode to another.
#[derive(Debug, Clone)]
pub struct Rule {
    /// If this holds …
    pub when: Condition,
    /// … then to this mode: its index in [`AgentKind::modes`].
    pub to: u16,
}

impl Mode {
    /// Is a solid body in this mode moved by others that overlap it, at the pattern of its list that is
    /// `pick`ed? Who walks on tiles keeps to them, and who stands stays.
    pub fn gives_way(&self, pick: u16) -> bool {
        !self.is_on_tiles(pick) && !matches!(self.drive, Drive::Stand)
    }

    /// Does it give way at any of its patterns?
    pub fn may_give_way(&self) -> bool {
        !self.drive.is_on_tiles() && !matches!(self.drive, Drive::Stand)
    }

    /// Does a body in this mode move from tile centre to tile centre, at the pattern of its list that
    /// is `pick`ed?
    pub fn is_on_tiles(&self, pick: u16) -> bool {
        match self.drive.pattern(pick) {
            Some(used) => used.pattern.is_on_tiles(),
            None => self.drive.is_on_tiles(),
        }
    }

    /// A mode with its key, without rules, whose pattern always begins anew.
    pub fn new(name: String, pace: u32, drive: Drive) -> Self {
        Self { key: name_hash(&name), name, pace, drive, resume: false, rules: Vec::new() }
    }
}

/// Frames a step on tiles takes, unless the mode says otherwise.
pub const DEFAULT_PACE: u32 = 4;

/// What moves the body in a mode.
#[derive(Debug, Clone)]
pub enum Drive {
    /// Nothing does.
    Stand,
    /// A force, combined of what behaviours propose.
    Steer {
        /// How they are combined.
        combine: Combine,
        /// The behaviours, in order.
        rows: Vec<steering::Row>,
    },
    /// A pattern.
    Pattern {
        /// The name the map gives it.
        name: String,
        /// The pattern itself; agents and modes share it.
        pattern: Arc<Pattern>,
        /// Where its anchor stands.
        placement: Placement,
    },
    /// A person, if one does.
    Keys {
        /// From tile centre to tile centre, or as a vehicle?
        on_tiles: bool,
    },
    /// Several patterns, one after the other.
    Patterns {
        /// At least one; a pattern may stand in it several times.
        list: Vec<Placed>,
        /// Which one comes next when one ends.
        choose: Choose,
    },
    /// Towards a target, tile by tile along a straight line.
    Chase {
        /// Whom or what it chases.
        target: Target,
    },
    /// Away from a target, tile by tile.
    FleeTiles {
        /// From whom or what it flees.
        target: Target,
    },
    /// To a target by the cheapest walk.
    Travel {
        /// Where it goes.
        target: Target,
    },
}

/// A pattern with its name and its place.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The name the map gives it.
    pub name: String,
    /// The pattern itself; agents and modes share it.
    pub pattern: Arc<Pattern>,
    /// Where its anchor stands.
    pub placement: Placement,
}

/// Which of several patterns comes next when one ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choose {
    /// The next in the list, after the last the first.
    #[default]
    Cycle,
    /// Any of them, each as likely as the others, the one that ended as well. The first is drawn too.
    Random,
}

impl Choose {
    /// Every way with its word in files.
    pub const WORDS: [(&'static str, Self); 2] = [("cycle", Self::Cycle), ("random", Self::Random)];
}

/// One of a drive's patterns, as it stands there.
#[derive(Debug, Clone, Copy)]
pub struct PatternUse<'a> {
    /// The name the map gives it.
    pub name: &'a str,
    /// The pattern.
    pub pattern: &'a Arc<Pattern>,
    /// Where its anchor stands.
    pub placement: Placement,
}

impl Drive {
    /// The word for it in traces and on the screen; of several patterns, that of the first.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Steer { .. } => "steer",
            Self::Pattern { .. } | Self::Patterns { .. } => {
                self.pattern(0).map_or("stand", |used| used.pattern.word())
            }
            Self::Chase { .. } => "chase",
            Self::FleeTiles { .. } => "flee_tiles",
            Self::Travel { .. } => "travel",
            Self::Keys { .. } => "keys",
        }
    }

    /// The rows of its steering list; none of any other drive.
    pub fn steering(&self) -> &[steering::Row] {
        match self {
            Self::Steer { rows, .. } => rows,
            _ => &[],
        }
    }

    /// Does it move the body from tile centre to tile centre, whatever pattern it is at?
    pub fn is_on_tiles(&self) -> bool {
        match self {
            Self::Stand | Self::Steer { .. } => false,
            Self::Keys { on_tiles } => *on_tiles,
            Self::Pattern { .. } | Self::Patterns { .. } => {
                self.patterns().all(|used| used.pattern.is_on_tiles())
            }
            Self::Chase { .. } | Self::FleeTiles { .. } | Self::Travel { .. } => true,
        }
    }

    /// The pattern at a place of its list; a drive with one has it at 0.
    pub fn pattern(&self, index: u16) -> Option<PatternUse<'_>> {
        match self {
            Self::Pattern { name, pattern, placement } => {
                let only = PatternUse { name, pattern, placement: *placement };
                (index == 0).then_some(only)
            }
            Self::Patterns { list, .. } => {
                let Placed { name, pattern, placement } = list.get(usize::from(index))?;
                Some(PatternUse { name, pattern, placement: *placement })
            }
            _ => None,
        }
    }

    /// Its patterns, in order.
    pub fn patterns(&self) -> impl Iterator<Item = PatternUse<'_>> {
        (0..).map_while(|index| self.pattern(index))
    }

    /// What it is about, if it goes to or from a target on tiles.
    pub fn target(&self) -> Option<Target> {
        match *self {
            Self::Chase { target } | Self::FleeTiles { target } | Self::Travel { target } => {
                Some(target)
            }
            _ => None,
        }
    }
}

/// Whom an agent with these modes has to look out for, in the order they are first named.
pub fn watched(modes: &[Mode]) -> Vec<Sighted> {
    let mut watched = Vec::new();
    let mut watch = |sighted: Sighted| {
        if !watched.contains(&sighted) {
            watched.push(sighted);
        }
    };
    for mode in modes {
        for rule in &mode.rules {
            rule.when.test().visit_sights(&mut watch);
        }
        let rows = mode.drive.steering().iter().flat_map(|row| [row.target, row.other]);
        for target in rows.chain([mode.drive.target()]).flatten() {
            if let Target::LastSeen(sighted) = target {
                watch(sighted);
            }
        }
    }
    watched
}
