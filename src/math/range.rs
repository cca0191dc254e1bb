//! Settings that may not be just any number.

use std::ops::RangeInclusive;

/// A setting that no step can be made with.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {value}: give {least} to {most}")]
pub struct OutOfRange {
    /// Whose field it is, and which.
    pub name: &'static str,
    pub value: f32,
    pub least: f32,
    pub most: f32,
}

/// Checks one; what is no number is in no range.
pub(crate) fn within(
    name: &'static str,
    value: f32,
    range: RangeInclusive<f32>,
) -> Result<(), OutOfRange> {
    let (least, most) = range.into_inner();
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(OutOfRange {
            name,
            value,
            least,
            most,
        }),
    }
}
