//! Distinguishes maps, patterns and sweeps by the keys at the top of a file.

use toml::de::DeTable;

use super::memory_limit::too_heavy;

/// Returns false for a text with the key `kind` and without the key `tiles`: a pattern. Returns
/// true for all other texts, and for a text that is too heavy to parse.
pub fn is_map(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    !tree.get_ref().contains_key("kind") || tree.get_ref().contains_key("tiles")
}

/// Returns true if a text has the key `tiles`. Also returns true for a text without the key `kind`
/// if it has syntax errors or one of the keys `tiles_file`, `tiled` and `agent`. Returns true for a
/// text that is too heavy to parse.
pub fn has_map(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, errors) = DeTable::parse_recoverable(text);
    let has = |key: &str| tree.get_ref().contains_key(key);
    let has_map_key = ["tiles_file", "tiled", "agent"].into_iter().any(has);
    has("tiles") || !has("kind") && (has_map_key || !errors.is_empty())
}

/// Returns true if a text is a sweep. A sweep has the table `vary` or `measure`, but no tiles and
/// no `kind`. Returns false for a text that is too complex to parse.
pub fn is_sweep(text: &str) -> bool {
    // Most maps have none of these words, and need not be parsed twice.
    if !(text.contains("vary") || text.contains("measure")) || too_heavy(text).is_some() {
        return false;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    let has = |keys: &[&str]| keys.iter().any(|key| tree.get_ref().contains_key(*key));
    has(&["vary", "measure"]) && !has(&["tiles", "tiles_file", "kind"])
}

/// Returns true if a text is a map or a pattern. Also returns true if the text is too complex to
/// parse.
pub fn is_other_file(text: &str) -> bool {
    if too_heavy(text).is_some() {
        return true;
    }
    let (tree, _) = DeTable::parse_recoverable(text);
    ["tiles", "tiles_file", "agent", "kind"].iter().any(|key| tree.get_ref().contains_key(*key))
}
