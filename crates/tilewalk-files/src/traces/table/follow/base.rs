//! The table of a growing run, and the frames that are appended to it.

use std::sync::Arc;

use tilewalk_sim::geom::Vec2;
use tilewalk_sim::scenario::Scenario;
use tilewalk_sim::scenario::run::{FollowedRun, RunRow, RunTable};
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::trace::live::{LiveFrame, LiveFrames, Pool};
use tilewalk_sim::trace::{NO_TEXT, Units};

use crate::traces::columns::Role;
use crate::traces::table::Collected;
use crate::traces::table::placement::{complete, convert};

use super::Sizes;

/// The table to which frames are appended.
pub(super) struct Base {
    pub live: Arc<LiveFrames>,
    pub units: Units,
    pub tick: f32,
    /// Seconds of the first frame in the file, if the file has times.
    pub first_time: Option<f64>,
    /// Whether all frames of the table have the same length.
    pub is_even: bool,
    /// Width and height of the map if the run has no map of its own.
    pub size: Option<[u32; 2]>,
    pub agents: usize,
    pub modes: usize,
    pub texts: usize,
    /// Whether each column contains texts.
    pub columns: Vec<bool>,
    pub whole: bool,
    pub has_velocity: bool,
    /// The number in appended frames of each agent of the file.
    pub numbers: Vec<u32>,
    /// The last row of each agent, and the index of its row in the file.
    pub last: Vec<Option<(RunRow, usize)>>,
    /// Seconds from frame 0 to the last two frames.
    pub seconds: [f32; 2],
    /// The map, whose agents other agents of the run can have the names of.
    pub map: Option<Arc<Scenario>>,
}

impl Base {
    /// Assigns numbers to the agents that appear for the first time. Returns `None` if no reserved
    /// agent is left for one of them, or if the map has an agent with its name.
    pub fn join_agents(&mut self, collected: &Collected) -> Option<()> {
        for agent in self.numbers.len()..collected.agents.list.len() {
            let name = &collected.agents.list[agent];
            let in_map =
                |map: &Arc<Scenario>| map.find(name).is_some() || map.find_instance(name).is_some();
            if self.map.as_ref().is_some_and(in_map) {
                return None;
            }
            let group = FollowedRun::group_of(name, collected.groups.get(agent)?.as_deref());
            self.numbers.push(self.live.join(name, group.as_deref())?);
            self.last.push(None);
        }
        debug_assert!(self.agents <= self.numbers.len());
        Some(())
    }

    /// Returns the seconds from frame 0 to a frame. Returns `None` if the frames have the same
    /// length.
    pub fn seconds_of(
        &self,
        collected: &Collected,
        frame: u32,
        start: Sizes,
        end: Sizes,
    ) -> Option<f32> {
        let first = self.first_time?;
        let time = if collected.columns.has(Role::Frame) {
            collected.times[start.times..end.times].first()?.seconds
        } else {
            collected.place.closed?
        };
        let seconds = time - first;
        let even = f64::from(frame) * f64::from(self.tick);
        let is_even = self.is_even && (seconds - even).abs() < 0.01 * f64::from(self.tick);
        (!is_even).then_some(seconds as f32)
    }

    /// Returns a row of the file as the row of a frame of the run.
    pub fn row(&self, collected: &Collected, frame: u32, source: usize) -> RunRow {
        let raw = &collected.rows[source];
        let mut row = RunRow {
            frame,
            position: Vec2::new(raw.x, raw.y),
            velocity: raw.velocity.into(),
            heading: raw.heading.into(),
            mode: raw.mode,
        };
        convert(&self.units, &mut row);
        let previous = self.last[raw.agent as usize].map(|(row, _)| row);
        let [before, now] = self.seconds;
        complete(&mut row, previous.as_ref(), |at| if at == frame { now } else { before });
        row
    }

    /// Notes the last row of each agent. In a sparse file, agents without a row keep their last one,
    /// except for those in `gone`. Returns the rows of the frame.
    pub fn hold(
        &mut self,
        collected: &Collected,
        frame: u32,
        rows: &[(u32, RunRow, usize)],
        gone: &[u32],
    ) -> Vec<(u32, RunRow, usize)> {
        for &(agent, row, source) in rows {
            self.last[agent as usize] = Some((row, source));
        }
        if !collected.header.sparse {
            return rows.to_vec();
        }
        let mut held = Vec::new();
        for agent in 0..self.last.len() {
            let Some((last, source)) = self.last[agent] else { continue };
            let is_gone = gone.contains(&(agent as u32));
            let is_new = last.frame == frame;
            if is_new || !is_gone {
                let row = if is_new { last } else { self.row(collected, frame, source) };
                self.last[agent] = Some((row, source));
                held.push((agent as u32, row, source));
            }
            if is_gone {
                self.last[agent] = None;
            }
        }
        held.small_sort_by_key(|row| self.numbers[row.0 as usize]);
        held
    }

    /// Returns the appended frame with the given rows.
    pub fn frame(
        &self,
        collected: &Collected,
        seconds: Option<f32>,
        rows: &[(u32, RunRow, usize)],
        events: &[(f64, u32, u32)],
    ) -> LiveFrame {
        let mut values = Vec::with_capacity(rows.len() * collected.values.len());
        for column in &collected.values {
            values.extend(rows.iter().map(|&(_, _, source)| match &column.texts {
                Some(texts) => texts.get(source).copied().unwrap_or(NO_TEXT),
                None => column.numbers.get(source).copied().unwrap_or(f32::NAN).to_bits(),
            }));
        }
        let number = |agent: u32| self.numbers[agent as usize];
        LiveFrame {
            seconds,
            agents: rows.iter().map(|row| number(row.0)).collect(),
            rows: rows.iter().map(|row| row.1).collect(),
            values: values.into(),
            events: events.iter().map(|&(_, agent, text)| (number(agent), text)).collect(),
        }
    }
}

pub(super) fn is_inside(at: Vec2, [width, height]: [u32; 2]) -> bool {
    at.x >= 0.0 && at.y >= 0.0 && at.x < width as f32 && at.y < height as f32
}

/// Returns the pools of reserved agents: in each group, as many as are missing to a power of two.
pub(super) fn pools(table: &RunTable) -> Vec<Pool> {
    let mut pools: Vec<Pool> = vec![Pool { group: None, count: 0 }];
    for (name, group) in table.agents.iter().zip(&table.groups) {
        let group = FollowedRun::group_of(name, group.as_deref());
        match pools.iter_mut().find(|pool| pool.group == group) {
            Some(pool) => pool.count += 1,
            None => pools.push(Pool { group, count: 1 }),
        }
    }
    for pool in &mut pools {
        pool.count = (pool.count + 1).next_power_of_two() - pool.count;
    }
    pools
}
