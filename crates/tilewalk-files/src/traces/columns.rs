//! The columns of a run: which one is what, and the cells of a row.

use core::ops::Range;
use std::collections::BTreeMap;

use tilewalk_sim::sort::SmallCollect;

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Frame,
    Time,
    Agent,
    X,
    Y,
    Vx,
    Vy,
    Heading,
    Hx,
    Hy,
    Mode,
    Group,
    Event,
    Gone,
    /// The place to reach, the next place, or the other agent. The column becomes a value with the
    /// standard name.
    Goal,
    Wants,
    Target,
    /// A column that follows from the others, as in the traces of `tilewalk run`.
    Derived,
    /// A value of the program. The number is its index among the values.
    Value(usize),
}

impl Role {
    /// The columns with a meaning and their names.
    pub const WORDS: [(&'static str, Self); 17] = [
        ("frame", Self::Frame),
        ("time", Self::Time),
        ("agent", Self::Agent),
        ("x", Self::X),
        ("y", Self::Y),
        ("vx", Self::Vx),
        ("vy", Self::Vy),
        ("heading", Self::Heading),
        ("hx", Self::Hx),
        ("hy", Self::Hy),
        ("mode", Self::Mode),
        ("group", Self::Group),
        ("event", Self::Event),
        ("gone", Self::Gone),
        ("goal", Self::Goal),
        ("wants", Self::Wants),
        ("target", Self::Target),
    ];

    /// Columns of the traces of `tilewalk run` that follow from the others.
    const DERIVED: [&'static str; 3] = ["tile_x", "tile_y", "smoothed_heading"];

    /// Returns true if the columns of the role are values with a standard name, such as `goal.x`.
    fn is_value(self) -> bool {
        matches!(self, Self::Goal | Self::Wants | Self::Target)
    }

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, known)| *known == self).map_or("?", |(word, _)| word)
    }

    pub fn named(word: &str) -> Option<Self> {
        Self::WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, role)| role)
    }
}

/// The columns in the order of their first occurrence. A column has a slot in each row.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns {
    /// Names of columns in the file that have a meaning, by `--columns` or a header.
    renamed: Vec<(Role, String)>,
    slots: BTreeMap<String, usize>,
    names: Vec<String>,
    roles: Vec<Role>,
    /// Names of the columns without a meaning.
    pub values: Vec<String>,
}

impl Columns {
    pub fn new(renamed: &[(String, String)]) -> Self {
        let role = |(word, name): &(String, String)| Some((Role::named(word)?, name.clone()));
        Self { renamed: renamed.iter().filter_map(role).small_collect(), ..Self::default() }
    }

    /// Returns the slot of a column. `guess` is the slot in which the column was in the last row.
    pub fn slot(&mut self, name: &str, guess: usize) -> usize {
        if self.names.get(guess).is_some_and(|known| known == name) {
            return guess;
        }
        if let Some(&slot) = self.slots.get(name) {
            return slot;
        }
        let role = self.role_of(name);
        let slot = self.names.len();
        self.slots.insert(name.to_owned(), slot);
        self.names.push(name.to_owned());
        self.roles.push(role);
        slot
    }

    fn role_of(&mut self, name: &str) -> Role {
        for (role, foreign) in &self.renamed {
            let Some(rest) = name.strip_prefix(foreign.as_str()) else { continue };
            let is_part = role.is_value() && rest.starts_with('.');
            if role.is_value() && (is_part || rest.is_empty()) {
                return self.add_value(format!("{}{rest}", role.word()));
            } else if rest.is_empty() {
                return *role;
            }
        }
        let is_renamed = |role: Role| self.renamed.iter().any(|(renamed, _)| *renamed == role);
        let known = Role::named(name).filter(|&role| !is_renamed(role) && !role.is_value());
        match known {
            Some(role) => role,
            None if Role::DERIVED.contains(&name) => Role::Derived,
            None => self.add_value(name.to_owned()),
        }
    }

    fn add_value(&mut self, name: String) -> Role {
        self.values.push(name);
        Role::Value(self.values.len() - 1)
    }

    pub fn role(&self, slot: usize) -> Role {
        self.roles[slot]
    }

    pub fn name(&self, slot: usize) -> &str {
        &self.names[slot]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if the file has a column with a meaning.
    pub fn has(&self, role: Role) -> bool {
        self.slot_of(role).is_some()
    }

    /// Returns the slot of a column with a meaning, or `None` if the file has no such column.
    pub fn slot_of(&self, role: Role) -> Option<usize> {
        self.roles.iter().position(|known| *known == role)
    }

    /// Returns the name of a column with a meaning in the file, or its standard name.
    pub fn foreign(&self, role: Role) -> &str {
        let renamed = self.renamed.iter().find(|(known, _)| *known == role);
        renamed.map_or_else(|| role.word(), |(_, name)| name.as_str())
    }
}

/// A cell of a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Cell {
    #[default]
    Missing,
    /// A number, and the range of its text in [`Record::text`] if formatting the number does not
    /// return the same text.
    Number(f64, Option<Range<usize>>),
    /// The range of the text in [`Record::text`].
    Text(Range<usize>),
}

/// The cells of a row, by slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    pub cells: Vec<Cell>,
    /// Column of each cell in its line, in characters, from 1.
    pub places: Vec<usize>,
    pub text: String,
}

impl Record {
    pub fn clear(&mut self) {
        self.cells.clear();
        self.places.clear();
        self.text.clear();
    }

    /// Sets the cell of a slot.
    pub fn set(&mut self, slot: usize, cell: Cell, place: usize) {
        if self.cells.len() <= slot {
            self.cells.resize(slot + 1, Cell::Missing);
            self.places.resize(slot + 1, 1);
        }
        self.cells[slot] = cell;
        self.places[slot] = place;
    }

    /// Stores a text and returns its cell.
    pub fn text_cell(&mut self, text: &str) -> Cell {
        Cell::Text(self.store(text))
    }

    /// Returns the cell of a number that is written in another way than numbers are formatted.
    pub fn number_cell(&mut self, number: f64, text: &str) -> Cell {
        Cell::Number(number, Some(self.store(text)))
    }

    fn store(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }
}
