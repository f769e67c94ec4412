//! Many wishes, one force (Buckland ch. 3).

use crate::geom::{Vec2, truncate, unit};
use crate::rng::Use;

use super::{LedgerRow, Memory, Probe, Row, RowState, Seen, Senses, Target};

/// How a steering list becomes one force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// In list order, each takes of the largest force what those before it have left.
    ///
    /// The room left is F − |running total|. A force longer than that is cut to it; without room
    /// the rest is skipped and not even asked. As the room is that of the *sum*, a force opposed to
    /// those before it makes room again for those after it.
    #[default]
    Prioritized,
    /// The sum of all weighted forces, truncated to F at the end.
    Weighted,
    /// In list order, the first whose die falls below its probability and whose force is not zero
    /// acts alone, with weight / probability, truncated to F.
    Dithered,
    /// In list order, the first whose force is longer than 0.001·F acts alone, truncated to F.
    First,
}

/// A force shorter than this share of F is none to [`Combine::First`].
const FAINT: f32 = 0.001;

/// What a force that was cut to the room may miss of it, as a share of F.
const ROUNDING: f32 = 1e-6;

impl Combine {
    /// Every way with its word in files.
    pub const WORDS: [(&'static str, Self); 4] = [
        ("prioritized", Self::Prioritized),
        ("weighted", Self::Weighted),
        ("dithered", Self::Dithered),
        ("first", Self::First),
    ];

    /// The word for it in files.
    pub fn word(self) -> &'static str {
        Self::WORDS.into_iter().find(|&(_, each)| each == self).map_or("", |(word, _)| word)
    }

    /// The force of a list, at most F.
    ///
    /// `see` finds a row's targets; `senses` are those of the agent, whatever the row. Every row is
    /// reported to the probe; the last running total is the force, to the bit.
    pub fn force(
        self,
        rows: &[Row],
        senses: &Senses,
        memory: &mut Memory,
        see: impl Fn(Target) -> Option<Seen>,
        probe: &mut impl Probe,
    ) -> Vec2 {
        let mut total = Vec2::ZERO;
        let mut over = self == Self::Prioritized && is_full(total, senses.body.max_force);
        for (index, row) in rows.iter().enumerate() {
            let mut asking = Asking { row, index, senses, memory, see: &see };
            let (raw, taken, state) = match self {
                _ if !row.enabled => (Vec2::ZERO, Vec2::ZERO, RowState::Disabled),
                _ if over => (Vec2::ZERO, Vec2::ZERO, RowState::NoRoom),
                Self::Prioritized => asking.prioritized(total, probe),
                Self::Weighted => asking.weighted(probe),
                Self::Dithered => asking.dithered(probe),
                Self::First => asking.first(probe),
            };
            total += taken;
            over = match self {
                Self::Prioritized => is_full(total, senses.body.max_force),
                Self::Weighted => false,
                Self::Dithered | Self::First => over || taken != Vec2::ZERO,
            };
            let behaviour = row.behaviour.word();
            let weight = self.factor(row);
            probe.row(|| LedgerRow { behaviour, raw, weight, accepted: taken, state, total });
        }
        if self == Self::Weighted { limited(total, senses.body.max_force, probe) } else { total }
    }

    /// The factor on a row's force: its weight, and what dithering makes up for its silence.
    fn factor(self, row: &Row) -> f32 {
        if self == Self::Dithered { row.weight / row.probability } else { row.weight }
    }
}

/// Is nothing left of the largest force? What rounding leaves is nothing.
fn is_full(total: Vec2, most: f32) -> bool {
    most - total.length() <= ROUNDING * most
}

/// A sum, truncated to `most`; when it is, a last row of the ledger tells by what factor.
fn limited(sum: Vec2, most: f32, probe: &mut impl Probe) -> Vec2 {
    let force = truncate(sum, most);
    if force != sum {
        probe.row(|| LedgerRow {
            behaviour: "limit",
            raw: sum,
            weight: force.length() / sum.length(),
            accepted: force - sum,
            state: RowState::Cut,
            total: force,
        });
    }
    force
}

/// One row that is asked for its force.
struct Asking<'a, 'b, S> {
    row: &'a Row,
    index: usize,
    senses: &'a Senses<'b>,
    memory: &'a mut Memory,
    see: &'a S,
}

type Answer = (Vec2, Vec2, RowState);

impl<S: Fn(Target) -> Option<Seen>> Asking<'_, '_, S> {
    fn raw(&mut self, probe: &mut impl Probe) -> Vec2 {
        let target = self.row.target.and_then(self.see);
        let other = self.row.other.and_then(self.see);
        let mut senses = Senses { target, other, ..*self.senses };
        senses.dice.behaviour = self.index as u32;
        self.row.behaviour.propose(&senses, self.memory, probe)
    }

    fn prioritized(&mut self, total: Vec2, probe: &mut impl Probe) -> Answer {
        let raw = self.raw(probe);
        let room = self.senses.body.max_force - total.length();
        cut(raw, raw * self.row.weight, room)
    }

    fn weighted(&mut self, probe: &mut impl Probe) -> Answer {
        let raw = self.raw(probe);
        cut(raw, raw * self.row.weight, f32::INFINITY)
    }

    fn first(&mut self, probe: &mut impl Probe) -> Answer {
        let raw = self.raw(probe);
        let weighted = raw * self.row.weight;
        let most = self.senses.body.max_force;
        if weighted.length() <= FAINT * most {
            return (raw, Vec2::ZERO, RowState::Zero);
        }
        cut(raw, weighted, most)
    }

    fn dithered(&mut self, probe: &mut impl Probe) -> Answer {
        let mut dice = self.senses.dice;
        dice.behaviour = self.index as u32;
        let die = dice.die(Use::Dither).unit();
        let probability = self.row.probability;
        if die >= probability {
            return (Vec2::ZERO, Vec2::ZERO, RowState::DitheredOut { die, probability });
        }
        let raw = self.raw(probe);
        cut(raw, raw * Combine::Dithered.factor(self.row), self.senses.body.max_force)
    }
}

/// A force that is taken, as far as there is room.
fn cut(raw: Vec2, wanted: Vec2, room: f32) -> Answer {
    let taken = if wanted.length() <= room { wanted } else { unit(wanted) * room.max(0.0) };
    let taken = if wanted.is_finite() { taken } else { wanted };
    let state = match () {
        () if wanted == Vec2::ZERO => RowState::Zero,
        () if taken == wanted => RowState::Accepted,
        () => RowState::Cut,
    };
    (raw, taken, state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{Behaviour, Flee, Ledger, tests::senses};

    fn row(behaviour: Behaviour, x: f32, weight: f32) -> Row {
        let target = Some(Target::Point(Vec2::new(x, 0.0)));
        Row { behaviour, target, other: None, weight, probability: 0.5, enabled: true }
    }

    fn ledger_in_frame(combine: Combine, rows: &[Row], frame: u64) -> (Vec2, Ledger) {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        let mut senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
        senses.dice.frame = frame;
        let mut ledger = Ledger::default();
        let see = |target| match target {
            Target::Point(offset) => Some(Seen { offset, velocity: Vec2::ZERO, heading: Vec2::X }),
            _ => None,
        };
        let force = combine.force(rows, &senses, &mut Memory::default(), see, &mut ledger);
        assert_eq!(ledger.rows.last().map(|row| row.total), Some(force));
        (force, ledger)
    }

    fn ledger(combine: Combine, rows: &[Row]) -> (Vec2, Vec<RowState>) {
        let (force, ledger) = ledger_in_frame(combine, rows, 1);
        (force, ledger.rows.iter().map(|row| row.state).collect())
    }

    const FLEE: Behaviour = Behaviour::Flee(Flee { panic: None });

    #[test]
    fn earlier_rows_leave_less_room_for_later_ones() {
        let rows = [
            row(Behaviour::Seek, 1.0, 0.25),
            row(Behaviour::Seek, 1.0, 1.0),
            row(Behaviour::Seek, 1.0, 1.0),
        ];
        let (force, states) = ledger(Combine::Prioritized, &rows);
        assert_eq!(states, [RowState::Accepted, RowState::Cut, RowState::NoRoom]);
        assert_eq!(force, Vec2::new(12.0, 0.0));
    }

    /// Cut to the room in a slanting direction, a force fills it but for the last bit.
    #[test]
    fn what_rounding_leaves_is_no_room() {
        for tenth in 1..3600 {
            let heading = crate::geom::heading::from_degrees(tenth as f32 / 10.0);
            let mut slanting = row(Behaviour::Seek, 0.0, 1.0);
            slanting.target = Some(Target::Point(heading));
            let rows = [slanting, row(Behaviour::Seek, 1.0, 1.0)];
            let (_, states) = ledger(Combine::Prioritized, &rows);
            assert_eq!(states, [RowState::Cut, RowState::NoRoom], "{heading}");
        }
    }

    #[test]
    fn an_opposing_force_makes_room_again() {
        let rows = [
            row(Behaviour::Seek, 1.0, 0.3),
            row(FLEE, 1.0, 0.05),
            row(Behaviour::Seek, 1.0, 0.1),
            row(Behaviour::Seek, 1.0, 1.0),
        ];
        let (force, states) = ledger(Combine::Prioritized, &rows);
        assert_eq!(states[..2], [RowState::Accepted; 2]);
        assert_eq!(states[2..], [RowState::Accepted, RowState::Cut]);
        assert_eq!(force.x, 12.0);
    }

    #[test]
    fn weighted_forces_add_up_and_the_sum_is_limited() {
        let rows = [row(Behaviour::Seek, 1.0, 0.1), row(FLEE, 1.0, 0.05)];
        let (force, states) = ledger(Combine::Weighted, &rows);
        assert!((force.x - 1.6).abs() < 1e-5);
        assert_eq!(states, [RowState::Accepted; 2]);
        let rows = [row(Behaviour::Seek, 1.0, 1.0), row(Behaviour::Seek, 1.0, 1.0)];
        let (force, states) = ledger(Combine::Weighted, &rows);
        assert_eq!((force.x, states.len(), states[2]), (12.0, 3, RowState::Cut));
    }

    #[test]
    fn forces_beyond_all_measure_are_limited_too() {
        let rows = [row(Behaviour::Seek, 1.0, 1e20), row(FLEE, 1.0, 1e19)];
        for (word, combine) in Combine::WORDS {
            let (force, _) = ledger(combine, &rows);
            assert!(force.x.abs() == 12.0 || force == Vec2::ZERO, "{word}: {force}");
            assert!(combine == Combine::Dithered || force.x == 12.0, "{word}: {force}");
        }
    }

    #[test]
    fn the_first_that_is_not_faint_acts_alone() {
        let near = Behaviour::Flee(Flee { panic: Some(0.5) });
        let rows =
            [row(near, 1.0, 1.0), row(Behaviour::Seek, 1.0, 0.1), row(Behaviour::Seek, 1.0, 1.0)];
        let (force, states) = ledger(Combine::First, &rows);
        assert_eq!(states, [RowState::Zero, RowState::Accepted, RowState::NoRoom]);
        assert!((force.x - 3.2).abs() < 1e-5);
    }

    #[test]
    fn dithering_lets_each_act_as_often_as_its_probability_says() {
        let rows = [row(Behaviour::Seek, 1.0, 0.1), row(FLEE, 1.0, 0.1)];
        let (mut first, mut second, mut none) = (0, 0, 0);
        for frame in 0..4000 {
            let (force, _) = ledger_in_frame(Combine::Dithered, &rows, frame);
            match force.x {
                0.0 => none += 1,
                x if x > 0.0 => first += 1,
                _ => second += 1,
            }
            assert!(force.x == 0.0 || (force.x.abs() - 6.4).abs() < 1e-4, "weight / probability");
        }
        // 1/2, 1/4, 1/4, each within four standard deviations.
        assert!((first - 2000_i32).abs() < 127, "{first}");
        assert!((second - 1000_i32).abs() < 110 && (none - 1000_i32).abs() < 110);
    }

    #[test]
    fn a_disabled_row_is_not_asked() {
        let off = Row { enabled: false, ..row(Behaviour::Seek, 1.0, 1.0) };
        for (_, combine) in Combine::WORDS {
            let (force, states) = ledger(combine, std::slice::from_ref(&off));
            assert_eq!((force, states), (Vec2::ZERO, vec![RowState::Disabled]));
        }
    }
}
