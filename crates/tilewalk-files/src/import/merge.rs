//! Merges two changed versions of a TOML text, table by table and key by key.
//!
//! Tables and keys are matched by their names, wherever they are in the texts. The lines of a value, and
//! the comments above a key or header, are merged line by line.

mod lines;
mod parts;

use std::collections::BTreeMap;
use std::ops::Range;

use lines::is_same;
use parts::{Numbered, Part, Text};

pub use lines::{LineConflict, Merged};

/// Indices of the versions of a text.
const BASE: usize = 0;
const OURS: usize = 1;
const THEIRS: usize = 2;

/// The versions of a part of a text; `None` for versions without this part.
type Versions<'p> = [Option<&'p Part>; 3];

/// Merges `ours` and `theirs`, two changed versions of `base`. Tables, keys and comments that only
/// `theirs` changed come from `theirs`. All others come from `ours`, byte by byte.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merged {
    let texts = [base, ours, theirs].map(Text::new);
    let mut merge = Merge { texts: &texts, merged: Merged::new(ours) };
    if is_same(&texts[BASE].lines, &texts[OURS].lines) {
        merge.push_theirs(0..texts[THEIRS].lines.len());
        return merge.merged;
    }
    let [base, ours, theirs] = texts.each_ref().map(Text::tables);
    for versions in merge.order([&base, &ours, &theirs]) {
        merge.table(versions);
    }
    merge.merged
}

/// Returns the number of a line of `ours` that defines a table without a header, although `theirs` has a
/// header for this table. Also returns the header. No text can have both.
pub fn find_headless(ours: &str, theirs: &str) -> Option<(usize, String)> {
    let (ours, theirs) = (Text::new(ours), Text::new(theirs));
    let tables = ours.tables();
    let entries = ours.entries(tables.first()?);
    theirs.tables().iter().filter_map(|table| theirs.header(table)).find_map(|header| {
        let name = header.trim_matches(['[', ']']);
        let is_of_table = |entry: &&Part| {
            let rest = entry.id.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        Some((entries.iter().find(is_of_table)?.own.start + 1, header.to_owned()))
    })
}

/// The versions of a text, and their merge so far.
struct Merge<'a> {
    texts: &'a [Text<'a>; 3],
    merged: Merged,
}

impl Merge<'_> {
    /// Matches the parts of three lists. The result has the order of `ours`. A part that is only in
    /// `theirs` follows the part that it follows in `theirs`, and new parts of `ours` there.
    fn order<'p>(&self, lists: [&'p [Part]; 3]) -> Vec<Versions<'p>> {
        let numbers = self.numbers(lists);
        let mut versions: BTreeMap<usize, Versions> = BTreeMap::new();
        for (version, (numbers, parts)) in numbers.iter().zip(lists).enumerate() {
            for (number, part) in numbers.iter().zip(parts) {
                versions.entry(*number).or_default()[version] = Some(part);
            }
        }
        let mut followers: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        let mut before = None;
        for &number in &numbers[THEIRS] {
            if versions[&number][OURS].is_some() {
                before = Some(number);
            } else {
                followers.entry(before).or_default().push(number);
            }
        }
        let mut order = Vec::new();
        let mut waiting = followers.remove(&None).unwrap_or_default();
        for &number in &numbers[OURS] {
            if !matches!(versions[&number], [None, Some(_), None]) {
                order.append(&mut waiting);
            }
            order.push(number);
            waiting.append(followers.entry(Some(number)).or_default());
        }
        order.append(&mut waiting);
        order.into_iter().map(|number| versions[&number]).collect()
    }

    /// Gives a number to each part of three lists. The versions of a part have the same number.
    fn numbers(&self, lists: [&[Part]; 3]) -> [Vec<usize>; 3] {
        let [mut base, mut ours, mut theirs] =
            [BASE, OURS, THEIRS].map(|version| Numbered::new(&self.texts[version], lists[version]));
        base.number_others(0);
        for other in [&mut ours, &mut theirs] {
            other.match_names(&base, 0);
            other.match_renamed(&base);
        }
        let new = lists[BASE].len();
        ours.number_others(new);
        theirs.match_names(&ours, new);
        theirs.number_others(new + lists[OURS].len());
        [base, ours, theirs].map(|version| version.numbers.into_iter().flatten().collect())
    }

    /// Appends the merge of a table. Only a table such as `[places]` is merged key by key if one side
    /// removed or added it: an agent or a wall is a whole.
    fn table(&mut self, versions: Versions) {
        match versions {
            [Some(base), Some(ours), Some(theirs)] => {
                self.merge_lead(base, ours, Some(theirs));
                if self.is_equal((BASE, base), (OURS, ours)) {
                    self.push_theirs(theirs.own.clone());
                } else if self.is_equal((BASE, base), (THEIRS, theirs)) {
                    self.push_ours(ours.own.clone());
                } else {
                    self.entries(versions);
                }
            }
            [Some(base), Some(ours), None] => {
                if self.is_equal((BASE, base), (OURS, ours)) {
                    self.merge_lead(base, ours, None);
                } else if ours.is_single() {
                    self.push_ours(ours.lead.clone());
                    self.entries(versions);
                } else {
                    self.keep(ours, None);
                }
            }
            [Some(base), None, Some(theirs)] => {
                if self.is_equal((BASE, base), (THEIRS, theirs)) {
                    return;
                }
                if theirs.is_single() {
                    self.entries(versions);
                } else {
                    self.push_conflict(Some(theirs), true);
                }
            }
            [None, Some(ours), Some(theirs)] => {
                if ours.is_single() {
                    self.push_ours(ours.lead.clone());
                    self.entries(versions);
                } else {
                    self.push_added(ours, theirs);
                }
            }
            [None, Some(ours), None] => self.push_ours(ours.all()),
            [None, None, Some(theirs)] => self.push_theirs(theirs.all()),
            [Some(_) | None, None, None] => {}
        }
    }

    /// Appends the merge of the header and the keys of a table.
    fn entries(&mut self, versions: Versions) {
        let entries = |version: usize| {
            versions[version].map_or_else(Vec::new, |table| self.texts[version].entries(table))
        };
        let lists = [entries(BASE), entries(OURS), entries(THEIRS)];
        let order = self.order(lists.each_ref().map(Vec::as_slice));
        // New keys of a table that the user removed need its header again.
        let is_new = |entry: &Versions| entry[BASE].is_none() && entry[OURS].is_none();
        if let ([_, None, Some(table)], Some(header)) = (versions, lists[THEIRS].first())
            && order.iter().any(is_new)
        {
            self.push_theirs(table.lead.start..header.own.end);
        }
        for entry in order {
            self.entry(entry);
        }
    }

    /// Appends the merge of a key with its value, or of a header.
    fn entry(&mut self, versions: Versions) {
        match versions {
            [Some(base), Some(ours), Some(theirs)] => {
                self.merge_lead(base, ours, Some(theirs));
                let [base, ours, theirs] = [base, ours, theirs].map(|part| part.own.clone());
                self.merge_lines(base, ours, theirs);
            }
            [Some(base), Some(ours), None] => {
                if ours.is_header() {
                    self.push_ours(ours.all());
                } else if self.is_equal((BASE, base), (OURS, ours)) {
                    self.merge_lead(base, ours, None);
                } else {
                    self.keep(ours, None);
                }
            }
            [Some(base), None, Some(theirs)] => {
                if !self.is_equal((BASE, base), (THEIRS, theirs)) {
                    self.push_conflict(Some(theirs), true);
                }
            }
            [None, Some(ours), Some(theirs)] => self.push_added(ours, theirs),
            [None, Some(ours), None] => self.push_ours(ours.all()),
            [None, None, Some(theirs)] => self.push_theirs(theirs.all()),
            [Some(_) | None, None, None] => {}
        }
    }

    /// Appends a part that both sides added. It is a conflict unless they are equal.
    fn push_added(&mut self, ours: &Part, theirs: &Part) {
        if self.is_equal((OURS, ours), (THEIRS, theirs)) {
            self.push_ours(ours.all());
        } else {
            self.keep(ours, Some(theirs));
        }
    }

    /// Appends a part of `ours`, although `theirs` has another version of it, or none.
    fn keep(&mut self, ours: &Part, theirs: Option<&Part>) {
        self.push_ours(ours.lead.clone());
        self.push_conflict(theirs, false);
        self.push_ours(ours.own.clone());
    }

    /// Appends the merge of the lines above a part. `theirs` is `None` if the source has no such part.
    fn merge_lead(&mut self, base: &Part, ours: &Part, theirs: Option<&Part>) {
        let theirs = theirs.map_or(0..0, |theirs| theirs.lead.clone());
        self.merge_lines(base.lead.clone(), ours.lead.clone(), theirs);
    }

    fn merge_lines(&mut self, base: Range<usize>, ours: Range<usize>, theirs: Range<usize>) {
        let [of_base, of_ours, of_theirs] = self.texts.each_ref().map(|text| &text.lines);
        self.merged.merge(&of_base[base], &of_ours[ours], &of_theirs[theirs]);
    }

    fn push_ours(&mut self, lines: Range<usize>) {
        self.merged.push_ours(&self.texts[OURS].lines[lines]);
    }

    fn push_theirs(&mut self, lines: Range<usize>) {
        self.merged.push_theirs(&self.texts[THEIRS].lines[lines]);
    }

    fn push_conflict(&mut self, theirs: Option<&Part>, is_removed: bool) {
        let lines = theirs.map_or(0..0, |theirs| theirs.own.clone());
        self.merged.push_conflict(&self.texts[THEIRS].lines[lines], is_removed);
    }

    /// Returns true if two versions of a part have the same lines, apart from the lines above it.
    fn is_equal(&self, a: (usize, &Part), b: (usize, &Part)) -> bool {
        let lines = |(version, part): (usize, &Part)| &self.texts[version].lines[part.own.clone()];
        is_same(lines(a), lines(b))
    }
}

#[cfg(test)]
mod tests {
    use super::lines::tests::check_merge;
    use super::*;

    /// Checks a merge as [`check_merge`] does.
    #[track_caller]
    fn check(base: &str, ours: &str, theirs: &str, expected: &str) {
        check_merge(merge, [base, ours, theirs], expected);
    }

    #[test]
    fn keys_of_a_table_are_merged_wherever_the_table_is() {
        check("t=1 ", "t=1 [x] a=1 [p] k=1 ", "t=1  # [p] c=1 ", "t=1 [x] a=1 [p] k=1 c=1 ");
        check(
            "t=1 [p] c=1 ",
            "t=1 [x] [p] k=1 c=1 ",
            "t=1 [p] c=2 d=1 ",
            "t=1 [x] [p] k=1 c=2 d=1 ",
        );
        check(
            "t=1 ",
            "t=1 [p] k=1 b=1 ",
            "t=1 [p] k=2 \"b\"=1 ",
            "t=1 [p] k=1 b=1  3:k=2 4:\"b\"=1",
        );
        check("t=1 ", "u=1 t=1 ", "t=1 v=1 [p] a=1 ", "u=1 t=1 v=1 [p] a=1 ");
        // A table follows the one that it follows in the source.
        check(
            "[a] k=1 [c] k=1 ",
            "[a] k=1 [c] k=2 ",
            "[a] k=1  # [b] k=3 [c] k=1 ",
            "[a] k=1  # [b] k=3 [c] k=2 ",
        );
    }

    #[test]
    fn a_conflict_is_about_one_key_only() {
        check("[p] c=1 ", "[p] c=2 ", "[p] c=3 d=1 [w] e=1 ", "[p] c=2 d=1 [w] e=1  2:c=3");
        check("[p] c=1 d=1 ", "[p] c=2 ", "[p] c=3 d=1 e=1 ", "[p] c=2 e=1  2:c=3");
        check("[p] c=1 d=1 ", "[p] d=1 ", "[p] c=3 d=2 ", "[p] d=2  2:c=3");
        check("[p] c=1 d=1 ", "[p] c=2 d=1 ", "[p] d=1 ", "[p] c=2 d=1  2:");
        check("#a c=1 ", "#b c=1 ", "#d c=2 ", "#b c=2  1:#d");
    }

    #[test]
    fn a_table_that_one_side_removed_stays_removed() {
        let (two, one) =
            ("q=1  # [[w]] name=a at=1  [[w]] name=b at=2 ", "q=1  [[w]] name=b at=2 ");
        check(two, &two.replace("q=1", "q=2"), one, &one.replace("q=1", "q=2"));
        check(two, one, two, one);
        check(two, one, &two.replace("q=1", "q=2"), &one.replace("q=1", "q=2"));
        // Both sides changed the list entry, which is a whole.
        let edited = two.replace("at=1", "at=3");
        check(two, &edited, one, &(edited.clone() + " 4:"));
        check(two, one, &edited, &(one.to_owned() + " 2:[[w]]+name=a+at=3"));
        // Other tables are merged key by key.
        check("t=1 # [p] a=1 b=1 ", "t=1 # [p] a=1 b=1 c=1 ", "t=1 ", "t=1 # [p] c=1 ");
        check("t=1 # [p] a=1 b=1 ", "t=1 ", "t=1 # [p] a=2 b=1 c=1 ", "t=1 # [p] c=1  4:a=2");
    }

    #[test]
    fn list_entries_match_by_their_lines_and_names() {
        let walls = "[[w]] at=1  [[w]] at=2 ";
        check(
            walls,
            &walls.replace("at=2", "at=3"),
            &("[[w]] at=0  ".to_owned() + walls),
            "[[w]] at=0  [[w]] at=1  [[w]] at=3 ",
        );
        let agent = "[[a]] name=x at=1 look=1 ";
        let renamed = agent.replace("=x", "=y");
        check(agent, &renamed, &agent.replace("at=1", "at=2"), &renamed.replace("at=1", "at=2"));
        check(
            agent,
            &renamed,
            &(agent.to_owned() + "[a.b] c=1 "),
            &(renamed.clone() + "[a.b] c=1 "),
        );
        // Agents that both sides added are different ones.
        let both = "[[a]] name=y look=1 [[a]] name=z look=1 ";
        check(
            "t=1 ",
            "t=1 [[a]] name=y look=1 ",
            "t=1 [[a]] name=z look=1 ",
            &format!("t=1 {both}"),
        );
        // Another agent at the same place is no version of it.
        let other = "[[a]] name=y at=3 ";
        check(
            agent,
            other,
            &agent.replace("at=1", "at=2"),
            &(other.to_owned() + " 4:[[a]]+name=x+at=2+look=1"),
        );
    }

    #[test]
    fn lines_of_a_value_are_no_headers_and_keys() {
        let text = "a=''' [p] a=1 ''' b=[ [1], ] [p] c=1 ";
        check(
            text,
            &text.replace("a=1", "a=2"),
            &text.replace("c=1", "c=1 d=1"),
            &text.replace("a=1", "a=2").replace("c=1", "c=1 d=1"),
        );
        check(
            text,
            &text.replace("[1], ", "[1], [2], "),
            &text.replace("c=1", "c=2"),
            &text.replace("[1], ", "[1], [2], ").replace("c=1", "c=2"),
        );
    }

    #[test]
    fn legend_keys_with_special_characters_are_different() {
        let keys = [
            "\"=\"=1 ",
            "\"#\"=1 ",
            "'\"'=1 ",
            "\"\\\"\"=1 ",
            "\"[\"=1 ",
            "\"[[a]]\"=1 ",
            "\".\"=1 ",
        ];
        let all = format!("[l] {}", keys.concat());
        for key in keys {
            let theirs = all.replace(key, &key.replace("=1", "=2"));
            check(&all, &(all.clone() + "x=1 "), &theirs, &(theirs.clone() + "x=1 "));
        }
    }

    /// Returns texts of up to three parts.
    fn texts() -> Vec<String> {
        let parts = [
            "# c\n[p]\na = 1\n",
            "\n[q]\n",
            "[p]\na = 2\nb = 1\n",
            "\n[[w]]\nname = \"x\"\n",
            "[[w]]\nk = 1\n# d\n",
        ];
        let mut texts = vec![String::new(), "t = 1\n".to_owned()];
        for _ in 0..3 {
            let longer = texts.iter().flat_map(|text| parts.map(|part| format!("{text}{part}")));
            let longer: Vec<_> = longer.collect();
            texts.extend(longer);
            texts.sort();
            texts.dedup();
        }
        texts
    }

    #[test]
    fn a_side_without_changes_takes_the_text_of_the_other_side() {
        let texts = texts();
        for (index, base) in texts.iter().enumerate() {
            for other in texts.iter().skip(index % 7).step_by(7) {
                assert_eq!(merge(base, base, other).text, *other, "{base}");
                for theirs in [base, other] {
                    let kept = merge(base, other, theirs);
                    assert_eq!((&kept.text, kept.conflicts), (other, vec![]), "{base}");
                }
            }
        }
    }

    #[test]
    fn valid_texts_with_headers_have_a_valid_merge() {
        let is_valid = |text: &str| toml_edit::Document::parse(text).is_ok();
        let texts: Vec<_> = texts().into_iter().filter(|text| is_valid(text)).collect();
        assert!(texts.len() > 50, "{}", texts.len());
        for base in texts.iter().step_by(9) {
            for ours in &texts {
                for theirs in texts.iter().step_by(11) {
                    let merged = merge(base, ours, theirs).text;
                    assert!(is_valid(&merged), "{base}---\n{ours}---\n{theirs}---\n{merged}");
                }
            }
        }
    }

    /// The merged text contains all lines that `ours` added to the base.
    #[test]
    fn a_merge_keeps_all_lines_that_the_user_added() {
        let count = |text: &str, line: &str| text.lines().filter(|each| *each == line).count();
        let texts = texts();
        for (index, base) in texts.iter().enumerate().step_by(3) {
            for ours in texts.iter().skip(index % 11).step_by(11) {
                for theirs in texts.iter().skip(index % 13).step_by(13) {
                    let merged = merge(base, ours, theirs).text;
                    for line in ours.lines().filter(|line| count(base, line) == 0) {
                        let lines = count(&merged, line);
                        assert!(lines >= count(ours, line), "{base}\n{ours}\n{theirs}\n{merged}");
                    }
                }
            }
        }
    }
}
