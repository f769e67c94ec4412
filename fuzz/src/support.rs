//! Generators and checks of the integration tests.

#[path = "../../tests/it/support/build.rs"]
pub mod build;
#[path = "../../tests/it/support/maps.rs"]
pub mod maps;
#[path = "../../tests/it/support/screen.rs"]
pub mod screen;
#[path = "../../tests/it/support/script.rs"]
pub mod script;
#[path = "../../tests/it/support/sound.rs"]
pub mod sound;
#[path = "../../tests/it/support/stage.rs"]
pub mod stage;
