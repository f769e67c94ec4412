//! Who there is: names, numbers and groups of all agents, known before any is read in full.
//!
//! Targets may name agents that stand further down in the file, so the heads are read first.

use std::ops::Range;

use super::diagnostic::{Diagnostic, Issues};
use super::keys::agent::AGENT;
use super::keys::map::MAX_AGENTS;
use super::name::{self, Bearer, Names};
use super::reader::TableReader;
use super::target::Lot;
use super::value::Entry;
use tilewalk_sim::id::{AgentId, GroupId};
use tilewalk_sim::scenario::Group;

/// What is known of an `[[agent]]` at first.
#[derive(Debug)]
pub struct Head<'a> {
    /// The rest of it, still to be read.
    pub table: TableReader<'a>,
    /// Its name; empty when it has none, which has been reported.
    pub name: &'a str,
    /// The group its agents belong to.
    pub group: Option<GroupId>,
}

/// All agents and groups.
#[derive(Debug, Default)]
pub struct Roster<'a> {
    /// One entry per `[[agent]]`.
    pub heads: Vec<Head<'a>>,
    /// The agents of each.
    pub lots: Vec<Lot>,
    /// The groups.
    pub groups: Vec<Group>,
}

/// Reads the heads of all agents.
pub fn read<'a>(list: Option<&Entry<'a>>, names: &mut Names<'a>) -> Roster<'a> {
    let mut roster = Roster::default();
    let Some(list) = list else { return roster };
    let mut next = 0_u32;
    let mut asked: Vec<Option<Entry<'a>>> = Vec::new();
    for (kind, table) in list.tables(&AGENT).into_iter().enumerate() {
        let entry = table.require("name");
        let name = entry.as_ref().and_then(name::read);
        if let (Some(entry), Some(name)) = (&entry, name) {
            names.claim(name, Bearer::Agent(kind), entry.span(), list.issues);
        }
        let span = table.take("count").map_or(table.span(), |count| count.span());
        let count = table.count("count");
        if next.checked_add(count).is_none_or(|sum| sum > MAX_AGENTS) {
            too_many(span, list.issues);
            break;
        }
        asked.push(table.take("group"));
        let lot = Lot { first: AgentId(next), count, group: None };
        next += count;
        roster.lots.push(lot);
        roster.heads.push(Head { table, name: name.unwrap_or_default(), group: None });
    }
    roster.form_groups(&asked, names);
    roster
}

fn too_many(span: Range<usize>, issues: &Issues) {
    issues.push(Diagnostic::error(span, format!("the map has more than {MAX_AGENTS} agents")));
}

impl<'a> Roster<'a> {
    fn form_groups(&mut self, asked: &[Option<Entry<'a>>], names: &mut Names<'a>) {
        for (index, entry) in asked.iter().enumerate() {
            let Lot { first, count, .. } = self.lots[index];
            let members = (first.0..first.0 + count).map(AgentId);
            if count > 1 {
                let name = self.heads[index].name.to_owned();
                let own = self.add_group(Group { name, members: members.clone().collect() });
                self.lots[index].group = Some(own);
                self.heads[index].group = Some(own);
            }
            let Some(entry) = entry else { continue };
            let Some(name) = name::read(entry) else { continue };
            let group = if let Some(Bearer::Group(group)) = names.get(name) {
                GroupId(group as u32)
            } else {
                let group = self.add_group(Group { name: name.to_owned(), members: vec![] });
                names.claim(name, Bearer::Group(group.0 as usize), entry.span(), entry.issues);
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
