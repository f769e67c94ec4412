//! Cancels a long computation from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared between the thread that computes and the thread that cancels.
///
/// The default value can't be set: a request has no effect. Checks of the default value cost
/// nothing.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Option<Arc<AtomicBool>>);

impl Cancel {
    /// Creates a flag that is not set. Clones share the flag.
    pub fn new() -> Self {
        Self(Some(Arc::default()))
    }

    /// Sets the flag: the computation stops at its next check.
    pub fn request(&self) {
        self.set(true);
    }

    /// Clears the flag, so that a new computation can run.
    pub fn reset(&self) {
        self.set(false);
    }

    fn set(&self, requested: bool) {
        if let Some(flag) = &self.0 {
            flag.store(requested, Ordering::Relaxed);
        }
    }

    /// Returns true if a thread has requested the cancellation; always false for the default value.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Returns true if another thread can set the flag; false for the default value.
    pub(crate) fn is_armed(&self) -> bool {
        self.0.is_some()
    }
}
