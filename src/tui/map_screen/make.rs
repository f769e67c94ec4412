//! Commands that add, copy, rename and remove agents, and attach patterns to them. They change the
//! map file in memory, like painted tiles.

use crate::debugger::session::Subject;
use crate::files::write::edit::{Edit, agents, matrix_pattern};
use crate::files::{Setting, show};
use crate::geom::TilePos;
use crate::id::AgentId;
use crate::scenario::builder::is_name;
use crate::scenario::sources::FileRole;
use crate::tui::argument::Argument;
use crate::tui::ui::Ui;

use super::MapScreen;

impl MapScreen {
    /// Adds an agent that stands on the cursor, on the selected tile, or on a free tile. The
    /// argument is the name, and optionally a tile.
    pub(in crate::tui) fn add_agent(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let made = named_tile(argument).and_then(|(name, tile)| {
            let at = tile.unwrap_or_else(|| self.free_tile());
            let table = agents::standing(&name, at, self.session.draft().files())?;
            Ok((name.clone(), Edit::AddAgent { name, table, copy_of: None, before: None }))
        });
        self.add(ui, made);
    }

    /// Adds a copy of the selected agent. The argument is the name of the copy, and optionally a
    /// tile.
    pub(in crate::tui) fn copy_agent(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let made = named_tile(argument).and_then(|(name, tile)| {
            let from = self.kind_of_selected("copy")?;
            let at = tile.unwrap_or_else(|| self.free_tile());
            let table = agents::copied(&from, &name, at, self.session.draft().files())?;
            Ok((name.clone(), Edit::AddAgent { name, table, copy_of: Some(from), before: None }))
        });
        self.add(ui, made);
    }

    /// Makes the edit that adds an agent, and selects the agent by its name.
    fn add(&mut self, ui: &mut Ui, made: Result<(String, Edit), String>) {
        match made {
            Ok((name, edit)) => {
                if self.make_edit(ui, edit) {
                    self.select_named(ui, &name);
                }
            }
            Err(why) => self.warn(ui, why),
        }
    }

    /// Gives the selected agent another name.
    pub(in crate::tui) fn rename_agent(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let renamed = named_tile(argument).and_then(|(to, _)| {
            let from = self.kind_of_selected("rename")?;
            self.check_values(&from)?;
            Ok((from, to))
        });
        match renamed {
            Ok((from, to)) => {
                if self.make_edit(ui, Edit::RenameAgent { from, to: to.clone() }) {
                    self.select_named(ui, &to);
                }
            }
            Err(why) => self.warn(ui, why),
        }
    }

    /// Removes the agent in the argument, or the selected agent.
    pub(in crate::tui) fn remove_agent(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let name = if let Some(&Argument::Agent(id)) = argument {
            Ok(self.session.scenario().kind(id).name.clone())
        } else {
            self.kind_of_selected("remove")
        };
        match name.and_then(|name| self.check_values(&name).map(|()| name)) {
            Ok(name) => drop(self.make_edit(ui, Edit::RemoveAgent { name })),
            Err(why) => self.warn(ui, why),
        }
    }

    /// Lets the selected agent follow a pattern in its current mode. The argument is the name of
    /// the pattern, and optionally the name of a mode.
    pub(in crate::tui) fn attach(&mut self, ui: &mut Ui, argument: Option<&Argument>) {
        let Some(Argument::Text(text)) = argument else { return };
        let (pattern, mode) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let (pattern, mode) = (pattern.to_owned(), mode.trim());
        let edit = self.selected_for("attach to").and_then(|id| {
            let session = &self.session;
            let agent = session.scenario().kind(id).name.clone();
            let has_modes = agents::has_modes(&agent, session.draft().files())?;
            let mode = match (mode, has_modes) {
                ("", true) => Some(session.world().mode(id).name.clone()),
                ("", false) => None,
                (mode, _) if session.scenario().kind(id).modes.iter().any(|it| it.name == mode) => {
                    Some(mode.to_owned())
                }
                (mode, _) => return Err(format!("{agent} has no mode `{}`", show::text(mode))),
            };
            Ok(Edit::Attach { agent, mode, pattern })
        });
        match edit {
            Ok(edit) => drop(self.make_edit(ui, edit)),
            Err(why) => self.warn(ui, why),
        }
    }

    /// Adds a new pattern to the files of the map, and offers to attach it to the selected agent.
    /// Returns false if the pattern cannot be added.
    pub(super) fn add_pattern(&mut self, ui: &mut Ui, name: &str, text: String) -> bool {
        let is_added = self.make_edit(ui, Edit::NewPattern { name: name.to_owned(), text });
        if is_added {
            self.offer_to_attach(ui, name);
        }
        is_added
    }

    /// Opens the command line with the command that attaches a pattern, unless an agent uses the
    /// pattern already.
    pub(super) fn offer_to_attach(&self, ui: &mut Ui, name: &str) {
        let modes = self.session.scenario().kinds().iter().flat_map(|kind| &kind.modes);
        let is_used =
            modes.flat_map(|mode| mode.drive.patterns()).any(|pattern| pattern.name == name);
        if is_used {
            return;
        }
        match self.session.selected() {
            Some(id) => {
                let agent = self.session.scenario().kind(id).name.clone();
                ui.open_command_line_with(&format!("attach {name}"));
                self.note(ui, format!("{name}: Enter attaches the pattern to {agent}"));
            }
            None => self.note(ui, format!("{name}: `:attach {name}` gives it to an agent")),
        }
    }

    /// Creates an empty matrix pattern if the map has no pattern with this name.
    pub(super) fn create_matrix(&mut self, ui: &mut Ui, name: &str) -> bool {
        let place = FileRole::Pattern(name.to_owned());
        if self.session.draft().files().file(&place).is_some() {
            return true;
        }
        let edit = Edit::NewPattern { name: name.to_owned(), text: matrix_pattern::text() };
        self.make_edit(ui, edit)
    }

    /// Returns the tile for a new agent: the cursor of paint mode, the selected tile, or the free
    /// tile nearest to the selected agent.
    fn free_tile(&self) -> TilePos {
        if let Some(paint) = &self.paint {
            return paint.cursor;
        }
        let session = &self.session;
        let (world, map) = (session.world(), session.scenario().map());
        if let Subject::Tile(tile) = session.subject() {
            return tile;
        }
        let (width, height) = session.size();
        let middle = TilePos::new(width as i32 / 2, height as i32 / 2);
        let near = session.selected().map_or(middle, |id| world.tile(id));
        let is_free = |tile: TilePos| {
            map.kind(tile).is_some_and(|kind| kind.walk && kind.obstacle.is_none())
                && !world.ids().any(|id| world.tile(id) == tile)
        };
        let farthest = width.max(height) as i32;
        let ring = |by: i32| {
            let row = move |y: i32| {
                let step = if y.abs() == by { 1 } else { (2 * by).max(1) };
                (-by..=by).step_by(step as usize).map(move |x| TilePos::new(x, y))
            };
            (-by..=by).flat_map(row)
        };
        let found = (0..=farthest).flat_map(ring).map(|by| near + by).find(|&tile| is_free(tile));
        found.unwrap_or(near)
    }

    fn selected_for(&self, what: &str) -> Result<AgentId, String> {
        let session = &self.session;
        let missing = || format!("no agent to {what}: {}", session.why_no_agent());
        session.selected().ok_or_else(missing)
    }

    /// Returns the name that the map file has for the selected agent or its group.
    fn kind_of_selected(&self, what: &str) -> Result<String, String> {
        let id = self.selected_for(what)?;
        Ok(self.session.scenario().kind(id).name.clone())
    }

    /// Returns an error if values of an agent are changed and not written. Their settings name the
    /// agent.
    fn check_values(&self, agent: &str) -> Result<(), String> {
        let is_own = |setting: &Setting| setting.path().agent() == Some(agent);
        let later = self.session.lost_settings();
        if self.session.unwritten().iter().chain(&later).any(is_own) {
            return Err(format!("{agent} has changed values: write or undo them first"));
        }
        Ok(())
    }

    /// Selects the agent with this name, or the first agent of the group with this name.
    fn select_named(&mut self, ui: &Ui, name: &str) {
        let world = self.session.world();
        let of_kind = |&id: &AgentId| world.scenario().kind(id).name == name;
        let found = world.find_present(name).or_else(|| world.ids().find(of_kind));
        if let Some(id) = found {
            self.session.select(id);
            if self.paint.is_none() {
                self.show_selected(ui);
            }
        }
    }
}

/// Parses a name, and a tile such as `5 3` or `5,3` behind it.
fn named_tile(argument: Option<&Argument>) -> Result<(String, Option<TilePos>), String> {
    let text = if let Some(Argument::Text(text)) = argument { text } else { "" };
    let (name, tile) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if !is_name(name) {
        return Err(format!(
            "`{}` is not a name: up to 32 letters, digits and `_`, no digit first",
            show::text(name)
        ));
    }
    let mut numbers = tile.split([' ', ',', '(', ')', '[', ']']).filter(|part| !part.is_empty());
    let mut number = || numbers.next().and_then(|part| part.parse().ok());
    let tile = match (tile.trim(), number(), number()) {
        ("", ..) => None,
        (_, Some(x), Some(y)) if numbers.next().is_none() => Some(TilePos::new(x, y)),
        (tile, ..) => return Err(format!("`{}` is not a tile such as 5,3", show::text(tile))),
    };
    Ok((name.to_owned(), tile))
}
