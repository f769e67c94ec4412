//! The behaviours that make vehicles jitter.

use crate::geom::lanes::{Batch, InstructionSet, Lanes, MOST_LANES, Mask};
use crate::id::AgentId;
use crate::scenario::Scenario;
use crate::steering::Behaviour;
use crate::steering::brake::BrakeProbe;
use crate::steering::combine::Combine;
use crate::world::{DriveState, World};

use super::{SteeringList, batch};

/// Finds the behaviours that make vehicles jitter. The vehicles must be given in agent order.
///
/// In a crowd, most vehicles jitter, so a batch of vehicles is computed at a time if possible.
pub(in crate::step) struct JitterCauses<'a> {
    scenario: &'a Scenario,
    /// The first agent of the last vehicle's kind, and the vehicle's list. Most vehicles in a row share a
    /// list.
    last: Option<(AgentId, SteeringList<'a>)>,
    /// The first vehicle of the last batch, the number of vehicles, and the behaviours that brake most.
    batch: Option<(AgentId, usize, [f32; MOST_LANES])>,
}

impl<'a> JitterCauses<'a> {
    pub(in crate::step) fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, last: None, batch: None }
    }

    /// Returns the index of the behaviour that makes a vehicle jitter: the one that brakes most after
    /// the agents have moved. Returns `None` if the motion is random, and for other agents.
    #[inline(always)]
    pub(in crate::step) fn find<S: InstructionSet>(
        &mut self,
        simd: S,
        world: &mut World,
        id: AgentId,
    ) -> Option<u32> {
        if !matches!(world.drive_state(id), DriveState::Steer(_)) {
            return None;
        }
        let (kind, mode) = (self.scenario.kind(id), world.state.mode[id.index()]);
        let is_last =
            |(first, list): &(AgentId, SteeringList)| *first == kind.first && list.index == mode;
        if !self.last.as_ref().is_some_and(is_last) {
            self.last = SteeringList::of(world, kind, mode).map(|list| (kind.first, list));
        }
        let (_, list) = self.last.as_ref()?;
        let has_noise = list.tracker.is_some_and(|track| track.noise > 0.0);
        if list.combine == Combine::Dithered || has_noise {
            return None;
        }
        let known = |batch: Option<(AgentId, usize, [f32; MOST_LANES])>| {
            let (first, count, rows) = batch?;
            rows[..count].get((id.0 - first.0) as usize).copied()
        };
        let lanes = S::Numbers::COUNT;
        let end = kind.first.index() + kind.count as usize;
        if known(self.batch).is_none() && list.simd && id.index() + lanes <= end {
            let rows = strongest_brakes::<S::Numbers>(simd, world, self.scenario, list, id);
            self.batch = rows.map(|rows| (id, lanes, rows));
        }
        let row = match known(self.batch) {
            Some(row) => row as usize,
            None => strongest_brake(world, self.scenario, list, id)?,
        };
        let is_random = matches!(list.rows.get(row)?.behaviour, Behaviour::Wander(_));
        (!is_random).then_some(row as u32)
    }
}

/// Returns the index of the behaviour of a vehicle that brakes most.
#[inline(never)]
fn strongest_brake(
    world: &mut World,
    scenario: &Scenario,
    list: &SteeringList,
    id: AgentId,
) -> Option<usize> {
    let DriveState::Steer(mut memory) = world.drive_state(id) else { return None };
    let mut probe = BrakeProbe::new(world.velocity(id));
    let mut planes = world.thoughts.planes.take();
    list.desire(world, scenario, id, &mut memory, &mut planes, &mut probe);
    world.thoughts.planes = planes;
    probe.found()
}

/// Returns the results of [`strongest_brake`] for the next [`Lanes::COUNT`] vehicles. Returns `None` if they cannot be
/// computed at a time, or if a force is not finite.
#[inline(always)]
fn strongest_brakes<L: Batch>(
    simd: L::Simd,
    world: &World,
    scenario: &Scenario,
    list: &SteeringList,
    first: AgentId,
) -> Option<[f32; MOST_LANES]> {
    let (mut agents, mut individuals) = batch::<L>(simd, world, scenario, list, first)?;
    let velocity = agents.velocity;
    let zero = velocity.x.like(0.0);
    let (mut most, mut strongest) = (zero.like(f32::NEG_INFINITY), zero);
    let total = agents.output(
        list.combine,
        list.rows,
        &mut individuals,
        #[inline(always)]
        |row, force| {
            let brake = -(force.x * velocity.x + force.y * velocity.y);
            let brakes_more = brake.gt(most);
            most = brakes_more.choose(brake, most);
            strongest = brakes_more.choose(zero.like(row as f32), strongest);
        },
    );
    let mut rows = [0.0; MOST_LANES];
    strongest.store(&mut rows[..L::COUNT]);
    (total.are_finite() & velocity.are_finite()).all().then_some(rows)
}
