//! Manual control of an agent with the arrow keys.

use crate::geom::Direction;
use crate::world::Flags;

use crate::tui::ui::Ui;

use super::MapScreen;

impl MapScreen {
    /// Starts manual control of the selected agent. If that agent is already under manual control,
    /// ends manual control.
    pub(in crate::tui) fn take_hold(&mut self, ui: &mut Ui) {
        let session = &mut self.session;
        let Some(id) = session.selected() else {
            let text = format!("no agent to drive: {}", session.why_no_agent());
            self.warn(ui, text);
            return;
        };
        if session.driven() == Some(id) {
            self.let_go(ui);
        } else if session.world().flags(id).has(Flags::QUARANTINED) {
            let name = session.world().name(id).to_string();
            self.warn(ui, format!("cannot drive {name}: the NaN guard stopped this agent"));
        } else {
            session.look_at(None);
            session.drive(Some(id));
            // The driven agent must be visible.
            self.show_selected(ui);
        }
    }

    pub(in crate::tui) fn let_go(&mut self, ui: &mut Ui) {
        let session = &mut self.session;
        if let Some(id) = session.driven() {
            let name = session.world().name(id).to_string();
            session.drive(None);
            self.note(ui, format!("stopped driving {name}"));
        }
    }

    /// Pushes the agent under manual control in a direction. While playback is paused, also
    /// simulates the frames of that movement.
    pub(in crate::tui) fn push(&mut self, ui: &mut Ui, arrow: Direction) {
        let session = &mut self.session;
        session.push(arrow);
        if !self.clock.playing {
            session.run_push();
            self.late = false;
            self.report_hit(ui);
            self.keep_in_view(ui);
        }
    }
}
