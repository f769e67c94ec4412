//! State of the recording that is written while a map is open.

/// A recording that is in progress or has stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Id of the recorded map.
    map: String,
    /// Why nothing is being recorded, if so.
    failure: Option<String>,
}

impl Recording {
    /// Creates the state of a running recording. `map` is the id of the recorded map.
    pub fn of(map: String) -> Self {
        Self { map, failure: None }
    }

    /// Marks the recording as stopped.
    pub fn stop(&mut self, why: &str) {
        self.failure = Some(format!("recording stopped: {why}"));
    }

    /// Returns a message for the user if nothing is being recorded.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Returns true if the map with this id is being recorded.
    pub fn is_of(&self, map: &str) -> bool {
        self.map == map
    }
}
