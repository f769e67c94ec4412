//! Breakpoints and watchpoints. A breakpoint hits when its condition becomes true, a watchpoint
//! when its value changes.
//!
//! Whether a frame is a hit depends only on that frame and the previous frame. Running, stepping
//! and searching backwards therefore find the same hits. The hit count is the number of times that
//! a breakpoint stopped a run, in either direction. Hits that do not stop a run are not counted.
//!
//! The text is parsed again for each scenario, because a reload can change the indices of agents. A
//! change of one agent is never reported as the change of another.

use std::sync::Arc;

use crate::condition::{Condition, ConditionContext, ConditionError};
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::{Look, World};

/// The rule by which a breakpoint or watchpoint hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// Hits when the condition becomes true. A condition with `event` or `changed` hits in every
    /// frame in which it is true.
    Condition,
    /// Hits when the value differs from the value in the previous frame.
    Change,
}

/// A breakpoint or a watchpoint, with its text and hit count.
#[derive(Debug, Clone)]
pub struct Break {
    trigger: Trigger,
    text: String,
    /// Whether the breakpoint can stop a run.
    pub enabled: bool,
    hits: u64,
    last: Option<Frame>,
    /// The condition as parsed for the last two scenarios, latest first. The same name can refer to
    /// different agents in the two scenarios.
    readings: [Reading; 2],
}

/// Parses the text of a breakpoint or watchpoint.
///
/// # Errors
/// Returns the first syntax error, unknown name or wrong type in the text.
pub fn read(
    trigger: Trigger,
    text: &str,
    scenario: &Scenario,
) -> Result<Condition, ConditionError> {
    match trigger {
        Trigger::Condition => Condition::read(text, scenario, ConditionContext::Global),
        Trigger::Change => Condition::read_change(text, scenario),
    }
}

/// A condition as parsed for one scenario.
#[derive(Debug, Clone)]
struct Reading {
    scenario: Arc<Scenario>,
    condition: Result<Condition, ConditionError>,
}

impl Reading {
    fn of(trigger: Trigger, text: &str, scenario: &Arc<Scenario>) -> Self {
        Self { scenario: Arc::clone(scenario), condition: read(trigger, text, scenario) }
    }

    fn is_of(&self, world: &World) -> bool {
        Arc::ptr_eq(&self.scenario, world.scenario())
    }
}

impl Break {
    /// Creates an enabled breakpoint or watchpoint from its text.
    ///
    /// # Errors
    /// Returns an error if the text is not valid in `scenario`.
    pub fn read(
        trigger: Trigger,
        text: &str,
        scenario: &Arc<Scenario>,
    ) -> Result<Self, ConditionError> {
        let condition = Ok(read(trigger, text, scenario)?);
        let reading = Reading { scenario: Arc::clone(scenario), condition };
        let readings = [reading.clone(), reading];
        let text = text.to_owned();
        Ok(Self { trigger, text, enabled: true, hits: 0, last: None, readings })
    }

    /// Returns the same breakpoint with another text. The hits are kept.
    ///
    /// # Errors
    /// Returns an error if the text is not valid in `scenario`.
    pub fn with_text(&self, text: &str, scenario: &Arc<Scenario>) -> Result<Self, ConditionError> {
        let Self { trigger, enabled, hits, last, .. } = *self;
        Ok(Self { enabled, hits, last, ..Self::read(trigger, text, scenario)? })
    }

    /// Returns the trigger: a condition for a breakpoint, a change for a watchpoint.
    pub fn trigger(&self) -> Trigger {
        self.trigger
    }

    /// Returns the source text of the condition or value.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the maximum number of comparisons in one evaluation. Returns 0 if the text is not
    /// valid in the latest scenario.
    pub fn cost(&self) -> u64 {
        self.readings[0].condition.as_ref().map_or(0, Condition::cost)
    }

    /// Returns the valid parts that are probably a mistake. Empty if the text is not valid in the
    /// latest scenario.
    pub fn notes(&self) -> &[ConditionError] {
        self.readings[0].condition.as_ref().map_or(&[], Condition::notes)
    }

    /// Returns the number of times that this breakpoint stopped a run, forwards or backwards.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Returns the frame at which this breakpoint last stopped a run. Returns `None` if it has not
    /// stopped a run.
    pub fn last(&self) -> Option<Frame> {
        self.last
    }

    /// Returns the condition as parsed for a scenario. Parses the text unless the result is cached.
    ///
    /// # Errors
    /// Returns an error if the text is not valid in `scenario`.
    pub fn condition(&mut self, scenario: &Arc<Scenario>) -> Result<&Condition, &ConditionError> {
        if !Arc::ptr_eq(&self.readings[0].scenario, scenario) {
            self.readings.swap(0, 1);
        }
        if !Arc::ptr_eq(&self.readings[0].scenario, scenario) {
            self.readings[0] = Reading::of(self.trigger, &self.text, scenario);
        }
        self.readings[0].condition.as_ref()
    }

    /// Returns true if the condition holds at a frame, also if it held at the previous frame. The
    /// text is parsed for the scenario of the frame. Returns false if it is not valid there.
    pub fn holds(&mut self, look: &Look) -> bool {
        let past = look.before.map(|before| before.now);
        let (Some(condition), earlier) = self.conditions(past, look.now) else { return false };
        // Values of other agents or groups are not comparable.
        let before = look.before.filter(|_| earlier == Some(condition));
        condition.holds(&Look { before, ..*look }, None)
    }

    /// Returns the condition as parsed for the scenario of `now`, and as parsed for the scenario of
    /// the previous frame `past`. Each is `None` if the text is not valid in that scenario.
    fn conditions(
        &mut self,
        past: Option<&World>,
        now: &World,
    ) -> (Option<&Condition>, Option<&Condition>) {
        if let Some(past) = past {
            let _ = self.condition(past.scenario());
        }
        let _ = self.condition(now.scenario());
        let earlier = past.and_then(|past| {
            let reading = self.readings.iter().find(|reading| reading.is_of(past))?;
            reading.condition.as_ref().ok()
        });
        (self.readings[0].condition.as_ref().ok(), earlier)
    }

    /// Returns true if this breakpoint hits at `now`. `before` is the world at the previous frame.
    /// At frame 0, it is the same world as `now`.
    fn is_hit(&mut self, before: &World, now: &World) -> bool {
        let past = (before.frame() < now.frame()).then_some(before);
        if past.is_none() && now.frame() > Frame(0) {
            // Without the previous frame, a hit cannot be detected.
            return false;
        }
        let (Some(condition), earlier) = self.conditions(past, now) else { return false };
        if condition.is_momentary() {
            let past = past.filter(|_| earlier == Some(condition)).map(Look::at);
            return condition.holds(&Look { before: past.as_ref(), ..Look::at(now) }, None);
        }
        let held = |past| earlier.is_some_and(|earlier| earlier.holds(&Look::at(past), None));
        condition.holds(&Look::at(now), None) && !past.is_some_and(held)
    }

    fn count(&mut self, frame: Frame) {
        self.hits += 1;
        self.last = Some(frame);
    }
}

/// A list of breakpoints, in the order they were added.
#[derive(Debug, Clone, Default)]
pub struct Breaks {
    list: Vec<Break>,
}

impl Breaks {
    /// Adds a breakpoint and returns its index. If the list already contains the same trigger and
    /// text, enables that breakpoint and returns its index.
    pub fn set(&mut self, new: Break) -> usize {
        let same = |other: &Break| (other.trigger, &other.text) == (new.trigger, &new.text);
        if let Some(place) = self.list.iter().position(same) {
            self.list[place].enabled = true;
            return place;
        }
        self.list.push(new);
        self.list.len() - 1
    }

    /// Removes and returns the breakpoint at an index. Returns `None` if the index is out of range.
    pub fn remove(&mut self, place: usize) -> Option<Break> {
        (place < self.list.len()).then(|| self.list.remove(place))
    }

    /// Returns the breakpoint at an index, or `None` if the index is out of range.
    pub fn get(&self, place: usize) -> Option<&Break> {
        self.list.get(place)
    }

    /// Returns a mutable reference to the breakpoint at an index, or `None` if the index is out of
    /// range.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut Break> {
        self.list.get_mut(place)
    }

    /// Iterates over all breakpoints, including disabled ones, in the order they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Break> {
        self.list.iter()
    }

    /// Returns the number of breakpoints, including disabled ones.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if the list contains no breakpoint, enabled or disabled.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns true if at least one breakpoint is enabled.
    pub fn any_enabled(&self) -> bool {
        self.list.iter().any(|each| each.enabled)
    }

    /// Returns the indices of the enabled breakpoints that hit at `now`. `before` is the world at
    /// the previous frame. At frame 0, it is the same world as `now`.
    pub fn hit<'a>(
        &'a mut self,
        before: &'a World,
        now: &'a World,
    ) -> impl Iterator<Item = usize> + 'a {
        let enabled = self.list.iter_mut().enumerate().filter(|(_, each)| each.enabled);
        enabled.filter_map(|(place, each)| each.is_hit(before, now).then_some(place))
    }

    /// Counts a hit for every enabled breakpoint that hits at `now`. Returns true if at least one
    /// breakpoint hits. `before` is the world at the previous frame. At frame 0, it is the same
    /// world as `now`.
    pub fn stop(&mut self, before: &World, now: &World) -> bool {
        let mut stops = false;
        for each in self.list.iter_mut().filter(|each| each.enabled) {
            if each.is_hit(before, now) {
                each.count(now.frame());
                stops = true;
            }
        }
        stops
    }
}

impl FromIterator<Break> for Breaks {
    fn from_iter<T: IntoIterator<Item = Break>>(list: T) -> Self {
        let mut breaks = Self::default();
        for each in list {
            let enabled = each.enabled;
            let place = breaks.set(each);
            breaks.list[place].enabled = enabled;
        }
        breaks
    }
}
