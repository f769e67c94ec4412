//! Reads one `[[agent]]` table: the agent kind, its body and the start.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::keys::agent::{BODY, RANDOM_START, VIEW};
use crate::keys::steer::HEADING;
use crate::keys::table::Table;
use crate::read::steer::SteerContext;
use crate::read::target::{AgentRange, Head};
use crate::read::{mode, rule};
use crate::show;
use crate::text::reader::{Entry, Pair, TableReader};
use crate::tiles::legend;
use crate::values::{self, InnerTable};
use tilewalk_sim::agent::{AgentKind, watched};
use tilewalk_sim::body::{Body, NUMBERS, NumberForm};
use tilewalk_sim::geom::{TilePos, TileRect, Vec2, heading};
use tilewalk_sim::scenario::Place;

/// Start position of an agent, as given in the map file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum At {
    /// An exact position, in tiles.
    Here(Vec2),
    /// A random free tile within a rectangle.
    Within(TileRect),
    /// A random free tile anywhere on the map.
    Anywhere,
}

/// Start position and heading of the agents of one `[[agent]]` table.
#[derive(Debug, Clone)]
pub struct StartRule {
    /// Start position; `None` if the file has no valid position.
    pub at: Option<At>,
    /// Byte range of `at` in the file. Without `at`, the byte range of the `[[agent]]` table.
    pub span: Range<usize>,
    pub heading: StartHeading,
    /// Whether agent names end with a number, as in `boid.1`.
    pub numbered: bool,
}

/// The agents of one `[[agent]]` table, with their start rule.
#[derive(Debug, Clone, Copy)]
pub struct StartDraft<'a> {
    pub kind: &'a AgentKind,
    pub start: &'a StartRule,
}

/// An `[[agent]]` table that has been read. Its agents have no start positions yet.
#[derive(Debug)]
pub struct AgentDraft {
    pub kind: AgentKind,
    pub start: StartRule,
    /// Byte range of the body radius in the file. Without a radius, the range of the `body` table,
    /// or of the `[[agent]]` table if `body` is missing.
    pub radius_span: Range<usize>,
    /// Byte ranges of the modes, in the order of `kind.modes`.
    pub modes: Vec<mode::ModeSpans>,
    /// Byte range of the condition `remove` in the file; `None` without this condition.
    pub remove: Option<Range<usize>>,
}

/// Reads the remaining keys of an `[[agent]]` table, after `target::read_index` has read the keys
/// in `head`.
pub fn read(head: Head, range: AgentRange, context: &mut SteerContext) -> AgentDraft {
    let Head { table, name, group } = head;
    let tunes = table.issues.tunes(name);
    let mut table = table.at(if tunes { values::agent_table(name) } else { None });
    let glyph = table.take("glyph").and_then(|glyph| legend::read_glyph(&glyph));
    // `choose_glyphs` fills empty glyphs.
    let glyph = glyph.map_or_else(String::new, ToOwned::to_owned);
    let color = table.take("color").and_then(|color| legend::read_color(&color));
    let template = range.template;
    let at = if template { table.take("at") } else { table.require("at") };
    let at_span = at.as_ref().map_or(table.span(), Entry::span);
    let at = at.and_then(|at| read_at(&at, context.targets.places));
    let heading = table.take("heading").and_then(|heading| read_heading(&heading));
    let heading = heading.unwrap_or(StartHeading::Fixed(Vec2::X));
    let (body, radius_span) = read_body(&table);
    context.group = group;
    let read = mode::read(&mut table, context);
    // `unzip` would reserve memory for four modes, and most agents have one.
    let mut both = (Vec::with_capacity(read.len()), Vec::with_capacity(read.len()));
    both.extend(read);
    let (modes, spans) = both;
    let remove = table.take("remove").and_then(|entry| rule::removal(&entry, context.targets));
    let (remove, remove_span) = remove.unzip();
    table.record_tunable("every");
    let every = table.count("every");
    table.finish_beside("body", &BODY);
    let name = name.to_owned();
    let kind = AgentKind {
        name,
        glyph,
        color,
        group,
        body,
        watched: watched(&modes, remove.as_ref()),
        every,
        modes,
        first: range.first,
        count: range.count,
        template,
        remove,
    };
    let start = StartRule { at, span: at_span, heading, numbered: range.group.is_some() };
    AgentDraft { kind, start, radius_span, modes: spans, remove: remove_span }
}

impl AgentDraft {
    /// Returns the agent kind and the start rule.
    pub fn draft(&self) -> StartDraft<'_> {
        StartDraft { kind: &self.kind, start: &self.start }
    }
}

/// Chooses the glyphs of the agents whose tables have none: the first letter of the name that no
/// other table uses, in upper case, or any letter that no other table uses. If all letters are used,
/// the first character of the name.
pub fn choose_glyphs(drafts: &mut [AgentDraft]) {
    let mut used: Vec<String> = drafts.iter().map(|draft| draft.kind.glyph.clone()).collect();
    for (index, draft) in drafts.iter_mut().enumerate() {
        if used[index].is_empty() {
            let name = draft.kind.name.to_ascii_uppercase();
            let own = name.chars().filter(char::is_ascii_alphanumeric);
            let mut candidates = own.chain('A'..='Z').map(String::from);
            let free = candidates.find(|glyph| !used.contains(glyph));
            let first = || name.chars().next().map_or_else(|| "?".to_owned(), String::from);
            used[index] = free.unwrap_or_else(first);
            draft.kind.glyph.clone_from(&used[index]);
        }
    }
}

/// Initial headings of the agents of one `[[agent]]` table.
#[derive(Debug, Clone, Copy)]
pub enum StartHeading {
    /// The heading of all agents, as a unit vector.
    Fixed(Vec2),
    /// A random heading for each agent, in degrees, clockwise. The first value is the smallest
    /// heading. The second value is the width of the range.
    Random(f32, f32),
}

#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other TOML types are errors")]
fn read_heading(entry: &Entry) -> Option<StartHeading> {
    match entry.get() {
        DeValue::String(word) if word == "random" => Some(StartHeading::Random(0.0, 360.0)),
        DeValue::String(word) => {
            let message = format!("invalid value `{}` for `heading`", show::text(word));
            let help = entry.suggestion(word, ["random"], || {
                "write an angle in degrees, `[from, to]` or `random`".to_owned()
            });
            entry.error_with_help(message, help);
            None
        }
        DeValue::Array(_) => {
            let [from, to] = entry.two("[from, to]")?.map(|angle| angle.float(HEADING));
            let (from, to) = (from?, to?);
            let turn = to - from;
            Some(StartHeading::Random(from, if turn < 0.0 { turn + 360.0 } else { turn }))
        }
        _ if entry.is_number() => {
            entry.float(HEADING).map(|angle| StartHeading::Fixed(heading::from_degrees(angle)))
        }
        _ => entry.wrong_type("an angle in degrees, `[from, to]` or `random`"),
    }
}

/// Reads the value of `at`, which can be the name of a place. Reports an invalid value and returns
/// `None`.
#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: other TOML types are errors")]
pub fn read_at(entry: &Entry, places: &[Place]) -> Option<At> {
    match entry.get() {
        DeValue::Array(_) => entry.pair().map(|pair| match pair {
            Pair::Tile(tile) => At::Here(tile.centre()),
            Pair::Point(point) => At::Here(point),
        }),
        DeValue::String(word) if word == "anywhere" => Some(At::Anywhere),
        DeValue::String(word) => {
            if let Some(place) = places.iter().find(|place| place.name == **word) {
                return Some(At::Here(place.at));
            }
            let message = format!("invalid value `{}` for `at`", show::text(word));
            let names = places.iter().map(|place| place.name.as_str());
            let help = entry.suggestion(word, names.chain(["anywhere"]), || {
                "write a tile, a point, a place, `{ within = [x0, y0, x1, y1] }` or `anywhere`"
                    .to_owned()
            });
            entry.error_with_help(message, help);
            None
        }
        DeValue::Table(_) => {
            let table = entry.table(&RANDOM_START)?;
            let rect = table.require("within").and_then(|within| read_rect(&within));
            table.finish();
            rect.map(At::Within)
        }
        _ => entry.wrong_type("a tile, a point, a place, a rectangle or `anywhere`"),
    }
}

fn read_rect(entry: &Entry) -> Option<TileRect> {
    let [x0, y0, x1, y1] = entry.corners()?;
    if x0 > x1 || y0 > y1 {
        let help = "write the upper left corner first, as in `[x0, y0, x1, y1]`";
        entry.error_with_help("the corners of the rectangle are in the wrong order", help);
        return None;
    }
    Some(TileRect::new(TilePos::new(x0, y0), TilePos::new(x1, y1)))
}

/// Reads the body of an agent. Returns the body and the byte range of its radius. Missing and
/// invalid values get their defaults.
fn read_body(agent: &TableReader) -> (Body, Range<usize>) {
    let mut body = Body::default();
    let mut radius = agent.span();
    with_table(agent, "body", &BODY, InnerTable::Body, |table| {
        read_numbers(table, "", &mut body);
        body.solid = table.flag("solid");
        radius = table.take("radius").map_or(table.span(), |entry| entry.span());
        let read = |view: &TableReader| read_numbers(view, "view.", &mut body);
        with_table(table, "view", &VIEW, InnerTable::View, read);
    });
    (body, radius)
}

/// Reads the inner table at `key` with `read`. If the agent's tunable values are recorded, a
/// missing table is read as an empty table.
fn with_table(
    outer: &TableReader,
    key: &'static str,
    keys: &'static Table,
    inner: InnerTable,
    read: impl FnOnce(&TableReader),
) {
    let (entry, none) = (outer.take(key), DeTable::new());
    let table = match &entry {
        Some(entry) => entry.table(keys),
        None if outer.path().is_none() => None,
        None => Some(TableReader::new(keys, &none, outer.span(), outer.issues)),
    };
    if let Some(table) = table {
        let table = table.at(outer.path().map(|path| path.inner(inner)));
        read(&table);
        table.finish();
    }
}

/// Reads the numbers of a body whose keys begin with a prefix. Skips the numbers of inner tables.
fn read_numbers(table: &TableReader, prefix: &str, body: &mut Body) {
    for number in NUMBERS {
        let Some(key) = number.key.strip_prefix(prefix).filter(|key| !key.contains('.')) else {
            continue;
        };
        table.record_tunable(key);
        let value = match number.form {
            NumberForm::Count => Some(table.count(key) as f32),
            NumberForm::Plain | NumberForm::Angle => table.float(key),
        };
        if let Some(value) = value {
            (number.set)(body, value);
        }
    }
}
