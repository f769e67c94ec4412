//! How long a frame of the screen takes.
fn main() {}
