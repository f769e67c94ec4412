//! Pictures and films: formats, geometry, colours, the command `render`.

#[cfg(feature = "tui")]
mod colours;
mod command;
mod formats;
mod geometry;
mod plots;

/// Returns the file of a job.
fn bytes(job: &tilewalk::render::run::Job) -> Vec<u8> {
    let mut bytes = Vec::new();
    job.write(&mut bytes, None).expect("a file");
    bytes
}
