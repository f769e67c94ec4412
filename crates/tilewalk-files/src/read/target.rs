//! Resolves targets: the name of an agent, a group or a place, `home`, or a point.

use toml::de::DeValue;

use crate::show;
use crate::text::name::{NameKind, Names};
use crate::text::reader::Entry;
use tilewalk_sim::condition::{Named, Scope};
use tilewalk_sim::id::{AgentId, GroupId};
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
        let Some(whom) = inner else { return self.find(name, entry) };
        match self.find(whom.trim(), entry)? {
            Target::Agent(id) => Some(Target::LastSeen(SightTarget::Agent(id))),
            Target::Group(group) => Some(Target::LastSeen(SightTarget::Group(group))),
            Target::Instance(_) => {
                let whom = show::text(whom);
                let help = "name the template: the target is then the nearest visible instance";
                entry.error_with_help(format!("`last_seen({whom})` is not available"), help);
                None
            }
            Target::Point(_) | Target::Home | Target::LastSeen(_) => {
                let whom = show::text(whom);
                entry.error(format!("`{whom}` is a place: `last_seen` needs an agent or a group"));
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
        self.names.get(name).map(|bearer| match bearer {
            NameKind::Place(index) => Named::Place(self.places[index].at),
            NameKind::Group(index) => Named::Group(GroupId(index as u32)),
            NameKind::Agent(kind) => match self.ranges[kind] {
                AgentRange { group: Some(group), .. } => Named::Group(group),
                AgentRange { first, .. } => Named::Agent(first),
            },
        })
    }

    fn member(&self, range: &str, number: &str) -> Option<Named> {
        Targets::member(self, range, number)
    }

    fn size(&self, group: GroupId) -> usize {
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

    fn name(&self, of: Named) -> String {
        let bearer = |name: &&str| Scope::find(self, name) == Some(of);
        self.names.all().find(bearer).unwrap_or("?").to_owned()
    }
}
