//! Words for things that tilewalk calls by other names, or lacks, each with the nearest thing that
//! it has.
//!
//! A search that finds nothing uses this table. Words for features that exist are keywords of those
//! features instead.

use super::TABLE;
use super::search::{FEATURES, is_word_of};
use crate::tui::overlays;

/// Rows of words and phrases, separated by commas, and the name or keyword of the nearest feature.
#[rustfmt::skip]
const MEANINGS: &[(&str, &str)] = &[
    ("png,jpg,jpeg,gif,bitmap,photo,snapshot image,print screen,wallpaper", "screenshot"),
    ("movie,video,animation,clip,mp4,webm,stream,footage,screencast", "record"),
    ("kill,die,death,destroy,despawn", "remove-agent"),
    ("insert,create,character,enemy,npc,unit,entity", "add-agent"),
    ("sound,audio,music,noise,volume,mute,hear", "log"),
    ("multiplayer,network,online,server,friend,coop", "drive"),
    ("health,damage,hp,attack,fight,weapon,shoot,score,win,lose,level up", "expectations"),
    ("font,emoji,language,translate,locale", "tilewalk doctor"),
    ("terrain cost,swamp,mud,water,lava,door,tile,tiles,block map,level", "paint"),
    ("script,code,lua,python,plugin,function,program ai,logic,brain,behaviour tree,bt,fsm", "modes"),
    ("astar,a*,pathfinding,navmesh,dijkstra,navigation", "path"),
    ("gravity,physics,friction,inertia,momentum", "body"),
    ("memory leak,cpu,profiler,performance,benchmark,lag,slow", "speed"),
    ("resolution,window,resize,tab,split,panel", "zoom-pane"),
    ("cheat,god mode,teleport,warp", "tile-menu"),
    ("date,clock,timer,stopwatch,duration", "goto"),
    ("joystick,gamepad,controller,wasd", "drive"),
    ("git,commit,version,branch,backup", "runs"),
    ("print,paper,pdf,report", "tilewalk run"),
    ("parse,stack,trace back,backtrace,callstack,exception,crash,panic", "problems"),
    ("chase,hunt,flee,patrol,idle", "modes"),
    ("goal,destination,objective", "targets"),
    ("difficulty,balance,tweak,tuning,knob,slider,option", "edit"),
    ("day,night,weather,fog,light,shadow,lighting", "sight"),
    ("team,faction,squad,party,formation,leader", "neighbours"),
    ("inventory,item,pickup,loot,coin,key item", "about"),
    ("update,upgrade,install,download,internet", "tilewalk doctor"),
    ("average,percentile,success rate,monte carlo,hyperparameter,optimize,optimise", "tilewalk sweep"),
    ("unit test,ci,assert,regression,coverage", "tilewalk test"),
    ("socket,api,json,yaml,xml,database,sql,excel", "tilewalk run"),
];

/// Returns the name or keyword of the feature nearest to a search that finds nothing. Words of the
/// table count first, then each single word, then typing errors. Returns `None` if nothing is near.
pub fn nearest(typed: &str) -> Option<&'static str> {
    let typed = typed.trim().to_lowercase();
    let meaning = |phrase: &str| {
        let is_phrase = |known: &str| known == phrase || phrase.strip_suffix('s') == Some(known);
        MEANINGS.iter().find(|(words, _)| words.split(',').any(is_phrase)).map(|&(_, name)| name)
    };
    let words = || typed.split_whitespace();
    meaning(&typed)
        .or_else(|| words().find_map(meaning))
        .or_else(|| words().find_map(mistyped))
        .or_else(|| known_words().find(|known| words().any(|word| is_word_of(word, known))))
}

/// Returns all names and keywords of the screen's features.
fn known_words() -> impl Iterator<Item = &'static str> {
    let rows = TABLE.iter().flat_map(|entry| [entry.name, entry.keywords]);
    let layers = overlays::TABLE.iter().flat_map(|entry| [entry.name, entry.keywords]);
    let features = FEATURES.iter().map(|feature| feature.keywords);
    rows.chain(layers).chain(features).flat_map(str::split_whitespace)
}

/// Returns the known word that `word` is with one typing error: two swapped letters or a doubled
/// letter, or in a longer word any one letter. Other similar words have other meanings.
pub fn mistyped(word: &str) -> Option<&'static str> {
    let count = word.chars().count();
    if !(5..=64).contains(&count) {
        return None;
    }
    let is_typo = |known: &&str| {
        let mut letters: [Vec<char>; 2] = [word, known].map(|text| text.chars().collect());
        letters.iter_mut().for_each(Vec::dedup);
        let has_doubled = letters[0] == letters[1];
        for word in &mut letters {
            word.sort_unstable();
        }
        let same_letters = letters[0] == letters[1];
        let length = known.chars().count().min(count);
        let begins = word.chars().next() == known.chars().next();
        let distance = strsim::damerau_levenshtein(word, known);
        begins && known.len() >= 5 && distance == 1 && (has_doubled || same_letters || length >= 6)
    };
    known_words().find(is_typo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_is_near_but_another_word_is_not() {
        for (typed, wanted) in [
            ("puase", Some("pause")),
            ("folow", Some("follow")),
            ("screnshot", Some("screenshot")),
            ("parse", Some("problems")),
            ("movie", Some("record")),
            ("png", Some("screenshot")),
            ("plates", None),
            ("shard", None),
            ("qqqqqqqqqq", None),
        ] {
            assert_eq!(nearest(typed), wanted, "{typed}");
        }
    }

    #[test]
    fn every_meaning_leads_to_a_feature() {
        for (words, name) in MEANINGS {
            let is_known = known_words().any(|known| known == *name)
                || FEATURES.iter().any(|feature| feature.usage.starts_with(name));
            assert!(is_known, "{words}: {name}");
        }
    }
}
