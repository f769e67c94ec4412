//! Delta debugging: reduces a list of items while a property of the list holds.

/// Returns a sublist for which `fails` returns true. The sublist is minimal: if any single item is
/// removed, `fails` returns false. `fails` must return true for the whole list.
///
/// The algorithm is ddmin without tests of single chunks, after Zeller and Hildebrandt,
/// "Simplifying and Isolating Failure-Inducing Input" (2002).
///
/// Returns `None` as soon as `fails` returns `None`, for example because a budget is used up.
pub fn ddmin<T: Clone>(items: &[T], mut fails: impl FnMut(&[T]) -> Option<bool>) -> Option<Vec<T>> {
    let mut kept = items.to_vec();
    if kept.is_empty() || fails(&[])? {
        return Some(Vec::new());
    }
    let mut chunks = 2;
    while kept.len() > 1 {
        chunks = chunks.min(kept.len());
        let size = kept.len().div_ceil(chunks);
        let mut smaller = None;
        for start in (0..kept.len()).step_by(size) {
            let end = (start + size).min(kept.len());
            let rest = [&kept[..start], &kept[end..]].concat();
            if !rest.is_empty() && fails(&rest)? {
                smaller = Some(rest);
                break;
            }
        }
        match smaller {
            Some(rest) => {
                kept = rest;
                chunks = (chunks - 1).max(2);
            }
            None if size == 1 => break,
            None => chunks *= 2,
        }
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(list: &[u32], needed: &[u32]) -> bool {
        needed.iter().all(|item| list.contains(item))
    }

    #[test]
    fn the_search_finds_the_needed_items_in_their_order() {
        let items: Vec<u32> = (0..100).collect();
        for needed in [&[][..], &[0], &[99], &[3, 50], &[0, 1, 2, 97, 98], &items] {
            assert_eq!(ddmin(&items, |list| Some(contains(list, needed))).unwrap(), needed);
        }
        assert!(ddmin(&[0; 0], |_| None).unwrap().is_empty());
    }

    /// Checks 1-minimality as defined in the paper, also for tests that are not monotone.
    #[test]
    fn the_result_is_1_minimal_and_deterministic() {
        for salt in 0..200_u32 {
            let items: Vec<u32> = (0..24).collect();
            let fails = |list: &[u32]| {
                let sum: u32 = list.iter().map(|item| item.wrapping_mul(salt | 1) % 7).sum();
                list.len() == items.len() || contains(list, &[salt % 24]) && sum % 3 != 1
            };
            let search = || ddmin(&items, |list| Some(fails(list))).unwrap();
            let found = search();
            assert!(fails(&found));
            for index in 0..found.len() {
                let mut rest = found.clone();
                rest.remove(index);
                assert!(!fails(&rest), "salt {salt}: {found:?} without entry {index}");
            }
            assert_eq!(search(), found);
        }
    }

    #[test]
    fn the_search_ends_at_once_when_the_budget_is_used_up() {
        let items: Vec<u32> = (0..4_000).collect();
        let mut calls = 0;
        let found = ddmin(&items, |_| {
            calls += 1;
            (calls < 3).then_some(false)
        });
        assert_eq!((found, calls), (None, 3));
    }

    #[test]
    fn few_needed_items_take_few_tests() {
        let items: Vec<u32> = (0..1024).collect();
        let mut tests = 0;
        ddmin(&items, |list| {
            tests += 1;
            Some(contains(list, &[700]))
        });
        assert!(tests <= 2 * 10 + 2, "{tests}");
    }
}
