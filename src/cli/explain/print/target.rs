//! Walkers to or from a target, for people.

use crate::cli::explain::wire::{Chase, Flight, Journey, Target};
use crate::words;

use super::{Page, tile};

impl Page {
    pub(super) fn target(&mut self, target: &Target) {
        self.0.push(String::new());
        let Target { name, at, .. } = target;
        match at {
            Some(at) => self.fact("target", &format!("{name} at {}", tile(*at))),
            None => self.fact("target", &format!("{name}: not found; the agent stands still")),
        }
        if let Some(Chase { aimed_from, step, steps }) = &target.chase {
            let from = tile(*aimed_from);
            self.fact("line", &format!("step {step} of {steps} from {from}"));
        }
        if let Some(Flight { distance }) = &target.flight {
            self.fact("distance", &format!("{distance:.2} tiles"));
        }
        if let Some(journey) = &target.journey {
            self.journey(journey);
        }
        self.attempt(target.attempt.as_ref(), at.is_some());
        let due = words::due(target.due_in);
        match (target.next, &target.journey) {
            _ if at.is_none() => {}
            (_, Some(journey)) if journey.arrived => {
                self.fact("next", "none: arrived");
            }
            (Some(next), _) => self.fact("next", &format!("{}, {due}", tile(next))),
            _ if target.flight.is_some() => {
                self.fact("next", &format!("tile farthest from the target, {due}"));
            }
            (None, Some(_)) => self.fact("next", &format!("route search, {due}")),
            (None, None) => self.fact("next", "none: on the target tile"),
        }
    }

    fn journey(&mut self, journey: &Journey) {
        let Journey { planned_from, step, steps, cost, cost_left, detour, .. } = journey;
        let (Some(steps), Some(cost), Some(left)) = (steps, cost, cost_left) else {
            self.fact("route", "none");
            return;
        };
        let round = if *detour { ", detour around an agent" } else { "" };
        let from = tile(*planned_from);
        self.fact("route", &format!("step {step} of {steps} from {from}{round}"));
        self.fact("cost", &format!("{left:.2} of {cost:.2} remaining"));
    }
}
