//! Poses of a character over time.

pub mod motion;
