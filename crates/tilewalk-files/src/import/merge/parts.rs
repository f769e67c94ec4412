//! Divides a TOML text into tables, and tables into keys, and matches the parts of two versions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use toml_edit::{Document, Item};

use super::lines::{lines_of, without_break};
use tilewalk_sim::sort::SmallCollect;

/// A table, a key with its value, or a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name that distinguishes the part from others. The name of a list entry, such as
    /// `[[agent]]`, contains the value of its key `name`.
    pub id: String,
    /// Comments and blank lines above the part.
    pub lead: Range<usize>,
    /// The other lines of the part.
    pub own: Range<usize>,
}

impl Part {
    /// Returns all lines of the part.
    pub fn all(&self) -> Range<usize> {
        self.lead.start..self.own.end
    }

    /// Returns true for a header, and for a table with a header.
    pub fn is_header(&self) -> bool {
        self.id.starts_with('[')
    }

    /// Returns true for a table that a text has only once, such as `[places]`.
    pub fn is_single(&self) -> bool {
        self.is_header() && !self.is_list_entry()
    }

    /// Returns true for an entry of a list of tables, such as `[[agent]]`.
    fn is_list_entry(&self) -> bool {
        self.id.starts_with("[[")
    }
}

/// What a line begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Begin {
    /// A comment, or nothing.
    Blank,
    /// The header of a table, with brackets.
    Header(String),
    Key(String),
    /// A further line of a value.
    Inside,
}

/// The lines of a text.
pub struct Text<'a> {
    /// Lines with their line breaks.
    pub lines: Vec<&'a str>,
    begins: Vec<Begin>,
}

impl<'a> Text<'a> {
    /// Divides a text into lines. In a text that is not valid TOML, a value has only one line.
    pub fn new(text: &'a str) -> Self {
        let lines = lines_of(text);
        let inside = lines_inside(text, &lines);
        let begin =
            |(index, line): (usize, &&str)| if inside[index] { Begin::Inside } else { begin(line) };
        let begins = lines.iter().enumerate().map(begin).collect();
        Self { lines, begins }
    }

    /// Returns the tables. The first one has no header and can be empty. The last one has no lines of
    /// its own, only those below the last table.
    pub fn tables(&self) -> Vec<Part> {
        let mut tables = vec![Part { id: String::new(), lead: 0..0, own: 0..0 }];
        let mut list = None;
        let mut end = 0;
        for (index, begin) in self.begins.iter().enumerate() {
            match begin {
                Begin::Blank => continue,
                // Tables of a list entry, such as `[agent.body]`, belong to the entry.
                Begin::Header(header) if !is_within(header, list) => {
                    list = header.starts_with("[[").then_some(header.as_str());
                    let own = index..index + 1;
                    tables.push(Part { id: header.clone(), lead: end..index, own });
                }
                Begin::Header(_) | Begin::Key(_) | Begin::Inside => {
                    if let Some(last) = tables.last_mut() {
                        last.own.end = index + 1;
                    }
                }
            }
            end = index + 1;
        }
        for table in tables.iter_mut().filter(|table| table.is_list_entry()) {
            let name = self.lines[table.own.clone()].iter().find_map(|line| name(line));
            table.id.push_str(name.unwrap_or_default());
        }
        let last = self.lines.len();
        tables.push(Part { id: "end".to_owned(), lead: end..last, own: last..last });
        tables
    }

    /// Returns the header and the keys of a table.
    pub fn entries(&self, table: &Part) -> Vec<Part> {
        let mut entries: Vec<Part> = Vec::new();
        let (mut above, mut lead) = (String::new(), table.own.start);
        for index in table.own.clone() {
            let id = match &self.begins[index] {
                Begin::Blank => continue,
                Begin::Inside => {
                    if let Some(last) = entries.last_mut() {
                        last.own.end = index + 1;
                        lead = index + 1;
                    }
                    continue;
                }
                Begin::Header(header) => {
                    above = if index == table.own.start { String::new() } else { header.clone() };
                    header.clone()
                }
                Begin::Key(key) => format!("{above}{key}"),
            };
            entries.push(Part { id, lead: lead..index, own: index..index + 1 });
            lead = index + 1;
        }
        entries
    }

    /// Returns the header of a table; `None` for a table without a header.
    pub fn header(&self, table: &Part) -> Option<&str> {
        match self.begins[table.own.clone()].first()? {
            Begin::Header(header) => Some(header),
            Begin::Blank | Begin::Key(_) | Begin::Inside => None,
        }
    }

    /// Returns lines without their line breaks.
    fn contents(&self, lines: &Range<usize>) -> Vec<&'a str> {
        self.lines[lines.clone()].iter().map(|line| without_break(line)).collect()
    }
}

/// Returns what a line begins with that is not inside a value.
fn begin(line: &str) -> Begin {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Begin::Blank;
    }
    if line.starts_with('[') {
        return Begin::Header(until(line, '#').split_whitespace().collect());
    }
    Begin::Key(bare(until(line, '=').trim_end()).to_owned())
}

/// Returns a key without its quotes, if that does not change its meaning.
fn bare(key: &str) -> &str {
    let inner = |quote: char| key.strip_prefix(quote)?.strip_suffix(quote);
    let is_plain = |inner: &&str| !inner.contains(['.', '[', ']', '"', '\\']);
    inner('"').or_else(|| inner('\'')).filter(is_plain).unwrap_or(key)
}

/// Returns the part of a line before a character outside quotes.
fn until(line: &str, end: char) -> &str {
    let (mut quote, mut is_escaped) = (None, false);
    for (at, c) in line.char_indices() {
        if quote.is_none() && c == end {
            return &line[..at];
        }
        match quote {
            None => quote = Some(c).filter(|c| matches!(c, '"' | '\'')),
            Some(_) if is_escaped => is_escaped = false,
            Some('"') if c == '\\' => is_escaped = true,
            Some(open) => quote = Some(open).filter(|open| *open != c),
        }
    }
    line
}

/// Returns the value in a line `name = value`; `None` for other lines.
fn name(line: &str) -> Option<&str> {
    let value = line.trim_start().strip_prefix("name")?.trim_start().strip_prefix('=')?;
    Some(until(value, '#').trim())
}

/// Returns true if a table belongs to an entry of a list, as `[agent.body]` belongs to `[[agent]]`.
fn is_within(header: &str, list: Option<&str>) -> bool {
    let path = |header: &str| header.trim_matches(['[', ']']).trim().to_owned();
    list.is_some_and(|list| {
        path(header).strip_prefix(&path(list)).is_some_and(|rest| rest.starts_with('.'))
    })
}

/// Returns true for each line that begins inside a value.
fn lines_inside(text: &str, lines: &[&str]) -> Vec<bool> {
    let mut starts = Vec::with_capacity(lines.len());
    let mut at = 0;
    for line in lines {
        starts.push(at);
        at += line.len();
    }
    let mut inside = vec![false; lines.len()];
    if let Ok(document) = Document::parse(text) {
        mark_inside(document.as_item(), &starts, &mut inside);
    }
    inside
}

fn mark_inside(item: &Item, starts: &[usize], inside: &mut [bool]) {
    match item {
        Item::None => {}
        Item::Value(value) => {
            let span = value.span().unwrap_or_default();
            let line = |at: usize| starts.partition_point(|&start| start < at);
            for inside in inside.get_mut(line(span.start + 1)..line(span.end)).into_iter().flatten()
            {
                *inside = true;
            }
        }
        Item::Table(table) => table.iter().for_each(|(_, item)| mark_inside(item, starts, inside)),
        Item::ArrayOfTables(tables) => {
            let items = tables.iter().flat_map(|table| table.iter());
            items.for_each(|(_, item)| mark_inside(item, starts, inside));
        }
    }
}

/// The parts of a version of a text. The versions of a part have the same number.
pub struct Numbered<'a> {
    text: &'a Text<'a>,
    parts: &'a [Part],
    /// Number of each part; `None` if it has no number yet.
    pub numbers: Vec<Option<usize>>,
}

impl<'a> Numbered<'a> {
    pub fn new(text: &'a Text<'a>, parts: &'a [Part]) -> Self {
        Self { text, parts, numbers: vec![None; parts.len()] }
    }

    /// Gives numbers from `first` to the parts that have no number yet.
    pub fn number_others(&mut self, first: usize) {
        for (index, number) in self.numbers.iter_mut().enumerate() {
            number.get_or_insert(first + index);
        }
    }

    /// Takes the numbers of the parts of another version with the same names. Among parts with the same
    /// name, equal ones match first. Numbers less than `first` are not taken.
    pub fn match_names(&mut self, other: &Self, first: usize) {
        let name = |_: &Self, part: &Part| part.id.clone();
        let content = |of: &Self, part: &Part| {
            format!("{}\n{}", part.id, of.text.contents(&part.own).join("\n"))
        };
        for key in [&content as &dyn Fn(&Self, &Part) -> String, &name] {
            let free = self.free_numbers(other);
            let mut places: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
            for (part, number) in other.parts.iter().zip(&other.numbers) {
                if let Some(number) =
                    number.filter(|number| *number >= first && free.contains(number))
                {
                    places.entry(key(other, part)).or_default().push_back(number);
                }
            }
            for index in 0..self.parts.len() {
                if self.numbers[index].is_none() {
                    let same = places.get_mut(&key(self, &self.parts[index]));
                    self.numbers[index] = same.and_then(VecDeque::pop_front);
                }
            }
        }
    }

    /// Takes the numbers of list entries of another version with other names. They have the same
    /// neighbour above, and at least half of their lines in common.
    pub fn match_renamed(&mut self, other: &Self) {
        let free = self.free_numbers(other);
        let places: BTreeMap<Option<usize>, usize> = other
            .numbers
            .iter()
            .enumerate()
            .map(|(place, &number)| (number, place))
            .small_collect();
        for index in 1..self.parts.len() {
            let above = self.numbers[index - 1];
            let Some(next) = above.and_then(|_| places.get(&above)).map(|place| place + 1) else {
                continue;
            };
            let number = other.numbers.get(next).copied().flatten();
            let number = number.filter(|number| free.contains(number));
            if self.numbers[index].is_none()
                && number.is_some()
                && self.is_renamed(index, other, next)
            {
                self.numbers[index] = number;
            }
        }
    }

    /// Returns the numbers of another version that no part of this version has.
    fn free_numbers(&self, other: &Self) -> BTreeSet<usize> {
        let mut free: BTreeSet<usize> = other.numbers.iter().copied().flatten().small_collect();
        for number in self.numbers.iter().flatten() {
            free.remove(number);
        }
        free
    }

    fn is_renamed(&self, index: usize, other: &Self, place: usize) -> bool {
        let (own, part) = (&self.parts[index], &other.parts[place]);
        let [lines, others] = [self.text.contents(&own.own), other.text.contents(&part.own)];
        let common = lines.iter().filter(|line| others.contains(line)).count();
        own.is_list_entry()
            && self.text.header(own) == other.text.header(part)
            && common * 2 >= lines.len().max(others.len())
    }
}
