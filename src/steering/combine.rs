//! Many wishes, one force.

use crate::geom::{Vec2, truncate};

use super::{LedgerRow, Memory, Probe, Row, RowState, Seen, Senses, Target};

/// How a steering list becomes one force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combine {
    /// In list order, each takes of the largest force what those before it have left.
    #[default]
    Prioritized,
}

impl Combine {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Prioritized => "prioritized",
        }
    }
}

/// The force of a list under [`Combine::Prioritized`] (Buckland's `AccumulateForce`).
///
/// The room left is F − |running total|. A force longer than that is cut to it; without room the
/// rest is skipped and not even asked. As the room is that of the *sum*, a force opposed to those
/// before it makes room again for those after it.
///
/// `see` finds a row's target; `senses` are those of the agent, whatever the row.
pub fn prioritized(
    rows: &[Row],
    senses: &Senses,
    memory: &mut Memory,
    see: impl Fn(Target) -> Option<Seen>,
    probe: &mut impl Probe,
) -> Vec2 {
    let mut total = Vec2::ZERO;
    for (index, row) in rows.iter().enumerate() {
        let room = senses.body.max_force - total.length();
        let asked = row.enabled && room > 0.0;
        let raw = if asked {
            let mut senses = Senses { target: row.target.and_then(&see), ..*senses };
            senses.dice.behaviour = index as u32;
            row.behaviour.propose(&senses, memory, probe)
        } else {
            Vec2::ZERO
        };
        let weighted = raw * row.weight;
        let accepted = if asked { truncate(weighted, room) } else { Vec2::ZERO };
        total += accepted;
        probe.row(|| LedgerRow {
            behaviour: row.behaviour.word(),
            raw,
            weight: row.weight,
            accepted,
            state: match () {
                () if !row.enabled => RowState::Disabled,
                () if !asked => RowState::NoRoom,
                () if weighted == Vec2::ZERO => RowState::Zero,
                () if accepted == weighted => RowState::Accepted,
                () => RowState::Cut,
            },
            total,
        });
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::map::{Edges, tests::drawn};
    use crate::steering::{Behaviour, Flee, Ledger, tests::senses};

    fn row(behaviour: Behaviour, x: f32, weight: f32) -> Row {
        let target = Some(Target::Point(Vec2::new(x, 0.0)));
        Row { behaviour, target, weight, enabled: true }
    }

    fn ledger(rows: &[Row]) -> (Vec2, Ledger) {
        let map = drawn(&["...."], Edges::Wall);
        let body = Body::default();
        let senses = senses(&map, &body, Vec2::ZERO, Vec2::ZERO);
        let mut ledger = Ledger::default();
        let see = |target| match target {
            Target::Point(offset) => Some(Seen { offset, velocity: Vec2::ZERO, heading: Vec2::X }),
            _ => None,
        };
        let force = prioritized(rows, &senses, &mut Memory::default(), see, &mut ledger);
        (force, ledger)
    }

    #[test]
    fn earlier_rows_leave_less_room_for_later_ones() {
        let (force, ledger) = ledger(&[
            row(Behaviour::Seek, 1.0, 0.25),
            row(Behaviour::Seek, 1.0, 1.0),
            row(Behaviour::Seek, 1.0, 1.0),
        ]);
        let states: Vec<_> = ledger.rows.iter().map(|row| row.state).collect();
        assert_eq!(states, [RowState::Accepted, RowState::Cut, RowState::NoRoom]);
        assert_eq!(force, Vec2::new(12.0, 0.0));
        assert_eq!(ledger.rows.last().unwrap().total, force);
    }

    #[test]
    fn an_opposing_force_makes_room_again() {
        let (force, ledger) = ledger(&[
            row(Behaviour::Seek, 1.0, 0.3),
            row(Behaviour::Flee(Flee::default()), 1.0, 1.0),
            row(Behaviour::Seek, 1.0, 1.0),
        ]);
        assert_eq!(ledger.rows[1].state, RowState::Cut);
        assert_eq!(ledger.rows[2].state, RowState::Cut);
        assert!(ledger.rows[2].accepted.x > 3.0);
        assert!(force.x > 0.0);
    }

    #[test]
    fn a_disabled_row_is_not_asked() {
        let mut off = row(Behaviour::Seek, 1.0, 1.0);
        off.enabled = false;
        let (force, ledger) = ledger(&[off]);
        assert_eq!((force, ledger.rows[0].state), (Vec2::ZERO, RowState::Disabled));
    }
}
