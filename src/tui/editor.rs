//! The user's text editor: reads the editor from the environment, and builds the command line that
//! opens a file at a position.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::files::read::file_location::FileLocation;

/// Editors that open their own window and need no terminal.
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

/// The program and arguments that start an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    program: String,
    /// Arguments before the file name.
    arguments: Vec<String>,
}

impl Editor {
    /// Reads the editor from `VISUAL`, or from `EDITOR` if `VISUAL` is not set. `variable` returns
    /// the value of an environment variable.
    ///
    /// # Errors
    /// Returns a message for the user if neither variable is set.
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

    /// Returns the file name of the program, without folders.
    pub fn name(&self) -> &str {
        let name = Path::new(&self.program).file_name().and_then(|name| name.to_str());
        name.unwrap_or(&self.program)
    }

    /// Returns true if the editor opens its own window. The caller then need not wait for the
    /// editor.
    pub fn is_windowed(&self) -> bool {
        WINDOWED.contains(&self.name())
    }

    /// Returns the command that opens a file at a position.
    ///
    /// The column is included only if it is not 1 and the editor supports columns.
    pub fn command(&self, FileLocation { path, line, column }: &FileLocation) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        let has_column = *column > 1;
        let position = |separator| {
            if has_column { format!("{line}{separator}{column}") } else { line.to_string() }
        };
        let path_with_position = || {
            let mut argument = path.as_os_str().to_owned();
            argument.push(format!(":{}", position(":")));
            argument
        };
        match self.name() {
            "code" | "codium" | "code-insiders" | "cursor" => {
                command.arg("-g").arg(path_with_position());
            }
            "hx" | "helix" | "subl" | "zed" => {
                command.arg(path_with_position());
            }
            "kate" | "idea" if has_column => {
                command.args(["--line", &line.to_string(), "--column", &column.to_string()]);
                command.arg(path);
            }
            "kate" | "mate" | "idea" => {
                command.arg("--line").arg(position(":")).arg(path);
            }
            "vim" | "nvim" | "gvim" if has_column => {
                command.arg(format!("+call cursor({line},{column})")).arg(path);
            }
            "nano" => {
                command.arg(format!("+{}", position(","))).arg(path);
            }
            "emacs" | "emacsclient" | "kak" | "micro" | "gedit" => {
                command.arg(format!("+{}", position(":"))).arg(path);
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

/// Starts a program in the background, without access to the terminal.
///
/// # Errors
/// Returns an error if the program can't be started.
pub fn detach(command: &mut Command) -> io::Result<()> {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn()?;
    // Wait for the child in a thread, or it becomes a zombie process.
    thread::spawn(move || child.wait());
    Ok(())
}

/// Returns true if the editor accepts a line number as `+N`, as vi does.
fn takes_plus(name: &str) -> bool {
    const PLUS: [&str; 12] =
        ["vi", "vim", "nvim", "gvim", "view", "pico", "joe", "jed", "mg", "ne", "mousepad", "xed"];
    PLUS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command_line(value: &str) -> Vec<String> {
        command_line_at(value, 1)
    }

    fn command_line_at(value: &str, column: usize) -> Vec<String> {
        let editor = Editor::of(|name| (name == "EDITOR").then(|| value.to_owned())).unwrap();
        let command = editor.command(&FileLocation { path: "a b.toml".into(), line: 7, column });
        let words = [command.get_program()].into_iter().chain(command.get_args());
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn line_number_uses_the_syntax_of_each_editor() {
        assert_eq!(command_line("vim"), ["vim", "+7", "a b.toml"]);
        assert_eq!(
            command_line(" /usr/bin/emacsclient  -t "),
            ["/usr/bin/emacsclient", "-t", "+7", "a b.toml"]
        );
        assert_eq!(command_line("hx"), ["hx", "a b.toml:7"]);
        assert_eq!(command_line("code --wait"), ["code", "--wait", "-g", "a b.toml:7"]);
        assert_eq!(command_line("my-own"), ["my-own", "a b.toml"]);
    }

    #[test]
    fn column_is_passed_only_if_the_editor_supports_it() {
        assert_eq!(command_line_at("vim", 3), ["vim", "+call cursor(7,3)", "a b.toml"]);
        assert_eq!(command_line_at("vi", 3), ["vi", "+7", "a b.toml"]);
        assert_eq!(command_line_at("nano", 3), ["nano", "+7,3", "a b.toml"]);
        assert_eq!(command_line_at("emacs", 3), ["emacs", "+7:3", "a b.toml"]);
        assert_eq!(command_line_at("code", 3), ["code", "-g", "a b.toml:7:3"]);
        assert_eq!(
            command_line_at("kate", 3),
            ["kate", "--line", "7", "--column", "3", "a b.toml"]
        );
        assert_eq!(command_line_at("mate", 3), ["mate", "--line", "7:3", "a b.toml"]);
    }

    #[test]
    fn the_variable_visual_precedes_editor_and_one_of_them_is_required() {
        let both = |name: &str| Some(if name == "VISUAL" { "code" } else { "vi" }.to_owned());
        let editor = Editor::of(both).unwrap();
        assert!(editor.is_windowed() && editor.name() == "code");
        let error = Editor::of(|_| Some(" ".to_owned())).unwrap_err();
        assert!(error.contains("VISUAL"), "{error}");
    }
}
