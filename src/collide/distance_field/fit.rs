//! Lays one grid round the skin that each joint moves, turned so that it has few cells, without authoring.

mod snug;

use glam::{Mat4, Vec3};

use self::snug::snuggest;

use super::BAND_CELLS;
use crate::avatar::SkinMesh;
use crate::collide::skin_triangles::BindSkin;
use crate::collide::{CollideError, ColliderBody};

/// A grid in the bind pose. In field space it begins at the origin and extends along the positive axes, in metres of the bind
/// pose; cell `(i, j, k)` is the point `(i, j, k) * cell_size`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridDef {
    /// Among the joints of all bodies.
    pub joint_ix: u32,
    pub bone_from_field: Mat4,
    /// Among the cells of all grids.
    pub first_cell: u32,
    /// Cells along x, y and z; x lies closest in memory.
    pub size: [u32; 3],
    /// Metres of the bind pose.
    pub cell_size: f32,
}

impl GridDef {
    /// Cells of the grid.
    pub fn cell_count(&self) -> u32 {
        self.size.iter().product()
    }
}

/// The grids of all bodies.
#[derive(Clone, Debug, Default)]
pub struct GridSet {
    pub grids: Vec<GridDef>,
    /// Which triangle is written into which grid, in the order of the grids.
    pub pairs: Vec<[u32; 2]>,
    /// Cells of all grids.
    pub cell_count: u32,
}

impl GridSet {
    /// Lays the grids, in the order of the joints. Joints that move no triangle by the threshold, or that are collapsed, get
    /// none. `skin` is that of the bodies; cell size and threshold are those of each body's fit.
    ///
    /// # Errors
    /// When a body gets no grid, or all grids together have more than `max_cells`.
    pub fn fit(
        bodies: &[ColliderBody],
        skin: &BindSkin,
        max_cells: u64,
    ) -> Result<Self, CollideError> {
        let mut set = Self::default();
        for (body_ix, body) in bodies.iter().enumerate() {
            let first_grid = set.grids.len();
            for (joint_ix, held) in held_by_joints(body, skin).iter().enumerate() {
                set.add(body, joint_ix, held, skin, max_cells)?;
            }
            if set.grids.len() == first_grid {
                return Err(CollideError::NoFields { body_ix });
            }
        }
        Ok(set)
    }

    fn add(
        &mut self,
        body: &ColliderBody,
        joint_ix: usize,
        held: &[u32],
        skin: &BindSkin,
        max_cells: u64,
    ) -> Result<(), CollideError> {
        let bone_from_bind = body.avatar.skeleton.joints[joint_ix].bone_from_bind;
        if held.is_empty() || !can_carry(bone_from_bind) {
            return Ok(());
        }
        let cell_size = body.fit.cell_size;
        let (bind_from_axes, bounds) = snuggest(&corners_of(held, skin), BAND_CELLS * cell_size);
        let size = (bounds.size() / cell_size).to_array();
        // Casts saturate: a value too large stays too large.
        let size = size.map(|cells| (cells.ceil() as u32).saturating_add(1));
        let cells = size
            .iter()
            .fold(1, |product: u64, &side| product.saturating_mul(side.into()));
        let cell_count = cells.saturating_add(self.cell_count.into());
        let fitting = u32::try_from(cell_count).ok();
        let Some(fitting) = fitting.filter(|_| cell_count <= max_cells) else {
            return Err(CollideError::TooManyGridCells {
                cell_size,
                max_cells,
            });
        };
        let grid_ix = self.grids.len() as u32;
        self.pairs.extend(held.iter().map(|&ix| [ix, grid_ix]));
        self.grids.push(GridDef {
            joint_ix: joint_ix as u32 + body.first_joint,
            bone_from_field: bone_from_bind * bind_from_axes * Mat4::from_translation(bounds.low),
            first_cell: self.cell_count,
            size,
            cell_size,
        });
        self.cell_count = fitting;
        Ok(())
    }
}

/// Whether a bone can carry a grid: not a collapsed one.
fn can_carry(bone_from_bind: Mat4) -> bool {
    let volume = bone_from_bind.determinant();
    volume.is_finite() && volume != 0.0 && bone_from_bind.inverse().is_finite()
}

/// Positions of the triangles' corners in bind space, each once.
fn corners_of(triangles: &[u32], skin: &BindSkin) -> Vec<Vec3> {
    let corners = triangles.iter().flat_map(|&ix| skin.triangles[ix as usize]);
    let mut vertices: Vec<u32> = corners.collect();
    vertices.sort_unstable();
    vertices.dedup();
    let positions = vertices.iter().map(|&ix| skin.positions[ix as usize]);
    positions.collect()
}

/// For each joint of a body the triangles that it moves by the threshold at least, in the mean over the corners.
fn held_by_joints(body: &ColliderBody, skin: &BindSkin) -> Vec<Vec<u32>> {
    let mesh = &body.avatar.skin;
    let mut held = vec![Vec::new(); body.avatar.skeleton.joints.len()];
    let vertices = body.first_vertex..body.first_vertex + mesh.positions.len() as u32;
    for (triangle, triangle_ix) in skin.triangles.iter().zip(0..) {
        if !vertices.contains(&triangle[0]) {
            continue;
        }
        let corners = triangle.map(|ix| (ix - body.first_vertex) as usize);
        for (joint_ix, weight) in mean_weights(mesh, corners) {
            if weight >= body.fit.weight_threshold && weight > 0.0 {
                held[usize::from(joint_ix)].push(triangle_ix);
            }
        }
    }
    held
}

fn mean_weights(mesh: &SkinMesh, corners: [usize; 3]) -> Vec<(u16, f32)> {
    let mut means: Vec<(u16, f32)> = Vec::new();
    for corner in corners {
        let influences = mesh.joints[corner].iter().zip(&mesh.weights[corner]);
        for (&joint_ix, &weight) in influences {
            let share = weight / 3.0;
            match means.iter_mut().find(|mean| mean.0 == joint_ix) {
                Some(mean) => mean.1 += share,
                None => means.push((joint_ix, share)),
            }
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;

    fn fitted(cell_size: f32, max_cells: u64) -> Result<(BindSkin, GridSet), CollideError> {
        let avatar = builtin::load_mannequin();
        let mut bodies = [ColliderBody {
            avatar: &avatar,
            fit: Default::default(),
            fields: &std::sync::OnceLock::new(),
            first_vertex: 0,
            first_joint: 0,
        }];
        bodies[0].fit.cell_size = cell_size;
        let skin = BindSkin::of(&bodies);
        let set = GridSet::fit(&bodies, &skin, max_cells)?;
        Ok((skin, set))
    }

    #[test]
    fn every_triangle_lies_in_its_grids_with_the_band_round_it() {
        let (skin, set) = fitted(0.01, u64::MAX).expect("the mannequin has skin");
        let joints = builtin::load_mannequin().skeleton.joints;
        let mut is_held = vec![false; skin.triangles.len()];
        for &[triangle_ix, grid_ix] in &set.pairs {
            let grid = &set.grids[grid_ix as usize];
            let bone_from_bind = joints[grid.joint_ix as usize].bone_from_bind;
            let field_from_bind = grid.bone_from_field.inverse() * bone_from_bind;
            for corner in skin.corners(triangle_ix as usize) {
                let at = field_from_bind.transform_point3(corner) / grid.cell_size;
                let end = Vec3::from(grid.size.map(|cells| cells as f32 - 1.0));
                let room = at.min(end - at).min_element();
                assert!(room > BAND_CELLS - 1e-3, "{room} cells");
            }
            is_held[triangle_ix as usize] = true;
        }
        let left_out = is_held.iter().filter(|held| !**held).count();
        assert_eq!(left_out, 0, "of {} triangles", is_held.len());
    }

    #[test]
    fn cells_of_grids_lie_one_after_the_other() {
        let (_, set) = fitted(0.01, u64::MAX).expect("the mannequin has skin");
        let mut next = 0;
        for grid in &set.grids {
            assert_eq!(grid.first_cell, next);
            next += grid.cell_count();
        }
        assert_eq!(set.cell_count, next);
        println!("{} grids, {next} cells", set.grids.len());
    }

    #[test]
    fn more_cells_than_fit_are_refused_with_a_way_out() {
        for (cell_size, max_cells) in [(0.01, 100_000), (1e-4, 1 << 25), (1e-9, u64::MAX)] {
            let error = fitted(cell_size, max_cells).expect_err("there are too many");
            assert!(error.to_string().contains("larger cells"), "{error}");
        }
    }
}
