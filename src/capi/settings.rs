//! The settings of a world that may change between frames.

use glam::Vec3;

use super::border::{Failure, RfResult, Versioned, fill, given, given_mut, guard, read};
use super::world::RfWorld;
use crate::cloth::{ClothSettings, GarmentSettings, Ground, Sleep};

/// Settings of one garment.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfGarmentSettings {
    /// `sizeof(RfGarmentSettings)`.
    pub struct_size: u32,
    /// Of the cloth: m/N along warp and weft and in shear, 1/(N m) in bending: 0 is stiff.
    pub compliance: [f32; 4],
    /// kg/m²; usually 0.07 to 0.4.
    pub density: f32,
    /// Part of its length beyond which an edge does not stretch; usually 0.01.
    pub strain_limit: f32,
    /// 1/s; usually 0.2 to 2.
    pub damping: f32,
    /// How strongly air drags the cloth, 1/s; usually 0.5 to 5.
    pub drag: f32,
    /// Coefficient of friction with the skin; usually 0.3 to 0.6.
    pub friction: f32,
    /// Metres kept from the skin; usually 0.003 to 0.008.
    pub thickness: f32,
    /// Not 0: particles are kept within the length of the cloth from where it is attached.
    pub is_tethered: u32,
    /// What the maximum distances of motion constraints are multiplied by: 1 as made, 0 switches motion constraints off.
    pub motion_scale: f32,
}

// SAFETY: as it says.
unsafe impl Versioned for RfGarmentSettings {
    const MIN_BYTES: usize = size_of::<Self>();
}

/// Settings of the solver, for all garments of a world.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfClothSettings {
    /// `sizeof(RfClothSettings)`.
    pub struct_size: u32,
    /// How many sub-steps a step has, at most 16; usually 8; 16 hold clothes better.
    pub sub_steps: u32,
    /// How often the patches of a garment are solved in a sub-step; usually 1.
    pub iterations: u32,
    /// Sweeps over a patch's constraints in an iteration; usually 4.
    pub sweeps: u32,
    /// m/s².
    pub gravity: [f32; 3],
    /// m/s.
    pub wind: [f32; 3],
    /// Not 0: cloth comes to rest on a plane.
    pub has_ground: u32,
    /// Unit, world space: up.
    pub ground_normal: [f32; 3],
    /// Metres along the normal from the world's origin.
    pub ground_height: f32,
    /// Sub-steps from one collision with bodies and solids to the next, at most 16; usually 2. 0: as it is.
    pub collision_stride: u32,
    /// Seconds at rest after which a garment is no longer simulated until something stirs it; usually 0.5. Negative: never. 0: as it is,
    /// whatever the next two say.
    pub sleep_seconds: f32,
    /// m/s against the skin up to which a particle is at rest; usually 0.05.
    pub sleep_speed: f32,
    /// Metres that limbs and solids near sleeping cloth may move before they wake it; usually 0.01.
    pub sleep_motion: f32,
    /// Part of its length beyond which edges are shortened when a step ends; usually 0.04. Negative: they are not. 0: as it is.
    pub end_strain_limit: f32,
}

// SAFETY: as it says.
unsafe impl Versioned for RfClothSettings {
    const MIN_BYTES: usize = std::mem::offset_of!(Self, collision_stride);
}

/// The usual settings of a garment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_garment_settings_default(out: *mut RfGarmentSettings) -> RfResult {
    let settings = said(&GarmentSettings::default());
    // SAFETY: guaranteed by the caller.
    guard(|| unsafe { fill(out, settings, "out") })
}

/// The settings of a garment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_garment_settings(
    world: *const RfWorld,
    garment_index: u32,
    out: *mut RfGarmentSettings,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let garments = unsafe { &given(world, "world")?.world.settings().garments };
        let settings = garments
            .get(garment_index as usize)
            .ok_or_else(|| no_garment(garment_index, garments.len()))?;
        // SAFETY: as above.
        unsafe { fill(out, said(settings), "out") }
    })
}

fn no_garment(garment_index: u32, count: usize) -> Failure {
    Failure::invalid(format!("there is no garment {garment_index} of {count}"))
}

/// Settings as C has them.
fn said(settings: &GarmentSettings) -> RfGarmentSettings {
    let &GarmentSettings {
        compliance,
        density,
        strain_limit,
        damping,
        drag,
        friction,
        thickness,
        tethered,
        motion_scale,
    } = settings;
    RfGarmentSettings {
        struct_size: 0,
        compliance,
        density,
        strain_limit,
        damping,
        drag,
        friction,
        thickness,
        is_tethered: tethered,
        motion_scale,
    }
}

pub(super) fn settings_of(settings: RfGarmentSettings) -> Result<GarmentSettings, Failure> {
    let settings = GarmentSettings {
        compliance: settings.compliance,
        density: settings.density,
        strain_limit: settings.strain_limit,
        damping: settings.damping,
        drag: settings.drag,
        friction: settings.friction,
        thickness: settings.thickness,
        tethered: u32::from(settings.is_tethered != 0),
        motion_scale: settings.motion_scale,
    };
    settings.check()?;
    Ok(settings)
}

/// Changes the settings of a garment from the next frame on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_set_garment_settings(
    world: *mut RfWorld,
    garment_index: u32,
    settings: *const RfGarmentSettings,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, settings) =
            unsafe { (given_mut(world, "world")?, read(settings, "settings")?) };
        let garments = &mut world.world.settings_mut().garments;
        let count = garments.len();
        let garment = garments
            .get_mut(garment_index as usize)
            .ok_or_else(|| no_garment(garment_index, count))?;
        *garment = settings_of(settings)?;
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
        // SAFETY: guaranteed by the caller.
        let settings = unsafe { given(world, "world")? }.world.settings();
        let (cloth, collision_stride) = (settings.cloth, settings.collide.stride);
        let settings = RfClothSettings {
            struct_size: 0,
            sub_steps: cloth.sub_steps,
            iterations: cloth.iterations,
            sweeps: cloth.sweeps,
            gravity: cloth.gravity.to_array(),
            wind: cloth.wind.to_array(),
            has_ground: u32::from(cloth.ground.is_some()),
            ground_normal: cloth
                .ground
                .map_or(Vec3::Y, |ground| ground.normal)
                .to_array(),
            ground_height: cloth.ground.map_or(0.0, |ground| ground.height),
            collision_stride,
            sleep_seconds: cloth.sleep.map_or(-1.0, |sleep| sleep.seconds),
            sleep_speed: cloth.sleep.unwrap_or_default().speed,
            sleep_motion: cloth.sleep.unwrap_or_default().motion,
            end_strain_limit: cloth.end_strain_limit.unwrap_or(-1.0),
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
        // SAFETY: guaranteed by the caller.
        let (world, settings) =
            unsafe { (given_mut(world, "world")?, read(settings, "settings")?) };
        let mut collide = world.world.settings().collide;
        if settings.collision_stride != 0 {
            collide.stride = settings.collision_stride;
        }
        let cloth = ClothSettings {
            sub_steps: settings.sub_steps,
            iterations: settings.iterations,
            sweeps: settings.sweeps,
            gravity: Vec3::from_array(settings.gravity),
            wind: Vec3::from_array(settings.wind),
            ground: (settings.has_ground != 0).then(|| Ground {
                normal: Vec3::from_array(settings.ground_normal),
                height: settings.ground_height,
            }),
            sleep: match settings.sleep_seconds {
                0.0 => world.world.settings().cloth.sleep,
                seconds => (seconds > 0.0).then_some(Sleep {
                    speed: settings.sleep_speed,
                    motion: settings.sleep_motion,
                    seconds,
                }),
            },
            end_strain_limit: match settings.end_strain_limit {
                0.0 => world.world.settings().cloth.end_strain_limit,
                limit => (limit > 0.0).then_some(limit),
            },
        };
        collide.check()?;
        cloth.check()?;
        let kept = world.world.settings_mut();
        (kept.cloth, kept.collide) = (cloth, collide);
        Ok(())
    })
}

/// Whether cloth meets cloth from the next frame on: folds of a garment, garments worn over each other, those of several characters. At first
/// it does not. `meets`: not 0. Takes some 5 kB per particle while it does, and fields of garments that others lie over. A change is an edit of all
/// that the world holds, whose state stays; what it replaces is freed once the frames in flight are over. The first time, pipelines are compiled
/// besides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_set_cloth_contacts(world: *mut RfWorld, meets: u32) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let world = unsafe { given_mut(world, "world")? };
        Ok(world.world.set_cloth_contacts(meets != 0)?)
    })
}
