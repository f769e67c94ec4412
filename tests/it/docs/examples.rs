//! Runs every command shown in the help texts, the readme and the documents.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Output};

use clap::CommandFactory;
use tilewalk::cli::Args;
use tilewalk::files::markdown::PAGES;

use crate::support::pty::Session;
use crate::support::tmx;

/// Name of a page or a help text, and its commands in order.
type Examples = (String, Vec<String>);

/// An example of a document.
enum Example {
    /// A file that the reader saves: a block of TOML or CSV that starts with a comment such as `# maps/farm.toml`.
    File { path: String, text: String },
    /// A command in a shell block.
    Command(String),
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the path in the comment at the start of a block, such as `# maps/museum.toml` or `# game.csv`.
fn named_file(block: &str) -> Option<&str> {
    let first = block.strip_prefix("# ")?;
    let path = first.split([':', ' ', '\n']).next()?;
    let ends = |ending: &str| Path::new(path).extension().is_some_and(|it| it == ending);
    let is_map = ends("toml") && (path.contains('/') || path.ends_with(".expect.toml"));
    (is_map || ends("csv")).then_some(path)
}

/// Returns the code blocks of a document with their languages, in order.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'))
}

/// Returns the examples in the blocks of a document, in order.
fn document_examples(text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    for (language, block) in blocks(text) {
        if matches!(language, "toml" | "csv") {
            examples.extend(
                named_file(block)
                    .map(|path| Example::File { path: path.to_owned(), text: block.to_owned() }),
            );
        } else if language == "sh" {
            let lines = block.lines().map(|line| line.trim_start_matches("$ "));
            let lines = lines.filter(|line| line.starts_with("tilewalk"));
            examples.extend(lines.map(|line| Example::Command(line.to_owned())));
        }
    }
    examples
}

/// Returns the name and text of the readme and of each document.
fn documents() -> Vec<(String, String)> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    let mut pages: Vec<PathBuf> = docs.filter(is_page).collect();
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    pages.sort();
    let page = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).unwrap())
    };
    pages.into_iter().map(page).collect()
}

/// Writes the files that a document shows. Returns their paths.
fn write_shown_files(text: &str, dir: &Path) -> Vec<String> {
    let write = |example| match example {
        Example::File { path, text } => {
            fs::write(dir.join(&path), text).unwrap();
            Some(path)
        }
        Example::Command(_) => None,
    };
    document_examples(text).into_iter().filter_map(write).collect()
}

/// Returns the examples at the end of the help of each command.
fn help_examples() -> Vec<Examples> {
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

/// Creates a directory with the shipped maps, patterns and sweeps, with files of other programs, and with the
/// programs `tilewalk`, `parallel` and `ffmpeg` in `bin`.
fn work_dir() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["maps", "patterns", "sweeps", "sweeps/doors"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_file() {
                fs::copy(entry.path(), dir.path().join(folder).join(entry.file_name())).unwrap();
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
        ("plan.txt", "0:(0,0),(2,0),\n1:(0,1),(1,0),\n2:(0,1),(0,0),\n".to_owned()),
    ] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    for name in ["level.toml", "game.expect.toml", "run.ndjson", "fixed.ndjson"] {
        fs::copy(root().join("examples/bevy_guard").join(name), dir.path().join(name)).unwrap();
    }
    fs::copy(dir.path().join("run.ndjson"), dir.path().join("game.ndjson")).unwrap();
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tilewalk"), bin.join("tilewalk")).unwrap();
    // Not every system has GNU parallel, so a script replaces it.
    let parallel = bin.join("parallel");
    fs::write(&parallel, "#!/bin/sh\n[ \"$1\" = --quote ] && shift\nexec xargs -n 1 \"$@\"\n")
        .unwrap();
    fs::set_permissions(&parallel, fs::Permissions::from_mode(0o755)).unwrap();
    // A script replaces the encoder, too.
    let encoder = bin.join("ffmpeg");
    fs::write(&encoder, "#!/bin/sh\nexec cat > /dev/null\n").unwrap();
    fs::set_permissions(&encoder, fs::Permissions::from_mode(0o755)).unwrap();
    dir
}

/// Returns true if a command opens the screen.
fn is_interactive(line: &str) -> bool {
    if line.starts_with("tilewalk sweep open ") || line.starts_with("tilewalk paste <") {
        return true;
    }
    let mut words = line.split(" #").next().unwrap_or_default().split_whitespace();
    match words.nth(1) {
        None => true,
        Some(first) => {
            matches!(first, "play" | "replay")
                || first.starts_with("maps/")
                || Path::new(first)
                    .extension()
                    .is_some_and(|ending| ending == "csv" || ending == "ndjson")
                || first.starts_with("--")
        }
    }
}

/// Creates the recordings that an example opens, also as text in a message.
fn make_recordings(dir: &Path, line: &str) {
    if line.contains("< message.txt") && !dir.join("message.txt").exists() {
        make_recordings(dir, "tilewalk share shared.twr");
        run("message.txt", dir, "tilewalk share shared.twr > message.txt");
    }
    let words: Vec<_> = line.split_whitespace().collect();
    let is_recording = |word: &str| Path::new(word).extension().is_some_and(|it| it == "twr");
    let opened = words
        .windows(2)
        .filter(|pair| is_recording(pair[1]) && !matches!(pair[0], "--record" | "--output"));
    for name in opened.map(|pair| pair[1]).filter(|name| !dir.join(name).exists()) {
        let arguments = ["run", "maps/castle.toml", "--frames", "400", "--record", name];
        let binary = env!("CARGO_BIN_EXE_tilewalk");
        let output = Process::new(binary).args(arguments).current_dir(dir).output().unwrap();
        assert!(output.status.success(), "{name}");
    }
}

/// Returns the paths of the programs in `bin` and of the system.
fn program_paths(dir: &Path) -> String {
    format!("{}:{}", dir.join("bin").display(), std::env::var("PATH").unwrap())
}

/// Runs a command in a shell.
fn shell(dir: &Path, line: &str) -> Output {
    let mut shell = Process::new("sh");
    shell.args(["-c", line]).env("PATH", program_paths(dir)).env("TILEWALK_CONFIG", "");
    shell.current_dir(dir).output().unwrap()
}

/// Runs a command, which must succeed. `tilewalk diff` may also find differences.
fn run(place: &str, dir: &Path, line: &str) {
    if is_interactive(line) {
        let path = program_paths(dir);
        let script = format!("cd '{}' && PATH='{path}' && {line}", dir.display());
        let mut session = Session::start_program("sh", &["-c", &script], &[], (100, 30));
        session.wait_for("? help");
        session.send("\u{3}");
        assert_eq!(session.wait_for_end(), 0, "{place}: {line}");
        return;
    }
    let output = shell(dir, line);
    let differs = line.starts_with("tilewalk diff ") && output.status.code() == Some(1);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() || differs, "{place}: {line}: {:?}\n{errors}", output.status);
}

#[test]
fn every_command_in_the_help_texts_succeeds() {
    let examples = help_examples();
    let count: usize = examples.iter().map(|(_, lines)| lines.len()).sum();
    assert!(count >= 40, "{count} examples");
    for (place, lines) in examples {
        let dir = work_dir();
        for line in lines {
            make_recordings(dir.path(), &line);
            run(&place, dir.path(), &line);
        }
    }
}

#[test]
fn every_command_in_the_documents_succeeds() {
    let mut count = 0;
    for (page, text) in documents() {
        let dir = work_dir();
        // A map can need files that the page shows later.
        write_shown_files(&text, dir.path());
        for example in document_examples(&text) {
            match example {
                Example::File { path, text } => fs::write(dir.path().join(path), text).unwrap(),
                Example::Command(line) => {
                    run(&page, dir.path(), &line);
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 40, "{count} examples");
}

/// The output of a command can be cut off in a document with `…`.
#[test]
fn json_lines_in_the_documents_are_the_output_of_the_command_before_them() {
    let mut count = 0;
    for (page, text) in documents() {
        let mut command = None;
        for (language, block) in blocks(&text) {
            let line = block.trim_end();
            if language == "sh" && line.starts_with("tilewalk ") && !line.contains('\n') {
                command = Some(line);
            } else if let Some(command) = command.take()
                && let Some(shown) = line.strip_suffix('…').filter(|it| it.starts_with("{\""))
            {
                let dir = work_dir();
                let output = String::from_utf8(shell(dir.path(), command).stdout).unwrap();
                assert!(output.starts_with(shown), "{page}: {command}:\n{output}");
                count += 1;
            }
        }
    }
    assert!(count >= 1, "{count} outputs");
}

#[test]
fn files_shown_in_the_documents_have_no_errors_or_warnings() {
    let mut count = 0;
    for (place, text) in documents() {
        let dir = work_dir();
        let mut paths = write_shown_files(&text, dir.path());
        // Runs of other programs and their expectations are not checked alone.
        paths.retain(|path| path.contains('/'));
        count += paths.len();
        if !paths.is_empty() {
            run(&place, dir.path(), &format!("tilewalk check --strict {}", paths.join(" ")));
        }
    }
    assert!(count >= 20, "{count} files");
}

#[test]
fn pages_about_files_start_with_a_complete_map() {
    let documents = documents();
    for (page, _) in PAGES {
        let (_, text) = documents.iter().find(|(name, _)| name == page).unwrap();
        let (_, first) = blocks(text).find(|(language, _)| *language == "toml").unwrap();
        let dir = work_dir();
        fs::write(dir.path().join("maps/first.toml"), first).unwrap();
        write_shown_files(text, dir.path());
        run(page, dir.path(), "tilewalk run maps/first.toml --frames 10");
    }
}

/// The page about the run of a game shows the output of its commands. `UPDATE_DOCS=1` writes it.
#[test]
fn outputs_in_the_page_about_a_game_are_real() {
    let path = root().join("docs/your-game.md");
    let (text, dir) = (fs::read_to_string(&path).unwrap(), work_dir());
    let mut shown = text.clone();
    let mut count = 0;
    for (_, block) in blocks(&text).filter(|(language, _)| *language == "text") {
        let Some(command) = block.strip_prefix("$ ").and_then(|block| block.lines().next()) else {
            continue;
        };
        let mut words = command.split(' ').skip(1);
        let output = Process::new(env!("CARGO_BIN_EXE_tilewalk"))
            .args(&mut words)
            .current_dir(dir.path())
            .output()
            .unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        shown = shown.replace(block, &format!("$ {command}\n{output}"));
        count += 1;
    }
    assert_eq!(count, 3, "commands with their output");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, shown).unwrap();
    } else {
        assert_eq!(text, shown, "run UPDATE_DOCS=1 cargo test --test it docs::examples");
    }
}

/// Each listing in docs/sources.md has a heading and a command that shows it. The test
/// `every_command_in_the_documents_succeeds` runs the commands.
#[test]
fn every_listing_in_docs_sources_has_a_command() {
    let text = fs::read_to_string(root().join("docs/sources.md")).unwrap();
    let is_part = |section: &&str| section.starts_with(|c: char| c.is_ascii_digit());
    let sections = text.split("\n## ").filter(is_part);
    let listings = sections.flat_map(|section| section.split("\n### ").skip(1));
    let listings: Vec<&str> = listings.filter(|it| !it.starts_with("Plot: ")).collect();
    assert!(listings.len() >= 60, "{} listings", listings.len());
    for listing in listings {
        let mut examples = document_examples(listing).into_iter();
        let has_command = examples.any(|example| matches!(example, Example::Command(_)));
        assert!(has_command, "no command: {}", listing.lines().next().unwrap_or_default());
    }
}
