//! Finds the file of a pattern that a map can use but does not use yet.

use crate::disk::store::{Origin, Store};
use crate::read::pattern_file;
use crate::show;
use crate::text::source::{self, Found};
use tilewalk_sim::scenario::sources::{FileRole, SourceFile};

/// Reads the file of the pattern `name` from the directories that the map searches.
///
/// # Errors
/// Returns the reason if there is no such pattern, in a line that is safe to print.
pub fn find_pattern(map: &Origin, name: &str) -> Result<SourceFile, String> {
    let shown = show::text(name);
    if let Some(fault) = pattern_file::pattern_name_fault(name) {
        return Err(format!("invalid pattern name `{shown}`: {fault}"));
    }
    let (store, ..) = Store::open(map).map_err(|error| error.to_string())?;
    match store.pattern(name) {
        Found::Read(source, _) if source::is_map(source.text()) => {
            Err(format!("`{shown}` is a map, not a pattern"))
        }
        Found::Read(source, _) => Ok(SourceFile {
            place: FileRole::Pattern(name.to_owned()),
            label: source.label().to_owned(),
            text: source.text().clone(),
        }),
        Found::Refused(why) => Err(format!("the pattern `{shown}` {why}")),
        Found::Missing => {
            let names = store.pattern_names();
            let near = show::nearest(name, names.iter().map(String::as_str));
            let searched = store.searched().filter(|_| near.is_none());
            let searched = searched.map(|folders| format!("; searched in {folders}"));
            let near = show::did_you_mean(near);
            Err(format!("unknown pattern `{shown}`{near}{}", searched.unwrap_or_default()))
        }
    }
}
