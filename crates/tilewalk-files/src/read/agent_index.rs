//! Reads the names, counts and groups of all agents.
//!
//! Targets can name agents further down in the file, so names are read before any agent is read
//! completely.

use std::ops::Range;

use crate::keys::agent::AGENT;
use crate::keys::map::{MAX_AGENT_TABLES, MAX_AGENTS};
use crate::read::target::AgentRange;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::name::{self, NameKind, Names};
use crate::text::reader::Entry;
use crate::text::reader::TableReader;
use tilewalk_sim::id::{AgentId, GroupId};
use tilewalk_sim::scenario::Group;

/// The keys of an `[[agent]]` table that are read before all other keys.
#[derive(Debug)]
pub struct Head<'a> {
    /// Reader for the remaining keys of the table.
    pub table: TableReader<'a>,
    /// Name of the agent. Empty if the name is missing or invalid; the error is then already
    /// reported.
    pub name: &'a str,
    /// Group that the agents belong to; `None` without a group.
    pub group: Option<GroupId>,
}

/// The agents and groups that a map defines.
#[derive(Debug, Default)]
pub struct AgentIndex<'a> {
    pub heads: Vec<Head<'a>>,
    /// Index range of the agents that each `[[agent]]` table defines, in file order.
    pub ranges: Vec<AgentRange>,
    pub groups: Vec<Group>,
}

/// Reads the name, count and group of each `[[agent]]` table. Registers the names in `names`.
pub fn read<'a>(list: Option<&Entry<'a>>, names: &mut Names<'a>) -> AgentIndex<'a> {
    let mut agent_index = AgentIndex::default();
    let Some(list) = list else { return agent_index };
    let mut next = 0_u32;
    let mut asked: Vec<Option<Entry<'a>>> = Vec::new();
    for (kind, table) in list.tables(&AGENT).into_iter().enumerate() {
        if kind == MAX_AGENT_TABLES {
            let message = format!("the map has more than {MAX_AGENT_TABLES} `[[agent]]` tables");
            let help = "use `count` for agents that are alike";
            list.issues.push(Diagnostic::error(table.span(), message).help(help));
            break;
        }
        let entry = table.require("name");
        let name = entry.as_ref().and_then(name::read);
        if let (Some(entry), Some(name)) = (&entry, name) {
            names.claim(name, NameKind::Agent(kind), entry.span(), list.issues);
        }
        let template = table.flag("template");
        let given = table.take(if template { "max" } else { "count" });
        let span = given.map_or(table.span(), |count| count.span());
        let count = read_count(&table, template);
        if next.checked_add(count).is_none_or(|sum| sum > MAX_AGENTS) {
            too_many(span, list.issues);
            break;
        }
        asked.push(table.take("group"));
        let range = AgentRange { first: AgentId(next), count, template, group: None };
        next += count;
        agent_index.ranges.push(range);
        let name = name.unwrap_or_default();
        agent_index.heads.push(Head { table, name, group: None });
    }
    agent_index.form_groups(&asked, names);
    agent_index
}

/// Reads the number of agents: `count`, or `max` in a template.
fn read_count(table: &TableReader, template: bool) -> u32 {
    if template {
        if let Some(count) = table.take("count") {
            let help = "use `max` for the largest number of instances at once";
            count.error_at_key("a template has no `count`", help);
        }
        table.require("max");
        return table.integer("max").map_or(1, |max| max as u32);
    }
    if let (Some(_), Some(max)) = (table.integer("max"), table.take("max")) {
        max.error_at_key("`max` needs `template = true`", "");
    }
    table.count("count")
}

fn too_many(span: Range<usize>, issues: &Issues) {
    issues.push(Diagnostic::error(span, format!("the map has more than {MAX_AGENTS} agents")));
}

impl<'a> AgentIndex<'a> {
    fn form_groups(&mut self, asked: &[Option<Entry<'a>>], names: &mut Names<'a>) {
        for (index, entry) in asked.iter().enumerate() {
            let AgentRange { first, count, template, .. } = self.ranges[index];
            let members = (first.0..first.0 + count).map(AgentId);
            if count > 1 || template || self.heads[index].table.flag("numbered") {
                let name = self.heads[index].name.to_owned();
                let own = self.add_group(Group { name, members: members.clone().collect() });
                self.ranges[index].group = Some(own);
                self.heads[index].group = Some(own);
            }
            let Some(entry) = entry else { continue };
            let Some(name) = name::read(entry) else { continue };
            let group = if let Some(NameKind::Group(group)) = names.get(name) {
                GroupId(group as u32)
            } else {
                let group = self.add_group(Group { name: name.to_owned(), members: vec![] });
                names.claim(name, NameKind::Group(group.0 as usize), entry.span(), entry.issues);
                group
            };
            self.groups[group.0 as usize].members.extend(members);
            self.heads[index].group = Some(group);
        }
    }

    fn add_group(&mut self, group: Group) -> GroupId {
        self.groups.push(group);
        GroupId(self.groups.len() as u32 - 1)
    }
}
