//! Many wishes, one wish (Buckland ch. 3).

use crate::rng::Use;

use super::budget::{Budget, share};
use super::{LedgerRow, Memory, Probe, Row, RowState, Senses, Surroundings, Wish};

/// How a steering list becomes one wish.
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
    /// In list order, the first whose die falls below its probability and whose wish is not zero
    /// acts alone, with weight / probability, truncated.
    Dithered,
    /// In list order, the first whose force is longer than 0.001·F, or whose turn is larger than that
    /// share of the largest, acts alone, truncated. A turn dies away by halves and takes long to be
    /// nothing at all.
    First,
}

/// A wish of no more than this share of the limit is none to [`Combine::First`].
const FAINT: f32 = 0.001;

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

    /// The wish of a list: a force of at most F, a turn of at most the body's `max_turn_accel`.
    ///
    /// Forces and turns are combined alike, each with its own limit. Every row is reported to the
    /// probe; the last running total is the wish, to the bit. `senses` are those of the agent,
    /// and filled in row by row.
    pub(crate) fn wish(
        self,
        rows: &[Row],
        senses: &mut Senses,
        memory: &mut Memory,
        around: &impl Surroundings,
        probe: &mut impl Probe,
    ) -> Wish {
        let most = Budget::of(rows, senses.body);
        let mut asking = Asking { senses, memory, around, probe };
        match self {
            Self::Prioritized => self.add_up(rows, &mut asking, |asking, row, total| {
                if most.is_spent(total, row.behaviour.is_angular()) {
                    return Answer::none(RowState::NoRoom);
                }
                asking.weighted(row, most.left_by(total))
            }),
            Self::Weighted => {
                let sum = self.add_up(rows, &mut asking, |asking, row, _| asking.whole(row));
                most.limit(sum, asking.probe)
            }
            Self::Dithered => self.add_up(rows, &mut asking, |asking, row, total| {
                if total == Wish::NONE {
                    asking.dithered(row, most)
                } else {
                    Answer::none(RowState::NoRoom)
                }
            }),
            Self::First => self.add_up(rows, &mut asking, |asking, row, total| {
                if total == Wish::NONE {
                    asking.first(row, most)
                } else {
                    Answer::none(RowState::NoRoom)
                }
            }),
        }
    }

    /// Asks the rows in order, each with what was taken so far, and adds up what is taken.
    ///
    /// Made anew for each way of combining, so that a row costs no choice of a way.
    #[inline]
    fn add_up<'a, 'b, S: Surroundings, P: Probe>(
        self,
        rows: &[Row],
        asking: &mut Asking<'a, 'b, S, P>,
        ask: impl Fn(&mut Asking<'a, 'b, S, P>, &Row, Wish) -> Answer,
    ) -> Wish {
        let mut total = Wish::NONE;
        for (index, row) in rows.iter().enumerate() {
            asking.senses.dice.behaviour = index as u32;
            let answer = if row.enabled {
                ask(asking, row, total)
            } else {
                Answer::none(RowState::Disabled)
            };
            total += answer.taken;
            asking.probe.row(|| LedgerRow {
                behaviour: row.behaviour.word(),
                raw: answer.raw,
                weight: self.factor(row),
                accepted: answer.taken,
                state: answer.state(),
                total,
            });
        }
        total
    }

    /// The factor on a row's wish: its weight, and what dithering makes up for its silence.
    fn factor(self, row: &Row) -> f32 {
        if self == Self::Dithered { row.weight / row.probability } else { row.weight }
    }
}

/// An agent whose rows are asked for their wishes, one after the other.
struct Asking<'a, 'b, S, P> {
    senses: &'a mut Senses<'b>,
    memory: &'a mut Memory,
    around: &'a S,
    probe: &'a mut P,
}

/// What a row answered, and what was taken of it.
#[derive(Debug, Clone, Copy)]
struct Answer {
    raw: Wish,
    wanted: Wish,
    taken: Wish,
    /// Why nothing was taken, where the numbers don't tell.
    why: Option<RowState>,
}

impl Answer {
    fn none(why: RowState) -> Self {
        Self { why: Some(why), ..Self::of(Wish::NONE, Wish::NONE, Wish::NONE) }
    }

    fn of(raw: Wish, wanted: Wish, taken: Wish) -> Self {
        Self { raw, wanted, taken, why: None }
    }

    /// What became of it.
    fn state(&self) -> RowState {
        self.why.unwrap_or(match () {
            () if self.wanted == Wish::NONE => RowState::Zero,
            () if self.taken == self.wanted => RowState::Accepted,
            () => RowState::Cut,
        })
    }
}

impl<S: Surroundings, P: Probe> Asking<'_, '_, S, P> {
    fn raw(&mut self, row: &Row) -> Wish {
        // Most rows have no target: written so that nothing is copied for them.
        self.senses.target = None;
        if let Some(target) = row.target {
            self.senses.target = self.around.see(target);
        }
        self.senses.other = None;
        if let Some(other) = row.other {
            self.senses.other = self.around.see(other);
        }
        row.behaviour.propose(self.senses, self.memory, self.around, self.probe)
    }

    fn weighted(&mut self, row: &Row, room: Budget) -> Answer {
        let raw = self.raw(row);
        let wanted = raw * row.weight;
        Answer::of(raw, wanted, room.cut(wanted))
    }

    fn whole(&mut self, row: &Row) -> Answer {
        let raw = self.raw(row);
        let wanted = raw * row.weight;
        Answer::of(raw, wanted, wanted)
    }

    fn first(&mut self, row: &Row, most: Budget) -> Answer {
        let raw = self.raw(row);
        let weighted = raw * row.weight;
        let faint = weighted.force.length() <= share(most.force, FAINT)
            && weighted.turn.abs() <= share(most.turn, FAINT);
        if faint {
            return Answer { raw, ..Answer::none(RowState::Zero) };
        }
        Answer::of(raw, weighted, most.cut(weighted))
    }

    fn dithered(&mut self, row: &Row, most: Budget) -> Answer {
        let die = self.senses.dice.die(Use::Dither).unit();
        let probability = row.probability;
        if die >= probability {
            return Answer::none(RowState::DitheredOut { die, probability });
        }
        let raw = self.raw(row);
        let wanted = raw * Combine::Dithered.factor(row);
        Answer::of(raw, wanted, most.cut(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::geom::Vec2;
    use crate::id::{AgentId, GroupId};
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{
        Behaviour, Crowd, Flee, Ledger, Neighbourhood, Passerby, Seen, Target, tests::senses,
    };

    /// Every point is where it says, as seen from the origin.
    struct Points;

    impl Surroundings for Points {
        fn see(&self, target: Target) -> Option<Seen> {
            match target {
                Target::Point(offset) => {
                    Some(Seen { offset, velocity: Vec2::ZERO, heading: Vec2::X })
                }
                _ => None,
            }
        }

        fn crowd(&self, _: &Neighbourhood) -> Crowd {
            Crowd::default()
        }

        fn visit_neighbours(&self, _: &Neighbourhood, _: impl FnMut(AgentId, Vec2)) {}

        fn visit_passing(&self, _: Option<GroupId>, _: f32, _: impl FnMut(Passerby)) {}
    }

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
        let wish = combine.wish(rows, &mut senses, &mut Memory::default(), &Points, &mut ledger);
        assert_eq!(ledger.rows.last().map(|row| row.total), Some(wish));
        (wish.force, ledger)
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
