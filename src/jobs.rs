//! Computes results on several threads, and delivers them in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;

/// Limit of computed but undelivered results, per thread. Threads wait at this limit.
const AHEAD: usize = 4;

/// Returns the number of threads that can run in parallel; at least 1.
pub fn available() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Calls `work` for each index below `count` on up to `threads` threads. Calls `deliver` on the
/// current thread with each index and result, in index order.
///
/// Returns as soon as `deliver` breaks. Results that were computed but not delivered are discarded.
///
/// # Panics
/// Panics if `work` or `deliver` panics.
pub fn in_order<T: Send>(
    count: usize,
    threads: NonZeroUsize,
    work: impl Fn(usize) -> T + Sync,
    mut deliver: impl FnMut(usize, T) -> ControlFlow<()>,
) {
    if threads == NonZeroUsize::MIN {
        for index in 0..count {
            if deliver(index, work(index)).is_break() {
                return;
            }
        }
        return;
    }
    let queue = Queue::new(count, AHEAD * threads.get());
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.get().min(count) {
            let (queue, work, sender) = (&queue, &work, sender.clone());
            scope.spawn(move || {
                let _close = CloseOnDrop(queue);
                while let Some(index) = queue.next() {
                    if sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            });
        }
        let _close = CloseOnDrop(&queue);
        // The channel closes when all workers have ended.
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&expected) {
                if deliver(expected, result).is_break() {
                    return;
                }
                expected += 1;
                queue.advance(expected);
            }
        }
    });
}

/// Guard that closes the queue when its thread ends or panics, so that no other thread waits for
/// results of this thread.
struct CloseOnDrop<'a>(&'a Queue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The indices that no thread has started yet.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    ahead: usize,
}

struct State {
    next: usize,
    /// Number of delivered results. The results with lower indices are delivered.
    delivered: usize,
    count: usize,
}

impl Queue {
    fn new(count: usize, ahead: usize) -> Self {
        let state = Mutex::new(State { next: 0, delivered: 0, count });
        Self { state, changed: Condvar::new(), ahead }
    }

    /// Returns the next index, or `None` at the end. Waits while too many computed results are not
    /// yet delivered.
    fn next(&self) -> Option<usize> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |state: &mut State| {
            state.next < state.count && state.next >= state.delivered + self.ahead
        };
        let waited = self.changed.wait_while(state, is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let index = state.next;
        state.next += 1;
        (index < state.count).then_some(index)
    }

    fn advance(&self, delivered: usize) {
        self.change(|state| state.delivered = delivered);
    }

    /// Closes the queue. [`Queue::next`] then returns `None`.
    fn close(&self) {
        self.change(|state| state.count = 0);
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_until_the_receiver_breaks() {
        for threads in [1, 2, 8] {
            let threads = NonZeroUsize::new(threads).expect("a thread");
            let computed = AtomicUsize::new(0);
            let mut found = Vec::new();
            let work = |index: usize| {
                computed.fetch_add(1, Ordering::Relaxed);
                // Later results are sometimes ready first.
                (0..(index * 37) % 1_000).fold(index, |sum, _| core::hint::black_box(sum))
            };
            in_order(1_000, threads, work, |index, result| {
                found.push((index, result));
                if index == 500 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(found, (0..=500).map(|index| (index, index)).collect::<Vec<_>>());
            assert!(computed.into_inner() <= 501 + AHEAD * threads.get());
            in_order(0, threads, |_| (), |_, ()| unreachable!("no numbers"));
        }
    }

    #[test]
    fn a_panic_of_a_worker_or_of_the_receiver_ends_all_threads() {
        let two = NonZeroUsize::new(2).expect("a thread");
        let continues = |_, ()| ControlFlow::Continue(());
        let worker = || in_order(1_000, two, |index| assert_ne!(index, 5), continues);
        catch_unwind(worker).expect_err("a worker panicked");
        let receiver = || {
            in_order(
                1_000,
                two,
                |_| (),
                |index, ()| {
                    assert_ne!(index, 5);
                    ControlFlow::Continue(())
                },
            );
        };
        catch_unwind(receiver).expect_err("the receiver panicked");
    }
}
