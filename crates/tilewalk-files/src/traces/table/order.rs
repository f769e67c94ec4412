//! Sorts the rows of a run in place, because a large run has room for them only once.

use super::RawRow;

/// Returns the index of the first row of each agent if the rows are sorted by agents. The last
/// element is the number of rows.
pub(super) fn first_rows(rows: &[RawRow], agents: usize) -> Vec<u32> {
    let mut first_rows = vec![0; agents + 1];
    for row in rows {
        first_rows[row.agent as usize + 1] += 1;
    }
    for agent in 0..agents {
        first_rows[agent + 1] += first_rows[agent];
    }
    first_rows
}

/// Moves each element to its place: `order` contains the indices of the elements in their new order,
/// and is used up.
pub(super) fn permute<T: Copy>(items: &mut [T], order: &mut [u32]) {
    const MOVED: u32 = u32::MAX;
    for start in 0..items.len() {
        let (first, mut at) = (items[start], start);
        while order[at] != MOVED {
            let from = core::mem::replace(&mut order[at], MOVED) as usize;
            items[at] = if from == start { first } else { items[from] };
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_move_to_the_places_of_their_indices() {
        let mut order = [2, 0, 1, 3, 5, 4];
        let mut items = ['a', 'b', 'c', 'd', 'e', 'f'];
        permute(&mut items, &mut order);
        assert_eq!(items, ['c', 'a', 'b', 'd', 'f', 'e']);
    }
}
