//! Visits of tiles in a session: who is counted, and the counts of the frame that is looked at.

use crate::id::AgentId;
use crate::tui::overlays::Whose;
use crate::tui::visits::{Visits, Whom};

use super::Session;

impl Session {
    /// Counts visits from now on, or those of nobody.
    pub fn count_visits(&mut self, whose: Option<Whose>) {
        let whom = whose.and_then(|whose| self.whom(whose));
        if self.visits.as_ref().map(Visits::whom) != whom.as_ref() {
            self.visits = whom.map(|whom| Visits::new(whom, &self.history));
            self.recalled = false;
            self.recall_visits();
        }
    }

    /// Counts on, as far as that takes no time.
    pub(super) fn recall_visits(&mut self) {
        let in_time = self.at_once();
        if let Some(visits) = &mut self.visits {
            visits.recall(&self.history, in_time);
        }
    }

    fn whom(&self, whose: Whose) -> Option<Whom> {
        let scenario = self.scenario();
        let agent = |id: AgentId| Whom::Agent(scenario.name(id).to_string());
        match whose {
            Whose::All => (!self.world().is_empty()).then_some(Whom::All),
            Whose::Agent => self.selected().map(agent),
            Whose::Group => {
                let id = self.selected()?;
                let group = scenario.groups.iter().find(|group| group.members.contains(&id));
                Some(group.map_or_else(|| agent(id), |group| Whom::Group(group.name.clone())))
            }
        }
    }

    /// What is counted, if anything is.
    pub fn visits(&self) -> Option<&Visits> {
        self.visits.as_ref()
    }
}
