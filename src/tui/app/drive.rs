//! Manual control of an agent with the arrow keys.

use crate::geom::Direction;
use crate::id::AgentId;
use crate::world::Flags;

use super::App;

impl App {
    /// Returns the agent under manual control. Returns `None` if no agent is under manual control,
    /// or if no map is open.
    pub fn driven(&self) -> Option<AgentId> {
        self.session.as_ref()?.driven()
    }

    /// Starts manual control of the selected agent. If that agent is already under manual control,
    /// ends manual control.
    pub(super) fn take_hold(&mut self) {
        let Some(session) = &mut self.session else { return };
        let Some(id) = session.selected() else {
            let text = format!("no agent to drive: {}", session.why_no_agent());
            self.warn(text);
            return;
        };
        if session.driven() == Some(id) {
            self.let_go();
        } else if session.world().flags(id).has(Flags::QUARANTINED) {
            let name = session.world().name(id).to_string();
            self.warn(format!("cannot drive {name}: the NaN guard stopped this agent"));
        } else {
            session.look_at(None);
            session.drive(Some(id));
            // The driven agent must be visible.
            self.show_selected();
        }
    }

    pub(super) fn let_go(&mut self) {
        let Some(session) = &mut self.session else { return };
        if let Some(id) = session.driven() {
            let name = session.world().name(id).to_string();
            session.drive(None);
            self.note(format!("stopped driving {name}"));
        }
    }

    /// Pushes the agent under manual control in a direction. While playback is paused, also
    /// simulates the frames of that movement.
    pub(super) fn push(&mut self, arrow: Direction) {
        let Some(session) = &mut self.session else { return };
        session.push(arrow);
        if !self.clock.playing {
            session.run_push();
            self.late = false;
            self.report_hit();
            self.keep_in_view();
        }
    }
}
