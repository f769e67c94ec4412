//! The heat map of a session.

use crate::debugger::visits::{CountedAgents, Visits};

use super::Session;

impl Session {
    /// Shows the heat map of these agents. `None` turns the heat map off.
    pub fn count_visits_of(&mut self, counted: Option<CountedAgents>) {
        if self.visits.as_ref().map(Visits::counted) != counted.as_ref() {
            self.visits = counted.map(|counted| Visits::new(counted, &self.history));
            self.recalled = false;
            self.recall_visits();
        }
    }

    /// Counts visits up to the current frame, within the limit of [`Session::at_once`]. A longer
    /// count continues in [`Session::recall`].
    pub(super) fn recall_visits(&mut self) {
        let in_time = self.at_once();
        if let Some(visits) = &mut self.visits {
            visits.recall(&self.history, in_time);
        }
    }

    /// Returns the heat map. Returns `None` while it is off.
    pub fn visits(&self) -> Option<&Visits> {
        self.visits.as_ref()
    }
}
