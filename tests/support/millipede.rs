//! A creature with as many joints and triangles as a test asks for.

use std::f32::consts::TAU;

use glam::{Mat4, Quat, Vec2, Vec3};
use radial_fields::avatar::{
    Avatar, Clip, Interpolation, Joint, MAX_INFLUENCES, Node, Part, SkinMesh, Track, TrackValues,
    Transform,
};

/// Joints of a leg.
const LEG_JOINTS: usize = 4;
/// Metres from one joint of the trunk to the next, and its radius.
const STEP: f32 = 0.08;
const TRUNK_RADIUS: f32 = 0.12;
/// Metres from one joint of a leg to the next, and its radius.
const LEG_STEP: f32 = 0.14;
const LEG_RADIUS: f32 = 0.025;
/// Metres over the ground of the trunk's axis.
const HEIGHT: f32 = 0.45;

/// A trunk along Z, each of its segments with a pair of legs, each leg a closed tube of its own that begins in the trunk. It treads
/// for a second. Counts are met as nearly as its regular shape allows.
pub fn millipede(joint_count: usize, triangle_count: usize) -> Avatar {
    let segment_count = (joint_count / (1 + 2 * LEG_JOINTS)).max(1);
    let bones = segment_count * (1 + 2 * LEG_JOINTS);
    // Rings of `around` corners, `along` to a bone, two triangles per corner.
    let along = ((triangle_count as f32 / bones as f32 / 2.0).sqrt().round() as usize).max(2);
    let around = (triangle_count / bones / 2 / along).max(4);
    let mut avatar = Avatar {
        name: "millipede".to_owned(),
        ..Avatar::default()
    };
    let trunk: Vec<_> = (0..segment_count)
        .map(|ix| {
            let at = Vec3::new(
                0.0,
                HEIGHT,
                ix as f32 * STEP - 0.5 * segment_count as f32 * STEP,
            );
            push_joint(&mut avatar, format!("segment_{ix}"), ix.checked_sub(1), at)
        })
        .collect();
    let chain = joints(&avatar, &trunk);
    push_tube(
        &mut avatar.skin,
        &chain,
        Vec3::Z * STEP,
        TRUNK_RADIUS,
        [around, along],
    );
    for (segment, &joint_ix) in trunk.iter().enumerate() {
        for side in [1.0, -1.0] {
            let leg = push_leg(&mut avatar, joint_ix, side, segment);
            let step = leg_direction(side) * LEG_STEP;
            let chain = joints(&avatar, &leg);
            push_tube(&mut avatar.skin, &chain, step, LEG_RADIUS, [around, along]);
        }
    }
    avatar.parts.push(Part {
        triangles: 0..avatar.skin.triangles.len() as u32,
        base_colour: [0.4, 0.3, 0.25, 1.0],
        texture_ix: None,
        alpha_cutoff: 0.0,
    });
    avatar.clips.push(treading(&avatar, segment_count));
    avatar
}

fn leg_direction(side: f32) -> Vec3 {
    Vec3::new(side * 0.65, -0.76, 0.0).normalize()
}

fn push_leg(avatar: &mut Avatar, trunk: usize, side: f32, segment: usize) -> Vec<usize> {
    let mut parent = trunk;
    let root = bind_position(avatar, trunk) + Vec3::X * side * 0.06;
    (0..LEG_JOINTS)
        .map(|ix| {
            let at = root + leg_direction(side) * (LEG_STEP * ix as f32);
            let name = format!("limb_{segment}_{side}_{ix}");
            parent = push_joint(avatar, name, Some(parent), at);
            parent
        })
        .collect()
}

fn bind_position(avatar: &Avatar, joint_ix: usize) -> Vec3 {
    -avatar.skeleton.joints[joint_ix]
        .bone_from_bind
        .w_axis
        .truncate()
}

fn joints(avatar: &Avatar, chain: &[usize]) -> Vec<(usize, Vec3)> {
    chain
        .iter()
        .map(|&ix| (ix, bind_position(avatar, ix)))
        .collect()
}

fn push_joint(avatar: &mut Avatar, name: String, parent: Option<usize>, at: Vec3) -> usize {
    let origin = parent.map_or(Vec3::ZERO, |parent| bind_position(avatar, parent));
    let node_ix = avatar.skeleton.nodes.len();
    avatar.skeleton.nodes.push(Node {
        name,
        parent,
        rest: Transform::from_translation(at - origin),
    });
    avatar.skeleton.joints.push(Joint {
        node_ix,
        bone_from_bind: Mat4::from_translation(-at),
    });
    node_ix
}

/// A closed tube round a straight chain: half of what lies between two joints follows each of them.
fn push_tube(
    skin: &mut SkinMesh,
    chain: &[(usize, Vec3)],
    step: Vec3,
    radius: f32,
    [around, along]: [usize; 2],
) {
    let rows = chain.len() * along;
    let across = step.normalize().any_orthonormal_vector() * radius;
    let first = skin.positions.len() as u32;
    for row in 0..=rows {
        let reach = row as f32 / along as f32;
        for corner in 0..around {
            let turn = Quat::from_axis_angle(step.normalize(), corner as f32 / around as f32 * TAU);
            push_vertex(skin, chain, step, reach, turn * across);
        }
    }
    push_vertex(skin, chain, step, -0.3, Vec3::ZERO);
    push_vertex(skin, chain, step, chain.len() as f32 + 0.3, Vec3::ZERO);
    let (rows, around) = (rows as u32, around as u32);
    let ix = |row: u32, corner: u32| first + row * around + corner % around;
    let tips = [(rows + 1) * around, (rows + 1) * around + 1].map(|tip| first + tip);
    for corner in 0..around {
        for row in 0..rows {
            let [a, b] = [ix(row, corner), ix(row, corner + 1)];
            let [c, d] = [ix(row + 1, corner), ix(row + 1, corner + 1)];
            skin.triangles.extend([[a, b, c], [b, d, c]]);
        }
        skin.triangles
            .push([tips[0], ix(0, corner + 1), ix(0, corner)]);
        skin.triangles
            .push([tips[1], ix(rows, corner), ix(rows, corner + 1)]);
    }
}

/// `reach`: joints along the chain.
fn push_vertex(skin: &mut SkinMesh, chain: &[(usize, Vec3)], step: Vec3, reach: f32, out: Vec3) {
    let last = chain.len() - 1;
    let behind = (reach - 0.5).clamp(0.0, last as f32);
    let (lower, share) = (behind.floor() as usize, behind.fract());
    let mut influences = [
        (chain[lower].0, 1.0 - share),
        (chain[(lower + 1).min(last)].0, share),
    ];
    influences.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
    for (slot, (joint_ix, weight)) in influences
        .into_iter()
        .enumerate()
        .filter(|(_, i)| i.1 > 0.0)
    {
        (joints[slot], weights[slot]) = (joint_ix as u16, weight);
    }
    skin.positions.push(chain[0].1 + step * reach + out);
    skin.normals
        .push(out.try_normalize().unwrap_or_else(|| step.normalize()));
    skin.uvs.push(Vec2::ZERO);
    skin.joints.push(joints);
    skin.weights.push(weights);
}

/// The first joint of every leg swings, each a little later than the one before.
fn treading(avatar: &Avatar, segment_count: usize) -> Clip {
    let times: Vec<f32> = (0..=8).map(|key| key as f32 / 8.0).collect();
    let legs = (0..2 * segment_count).map(|leg| segment_count + leg * LEG_JOINTS);
    let track = |node_ix: usize| {
        let swing =
            |time: &f32| Quat::from_rotation_x(0.3 * (TAU * (time + node_ix as f32 * 0.037)).sin());
        Track {
            node_ix,
            interpolation: Interpolation::Linear,
            values: TrackValues::Rotation(times.iter().map(swing).collect()),
            times: times.clone(),
        }
    };
    debug_assert!(avatar.skeleton.nodes.len() > segment_count);
    Clip {
        name: "treading".to_owned(),
        duration: 1.0,
        tracks: legs.map(track).collect(),
    }
}
