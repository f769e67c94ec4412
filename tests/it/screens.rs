//! The screen without a terminal: drawing, keys, mouse, lists.

mod answers;
mod breaks;
mod changes;
mod comfort;
mod comparison;
mod event_log;
mod expectations;
mod far;
mod first_steps;
mod inspector;
mod keys;
mod lists;
mod overlays;
mod paint;
pub mod painting;
mod palette;
mod population;
mod reload;
pub mod scenes;
pub mod searching;
mod themes;
mod timeline;
mod tuning;
mod turning;
mod values;
mod whole;
mod zoom;
