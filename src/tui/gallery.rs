//! The maps of the gallery, the map search, and the selected map.

use crate::files::show;

use super::library::GalleryEntry;
use super::line::{Line, Typed};

/// All maps of the gallery, and the maps that match the current search.
#[derive(Debug, Clone, Default)]
pub struct Gallery {
    entries: Vec<GalleryEntry>,
    /// The listed maps, as indices into `entries`.
    listed: Vec<usize>,
    /// The selected map, as an index into `listed`.
    selected: usize,
    /// The search text. `None` while the search is closed.
    filter: Option<Line>,
    /// Number of lines of the description that are scrolled off the top.
    pub scroll: usize,
}

impl Gallery {
    /// Creates a gallery that lists all maps and selects the first one.
    pub fn new(entries: Vec<GalleryEntry>) -> Self {
        let listed = (0..entries.len()).collect();
        Self { entries, listed, ..Self::default() }
    }

    /// Returns all maps, listed or not.
    pub fn all(&self) -> &[GalleryEntry] {
        &self.entries
    }

    /// Returns the maps that match the current search. Returns all maps without a search.
    pub fn listed(&self) -> impl ExactSizeIterator<Item = &GalleryEntry> {
        self.listed.iter().map(|&place| &self.entries[place])
    }

    /// Returns the index of the selected map in the list.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Returns the selected map. Returns `None` if no map is listed.
    pub fn entry(&self) -> Option<&GalleryEntry> {
        self.listed().nth(self.selected)
    }

    /// Returns the search text. Returns `None` while the search is closed.
    pub fn filter(&self) -> Option<&Line> {
        self.filter.as_ref()
    }

    /// Selects the map at the index `place` of the list, or the last map if the index is too large.
    /// Returns true if the selection changed.
    pub fn select(&mut self, place: usize) -> bool {
        let place = place.min(self.listed.len().saturating_sub(1));
        let another = place != self.selected;
        self.selected = place;
        if another {
            self.scroll = 0;
        }
        another
    }

    pub fn open_search(&mut self) {
        self.filter = Some(Line::default());
    }

    /// Edits the search text and selects the first match. Returns true if another map is now
    /// selected.
    pub fn edit(&mut self, typed: Typed) -> bool {
        let Some(filter) = &mut self.filter else { return false };
        if !filter.edit(typed) {
            return false;
        }
        let before = self.entry().map(|entry| entry.id.clone());
        let text = self.filter.as_ref().map_or("", Line::text);
        self.listed = matching(&self.entries, text);
        self.selected = 0;
        self.scroll = 0;
        self.entry().map(|entry| &entry.id) != before.as_ref()
    }

    /// Closes the search. The selected map stays selected.
    pub fn close_search(&mut self) {
        self.filter = None;
        self.selected = self.listed.get(self.selected).copied().unwrap_or(0);
        self.listed = (0..self.entries.len()).collect();
    }

    /// Closes the search and selects the map `id`, which the user has just closed. If the gallery
    /// does not contain the map, adds it at the top of the list.
    pub fn come_back(&mut self, id: &str, entry: impl FnOnce() -> GalleryEntry) {
        self.close_search();
        let place = self.entries.iter().position(|entry| entry.id == id);
        let place = place.unwrap_or_else(|| {
            self.entries.insert(0, entry());
            0
        });
        self.close_search();
        self.select(place);
    }
}

/// Returns the indices of the maps whose title or file name contains all words of `text`. Maps
/// whose title or file name starts with `text` come first.
fn matching(maps: &[GalleryEntry], text: &str) -> Vec<usize> {
    let text = text.trim().to_lowercase();
    let names = |entry: &GalleryEntry| [entry.name().to_lowercase(), entry.title.to_lowercase()];
    let has = |&place: &usize| {
        let [name, title] = names(&maps[place]);
        text.split_whitespace().all(|word| name.contains(word) || title.contains(word))
    };
    let mut places: Vec<_> = (0..maps.len()).filter(has).collect();
    // The sort is stable, so the maps otherwise keep their order.
    places.sort_by_key(|&place| !names(&maps[place]).iter().any(|name| name.starts_with(&text)));
    places
}

/// Returns the file names of the maps that match `text`.
pub fn names(maps: &[GalleryEntry], text: &str) -> Vec<String> {
    matching(maps, text).into_iter().map(|place| maps[place].name().to_owned()).collect()
}

/// Finds a map by title, file name, or a unique part of either, and returns the id of the map. Any
/// other text with `/` or `.` is returned unchanged, as a path.
///
/// # Errors
/// Returns a message for the user if no map, or more than one map, matches.
pub fn find(maps: &[GalleryEntry], text: &str) -> Result<String, String> {
    let same = |name: &str| name.to_lowercase() == text.to_lowercase();
    let exact =
        |entry: &&GalleryEntry| entry.id == text || same(entry.name()) || same(&entry.title);
    if let Some(entry) = maps.iter().find(exact) {
        return Ok(entry.id.clone());
    }
    if text.contains(['/', '.']) {
        return Ok(text.to_owned());
    }
    let found = matching(maps, text);
    match found[..] {
        [only] => Ok(maps[only].id.clone()),
        [] => {
            let near = show::nearest(text, maps.iter().map(GalleryEntry::name));
            let near = show::did_you_mean(near);
            Err(format!("unknown map `{}`{near}", show::text(text)))
        }
        _ => {
            let names = show::list(found.iter().take(5).map(|&place| maps[place].name()));
            let more = if found.len() > 5 { ", …" } else { "" };
            Err(format!("`{}` is ambiguous: {names}{more}", show::text(text)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maps() -> Vec<GalleryEntry> {
        let maps = [
            ("builtin:castle", "Castle: a guard and a thief"),
            ("builtin:thief", "You are the thief"),
            ("builtin:flock", "Flock: boids"),
            ("maps/mine.toml", "A castle of my own"),
        ];
        let entry = |(id, title): (&str, &str)| GalleryEntry {
            id: id.into(),
            title: title.into(),
            comment: String::new(),
        };
        maps.into_iter().map(entry).collect()
    }

    fn listed(gallery: &Gallery) -> Vec<&str> {
        gallery.listed().map(GalleryEntry::name).collect()
    }

    #[test]
    fn the_filter_narrows_the_list_and_closing_it_keeps_the_selection() {
        let mut gallery = Gallery::new(maps());
        gallery.open_search();
        assert_eq!(gallery.filter().map(Line::text), Some(""));
        assert!(gallery.edit(Typed::Paste("th")));
        assert_eq!(listed(&gallery), ["thief", "castle"], "a beginning comes first");
        assert!(gallery.select(9) && gallery.entry().unwrap().name() == "castle");
        gallery.close_search();
        assert_eq!((gallery.selected(), gallery.listed().len()), (0, 4));
        gallery.open_search();
        gallery.edit(Typed::Paste("OWN castle"));
        assert_eq!(listed(&gallery), ["mine"]);
        assert!(gallery.edit(Typed::Paste("z")) && gallery.entry().is_none());
        gallery.come_back("maps/mine.toml", || panic!("it is there"));
        assert_eq!((gallery.selected(), gallery.all().len()), (3, 4));
        gallery.come_back("new.toml", || maps().remove(0));
        assert_eq!((gallery.selected(), gallery.all().len()), (0, 5));
        assert!(gallery.filter().is_none());
    }

    #[test]
    fn maps_are_found_by_name_title_unique_prefix_or_path() {
        let maps = maps();
        let find = |text| find(&maps, text);
        assert_eq!(find("Thief").as_deref(), Ok("builtin:thief"));
        assert_eq!(find("flock: BOIDS").as_deref(), Ok("builtin:flock"));
        assert_eq!(find("boi").as_deref(), Ok("builtin:flock"));
        assert_eq!(find("castle").as_deref(), Ok("builtin:castle"));
        assert_eq!(find("./castle.toml").as_deref(), Ok("./castle.toml"));
        assert_eq!(find("th"), Err("`th` is ambiguous: `thief`, `castle`".to_owned()));
        assert_eq!(find("flokc"), Err("unknown map `flokc`: did you mean `flock`?".to_owned()));
        assert_eq!(names(&maps, "fl"), ["flock"]);
    }
}
