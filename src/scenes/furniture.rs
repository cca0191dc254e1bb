//! What stands about in each scene.

use std::f32::consts::TAU;

use glam::{Mat4, Vec3};

use super::{Prop, PropMotion};
use crate::avatar::{Avatar, Clip, Joint};
use crate::pose::motion::Routine;
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;
use crate::solid::study::triangulated;
use crate::solid::{SolidMaterial, SolidShape};

/// Nothing about.
pub(super) fn none(_: &Avatar) -> Vec<Prop> {
    Vec::new()
}

/// A ball that goes round somebody above the knees, and a low table beside.
pub(super) fn ball_and_table(_: &Avatar) -> Vec<Prop> {
    let ball = Prop {
        motion: PropMotion::Orbits {
            turns_per_second: 0.2,
        },
        ..Prop::standing(
            SolidShape::Sphere { radius: 0.12 },
            Vec3::new(0.0, 0.55, 0.34),
        )
    };
    let table = SolidShape::cuboid(Vec3::new(0.5, 0.04, 0.5));
    vec![ball, Prop::standing(table, Vec3::new(-0.9, 0.42, 0.4))]
}

/// What the cloth of [`Outfit::Tablecloth`](super::Outfit::Tablecloth) comes down on, metres: nearer than 1.4 the character's hand would
/// be in the cloth.
pub(super) const BESIDE: Vec3 = Vec3::new(1.6, 0.0, 0.0);

/// Metres.
pub(super) const STOOL_HEIGHT: f32 = 0.45;

/// A stool, for what hangs over its edges.
pub(super) fn stool(_: &Avatar) -> Vec<Prop> {
    let size = Vec3::new(0.3, STOOL_HEIGHT, 0.3);
    let middle = BESIDE + 0.5 * STOOL_HEIGHT * Vec3::Y;
    vec![Prop::standing(SolidShape::cuboid(size), middle)]
}

/// A bust as high as a table.
pub(super) fn bust_on_a_stand(_: &Avatar) -> Vec<Prop> {
    Prop::bust(0.006, 0.0045)
}

/// Two halves, each with a field of its own, that turn downwards about the middle: by 23 degrees, and their roughness holds cloth up to 38.
pub(super) fn bending_rod(_: &Avatar) -> Vec<Prop> {
    let middle = BESIDE + 1.15 * Vec3::Y;
    let half = half_of_rod();
    let half = |side: f32| Prop {
        world_from_solid: Mat4::from_translation(middle)
            * Mat4::from_rotation_z(-0.25 * side * TAU),
        motion: PropMotion::Swings {
            about: middle,
            axis: -side * Vec3::Z,
            radians: 0.4,
            seconds: 6.0,
        },
        material: SolidMaterial::with_friction(1.6),
        ..half.clone()
    };
    vec![half(1.0), half(-1.0)]
}

/// From the origin along y, round at both ends.
fn half_of_rod() -> Prop {
    let (radius, length) = (0.05, 0.6);
    let height = |at: Vec3| (at - at.y.clamp(0.0, length) * Vec3::Y).length() - radius;
    let reach = Vec3::splat(radius + 0.02);
    let mesh = triangulated(height, [-reach, reach + length * Vec3::Y], 0.01);
    let (name, cell) = ("half of the rod", Some(0.005));
    Prop::sampled(&mesh.positions, &mesh.triangles, name, Vec3::ZERO, cell)
        .expect("the rod is a mesh, and its field has room")
}

/// Where a bag hangs in the bind pose, metres, and its size: further to the side or larger and the forearm of who walks goes through it, with the
/// sleeve between.
const BAG: Vec3 = Vec3::new(0.02, 1.02, -0.2);
const BAG_SIZE: Vec3 = Vec3::new(0.22, 0.2, 0.08);

/// A bag that hangs behind the hips, from a strap over a shoulder that nobody draws.
pub(super) fn shoulder_bag(avatar: &Avatar) -> Vec<Prop> {
    let Some(joint_ix) = joint(avatar, "pelvis") else {
        return Vec::new();
    };
    let bone = Palette::bind(&avatar.skeleton).world_from_bone[joint_ix];
    vec![Prop {
        world_from_solid: bone.inverse() * Mat4::from_translation(BAG),
        motion: PropMotion::Rides { joint_ix },
        ..Prop::standing(SolidShape::cuboid(BAG_SIZE), BAG)
    }]
}

/// A table that is pushed against somebody's thighs, and drawn back.
pub(super) fn table_that_comes(_: &Avatar) -> Vec<Prop> {
    let plate = SolidShape::cuboid(Vec3::new(0.9, 0.04, 0.6));
    let leg = SolidShape::Capsule {
        half_length: 0.32,
        radius: 0.025,
    };
    let plate_at = Vec3::new(0.5, 0.74, 0.62);
    let legs = [-0.4, 0.4].map(|x| (leg.clone(), plate_at + Vec3::new(x, -0.37, 0.25)));
    let parts = [(plate, plate_at)].into_iter().chain(legs);
    parts
        .map(|(shape, at)| Prop {
            motion: PropMotion::Slides {
                by: Vec3::new(-0.5, 0.0, -0.12),
                seconds: 5.0,
            },
            ..Prop::standing(shape, at)
        })
        .collect()
}

/// A low table beside the way of somebody who walks.
pub(super) fn table_beside_the_way(_: &Avatar) -> Vec<Prop> {
    let plate_at = Vec3::new(0.48, 0.55, 1.7);
    let plate = Prop::standing(SolidShape::cuboid(Vec3::new(0.5, 0.04, 1.2)), plate_at);
    let foot = Prop::standing(
        SolidShape::cuboid(Vec3::new(0.3, 0.53, 1.0)),
        plate_at - Vec3::new(-0.06, 0.285, 0.0),
    );
    vec![plate, foot]
}

/// Metres between the skin of who sits and the seat: what cloth keeps off both, and as much for its folds.
const SEAT_GAP: f32 = 0.02;
/// Metres behind the back that goes furthest back.
const BACK_GAP: f32 = 0.03;

/// A chair to the measure of who sits down by [`Routine::Sit`], or none.
pub(super) fn chair(avatar: &Avatar) -> Vec<Prop> {
    let sits = |clip: &&Clip| clip.name == Routine::Sit.name();
    let clip = avatar.clips.iter().find(sits);
    let (Some(clip), Some(pelvis), Some(knee)) =
        (clip, joint(avatar, "pelvis"), joint(avatar, "calf_l"))
    else {
        return Vec::new();
    };
    let [from, to] = Routine::SEATED;
    let posed = |seconds: f32| {
        let pose = Pose::sample(clip, &avatar.skeleton, seconds);
        Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY)
    };
    let seated = posed(0.5 * (from + to));
    let place = |ix: usize| seated.world_from_bone[ix].w_axis.truncate();
    let (pelvis, knee) = (place(pelvis), place(knee));
    let front = pelvis.lerp(knee, 0.7).z;
    let is_above_seat = |at: &&Vec3| at.z < front && at.y > 0.5 * pelvis.y && at.y < pelvis.y;
    let skin = bake(&avatar.skin, &seated).positions;
    let lowest = skin.iter().filter(is_above_seat).map(|at| at.y);
    let seat = lowest.fold(pelvis.y, f32::min) - SEAT_GAP;
    // Whoever bends forward on the way down is further back than who sits.
    let steps = (0..=STEPS).map(|ix| from + (to - from) * ix as f32 / STEPS as f32);
    let furthest = steps.map(|seconds| {
        let skin = bake(&avatar.skin, &posed(seconds)).positions;
        let is_back = |at: &&Vec3| at.x.abs() < 0.2 && at.y > seat;
        skin.iter()
            .filter(is_back)
            .map(|at| at.z)
            .fold(f32::INFINITY, f32::min)
    });
    let back = furthest.fold(f32::INFINITY, f32::min) - BACK_GAP;
    chair_of(seat, [back, front])
}

/// Times at which the back is looked at.
const STEPS: u32 = 24;

/// `seat`: its height; `ends`: where it begins and ends along z.
fn chair_of(seat: f32, [back, front]: [f32; 2]) -> Vec<Prop> {
    let (width, plate, leg) = (0.46, 0.03, 0.018);
    let middle = Vec3::new(0.0, seat, 0.5 * (back + front));
    let cuboid = |size: Vec3, at: Vec3| Prop::standing(SolidShape::cuboid(size), at);
    let depth = front - back + 2.0 * plate;
    let mut parts = vec![
        cuboid(
            Vec3::new(width, plate, depth),
            middle - 0.5 * plate * Vec3::Y,
        ),
        cuboid(
            Vec3::new(width, 0.3, plate),
            Vec3::new(0.0, seat + 0.4, back - 0.5 * plate),
        ),
    ];
    let half_length = 0.5 * (seat - plate) - leg;
    let corners = [-1.0, 1.0].map(|x| x * (0.5 * width - leg));
    for (x, z) in corners.map(|x| [(x, back), (x, front)]).concat() {
        let shape = SolidShape::Capsule {
            half_length,
            radius: leg,
        };
        parts.push(Prop::standing(shape, Vec3::new(x, half_length + leg, z)));
    }
    parts.extend(corners.map(|x| {
        let shape = SolidShape::Capsule {
            half_length: 0.2,
            radius: leg,
        };
        Prop::standing(shape, Vec3::new(x, seat + 0.2, back - 0.5 * plate))
    }));
    parts
}

/// The number of the joint of that name.
fn joint(avatar: &Avatar, name: &str) -> Option<usize> {
    let nodes = &avatar.skeleton.nodes;
    let is_it = |joint: &Joint| nodes[joint.node_ix].name == name;
    avatar.skeleton.joints.iter().position(is_it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::pose::motion::author_named;
    use glam::Vec3Swizzles;

    /// Of half a rod, about: it turns about its other end.
    const END: Vec3 = Vec3::new(0.0, 0.6, 0.0);

    #[test]
    fn a_swing_and_a_slide_go_there_and_back() {
        let avatar = load_mannequin();
        let palette = Palette::bind(&avatar.skeleton);
        let at = |prop: &Prop, seconds| {
            let step = prop.step(seconds, Vec3::ZERO, &palette);
            step.world_from_solid.transform_point3(END)
        };
        for props in [bending_rod(&avatar), table_that_comes(&avatar)] {
            let seconds = match props[0].motion {
                PropMotion::Swings { seconds, .. } | PropMotion::Slides { seconds, .. } => seconds,
                other => panic!("{other:?}"),
            };
            for prop in &props {
                let begun = prop.world_from_solid.transform_point3(END);
                assert!(at(prop, 0.0).abs_diff_eq(begun, 1e-5));
                assert!(at(prop, seconds).abs_diff_eq(begun, 1e-4));
                assert!(at(prop, 0.5 * seconds).distance(begun) > 0.1);
            }
        }
    }

    #[test]
    fn a_chair_is_where_who_sits_down_comes_to_sit() {
        let mut avatar = load_mannequin();
        assert!(chair(&avatar).is_empty(), "nobody sits down");
        let clip = author_named(&avatar.skeleton, Routine::Sit).expect("the game rig");
        let [from, to] = Routine::SEATED;
        let pose = Pose::sample(&clip, &avatar.skeleton, 0.5 * (from + to));
        avatar.clips.push(clip);
        let parts = chair(&avatar);
        let SolidShape::Box { half_size } = parts[0].shape else {
            panic!("{:?}", parts[0].shape);
        };
        let middle = parts[0].world_from_solid.w_axis.truncate();
        let seat = middle.y + half_size.y;
        assert!((0.25..0.6).contains(&seat), "a seat {seat} m high");
        let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
        let skin = bake(&avatar.skin, &palette).positions;
        let over = |at: &&Vec3| (*at - middle).abs().xz().cmple(half_size.xz()).all();
        let lowest = skin.iter().filter(over).filter(|at| at.y > 0.6 * seat);
        let lowest = lowest.map(|at| at.y).fold(f32::INFINITY, f32::min);
        assert!(
            (lowest - seat - SEAT_GAP).abs() < 1e-3,
            "{lowest} over {seat}"
        );
    }

    /// Cloth between an arm and a bag that it goes through would have no way out.
    #[test]
    fn nothing_of_who_wears_a_bag_goes_through_it() {
        let avatar = load_mannequin();
        let bag = &shoulder_bag(&avatar)[0];
        let SolidShape::Box { half_size } = bag.shape else {
            panic!("{:?}", bag.shape);
        };
        let clip = &avatar.clips[0];
        for frame in 0..(10.0 * clip.duration) as u32 {
            let pose = Pose::sample(clip, &avatar.skeleton, 0.1 * frame as f32);
            let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
            let bag_from_world = bag.def(&palette).world_from_solid.inverse();
            let skin = bake(&avatar.skin, &palette).positions;
            let beyond =
                |at: &Vec3| (bag_from_world.transform_point3(*at).abs() - half_size).max_element();
            let least = skin.iter().map(beyond).fold(f32::INFINITY, f32::min);
            assert!(least > 0.01, "frame {frame}: {least} m");
        }
    }

    #[test]
    fn a_bag_keeps_its_place_on_the_hip() {
        let avatar = load_mannequin();
        let bag = &shoulder_bag(&avatar)[0];
        let mut palette = Palette::bind(&avatar.skeleton);
        let worn = bag.def(&palette).world_from_solid;
        assert!(worn.w_axis.truncate().abs_diff_eq(BAG, 1e-4));
        let moved = Mat4::from_translation(Vec3::Z);
        for bone in &mut palette.world_from_bone {
            *bone = moved * *bone;
        }
        let step = bag.step(1.0, Vec3::ZERO, &palette).world_from_solid;
        assert!(step.abs_diff_eq(moved * worn, 1e-4));
    }
}
