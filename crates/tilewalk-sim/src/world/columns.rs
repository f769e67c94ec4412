//! The macro behind [`State`](super::state::State). It generates the struct, and all code that
//! visits every column, from one declaration of the columns.
//!
//! This file names no column. The declaration is in `state.rs`, which also explains its syntax.

/// Declares the columns of `State`. Generates code for copying, initial values, size and hash, and
/// the parts of `adopt` and `diff` that handle columns.
macro_rules! columns {
    (
        $(#[$about:meta])*
        pub(crate) struct State {
            per_agent($start:ident) {
                $(
                    $(#[$column_about:meta])*
                    $column:ident: $Value:ty = $initial:expr,
                    kept $kept:ident, diff $($elsewhere:ident)?$($name:literal)?;
                )*
            }
            per_kind($kind:ident) {
                $(
                    $(#[$list_about:meta])*
                    $list:ident: $Entry:ty = [$initial_entry:expr; $entries:expr];
                )*
            }
            per_scenario($scenario:ident) {
                $(
                    $(#[$table_about:meta])*
                    $table:ident: $Row:ty = $rows:expr;
                )*
            }
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Default, PartialEq)]
        pub(crate) struct State {
            $($(#[$column_about])* pub $column: Vec<$Value>,)*
            $($(#[$list_about])* pub $list: Vec<$Entry>,)*
            $($(#[$table_about])* pub $table: Vec<$Row>,)*
        }

        impl Clone for State {
            fn clone(&self) -> Self {
                let mut copy = Self::default();
                copy.clone_from(self);
                copy
            }

            /// Copies into the existing allocations of the columns, so that saving many frames into
            /// one state allocates nothing.
            fn clone_from(&mut self, other: &Self) {
                $(self.$column.clone_from(&other.$column);)*
                $(self.$list.clone_from(&other.$list);)*
                $(self.$table.clone_from(&other.$table);)*
            }
        }

        impl State {
            /// Returns the columns at frame 0, before agents enter their first modes.
            pub(super) fn at_start($scenario: &Scenario) -> Self {
                Self {
                    $($column: {
                        let initial = |$start: &Start| {
                            // Avoids a warning: most initial values are constants that do not use
                            // the start.
                            let _ = $start;
                            $initial
                        };
                        $scenario.starts.iter().map(initial).collect()
                    },)*
                    $($list: {
                        let entries = |$kind: &AgentKind| $kind.count as usize * $entries;
                        vec![$initial_entry; $scenario.kinds.iter().map(entries).sum()]
                    },)*
                    $($table: $rows,)*
                }
            }

            /// Resets one agent's entry of every `per_agent` column to its value at frame 0.
            pub(super) fn reset(&mut self, index: usize, $start: &Start) {
                $(self.$column[index] = $initial;)*
            }

            /// Returns the size of the entries of all columns, in bytes.
            pub(crate) fn bytes(&self) -> usize {
                0 $(+ size_of_val(self.$column.as_slice()))*
                    $(+ size_of_val(self.$list.as_slice()))*
                    $(+ size_of_val(self.$table.as_slice()))*
            }

            /// Hashes one agent's entry of every `per_agent` column, in order of declaration.
            #[inline]
            pub(super) fn hash_agent(&self, index: usize, hasher: &mut Hasher) {
                $(self.$column[index].visit("", hasher);)*
            }

            /// Hashes all entries of the `per_kind` and `per_scenario` columns, in order of
            /// declaration.
            pub(super) fn hash_lists(&self, hasher: &mut Hasher) {
                $(self.$list.iter().for_each(|entry| entry.visit("", hasher));)*
                $(self.$table.iter().for_each(|entry| entry.visit("", hasher));)*
            }

            /// Copies entry `from` of `old` to entry `to` in each `per_agent` column that is
            /// declared with `kept`.
            pub(super) fn keep(&mut self, kept: Kept, to: usize, old: &Self, from: usize) {
                $(if kept == Kept::$kept {
                    self.$column[to] = old.$column[from];
                })*
            }

            /// Visits an agent's entries of the `per_agent` columns that have a name in `diff`.
            pub(crate) fn visit_named(&self, index: usize, visitor: &mut impl SavedVisitor) {
                $($(self.$column[index].visit($name, visitor);)?)*
            }
        }
    };
}

pub(super) use columns;
