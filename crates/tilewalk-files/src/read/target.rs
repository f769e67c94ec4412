//! Resolves targets: the name of an agent, a group or a place, `home`, or a point.
//!
//! Targets can name agents further down in the file, so the names, counts and groups of all
//! agents are read before any agent is read completely.

use std::ops::Range;

use toml::de::DeValue;

use crate::keys::agent::AGENT;
use crate::keys::map::{MAX_AGENT_TABLES, MAX_AGENTS};
use crate::show;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::name::{self, NameKind, Names};
use crate::text::reader::{Entry, TableReader};
use tilewalk_sim::condition::{Named, Scope};
use tilewalk_sim::id::{AgentId, EVERYONE, GroupId};
use tilewalk_sim::map::Map;
use tilewalk_sim::scenario::{Group, Place, instance};
use tilewalk_sim::steering::{SightTarget, Target};

/// The agents of one `[[agent]]` table. They are known before any agent is read completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentRange {
    pub first: AgentId,
    pub count: u32,
    /// Whether the table defines a template, whose agents are the possible instances.
    pub template: bool,
    /// Group of the agents; `None` unless the table defines numbered agents or a template.
    pub group: Option<GroupId>,
}

/// Agents, groups and places that a target can name.
#[derive(Debug)]
pub struct Targets<'a> {
    pub names: &'a Names<'a>,
    pub places: &'a [Place],
    /// The agents of each kind. The index is the index of the `[[agent]]` table.
    pub ranges: &'a [AgentRange],
    pub groups: &'a [Group],
    pub map: Option<&'a Map>,
}

impl Targets<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other TOML types are errors")]
    pub fn read(&self, entry: &Entry) -> Option<Target> {
        match entry.get() {
            DeValue::Array(_) => entry.pair().map(|pair| Target::Point(pair.point())),
            DeValue::String(name) => self.remembered(name, entry),
            _ => entry.wrong_type("a name or a point"),
        }
    }

    /// Resolves `last_seen(NAME)`, or the plain name of a target. Reports an unknown name and
    /// returns `None`.
    fn remembered(&self, name: &str, entry: &Entry) -> Option<Target> {
        let inner = name.strip_prefix("last_seen(").and_then(|rest| rest.strip_suffix(')'));
        let Some(seen_name) = inner else { return self.find(name, entry) };
        match self.find(seen_name.trim(), entry)? {
            Target::Agent(id) => Some(Target::LastSeen(SightTarget::Agent(id))),
            Target::Group(group) => Some(Target::LastSeen(SightTarget::Group(group))),
            Target::Instance(_) => {
                let seen_name = show::text(seen_name);
                let help = "name the template: the target is then the nearest visible instance";
                entry.error_with_help(format!("`last_seen({seen_name})` is not available"), help);
                None
            }
            Target::Point(_) | Target::Home | Target::LastSeen(_) => {
                let seen_name = show::text(seen_name);
                entry.error(format!(
                    "`{seen_name}` is a place: `last_seen` needs an agent or a group"
                ));
                None
            }
        }
    }

    /// Reads a target with a heading: an agent or a group. Reports any other target and returns
    /// `None`.
    pub fn read_facing(&self, entry: &Entry) -> Option<Target> {
        let DeValue::String(_) = entry.get() else {
            return entry.wrong_type("an angle in degrees or a name");
        };
        let target = self.read(entry)?;
        if let Target::Point(_) | Target::Home | Target::LastSeen(_) = target {
            let help = "use `face` to turn towards a place";
            entry.error_with_help(
                format!("`{}` must be an angle in degrees, an agent or a group", entry.key),
                help,
            );
            return None;
        }
        Some(target)
    }

    /// Reads the name of a group, or the name of an agent with a `count`. Reports any other name
    /// and returns `None`.
    pub fn group(&self, entry: &Entry) -> Option<GroupId> {
        let DeValue::String(name) = entry.get() else {
            return entry.wrong_type("the name of a group");
        };
        if let Target::Group(group) = self.find(name, entry)? {
            return Some(group);
        }
        let message = format!("`{}` is not a group", show::text(name));
        let help = "use a group, or an agent with a `count` above 1";
        entry.error_with_help(message, help);
        None
    }

    fn find(&self, name: &str, entry: &Entry) -> Option<Target> {
        if name == "home" {
            return Some(Target::Home);
        }
        let target = match name.split_once('.') {
            Some((stem, number)) => self.member(stem, number),
            None => Scope::find(self, name),
        };
        let target = target.map(|named| match named {
            Named::Place(at) => Target::Point(at),
            Named::Group(group) => Target::Group(group),
            Named::Agent(id) => Target::Agent(id),
            Named::Instance(instance) => Target::Instance(instance),
        });
        if target.is_none() && entry.issues.is_partial() {
            // The name may be defined in the unreadable part of the file.
        } else if target.is_none() && !entry.issues.stores(&entry.span()) {
            entry.error("unknown target");
        } else if target.is_none() {
            let known: Vec<&str> = self.names.all().chain(["home"]).collect();
            let all = || show::known_names(known.iter().copied());
            let help = entry.suggestion(name, known.iter().copied(), all);
            let message = format!("unknown name `{}`", show::text(name));
            entry.error_with_help(message, help);
        }
        target
    }

    /// Resolves `boid.3`, an agent of a group, or `missile.3`, an instance of a template. Returns
    /// `None` if there is no such agent.
    pub(crate) fn member(&self, stem: &str, number: &str) -> Option<Named> {
        let Some(NameKind::Agent(kind)) = self.names.get(stem) else { return None };
        let AgentRange { first, count, template, group } = self.ranges[kind];
        if template {
            return instance(kind, number).map(Named::Instance);
        }
        let index: u32 = number.parse().ok()?;
        let named = number == index.to_string() && (1..=count).contains(&index);
        (named && group.is_some()).then(|| Named::Agent(AgentId(first.0 + index - 1)))
    }
}

impl Scope for Targets<'_> {
    fn find(&self, name: &str) -> Option<Named> {
        let found = self.names.get(name).map(|bearer| match bearer {
            NameKind::Place(index) => Named::Place(self.places[index].at),
            NameKind::Group(index) => Named::Group(GroupId(index as u32)),
            NameKind::Agent(kind) => match self.ranges[kind] {
                AgentRange { group: Some(group), .. } => Named::Group(group),
                AgentRange { first, .. } => Named::Agent(first),
            },
        });
        found.or_else(|| (name == EVERYONE).then_some(Named::Group(GroupId::EVERYONE)))
    }

    fn member(&self, range: &str, number: &str) -> Option<Named> {
        Targets::member(self, range, number)
    }

    fn size(&self, group: GroupId) -> usize {
        if group == GroupId::EVERYONE {
            return self.ranges.iter().map(|range| range.count as usize).sum();
        }
        self.groups[group.0 as usize].members.len()
    }

    fn names(&self) -> Vec<&str> {
        self.names.all().collect()
    }

    /// Returns `None`, because modes are unknown until all agents are read. `lint::rules` checks
    /// the modes later.
    fn modes(&self, _of: Named) -> Option<Vec<&str>> {
        None
    }

    /// Returns `None`, because transitions are unknown until all agents are read. `lint::noticed`
    /// checks the targets later.
    fn watches(&self, _observer: Named, _target: SightTarget) -> Option<bool> {
        None
    }

    fn map(&self) -> Option<&Map> {
        self.map
    }

    fn name(&self, of: Named) -> String {
        if of == Named::Group(GroupId::EVERYONE) {
            return EVERYONE.to_owned();
        }
        let bearer = |name: &&str| Scope::find(self, name) == Some(of);
        self.names.all().find(bearer).unwrap_or("?").to_owned()
    }
}

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
pub fn read_index<'a>(list: Option<&Entry<'a>>, names: &mut Names<'a>) -> AgentIndex<'a> {
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
