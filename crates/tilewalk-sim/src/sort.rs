//! Sorts lists, and collects sets and maps, with little machine code.
//!
//! The compiler translates the sort of the standard library again for each type and order, 6 kB each
//! time. All sorts by [`SmallSort`] share one translation. They are slower and allocate memory, so code
//! that sorts often, such as the simulation, uses the standard library.

use core::cmp::Ordering;

/// Stable sorts of lists.
pub trait SmallSort<T> {
    /// Sorts the list in ascending order.
    fn small_sort(&mut self)
    where
        T: Ord;

    /// Sorts the list in an order of its elements.
    fn small_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts the list by a key of each element.
    fn small_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> SmallSort<T> for [T] {
    fn small_sort(&mut self)
    where
        T: Ord,
    {
        self.small_sort_by(T::cmp);
    }

    fn small_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = order(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        arrange(order, &mut |a, b| self.swap(a, b));
    }

    fn small_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.small_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// Sets and maps of the elements of an iterator.
pub trait SmallCollect: Iterator + Sized {
    /// Inserts the elements one by one. `collect` sorts the elements of a `BTreeSet` or `BTreeMap` first.
    fn small_collect<C: Default + Extend<Self::Item>>(self) -> C {
        let mut collection = C::default();
        collection.extend(self);
        collection
    }
}

impl<I: Iterator> SmallCollect for I {}

/// Returns the indices of `count` elements in ascending order of the elements.
fn order(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Moves the elements of a list, so that the element with the index `order[i]` gets the index i. `swap`
/// exchanges two elements.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        // Follows a circle of elements that take each other's places.
        let mut at = start;
        loop {
            let from = core::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::SmallSort;

    proptest! {
        #[test]
        fn lists_are_sorted_as_by_the_standard_library(list in proptest::collection::vec((0..9_u8, 0..9_u8), 0..40)) {
            let (mut small, mut standard) = (list.clone(), list.clone());
            small.small_sort_by_key(|pair| pair.0);
            standard.sort_by_key(|pair| pair.0);
            prop_assert_eq!(&small, &standard);
            small.small_sort();
            standard.sort_unstable();
            prop_assert_eq!(&small, &standard);
        }
    }
}
