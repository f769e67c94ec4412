//! State of the recording that is written while a map is open.

/// A recording that is in progress or has stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Id of the recorded map.
    map: String,
    /// How the recording has stopped; `None` while recording.
    stop: Option<RecordingStop>,
}

/// End of a recording that the user did not request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingStop {
    /// A message for the user with the reason.
    pub message: String,
    /// Whether the file contains everything up to the stop.
    pub is_complete: bool,
}

impl Recording {
    /// Creates the state of a running recording. `map` is the id of the recorded map.
    pub fn of(map: String) -> Self {
        Self { map, stop: None }
    }

    /// Marks the recording as stopped. `why` is the reason, as the end of a sentence. `is_complete`
    /// is true if the file contains everything up to this moment.
    pub fn stop(&mut self, why: &str, is_complete: bool) {
        self.stop =
            Some(RecordingStop { message: format!("recording stopped: {why}"), is_complete });
    }

    /// Returns how the recording has stopped. Returns `None` while recording.
    pub fn stopped(&self) -> Option<&RecordingStop> {
        self.stop.as_ref()
    }

    /// Returns true if `map` is the id of the recorded map, even after the recording has stopped.
    pub fn is_of(&self, map: &str) -> bool {
        self.map == map
    }
}
