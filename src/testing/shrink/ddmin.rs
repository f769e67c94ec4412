//! Delta debugging: finds a small list of items that is still needed.

/// Returns a list of items such that `fails` holds for the list, and for no list with one item less.
/// `fails` must hold for the whole list. The algorithm is ddmin without tests of single chunks, after
/// Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (2002).
///
/// If `fails` returns false because a budget is used up, the result can be larger.
pub fn ddmin<T: Clone>(items: &[T], mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = items.to_vec();
    if kept.is_empty() || fails(&[]) {
        return Vec::new();
    }
    let mut chunks = 2;
    while kept.len() > 1 {
        chunks = chunks.min(kept.len());
        let size = kept.len().div_ceil(chunks);
        let smaller = (0..kept.len()).step_by(size).find_map(|start| {
            let end = (start + size).min(kept.len());
            let rest = [&kept[..start], &kept[end..]].concat();
            (!rest.is_empty() && fails(&rest)).then_some(rest)
        });
        match smaller {
            Some(rest) => {
                kept = rest;
                chunks = (chunks - 1).max(2);
            }
            None if size == 1 => break,
            None => chunks *= 2,
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if all needed items are in the list.
    fn contains(list: &[u32], needed: &[u32]) -> bool {
        needed.iter().all(|item| list.contains(item))
    }

    #[test]
    fn finds_the_needed_items_in_their_order() {
        let items: Vec<u32> = (0..100).collect();
        for needed in [&[][..], &[0], &[99], &[3, 50], &[0, 1, 2, 97, 98], &items] {
            assert_eq!(ddmin(&items, |list| contains(list, needed)), needed);
        }
        assert!(ddmin(&[0; 0], |_| true).is_empty());
    }

    /// The property of the paper, also for tests that are not monotone.
    #[test]
    fn the_result_is_1_minimal_and_the_same_again() {
        for salt in 0..200_u32 {
            let items: Vec<u32> = (0..24).collect();
            let fails = |list: &[u32]| {
                let sum: u32 = list.iter().map(|item| item.wrapping_mul(salt | 1) % 7).sum();
                list.len() == items.len() || contains(list, &[salt % 24]) && sum % 3 != 1
            };
            let found = ddmin(&items, fails);
            assert!(fails(&found));
            for index in 0..found.len() {
                let mut rest = found.clone();
                rest.remove(index);
                assert!(!fails(&rest), "salt {salt}: {found:?} without entry {index}");
            }
            assert_eq!(ddmin(&items, fails), found);
        }
    }

    #[test]
    fn few_needed_items_take_few_tests() {
        let items: Vec<u32> = (0..1024).collect();
        let mut tests = 0;
        ddmin(&items, |list| {
            tests += 1;
            contains(list, &[700])
        });
        assert!(tests <= 2 * 10 + 2, "{tests}");
    }
}
