//! Bookmarks: frames with names. A bookmark applies to its frame in every run of a map.

use crate::time::Frame;

/// Maximum length of a bookmark's name, in characters.
const MAX_NAME: usize = 40;

/// A bookmark: a frame with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    /// The frame with the bookmark, in every run.
    pub frame: Frame,
    /// The name, at most 40 characters; a number if the user gave no name.
    pub name: String,
}

/// All bookmarks of a map, ordered by frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bookmarks {
    list: Vec<Bookmark>,
    /// The highest number used as an automatic name.
    last: u64,
}

impl Bookmarks {
    /// Adds a bookmark at a frame, or renames the existing one. `name` is trimmed and cut to 40
    /// characters. If `name` is empty, the next number becomes the name.
    pub fn set(&mut self, frame: Frame, name: &str) -> &Bookmark {
        let name: String = name.trim().chars().take(MAX_NAME).collect();
        let name = if name.is_empty() {
            self.last += 1;
            self.last.to_string()
        } else {
            name
        };
        let place = self.place(frame);
        let bookmark = Bookmark { frame, name };
        match place {
            Ok(place) => self.list[place] = bookmark,
            Err(place) => self.list.insert(place, bookmark),
        }
        &self.list[place.unwrap_or_else(|place| place)]
    }

    /// Adds a saved bookmark. If its name is a number below 2³², new automatic numbers are higher.
    pub fn restore(&mut self, Bookmark { frame, name }: &Bookmark) {
        // With the range of `u32`, `last` can't overflow.
        self.last = self.last.max(name.parse::<u32>().unwrap_or(0).into());
        self.set(*frame, name);
    }

    /// Removes and returns the bookmark at a frame. Returns `None` if the frame has no bookmark.
    pub fn remove(&mut self, frame: Frame) -> Option<Bookmark> {
        self.place(frame).ok().map(|place| self.list.remove(place))
    }

    /// Returns the index of the bookmark at a frame. If the frame has no bookmark, returns the
    /// insertion index as `Err`.
    fn place(&self, frame: Frame) -> Result<usize, usize> {
        self.list.binary_search_by_key(&frame, |bookmark| bookmark.frame)
    }

    /// Returns the bookmark at an index, in the order of frames. Returns `None` if the index is out
    /// of range.
    pub fn get(&self, place: usize) -> Option<&Bookmark> {
        self.list.get(place)
    }

    /// Returns the bookmark at a frame, or `None` if the frame has no bookmark.
    pub fn at(&self, frame: Frame) -> Option<&Bookmark> {
        self.get(self.place(frame).ok()?)
    }

    /// Returns the nearest bookmark after a frame if `later` is true, otherwise the nearest
    /// bookmark before the frame. Returns `None` if there is no bookmark on that side.
    pub fn near(&self, frame: Frame, later: bool) -> Option<&Bookmark> {
        match (self.place(frame), later) {
            (Ok(place), true) => self.get(place + 1),
            (Err(place), true) => self.get(place),
            (Ok(place) | Err(place), false) => self.get(place.checked_sub(1)?),
        }
    }

    /// Returns the number of bookmarks on the map.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns true if the map has no bookmarks.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Iterates over the bookmarks, ordered by frame.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Bookmark> {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_are_numbered_named_found_and_removed() {
        let mut bookmarks = Bookmarks::default();
        assert_eq!(bookmarks.set(Frame(9), "").name, "1");
        assert_eq!(bookmarks.set(Frame(4), " the chase ").name, "the chase");
        assert_eq!(bookmarks.set(Frame(20), "").name, "2");
        assert_eq!(bookmarks.set(Frame(9), "bump").name, "bump");
        let near =
            |frame, later| bookmarks.near(Frame(frame), later).map(|bookmark| bookmark.frame.0);
        assert_eq!([near(4, true), near(5, true), near(20, true)], [Some(9), Some(9), None]);
        assert_eq!([near(4, false), near(5, false), near(99, false)], [None, Some(4), Some(20)]);
        assert_eq!(
            bookmarks.at(Frame(4)).map(|bookmark| bookmark.name.as_str()),
            Some("the chase")
        );
        assert!(bookmarks.remove(Frame(4)).is_some() && bookmarks.remove(Frame(4)).is_none());
        assert_eq!(bookmarks.set(Frame(1), "").name, "3", "a number is given once");
        assert_eq!(bookmarks.len(), 3);
        let mut again = Bookmarks::default();
        bookmarks.iter().for_each(|bookmark| again.restore(bookmark));
        assert_eq!(again.set(Frame(2), "").name, "4");
    }

    #[test]
    fn bookmark_numbers_can_exceed_u32_max() {
        let mut bookmarks = Bookmarks::default();
        bookmarks.restore(&Bookmark { frame: Frame(1), name: u32::MAX.to_string() });
        assert_eq!(bookmarks.set(Frame(2), "").name, "4294967296");
        bookmarks.restore(&Bookmark { frame: Frame(3), name: u64::MAX.to_string() });
        assert_eq!(bookmarks.set(Frame(4), "").name, "4294967297");
    }
}
