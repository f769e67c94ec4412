//! The one integration test binary.

mod broken;
mod loading;
