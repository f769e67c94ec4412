//! Writes one frame as a map: the text of the map with all agents at their current positions.
//!
//! # Limitations
//! A map can't express velocities, the time in a mode or the memory of a drive. The agents of a
//! group become single agents: `boid.3` is renamed `boid_3` and thus gets other random numbers. In
//! conditions, `home` refers to the new start.
//!
//! Agents that left the world are omitted. Instances of templates become single agents without a
//! lifetime, and do not belong to the group of the template. New instances are numbered from 1.
//! Spawn rules continue: `first` and `total` are adjusted.
//!
//! Expectations are omitted, because their times and names refer to the original run.
//!
//! The target `home` and patterns placed at the start refer to the old start of an agent, so
//! they are replaced.

use std::sync::Arc;

use toml_edit::visit_mut::{self, VisitMut};
use toml_edit::{Array, DocumentMut, Formatted, Item, RawString, Table, TableLike, Value};

use crate::disk::store;
use crate::keys::agent::MODE;
use crate::keys::{steer, words};
use crate::read::loading::{Options, reload};
use crate::read::tuning;
use crate::text::diagnostic::Severity;
use tilewalk_sim::agent::{AgentKind, Drive};
use tilewalk_sim::geom::{TilePos, Vec2};
use tilewalk_sim::id::AgentId;
use tilewalk_sim::pattern::{Pattern, Placement};
use tilewalk_sim::scenario::sources::{FileRole, SourceFile, Sources};
use tilewalk_sim::steering::{self, Behaviour};
use tilewalk_sim::world::World;

/// Maximum number of agents in a saved frame. Each agent becomes an `[[agent]]` table.
const MOST: usize = 10_000;

/// Returns the text of a valid map that starts with the state of a world.
///
/// # Errors
/// Returns the reason if the world can't be written as a map. The reason is one line that is safe
/// to print.
pub fn text(world: &World) -> Result<String, String> {
    let mut document = document(world, Groups::Split)?;
    document.remove("expect");
    let text = document.to_string();
    read(world.scenario().sources(), &text)?;
    Ok(text)
}

/// Treatment of groups when a frame is written as a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Groups {
    /// The agents of each group become single agents.
    Split,
    /// Groups stay groups, and keep the starts of the original map.
    Keep,
}

/// Returns the map of a world with its expectations and with all agents at their current positions.
///
/// # Errors
/// Returns the reason if the world can't be written as a map. The reason is one line that is safe
/// to print.
pub(crate) fn document(world: &World, treatment: Groups) -> Result<DocumentMut, String> {
    let sources = world.scenario().sources();
    let wrong = |why: &dyn ToString| why.to_string();
    if sources.files.is_empty() {
        return Err("this map was not read from a file".to_owned());
    }
    if world.len() > MOST {
        return Err(format!("{} agents are too many to save; the limit is {MOST}", world.len()));
    }
    let text = tuning::text_with(sources, &sources.set).map_err(|error| wrong(&error))?;
    let mut document: DocumentMut =
        text.parse().map_err(|_| "the map is not valid TOML".to_owned())?;
    if let Some(seed) = sources.seed {
        document.insert("seed", Item::Value((seed as i64).into()));
    }
    let groups = groups(world);
    let table = document.as_table_mut();
    if let Some(agents) = table.get_mut("agent") {
        let Item::ArrayOfTables(tables) = agents else {
            return Err("can't save this map: write its agents as [[agent]] tables".to_owned());
        };
        let place = |(table, group): (&Table, &Members)| {
            let is_kept = group.kind.template || (group.several && treatment == Groups::Keep);
            let is_placed = group.kind.template || !is_kept;
            let placed = if is_placed { placed(world, table, group) } else { Vec::new() };
            is_kept.then(|| table.clone()).into_iter().chain(placed)
        };
        *tables = tables.iter().zip(&groups).flat_map(place).collect();
    }
    continue_spawns(world, table);
    if treatment == Groups::Split {
        rename_members(world, table);
    }
    visit_mut::visit_table_mut(&mut Number(1), table);
    Ok(document)
}

/// Renames the members of all groups that become single agents: `boid.3` becomes `boid_3`. Changes
/// all strings of a table.
pub(crate) fn rename_members(world: &World, table: &mut Table) {
    let kinds = world.scenario().kinds();
    let numbered = |kind: &&AgentKind| world.scenario().is_numbered(kind);
    let split = kinds.iter().filter(numbered).filter(|kind| !kind.template);
    Rename(split.map(|kind| &*kind.name).collect()).visit_table_mut(table);
}

/// The agents that one `[[agent]]` table defines.
struct Members<'a> {
    kind: &'a AgentKind,
    ids: Vec<AgentId>,
    several: bool,
}

fn groups(world: &World) -> Vec<Members<'_>> {
    let scenario = world.scenario();
    let mut groups: Vec<_> = scenario
        .kinds()
        .iter()
        .map(|kind| Members { kind, ids: Vec::new(), several: scenario.is_numbered(kind) })
        .collect();
    for id in world.ids() {
        groups[scenario.starts()[id.index()].kind as usize].ids.push(id);
    }
    groups
}

/// Returns a table for each agent of a group, with the position of the agent in `world`.
fn placed(world: &World, table: &Table, group: &Members) -> Vec<Table> {
    let of = |(index, &id): (usize, &AgentId)| {
        let mut table = table.clone();
        if group.several {
            let numbered = world.name(id).to_string().replace('.', "_");
            table.insert("name", text_value(&numbered));
            for key in ["count", "numbered", "template", "max"] {
                table.remove(key);
            }
            if !table.contains_key("group") && !group.kind.template {
                table.insert("group", text_value(&group.kind.name));
            }
            if index > 0 || group.kind.template {
                table.decor_mut().set_prefix("\n");
            }
        }
        put(world, id, &mut table);
        table
    };
    group.ids.iter().enumerate().map(of).collect()
}

/// Writes an agent's position, heading and mode into the table of the agent.
fn put(world: &World, id: AgentId, table: &mut Table) {
    set(table, "at", point(world.position(id), world.is_on_tiles(id)));
    let degrees = world.heading_degrees(id);
    if degrees != 0.0 || table.contains_key("heading") {
        set(table, "heading", number_value(degrees));
    }
    let kind = world.kind(id);
    let Some(modes) = table.get_mut("mode") else {
        return keep_homes(world, id, table, &kind.modes[0].drive);
    };
    for (table, mode) in tables_mut(modes).into_iter().zip(&kind.modes) {
        keep_homes(world, id, table, &mode.drive);
    }
    let present = kind.modes.iter().position(|mode| mode.name == world.mode(id).name);
    begin_with(modes, present.unwrap_or(0));
}

/// Returns the tables of a list: `[[…]]` tables, or inline tables in an array.
fn tables_mut(list: &mut Item) -> Vec<&mut dyn TableLike> {
    match list {
        Item::ArrayOfTables(tables) => {
            tables.iter_mut().map(|table| table as &mut dyn TableLike).collect()
        }
        Item::Value(Value::Array(list)) => {
            let tables = list.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.map(|table| table as &mut dyn TableLike).collect()
        }
        Item::Value(_) | Item::Table(_) | Item::None => Vec::new(),
    }
}

/// Adjusts `first` and `total` of the spawn rules to the current frame. Removes rules that have
/// reached their total.
fn continue_spawns(world: &World, map: &mut Table) {
    let Some(list) = map.get_mut("spawn") else { return };
    let scenario = world.scenario();
    let clocks = scenario.spawns().iter().zip(world.spawners());
    let clocks = clocks.filter_map(|(spawn, spawner)| Some((spawn.clock()?, spawner)));
    let mut done = Vec::new();
    for (index, (table, (clock, spawner))) in tables_mut(list).into_iter().zip(clocks).enumerate() {
        if let Some(total) = clock.total {
            let left = total.saturating_sub(spawner.spawned);
            set(table, "total", i64::from(left).into());
            done.extend((left == 0).then_some(index));
        }
        let seconds = f64::from(spawner.due_in) * scenario.tick();
        set(table, "first", ((seconds * 1e6).round() / 1e6).into());
    }
    for index in done.into_iter().rev() {
        match list {
            Item::ArrayOfTables(tables) => {
                tables.remove(index);
            }
            Item::Value(Value::Array(tables)) => {
                tables.remove(index);
            }
            Item::Value(_) | Item::Table(_) | Item::None => {}
        }
    }
}

/// Moves the current mode to the top of the list of modes, because agents start in their first
/// mode.
fn begin_with(modes: &mut Item, present: usize) {
    match modes {
        Item::ArrayOfTables(modes) => {
            let mut tables: Vec<Table> = modes.iter().cloned().collect();
            if present < tables.len() {
                tables[..=present].rotate_right(1);
            }
            *modes = tables.into_iter().collect();
        }
        Item::Value(Value::Array(modes)) if present > 0 && present < modes.len() => {
            let mode = modes.remove(present);
            modes.insert_formatted(0, mode);
        }
        Item::Value(_) | Item::Table(_) | Item::None => {}
    }
}

/// Sets a value, and keeps the white space and comments around the old value.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    } else if let Some(last) = table.iter_mut().last().and_then(|(_, item)| item.as_value_mut()) {
        // In an inline table, the space before `}` follows the new value.
        let decor = last.decor_mut();
        if decor.suffix().and_then(RawString::as_str).is_some_and(|space| space.trim().is_empty()) {
            decor.set_suffix("");
        }
    }
    table.insert(key, Item::Value(value));
}

/// Converts a point to a TOML value: two integers for the centre of a tile, otherwise two floats.
/// With `on_tiles`, every point becomes the two integers of its tile.
fn point(at: Vec2, on_tiles: bool) -> Value {
    let tile = TilePos::containing(at);
    if on_tiles || at == tile.centre() {
        return Array::from_iter([i64::from(tile.x), i64::from(tile.y)]).into();
    }
    Array::from_iter([number_value(at.x), number_value(at.y)]).into()
}

/// Returns the shortest notation of a number that parses to the same bits, with a decimal point.
pub(crate) fn number_value(number: f32) -> Value {
    format!("{number:?}").parse().unwrap_or_else(|_| f64::from(number).into())
}

fn text_value(text: &str) -> Item {
    Item::Value(text.into())
}

/// Visitor that renames the members of these groups in all strings.
struct Rename<'a>(Vec<&'a str>);

impl VisitMut for Rename<'_> {
    fn visit_string_mut(&mut self, text: &mut Formatted<String>) {
        let old = text.value();
        let renamed = self.0.iter().fold(old.clone(), |text, group| member(&text, group));
        if renamed != *old {
            let mut renamed = Formatted::new(renamed);
            *renamed.decor_mut() = text.decor().clone();
            *text = renamed;
        }
    }
}

/// Replaces `group.N` with `group_N` where `group.N` is a separate word.
fn member(text: &str, group: &str) -> String {
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(group) {
        let (before, found) = rest.split_at(at);
        let behind = &found[group.len()..];
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let begins = !before.ends_with(word);
        let number =
            behind.strip_prefix('.').is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
        renamed.push_str(before);
        renamed.push_str(group);
        rest = behind;
        if begins && number {
            renamed.push('_');
            rest = &behind[1..];
        }
    }
    renamed.push_str(rest);
    renamed
}

/// Visitor that numbers tables in the order in which they are written.
struct Number(isize);

impl VisitMut for Number {
    fn visit_table_mut(&mut self, table: &mut Table) {
        if !table.is_dotted() {
            table.set_position(Some(self.0));
        }
        self.0 += 1;
        visit_mut::visit_table_mut(self, table);
    }
}

/// Returns the files that a saved frame needs: all files of the map except expectations.
pub fn files(sources: &Sources) -> Sources {
    let is_needed = |file: &&SourceFile| match &file.place {
        FileRole::Map | FileRole::Pattern(_) => true,
        FileRole::Beside(name) => !store::is_expect_file(name),
    };
    Sources { files: sources.files.iter().filter(is_needed).cloned().collect(), ..sources.clone() }
}

/// Returns an error unless the text is valid as the map file.
fn read(sources: &Sources, text: &str) -> Result<(), String> {
    let mut sources = Sources { set: Vec::new(), seed: None, ..files(sources) };
    for file in sources.files.iter_mut().filter(|file| file.place == FileRole::Map) {
        file.text = text.into();
    }
    let loaded = reload(&Arc::new(sources), &Options::default());
    let loaded = loaded.map_err(|error| error.to_string())?;
    let mut errors = loaded.report.diagnostics().iter();
    match errors.find(|each| each.severity == Severity::Error) {
        Some(error) => Err(format!("can't save this frame as a map: {}", error.message)),
        None => Ok(()),
    }
}

/// Replaces all references to the start of agent `id` in one of its modes. The new values name the
/// original start.
fn keep_homes(world: &World, id: AgentId, mode: &mut dyn TableLike, drive: &Drive) {
    let start = world.home(id);
    let tile = TilePos::containing(start);
    let home = point(start, false);
    let is_placed = drive.patterns().any(|used| {
        used.placement == Placement::Home
            && matches!(used.pattern.as_ref(), Pattern::Path(_) | Pattern::Matrix(_))
    });
    if is_placed {
        put_offset(mode, tile);
    }
    replace(mode, words::target_forms(&MODE), &home);
    let Drive::Steer { rows, .. } = drive else { return };
    let Some(list) = mode.get_mut("steer") else { return };
    for (table, row) in tables_mut(list).into_iter().zip(rows) {
        replace(table, words::target_forms(steer::table(row.behaviour.spec())), &home);
        if follows_from_home(world, &row.behaviour) {
            put_offset(table, tile);
        }
    }
}

/// Returns true if a behaviour has a path that is placed at the agent's start.
fn follows_from_home(world: &World, behaviour: &Behaviour) -> bool {
    let values = behaviour.spec().parameters.iter().map(|it| (it.access.get)(behaviour));
    let mut paths = values.filter_map(|value| match value {
        Some(steering::ParameterValue::Path(path)) => world.scenario().paths().get(path.0 as usize),
        _ => None,
    });
    paths.any(|path| path.at_home)
}

fn put_offset(table: &mut dyn TableLike, tile: TilePos) {
    if !table.contains_key("offset") {
        set(table, "offset", Array::from_iter([i64::from(tile.x), i64::from(tile.y)]).into());
    }
}

fn replace(table: &mut dyn TableLike, keys: impl Iterator<Item = &'static str>, home: &Value) {
    for key in keys {
        if let Some(value) = table.get_mut(key).and_then(Item::as_value_mut) {
            replace_word(value, home);
        }
    }
}

/// Replaces the target `home` with a point. In a list of targets, replaces each `home`.
fn replace_word(value: &mut Value, home: &Value) {
    if value.as_str() == Some("home") {
        let decor = value.decor().clone();
        *value = home.clone();
        *value.decor_mut() = decor;
    } else if let Some(list) = value.as_array_mut() {
        list.iter_mut().for_each(|value| replace_word(value, home));
    }
}
