//! Cancels a long computation from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared between the thread that computes and the thread that cancels.
///
/// The default value can never be requested, and costs nothing to check.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Option<Arc<AtomicBool>>);

impl Cancel {
    /// A flag that is not requested. Its clones share it.
    pub fn new() -> Self {
        Self(Some(Arc::default()))
    }

    /// Asks the computation to stop as soon as it checks the flag.
    pub fn request(&self) {
        self.set(true);
    }

    /// Withdraws the request.
    pub fn reset(&self) {
        self.set(false);
    }

    fn set(&self, requested: bool) {
        if let Some(flag) = &self.0 {
            flag.store(requested, Ordering::Relaxed);
        }
    }

    /// Whether the computation should stop.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether it can be requested at all.
    pub(crate) fn is_armed(&self) -> bool {
        self.0.is_some()
    }
}
