//! The person's editor: which it is, and how it is told a place in a file.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::files::spot::Spotted;

/// Editors with a window of their own, which need no terminal.
const WINDOWED: [&str; 14] = [
    "code",
    "codium",
    "code-insiders",
    "cursor",
    "subl",
    "zed",
    "gvim",
    "gedit",
    "gnome-text-editor",
    "kate",
    "mate",
    "mousepad",
    "xed",
    "idea",
];

/// An editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    /// The program.
    program: String,
    /// What comes before the file.
    arguments: Vec<String>,
}

impl Editor {
    /// What `VISUAL` names, else `EDITOR`; `variable` looks into the environment.
    ///
    /// # Errors
    /// That there is none, in words.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        for name in ["VISUAL", "EDITOR"] {
            let value = variable(name).unwrap_or_default();
            let mut words = value.split_whitespace().map(ToOwned::to_owned);
            if let Some(program) = words.next() {
                return Ok(Self { program, arguments: words.collect() });
            }
        }
        Err("no editor configured: set VISUAL or EDITOR".to_owned())
    }

    /// The name of its program, without folders.
    pub fn name(&self) -> &str {
        let name = Path::new(&self.program).file_name().and_then(|name| name.to_str());
        name.unwrap_or(&self.program)
    }

    /// Has it a window of its own, so that nobody waits for it?
    pub fn is_windowed(&self) -> bool {
        WINDOWED.contains(&self.name())
    }

    /// How it is started on a place in a file; the column is told where it is not the first one.
    pub fn command(&self, Spotted { path, line, column }: &Spotted) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        let inside = *column > 1;
        let place =
            |between| if inside { format!("{line}{between}{column}") } else { line.to_string() };
        let with_place = || {
            let mut word = path.as_os_str().to_owned();
            word.push(format!(":{}", place(":")));
            word
        };
        match self.name() {
            "code" | "codium" | "code-insiders" | "cursor" => {
                command.arg("-g").arg(with_place());
            }
            "hx" | "helix" | "subl" | "zed" => {
                command.arg(with_place());
            }
            "kate" | "idea" if inside => {
                command.args(["--line", &line.to_string(), "--column", &column.to_string()]);
                command.arg(path);
            }
            "kate" | "mate" | "idea" => {
                command.arg("--line").arg(place(":")).arg(path);
            }
            "vim" | "nvim" | "gvim" if inside => {
                command.arg(format!("+call cursor({line},{column})")).arg(path);
            }
            "nano" => {
                command.arg(format!("+{}", place(","))).arg(path);
            }
            "emacs" | "emacsclient" | "kak" | "micro" | "gedit" => {
                command.arg(format!("+{}", place(":"))).arg(path);
            }
            name if takes_plus(name) => {
                command.arg(format!("+{line}")).arg(path);
            }
            _ => {
                command.arg(path);
            }
        }
        command
    }
}

/// Starts a program that nobody waits for and that has nothing of the terminal.
///
/// # Errors
/// When it can't be started.
pub fn detach(command: &mut Command) -> io::Result<()> {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn()?;
    // Somebody has to hear of its end, or the system keeps it.
    thread::spawn(move || child.wait());
    Ok(())
}

/// Does it take the line as `+N`, as vi does?
fn takes_plus(name: &str) -> bool {
    const PLUS: [&str; 12] =
        ["vi", "vim", "nvim", "gvim", "view", "pico", "joe", "jed", "mg", "ne", "mousepad", "xed"];
    PLUS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(value: &str) -> Vec<String> {
        started_at(value, 1)
    }

    fn started_at(value: &str, column: usize) -> Vec<String> {
        let editor = Editor::of(|name| (name == "EDITOR").then(|| value.to_owned())).unwrap();
        let command = editor.command(&Spotted { path: "a b.toml".into(), line: 7, column });
        let words = [command.get_program()].into_iter().chain(command.get_args());
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn each_editor_is_told_the_line_in_its_way() {
        assert_eq!(started("vim"), ["vim", "+7", "a b.toml"]);
        assert_eq!(
            started(" /usr/bin/emacsclient  -t "),
            ["/usr/bin/emacsclient", "-t", "+7", "a b.toml"]
        );
        assert_eq!(started("hx"), ["hx", "a b.toml:7"]);
        assert_eq!(started("code --wait"), ["code", "--wait", "-g", "a b.toml:7"]);
        assert_eq!(started("my-own"), ["my-own", "a b.toml"]);
    }

    #[test]
    fn a_column_is_told_to_those_who_take_one() {
        assert_eq!(started_at("vim", 3), ["vim", "+call cursor(7,3)", "a b.toml"]);
        assert_eq!(started_at("vi", 3), ["vi", "+7", "a b.toml"]);
        assert_eq!(started_at("nano", 3), ["nano", "+7,3", "a b.toml"]);
        assert_eq!(started_at("emacs", 3), ["emacs", "+7:3", "a b.toml"]);
        assert_eq!(started_at("code", 3), ["code", "-g", "a b.toml:7:3"]);
        assert_eq!(started_at("kate", 3), ["kate", "--line", "7", "--column", "3", "a b.toml"]);
        assert_eq!(started_at("mate", 3), ["mate", "--line", "7:3", "a b.toml"]);
    }

    #[test]
    fn visual_comes_first_and_none_is_an_error() {
        let both = |name: &str| Some(if name == "VISUAL" { "code" } else { "vi" }.to_owned());
        let editor = Editor::of(both).unwrap();
        assert!(editor.is_windowed() && editor.name() == "code");
        let error = Editor::of(|_| Some(" ".to_owned())).unwrap_err();
        assert!(error.contains("VISUAL"), "{error}");
    }
}
