//! Selects a level of a file that contains several maps.

use crate::diagnostic::{Diagnostic, Issues};
use crate::show;
use tilewalk_sim::report::words;

/// Maximum number of levels per file.
pub const MAX_LEVELS: usize = 100_000;

/// Maximum number of titles in a message.
const MOST_LISTED: usize = 20;

/// Returns the index of a level. `wanted` is the title of the level in upper or lower case, or its
/// number from 1. Without `wanted`, returns the first level. Reports an unknown level and returns
/// `None`.
pub fn choose<T: AsRef<str>>(titles: &[T], wanted: Option<&str>, issues: &Issues) -> Option<usize> {
    let Some(wanted) = wanted else { return Some(0).filter(|_| !titles.is_empty()) };
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let same = |title: &T| title.as_ref() == wanted;
    let similar = |title: &T| title.as_ref().to_lowercase() == wanted.to_lowercase();
    let found = titles.iter().position(same).or_else(|| titles.iter().position(similar));
    let found = found.or_else(|| number.filter(|&index| index < titles.len()));
    if found.is_none() {
        let count = words::count(titles.len() as u64, "level");
        let message = format!("no level `{}`: the file has {count}", show::text(wanted));
        issues.push(Diagnostic::error(0..0, message).help(listed(titles)));
    }
    found
}

/// Lists the first levels, as in "levels: 1 `Attic`, 2 `Cellar`".
pub fn listed<T: AsRef<str>>(titles: &[T]) -> String {
    let one =
        |(index, title): (usize, &T)| format!("{} `{}`", index + 1, show::text(title.as_ref()));
    let mut listed: Vec<_> = titles.iter().enumerate().take(MOST_LISTED).map(one).collect();
    if titles.len() > MOST_LISTED {
        listed.push("…".to_owned());
    }
    format!("levels: {}", listed.join(", "))
}

/// Returns a warning that only the first of several levels is imported; `None` for a file with one
/// level.
pub fn first_level_warning<T: AsRef<str>>(titles: &[T]) -> Option<Diagnostic> {
    let first = titles.first().filter(|_| titles.len() > 1)?;
    let (first, count) = (show::text(first.as_ref()), titles.len());
    let message = format!("only level 1 of {count} is imported: `{first}`");
    let help = "use --level to import another level, and --levels to list all of them";
    Some(Diagnostic::warning(0..0, message).help(help).help(listed(titles)))
}
