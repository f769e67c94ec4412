//! Builds a [`Scenario`] in code. A [`Builder`] collects a map, places and agents, and each
//! [`Agent`] contains its modes and transitions. [`Builder::build`] checks all parts and reports
//! every mistake at once, as [`BuildError`]s.
//!
//! ```
//! use std::sync::Arc;
//! use tilewalk_sim::agent::Drive;
//! use tilewalk_sim::geom::Vec2;
//! use tilewalk_sim::history::{DEFAULT_BUDGET, History};
//! use tilewalk_sim::map::{Edges, Map};
//! use tilewalk_sim::scenario::builder::{Agent, Builder};
//! use tilewalk_sim::steering::combine::Combine;
//! use tilewalk_sim::steering::{Behaviour, Target, WeightedBehaviour};
//! use tilewalk_sim::step;
//! use tilewalk_sim::time::Frame;
//!
//! let map = Map::drawn(&["..........", "....##....", ".........."], Edges::Wall).expect("a map");
//! let mut builder = Builder::new(map);
//! let seek = WeightedBehaviour::new(Behaviour::Seek, Target::Point(Vec2::new(8.5, 0.5)));
//! let drive = Drive::Steer { combine: Combine::Weighted, rows: vec![seek] };
//! let cat = builder.add(Agent::new("cat", Vec2::new(0.5, 0.5)).drive(drive));
//! let scenario = Arc::new(builder.build().expect("a valid scenario"));
//!
//! let mut history = History::new(scenario, DEFAULT_BUDGET);
//! for _ in 0..20 {
//!     history.step(&[]);
//! }
//! let position = history.world().position(cat);
//! let why = step::explain(history.before(), cat);
//! assert_eq!(why.forces.rows[0].behaviour, "seek");
//!
//! history.go_to(Frame(5));
//! assert!(history.world().position(cat).x < position.x);
//! ```

mod check;

use std::sync::Arc;

use crate::agent::{AgentKind, DEFAULT_PACE, Drive, Mode, Rule, watched};
use crate::body::Body;
use crate::color::Color;
use crate::condition::{Condition, ConditionContext, ConditionError};
use crate::geom::{TilePos, Vec2, heading};
use crate::id::{AgentId, GroupId, SteeringPathId};
use crate::map::Map;
use crate::scenario::limits::{MAX_AGENTS, MAX_COORDINATE, MAX_PACE};
use crate::scenario::sources::Sources;
use crate::scenario::spawn::Spawn;
use crate::scenario::{Group, Place, Scenario, Start};
use crate::steering::SteeringPath;
use crate::steering::path::MAX_POINTS;

/// Maximum length of a name, in characters.
pub const MAX_NAME: usize = 32;

/// Returns true if a text is a valid name of an agent, a group, a place or a mode. Valid names
/// consist of letters, digits and `_`, do not begin with a digit, and have at most [`MAX_NAME`]
/// characters. Does not check for reserved words.
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.len() <= MAX_NAME
}

/// Collects the parts of a scenario. [`Builder::build`] checks them.
#[derive(Debug, Clone)]
pub struct Builder {
    title: String,
    tick: f64,
    seed: u64,
    map: Map,
    places: Vec<Place>,
    groups: Vec<String>,
    paths: Vec<SteeringPath>,
    agents: Vec<Agent>,
    spawns: Vec<Spawn>,
}

impl Builder {
    /// Creates a builder without agents, with frames of 0.05 s and seed 0.
    pub fn new(map: Map) -> Self {
        Self {
            title: String::new(),
            tick: 0.05,
            seed: 0,
            map,
            places: Vec::new(),
            groups: Vec::new(),
            paths: Vec::new(),
            agents: Vec::new(),
            spawns: Vec::new(),
        }
    }

    /// Sets the title of the map. A recording identifies the scenario by its title, so scenarios in
    /// one recording need different titles.
    pub fn title(&mut self, title: impl Into<String>) -> &mut Self {
        self.title = title.into();
        self
    }

    /// Sets the length of a frame in seconds, 0.001 to 1. The default is 0.05.
    pub fn tick(&mut self, seconds: f64) -> &mut Self {
        self.tick = seconds;
        self
    }

    /// Sets the random seed, below 2⁵³. The default is 0.
    pub fn seed(&mut self, seed: u64) -> &mut Self {
        self.seed = seed;
        self
    }

    /// Adds a place: a named position, in tiles.
    pub fn place(&mut self, name: impl Into<String>, at: Vec2) -> &mut Self {
        self.places.push(Place { name: name.into(), at });
        self
    }

    /// Adds a group. Agents join the group with [`Agent::group`]. The returned id can be a target.
    pub fn group(&mut self, name: impl Into<String>) -> GroupId {
        self.groups.push(name.into());
        GroupId(self.groups.len() as u32 - 1)
    }

    /// Adds a path that behaviours can follow. The returned id is valid in the scenario.
    pub fn path(&mut self, path: SteeringPath) -> SteeringPathId {
        self.paths.push(path);
        SteeringPathId(self.paths.len() as u32 - 1)
    }

    /// Adds an agent. The returned id is valid in the scenario and can be the target of other
    /// agents. For a template, returns the first of its `max` ids.
    pub fn add(&mut self, agent: Agent) -> AgentId {
        let first = self.ids();
        self.agents.push(agent);
        AgentId(first)
    }

    /// Adds a spawn rule for a template. [`Spawn::kind`] is the index of the template among all
    /// added agents.
    pub fn spawn(&mut self, spawn: Spawn) -> &mut Self {
        self.spawns.push(spawn);
        self
    }

    /// Returns the number of agent ids, at most `u32::MAX`. A template uses `max` ids.
    fn ids(&self) -> u32 {
        let counts = self.agents.iter().map(|agent| agent.max.unwrap_or(1));
        counts.fold(0, u32::saturating_add)
    }

    /// Checks all parts and builds the scenario.
    ///
    /// # Errors
    /// Returns all mistakes in this order:
    ///
    /// - tick and seed
    /// - names
    /// - places and paths
    /// - agents
    /// - spawn rules
    /// - conditions of transitions and removal
    /// - conditions of spawn rules
    ///
    /// If there are too many agents, conditions are not checked.
    pub fn build(self) -> Result<Scenario, Vec<BuildError>> {
        let mut errors = self.mistakes();
        if self.ids() > MAX_AGENTS {
            return Err(errors);
        }
        let sources = Arc::new(Sources::built(self.title.clone()));
        let mut scenario = Scenario {
            title: self.title,
            tick: self.tick,
            seed: self.seed,
            map: Arc::new(self.map),
            places: self.places,
            kinds: Vec::new(),
            starts: Vec::new(),
            groups: Vec::new(),
            everyone: Group::everyone(0),
            paths: self.paths,
            spawns: self.spawns,
            expectations: Vec::new(),
            sources,
            traced: None,
        };
        scenario.groups =
            self.groups.into_iter().map(|name| Group { name, members: Vec::new() }).collect();
        let mut conditions = Vec::new();
        for agent in self.agents {
            conditions.push(add_agent(&mut scenario, agent));
        }
        scenario.everyone = Group::everyone(scenario.starts.len());
        // Conditions can name any agent, so conditions are checked last.
        for (index, (switches, remove)) in conditions.into_iter().enumerate() {
            for switch in switches {
                errors.extend(add_switch(&mut scenario, index, &switch).err());
            }
            let remove = remove.map(|text| condition(&scenario, index, &text)).transpose();
            let kind = &mut scenario.kinds[index];
            match remove {
                Ok(remove) => kind.remove = remove,
                Err(error) => errors.push(error),
            }
            kind.watched = watched(&kind.modes, kind.remove.as_ref());
        }
        for kind in &scenario.kinds {
            for when in kind.conditions() {
                let wrong = |error| wrong_condition(kind, when.text(), error);
                errors.extend(when.check_noticed(&scenario).map_err(wrong).err());
            }
        }
        errors.extend(check::spawn_conditions(&scenario));
        if errors.is_empty() { Ok(scenario) } else { Err(errors) }
    }
}

/// Adds an agent kind and the start of each of its agents. Returns the transitions and the removal
/// condition, both unchecked.
fn add_agent(scenario: &mut Scenario, agent: Agent) -> (Vec<UncheckedTransition>, Option<String>) {
    let on_tiles = agent.modes.first().is_some_and(|mode| mode.drive.is_on_tiles());
    let centre = TilePos::containing(agent.at).centre();
    let (kind, first) = (scenario.kinds.len() as u32, scenario.starts.len() as u32);
    let (template, count) = (agent.max.is_some(), agent.max.unwrap_or(1));
    for number in 1..=count {
        scenario.starts.push(Start {
            kind,
            number: if template { number } else { 0 },
            position: if on_tiles { centre } else { agent.at },
            heading: heading::from_degrees(agent.degrees),
            absent: template,
        });
    }
    let mut modes = agent.modes;
    if modes.is_empty() {
        modes.push(Mode::new(Drive::Stand.word().to_owned(), DEFAULT_PACE, Drive::Stand));
    }
    scenario.kinds.push(AgentKind {
        name: agent.name,
        glyph: agent.glyph,
        color: agent.color,
        group: agent.group,
        body: agent.body,
        watched: Vec::new(),
        every: 1,
        modes,
        first: AgentId(first),
        count,
        template,
        remove: None,
    });
    let group = agent.group.and_then(|group| scenario.groups.get_mut(group.0 as usize));
    if let Some(group) = group {
        group.members.extend((first..first + count).map(AgentId));
    }
    (agent.switches, agent.remove)
}

/// Checks a transition and adds it to the agent kind at `index`.
fn add_switch(
    scenario: &mut Scenario,
    index: usize,
    switch: &UncheckedTransition,
) -> Result<(), BuildError> {
    let kind = &scenario.kinds[index];
    let place = |name: &str| kind.modes.iter().position(|mode| mode.name == name);
    let unknown = |mode: &str| BuildError::Mode { agent: kind.name.clone(), mode: mode.to_owned() };
    let from = place(&switch.from).ok_or_else(|| unknown(&switch.from))?;
    let to = place(&switch.to).ok_or_else(|| unknown(&switch.to))? as u16;
    let when = condition(scenario, index, &switch.when)?;
    let signal = switch.signal.clone();
    scenario.kinds[index].modes[from].rules.push(Rule { when, to, signal });
    Ok(())
}

/// Checks a condition of the agent kind at `index`.
fn condition(scenario: &Scenario, index: usize, text: &str) -> Result<Condition, BuildError> {
    let wrong = |error| wrong_condition(&scenario.kinds[index], text, error);
    Condition::read(text, scenario, ConditionContext::Rule).map_err(wrong)
}

fn wrong_condition(kind: &AgentKind, text: &str, error: ConditionError) -> BuildError {
    BuildError::Condition {
        agent: kind.name.clone(),
        text: text.to_owned(),
        message: error.message,
    }
}

/// An agent to add to a [`Builder`]. The agent starts in its first mode.
#[derive(Debug, Clone)]
pub struct Agent {
    pub(super) name: String,
    pub(super) at: Vec2,
    pub(super) degrees: f32,
    pub(super) glyph: String,
    pub(super) color: Option<Color>,
    pub(super) group: Option<GroupId>,
    pub(super) body: Body,
    pub(super) modes: Vec<Mode>,
    pub(super) switches: Vec<UncheckedTransition>,
    /// The largest number of instances at once; `None` for an agent that is not a template.
    pub(super) max: Option<u32>,
    pub(super) remove: Option<String>,
}

/// A transition whose mode names and condition are not checked yet.
#[derive(Debug, Clone)]
pub(super) struct UncheckedTransition {
    pub(super) from: String,
    pub(super) when: String,
    pub(super) to: String,
    pub(super) signal: Option<String>,
}

impl Agent {
    /// Creates an agent at a position, in tiles, with the default body. The agent faces east. It
    /// stands still if no mode is added.
    pub fn new(name: impl Into<String>, at: Vec2) -> Self {
        Self {
            name: name.into(),
            at,
            degrees: 0.0,
            glyph: "A".to_owned(),
            color: None,
            group: None,
            body: Body::default(),
            modes: Vec::new(),
            switches: Vec::new(),
            max: None,
            remove: None,
        }
    }

    /// Turns the agent into a template with up to `max` instances at once. The instances appear by
    /// the rules of [`Builder::spawn`]. The start position has no meaning.
    #[must_use]
    pub fn template(self, max: u32) -> Self {
        Self { max: Some(max), ..self }
    }

    /// Sets the condition that removes the agent from the world in any mode, such as `sees(thief)`.
    #[must_use]
    pub fn remove(self, when: &str) -> Self {
        Self { remove: Some(when.to_owned()), ..self }
    }

    /// Sets the heading at frame 0, in degrees: 0 is east, 90 is south.
    #[must_use]
    pub fn heading(self, degrees: f32) -> Self {
        Self { degrees, ..self }
    }

    /// Sets size, mass, limits and senses. The default is [`Body::default`].
    #[must_use]
    pub fn body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    /// Sets the glyph and its colour. The glyph is one grapheme with a width of one terminal
    /// column. `None` selects the default colour of agents.
    #[must_use]
    pub fn look(self, glyph: impl Into<String>, color: Option<Color>) -> Self {
        Self { glyph: glyph.into(), color, ..self }
    }

    /// Sets the group that the agent joins. The id comes from
    /// [`Builder::group`].
    #[must_use]
    pub fn group(self, group: GroupId) -> Self {
        Self { group: Some(group), ..self }
    }

    /// Adds a mode with the given drive. The mode has the name of the drive and the default pace.
    /// This is sufficient for an agent with a single mode.
    #[must_use]
    pub fn drive(self, drive: Drive) -> Self {
        let name = drive.word().to_owned();
        self.mode(Mode::new(name, DEFAULT_PACE, drive))
    }

    /// Adds a mode. The first mode added is the initial mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.modes.push(mode);
        self
    }

    /// Adds a transition from mode `from` to mode `to`. `when` is a condition, such as
    /// `sees(thief)`. If several conditions hold, the transition that was added first is taken.
    #[must_use]
    pub fn switch(mut self, from: &str, when: &str, to: &str) -> Self {
        let [from, when, to] = [from, when, to].map(ToOwned::to_owned);
        self.switches.push(UncheckedTransition { from, when, to, signal: None });
        self
    }

    /// Sets the text of the signal that the agent sends with the transition that was added last.
    /// Does nothing if the agent has no transition.
    #[must_use]
    pub fn signal(mut self, text: &str) -> Self {
        if let Some(switch) = self.switches.last_mut() {
            switch.signal = Some(text.to_owned());
        }
        self
    }
}

/// A mistake in a scenario that is built in code.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// The frame duration is not a number from 0.001 to 1 s.
    #[error("a frame of {0} s: the range is 0.001 to 1")]
    Tick(f64),
    /// The seed is 2⁵³ or more.
    #[error("the seed {0} is not below 2^53")]
    Seed(u64),
    /// A name is invalid or a reserved word.
    #[error("invalid name `{0}`")]
    Name(String),
    /// Two agents, groups or places have the same name.
    #[error("the name `{0}` is used twice")]
    Duplicate(String),
    /// The scenario, or one of its parts, exceeds a size limit.
    #[error("more than {limit} {what}")]
    TooMany {
        /// Plural noun for the items that exceed the limit, such as ``modes of `cat` ``.
        what: String,
        /// Largest allowed number of these items.
        limit: usize,
    },
    /// A coordinate of a place, a target, a path or a pattern is outside the range from −1,000,000
    /// to 1,000,000 tiles. The string is a phrase such as ``place `home` ``.
    #[error("the coordinates of the {0} must be from -{limit} to {limit}", limit = MAX_COORDINATE)]
    Position(String),
    /// The number of points of a path is below 2 or above `MAX_POINTS`. The field is the index of
    /// the path.
    #[error("the path {0} needs 2 to {limit} points", limit = MAX_POINTS)]
    Path(usize),
    /// The value of a body property is out of range.
    #[error("`{agent}`: {key} is {value}; the range is {range}")]
    Body {
        /// Name of the agent with the invalid body.
        agent: String,
        /// Key of the property in map files, such as `max_speed`.
        key: &'static str,
        /// The invalid value, in the unit of the property.
        value: f32,
        /// Valid range of the property, such as `0.05 to 8`.
        range: String,
    },
    /// A body with a radius above 0.5 tiles moves on tiles. The string is the agent's name.
    #[error("`{0}`: a body that moves on tiles has a radius of at most 0.5")]
    Walker(String),
    /// The diameter of a body is at least half of the shorter side of a map that wraps. Bodies with
    /// a radius of up to 0.5 tiles are always allowed. The string is the agent's name.
    #[error("`{0}`: on a map that wraps, the diameter must be less than half of each side")]
    TooLarge(String),
    /// An agent belongs to a group that [`Builder::group`] did not return.
    /// The string is the agent's name.
    #[error("`{0}` belongs to a group that does not exist")]
    Group(String),
    /// An agent starts outside the map, or at a position where its body does not fit.
    #[error("`{agent}` can't start at ({}, {})", at.x, at.y)]
    Start {
        /// Name of the agent that starts at the position.
        agent: String,
        /// Start position, in tiles.
        at: Vec2,
    },
    /// The heading of an agent is infinite or NaN. The string is the agent's name.
    #[error("`{0}`: the heading is not a finite number")]
    Heading(String),
    /// The largest number of instances of a template is 0. The string is the name of the template.
    #[error("`{0}`: a template needs room for at least one instance")]
    Template(String),
    /// A spawn rule refers to an agent that is not a template, or has a duration of 0 frames or a
    /// total of 0. The number is the index of the rule.
    #[error(
        "the spawn rule {0} needs a template, durations of at least one frame, and a total of at \
         least 1"
    )]
    Spawn(usize),
    /// The start point of a spawn rule is outside the map, or a body of the template does not fit
    /// there.
    #[error("the spawn rule {rule}: `{agent}` can't start at ({}, {})", at.x, at.y)]
    SpawnPoint {
        /// Index of the spawn rule, in the order of [`Builder::spawn`].
        rule: usize,
        /// Name of the template.
        agent: String,
        /// Start position, in tiles.
        at: Vec2,
    },
    /// The area of a spawn rule is empty or has a corner outside the map. The number is the index
    /// of the rule.
    #[error("the spawn rule {0}: the area is empty or extends beyond the map")]
    SpawnArea(usize),
    /// The heading of a spawn rule is invalid. A fixed heading must be a unit vector. A random
    /// range must start within ±360° and be 0° to 720° wide. The number is the index of the rule.
    #[error("the spawn rule {0}: the heading is neither a unit vector nor a range of angles")]
    SpawnHeading(usize),
    /// The condition of a spawn rule is invalid in this scenario.
    #[error("the spawn rule {rule}: condition `{text}`: {message}")]
    SpawnCondition {
        /// Index of the spawn rule, in the order of [`Builder::spawn`].
        rule: usize,
        /// Text of the condition.
        text: String,
        /// Description of the mistake in the condition.
        message: String,
    },
    /// The pattern list of a mode is empty. The string is the agent's name.
    #[error("`{0}`: the list of patterns is empty")]
    NoPatterns(String),
    /// A behaviour or drive refers to an agent or group that was not added to the builder.
    #[error("`{agent}`: the target of `{word}` does not exist")]
    Target {
        /// Name of the agent with the behaviour or drive.
        agent: String,
        /// Keyword of the behaviour or drive in files.
        word: &'static str,
    },
    /// A behaviour refers to a path that [`Builder::path`] did not
    /// return.
    #[error("`{agent}`: the path of `{word}` does not exist")]
    SteeringPath {
        /// Name of the agent with the behaviour.
        agent: String,
        /// Keyword of the behaviour in files.
        word: &'static str,
    },
    /// A weight is below 0 or not finite, or a probability is not in (0, 1].
    #[error("`{agent}`: the weight or the probability of `{word}` is out of range")]
    Weight {
        /// Name of the agent with the behaviour.
        agent: String,
        /// Keyword of the behaviour in files.
        word: &'static str,
    },
    /// The pace of a mode is 0 frames or more than `MAX_PACE` frames. The string is the agent's
    /// name.
    #[error("`{0}`: a step takes 1 to {limit} frames", limit = MAX_PACE)]
    Pace(String),
    /// The name of a mode is invalid.
    #[error("`{agent}`: invalid mode name `{mode}`")]
    ModeName {
        /// Name of the agent with the mode.
        agent: String,
        /// The invalid name.
        mode: String,
    },
    /// Two modes of an agent share a name.
    #[error("`{agent}`: duplicate mode `{mode}`")]
    DuplicateMode {
        /// Name of the agent with the modes.
        agent: String,
        /// The shared name.
        mode: String,
    },
    /// A transition starts or ends at a mode that the agent does not have.
    #[error("`{agent}` has no mode `{mode}`")]
    Mode {
        /// Name of the agent with the transition.
        agent: String,
        /// Name of the missing mode.
        mode: String,
    },
    /// The condition of a transition or of a removal is invalid.
    #[error("`{agent}`: condition `{text}`: {message}")]
    Condition {
        /// Name of the agent with the condition.
        agent: String,
        /// Text of the condition, as passed to the builder.
        text: String,
        /// Description of the mistake in the condition.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::Edges;
    use crate::steering::combine::Combine;
    use crate::steering::{Behaviour, Target, WeightedBehaviour};

    pub(super) fn builder() -> Builder {
        Builder::new(Map::drawn(&["....", ".##.", "...."], Edges::Wall).unwrap())
    }

    pub(super) fn agent(name: &str) -> Agent {
        Agent::new(name, Vec2::new(0.5, 0.5))
    }

    fn steer(row: WeightedBehaviour) -> Drive {
        Drive::Steer { combine: Combine::Weighted, rows: vec![row] }
    }

    pub(super) fn errors(builder: Builder) -> Vec<String> {
        builder.build().unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_mistake_is_reported_at_once() {
        let mut builder = builder();
        builder.tick(0.0).seed(1 << 53).place("home", Vec2::ZERO);
        let seek = |target| WeightedBehaviour::new(Behaviour::Seek, target);
        builder.add(agent("two words"));
        builder.add(agent("cat").body(Body { radius: 0.01, ..Body::default() }));
        builder.add(Agent::new("cat", Vec2::new(1.5, 1.5)));
        builder.add(agent("a").group(GroupId(0)).drive(steer(seek(Target::Agent(AgentId(99))))));
        builder
            .add(agent("b").drive(steer(WeightedBehaviour { weight: -1.0, ..seek(Target::Home) })));
        builder.add(agent("c").mode(Mode::new("wait".to_owned(), 0, Drive::Stand)));
        builder.add(agent("d").drive(Drive::Stand).switch("stand", "sees(nemo)", "run"));
        assert_eq!(
            errors(builder),
            [
                "a frame of 0 s: the range is 0.001 to 1",
                "the seed 9007199254740992 is not below 2^53",
                "invalid name `home`",
                "invalid name `two words`",
                "the name `cat` is used twice",
                "`cat`: radius is 0.01; the range is 0.05 to 8",
                "`cat` can't start at (1.5, 1.5)",
                "`a` belongs to a group that does not exist",
                "`a`: the target of `seek` does not exist",
                "`b`: the weight or the probability of `seek` is out of range",
                "`c`: a step takes 1 to 10000 frames",
                "`d` has no mode `run`",
            ]
        );
    }

    #[test]
    fn wide_bodies_need_a_large_map_and_do_not_walk() {
        let rows = [".........."; 10];
        let mut builder = Builder::new(Map::drawn(&rows, Edges::Wrap).unwrap());
        let wide = |name: &str, radius: f32| {
            Agent::new(name, Vec2::splat(5.0)).body(Body { radius, ..Body::default() })
        };
        builder.add(wide("fits", 2.4).drive(Drive::Stand));
        builder.add(wide("whale", 2.5));
        builder.add(wide("walker", 0.6).drive(Drive::Keys { on_tiles: true }));
        assert_eq!(
            errors(builder),
            [
                "`whale`: on a map that wraps, the diameter must be less than half of each side",
                "`walker`: a body that moves on tiles has a radius of at most 0.5",
            ]
        );
    }

    #[test]
    fn resolves_group_members_and_transition_targets() {
        let mut builder = builder();
        let sheep = builder.group("sheep");
        let dolly = builder.add(agent("dolly").group(sheep));
        builder.add(
            Agent::new("wolf", Vec2::new(3.5, 2.5))
                .drive(Drive::Stand)
                .mode(Mode::new("run".to_owned(), 4, Drive::Chase { target: Target::Group(sheep) }))
                .switch("stand", "sees(dolly)", "run"),
        );
        let scenario = builder.build().unwrap();
        assert_eq!(scenario.members(sheep), [dolly]);
        assert_eq!(scenario.find("wolf"), Some(AgentId(1)));
        assert_eq!(scenario.kinds[1].watched.len(), 1);
        assert_eq!(scenario.kinds[1].modes[0].rules.len(), 1);
    }
}
