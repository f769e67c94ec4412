//! The table of states in docs/conditions.md, which is generated from the source code.

use std::fs;

use tilewalk::condition::states::{STATES, StateRow};

const BEGIN: &str = "<!-- states -->\n";
const END: &str = "<!-- end -->";

fn table() -> String {
    let row =
        |row: &StateRow| format!("| `{}` | {} | `{}` |\n", row.word, row.meaning, row.of_everyone);
    let rows: String = STATES.iter().map(row).collect();
    format!("| word | an agent … | for all agents |\n|---|---|---|\n{rows}")
}

/// `UPDATE_DOCS=1` updates the table.
#[test]
fn the_table_of_states_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/conditions.md");
    let text = fs::read_to_string(path).expect("docs/conditions.md can be read");
    let (before, rest) = text.split_once(BEGIN).expect("the page has a table of states");
    let (_, after) = rest.split_once(END).expect("the table of states has an end");
    let wanted = format!("{before}{BEGIN}{}{END}{after}", table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &wanted).expect("docs/conditions.md can be written");
        return;
    }
    assert!(text == wanted, "run `UPDATE_DOCS=1 cargo test` to write docs/conditions.md again");
}
