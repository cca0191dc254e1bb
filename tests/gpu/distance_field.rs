//! Distance fields on the GPU against `collide::distance_field::twin`: the cells, and the collision on the GPU's own cells.

use std::sync::Arc;

use glam::{DVec3, Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::cloth::twin::Twin;
use radial_fields::collide::distance_field::cell::signed_distance;
use radial_fields::collide::distance_field::fit::{GridDef, GridSet};
use radial_fields::collide::distance_field::twin::collide::{MovingGrids, collide};
use radial_fields::collide::distance_field::twin::update::update;
use radial_fields::collide::distance_field::{BAND_CELLS, DistanceFields};
use radial_fields::collide::triangle_contact::MovingSkin;
use radial_fields::collide::{CollideSettings, FieldTransform, Technique};
use radial_fields::engine::Device;
use radial_fields::math::closest::on_triangle;
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::pose::Palette;
use radial_fields::{World, WorldDef};

use crate::compare::explained;
use crate::falling::{
    EXCUSED_SHARE, Falling, NUDGE, SUB_STEPS, compare, in_bind_space, points_round,
};
use crate::figures::{Dice, bent, column, in_clip, loose};
use crate::fixture::with_device;
use crate::triangles::left_inside;

/// Metres a cell may differ from its twin: roundings of world coordinates.
const CELL_TOLERANCE: f32 = 1e-5;

fn grids_of(world: &World) -> &DistanceFields {
    let grids = world.collider().state();
    grids.expect("the world collides by distance fields")
}

/// Particles round a body of grids.
struct Cloud {
    falling: Falling,
    set: GridSet,
}

impl Cloud {
    fn new(device: &Arc<Device>, avatar: &Avatar, points: Vec<Vec3>) -> Self {
        let base = WorldDef {
            technique: Technique::DistanceField,
            ..WorldDef::default()
        };
        let falling = Falling::new(device, avatar, &loose(points), base);
        Self {
            set: grids_of(&falling.rig.world).set().clone(),
            falling,
        }
    }

    /// The cells of all grids.
    fn keys(&mut self) -> Vec<u32> {
        let count = self.set.cell_count as usize;
        self.falling
            .rig
            .read(count, |world| grids_of(world).cells())
    }

    /// Steps the GPU and compares cells and particles with their twins; returns how many particles were pushed.
    fn step(&mut self, palette: &Palette) -> Result<usize, String> {
        let stepped = self.falling.step(palette);
        let keys = self.keys();
        self.compare_cells(&keys, &stepped.skin, &stepped.transforms)?;
        let grid_count = self.set.grids.len();
        let response = self.falling.response;
        let samples = CollideSettings::default().path_samples;
        let candidates = (0..5).map(|seed| {
            let step = |[before, _, after]: [&[Mat4]; 3], twin: &mut Twin| {
                let grids = MovingGrids {
                    set: &self.set,
                    cells: &keys,
                    fields_from_world_before: before,
                    fields_from_world_after: after,
                };
                twin.collide(|_, particle| collide(&grids, particle, samples, &response));
            };
            self.falling
                .step_twin_on_bones(&stepped, grid_count, seed, step)
        });
        let candidates: Vec<_> = candidates.collect();
        compare(&self.falling.found(), &candidates)?;
        Ok(self.falling.pushed_count())
    }

    fn compare_cells(
        &self,
        keys: &[u32],
        skin: &[Vec3],
        transforms: &[FieldTransform],
    ) -> Result<(), String> {
        let topology = grids_of(&self.falling.rig.world).topology();
        let grid_count = self.set.grids.len();
        let at_the_end = &transforms[SUB_STEPS as usize * grid_count..];
        let fields_from_world: Vec<_> = at_the_end
            .iter()
            .map(|transform| transform.field_from_world.to_mat4())
            .collect();
        let mut dice = Dice::new(5);
        let candidates: Vec<_> = (0..4)
            .map(|ix| {
                let nudge = if ix == 0 { 0.0 } else { NUDGE };
                let moved: Vec<_> = skin.iter().map(|&p| p + nudge * dice.point()).collect();
                let skin = MovingSkin {
                    topology,
                    before: &moved,
                    after: &moved,
                };
                update(&self.set, &skin, &fields_from_world)
            })
            .collect();
        let excused_count = compare_cells(keys, &candidates, self.set.grids[0].cell_size)?;
        let share = excused_count as f32 / keys.len() as f32;
        println!("{} cells, {share} excused", keys.len());
        if share < EXCUSED_SHARE {
            Ok(())
        } else {
            Err(format!("{share} of the cells excused"))
        }
    }
}

/// How many cells needed one of the twin's other answers. Where the band ends, either may leave a cell empty.
fn compare_cells(found: &[u32], candidates: &[Vec<u32>], cell_size: f32) -> Result<usize, String> {
    let band = BAND_CELLS * cell_size;
    let agree = |a: u32, b: u32, _| match (signed_distance(a), signed_distance(b)) {
        (None, None) => true,
        (Some(a), Some(b)) => (a - b).abs() <= CELL_TOLERANCE,
        (Some(only), None) | (None, Some(only)) => (only.abs() - band).abs() <= CELL_TOLERANCE,
    };
    explained(found, candidates, agree)
}

fn collides_as_its_twin(
    device: &Arc<Device>,
    avatar: &Avatar,
    palettes: &[Palette],
    count: usize,
) -> Result<(), String> {
    let points = points_round(avatar, &palettes[0], count, 0.03, 0.0);
    let points = in_bind_space(&palettes[0], points);
    let mut cloud = Cloud::new(device, avatar, points);
    let mut pushed_count = 0;
    for (ix, palette) in palettes.iter().enumerate() {
        let pushed = cloud.step(palette);
        pushed_count += pushed.map_err(|error| format!("step {ix}: {error}"))?;
    }
    println!("{pushed_count} pushes");
    if 2 * pushed_count > count {
        Ok(())
    } else {
        Err(format!("{pushed_count} pushes of {count} particles"))
    }
}

/// Cells and particles of a column that bends.
pub fn on_a_column(device: &Arc<Device>) -> Result<(), String> {
    let avatar = column(3);
    let turned = |turn: f32| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
    collides_as_its_twin(device, &avatar, &[0.0, 0.05, 0.1].map(turned), 301)
}

#[test]
fn a_columns_grids_fill_and_collide_as_their_twins() {
    with_device(|device| assert_eq!(on_a_column(device), Ok(())));
}

/// Where a thread has several grids to test.
pub fn on_the_mannequin(device: &Arc<Device>) -> Result<(), String> {
    let avatar = builtin::load_mannequin();
    let palettes = [0.3, 0.32].map(|seconds| in_clip(&avatar, 0, seconds));
    collides_as_its_twin(device, &avatar, &palettes, 333)
}

#[test]
fn the_mannequins_grids_fill_and_collide_as_their_twins() {
    with_device(|device| assert_eq!(on_the_mannequin(device), Ok(())));
}

#[test]
fn particles_within_the_band_end_outside_and_deeper_ones_are_lost() {
    with_device(|device| {
        let share_of = |most: f32| {
            let settings = CollideSettings::default();
            left_inside(device, Technique::DistanceField, settings, most)
        };
        let (share, count) = share_of(0.013);
        println!("{share} of {count} left inside");
        assert!(count > 200 && share < 0.02, "{share} of {count}");
        // What the technique does not do, so that its documentation stays true.
        let (share, _) = share_of(0.06);
        assert!(share > 0.2, "only {share} left inside");
    });
}

#[test]
fn a_wrong_cell_is_seen() {
    let right: Vec<u32> = (0..50)
        .map(|i| (0.0005 * i as f32).to_bits() << 1)
        .collect();
    let candidates = [right.clone(), right.clone()];
    assert_eq!(compare_cells(&right, &candidates, 0.01), Ok(0));
    // Another side, another distance, none.
    for wrong in [right[20] | 1, right[21], u32::MAX] {
        let mut found = right.clone();
        found[20] = wrong;
        assert!(
            compare_cells(&found, &candidates, 0.01).is_err(),
            "{wrong:x}"
        );
    }
}

/// What the cells of all grids of a body hold against the whole skin.
#[derive(Debug, Default)]
struct Judged {
    /// Cells that hold the distance to the nearest skin of all.
    true_count: usize,
    /// Of those, how many see themselves on the wrong side.
    wrong_side_count: usize,
    /// Cells whose nearest skin is not in their grid.
    beyond_count: usize,
    /// Cells that are nearer to the skin than they hold: there must be none.
    too_near_count: usize,
}

/// Judges the cells by the generalised winding number and by exact distances to the triangles.
fn judge(cloud: &mut Cloud, avatar: &Avatar, palette: &Palette) -> Judged {
    let skin = cloud.falling.step(palette).skin;
    let tree = TriangleTree::new(&skin[..avatar.skin.positions.len()], &avatar.skin.triangles);
    let keys = cloud.keys();
    let squared = |p: DVec3, triangle: &[DVec3; 3]| on_triangle(p, *triangle).distance_squared(p);
    let mut judged = Judged::default();
    for grid in &cloud.set.grids {
        let world_from_field =
            palette.world_from_bone[grid.joint_ix as usize] * grid.bone_from_field;
        for (cell, ix) in cells_of(grid).zip(grid.first_cell..) {
            let Some(distance) = signed_distance(keys[ix as usize]) else {
                continue;
            };
            let at = world_from_field.transform_point3(cell * grid.cell_size);
            let held = f64::from(distance.abs());
            let nearest = tree.nearest(at.as_dvec3(), f64::INFINITY, squared);
            let lacks = (held - nearest.expect("there is skin")) as f32;
            judged.too_near_count += usize::from(lacks < -CELL_TOLERANCE);
            if lacks > CELL_TOLERANCE {
                judged.beyond_count += 1;
                continue;
            }
            judged.true_count += 1;
            let is_inside = tree.contains(at.as_dvec3());
            judged.wrong_side_count +=
                usize::from(is_inside != (distance < 0.0) && distance.abs() > CELL_TOLERANCE);
        }
    }
    judged
}

/// The cells of a grid in the order of memory.
fn cells_of(grid: &GridDef) -> impl Iterator<Item = Vec3> {
    let [width, height, _] = grid.size;
    (0..grid.cell_count()).map(move |ix| {
        let cell = [ix % width, ix / width % height, ix / (width * height)];
        Vec3::from(cell.map(|i| i as f32))
    })
}

#[test]
fn cells_lie_on_the_side_the_winding_number_says() {
    with_device(|device| {
        let avatar = column(3);
        let palette = bent(&avatar, Quat::IDENTITY, Mat4::IDENTITY);
        let mut cloud = Cloud::new(device, &avatar, vec![Vec3::splat(3.0); 3]);
        let judged = judge(&mut cloud, &avatar, &palette);
        println!("{judged:?}");
        assert!(judged.true_count > 20_000, "{judged:?}");
        assert_eq!(judged.wrong_side_count, 0, "{judged:?}");
        assert_eq!(judged.too_near_count, 0, "{judged:?}");
        // Where a grid's skin ends, with the overlap of neighbours: a share that a wrong fit or a lost triangle raises.
        let beyond = judged.beyond_count as f32 / judged.true_count as f32;
        assert!(beyond < 0.25, "{judged:?}");
    });
}
