//! Any bytes as the keys of a clip.
#![no_main]
#![expect(
    clippy::unwrap_used,
    reason = "a panic is how a fuzzer learns of a fault"
)]

#[path = "../support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;
use support::survival::{file_of_motion, survives};

fuzz_target!(|bytes: &[u8]| {
    survives(&file_of_motion(bytes));
});
