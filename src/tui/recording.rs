//! State of the recording that is written while a map is open.

/// A recording in progress, or one that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Id of the recorded map.
    map: String,
    /// Error message, if an error stopped the recording.
    ended: Option<String>,
}

impl Recording {
    /// Creates the state of a running recording. `map` is the id of the recorded map.
    pub fn of(map: String) -> Self {
        Self { map, ended: None }
    }

    /// Marks the recording as stopped by an error.
    pub fn end(&mut self, why: &str) {
        self.ended = Some(format!("recording stopped: {why}; all data recorded so far is intact"));
    }

    /// Returns a message for the user if an error stopped the recording.
    pub fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }

    /// Returns true if the map with this id is being recorded.
    pub fn is_of(&self, map: &str) -> bool {
        self.map == map
    }
}
