//! What of a world may change between frames.

use glam::Vec3;

use super::border::{Failure, RfResult, Versioned, fill, given, given_mut, guard, read};
use super::world::RfWorld;
use crate::cloth::{ClothSettings, GarmentSettings};

/// Settings of one garment.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfGarmentSettings {
    /// `sizeof(RfGarmentSettings)`.
    pub struct_size: u32,
    /// m/N for stretch, shear and bend: 0 is stiff.
    pub compliance: [f32; 3],
    /// 1/s; usually 0.2 to 2.
    pub damping: f32,
    /// How strongly air carries the cloth, 1/s; usually 0.5 to 5.
    pub drag: f32,
    /// Coefficient of friction with the skin; usually 0.3 to 0.6.
    pub friction: f32,
    /// Metres kept from the skin; usually 0.003 to 0.008.
    pub thickness: f32,
    /// Not 0: particles are kept within the length of the cloth from where it is attached.
    pub is_tethered: u32,
}

// SAFETY: as it says.
unsafe impl Versioned for RfGarmentSettings {
    const LEAST_BYTES: usize = size_of::<Self>();
}

/// Settings of the solver, for all garments of a world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfClothSettings {
    /// `sizeof(RfClothSettings)`.
    pub struct_size: u32,
    /// How many parts a step has, at most 8; usually 4.
    pub sub_steps: u32,
    /// How often the constraints are projected in a sub-step; usually 6.
    pub passes: u32,
    /// m/s².
    pub gravity: [f32; 3],
    /// m/s.
    pub wind: [f32; 3],
}

// SAFETY: as it says.
unsafe impl Versioned for RfClothSettings {
    const LEAST_BYTES: usize = size_of::<Self>();
}

/// The usual settings of a garment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_settings_default(out: *mut RfGarmentSettings) -> RfResult {
    let GarmentSettings {
        compliance,
        damping,
        drag,
        friction,
        thickness,
        tethered,
    } = GarmentSettings::default();
    let settings = RfGarmentSettings {
        struct_size: 0,
        compliance,
        damping,
        drag,
        friction,
        thickness,
        is_tethered: tethered,
    };
    // SAFETY: the caller's promise.
    guard(|| unsafe { fill(out, settings, "out") })
}

pub(super) fn settings_of(settings: RfGarmentSettings) -> GarmentSettings {
    GarmentSettings {
        compliance: settings.compliance,
        damping: settings.damping,
        drag: settings.drag,
        friction: settings.friction,
        thickness: settings.thickness,
        tethered: u32::from(settings.is_tethered != 0),
    }
}

/// Changes the settings of a garment from the next frame on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_set_garment_settings(
    world: *mut RfWorld,
    garment_index: u32,
    settings: *const RfGarmentSettings,
) -> RfResult {
    guard(|| {
        // SAFETY: the caller's promise.
        let (world, settings) =
            unsafe { (given_mut(world, "world")?, read(settings, "settings")?) };
        let garments = &mut world.world.settings_mut().garments;
        let count = garments.len();
        let garment = garments.get_mut(garment_index as usize).ok_or_else(|| {
            Failure::invalid(format!("there is no garment {garment_index} of {count}"))
        })?;
        *garment = settings_of(settings);
        Ok(())
    })
}

/// The settings of the solver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_cloth_settings(
    world: *const RfWorld,
    out: *mut RfClothSettings,
) -> RfResult {
    guard(|| {
        // SAFETY: the caller's promise.
        let cloth = unsafe { given(world, "world")? }.world.settings().cloth;
        let settings = RfClothSettings {
            struct_size: 0,
            sub_steps: cloth.sub_steps,
            passes: cloth.passes,
            gravity: cloth.gravity.to_array(),
            wind: cloth.wind.to_array(),
        };
        // SAFETY: as above.
        unsafe { fill(out, settings, "out") }
    })
}

/// Changes the settings of the solver from the next frame on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_set_cloth_settings(
    world: *mut RfWorld,
    settings: *const RfClothSettings,
) -> RfResult {
    guard(|| {
        // SAFETY: the caller's promise.
        let (world, settings) =
            unsafe { (given_mut(world, "world")?, read(settings, "settings")?) };
        world.world.settings_mut().cloth = ClothSettings {
            sub_steps: settings.sub_steps,
            passes: settings.passes,
            gravity: Vec3::from_array(settings.gravity),
            wind: Vec3::from_array(settings.wind),
        };
        Ok(())
    })
}
