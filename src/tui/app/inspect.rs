//! Commands on the inspector: selecting a page, and pinning an agent.

use ratatui::layout::Rect;

use crate::debugger::session::Subject;
use crate::id::AgentId;
use crate::tui::action::{Action, Context};
use crate::tui::argument::Argument;
use crate::tui::draw::inspector::{self, Inspector};
use crate::tui::input::Cell;
use crate::tui::tab::Tab;

use super::looks::Setup;
use super::{App, Mode};

/// The state of the inspector, and the scroll position of the inspector or of the open text page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reader {
    /// The selected page of the inspector.
    pub tab: Tab,
    /// Number of lines scrolled off the top. Text pages share this position with the inspector.
    pub scroll: usize,
}

impl App {
    pub(super) fn show_tab(&mut self, tab: Tab) {
        self.reader.tab = tab;
        self.reader.scroll = 0;
        // Pages show agents, so the selected tile is deselected.
        if let (Subject::Tile(_), Some(session)) = (self.subject(), &mut self.session) {
            session.look_at(None);
        }
    }

    /// Handles a click in the inspector. A click on a page name in the lower border selects this
    /// page. A click on a number from the map file starts to edit the number.
    pub(super) fn click_in_inspector(&mut self, area: Rect, cell: Cell) {
        let border = cell.y + 1 == area.bottom();
        if border
            && let Subject::Agent(_) = self.subject()
            && let Some(tab) = inspector::tab_at(self.reader.tab, area, cell.x)
        {
            self.show_tab(tab);
            return;
        }
        let shown = self.session.as_ref().filter(|_| matches!(self.mode, Mode::Watch));
        let shown = shown.and_then(|session| {
            let (Reader { tab, scroll }, Setup { keymap, theme, .. }) = (self.reader, &self.setup);
            let inspector = Inspector { session, tab, scroll, keymap, theme };
            inspector.shown_at(area, cell)
        });
        if let Some(shown) = shown {
            self.tune_shown(shown);
        }
    }

    /// Pins the agent in `argument`. Without an argument, unpins the pinned agent. If no agent is
    /// pinned, pins the selected agent.
    pub(super) fn toggle_pin(&mut self, argument: Option<&Argument>) {
        if let Some(&Argument::Agent(id)) = argument {
            return self.pin(Some(id));
        }
        let Some(session) = &self.session else { return };
        match (session.pinned(), session.selected()) {
            (Some(_), _) => self.pin(None),
            (None, Some(id)) => self.pin(Some(id)),
            (None, None) => {
                let text = format!("no agent to pin: {}", session.why_no_agent());
                self.warn(text);
            }
        }
    }

    fn pin(&mut self, agent: Option<AgentId>) {
        let Some(session) = &mut self.session else { return };
        session.pin(agent);
        self.reader.scroll = 0;
        let text = match agent {
            Some(id) => {
                let name = session.world().name(id).to_string();
                let key = self.setup.keymap.named(Action::Pin, Context::Watch);
                format!("pinned {name}; select another agent to compare; {key}: unpin")
            }
            None => "agent unpinned".to_owned(),
        };
        self.note(text);
    }
}
