//! What the screen knows of the recording that is written while a map is watched.

/// A recording of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The id of the map.
    map: String,
    /// Why nothing is written any more.
    ended: Option<String>,
}

impl Recording {
    /// A recording of the map with an id.
    pub fn of(map: String) -> Self {
        Self { map, ended: None }
    }

    /// Nothing can be written any more.
    pub fn end(&mut self, why: &str) {
        self.ended = Some(format!("recording stopped: {why}; all data recorded so far is intact"));
    }

    /// Why it has ended, in words for people.
    pub fn ended(&self) -> Option<&str> {
        self.ended.as_deref()
    }

    /// Is it of the map with an id?
    pub fn is_of(&self, map: &str) -> bool {
        self.map == map
    }
}
