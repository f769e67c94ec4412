//! Replaces references to an agent's start in a mode. These are the target `home`, and patterns
//! placed at the start.

use toml_edit::{Array, Item, TableLike, Value};

use super::{point, set, tables_mut};
use crate::keys::agent::MODE;
use crate::keys::{steer, targets};
use tilewalk_sim::agent::Drive;
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::id::AgentId;
use tilewalk_sim::pattern::{Pattern, Placement};
use tilewalk_sim::steering::{self, Behaviour};
use tilewalk_sim::world::World;

/// Replaces all references to the start of agent `id` in one of its modes. The new values name the
/// original start.
pub fn keep(world: &World, id: AgentId, mode: &mut dyn TableLike, drive: &Drive) {
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
    replace(mode, targets::of(&MODE), &home);
    let Drive::Steer { rows, .. } = drive else { return };
    let Some(list) = mode.get_mut("steer") else { return };
    for (table, row) in tables_mut(list).into_iter().zip(rows) {
        replace(table, targets::of(steer::table(row.behaviour.spec())), &home);
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
