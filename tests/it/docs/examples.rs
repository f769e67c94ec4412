//! Runs every command shown in the help texts, the readme and the documents.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use clap::CommandFactory;
use tilewalk::cli::Args;

use crate::support::pty::Session;
use crate::support::tmx;

/// A place with examples, and its commands in order.
type Examples = (String, Vec<String>);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The commands in the shell blocks of the readme and of each document.
fn of_documents() -> Vec<Examples> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    let mut pages: Vec<PathBuf> = docs.filter(is_page).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    let commands = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
        let lines = blocks.flat_map(str::lines).map(|line| line.trim_start_matches("$ "));
        let is_ours = |line: &&str| line.starts_with("tilewalk");
        let commands = lines.filter(is_ours).map(ToOwned::to_owned).collect();
        (path.file_name().unwrap().to_string_lossy().into_owned(), commands)
    };
    pages.into_iter().map(commands).collect()
}

/// The examples at the end of the help of each command.
fn of_help() -> Vec<Examples> {
    let mut root = Args::command();
    root.build();
    let commands = |command: &clap::Command| {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
        let lines = lines.filter(|line| line.starts_with("tilewalk"));
        (format!("{} --help", command.get_name()), lines.map(ToOwned::to_owned).collect())
    };
    [commands(&root)].into_iter().chain(root.get_subcommands().map(commands)).collect()
}

/// A directory with the shipped maps and patterns, files of other programs, and `tilewalk` on the path.
fn desk() -> tempfile::TempDir {
    let desk = tempfile::tempdir().unwrap();
    for folder in ["maps", "patterns", "sweeps", "sweeps/doors"] {
        fs::create_dir(desk.path().join(folder)).unwrap();
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_file() {
                fs::copy(entry.path(), desk.path().join(folder).join(entry.file_name())).unwrap();
            }
        }
    }
    let data = "<data encoding=\"csv\">1,1</data>";
    let set = tmx::set("set", 2, &[(1, "collides", "true")]);
    let map = tmx::map(2, 1, &(set + &tmx::layer("Rocks", 2, 1, data)));
    let room = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n";
    let route = "version 1\n0\tarena.map\t3\t2\t0\t1\t2\t1\t4\n";
    for (name, text) in [
        ("island.tmx", map),
        ("microban.xsb", "###\n#@#\n###\n\n".repeat(12)),
        ("cave.txt", "###\n#.#\n##\n".to_owned()),
        ("arena.map", room.to_owned()),
        ("arena.map.scen", route.to_owned()),
    ] {
        fs::write(desk.path().join(name), text).unwrap();
    }
    let bin = desk.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tilewalk"), bin.join("tilewalk")).unwrap();
    // Not every system has GNU parallel.
    let parallel = bin.join("parallel");
    fs::write(&parallel, "#!/bin/sh\n[ \"$1\" = --quote ] && shift\nexec xargs -n 1 \"$@\"\n")
        .unwrap();
    fs::set_permissions(&parallel, fs::Permissions::from_mode(0o755)).unwrap();
    desk
}

/// Whether a command opens the screen.
fn is_interactive(line: &str) -> bool {
    if line.starts_with("tilewalk sweep open ") {
        return true;
    }
    let mut words = line.split(" #").next().unwrap_or_default().split_whitespace();
    match words.nth(1) {
        None => true,
        Some(first) => {
            matches!(first, "play" | "replay")
                || first.starts_with("maps/")
                || first.starts_with("--")
        }
    }
}

/// Makes the recordings that an example opens.
fn make_recordings(desk: &Path, line: &str) {
    let words: Vec<_> = line.split_whitespace().collect();
    let is_recording = |word: &str| Path::new(word).extension().is_some_and(|it| it == "twr");
    let opened = words.windows(2).filter(|pair| is_recording(pair[1]) && pair[0] != "--record");
    for name in opened.map(|pair| pair[1]).filter(|name| !desk.join(name).exists()) {
        let arguments = ["run", "maps/castle.toml", "--frames", "400", "--record", name];
        let binary = env!("CARGO_BIN_EXE_tilewalk");
        let made = Process::new(binary).args(arguments).current_dir(desk).output().unwrap();
        assert!(made.status.success(), "{name}");
    }
}

fn run(place: &str, desk: &Path, line: &str) {
    let path = format!("{}:{}", desk.join("bin").display(), std::env::var("PATH").unwrap());
    if is_interactive(line) {
        let script = format!("cd '{}' && PATH='{path}' && {line}", desk.display());
        let mut session = Session::start_program("sh", &["-c", &script], &[], (100, 30));
        session.wait_for("? help");
        session.keys("\u{3}");
        assert_eq!(session.wait_for_end(), 0, "{place}: {line}");
        return;
    }
    let output = Process::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .env("TILEWALK_CONFIG", "")
        .current_dir(desk)
        .output()
        .unwrap();
    let differs = line.starts_with("tilewalk diff ") && output.status.code() == Some(1);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || differs, "{place}: {line}: {:?}\n{said}", output.status);
}

#[test]
fn every_command_of_the_help_texts_runs() {
    let examples = of_help();
    let count: usize = examples.iter().map(|(_, lines)| lines.len()).sum();
    assert!(count >= 40, "{count} examples");
    for (place, lines) in examples {
        let desk = desk();
        for line in lines {
            make_recordings(desk.path(), &line);
            run(&place, desk.path(), &line);
        }
    }
}

#[test]
fn every_command_of_the_documents_runs() {
    let examples = of_documents();
    let count: usize = examples.iter().map(|(_, lines)| lines.len()).sum();
    assert!(count >= 40, "{count} examples");
    for (place, lines) in examples {
        let desk = desk();
        for line in lines {
            run(&place, desk.path(), &line);
        }
    }
}

/// Each row of the tables in docs/sources.md has a command that shows its listing.
#[test]
fn every_row_of_the_sources_has_a_command_that_runs() {
    let text = fs::read_to_string(root().join("docs/sources.md")).unwrap();
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| listing");
    let rows: Vec<&str> = text.lines().filter(is_row).collect();
    assert!(rows.len() >= 60, "{} rows", rows.len());
    let desk = desk();
    for row in rows {
        let code = row.split('`').skip(1).step_by(2);
        let commands: Vec<&str> = code.filter(|code| code.starts_with("tilewalk ")).collect();
        assert!(!commands.is_empty(), "no command: {row}");
        for line in commands {
            run("sources.md", desk.path(), line);
        }
    }
}
