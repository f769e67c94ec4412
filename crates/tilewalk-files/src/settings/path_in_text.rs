//! Finds the values of paths in the text of a map.

use crate::text::span_tree::{NoPlace, Part, SpanTree};
use crate::values::{EntryId, InnerTable, TablePath, ValuePath};

impl TablePath {
    /// Returns the steps from the top-level table of a map to this table.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let Self { agent, mode, inner } = self;
        let mut parts = vec![Part::Named("agent", agent)];
        parts.extend(mode.iter().map(|mode| Part::Named("mode", mode)));
        match inner {
            InnerTable::Own => {}
            InnerTable::Body => parts.push(Part::Key("body")),
            InnerTable::View => parts.extend([Part::Key("body"), Part::Key("view")]),
            InnerTable::Entry(list, EntryId::Number(number)) => {
                parts.extend([Part::Key(list), Part::Row(*number)]);
            }
            InnerTable::Entry(list, EntryId::Word(word)) => {
                parts.extend([Part::Key(list), Part::Behaviour(word)]);
            }
        }
        parts
    }
}

impl ValuePath {
    /// Returns the steps from the top-level table of a map to this value.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = self.table.as_ref().map_or_else(Vec::new, TablePath::parts);
        parts.push(Part::Key(&self.key));
        parts
    }

    /// Returns the path with the number of the behaviour instead of its word.
    ///
    /// # Errors
    /// Returns an error if the list of behaviours in `map` does not have the word exactly once.
    pub(crate) fn numbered(&self, map: &SpanTree) -> Result<Self, NoPlace> {
        let Some(table) = &self.table else { return Ok(self.clone()) };
        let InnerTable::Entry(list, EntryId::Word(_)) = &table.inner else {
            return Ok(self.clone());
        };
        let number = EntryId::Number(map.number(&table.parts())?);
        let table = table.inner(InnerTable::Entry(list.clone(), number));
        Ok(Self { table: Some(table), key: self.key.clone() })
    }
}
