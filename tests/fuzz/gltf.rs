//! Any bytes as a character's file. Damage in a .glb would mostly be found out by the lengths in its headers, so half of it is
//! done with those set right.
#![no_main]
#![expect(
    clippy::unwrap_used,
    reason = "a panic is how a fuzzer learns of a fault"
)]

#[path = "../support/mod.rs"]
mod support;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use support::survival::survives;

fuzz_target!(|bytes: &[u8]| {
    survives(bytes);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let size = fuzzer_mutate(data, size, max_size);
    if seed.is_multiple_of(2) {
        mend_lengths(&mut data[..size]);
    }
    size
});

/// Offset of the first chunk's length in a .glb, and of its contents.
const FIRST_CHUNK: usize = 12;
const FIRST_CONTENTS: usize = 20;

/// Lets the headers agree with the file's length: the JSON goes as far as the binary chunk, that to the end is the binary chunk.
fn mend_lengths(file: &mut [u8]) {
    if !file.starts_with(b"glTF") || file.len() < FIRST_CONTENTS {
        return;
    }
    let whole = file.len();
    put_length(file, 8, whole);
    let is_start = |window: &[u8]| &window[4..] == b"BIN\0";
    let second = file.windows(8).skip(FIRST_CONTENTS).position(is_start);
    match second.map(|at| at + FIRST_CONTENTS) {
        Some(second) => {
            put_length(file, FIRST_CHUNK, second - FIRST_CONTENTS);
            put_length(file, second, whole - second - 8);
        }
        None => put_length(file, FIRST_CHUNK, whole - FIRST_CONTENTS),
    }
}

fn put_length(file: &mut [u8], at: usize, length: usize) {
    file[at..at + 4].copy_from_slice(&(length as u32).to_le_bytes());
}
