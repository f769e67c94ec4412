//! Adds, copies, renames and removes agents of a map file, and attaches patterns to them.
//!
//! The new text follows the style of the file: tables with headers or inline tables, aligned equals
//! signs, and line endings.

use std::ops::Range;

use toml_edit::{Document, Item, Table, TableLike, Value};

use super::{Edit, Located, Patch, UNFIT, document, map_of};
use crate::keys::agent::DRIVES;
use crate::show;
use crate::text::span_tree::{PathStep, SpanTree};
use tilewalk_sim::geom::TilePos;
use tilewalk_sim::scenario::sources::{FileRole, Sources};
use tilewalk_sim::sort::SmallSort;
use tilewalk_sim::steering::{ParameterShape, SPECS};

/// Keys of a mode that only work together with a key of [`DRIVES`] other than `pattern`, or with
/// several patterns.
const DEPENDENT: [&str; 3] = ["combine", "choose", "offset"];

/// Where an agent is written in the map file.
struct AgentText {
    name: String,
    /// Byte range of the table, with the comments above it. For an inline table, the range of the
    /// table itself.
    span: Range<usize>,
    is_inline: bool,
}

/// Returns the text of the table of a new agent that stands on a tile, in the style of the file.
///
/// # Errors
/// Returns the reason if the map file cannot be edited, in a line that is safe to print.
pub fn standing(name: &str, at: TilePos, files: &Sources) -> Result<String, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let at = format!("[{}, {}]", at.x, at.y);
    if is_inline(&document) {
        return Ok(format!("{{ name = \"{name}\", at = {at} }}"));
    }
    let newline = newline(text);
    let gap = if is_aligned(text, &document) { "  " } else { "" };
    Ok(format!("[[agent]]{newline}name = \"{name}\"{newline}at{gap} = {at}{newline}"))
}

/// Returns the text of an agent's table with another name. An agent with a fixed start is placed on
/// `at`; any other agent keeps its start.
///
/// # Errors
/// Returns the reason if the agent cannot be copied, in a line that is safe to print.
pub fn copied(agent: &str, name: &str, at: TilePos, files: &Sources) -> Result<String, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let found = find(agent, text, &document)?;
    let own = text.get(found.span.clone()).ok_or(UNFIT)?;
    let (before, after) = if found.is_inline { ("agent = [", "]") } else { ("", "") };
    let mut tree = SpanTree::parse(&format!("{before}{own}{after}")).ok_or(UNFIT)?;
    let path = |key| [PathStep::Key("agent"), PathStep::Row(1), PathStep::Key(key)];
    tree.put(&path("name"), &format!("\"{name}\"")).map_err(|_| UNFIT)?;
    let is_fixed = tree.get(&path("at")).is_some_and(|at| at.starts_with('['));
    if is_fixed {
        tree.put(&path("at"), &format!("[{}, {}]", at.x, at.y)).map_err(|_| UNFIT)?;
    }
    let made = tree.text();
    let made = made.get(before.len()..made.len() - after.len()).ok_or(UNFIT)?;
    Ok(if found.is_inline { made.to_owned() } else { ended(made, newline(text)) })
}

/// Returns true if the map file has an agent with this name.
pub fn exists(name: &str, files: &Sources) -> bool {
    let Ok(text) = map_of(files) else { return false };
    document(text).is_ok_and(|document| index_of(name, &agents(text, &document)).is_ok())
}

/// Returns true if the map file gives an agent modes of its own.
///
/// # Errors
/// Returns the reason if the map file has no such agent, in a line that is safe to print.
pub fn has_modes(agent: &str, files: &Sources) -> Result<bool, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    find(agent, text, &document)?;
    Ok(own_table(agent, None, &document).is_some_and(|table| table.contains_key("mode")))
}

fn ended(text: &str, newline: &str) -> String {
    format!("{}{newline}", text.trim_end())
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn is_inline(document: &Document<&str>) -> bool {
    document.get("agent").is_some_and(Item::is_value)
}

/// Returns true unless an agent has the key `at` without space for alignment.
fn is_aligned(text: &str, document: &Document<&str>) -> bool {
    let tables = document.get("agent").and_then(Item::as_array_of_tables).into_iter().flatten();
    tables.into_iter().all(|table| {
        let at = table.key("at").and_then(toml_edit::Key::span);
        let behind = at.and_then(|at| text.get(at.end..));
        behind.is_none_or(|behind| behind.starts_with("  "))
    })
}

/// Returns the patches that add the table `table` of the agent `name` before the agent `before`, or
/// after all agents.
pub(super) fn add(
    name: &str,
    table: &str,
    before: Option<&str>,
    files: &Sources,
) -> Result<Located, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let all = agents(text, &document);
    if all.iter().any(|agent| agent.name == name) {
        return Err(format!("an agent `{}` already exists", show::text(name)));
    }
    let next = all.iter().find(|agent| Some(&*agent.name) == before);
    let newline = newline(text);
    let patch = match (is_inline(&document), next, all.last()) {
        (true, ..) => inline_patch(table, next.map(|next| next.span.start), text, &document)?,
        (false, Some(next), _) => insert(next.span.start, format!("{table}{newline}")),
        (false, None, Some(last)) => {
            let end = last.span.end;
            let ends = text[..end].ends_with('\n');
            insert(end, format!("{}{newline}{table}", if ends { "" } else { newline }))
        }
        (false, None, None) => {
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
            insert(text.len(), format!("{gap}{newline}{table}"))
        }
    };
    let back = Edit::RemoveAgent { name: name.to_owned() };
    Ok(Located { place: FileRole::Map, patches: vec![patch], back })
}

fn insert(at: usize, after: String) -> Patch {
    Patch { at, before: String::new(), after }
}

/// Returns the patch that adds an entry to the list `agent = [ … ]`.
fn inline_patch(
    table: &str,
    next: Option<usize>,
    text: &str,
    document: &Document<&str>,
) -> Result<Patch, String> {
    let list = document.get("agent").and_then(Item::as_array).ok_or(UNFIT)?;
    let spans: Option<Vec<_>> = list.iter().map(Value::span).collect();
    let spans = spans.ok_or(UNFIT)?;
    let between = |at: Range<usize>| text.get(at).filter(|gap| gap.trim() == ",");
    let gap = spans.windows(2).find_map(|pair| between(pair[0].end..pair[1].start));
    // A single entry on a line of its own shows the indentation.
    let indented = || {
        let first = spans.first()?.start;
        let line = text[..first].rfind('\n')?;
        let blank = &text[line..first];
        blank.trim().is_empty().then(|| format!(",{blank}"))
    };
    let gap = gap.map(ToOwned::to_owned).or_else(indented).unwrap_or_else(|| ", ".to_owned());
    Ok(match (next, spans.last()) {
        (Some(at), _) => insert(at, format!("{table}{gap}")),
        (None, Some(last)) => insert(last.end, format!("{gap}{table}")),
        (None, None) => insert(list.span().ok_or(UNFIT)?.start + 1, table.to_owned()),
    })
}

/// Returns the patches that remove the table of an agent.
pub(super) fn remove(name: &str, files: &Sources) -> Result<Located, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let all = agents(text, &document);
    let index = index_of(name, &all)?;
    let AgentText { span, is_inline, .. } = &all[index];
    let table = text.get(span.clone()).ok_or(UNFIT)?;
    let next = all.get(index + 1);
    let gone = if *is_inline {
        match (next, index.checked_sub(1)) {
            (Some(next), _) => span.start..next.span.start,
            (None, Some(before)) => all[before].span.end..span.end,
            (None, None) => span.clone(),
        }
    } else {
        // The blank lines above the table are removed, too.
        let kept = text[..span.start].trim_end().len();
        let start = text[kept..span.start].find('\n').map_or(kept, |end| kept + end + 1);
        start..span.end
    };
    let patch = Patch {
        at: gone.start,
        before: text.get(gone).ok_or(UNFIT)?.to_owned(),
        after: String::new(),
    };
    let table = if *is_inline { table.to_owned() } else { ended(table, newline(text)) };
    let before = next.map(|next| next.name.clone());
    let back = Edit::AddAgent { name: name.to_owned(), table, copy_of: None, before };
    Ok(Located { place: FileRole::Map, patches: vec![patch], back })
}

/// Returns the patches that replace the table of an agent.
pub(super) fn replace(name: &str, table: &str, files: &Sources) -> Result<Located, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let span = find(name, text, &document)?.span;
    let before = text.get(span.clone()).ok_or(UNFIT)?.to_owned();
    let back = Edit::ReplaceAgent { name: name.to_owned(), table: before.clone() };
    let patch = Patch { at: span.start, before, after: table.to_owned() };
    Ok(Located { place: FileRole::Map, patches: vec![patch], back })
}

/// Returns the patches that let a mode of an agent follow a pattern. The pattern replaces the
/// movement of the mode.
pub(super) fn attach(
    name: &str,
    mode: Option<&str>,
    pattern: &str,
    files: &Sources,
) -> Result<Located, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let span = find(name, text, &document)?.span;
    let before = text.get(span.clone()).ok_or(UNFIT)?.to_owned();
    let table = own_table(name, mode, &document).ok_or(UNFIT)?;
    let others = DRIVES.iter().filter(|key| **key != "pattern").chain(&DEPENDENT);
    let mut gone: Vec<Range<usize>> = Vec::new();
    for key in others {
        let Some(item) = table.get(key) else { continue };
        gone.push(entry_span(table, key, item, text).ok_or_else(|| {
            format!("remove `{key}` from {} first: a mode has one movement", show::text(name))
        })?);
    }
    gone.small_sort_by_key(|gone| core::cmp::Reverse(gone.start));
    let mut after = text.to_owned();
    let mut end = span.end;
    for gone in gone {
        end -= gone.len();
        after.replace_range(gone, "");
    }
    let mut tree = SpanTree::parse(&after).ok_or(UNFIT)?;
    let mut path = vec![PathStep::Named("agent", name)];
    path.extend(mode.map(|mode| PathStep::Named("mode", mode)));
    path.push(PathStep::Key("pattern"));
    let length = tree.text().len();
    tree.put(&path, &format!("\"{pattern}\"")).map_err(|_| UNFIT)?;
    let end = end + tree.text().len() - length;
    let made = tree.text().get(span.start..end).ok_or(UNFIT)?.to_owned();
    let back = Edit::ReplaceAgent { name: name.to_owned(), table: before.clone() };
    let patch = Patch { at: span.start, before, after: made };
    Ok(Located { place: FileRole::Map, patches: vec![patch], back })
}

/// Returns the table with the movement of a mode. Without `mode`, this is the table of the agent.
fn own_table<'a>(
    name: &str,
    mode: Option<&str>,
    document: &'a Document<&str>,
) -> Option<&'a dyn TableLike> {
    let is_called =
        |table: &&dyn TableLike, name: &str| table.get("name").and_then(Item::as_str) == Some(name);
    let agent = tables(document.get("agent")?).into_iter().find(|table| is_called(table, name))?;
    let Some(mode) = mode else { return Some(agent) };
    tables(agent.get("mode")?).into_iter().find(|table| is_called(table, mode))
}

/// Returns the bytes of a key and its value: the whole lines, or the part of an inline table with a
/// comma.
fn entry_span(table: &dyn TableLike, key: &str, item: &Item, text: &str) -> Option<Range<usize>> {
    let start = table.key(key)?.span()?.start;
    let end = item.as_value()?.span()?.end;
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let rest = text[end..].split('\n').next()?;
    let is_alone = text[line..start].trim().is_empty()
        && (rest.trim().is_empty() || rest.trim_start().starts_with('#'));
    if is_alone {
        return Some(line..(end + rest.len() + 1).min(text.len()));
    }
    let behind = text[end..].trim_start();
    if let Some(next) = behind.strip_prefix(',') {
        return Some(start..text.len() - next.trim_start().len());
    }
    let ahead = text[..start].trim_end().strip_suffix(',')?;
    Some(ahead.len()..end)
}

/// Returns the patches that give an agent another name, in its table and wherever the map file uses
/// the name.
pub(super) fn rename(from: &str, to: &str, files: &Sources) -> Result<Located, String> {
    let text = map_of(files)?;
    let document = document(text)?;
    let all = agents(text, &document);
    index_of(from, &all)?;
    if all.iter().any(|agent| agent.name == to) {
        return Err(format!("an agent `{}` already exists", show::text(to)));
    }
    let mut uses = Vec::new();
    let rows = |key| document.get(key).map_or_else(Vec::new, tables);
    for agent in rows("agent") {
        if agent.get("name").and_then(Item::as_str) == Some(from) {
            uses.extend(agent.get("name").and_then(Item::as_value));
        }
        uses.extend(movement(agent));
        for mode in agent.get("mode").map_or_else(Vec::new, tables) {
            uses.extend(movement(mode));
            for rule in mode.get("switch").map_or_else(Vec::new, tables) {
                uses.extend(values(rule, |key| key == "when"));
            }
        }
    }
    for (key, name) in [("spawn", "agent"), ("on", "spawn")] {
        for row in rows(key) {
            uses.extend(values(row, |key| key == name || key == "when"));
        }
    }
    for row in rows("expect") {
        uses.extend(values(row, |key| !matches!(key, "name" | "golden")));
    }
    let mut patches = Vec::new();
    for value in uses {
        strings(value, &mut |span| {
            let raw = text.get(span.clone()).unwrap_or_default();
            let renamed = renamed(raw, from, to);
            if renamed != raw {
                patches.push(Patch { at: span.start, before: raw.to_owned(), after: renamed });
            }
        });
    }
    let back = Edit::RenameAgent { from: to.to_owned(), to: from.to_owned() };
    Ok(Located { place: FileRole::Map, patches, back })
}

/// Returns the values of an agent or a mode that can contain names of agents.
fn movement(table: &dyn TableLike) -> Vec<&Value> {
    let mut found =
        values(table, |key| matches!(key, "chase" | "flee_tiles" | "travel" | "remove"));
    for row in table.get("steer").map_or_else(Vec::new, tables) {
        let behaviour = row.get("do").and_then(Item::as_str).unwrap_or_default();
        found.extend(values(row, |key| key != "do" && can_name(behaviour, key)));
    }
    found
}

/// Returns true if a key of a behaviour can contain names of agents. Words such as `hand = "left"` are
/// no names.
fn can_name(behaviour: &str, key: &str) -> bool {
    let spec = SPECS.iter().find(|spec| spec.word == behaviour);
    let parameter = spec.and_then(|spec| spec.parameters.iter().find(|it| it.key == key));
    parameter.is_none_or(|it| matches!(it.shape, ParameterShape::Group { .. }))
}

fn values(table: &dyn TableLike, wants: impl Fn(&str) -> bool) -> Vec<&Value> {
    let wanted = table.iter().filter(|(key, _)| wants(key));
    wanted.filter_map(|(_, item)| item.as_value()).collect()
}

/// Calls a function with the byte range of each string in a value.
fn strings(value: &Value, found: &mut impl FnMut(Range<usize>)) {
    if value.is_str() {
        value.span().into_iter().for_each(found);
    } else if let Some(list) = value.as_array() {
        list.iter().for_each(|value| strings(value, found));
    } else if let Some(table) = value.as_inline_table() {
        table.iter().for_each(|(_, value)| strings(value, found));
    }
}

/// Returns a condition or a value, such as the text of a breakpoint, with another name of an agent.
pub fn renamed_in(text: &str, from: &str, to: &str) -> String {
    let renamed = renamed(&format!("'{text}'"), from, to);
    renamed[1..renamed.len() - 1].to_owned()
}

/// Replaces a name in a string of the file, with its quotes. Names after a dot are fields, and names
/// in quotes are modes or texts. Both stay the same.
fn renamed(raw: &str, from: &str, to: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let quotes = raw.len() - raw.trim_start_matches(['"', '\'']).len();
    let delimiter = if quotes >= 3 { 3 } else { 1 };
    let mut made = String::with_capacity(raw.len());
    let (mut rest, mut is_quoted) = (raw, false);
    while let Some(first) = rest.chars().next() {
        let word = rest.len() - rest.trim_start_matches(is_letter).len();
        if word == 0 {
            let is_inside = made.len() >= delimiter && rest.len() > delimiter;
            is_quoted ^= first == '"' && is_inside;
            made.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, behind) = rest.split_at(word);
        let is_name = word == from && !is_quoted && !made.ends_with('.');
        made.push_str(if is_name { to } else { word });
        rest = behind;
    }
    made
}

/// Returns the tables of a list of tables or of inline tables.
fn tables(item: &Item) -> Vec<&dyn TableLike> {
    let headers = item.as_array_of_tables().into_iter().flatten();
    let headers = headers.map(|table| table as &dyn TableLike);
    let inline = item.as_array().into_iter().flatten();
    let inline = inline.filter_map(|value| Some(value.as_inline_table()? as &dyn TableLike));
    headers.chain(inline).collect()
}

fn index_of(name: &str, all: &[AgentText]) -> Result<usize, String> {
    all.iter().position(|agent| agent.name == name).ok_or_else(|| {
        let near = show::nearest(name, all.iter().map(|agent| agent.name.as_str()));
        format!("no agent `{}` in the map file{}", show::text(name), show::did_you_mean(near))
    })
}

fn find(name: &str, text: &str, document: &Document<&str>) -> Result<AgentText, String> {
    let mut all = agents(text, document);
    let index = index_of(name, &all)?;
    Ok(all.swap_remove(index))
}

/// Returns where the agents of a map are written, in the order of the file.
fn agents(text: &str, document: &Document<&str>) -> Vec<AgentText> {
    let Some(item) = document.get("agent") else { return Vec::new() };
    let name = |table: &dyn TableLike| {
        table.get("name").and_then(Item::as_str).unwrap_or_default().to_owned()
    };
    if let Some(list) = item.as_array() {
        let agent = |value: &Value| {
            let name = name(value.as_inline_table()?);
            Some(AgentText { name, span: value.span()?, is_inline: true })
        };
        return list.iter().filter_map(agent).collect();
    }
    let mut headers = Vec::new();
    collect_headers(document.as_table(), &mut headers);
    headers.sort_unstable();
    let list = item.as_array_of_tables().into_iter().flatten();
    let agent = |table: &Table| {
        let start = table.span()?.start;
        let mut own = Vec::new();
        collect_headers(table, &mut own);
        let next = headers.iter().find(|&&at| at > start && !own.contains(&at));
        let end = next.map_or(text.len(), |&next| above(text, next));
        let end = text[..end].trim_end().len();
        let end = text[end..].find('\n').map_or(text.len(), |line| end + line + 1);
        let name = name(table);
        Some(AgentText { name, span: above(text, start)..end, is_inline: false })
    };
    list.filter_map(agent).collect()
}

/// Collects the byte offsets of the headers of all tables in a table.
fn collect_headers(table: &Table, headers: &mut Vec<usize>) {
    for (_, item) in table {
        if let Some(table) = item.as_table() {
            if !table.is_dotted() && !table.is_implicit() {
                headers.extend(table.span().map(|span| span.start));
            }
            collect_headers(table, headers);
        }
        for table in item.as_array_of_tables().into_iter().flatten() {
            headers.extend(table.span().map(|span| span.start));
            collect_headers(table, headers);
        }
    }
}

/// Returns the byte offset of the comment lines directly above the line with a header.
fn above(text: &str, header: usize) -> usize {
    let line = text[..header].rfind('\n').map_or(0, |end| end + 1);
    let comments = text[..line].split_inclusive('\n').rev();
    let comments = comments.take_while(|line| line.trim_start().starts_with('#'));
    line - comments.map(str::len).sum::<usize>()
}
