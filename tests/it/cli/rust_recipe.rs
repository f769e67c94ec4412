//! The Rust recipe of docs/traces.md: a system of Bevy, compiled with stand-ins for the types of Bevy.

use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::ops::{Deref, DerefMut};

use assert_cmd::Command;
use tempfile::TempDir;

struct Local<'a, T>(&'a mut T);

impl<T> Deref for Local<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T> DerefMut for Local<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
    }
}

struct ResMut<'a, T> {
    resource: &'a mut T,
}

impl<T> Deref for ResMut<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.resource
    }
}

impl<T> DerefMut for ResMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.resource
    }
}

struct Query<T>(Vec<T>);

impl<'a, T: Copy> IntoIterator for &'a Query<T> {
    type Item = T;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

struct Name(&'static str);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

struct Translation {
    x: f32,
    y: f32,
}

struct Transform {
    translation: Translation,
}

#[derive(Debug)]
enum State {
    Patrol,
}

struct TraceFile(File);

#[expect(clippy::needless_pass_by_value, reason = "systems take their parameters by value")]
#[rustfmt::skip]
mod recipe {
    use super::*;

    // The text of the recipe, which the test compares with the page.
    pub fn trace(mut frame: Local<u64>, mut out: ResMut<TraceFile>, agents: Query<(&Name, &Transform, &State)>) {
        if *frame == 0 {
            writeln!(out.0, "frame,agent,x,y,mode").expect("a file that can be written");
        }
        for (name, transform, state) in &agents {
            let at = &transform.translation;
            writeln!(out.0, "{},{name},{},{},{state:?}", *frame, at.x, at.y).expect("a file that can be written");
        }
        *frame += 1;
    }
}

#[test]
fn the_rust_recipe_of_the_docs_writes_a_run() {
    let docs = fs::read_to_string("docs/traces.md").unwrap();
    let block = docs.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    let indented = format!("    {}\n", block.trim_end().replace('\n', "\n    "));
    let source = include_str!("rust_recipe.rs");
    assert!(source.contains(&indented.replacen("fn", "pub fn", 1)), "the recipe differs:\n{block}");

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("run.csv");
    let mut out = TraceFile(File::create(&path).unwrap());
    let mut frame = 0;
    for step in 0..3_u8 {
        let transform = Transform { translation: Translation { x: 1.5 + f32::from(step), y: 2.5 } };
        let agents = Query(vec![(&Name("guard"), &transform, &State::Patrol)]);
        recipe::trace(Local(&mut frame), ResMut { resource: &mut out }, agents);
    }
    drop(out);
    let mut tilewalk = Command::cargo_bin("tilewalk").unwrap();
    let condition = "guard.x == 3.5 and guard.mode == \"Patrol\"";
    tilewalk.arg("run").arg(&path).args(["--until", condition]).assert().success();
}
