//! The one integration test binary: laws, pictures, broken files, sessions, and house rules.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod abreast;
mod broken;
mod build;
mod castle;
mod certain;
mod command_line;
mod conditions;
mod diff;
mod doctor;
mod edits;
mod explaining;
mod golden;
mod importing;
mod laws_adopt;
mod laws_alone;
mod laws_breaks;
mod laws_crowd;
mod laws_diff;
mod laws_edits;
mod laws_history;
mod laws_keys;
mod laws_overlap;
mod laws_paths;
mod laws_patterns;
mod laws_places;
mod laws_progress;
mod laws_rules;
mod laws_several;
mod laws_steering;
mod laws_step;
mod laws_targets;
mod laws_thrust;
mod laws_tiles;
mod laws_turning;
mod laws_walls;
mod loading;
mod loading_turning;
mod matrix;
mod mended;
mod oracle;
mod oracle_alone;
mod oracle_crowd;
mod oracle_paths;
mod oracle_thrust;
mod oracle_turning;
mod others_bugs;
mod parting;
mod pictures;
mod pictures_crowd;
mod pictures_keys;
mod pictures_paths;
mod pictures_targets;
mod pictures_thrust;
mod pictures_tiles;
mod pictures_turning;
mod quarantine;
mod recordings;
mod relevance;
mod samples;
mod samples_travel;
mod schema;
mod shipped;
mod shipped_crowd;
mod shipped_keys;
mod shipped_paths;
mod shipped_thrust;
mod shipped_tiles;
mod shipped_turning;
mod stills;
mod switching;
mod tidy;
mod wording;

#[cfg(feature = "tiled")]
mod hostile;
#[cfg(feature = "tiled")]
mod importing_tmx;
#[cfg(feature = "tiled")]
mod tmx;

#[cfg(feature = "tui")]
mod answers;
#[cfg(feature = "tui")]
mod breaks;
#[cfg(feature = "tui")]
mod comfort;
#[cfg(feature = "tui")]
mod configuration;
#[cfg(feature = "tui")]
mod desk;
#[cfg(feature = "tui")]
mod event_log;
#[cfg(all(feature = "tui", feature = "tiled"))]
mod examples;
#[cfg(feature = "tui")]
mod first_steps;
#[cfg(feature = "tui")]
mod inspector;
#[cfg(feature = "tui")]
mod laws_past;
#[cfg(feature = "tui")]
mod laws_screen;
#[cfg(feature = "tui")]
mod laws_scripts;
#[cfg(feature = "tui")]
mod laws_view;
#[cfg(feature = "tui")]
mod laws_visits;
#[cfg(feature = "tui")]
mod laws_wire;
#[cfg(feature = "tui")]
mod lists;
#[cfg(feature = "tui")]
mod manual;
#[cfg(feature = "tui")]
mod old_files;
#[cfg(feature = "tui")]
mod overlays;
#[cfg(feature = "tui")]
mod painting;
#[cfg(feature = "tui")]
mod palette;
#[cfg(feature = "tui")]
mod pty;
#[cfg(feature = "tui")]
mod reload;
#[cfg(feature = "tui")]
mod rivals;
#[cfg(feature = "tui")]
mod screens;
#[cfg(feature = "tui")]
mod screens_keys;
#[cfg(feature = "tui")]
mod screens_looks;
#[cfg(feature = "tui")]
mod screens_paint;
#[cfg(feature = "tui")]
mod screens_sizes;
#[cfg(feature = "tui")]
mod screens_timeline;
#[cfg(feature = "tui")]
mod screens_turning;
#[cfg(feature = "tui")]
mod screens_zoom;
#[cfg(feature = "tui")]
mod searching;
#[cfg(feature = "tui")]
mod sessions;
#[cfg(feature = "tui")]
mod sessions_answers;
#[cfg(feature = "tui")]
mod sessions_breaks;
#[cfg(feature = "tui")]
mod sessions_exits;
#[cfg(feature = "tui")]
mod sessions_figures;
#[cfg(feature = "tui")]
mod sessions_files;
#[cfg(feature = "tui")]
mod sessions_heard;
#[cfg(feature = "tui")]
mod sessions_history;
#[cfg(feature = "tui")]
mod sessions_inspector;
#[cfg(feature = "tui")]
mod sessions_keys;
#[cfg(feature = "tui")]
mod sessions_looks;
#[cfg(feature = "tui")]
mod sessions_map;
#[cfg(feature = "tui")]
mod sessions_mouse;
#[cfg(feature = "tui")]
mod sessions_paint;
#[cfg(feature = "tui")]
mod sessions_palette;
#[cfg(feature = "tui")]
mod sessions_places;
#[cfg(feature = "tui")]
mod sessions_reload;
#[cfg(feature = "tui")]
mod sessions_shell;
#[cfg(feature = "tui")]
mod sessions_tasks;
#[cfg(feature = "tui")]
mod sessions_time;
#[cfg(feature = "tui")]
mod sessions_timeline;
#[cfg(feature = "tui")]
mod stage;
#[cfg(feature = "tui")]
mod themes;
#[cfg(feature = "tui")]
mod tuning;
#[cfg(feature = "tui")]
mod values;
#[cfg(feature = "tui")]
mod watching;
