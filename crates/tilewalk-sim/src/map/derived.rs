//! Data that follows from a map and is computed when it is first needed.

use std::sync::OnceLock;

/// A value that follows from the rest of a map. Copies start without the value, because a copy of a map can
/// change before it is used. The value does not affect whether maps are equal.
#[derive(Debug)]
pub(super) struct Derived<T>(OnceLock<T>);

impl<T> Derived<T> {
    /// Returns the value, and computes it first if necessary.
    #[inline]
    pub fn get(&self, compute: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(compute)
    }

    /// Returns the value if it has been computed.
    pub fn computed(&self) -> Option<&T> {
        self.0.get()
    }
}

impl<T> Default for Derived<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<T> Clone for Derived<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Derived<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
