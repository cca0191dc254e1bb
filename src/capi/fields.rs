//! Radial fields that are fitted ahead of time.

use std::sync::Arc;

use super::border::{Failure, RfResult, given, given_mut, guard, hand_over, list, take_back};
use super::character::RfAvatar;
use crate::collide::radial::field::FieldSet;
use crate::collide::radial::fit::{FitSettings, fit};
use crate::math::Fnv;

/// The radial fields of a character, as rf_world_add_fitted_body takes them.
pub struct RfFields {
    pub(super) set: Arc<FieldSet>,
    /// As they are kept in a file.
    bytes: Vec<u8>,
}

/// What a file of fields begins with.
const MAGIC: [u8; 4] = *b"RFFS";
/// Raised by whoever changes [`FieldSet`] or what it means: files of other versions are refused.
const VERSION: u32 = 1;
/// Magic, version and hash of what comes behind them.
const HEADER_BYTES: usize = 16;

impl RfFields {
    fn new(set: FieldSet) -> Result<Self, Failure> {
        let payload = postcard::to_allocvec(&set)
            .map_err(|error| Failure::invalid(format!("these fields cannot be kept: {error}")))?;
        Ok(Self {
            set: Arc::new(set),
            bytes: [header_of(&payload).as_slice(), &payload].concat(),
        })
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Failure> {
        let broken = |what: &str| {
            let message = format!("{what}: fit them again with rf_fields_fit");
            Failure::new(RfResult::UnusableFile, message)
        };
        let (header, payload) = bytes
            .split_at_checked(HEADER_BYTES)
            .filter(|(header, _)| header.starts_with(&MAGIC))
            .ok_or_else(|| broken("these bytes are no fields"))?;
        let expected = header_of(payload);
        if header[4..8] != expected[4..8] {
            return Err(broken("these fields are of another version of the library"));
        }
        let set = (header == expected)
            .then(|| postcard::from_bytes(payload).ok())
            .flatten();
        Ok(Self {
            set: Arc::new(set.ok_or_else(|| broken("these fields are damaged"))?),
            bytes: bytes.to_vec(),
        })
    }
}

fn header_of(payload: &[u8]) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..4].copy_from_slice(&MAGIC);
    header[4..8].copy_from_slice(&VERSION.to_le_bytes());
    header[8..].copy_from_slice(&Fnv::default().and(payload).value().to_le_bytes());
    header
}

/// Fits the fields of a character, with the usual settings: seconds, on all cores. Worlds do it for themselves; a game may do it while it is
/// built, keep rf_fields_bytes in a file and make them from it where it runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_fields_fit(
    avatar: *const RfAvatar,
    out: *mut *mut RfFields,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfAvatar(avatar) = unsafe {
            given(out, "out")?;
            given(avatar, "avatar")?
        };
        let settings = FitSettings::default();
        settings
            .check(avatar)
            .map_err(|error| Failure::invalid(error.to_string()))?;
        let fields = RfFields::new(fit(avatar, &settings))?;
        // SAFETY: as above.
        unsafe { hand_over(out, fields, "out") }
    })
}

/// Fields out of the bytes that rf_fields_bytes gave, which are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_fields_from_bytes(
    bytes: *const u8,
    byte_count: usize,
    out: *mut *mut RfFields,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let fields = RfFields::from_bytes(unsafe { list(bytes, byte_count, "bytes")? })?;
        // SAFETY: as above.
        unsafe { hand_over(out, fields, "out") }
    })
}

/// The fields as bytes for a file, which stay where they are until rf_fields_destroy: some hundred kilobytes for a person.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_fields_bytes(
    fields: *const RfFields,
    out_bytes: *mut *const u8,
    out_count: *mut usize,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (fields, out_bytes, out_count) = unsafe {
            (
                given(fields, "fields")?,
                given_mut(out_bytes, "out_bytes")?,
                given_mut(out_count, "out_count")?,
            )
        };
        *out_bytes = fields.bytes.as_ptr();
        *out_count = fields.bytes.len();
        Ok(())
    })
}

/// Gives fields back; NULL is none. Worlds keep what they were given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_fields_destroy(fields: *mut RfFields) {
    // SAFETY: guaranteed by the caller.
    unsafe { take_back(fields) }
}

#[cfg(all(test, feature = "authoring"))]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;

    #[test]
    fn fields_come_out_of_their_bytes_as_they_were() {
        let fitted = fit(&load_mannequin(), &FitSettings::default());
        let whole = |fields: Result<RfFields, Failure>| fields.ok().expect("they are whole");
        let kept = whole(RfFields::new(fitted.clone()));
        assert_eq!(*whole(RfFields::from_bytes(&kept.bytes)).set, fitted);
    }
}
