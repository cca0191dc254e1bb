//! Which way of filling radial fields is usual on a device.
//!
//! Drawing them is, as in the paper, unless it takes much longer than computing them: some devices have few raster units for their size.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::conditions::CONDITIONS;
use super::measured::hash;
use super::quickest::median_ms;
use super::{ShowDesc, ShowError};
use crate::avatar::{builtin, cache};
use crate::collide::Technique;
use crate::engine::Device;
use crate::engine::output::write_whole;
use crate::gpu::shaders;
use crate::stage::Stage;

/// Times as long as computing fields that drawing them may take and yet be usual. Usually 1.5; with less it is a matter of noise on devices that
/// do either as well, with more frames get longer for nothing that is seen.
const MOST_TIMES: f32 = 1.5;

/// What filling the fields of one person takes on a device, milliseconds; medians.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    pub drawn_ms: f32,
    pub computed_ms: f32,
}

/// A device's calibration, and the file that remembers it; none where there is no place for one.
#[derive(Clone, Debug)]
pub struct Calibrated {
    pub calibration: Calibration,
    pub file: Option<PathBuf>,
}

impl Calibration {
    /// Fills the mannequin's fields in both ways.
    ///
    /// # Errors
    /// When there is no room for it or the device is lost.
    pub fn measure(device: &Arc<Device>) -> Result<Self, ShowError> {
        let mannequin = builtin::load_mannequin();
        let ms = |technique| {
            let desc: ShowDesc = CONDITIONS[0].show(&mannequin, &[], technique, 1);
            median_ms(device, &desc, &[Stage::CollideClear, Stage::CollideUpdate])
        };
        Ok(Self {
            drawn_ms: ms(Technique::Radial)?,
            computed_ms: ms(Technique::RadialCompute)?,
        })
    }

    /// The one remembered for a device, else measured now and remembered; none for software, whose times say nothing, and where nothing can be
    /// timed.
    ///
    /// # Errors
    /// As [`Calibration::measure`]. A file that cannot be read or written is no error: it is measured again the next time.
    pub fn of(device: &Arc<Device>) -> Result<Option<Calibrated>, ShowError> {
        if !device.info.is_gpu || device.timestamp_valid_bits() == 0 {
            return Ok(None);
        }
        let file = cache::folder().map(|folder| folder.join(FILE_NAME));
        Self::remembered_in(file, device).map(Some)
    }

    /// The same of any device, in a file of one's own.
    ///
    /// # Errors
    /// As [`Calibration::measure`].
    pub fn remembered_in(
        file: Option<PathBuf>,
        device: &Arc<Device>,
    ) -> Result<Calibrated, ShowError> {
        let name = name_of(device);
        let mut known = file.as_deref().map(read).unwrap_or_default();
        if let Some(&calibration) = known.get(&name) {
            return Ok(Calibrated { calibration, file });
        }
        let calibration = Self::measure(device)?;
        known.insert(name, calibration);
        let file = file.filter(|file| write(file, &known));
        Ok(Calibrated { calibration, file })
    }

    /// The usual one of [`Technique::RADIAL`].
    pub fn technique(self) -> Technique {
        if self.drawn_ms <= MOST_TIMES * self.computed_ms {
            Technique::Radial
        } else {
            Technique::RadialCompute
        }
    }
}

/// In the cache.
const FILE_NAME: &str = "calibration.json";

/// What a calibration holds for: a device, its driver, and the shaders that fill fields.
fn name_of(device: &Device) -> String {
    let shaders = [
        &shaders::RADIAL_RASTERISE_VERT,
        &shaders::RADIAL_RASTERISE_FRAG,
        &shaders::RADIAL_RASTERISE_COMP,
    ];
    let words: Vec<u32> = shaders.iter().flat_map(|shader| shader.words()).collect();
    let hash = hash(bytemuck::cast_slice(&words));
    format!(
        "{} ({}), shaders {hash}",
        device.info.name, device.info.driver
    )
}

type Known = BTreeMap<String, Calibration>;

/// What a file remembers: nothing if it is not there or is damaged.
fn read(file: &Path) -> Known {
    let bytes = std::fs::read(file).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Whether it could be written. What is no number is not remembered.
fn write(file: &Path, known: &Known) -> bool {
    let mut known = known.clone();
    known.retain(|_, times| times.drawn_ms.is_finite() && times.computed_ms.is_finite());
    let text = serde_json::to_vec_pretty(&known).expect("numbers by names");
    let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder.is_ok() && write_whole(file, &text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_usual_unless_it_takes_half_as_long_again() {
        let of = |drawn_ms| Calibration {
            drawn_ms,
            computed_ms: 0.02,
        };
        assert_eq!(of(0.01).technique(), Technique::Radial);
        assert_eq!(of(0.03).technique(), Technique::Radial);
        assert_eq!(of(0.031).technique(), Technique::RadialCompute);
        assert_eq!(of(f32::NAN).technique(), Technique::RadialCompute);
    }

    #[test]
    fn a_file_remembers_several_devices_and_a_damaged_one_none() {
        let name = format!("radial_fields_calibration_{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let file = folder.join("new").join(FILE_NAME);
        assert!(read(&file).is_empty());
        let calibration = Calibration {
            drawn_ms: 0.2,
            computed_ms: 0.02,
        };
        let known: Known = ["a", "b"].map(|name| (name.to_owned(), calibration)).into();
        assert!(write(&file, &known));
        assert_eq!(read(&file), known);
        std::fs::write(&file, "{").expect("it can be written");
        assert!(read(&file).is_empty());
        assert!(!write(&folder, &known), "a folder is no file");
        std::fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
