//! The manual page and the completions of shells: made from what there is, and up to date.

use std::process::Command;

use tilewalk::tui::action::TABLE;

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewalk")).args(arguments).output();
    let output = output.expect("the binary starts");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_manual_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tilewalk.1");
    let page = printed(&["man"]);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).expect("docs/tilewalk.1 can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page, "run `UPDATE_DOCS=1 cargo test` to write it again");
}

#[test]
fn the_manual_page_tells_every_action_command_and_option() {
    let page = printed(&["man"]).replace("\\-", "-").replace("\\*(Aq", "'");
    for entry in TABLE {
        let about = entry.about.replace('\'', "\\[aq]");
        assert!(page.contains(entry.about) || page.contains(&about), "{}", entry.name);
    }
    for command in ["play", "check", "run", "explain", "diff", "replay", "doctor", "man"] {
        assert!(page.contains(&format!("\"tilewalk {command}")), "{command}");
    }
    for option in ["--frames", "--until", "--record", "--theme", "--strict"] {
        assert!(page.contains(option), "{option}");
    }
    assert!(!page.contains('\u{1b}'));
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        for word in ["explain", "completions", "record"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
