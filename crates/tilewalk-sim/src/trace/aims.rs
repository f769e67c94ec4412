//! Where the agents of a trace want to go.
//!
//! Three columns of values have a meaning. `goal` is the place that an agent has to reach, `wants` is
//! the tile or position that it wants to reach next, and `target` is the name of another agent. A
//! place is a name of the map, or two columns such as `goal.x` and `goal.y`.

use crate::geom::Vec2;

use super::{ValueColumn, Values};

/// The unit of the numbers of a run, its relation to the tiles of the map, and the numbers that the
/// file does not contain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// Units per tile.
    pub scale: f32,
    /// The point of the run that is the corner of the map.
    pub origin: Vec2,
    /// Height of the map in tiles if y grows upwards in the run, otherwise `None`.
    pub y_up: Option<f32>,
    /// Offset that is added to all positions, in tiles.
    pub shift: Vec2,
    /// Whether positions are tiles. Agents are then at the centres of tiles.
    pub cells: bool,
    /// The parts of the motions that the file does not contain.
    pub derived: DerivedMotion,
}

/// Parts of motions that follow from the positions, because no row of the file contains them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DerivedMotion {
    /// Whether the file contains no velocity.
    pub velocity: bool,
    /// Whether the file contains no heading.
    pub heading: bool,
}

impl Default for Units {
    fn default() -> Self {
        let derived = DerivedMotion::default();
        Self {
            scale: 1.0,
            origin: Vec2::ZERO,
            y_up: None,
            shift: Vec2::ZERO,
            cells: false,
            derived,
        }
    }
}

impl Units {
    /// Converts a position of the run to tiles.
    pub fn position(&self, at: Vec2) -> Vec2 {
        let centre = if self.cells { Vec2::splat(0.5) } else { Vec2::ZERO };
        let mut at = (at - self.origin) / self.scale + centre;
        if let Some(height) = self.y_up {
            at.y = height - at.y;
        }
        at + self.shift
    }

    /// Converts a vector of the run, such as a velocity, to tiles.
    pub fn vector(&self, vector: Vec2) -> Vec2 {
        self.turned(vector) / self.scale
    }

    /// Returns a vector of the run with the direction that it has on the map, and the same length.
    pub fn turned(&self, vector: Vec2) -> Vec2 {
        if self.y_up.is_some() { Vec2::new(vector.x, -vector.y) } else { vector }
    }
}

/// The columns of a place: two numbers, or the name of a place of the map.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PlaceColumns {
    /// Indices of the columns of x and y.
    pub point: Option<[usize; 2]>,
    /// Index of the column with the name.
    pub name: Option<usize>,
}

impl PlaceColumns {
    fn named(columns: &[ValueColumn], word: &str) -> Self {
        let index = |name: &str| columns.iter().position(|column| column.name == name);
        let number = |part: &str| {
            let found = index(&format!("{word}.{part}"))?;
            matches!(columns[found].values, Values::Numbers(_)).then_some(found)
        };
        let name = index(word).filter(|&it| matches!(columns[it].values, Values::Texts(_)));
        Self { point: number("x").zip(number("y")).map(Into::into), name }
    }

    pub fn exist(self) -> bool {
        self.point.is_some() || self.name.is_some()
    }
}

/// The columns of a vector, such as `aim.x` and `aim.y`.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorColumns {
    /// Name of the vector, such as `aim`.
    pub name: String,
    /// Indices of the columns of x and y.
    pub columns: [usize; 2],
    /// Length of the longest vector, in units of the run.
    pub longest: f32,
}

/// Names of pairs that are places instead of vectors.
const PLACES: [&str; 3] = ["goal", "wants", "from"];

impl VectorColumns {
    /// Returns the pairs of numbers that are vectors, in the order of their first columns.
    pub(super) fn all(columns: &[ValueColumn]) -> Vec<Self> {
        let pair = |column: &ValueColumn| {
            let name = column.name.strip_suffix(".x").filter(|name| !PLACES.contains(name))?;
            let columns_of = PlaceColumns::named(columns, name).point?;
            let numbers = columns_of.map(|index| match &columns[index].values {
                Values::Numbers(numbers) => numbers.as_slice(),
                Values::Texts(_) => &[],
            });
            let lengths =
                numbers[0].iter().zip(numbers[1]).map(|(&x, &y)| Vec2::new(x, y).length());
            let longest = lengths.filter(|length| length.is_finite()).fold(0.0, f32::max);
            Some(Self { name: name.to_owned(), columns: columns_of, longest })
        };
        columns.iter().filter_map(pair).collect()
    }
}

/// The columns about the aims of agents.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Aims {
    pub goal: PlaceColumns,
    pub wants: PlaceColumns,
}

impl Aims {
    pub fn new(columns: &[ValueColumn]) -> Self {
        let named = |word| PlaceColumns::named(columns, word);
        Self { goal: named("goal"), wants: named("wants") }
    }
}
