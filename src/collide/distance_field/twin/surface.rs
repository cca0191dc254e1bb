//! The skin as a grid represents it: the twin of `glsl/distance_field/surface.glsl`.

use glam::{UVec3, Vec3};

use crate::collide::distance_field::cell::signed_distance;
use crate::collide::distance_field::fit::GridDef;

/// Change of distance per metre, usually 1. Where it is less, ways out in opposite directions cancel and none is right: the
/// middle of a limb no thicker than two cells.
const MIN_SLOPE: f32 = 0.1;

/// The skin nearest to a point, in field space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit length.
    pub normal: Vec3,
    /// On the skin.
    pub point: Vec3,
    /// From it to where was looked, metres of the bind pose, negative inside.
    pub distance: f32,
}

impl Plane {
    /// Trilinear between eight cells; none where one of them is empty: outside the band, and beyond the grid.
    ///
    /// Source: Fuhrmann, Sobottka and Gross, "Distance fields for rapid collision detection in physically based modeling", 2003.
    pub fn at(grid: &GridDef, cells: &[u32], pos_in_field: Vec3) -> Option<Self> {
        let at = pos_in_field / grid.cell_size;
        let low = at.floor();
        let last = Vec3::from(grid.size.map(|cells| cells as f32 - 1.0));
        // Written so that a NaN is outside.
        if !(low.cmpge(Vec3::ZERO).all() && low.cmplt(last).all()) {
            return None;
        }
        let mut corners = [0.0; 8];
        for (corner, ix) in corners.iter_mut().zip(0u32..) {
            let offset = UVec3::new(ix & 1, ix >> 1 & 1, ix >> 2);
            *corner = signed_distance(cells[grid.cell_ix(low.as_uvec3() + offset)])?;
        }
        let (distance, slope) = blend(corners, at - low);
        let steepness = slope.length();
        let normal = slope / steepness;
        (steepness >= MIN_SLOPE * grid.cell_size).then(|| Self {
            normal,
            point: pos_in_field - normal * distance,
            distance,
        })
    }
}

/// Trilinear value and its slope, a cell, of eight corners; x changes fastest.
fn blend(corners: [f32; 8], within: Vec3) -> (f32, Vec3) {
    let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
    let along_x: [f32; 4] = std::array::from_fn(|i| corners[2 * i + 1] - corners[2 * i]);
    let at_x: [f32; 4] = std::array::from_fn(|i| corners[2 * i] + along_x[i] * within.x);
    let along_y: [f32; 2] = std::array::from_fn(|i| at_x[2 * i + 1] - at_x[2 * i]);
    let at_y: [f32; 2] = std::array::from_fn(|i| at_x[2 * i] + along_y[i] * within.y);
    let along_x_at_y: [f32; 2] =
        std::array::from_fn(|i| mix(along_x[2 * i], along_x[2 * i + 1], within.y));
    let slope = Vec3::new(
        mix(along_x_at_y[0], along_x_at_y[1], within.z),
        mix(along_y[0], along_y[1], within.z),
        at_y[1] - at_y[0],
    );
    (mix(at_y[0], at_y[1], within.z), slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::distance_field::cell::{EMPTY_KEY, key};
    use glam::Mat4;

    /// Cells that hold a function of their place, in metres.
    fn filled(distance: impl Fn(Vec3) -> f32) -> (GridDef, Vec<u32>) {
        let grid = GridDef {
            joint_ix: 0,
            bone_from_field: Mat4::IDENTITY,
            first_cell: 0,
            size: [5, 6, 7],
            cell_size: 0.01,
        };
        let cells = (0..grid.cell_count()).map(|ix| {
            let cell = UVec3::new(ix % 5, ix / 5 % 6, ix / 30);
            let metres = distance(cell.as_vec3() * 0.01);
            key(metres.abs(), metres < 0.0)
        });
        (grid, cells.collect())
    }

    #[test]
    fn a_flat_wall_is_where_it_was_put() {
        let (normal, point) = (Vec3::new(0.48, 0.6, -0.64), Vec3::new(0.02, 0.025, 0.03));
        let (grid, cells) = filled(|at| normal.dot(at - point));
        for ix in 0..60 {
            let part = |step: f32| (ix as f32 * step).fract();
            let at = Vec3::new(part(0.37), part(0.61), part(0.83)) * Vec3::new(0.039, 0.049, 0.059);
            let plane = Plane::at(&grid, &cells, at).expect("no cell is empty");
            assert!(plane.normal.distance(normal) < 1e-5, "{at}: {plane:?}");
            assert!((plane.distance - normal.dot(at - point)).abs() < 1e-7);
            assert!(normal.dot(plane.point - point).abs() < 1e-7, "{at}");
        }
    }

    #[test]
    fn the_slope_is_that_of_the_value() {
        let corners = [0.3, -0.2, 0.5, 0.11, -0.4, 0.25, 0.07, 0.9];
        let within = Vec3::new(0.2, 0.7, 0.4);
        let (_, slope) = blend(corners, within);
        for axis in 0..3 {
            let step = Vec3::from_array(std::array::from_fn(|i| f32::from(i == axis) * 1e-2));
            let rise = blend(corners, within + step).0 - blend(corners, within - step).0;
            assert!((rise / 2e-2 - slope[axis]).abs() < 1e-4, "axis {axis}");
        }
    }

    #[test]
    fn nothing_is_known_beside_an_empty_cell_and_beyond_the_grid() {
        let (grid, mut cells) = filled(|at| at.x - 0.02);
        let inside = Vec3::new(0.015, 0.025, 0.035);
        assert!(Plane::at(&grid, &cells, inside).is_some());
        for beyond in [
            Vec3::new(-1e-4, 0.02, 0.02),
            Vec3::new(0.02, 0.0501, 0.02),
            Vec3::NAN,
            Vec3::splat(1e9),
        ] {
            assert_eq!(Plane::at(&grid, &cells, beyond), None, "{beyond}");
        }
        cells[grid.cell_ix(UVec3::new(2, 3, 4))] = EMPTY_KEY;
        assert_eq!(Plane::at(&grid, &cells, inside), None);
    }

    #[test]
    fn between_two_walls_there_is_no_way_out() {
        let (grid, cells) = filled(|at| (at.x - 0.02).abs() - 0.02);
        assert!(Plane::at(&grid, &cells, Vec3::splat(0.012)).is_some());
        let (grid, cells) = filled(|_| -0.01);
        assert_eq!(Plane::at(&grid, &cells, Vec3::splat(0.022)), None);
    }
}
