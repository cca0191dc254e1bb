//! Rigid solids.

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::border::{
    Failure, RfResult, Versioned, fill, given, given_mut, guard, hand_over, list, read, take_back,
};
use super::character::{triples, vectors};
use super::world::RfWorld;
use crate::solid::fill::fill as fill_field;
use crate::solid::{Grid, SignRule, SolidField, SolidMaterial, SolidMesh, SolidShape};
use crate::world::{SolidDef, SolidStep};

/// The distances of a rigid mesh, made once; solids of one mesh share them.
pub struct RfSolidField(Arc<SolidField>);

/// The shape of a rigid solid, in its own space.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RfSolidShape {
    /// Everything below y = 0.
    HalfSpace = 0,
    /// `size[0]`: radius.
    Sphere = 1,
    /// Along y. `size[0]`: half the length of its axis; `size[1]`: radius.
    Capsule = 2,
    /// `size`: half its sides.
    Box = 3,
    /// Round y. `size[0]`: radius; `size[1]`: its tube's, less than that.
    Torus = 4,
    /// That of `field`.
    Field = 5,
}

/// A rigid solid. rf_solid_default fills it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfSolid {
    /// `sizeof(RfSolid)`.
    pub struct_size: u32,
    /// One of RfSolidShape.
    pub shape: u32,
    /// Metres; see RfSolidShape.
    pub size: [f32; 3],
    /// Coefficient, 0 or more; between it and cloth of another the geometric mean of both counts. Negative: the cloth's own.
    pub friction: f32,
    /// Part of the speed into it with which cloth bounces off, 0 to 1.
    pub restitution: f32,
    pub reserved: u32,
    /// Of `RF_SOLID_SHAPE_FIELD`; it may be destroyed afterwards. Otherwise null.
    pub field: *const RfSolidField,
    /// Column after column; may scale, evenly.
    pub world_from_solid: [f32; 16],
}

// SAFETY: as it says: pointers may be null.
unsafe impl Versioned for RfSolid {
    const MIN_BYTES: usize = size_of::<Self>();
}

/// Where a solid is in one step.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfSolidStep {
    /// `sizeof(RfSolidStep)`.
    pub struct_size: u32,
    /// Not 0: it did not move here but was put here.
    pub is_teleported: u32,
    /// Column after column; may scale, evenly.
    pub world_from_solid: [f32; 16],
}

// SAFETY: as it says.
unsafe impl Versioned for RfSolidStep {
    const MIN_BYTES: usize = size_of::<Self>();
}

/// A ball of half a metre at the origin, as rough as the cloth that touches it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_solid_default(out: *mut RfSolid) -> RfResult {
    let solid = RfSolid {
        struct_size: 0,
        shape: RfSolidShape::Sphere as u32,
        size: [0.5, 0.0, 0.0],
        friction: -1.0,
        restitution: 0.0,
        reserved: 0,
        field: std::ptr::null(),
        world_from_solid: Mat4::IDENTITY.to_cols_array(),
    };
    // SAFETY: guaranteed by the caller.
    guard(|| unsafe { fill(out, solid, "out") })
}

/// Makes the distances of a mesh, 3 floats per vertex and 3 indices per triangle, in cells of `cell_size` metres. Usually a hundredth of
/// its length; takes from tenths of a second to minutes, by the number of cells near the surface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_solid_field_from_mesh(
    positions: *const f32,
    vertex_count: u32,
    indices: *const u32,
    triangle_count: u32,
    cell_size: f32,
    out: *mut *mut RfSolidField,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (positions, indices) = unsafe {
            given(out, "out")?;
            let positions = list(positions, 3 * vertex_count as usize, "positions")?;
            (
                positions,
                list(indices, 3 * triangle_count as usize, "indices")?,
            )
        };
        let field = field_of(positions, indices, cell_size)?;
        // SAFETY: as above.
        unsafe { hand_over(out, RfSolidField(Arc::new(field)), "out") }
    })
}

fn field_of(positions: &[f32], indices: &[u32], cell_size: f32) -> Result<SolidField, Failure> {
    let mesh = SolidMesh::new(&vectors(positions), &triples(indices)).map_err(invalid)?;
    let grid = Grid::over(&mesh, cell_size).map_err(invalid)?;
    Ok(fill_field(&mesh, grid, SignRule::for_mesh(&mesh)))
}

fn invalid(error: impl std::fmt::Display) -> Failure {
    Failure::invalid(error.to_string())
}

/// Gives distances back; NULL are none. Solids that have them stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_solid_field_destroy(field: *mut RfSolidField) {
    // SAFETY: guaranteed by the caller.
    unsafe { take_back(field) }
}

/// # Safety
/// The solid's field must be null or valid.
pub(super) unsafe fn def_of(solid: &RfSolid) -> Result<SolidDef, Failure> {
    let [x, y, z] = solid.size;
    let shape = match solid.shape {
        0 => SolidShape::HalfSpace,
        1 => SolidShape::Sphere { radius: x },
        2 => SolidShape::Capsule {
            half_length: x,
            radius: y,
        },
        3 => SolidShape::Box {
            half_size: Vec3::new(x, y, z),
        },
        4 => SolidShape::Torus {
            radius: x,
            tube_radius: y,
        },
        // SAFETY: guaranteed by the caller.
        5 => SolidShape::Field(Arc::clone(unsafe { &given(solid.field, "field")?.0 })),
        shape => {
            let message = format!("there is no shape {shape} of solids: there are 0 to 5");
            return Err(Failure::invalid(message));
        }
    };
    Ok(SolidDef {
        material: SolidMaterial {
            // Written so that a NaN is refused.
            friction: match solid.friction < 0.0 {
                true => None,
                false => Some(solid.friction),
            },
            restitution: solid.restitution,
        },
        ..SolidDef::new(shape, Mat4::from_cols_array(&solid.world_from_solid))
    })
}

pub(super) fn step_of(step: &RfSolidStep) -> SolidStep {
    SolidStep {
        world_from_solid: Mat4::from_cols_array(&step.world_from_solid),
        teleported: step.is_teleported != 0,
    }
}

/// Adds a rigid solid behind the others; `out`, if not NULL, is set to its index. Takes memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_add_solid(
    world: *mut RfWorld,
    solid: *const RfSolid,
    out: *mut u32,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, def) = unsafe { (given_mut(world, "world")?, def_of(&read(solid, "solid")?)?) };
        let solid_ix = world.change(|edited| edited.contents.add_solid(&def))?;
        // SAFETY: as above.
        if let Some(out) = unsafe { out.as_mut() } {
            *out = solid_ix as u32;
        }
        Ok(())
    })
}

/// Gives a solid another shape, place, friction and restitution; it does not sweep from its old place to the new. To move it, give its
/// places to rf_world_record: this takes memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_set_solid(
    world: *mut RfWorld,
    solid_index: u32,
    solid: *const RfSolid,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let (world, def) = unsafe { (given_mut(world, "world")?, def_of(&read(solid, "solid")?)?) };
        let solid_ix = solid_index as usize;
        world.change(|edited| edited.contents.set_solid(solid_ix, &def))
    })
}

/// Takes a solid away. Solids behind it move down by one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_world_remove_solid(world: *mut RfWorld, solid_index: u32) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let world = unsafe { given_mut(world, "world")? };
        let solid_ix = solid_index as usize;
        world.change(|edited| edited.contents.remove_solid(solid_ix))
    })
}
