//! The person's editor: which it is, and how it is told a line.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

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
        Err("no editor is known: set VISUAL or EDITOR".to_owned())
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

    /// How it is started on a file, at a line.
    pub fn command(&self, path: &Path, line: usize) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        let with_line = || {
            let mut word = path.as_os_str().to_owned();
            word.push(format!(":{line}"));
            word
        };
        match self.name() {
            "code" | "codium" | "code-insiders" | "cursor" => {
                command.arg("-g").arg(with_line());
            }
            "hx" | "helix" | "subl" | "zed" => {
                command.arg(with_line());
            }
            "kate" | "mate" | "idea" => {
                command.arg("--line").arg(line.to_string()).arg(path);
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
    const PLUS: [&str; 18] = [
        "vi",
        "vim",
        "nvim",
        "gvim",
        "view",
        "nano",
        "pico",
        "emacs",
        "emacsclient",
        "kak",
        "micro",
        "joe",
        "jed",
        "mg",
        "ne",
        "gedit",
        "mousepad",
        "xed",
    ];
    PLUS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(value: &str) -> Vec<String> {
        let editor = Editor::of(|name| (name == "EDITOR").then(|| value.to_owned())).unwrap();
        let command = editor.command(Path::new("a b.toml"), 7);
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
    fn visual_comes_first_and_none_is_an_error() {
        let both = |name: &str| Some(if name == "VISUAL" { "code" } else { "vi" }.to_owned());
        let editor = Editor::of(both).unwrap();
        assert!(editor.is_windowed() && editor.name() == "code");
        let error = Editor::of(|_| Some(" ".to_owned())).unwrap_err();
        assert!(error.contains("VISUAL"), "{error}");
    }
}
