//! Generators and checks of the integration tests.

#[path = "../../tests/it/support/host.rs"]
pub mod host;
#[path = "../../tests/it/support/sample_maps.rs"]
pub mod sample_maps;
#[path = "../../tests/it/support/screen.rs"]
pub mod screen;
#[path = "../../tests/it/support/script.rs"]
pub mod script;

pub use tilewalk_test_support::{build, invariants, maps};
