//! Merges two changed versions of a text line by line.

use std::collections::BTreeMap;
use std::ops::Range;

/// A merged text, with the lines that could not be merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The text so far.
    pub text: String,
    /// Parts of the text that both versions changed in different ways.
    pub conflicts: Vec<LineConflict>,
    /// Line break of new lines.
    ending: &'static str,
    /// Number of lines so far.
    line: usize,
}

/// Lines that both versions changed in different ways. The merged text contains the lines of
/// `ours`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineConflict {
    /// Number of the first line in the merged text, from 1.
    pub line: usize,
    /// The lines of the other version, without line breaks.
    pub theirs: Vec<String>,
    /// Whether `ours` has none of these lines any more.
    pub is_removed: bool,
}

impl Merged {
    /// Returns an empty text. Its new lines get the line breaks of `ours`.
    pub fn new(ours: &str) -> Self {
        let ending = if ours.contains("\r\n") { "\r\n" } else { "\n" };
        Self { text: String::new(), conflicts: Vec::new(), ending, line: 0 }
    }

    /// Appends the merge of `ours` and `theirs`, two changed versions of `base`. Lines that only
    /// `theirs` changed come from `theirs`. All other lines come from `ours`, byte by byte. If both
    /// versions add different lines at the same place, the result has both, first the lines of `ours`.
    pub fn merge(&mut self, base: &[&str], ours: &[&str], theirs: &[&str]) {
        let contents = [base, ours, theirs].map(contents);
        let [old, own, other] = &contents;
        let [in_ours, in_theirs] = [own, other].map(|version| matching(old, version));
        let (mut b, mut o, mut t) = (0, 0, 0);
        for line in 0..base.len() {
            let (Some(&our), Some(&their)) = (in_ours.get(&line), in_theirs.get(&line)) else {
                continue;
            };
            self.resolve(&base[b..line], &ours[o..our], &theirs[t..their]);
            self.push_ours(&ours[our..=our]);
            (b, o, t) = (line + 1, our + 1, their + 1);
        }
        self.resolve(&base[b..], &ours[o..], &theirs[t..]);
    }

    /// Appends the merge of lines between two common lines.
    fn resolve(&mut self, base: &[&str], ours: &[&str], theirs: &[&str]) {
        if is_same(base, ours) {
            self.push_theirs(theirs);
        } else if is_same(base, theirs) || is_same(ours, theirs) {
            self.push_ours(ours);
        } else if base.is_empty() {
            self.push_ours(ours);
            self.push_theirs(theirs);
        } else if base.len() > 1 && base.len() == ours.len() && base.len() == theirs.len() {
            // Lines next to each other are independent.
            for index in 0..base.len() {
                let line = index..=index;
                self.resolve(&base[line.clone()], &ours[line.clone()], &theirs[line]);
            }
        } else {
            self.push_conflict(theirs, ours.is_empty());
            self.push_ours(ours);
        }
    }

    /// Appends lines of `ours`, byte by byte.
    pub fn push_ours(&mut self, lines: &[&str]) {
        for line in lines {
            self.start_line();
            self.text.push_str(line);
        }
    }

    /// Appends lines of `theirs`, with the line breaks of `ours`.
    pub fn push_theirs(&mut self, lines: &[&str]) {
        for line in lines {
            self.start_line();
            self.text.push_str(without_break(line));
            self.text.push_str(self.ending);
        }
    }

    /// Adds a conflict at the next line. `theirs` are the lines of the other version, and `is_removed` is true
    /// if `ours` has none.
    pub fn push_conflict(&mut self, theirs: &[&str], is_removed: bool) {
        let theirs = theirs.iter().map(|line| without_break(line).to_owned()).collect();
        self.conflicts.push(LineConflict { line: self.line + 1, theirs, is_removed });
    }

    /// Starts a new line. Adds a line break if the previous line has none.
    fn start_line(&mut self) {
        self.line += 1;
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(self.ending);
        }
    }
}

/// Returns the lines of a text with their line breaks.
pub fn lines_of(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns a line without its line break.
pub fn without_break(line: &str) -> &str {
    line.trim_end_matches(['\n', '\r'])
}

fn contents<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    lines.iter().map(|line| without_break(line)).collect()
}

/// Returns true if two lists have the same lines, apart from line breaks.
pub fn is_same(a: &[&str], b: &[&str]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| without_break(a) == without_break(b))
}

/// Returns the matched lines of `a`, each with the index of its line in `b`. Lines that occur once
/// in both texts are matched first ("patience diff").
fn matching(a: &[&str], b: &[&str]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    let mut parts = vec![(0..a.len(), 0..b.len())];
    while let Some((mut in_a, mut in_b)) = parts.pop() {
        while !in_a.is_empty() && !in_b.is_empty() && a[in_a.start] == b[in_b.start] {
            found.insert(in_a.start, in_b.start);
            (in_a.start, in_b.start) = (in_a.start + 1, in_b.start + 1);
        }
        while !in_a.is_empty() && !in_b.is_empty() && a[in_a.end - 1] == b[in_b.end - 1] {
            (in_a.end, in_b.end) = (in_a.end - 1, in_b.end - 1);
            found.insert(in_a.end, in_b.end);
        }
        let anchors = increasing(&unique(a, b, &in_a, &in_b));
        if anchors.is_empty() {
            continue;
        }
        let (mut start_a, mut start_b) = (in_a.start, in_b.start);
        for (at_a, at_b) in anchors {
            found.insert(at_a, at_b);
            parts.push((start_a..at_a, start_b..at_b));
            (start_a, start_b) = (at_a + 1, at_b + 1);
        }
        parts.push((start_a..in_a.end, start_b..in_b.end));
    }
    found
}

/// Returns the lines that occur exactly once in each of two ranges: `in_a` of `a`, and `in_b` of
/// `b`. Each pair holds the line's indices in `a` and `b`. The pairs are in the order of `a`.
fn unique(a: &[&str], b: &[&str], in_a: &Range<usize>, in_b: &Range<usize>) -> Vec<(usize, usize)> {
    let places = |lines: &[&str], part: &Range<usize>| {
        let mut places: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for at in part.clone() {
            let place = Some(at);
            places.entry(lines[at].to_owned()).and_modify(|known| *known = None).or_insert(place);
        }
        places
    };
    let (of_a, of_b) = (places(a, in_a), places(b, in_b));
    let mut pairs: Vec<_> =
        of_a.iter().filter_map(|(line, at)| Some(((*at)?, (*of_b.get(line)?)?))).collect();
    pairs.sort_unstable();
    pairs
}

/// Returns a longest subsequence of pairs in which both numbers increase. `pairs` must be sorted.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the index of the pair with the smallest end, and for each pair the previous
    // pair of its sequence.
    let (mut ends, mut previous) = (Vec::<usize>::new(), vec![None; pairs.len()]);
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        previous[index] = length.checked_sub(1).map(|shorter| ends[shorter]);
        ends.truncate(ends.len().max(length));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut found = Vec::new();
    let mut at = ends.last().copied();
    while let Some(index) = at {
        found.push(pairs[index]);
        at = previous[index];
    }
    found.reverse();
    found
}

#[cfg(test)]
pub mod tests {
    use super::*;

    fn merge_lines(base: &str, ours: &str, theirs: &str) -> Merged {
        let mut merged = Merged::new(ours);
        merged.merge(&lines_of(base), &lines_of(ours), &lines_of(theirs));
        merged
    }

    /// Checks a merge. Spaces in the arguments stand for line breaks. `expected` is the merged
    /// text, followed by `line:theirs` for each conflict.
    #[track_caller]
    pub fn check_merge(
        merge: impl Fn(&str, &str, &str) -> Merged,
        [base, ours, theirs]: [&str; 3],
        expected: &str,
    ) {
        let [base, ours, theirs] = [base, ours, theirs].map(|text| text.replace(' ', "\n"));
        let merged = merge(&base, &ours, &theirs);
        let conflicts = merged
            .conflicts
            .iter()
            .map(|conflict| format!(" {}:{}", conflict.line, conflict.theirs.join("+")));
        let found = merged.text.replace('\n', " ") + &conflicts.collect::<String>();
        assert_eq!(found, expected);
    }

    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expected: &str) {
        check_merge(merge_lines, [base, ours, theirs], expected);
    }

    #[test]
    fn changes_of_both_sides_are_merged_and_conflicts_keep_the_users_version() {
        check("a b c ", "a b c ", "a x c ", "a x c ");
        check("a b c ", "a y c ", "a b c d ", "a y c d ");
        check("a b c d ", "a y c d ", "a b x d ", "a y x d ");
        check("a b c ", "a y c ", "a x c ", "a y c  2:x");
        check("a b c ", "a c ", "a b c ", "a c ");
        check("a b c ", "a b c ", "a c ", "a c ");
        check("a b c ", "a c ", "a x c ", "a c  2:x");
        check("a ", "a own ", "a new ", "a own new ");
        check("a ", "a same ", "a same ", "a same ");
        check("a b", "a b", "a b c ", "a b c ");
        check("", "own", "new ", "own new ");
    }

    #[test]
    fn a_merge_keeps_crlf_line_endings() {
        let merged = merge_lines("a\nb\nc\n", "a\r\nmine\r\nc\r\n", "a\nb\nc\nd\n");
        assert_eq!(merged.text, "a\r\nmine\r\nc\r\nd\r\n");
    }

    /// Returns all texts of up to three lines. Each line is `a`, `b` or `c`.
    fn texts() -> Vec<String> {
        let mut texts = vec![String::new()];
        for _ in 0..3 {
            let longer =
                texts.iter().flat_map(|text| ["a", "b", "c"].map(|line| format!("{text}{line}\n")));
            let longer: Vec<_> = longer.collect();
            texts.extend(longer);
            texts.sort();
            texts.dedup();
        }
        texts
    }

    #[test]
    fn a_side_without_changes_takes_the_text_of_the_other_side() {
        for base in texts() {
            for other in texts() {
                assert_eq!(merge_lines(&base, &base, &other).text, other, "{base}");
                assert_eq!(merge_lines(&base, &other, &other).text, other, "{base}");
                let kept = merge_lines(&base, &other, &base);
                assert_eq!((kept.text, kept.conflicts), (other, vec![]), "{base}");
            }
        }
    }

    /// The merged text contains all lines that `ours` added to the base.
    #[test]
    fn a_merge_keeps_all_lines_that_the_user_added() {
        let count = |text: &str, line: &str| text.lines().filter(|each| *each == line).count();
        for base in texts() {
            for ours in texts() {
                for theirs in texts().iter().step_by(3) {
                    let merged = merge_lines(&base, &ours, theirs).text;
                    for line in ours.lines().filter(|line| count(&base, line) == 0) {
                        let lines = count(&merged, line);
                        assert!(lines >= count(&ours, line), "{base}\n{ours}\n{theirs}\n{merged}");
                    }
                }
            }
        }
    }
}
