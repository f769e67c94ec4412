//! Refuses `.tmx` and `.tsx` files. Replaces the reader in builds without the feature `tiled`.

use super::{Drawing, Rules};
use crate::disk::store::Store;
use crate::text::diagnostic::{Diagnostic, Issues};
use crate::text::report::Report;
use crate::tiles::legend::Legend;

pub fn read(
    issues: &Issues,
    _rules: &Rules,
    _legend: &mut Legend,
    _store: &Store,
) -> (Option<Drawing>, Report) {
    (refuse(issues), Report::default())
}

pub fn check_set(issues: &Issues) -> Option<()> {
    refuse(issues)
}

fn refuse<T>(issues: &Issues) -> Option<T> {
    let message = "this build can't read Tiled maps: it was built without the feature `tiled`";
    issues.push(Diagnostic::error(0..0, message).help("build tilewalk with the default features"));
    None
}
