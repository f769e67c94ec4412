//! Decide: the rules of every mode are tried against the frame before, in order; the first that holds
//! changes the mode, and the new mode drives the body in this frame.

use crate::event::EventKind;
use crate::world::{Look, Switch, World};

/// Finds out who changes the mode, from the state of the previous frame.
pub(super) fn decide(world: &mut World) {
    let mut switches = core::mem::take(&mut world.switches);
    switches.clear();
    for id in world.ids() {
        let rules = &world.mode(id).rules;
        let due = world.frame().0.is_multiple_of(world.kind(id).every.into());
        if rules.is_empty() || !due || world.flags(id).has(crate::world::Flags::QUARANTINED) {
            continue;
        }
        let holds = |index: &usize| {
            let look = Look { rule: *index as u32, ..Look::at(world) };
            rules[*index].when.holds(&look, Some(id))
        };
        if let Some(index) = (0..rules.len()).find(holds) {
            switches.push(Switch { agent: id, rule: index as u16, to: rules[index].to });
        }
    }
    world.switches = switches;
}

/// Changes the modes that were decided on.
pub(super) fn enter(world: &mut World) {
    for index in 0..world.switches.len() {
        let Switch { agent, rule, to } = world.switches[index];
        let from = world.state.mode[agent.index()];
        world.enter_mode(agent, to);
        // Entered in this frame, which counts for no step on tiles.
        world.state.drive[agent.index()].postpone();
        world.report(agent, EventKind::Mode { from, to, rule });
    }
}
