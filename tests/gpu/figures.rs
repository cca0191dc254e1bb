//! Characters and clothes simple enough to know by heart, and poses for them.

use std::f32::consts::TAU;

use glam::{Mat4, Quat, Vec2, Vec3};
use radial_fields::avatar::{
    Avatar, Joint, MAX_INFLUENCES, Node, Part, Skeleton, SkinMesh, Transform,
};
use radial_fields::cloth::garment::{Attachment, Garment};
use radial_fields::pose::{Palette, Pose};

/// Numbers without meaning, the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// xorshift64*, from -1 to 1.
    pub fn number(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40;
        bits as f32 / (1u32 << 23) as f32 - 1.0
    }

    /// In the cube from -1 to 1.
    pub fn point(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

/// A round column of radius 0.1 m, 0.8 m high from y = 0, bending at `joint_count` joints.
pub fn column(joint_count: usize) -> Avatar {
    let outline: Vec<_> = (0..40)
        .map(|i| 0.1 * Vec2::from_angle(i as f32 * TAU / 40.0))
        .collect();
    prism("column", &outline, 0.8, joint_count)
}

/// A block 0.6 m wide (x), 0.6 m deep (z), 1.2 m high (y), on one joint: its sides are large and flat.
pub fn block() -> Avatar {
    const HALF: f32 = 0.3;
    const STEPS: usize = 20;
    let outline: Vec<_> = (0..4 * STEPS)
        .map(|i| {
            let along = (i % STEPS) as f32 / STEPS as f32 * 2.0 * HALF - HALF;
            Vec2::from_angle(TAU / 4.0 * (i / STEPS) as f32).rotate(Vec2::new(HALF, along))
        })
        .collect();
    prism("block", &outline, 1.2, 1)
}

/// A closed prism over an outline across the y axis, from y = 0 to `height`.
fn prism(name: &str, outline: &[Vec2], height: f32, joint_count: usize) -> Avatar {
    // Rings from the middle of the lower end over the side to the middle of the upper end.
    let mut rings: Vec<_> = [0.3, 0.65].map(|scale| (scale, 0.0)).to_vec();
    let side_count = (height / 0.03).round() as usize;
    rings.extend((0..=side_count).map(|i| (1.0, height * i as f32 / side_count as f32)));
    rings.extend([0.65, 0.3].map(|scale| (scale, height)));
    let mut positions: Vec<_> = rings
        .iter()
        .flat_map(|&(scale, y)| {
            outline
                .iter()
                .map(move |p| Vec3::new(scale * p.x, y, -scale * p.y))
        })
        .collect();
    let (count, last) = (outline.len() as u32, (rings.len() - 1) as u32);
    let mut triangles = Vec::new();
    let middle = positions.len() as u32;
    positions.extend([Vec3::ZERO, Vec3::Y * height]);
    for i in 0..count {
        let next = (i + 1) % count;
        triangles.push([middle, next, i]);
        triangles.push([middle + 1, last * count + i, last * count + next]);
        for ring in 0..last {
            let [a, b] = [i, next].map(|ix| ring * count + ix);
            triangles.extend([[a, b, b + count], [a, b + count, a + count]]);
        }
    }
    let (joints, weights) = chain_weights(&positions, height, joint_count);
    Avatar {
        name: name.to_owned(),
        skeleton: chain(height, joint_count),
        parts: vec![Part {
            triangles: 0..triangles.len() as u32,
            base_colour: [1.0; 4],
            texture_ix: None,
            alpha_cutoff: 0.0,
        }],
        skin: SkinMesh {
            normals: normals(&positions, &triangles),
            uvs: vec![Vec2::ZERO; positions.len()],
            positions,
            joints,
            weights,
            triangles,
        },
        ..Avatar::default()
    }
}

fn normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|ix| positions[ix as usize]);
        for &ix in triangle {
            sums[ix as usize] += (b - a).cross(c - a);
        }
    }
    sums.iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

/// Joints one above the other, each the parent of the next.
fn chain(height: f32, joint_count: usize) -> Skeleton {
    let spacing = height / joint_count as f32;
    let node = |ix: usize| Node {
        name: format!("bone{ix}"),
        parent: ix.checked_sub(1),
        rest: Transform::from_translation(if ix == 0 {
            Vec3::ZERO
        } else {
            Vec3::Y * spacing
        }),
    };
    let joint = |ix: usize| Joint {
        node_ix: ix,
        bone_from_bind: Mat4::from_translation(Vec3::NEG_Y * spacing * ix as f32),
    };
    Skeleton {
        nodes: (0..joint_count).map(node).collect(),
        joints: (0..joint_count).map(joint).collect(),
    }
}

/// Each vertex follows the two joints whose middles are next to it.
fn chain_weights(
    positions: &[Vec3],
    height: f32,
    joint_count: usize,
) -> (Vec<[u16; MAX_INFLUENCES]>, Vec<[f32; MAX_INFLUENCES]>) {
    let of = |position: &Vec3| {
        let at =
            (position.y / height * joint_count as f32 - 0.5).clamp(0.0, joint_count as f32 - 1.0);
        let (below, share) = (at.floor() as u16, at.fract());
        let mut pairs = [(below, 1.0 - share), (below + 1, share)];
        pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (mut joints, mut weights) = ([0; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
        for (ix, pair) in pairs
            .into_iter()
            .enumerate()
            .filter(|(_, pair)| pair.1 > 0.0)
        {
            (joints[ix], weights[ix]) = pair;
        }
        (joints, weights)
    };
    positions.iter().map(of).unzip()
}

/// A pose of a column: every joint turned by `turn` against the one below, the whole put at `place`.
pub fn bent(avatar: &Avatar, turn: Quat, place: Mat4) -> Palette {
    let mut pose = Pose::rest(&avatar.skeleton);
    for local in &mut pose.locals {
        local.rotation = turn;
    }
    Palette::new(&avatar.skeleton, &pose, place)
}

/// The pose of a clip.
pub fn in_clip(avatar: &Avatar, clip_ix: usize, seconds: f32) -> Palette {
    let pose = Pose::sample(&avatar.clips[clip_ix], &avatar.skeleton, seconds);
    Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY)
}

/// A pose put somewhere else.
pub fn moved(avatar: &Avatar, palette: &Palette, place: Mat4) -> Palette {
    let mut moved = palette.clone();
    for ix in 0..avatar.skeleton.joints.len() {
        moved.world_from_bone[ix] = place * palette.world_from_bone[ix];
        moved.world_from_bind[ix] = place * palette.world_from_bind[ix];
    }
    moved
}

/// Particles that nothing holds together once no constraints are solved, bound to the first joint. `points` are in
/// bind space.
pub fn loose(points: Vec<Vec3>) -> Garment {
    let triangles = (0..points.len() as u32 / 3)
        .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
        .collect();
    on_first_joint(points, triangles, Vec::new())
}

/// A level sheet of `columns` × `rows` particles, `spacing` metres apart, with its middle at `middle`, in bind space.
pub fn sheet(columns: u32, rows: u32, spacing: f32, middle: Vec3) -> Garment {
    let corner = middle - 0.5 * spacing * Vec3::new(columns as f32 - 1.0, 0.0, rows as f32 - 1.0);
    let at =
        |ix: u32| corner + spacing * Vec3::new((ix % columns) as f32, 0.0, (ix / columns) as f32);
    let quads = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |col| row * columns + col));
    let triangles = quads
        .flat_map(|a| {
            [
                [a, a + columns, a + columns + 1],
                [a, a + columns + 1, a + 1],
            ]
        })
        .collect();
    on_first_joint((0..columns * rows).map(at).collect(), triangles, Vec::new())
}

/// A tube of cloth 23 cm wide round the middle of a column, held firmly at its lower end.
pub fn sleeve() -> Garment {
    sleeve_of(0.115)
}

/// The same, of that radius in metres.
pub fn sleeve_of(radius: f32) -> Garment {
    const ROUND: u32 = 26;
    const RINGS: u32 = 16;
    let at = |ix: u32| {
        let across = radius * Vec2::from_angle((ix % ROUND) as f32 * TAU / ROUND as f32);
        Vec3::new(across.x, 0.2 + 0.028 * (ix / ROUND) as f32, -across.y)
    };
    let quads = (0..RINGS - 1).flat_map(|ring| (0..ROUND).map(move |i| (ring, i)));
    let triangles = quads
        .flat_map(|(ring, i)| {
            let [a, b] = [i, (i + 1) % ROUND].map(|i| ring * ROUND + i);
            [[a, b, b + ROUND], [a, b + ROUND, a + ROUND]]
        })
        .collect();
    let held = (0..ROUND).map(|particle_ix| Attachment {
        particle_ix,
        compliance: 0.0,
    });
    on_first_joint(
        (0..ROUND * RINGS).map(at).collect(),
        triangles,
        held.collect(),
    )
}

/// Holds two corners of a sheet to the body, one firmly, one loosely.
pub fn hang(mut garment: Garment, columns: u32) -> Garment {
    garment.attachments = [(0, 0.0), (columns - 1, 2e-2)]
        .map(|(particle_ix, compliance)| Attachment {
            particle_ix,
            compliance,
        })
        .to_vec();
    garment
}

/// A level disc of so many triangles round one particle, the first.
pub fn fan(spokes: u32, radius: f32, middle: Vec3) -> Garment {
    let rim = (0..spokes).map(|ix| {
        let at = radius * Vec2::from_angle(ix as f32 * TAU / spokes as f32);
        middle + Vec3::new(at.x, 0.0, -at.y)
    });
    let triangles = (0..spokes)
        .map(|ix| [0, 1 + ix, 1 + (ix + 1) % spokes])
        .collect();
    on_first_joint(
        std::iter::once(middle).chain(rim).collect(),
        triangles,
        Vec::new(),
    )
}

/// One garment of several pieces.
pub fn join(pieces: &[Garment]) -> Garment {
    let (mut positions, mut triangles, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for piece in pieces {
        let first = positions.len() as u32;
        positions.extend(&piece.mesh.positions);
        triangles.extend(piece.mesh.triangles.iter().map(|t| t.map(|ix| ix + first)));
        held.extend(piece.attachments.iter().map(|attachment| Attachment {
            particle_ix: attachment.particle_ix + first,
            ..*attachment
        }));
    }
    on_first_joint(positions, triangles, held)
}

fn on_first_joint(
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    attachments: Vec<Attachment>,
) -> Garment {
    let mut weights = [0.0; MAX_INFLUENCES];
    weights[0] = 1.0;
    let count = positions.len();
    Garment {
        name: "test".to_owned(),
        mesh: SkinMesh {
            positions,
            normals: vec![Vec3::Y; count],
            uvs: vec![Vec2::ZERO; count],
            joints: vec![[0; MAX_INFLUENCES]; count],
            weights: vec![weights; count],
            triangles,
        },
        attachments,
        rest_positions: Vec::new(),
        clearances: Vec::new(),
        layered: Default::default(),
        motion: Vec::new(),
        drawn: None,
        base_colour: [1.0; 4],
    }
}
