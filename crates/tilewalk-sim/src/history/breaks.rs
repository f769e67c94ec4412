//! Breakpoints and watchpoints. A breakpoint hits when its condition becomes true, a watchpoint
//! when its value changes.
//!
//! Whether a frame is a hit depends only on that frame and the frame before. Running, stepping and
//! searching backwards therefore find the same hits, and there is no state to keep up to date. The
//! hit count is the number of times the run was stopped, in either direction. Frames that merely
//! pass are not counted.
//!
//! The text is parsed again for each scenario, because a reload may give an agent another number. A
//! change of one agent is never reported as the change of another.

use std::sync::Arc;

use crate::condition::{Asker, Condition, ConditionError, Subject};
use crate::scenario::Scenario;
use crate::time::Frame;
use crate::world::{Look, World};

/// When it stops time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// When the condition comes true. One that asks for an event or a change is over with its frame:
    /// it stops time in every frame it is true in.
    Condition,
    /// When the value is another than in the frame before.
    Change,
}

/// One thing that stops time.
#[derive(Debug, Clone)]
pub struct Break {
    trigger: Trigger,
    text: String,
    /// Does it stop time at present?
    pub enabled: bool,
    hits: u64,
    last: Option<Frame>,
    /// How it reads in the last two scenarios it was asked in, the latest first: a reload may give
    /// names to others.
    readings: [Reading; 2],
}

/// Reads what stops time.
///
/// # Errors
/// What is wrong with the text, and where; also a mode that an agent does not have, as that would
/// never be.
pub fn read(
    trigger: Trigger,
    text: &str,
    scenario: &Scenario,
) -> Result<Condition, ConditionError> {
    let condition = match trigger {
        Trigger::Condition => Condition::read(text, scenario, Asker::Onlooker)?,
        Trigger::Change => Condition::read_change(text, scenario)?,
    };
    let mut unknown = None;
    condition.test().visit_modes(&mut |name| {
        let Some(Subject::Agent(id)) = name.of else { return };
        let modes = &scenario.kind(id).modes;
        if unknown.is_none() && modes.iter().all(|mode| mode.key != name.key) {
            let message = format!("{} has no mode \"{}\"", scenario.name(id), name.name);
            let error = ConditionError::new(name.span.clone(), message);
            let known = modes.iter().map(|mode| mode.name.as_str());
            unknown = Some(error.unknown(&name.name, known));
        }
    });
    unknown.map_or(Ok(condition), Err)
}

/// How a text reads in a scenario.
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
    /// Reads a condition, or the value to be watched.
    ///
    /// # Errors
    /// What is wrong with it, and where.
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

    /// When it stops time.
    pub fn trigger(&self) -> Trigger {
        self.trigger
    }

    /// The condition or the value, as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How often time was stopped by it.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// The frame it stopped time at last.
    pub fn last(&self) -> Option<Frame> {
        self.last
    }

    /// What it tests in a scenario.
    ///
    /// # Errors
    /// Why it means nothing there.
    pub fn condition(&mut self, scenario: &Arc<Scenario>) -> Result<&Condition, &ConditionError> {
        if !Arc::ptr_eq(&self.readings[0].scenario, scenario) {
            self.readings.swap(0, 1);
        }
        if !Arc::ptr_eq(&self.readings[0].scenario, scenario) {
            self.readings[0] = Reading::of(self.trigger, &self.text, scenario);
        }
        self.readings[0].condition.as_ref()
    }

    /// Is a frame a hit? `before` is the frame before, or the same at frame 0.
    fn is_hit(&mut self, before: &World, now: &World) -> bool {
        let past = (before.frame() < now.frame()).then_some(before);
        if past.is_none() && now.frame() > Frame(0) {
            // Nobody knows.
            return false;
        }
        if let Some(past) = past {
            let _ = self.condition(past.scenario());
        }
        let _ = self.condition(now.scenario());
        let Ok(condition) = &self.readings[0].condition else { return false };
        // The reading of the frame before, if it says the same: else names mean others there.
        let earlier = past.and_then(|past| {
            let reading = self.readings.iter().find(|reading| reading.is_of(past))?;
            reading.condition.as_ref().ok()
        });
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

/// All that stops time, in the order it was set.
#[derive(Debug, Clone, Default)]
pub struct Breaks {
    list: Vec<Break>,
}

impl Breaks {
    /// Sets one more, and says its place. Where the same is set already, that is enabled.
    pub fn set(&mut self, new: Break) -> usize {
        let same = |other: &Break| (other.trigger, &other.text) == (new.trigger, &new.text);
        if let Some(place) = self.list.iter().position(same) {
            self.list[place].enabled = true;
            return place;
        }
        self.list.push(new);
        self.list.len() - 1
    }

    /// Removes the one at a place, if there is one.
    pub fn remove(&mut self, place: usize) -> Option<Break> {
        (place < self.list.len()).then(|| self.list.remove(place))
    }

    /// The one at a place.
    pub fn get(&self, place: usize) -> Option<&Break> {
        self.list.get(place)
    }

    /// The one at a place, to be changed.
    pub fn get_mut(&mut self, place: usize) -> Option<&mut Break> {
        self.list.get_mut(place)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Break> {
        self.list.iter()
    }

    /// How many are set.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Is none set?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// May any of them stop time?
    pub fn are_watching(&self) -> bool {
        self.list.iter().any(|each| each.enabled)
    }

    /// The places of those that a frame is a hit of. `before` is the frame before, or the same at
    /// frame 0.
    pub fn hit<'a>(
        &'a mut self,
        before: &'a World,
        now: &'a World,
    ) -> impl Iterator<Item = usize> + 'a {
        let enabled = self.list.iter_mut().enumerate().filter(|(_, each)| each.enabled);
        enabled.filter_map(|(place, each)| each.is_hit(before, now).then_some(place))
    }

    /// Does a frame stop time? Then it counts for all it is a hit of.
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
