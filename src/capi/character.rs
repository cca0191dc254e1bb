//! Characters.

use std::ffi::c_char;
use std::mem::offset_of;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};

use super::border::{
    Failure, RfResult, Versioned, fill, given, guard, hand_over, list, read, room, take_back,
};
use super::matrices::{from_floats, to_floats};
use crate::avatar::{Avatar, Joint, MAX_INFLUENCES, Node, Part, SkinMesh, Transform};
use crate::pose::{Palette, Pose, bind_pose};

/// A skinned character.
pub struct RfAvatar(pub(super) Arc<Avatar>);

/// How large a character is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfAvatarInfo {
    /// `sizeof(RfAvatarInfo)`.
    pub struct_size: u32,
    pub vertex_count: u32,
    /// To draw: of the body, and then of what cloth never meets.
    pub triangle_count: u32,
    pub joint_count: u32,
    pub clip_count: u32,
    /// Runs of triangles of one colour.
    pub part_count: u32,
    /// What the file brings along to wear.
    pub garment_count: u32,
}

// SAFETY: as it says.
unsafe impl Versioned for RfAvatarInfo {
    const MIN_BYTES: usize = offset_of!(Self, garment_count);
}

/// A run of triangles of one colour.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfPart {
    /// `sizeof(RfPart)`.
    pub struct_size: u32,
    pub first_triangle: u32,
    pub triangle_count: u32,
    /// Linear RGBA.
    pub base_colour: [f32; 4],
}

// SAFETY: as it says.
unsafe impl Versioned for RfPart {
    const MIN_BYTES: usize = size_of::<Self>();
}

/// A skinned mesh of the host, in its bind pose, +Y up, in metres. Lists are tightly packed and copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RfMesh {
    /// `sizeof(RfMesh)`.
    pub struct_size: u32,
    pub vertex_count: u32,
    /// 3 per vertex.
    pub positions: *const f32,
    /// 3 per vertex, of unit length.
    pub normals: *const f32,
    /// 8 per vertex; unused ones have weight 0.
    pub joints: *const u16,
    /// 8 per vertex; need not be sorted nor sum to one.
    pub weights: *const f32,
    /// 3 per triangle, counter-clockwise seen from outside.
    pub indices: *const u32,
    pub triangle_count: u32,
    pub joint_count: u32,
    /// 16 per joint: the inverse bind matrices.
    pub bone_from_bind: *const f32,
    /// One per joint: the joint it hangs under, smaller than its own number, or -1.
    pub parents: *const i32,
    /// One per joint, null-terminated UTF-8, or NULL for all of them: garments are cut by the names of a person's joints, or by
    /// where the joints are.
    pub names: *const *const c_char,
    /// 2 per vertex, or NULL: which way a garment's threads run. Without, it is as soft one way as the other.
    pub uvs: *const f32,
}

// SAFETY: as it says: pointers may be null.
unsafe impl Versioned for RfMesh {
    const MIN_BYTES: usize = offset_of!(Self, uvs);
}

/// The mannequin that comes with the library, 1.75 m tall. Takes the feature `authoring`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_mannequin(out: *mut *mut RfAvatar) -> RfResult {
    // SAFETY: guaranteed by the caller.
    guard(|| unsafe { hand_over(out, RfAvatar(Arc::new(mannequin()?)), "out") })
}

#[cfg(feature = "authoring")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature it fails")]
fn mannequin() -> Result<Avatar, Failure> {
    Ok(crate::avatar::builtin::load_mannequin())
}

#[cfg(not(feature = "authoring"))]
fn mannequin() -> Result<Avatar, Failure> {
    Err(Failure::not_built("authoring"))
}

/// A character out of the bytes of a .glb file, or of a .gltf that needs no other files. `metres_per_unit`: 0 for 1.
/// Takes the feature `import`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_from_gltf(
    bytes: *const u8,
    byte_count: usize,
    metres_per_unit: f32,
    out: *mut *mut RfAvatar,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let bytes = unsafe { list(bytes, byte_count, "bytes")? };
        let scale = (metres_per_unit != 0.0).then_some(metres_per_unit);
        let avatar = import(bytes, scale)?;
        // SAFETY: as above.
        unsafe { hand_over(out, RfAvatar(Arc::new(avatar)), "out") }
    })
}

#[cfg(feature = "import")]
fn import(bytes: &[u8], scale: Option<f32>) -> Result<Avatar, Failure> {
    Ok(crate::avatar::from_slice(
        bytes,
        &crate::avatar::ImportOptions { scale },
    )?)
}

#[cfg(not(feature = "import"))]
fn import(_: &[u8], _: Option<f32>) -> Result<Avatar, Failure> {
    Err(Failure::not_built("import"))
}

/// A character defined by the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_from_mesh(
    mesh: *const RfMesh,
    out: *mut *mut RfAvatar,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let avatar = unsafe { avatar_of(&read(mesh, "mesh")?)? };
        avatar.validate()?;
        // SAFETY: as above.
        unsafe { hand_over(out, RfAvatar(Arc::new(avatar)), "out") }
    })
}

unsafe fn avatar_of(mesh: &RfMesh) -> Result<Avatar, Failure> {
    let joints = mesh.joint_count as usize;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let bind = list(mesh.bone_from_bind, 16 * joints, "bone_from_bind")?;
        let bind: Vec<_> = from_floats(bind).collect();
        let parents = list(mesh.parents, joints, "parents")?;
        let mut avatar = Avatar {
            name: "character".to_owned(),
            parts: vec![Part {
                triangles: 0..mesh.triangle_count,
                base_colour: [0.8, 0.8, 0.8, 1.0],
                texture_ix: None,
                alpha_cutoff: 0.0,
            }],
            skin: skin_of(mesh)?,
            ..Avatar::default()
        };
        for (node_ix, &bone_from_bind) in bind.iter().enumerate() {
            avatar.skeleton.nodes.push(Node {
                name: name_of(mesh.names, node_ix)?,
                parent: parent_of(parents[node_ix], node_ix)?,
                rest: rest_of(&bind, parents[node_ix], node_ix),
            });
            avatar.skeleton.joints.push(Joint {
                node_ix,
                bone_from_bind,
            });
        }
        Ok(avatar)
    }
}

/// The mesh alone, without its joints.
pub(super) unsafe fn skin_of(mesh: &RfMesh) -> Result<SkinMesh, Failure> {
    let (vertices, triangles) = (mesh.vertex_count as usize, mesh.triangle_count as usize);
    // SAFETY: guaranteed by the caller.
    unsafe {
        let weights = list(mesh.weights, MAX_INFLUENCES * vertices, "weights")?;
        let influences = list(mesh.joints, MAX_INFLUENCES * vertices, "joints")?;
        let (joints, weights): (Vec<_>, Vec<_>) = influences
            .chunks_exact(MAX_INFLUENCES)
            .zip(weights.chunks_exact(MAX_INFLUENCES))
            .map(|(joints, weights)| sorted(joints, weights))
            .unzip();
        Ok(SkinMesh {
            positions: vectors(list(mesh.positions, 3 * vertices, "positions")?),
            normals: vectors(list(mesh.normals, 3 * vertices, "normals")?),
            uvs: match mesh.uvs.is_null() {
                true => vec![Vec2::ZERO; vertices],
                false => {
                    let uvs = list(mesh.uvs, 2 * vertices, "uvs")?;
                    uvs.chunks_exact(2).map(Vec2::from_slice).collect()
                }
            },
            joints,
            weights,
            triangles: triples(list(mesh.indices, 3 * triangles, "indices")?),
        })
    }
}

/// Strongest first, summing to one.
fn sorted(joints: &[u16], weights: &[f32]) -> ([u16; MAX_INFLUENCES], [f32; MAX_INFLUENCES]) {
    let mut pairs: [_; MAX_INFLUENCES] = std::array::from_fn(|ix| (joints[ix], weights[ix]));
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sum: f32 = pairs.iter().map(|pair| pair.1).sum();
    (
        pairs.map(|(joint, weight)| if weight > 0.0 { joint } else { 0 }),
        pairs.map(|(_, weight)| weight / sum),
    )
}

pub(super) fn vectors(floats: &[f32]) -> Vec<Vec3> {
    floats.chunks_exact(3).map(Vec3::from_slice).collect()
}

pub(super) fn triples(indices: &[u32]) -> Vec<[u32; 3]> {
    let triple = |corners: &[u32]| [corners[0], corners[1], corners[2]];
    indices.chunks_exact(3).map(triple).collect()
}

unsafe fn name_of(names: *const *const c_char, joint_ix: usize) -> Result<String, Failure> {
    if names.is_null() {
        return Ok(format!("joint {joint_ix}"));
    }
    // SAFETY: guaranteed by the caller.
    let name = unsafe {
        let name = *names.add(joint_ix);
        given(name, "a joint's name")?;
        std::ffi::CStr::from_ptr(name)
    };
    Ok(name.to_string_lossy().into_owned())
}

fn parent_of(parent: i32, joint_ix: usize) -> Result<Option<usize>, Failure> {
    match usize::try_from(parent) {
        Ok(parent) if parent >= joint_ix => Err(Failure::invalid(format!(
            "parents: joint {joint_ix} hangs under joint {parent}, which does not come before it"
        ))),
        Ok(parent) => Ok(Some(parent)),
        Err(_) => Ok(None),
    }
}

/// How a joint stands in its parent in the bind pose.
fn rest_of(bind: &[Mat4], parent: i32, joint_ix: usize) -> Transform {
    let bind_from_bone = bind[joint_ix].inverse();
    let parent = usize::try_from(parent).ok().and_then(|ix| bind.get(ix));
    let rest = parent.map_or(bind_from_bone, |&parent| parent * bind_from_bone);
    match rest.is_finite() {
        true => Transform::from_mat4(rest),
        false => Transform::IDENTITY,
    }
}

/// How large the character is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_info(
    avatar: *const RfAvatar,
    out: *mut RfAvatarInfo,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfAvatar(avatar) = unsafe { given(avatar, "avatar")? };
        let info = RfAvatarInfo {
            struct_size: 0,
            vertex_count: avatar.skin.positions.len() as u32,
            triangle_count: (avatar.skin.triangles.len() + avatar.ornaments.len()) as u32,
            joint_count: avatar.skeleton.joints.len() as u32,
            clip_count: avatar.clips.len() as u32,
            part_count: avatar.parts.len() as u32,
            garment_count: avatar.garments.len() as u32,
        };
        // SAFETY: as above.
        unsafe { fill(out, info, "out") }
    })
}

/// One of the character's parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_part(
    avatar: *const RfAvatar,
    part_index: u32,
    out: *mut RfPart,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfAvatar(avatar) = unsafe { given(avatar, "avatar")? };
        let part = avatar.parts.get(part_index as usize).ok_or_else(|| {
            let count = avatar.parts.len();
            Failure::invalid(format!("there is no part {part_index} of {count}"))
        })?;
        let part = RfPart {
            struct_size: 0,
            first_triangle: part.triangles.start,
            triangle_count: part.triangles.len() as u32,
            base_colour: part.base_colour,
        };
        // SAFETY: as above.
        unsafe { fill(out, part, "out") }
    })
}

/// Copies the indices of the character's triangles: 3 per triangle, into room for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_indices(
    avatar: *const RfAvatar,
    out: *mut u32,
    capacity: usize,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfAvatar(avatar) = unsafe { given(avatar, "avatar")? };
        // SAFETY: as above.
        unsafe { copy_indices(&avatar.drawn_triangles(), out, capacity) }
    })
}

pub(super) unsafe fn copy_indices(
    triangles: &[[u32; 3]],
    out: *mut u32,
    capacity: usize,
) -> Result<(), Failure> {
    let indices = triangles.as_flattened();
    // SAFETY: guaranteed by the caller.
    let out = unsafe { room(out, capacity, indices.len(), "out")? };
    out.copy_from_slice(indices);
    Ok(())
}

/// Where the joints are at a time of a clip: 16 floats each, world from bone, into room for `capacity` floats.
///
/// `ease` goes from the pose that clothes are made in, 0, to the clip's, 1: ease in before a clip plays. `world_from_root`
/// places the character; NULL leaves it where it is. Hosts with an animation of their own don't need this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_pose(
    avatar: *const RfAvatar,
    clip_index: u32,
    seconds: f32,
    ease: f32,
    world_from_root: *const f32,
    out: *mut f32,
    capacity: usize,
) -> RfResult {
    guard(|| {
        // SAFETY: guaranteed by the caller.
        let RfAvatar(avatar) = unsafe { given(avatar, "avatar")? };
        let skeleton = &avatar.skeleton;
        let clip = avatar.clips.get(clip_index as usize).ok_or_else(|| {
            let count = avatar.clips.len();
            Failure::invalid(format!("there is no clip {clip_index} of {count}"))
        })?;
        let root = match world_from_root.is_null() {
            true => Mat4::IDENTITY,
            // SAFETY: as above.
            false => {
                Mat4::from_cols_slice(unsafe { list(world_from_root, 16, "world_from_root")? })
            }
        };
        let pose = Pose::sample(clip, skeleton, seconds);
        let pose = Pose::blend(&bind_pose(skeleton), &pose, ease.clamp(0.0, 1.0));
        let bones = Palette::new(skeleton, &pose, root).world_from_bone;
        // SAFETY: as above.
        let out = unsafe { room(out, capacity, 16 * bones.len(), "out")? };
        to_floats(&bones, out);
        Ok(())
    })
}

/// Gives a character back; NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rf_avatar_destroy(avatar: *mut RfAvatar) {
    // SAFETY: guaranteed by the caller.
    unsafe { take_back(avatar) }
}

#[cfg(all(test, feature = "authoring"))]
mod tests {
    use super::*;
    use crate::avatar::NamedSkin;
    use crate::avatar::builtin::load_mannequin;
    use crate::capi::{rf_avatar_garment, rf_garment_destroy};

    fn info_of(avatar: &RfAvatar) -> RfAvatarInfo {
        // SAFETY: zeros are a struct without values.
        let mut info: RfAvatarInfo = unsafe { std::mem::zeroed() };
        info.struct_size = size_of::<RfAvatarInfo>() as u32;
        // SAFETY: both are valid.
        assert_eq!(
            unsafe { rf_avatar_info(avatar, &raw mut info) },
            RfResult::Ok
        );
        info
    }

    /// Two-sided skin and what a character carries are drawn, and no part of the body.
    #[test]
    fn parts_lie_among_the_indices_that_are_given() {
        let mut avatar = load_mannequin();
        let all = avatar.skin.triangles.clone();
        avatar.set_aside(|ix| ix % 3 == 0);
        let avatar = RfAvatar(Arc::new(avatar));
        let info = info_of(&avatar);
        assert_eq!(info.triangle_count as usize, all.len());
        let mut indices = vec![0; 3 * all.len()];
        // SAFETY: there is room for as many.
        let copied = unsafe { rf_avatar_indices(&avatar, indices.as_mut_ptr(), indices.len()) };
        assert_eq!(copied, RfResult::Ok);
        let mut given = triples(&indices);
        let mut wanted = all;
        given.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(given, wanted);
        let mut end = 0;
        for part_ix in 0..info.part_count {
            // SAFETY: zeros are a struct without values.
            let mut part: RfPart = unsafe { std::mem::zeroed() };
            part.struct_size = size_of::<RfPart>() as u32;
            // SAFETY: both are valid.
            let found = unsafe { rf_avatar_part(&avatar, part_ix, &raw mut part) };
            assert_eq!((found, part.first_triangle), (RfResult::Ok, end));
            end += part.triangle_count;
        }
        assert_eq!(end, info.triangle_count);
    }

    #[test]
    fn what_a_file_brings_along_can_be_worn() {
        let mut avatar = load_mannequin();
        let mut mesh = avatar.skin.clone();
        mesh.triangles.truncate(100);
        avatar.garments.push(NamedSkin {
            name: "patch".to_owned(),
            mesh,
            motion: Vec::new(),
            parts: Vec::new(),
        });
        let avatar = RfAvatar(Arc::new(avatar));
        assert_eq!(info_of(&avatar).garment_count, 1);
        let mut garment = std::ptr::null_mut();
        // SAFETY: all is valid, and what comes back is given back once.
        unsafe {
            assert_eq!(
                rf_avatar_garment(&avatar, 0, &raw mut garment),
                RfResult::Ok
            );
            assert_eq!((*garment).0.name, "patch");
            assert_eq!((*garment).0.mesh.triangles.len(), 100);
            rf_garment_destroy(garment);
            assert_eq!(
                rf_avatar_garment(&avatar, 1, &raw mut garment),
                RfResult::InvalidArgument
            );
        }
    }
}
