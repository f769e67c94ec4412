//! State of the recording that is written while a map is open.

/// A recording that is in progress or has stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Id of the recorded map.
    map: String,
    /// Why the recording has stopped; `None` while recording.
    failure: Option<String>,
}

impl Recording {
    /// Creates the state of a running recording. `map` is the id of the recorded map.
    pub fn of(map: String) -> Self {
        Self { map, failure: None }
    }

    /// Marks the recording as stopped. `why` is the reason, as the end of a sentence.
    pub fn stop(&mut self, why: &str) {
        self.failure = Some(format!("recording stopped: {why}"));
    }

    /// Returns a message for the user if the recording has stopped. Returns `None` while recording.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Returns true if `map` is the id of the recorded map, even after the recording has stopped.
    pub fn is_of(&self, map: &str) -> bool {
        self.map == map
    }
}
