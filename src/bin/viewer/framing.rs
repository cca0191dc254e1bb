//! Where the camera of pictures stands: so that character and clothes are seen all through the clip, or where the flags put it.

use glam::{Mat4, Vec3};
use radial_fields::avatar::{Avatar, Joint, SkinMesh};
use radial_fields::math::Bounds;
use radial_fields::pose::{Palette, Pose};
use radial_fields::render::Camera;
use radial_fields::scenes::Show;

use crate::cli::Cli;

/// Looks at a clip, a second. Usually 10: arms and legs go less than a hand's breadth meanwhile.
const SAMPLES_PER_SECOND: f32 = 10.0;
/// Looks at a clip of any length: a longer one is looked at less often.
const MAX_SAMPLES: usize = 600;

/// What the flags say of the camera. World space, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wanted {
    eye: Option<Vec3>,
    target: Option<Vec3>,
}

impl Wanted {
    pub fn of(cli: &Cli) -> Self {
        Self {
            eye: cli.camera,
            target: cli.look_at,
        }
    }

    /// The camera where it is wanted; what is not wanted stays.
    pub fn put(self, camera: Camera) -> Camera {
        let camera = Camera {
            target: self.target.unwrap_or(camera.target),
            ..camera
        };
        self.eye.map_or(camera, |eye| camera.seen_from(eye))
    }
}

/// A camera that goes along with the character over the ground, or stands where the flags put it.
pub struct Framing {
    camera: Camera,
    wanted: Wanted,
    /// From where the character is to what is looked at.
    middle: Vec3,
    outline: Outline,
}

/// How far skin and clothes reach from the joints that move them.
struct Outline {
    /// Per joint, in bone space; empty for one that moves nothing.
    joints: Vec<Bounds>,
}

impl Framing {
    /// Chooses the distance by the whole clip; without one, by the pose the character was made in.
    ///
    /// `aspect`: width over height of the picture.
    pub fn new(show: &Show, clip_ix: Option<usize>, wanted: Wanted, aspect: f32) -> Self {
        let outline = Outline::of(show);
        let seen = outline.over(&show.avatar, clip_ix);
        let all = seen.iter().copied().fold(Bounds::EMPTY, Bounds::union);
        let middle = if all.is_some() {
            all.centre()
        } else {
            Vec3::ZERO
        };
        let mut camera = Camera {
            target: middle,
            ..Camera::default()
        };
        camera.step_back(&seen, aspect);
        Self {
            camera,
            wanted,
            middle,
            outline,
        }
    }

    /// The camera for a character whose bones are there.
    pub fn camera(&self, world_from_bone: &[Mat4]) -> Camera {
        let here = self.outline.place(world_from_bone);
        self.wanted.put(Camera {
            target: here + self.middle,
            ..self.camera
        })
    }
}

impl Outline {
    fn of(show: &Show) -> Self {
        let joints = &show.avatar.skeleton.joints;
        let garments = show.garments.iter().map(|garment| &garment.mesh);
        let mut bounds = vec![Bounds::EMPTY; joints.len()];
        for mesh in std::iter::once(&show.avatar.skin).chain(garments) {
            widen(&mut bounds, mesh, joints);
        }
        Self { joints: bounds }
    }

    /// Where the character is: in the middle of the joints that move something, on the ground.
    fn place(&self, world_from_bone: &[Mat4]) -> Vec3 {
        let bones = self.moving(world_from_bone);
        let origins: Vec<Vec3> = bones.map(|(_, bone)| bone.w_axis.truncate()).collect();
        let middle = origins.iter().sum::<Vec3>() / origins.len().max(1) as f32;
        Vec3::new(middle.x, 0.0, middle.z)
    }

    /// A box per joint and look at the clip, from where the character is then.
    fn over(&self, avatar: &Avatar, clip_ix: Option<usize>) -> Vec<Bounds> {
        let poses = palettes(avatar, clip_ix);
        let boxes = poses.iter().flat_map(|palette| {
            let bones = &palette.world_from_bone;
            let from_here = Mat4::from_translation(-self.place(bones));
            self.moving(bones)
                .map(move |(bounds, bone)| bounds.transformed(from_here * *bone))
        });
        boxes.filter(|bounds| bounds.is_some()).collect()
    }

    fn moving<'a>(
        &'a self,
        world_from_bone: &'a [Mat4],
    ) -> impl Iterator<Item = (&'a Bounds, &'a Mat4)> {
        let bones = self.joints.iter().zip(world_from_bone);
        bones.filter(|(bounds, _)| bounds.is_some())
    }
}

fn widen(bounds: &mut [Bounds], mesh: &SkinMesh, joints: &[Joint]) {
    for (sum, own) in bounds.iter_mut().zip(mesh.joint_bounds(joints)) {
        *sum = sum.union(own);
    }
}

fn palettes(avatar: &Avatar, clip_ix: Option<usize>) -> Vec<Palette> {
    let skeleton = &avatar.skeleton;
    let Some(clip) = clip_ix.and_then(|ix| avatar.clips.get(ix)) else {
        return vec![Palette::bind(skeleton)];
    };
    let looks = ((clip.duration * SAMPLES_PER_SECOND).ceil() as usize).clamp(1, MAX_SAMPLES);
    let pose_at = |look: usize| {
        let seconds = clip.duration * look as f32 / looks as f32;
        Palette::new(
            skeleton,
            &Pose::sample(clip, skeleton, seconds),
            Mat4::IDENTITY,
        )
    };
    (0..=looks).map(pose_at).collect()
}
