//! Results compared with independent implementations and with known bugs of other programs.

mod alone;
mod crowd;
mod expectations;
mod groups;
mod others_bugs;
mod paths;
mod statistics;
mod steering;
mod thrust;
mod turning;
mod walls;
mod wide;
mod wide_walls;
