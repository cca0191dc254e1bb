//! Trees of boxes on the GPU against `collide::box_tree`.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use radial_fields::avatar::{Avatar, builtin};
use radial_fields::collide::Technique;
use radial_fields::collide::box_tree::{BoxNode, SkinTree};
use radial_fields::collide::bvh::Bvh;
use radial_fields::collide::lbvh::Lbvh;
use radial_fields::collide::wide_bvh::WideBvh;
use radial_fields::engine::Device;
use radial_fields::pose::Palette;
use radial_fields::{BodyDef, World, WorldDef};

use crate::figures::{bent, column, in_clip};
use crate::fixture::{Rig, with_device};

const TREES: [Technique; 3] = [Technique::Bvh, Technique::Lbvh, Technique::WideBvh];

/// Where the first node differs: boxes are least and greatest coordinates, which nothing rounds.
fn compare(found: &[BoxNode], expected: &[BoxNode]) -> Result<(), String> {
    assert_eq!(found.len(), expected.len(), "all nodes");
    let mut pairs = found.iter().zip(expected).enumerate();
    match pairs.find(|(_, (found, expected))| found != expected) {
        Some((ix, (found, expected))) => Err(format!("node {ix} is {found:?}, not {expected:?}")),
        None => Ok(()),
    }
}

/// The tree, if the world's technique has one.
pub fn tree_of(world: &World) -> Option<&SkinTree> {
    let collider = world.collider();
    let queued = collider.state::<Bvh>().map(Bvh::skin_tree);
    let linear = || collider.state::<Lbvh>().map(Lbvh::skin_tree);
    let wide = || collider.state::<WideBvh>().map(WideBvh::skin_tree);
    queued.or_else(linear).or_else(wide)
}

fn fit(
    device: &Arc<Device>,
    technique: Technique,
    avatar: &Avatar,
    palettes: &[Palette; 2],
) -> Result<(), String> {
    let def = WorldDef {
        bodies: &[BodyDef::new(avatar)],
        technique,
        ..WorldDef::default()
    };
    let mut rig = Rig::new(device, &def);
    for (ix, palette) in palettes.iter().enumerate() {
        rig.step(&[palette], ix == 0);
        let after = rig.skin();
        let before: Vec<Vec3> = rig.read(after.len(), |world| world.skin().previous_positions());
        let tree = tree_of(&rig.world).expect("it has boxes");
        let mut expected = tree.tree().clone();
        expected.refit(tree.topology(), &before, &after);
        let mut found: Vec<BoxNode> = rig.read(expected.nodes.len(), |world| {
            tree_of(world).expect("it has boxes").boxes().nodes()
        });
        compare(&found, &expected.nodes).map_err(|error| format!("{technique:?}: {error}"))?;
        let root = found[0];
        assert!(
            root.low.is_finite() && root.low.cmplt(root.high).all(),
            "{root:?}"
        );
        // A single coordinate is seen.
        let last = found.len() - 1;
        found[last].high.y = found[last].high.y.next_up();
        assert!(compare(&found, &expected.nodes).is_err());
    }
    Ok(())
}

/// The boxes round a column that bends.
pub fn of_a_column(device: &Arc<Device>) -> Result<(), String> {
    let avatar = column(3);
    let turned = |turn: f32| bent(&avatar, Quat::from_rotation_z(turn), Mat4::IDENTITY);
    for technique in TREES {
        fit(device, technique, &avatar, &[0.0, 0.2].map(turned))?;
    }
    Ok(())
}

#[test]
fn boxes_fit_as_their_twins() {
    with_device(|device| {
        assert_eq!(of_a_column(device), Ok(()));
        let mannequin = builtin::load_mannequin();
        let poses = [0.3, 0.35].map(|seconds| in_clip(&mannequin, 0, seconds));
        for technique in TREES {
            assert_eq!(fit(device, technique, &mannequin, &poses), Ok(()));
        }
    });
}
