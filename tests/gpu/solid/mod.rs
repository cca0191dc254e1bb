//! Fields of solids on the GPU against `solid::fill` and `SolidField::sample`.

pub mod fill;
pub mod query;
#[path = "../../support/solids.rs"]
mod solids;
