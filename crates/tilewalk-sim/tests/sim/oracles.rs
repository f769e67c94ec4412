//! Results compared with independent implementations and with known bugs of other programs.

mod avoid_crowd;
mod expectations;
mod groups;
mod known_bugs;
mod neighbours;
mod paths;
mod statistics;
mod steering;
mod thrust;
mod turning;
mod untargeted;
mod walls;
mod wide_feelers;
mod wide_obstacles;
