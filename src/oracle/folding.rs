//! How far the built-in motion folds a body into itself: cloth between two skins that overlap is inside one of them, so no
//! technique could be right there.
//!
//! Skin is sorted into limbs by the joints that hold it. A vertex is inside another limb if its outer side is inside the body
//! and that limb's own triangles wind round it; where a limb is cut off, its winding number closes the hole. `--nocapture`
//! prints what was found.

use crate::avatar::{Avatar, Skeleton, SkinMesh, builtin};
use crate::math::solid_angle::INSIDE_WINDING;
use crate::math::triangle_tree::TriangleTree;
use crate::pose::{Palette, Pose, motion};
use crate::skin::bake::{Baked, bake};
use glam::{DVec3, Mat4};
use rayon::prelude::*;

const LIMBS: [&str; 12] = [
    "trunk",
    "head",
    "left upper arm",
    "right upper arm",
    "left forearm",
    "right forearm",
    "left thigh",
    "right thigh",
    "left calf",
    "right calf",
    "left foot",
    "right foot",
];
/// Joints of limbs, by the start of their names, and the limb, the left one of two; all others are the trunk's.
const LIMB_OF_JOINT: [(&str, usize); 13] = [
    ("neck", 1),
    ("head", 1),
    ("upperarm", 2),
    ("lowerarm", 4),
    ("hand", 4),
    ("thumb", 4),
    ("index", 4),
    ("middle", 4),
    ("ring", 4),
    ("pinky", 4),
    ("thigh", 6),
    ("calf", 8),
    ("foot", 10),
];
/// Skin nearer than this to the other limb in the bind pose, metres, is in the crease between them: the hollow of the knee,
/// the groin, the armpit. Linear blend skinning folds it in at any bend.
const CREASE: f64 = 0.06;
/// The same for room, metres: two limbs that meet at a joint draw apart over this.
const CORNER: f64 = 0.10;
/// A point this far above the skin, metres, is outside the limb that it is on.
const ABOVE: f64 = 1e-3;
/// Error allowed to each patch of a winding number.
const PATCH_TOLERANCE: f64 = 1e-4;

/// One limb against another.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    limbs: [usize; 2],
    /// How deep skin of the first is inside the second outside their crease, metres.
    depth: f64,
    /// How near skin of the first comes to the second from outside, outside the corner between them, metres.
    room: f64,
}

struct Body {
    avatar: Avatar,
    limb_of_vertex: Vec<usize>,
    triangles: Vec<Vec<[u32; 3]>>,
    /// From each vertex to each limb in the bind pose, metres.
    apart_in_bind: Vec<Vec<f64>>,
}

fn limb_of_joint(name: &str) -> usize {
    let found = LIMB_OF_JOINT
        .iter()
        .find(|(start, _)| name.starts_with(start));
    let is_right = usize::from(name.ends_with("_r"));
    match found {
        Some(&(_, limb)) if limb > 1 => limb + is_right,
        Some(&(_, limb)) => limb,
        None if name.starts_with("ball") => 10 + is_right,
        None => 0,
    }
}

/// The limb that holds these vertices most.
fn limb_of(skeleton: &Skeleton, skin: &SkinMesh, vertices: &[usize]) -> usize {
    let mut hold = [0.0; LIMBS.len()];
    for &vertex_ix in vertices {
        for (&joint_ix, weight) in skin.joints[vertex_ix].iter().zip(skin.weights[vertex_ix]) {
            let node_ix = skeleton.joints[usize::from(joint_ix)].node_ix;
            hold[limb_of_joint(&skeleton.nodes[node_ix].name)] += weight;
        }
    }
    let strongest = (0..hold.len()).max_by(|&a, &b| hold[a].total_cmp(&hold[b]));
    strongest.unwrap_or(0)
}

fn distance(tree: &TriangleTree, point: DVec3) -> f64 {
    tree.nearest_point(point, f64::INFINITY)
        .map_or(f64::INFINITY, |nearest| nearest.distance)
}

impl Body {
    fn new(avatar: Avatar) -> Self {
        let (skeleton, skin) = (&avatar.skeleton, &avatar.skin);
        let limb_of_vertex = (0..skin.positions.len())
            .map(|ix| limb_of(skeleton, skin, &[ix]))
            .collect();
        let mut triangles = vec![Vec::new(); LIMBS.len()];
        for triangle in &skin.triangles {
            let corners = triangle.map(|ix| ix as usize);
            triangles[limb_of(skeleton, skin, &corners)].push(*triangle);
        }
        let trees = trees(&triangles, &skin.positions);
        let apart = |p: &glam::Vec3| trees.iter().map(|t| distance(t, p.as_dvec3())).collect();
        let apart_in_bind = skin.positions.par_iter().map(apart).collect();
        Self {
            limb_of_vertex,
            triangles,
            apart_in_bind,
            avatar,
        }
    }

    /// Every limb against every other in one pose.
    fn meetings(&self, pose: &Pose) -> Vec<Meeting> {
        let palette = Palette::new(&self.avatar.skeleton, pose, Mat4::IDENTITY);
        let baked = bake(&self.avatar.skin, &palette);
        let whole = TriangleTree::new(&baked.positions, &self.avatar.skin.triangles);
        let limbs = trees(&self.triangles, &baked.positions);
        let found: Vec<Meeting> = (0..baked.positions.len())
            .into_par_iter()
            .flat_map_iter(|ix| self.meetings_of(ix, &baked, &whole, &limbs))
            .collect();
        let mut worst = Vec::new();
        for meeting in found {
            add_to(&mut worst, meeting);
        }
        worst
    }

    fn meetings_of(
        &self,
        vertex_ix: usize,
        baked: &Baked,
        whole: &TriangleTree,
        limbs: &[TriangleTree],
    ) -> Vec<Meeting> {
        let point = baked.positions[vertex_ix].as_dvec3();
        let above = point + ABOVE * baked.normals[vertex_ix].as_dvec3();
        let winds =
            |tree: &TriangleTree, p| tree.winding(p, PATCH_TOLERANCE).number > INSIDE_WINDING;
        let is_inside = winds(whole, above);
        let own = self.limb_of_vertex[vertex_ix];
        let others = (0..LIMBS.len()).filter(|&limb| limb != own);
        let meet = |limb: usize| {
            let apart = self.apart_in_bind[vertex_ix][limb];
            let mut meeting = Meeting {
                limbs: [own, limb],
                depth: 0.0,
                room: f64::INFINITY,
            };
            if is_inside && apart > CREASE && winds(&limbs[limb], point) {
                meeting.depth = distance(&limbs[limb], point);
            } else if !is_inside && apart > CORNER {
                meeting.room = distance(&limbs[limb], point);
            }
            meeting
        };
        others.map(meet).collect()
    }
}

fn trees(triangles: &[Vec<[u32; 3]>], positions: &[glam::Vec3]) -> Vec<TriangleTree> {
    let tree = |limb: &Vec<[u32; 3]>| TriangleTree::new(positions, limb);
    triangles.iter().map(tree).collect()
}

fn add_to(worst: &mut Vec<Meeting>, found: Meeting) {
    match worst.iter_mut().find(|m| m.limbs == found.limbs) {
        Some(known) => {
            known.depth = known.depth.max(found.depth);
            known.room = known.room.min(found.room);
        }
        None => worst.push(found),
    }
}

fn print(frame: usize, meeting: &Meeting) {
    let [own, other] = meeting.limbs.map(|limb| LIMBS[limb]);
    let [depth, room] = [meeting.depth, meeting.room].map(|metres| 1e3 * metres);
    println!("frame {frame}: {own} in {other}: {depth:.1} mm deep, {room:.1} mm room");
}

/// Frames of the clip, 60 per second, that its deepest folds are among: landings, knees swung through in the run, the lunge
/// into the round-off, the tuck.
fn frames() -> impl Iterator<Item = usize> {
    (12..648).step_by(36)
}

/// In the tuck of the somersault.
const TUCK: usize = 480;

#[test]
fn the_clip_does_not_fold_the_body_into_itself() {
    let body = Body::new(builtin::load_mannequin());
    let clip = motion::author(&body.avatar.skeleton).expect("the mannequin has the game rig");
    for frame in frames() {
        let pose = Pose::sample(&clip, &body.avatar.skeleton, frame as f32 / 60.0);
        for meeting in body.meetings(&pose) {
            if meeting.depth > 0.0 || meeting.room < 0.02 {
                print(frame, &meeting);
            }
            let is_shallow = meeting.depth < 0.005;
            let has_room = frame != TUCK || meeting.room > 0.015;
            assert!(is_shallow && has_room, "frame {frame}: {meeting:?}");
        }
    }
}
