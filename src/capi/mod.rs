//! The library for other languages: opaque handles, plain structs, result codes.
//!
//! `radial_fields.h` beside this file is made from it by `tools/header`, and CI says when it is out of date. Nothing panics
//! across the border: a fault of the library's own comes back as [`RfResult::Panic`].
//!
//! Structs begin with `struct_size`, which the caller sets to the size its header gives them. A library that knows more
//! fields takes those that are not there for zero, one that knows fewer refuses what it does not know unless it is zero. In
//! arrays of such structs it is also the way from one to the next. Matrices are column after column, as in GLSL.
//!
//! Functions may be called from any thread, but only one at a time may use a handle. Handles may be destroyed in any order:
//! a world keeps copies of what it was given.
#![expect(
    clippy::missing_safety_doc,
    reason = "what holds for every function stands here and in the header: pointers are null or valid for what they are named"
)]

mod border;
mod character;
mod contents;
mod edit;
mod fields;
mod frame;
mod garment;
mod host;
mod matrices;
mod settings;
mod solid;
mod times;
mod world;

pub use border::{RfResult, rf_last_error};
pub use character::*;
pub use contents::*;
pub use edit::*;
pub use fields::*;
pub use frame::*;
pub use garment::*;
pub use host::*;
pub use settings::*;
pub use solid::*;
pub use times::*;
pub use world::*;
