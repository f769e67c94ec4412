//! The one integration test binary: laws, pictures, broken files, sessions, and house rules.

mod build;
mod laws_patterns;
mod laws_step;
mod laws_walls;
mod tidy;
