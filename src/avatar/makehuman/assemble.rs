//! From the data folder to finished characters.

use super::obj::BaseMesh;
use super::paint::{self, Landmarks};
use super::rig::{self, Rig};
use super::seal::{self, Eyeball};
use super::shape::{Gender, Shape};
use super::surface::{Region, Surface};
use super::weights::{self, WeightFile};
use super::{MakeHumanError, targets, texture};
use crate::avatar::resample;
use crate::avatar::{Avatar, Joint, Part, Skeleton, SkinMesh, Texture};
use crate::math::cut::{Cut, EdgePoint, cut};
use crate::math::simplify::{Evenness, Respect, simplify};
use glam::{Vec2, Vec3};
use std::path::{Path, PathBuf};

/// Rounds of relaxation: each evens out folds of about one edge's length, 6 mm. Usual 5 to 20; more flattens the chest.
const CLOTH_ROUNDS: usize = 20;
/// Rounds of smoothing of the rig's weights over the base mesh, whose rings round a limb are 1 to 3 cm apart, and the
/// share of a vertex that its neighbours replace. More rounds bend rounder and lose volume.
const WEIGHT_ROUNDS: usize = 5;
const WEIGHT_SHARE: f32 = 0.5;

/// What the simplification pays for changes in [`Body::attributes`]: for normals usually 0.001 to 0.01 (0 lets folds go
/// flat, more leaves thin triangles), for the mean joint's place, in metres, 0.01 to 0.1 (more starves the trunk).
const ATTRIBUTE_COSTS: [f32; 6] = [0.002, 0.002, 0.002, 0.02, 0.02, 0.02];

/// A vertex nearer to a region's outline than this share of an edge goes onto it. Usual 0.1 to 0.3: less leaves slivers, more distorts
/// the mesh along the outline.
const SNAP: f32 = 0.25;

/// How much larger the simplification sees the head. Usual 1.5 to 3; more leaves the trunk coarse.
const HEAD_GAIN: f32 = 2.5;

/// How much more normals cost round eyes and mouth, which a face is judged by. Usual 2 to 6.
const FINE_GAIN: f32 = 4.0;

/// What we read of the data folder, once for all characters.
pub struct Source {
    folder: PathBuf,
    base: BaseMesh,
    rig: Rig,
    weights: WeightFile,
}

/// The files of the data folder that every character is made of, besides the targets its shape names.
pub const FILES: [&str; 3] = [
    "3dobjs/base.obj",
    "rigs/standard/rig.game_engine.json",
    "rigs/standard/weights.game_engine.json",
];

impl Source {
    /// Reads base mesh, rig and weights from the folder `mpfb2` of the data.
    ///
    /// # Errors
    /// [`MakeHumanError::Unreadable`], [`MakeHumanError::Malformed`] or [`MakeHumanError::BadJson`].
    pub fn open(folder: &Path) -> Result<Self, MakeHumanError> {
        let [mesh, rig, weights] = FILES.map(|file| folder.join(file));
        Ok(Self {
            folder: folder.to_owned(),
            base: BaseMesh::parse(&text(&mesh)?)?,
            rig: json(&rig)?,
            weights: json(&weights)?,
        })
    }

    /// A character of this shape, at full resolution.
    ///
    /// # Errors
    /// Any of [`MakeHumanError`], when the data is not the pinned one.
    pub fn human(&self, shape: &Shape) -> Result<Human, MakeHumanError> {
        let body_vertex_count = self
            .base
            .vertices("body")?
            .last()
            .map_or(0, |&ix| ix as usize + 1);
        let positions = self.shaped(shape, body_vertex_count)?;
        let skeleton = rig::skeleton(&self.rig, &self.base, &positions)?;
        let rows = self.smooth_rows(&skeleton, body_vertex_count)?;
        let (surface, eyes) = seal::sealed_body(&self.base, &positions, body_vertex_count)?;
        let landmarks = landmarks(&skeleton, shape, eyes)?;
        let mut body = Body::refined(&surface, &rows, skeleton.joints.len(), &eyes);
        let textures = body.paint(&landmarks);
        Ok(Human {
            gender: shape.gender,
            skeleton,
            body,
            textures,
        })
    }

    /// The base mesh's weights, smoothed where no finger is: the wrists and shoulders of the rig bend too sharply.
    fn smooth_rows(
        &self,
        skeleton: &Skeleton,
        body_vertex_count: usize,
    ) -> Result<Vec<f32>, MakeHumanError> {
        let rows = self.weights.rows(skeleton, body_vertex_count)?;
        let joint_count = skeleton.joints.len();
        let is_finger = |joint: &Joint| {
            let name = &skeleton.nodes[joint.node_ix].name;
            ["thumb", "index", "middle", "ring", "pinky"]
                .iter()
                .any(|finger| name.starts_with(finger))
        };
        let fingers: Vec<bool> = skeleton.joints.iter().map(is_finger).collect();
        let finger_weight = |row: &[f32]| {
            row.iter()
                .zip(&fingers)
                .filter(|(_, is)| **is)
                .map(|(weight, _)| weight)
                .sum::<f32>()
        };
        let share: Vec<f32> = rows
            .chunks_exact(joint_count)
            .map(|row| WEIGHT_SHARE * (1.0 - finger_weight(row)).max(0.0))
            .collect();
        let around = neighbours(self.base.faces("body")?, body_vertex_count);
        Ok(weights::smooth(
            &rows,
            joint_count,
            &around,
            &share,
            WEIGHT_ROUNDS,
        ))
    }

    /// All vertices of the base mesh in metres, soles at y = 0, the pelvis over the origin.
    fn shaped(&self, shape: &Shape, body_vertex_count: usize) -> Result<Vec<Vec3>, MakeHumanError> {
        let mut positions = self.base.positions.clone();
        for (path, weight) in shape.targets() {
            let target = targets::read(&self.folder.join("targets").join(path), positions.len())?;
            targets::apply(&target, weight, &mut positions);
        }
        let heights = positions[..body_vertex_count].iter().map(|p| p.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let pelvis = self
            .rig
            .get("pelvis")
            .ok_or_else(|| MakeHumanError::NoBone {
                name: "pelvis".to_owned(),
            })?;
        let origin = Vec3::new(0.0, low, pelvis.head.point(&self.base, &positions)?.z);
        let scale = shape.stature / (high - low);
        Ok(positions
            .into_iter()
            .map(|p| (p - origin) * scale)
            .collect())
    }
}

fn text(path: &Path) -> Result<String, MakeHumanError> {
    std::fs::read_to_string(path).map_err(|reason| MakeHumanError::Unreadable {
        path: path.to_owned(),
        reason,
    })
}

fn json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, MakeHumanError> {
    serde_json::from_str(&text(path)?).map_err(|reason| MakeHumanError::BadJson {
        path: path.to_owned(),
        reason,
    })
}

/// The index of a joint and where it is.
fn joint(skeleton: &Skeleton, name: &str) -> Result<(usize, Vec3), MakeHumanError> {
    let column = weights::column_of(skeleton, name).ok_or_else(|| MakeHumanError::NoBone {
        name: name.to_owned(),
    })?;
    Ok((column, place(&skeleton.joints[column])))
}

fn place(joint: &Joint) -> Vec3 {
    -joint.bone_from_bind.w_axis.truncate()
}

fn landmarks(
    skeleton: &Skeleton,
    shape: &Shape,
    eyes: [Eyeball; 2],
) -> Result<Landmarks, MakeHumanError> {
    let place = |name: &str| joint(skeleton, name).map(|(_, place)| place);
    Ok(Landmarks {
        gender: shape.gender,
        stature: shape.stature,
        eyes,
        head: place("head")?,
        pelvis: place("pelvis")?,
        chest: place("spine_03")?,
        thigh: place("thigh_l")?,
        upperarm: place("upperarm_l")?,
    })
}

/// A shaped character before it is simplified.
pub struct Human {
    gender: Gender,
    pub skeleton: Skeleton,
    body: Body,
    textures: Vec<Texture>,
}

impl Human {
    /// The character with at most `triangle_count` triangles, without motion.
    ///
    /// # Errors
    /// [`MakeHumanError::Simplify`] when the count is too small for its regions' outlines.
    pub fn avatar(&self, name: &str, triangle_count: usize) -> Result<Avatar, MakeHumanError> {
        let body = &self.body;
        let parts: Vec<u8> = body.regions.iter().map(|&region| region as u8).collect();
        let locked = vec![false; body.positions.len()];
        let attributes = body.attributes(&self.skeleton);
        let respect = Respect {
            parts: &parts,
            locked: &locked,
            attributes: &attributes,
            costs: &ATTRIBUTE_COSTS,
            evenness: Evenness::ByShape,
        };
        let seen = body.with_enlarged_head(&self.skeleton)?;
        let coarse = simplify(&seen, &body.triangles, &respect, triangle_count)?;
        let pick = |ix: &u32| *ix as usize;
        let (joints, weights) = coarse
            .kept
            .iter()
            .map(|ix| weights::strongest(body.row(pick(ix))))
            .unzip();
        let (triangles, parts) = grouped(&coarse.triangles, &coarse.parts, self.gender);
        Ok(Avatar {
            name: name.to_owned(),
            skeleton: self.skeleton.clone(),
            skin: SkinMesh {
                positions: coarse
                    .kept
                    .iter()
                    .map(|ix| body.positions[pick(ix)])
                    .collect(),
                normals: coarse
                    .kept
                    .iter()
                    .map(|ix| body.normals[pick(ix)])
                    .collect(),
                uvs: coarse.kept.iter().map(|ix| body.uvs[pick(ix)]).collect(),
                joints,
                weights,
                triangles,
            },
            parts,
            textures: self.textures.clone(),
            ..Avatar::default()
        })
    }
}

/// The triangles sorted by region, and the range of each region that has any.
fn grouped(triangles: &[[u32; 3]], regions: &[u8], gender: Gender) -> (Vec<[u32; 3]>, Vec<Part>) {
    let (mut sorted, mut parts) = (Vec::with_capacity(triangles.len()), Vec::new());
    for region in Region::ALL {
        let start = sorted.len() as u32;
        let own = triangles
            .iter()
            .zip(regions)
            .filter(|&(_, &of)| of == region as u8);
        sorted.extend(own.map(|(triangle, _)| *triangle));
        let range = start..sorted.len() as u32;
        if !range.is_empty() {
            let texture_ix = texture::picture_of(region);
            let own = paint::colour(region, gender);
            parts.push(Part {
                triangles: range,
                base_colour: texture_ix.map_or(own, |_| [1.0; 4]),
                texture_ix,
                alpha_cutoff: 0.0,
            });
        }
    }
    (sorted, parts)
}

/// The fine triangle mesh of a body.
struct Body {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Weights: one row per vertex, one column per joint.
    rows: Vec<f32>,
    joint_count: usize,
    triangles: Vec<[u32; 3]>,
    /// One per triangle.
    regions: Vec<Region>,
    /// Where vertices are in their region's picture, once it is painted; one per vertex.
    uvs: Vec<Vec2>,
}

impl Body {
    /// One step of subdivision; `base_rows` are the weights of the base mesh's vertices.
    fn refined(
        surface: &Surface,
        base_rows: &[f32],
        joint_count: usize,
        eyes: &[Eyeball; 2],
    ) -> Self {
        let cage_rows = resample::blend_rows(&surface.sources, base_rows, joint_count);
        let refinement = resample::catmull_clark(&surface.faces, surface.positions.len());
        let mut positions = resample::blend_points(&refinement.stencils, &surface.positions);
        let quad_regions: Vec<Region> = refinement
            .parents
            .iter()
            .map(|&parent| surface.regions[parent as usize])
            .collect();
        round_eyes(&mut positions, &refinement.quads, &quad_regions, eyes);
        let triangles: Vec<[u32; 3]> = refinement
            .quads
            .iter()
            .flat_map(|&quad| split(quad, &positions))
            .collect();
        Self {
            normals: resample::vertex_normals(&positions, &triangles),
            rows: resample::blend_rows(&refinement.stencils, &cage_rows, joint_count),
            joint_count,
            regions: quad_regions
                .iter()
                .flat_map(|&region| [region; 2])
                .collect(),
            triangles,
            uvs: vec![Vec2::ZERO; positions.len()],
            positions,
        }
    }

    fn row(&self, ix: usize) -> &[f32] {
        &self.rows[ix * self.joint_count..][..self.joint_count]
    }

    /// Position and weights of a point on an edge.
    fn at(&self, point: &EdgePoint) -> (Vec3, Vec<f32>) {
        let (a, b) = (point.a as usize, point.b as usize);
        let row = self
            .row(a)
            .iter()
            .zip(self.row(b))
            .map(|(from, to)| from + (to - from) * point.t);
        (
            self.positions[a].lerp(self.positions[b], point.t),
            row.collect(),
        )
    }

    /// The positions that the simplification measures its errors on: in the face a millimetre shows more than elsewhere.
    fn with_enlarged_head(&self, skeleton: &Skeleton) -> Result<Vec<Vec3>, MakeHumanError> {
        let (column, place) = joint(skeleton, "head")?;
        let enlarged = |(ix, &position): (usize, &Vec3)| {
            let gain = (HEAD_GAIN - 1.0) * self.row(ix)[column];
            position + (position - place) * gain
        };
        Ok(self.positions.iter().enumerate().map(enlarged).collect())
    }

    /// For each vertex its normal, and where the joints that move it are on average: the latter changes where the body
    /// bends, and nowhere else, so that bends keep their triangles.
    fn attributes(&self, skeleton: &Skeleton) -> Vec<f32> {
        let places: Vec<Vec3> = skeleton.joints.iter().map(place).collect();
        let is_fine = self
            .touched_by(|region| matches!(region, Region::Lips | Region::Lash | Region::EyeWhite));
        let gain = |ix: usize| if is_fine[ix] { FINE_GAIN } else { 1.0 };
        let pull = |ix| {
            self.row(ix)
                .iter()
                .zip(&places)
                .map(|(weight, place)| *weight * *place)
                .sum::<Vec3>()
        };
        let of_vertex = |(ix, normal): (usize, &Vec3)| {
            [(*normal * gain(ix)).to_array(), pull(ix).to_array()].concat()
        };
        self.normals
            .iter()
            .enumerate()
            .flat_map(of_vertex)
            .collect()
    }

    /// Cuts the regions' outlines into the mesh and lets the hair stand off the scalp. Returns the pictures of regions that have one.
    fn paint(&mut self, landmarks: &Landmarks) -> Vec<Texture> {
        for (region, out_of) in paint::CUTS {
            let level: Vec<f32> = self
                .positions
                .iter()
                .map(|&p| landmarks.level(region, p))
                .collect();
            let cut = cut(&self.triangles, &level, SNAP);
            self.apply(cut, region, out_of);
        }
        self.smooth_cloth();
        self.normals = resample::vertex_normals(&self.positions, &self.triangles);
        let textures = self.lay_pictures(landmarks);
        self.raise_hair(landmarks);
        self.normals = resample::vertex_normals(&self.positions, &self.triangles);
        textures
    }

    /// Finds each vertex's place in its region's picture, and makes the pictures. Regions that have one do not meet.
    fn lay_pictures(&mut self, landmarks: &Landmarks) -> Vec<Texture> {
        self.uvs = vec![Vec2::ZERO; self.positions.len()];
        let mut scalp = Vec::new();
        for (triangle, &region) in self.triangles.iter().zip(&self.regions) {
            if texture::picture_of(region).is_none() {
                continue;
            }
            let corners = triangle.map(|ix| {
                let position = self.positions[ix as usize];
                let place = landmarks.place_in_picture(region, position);
                self.uvs[ix as usize] = place;
                (place, landmarks.hair(position))
            });
            if region == Region::Hair {
                scalp.push(corners);
            }
        }
        texture::pictures(landmarks, &scalp)
    }

    fn apply(&mut self, cut: Cut, region: Region, out_of: Region) {
        let added: Vec<_> = cut.points.iter().map(|point| self.at(point)).collect();
        let moved: Vec<_> = cut.moved.iter().map(|point| self.at(point)).collect();
        for (point, (position, row)) in cut.moved.iter().zip(moved) {
            let ix = point.a as usize;
            self.positions[ix] = position;
            self.rows[ix * self.joint_count..][..self.joint_count].copy_from_slice(&row);
        }
        for (position, row) in added {
            self.positions.push(position);
            self.rows.extend(row);
        }
        self.triangles = cut.triangles;
        let recoloured = |(&parent, &inside): (&u32, &bool)| {
            let before = self.regions[parent as usize];
            if inside && before == out_of {
                region
            } else {
                before
            }
        };
        self.regions = cut
            .parents
            .iter()
            .zip(&cut.inside)
            .map(recoloured)
            .collect();
    }

    /// Whether each vertex has a triangle of such a region.
    fn touched_by(&self, is_such: impl Fn(Region) -> bool) -> Vec<bool> {
        let mut touched = vec![false; self.positions.len()];
        for (triangle, _) in self
            .triangles
            .iter()
            .zip(&self.regions)
            .filter(|(_, region)| is_such(**region))
        {
            triangle.iter().for_each(|&ix| touched[ix as usize] = true);
        }
        touched
    }

    /// Underwear does not follow every fold of the skin: relaxes the vertices that only cloth touches.
    fn smooth_cloth(&mut self) {
        let elsewhere = self.touched_by(|region| region != Region::Cloth);
        let faces: Vec<Vec<u32>> = self
            .triangles
            .iter()
            .map(|triangle| triangle.to_vec())
            .collect();
        let around = neighbours(&faces, self.positions.len());
        for _ in 0..CLOTH_ROUNDS {
            let before = self.positions.clone();
            for (ix, position) in self
                .positions
                .iter_mut()
                .enumerate()
                .filter(|(ix, _)| !elsewhere[*ix])
            {
                let mean = around[ix]
                    .iter()
                    .map(|&other| before[other as usize])
                    .sum::<Vec3>()
                    / around[ix].len() as f32;
                *position = position.lerp(mean, 0.5);
            }
        }
    }

    fn raise_hair(&mut self, landmarks: &Landmarks) {
        let has_hair = self.touched_by(|region| region == Region::Hair);
        for (ix, _) in has_hair
            .iter()
            .enumerate()
            .filter(|(_, has_hair)| **has_hair)
        {
            let position = &mut self.positions[ix];
            *position += self.normals[ix] * landmarks.hair_thickness(*position);
        }
    }
}

/// The vertices that share an edge with each vertex, ascending.
fn neighbours(faces: &[Vec<u32>], vertex_count: usize) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::new(); vertex_count];
    for face in faces {
        for (at, &a) in face.iter().enumerate() {
            let b = face[(at + 1) % face.len()];
            around[a as usize].push(b);
            around[b as usize].push(a);
        }
    }
    for own in &mut around {
        own.sort_unstable();
        own.dedup();
    }
    around
}

/// Puts the eyes' vertices back on their spheres, which subdivision has shrunk; those on the lids stay.
fn round_eyes(positions: &mut [Vec3], quads: &[[u32; 4]], regions: &[Region], eyes: &[Eyeball; 2]) {
    let (mut on_eye, mut on_lid) = (vec![false; positions.len()], vec![false; positions.len()]);
    for (quad, region) in quads.iter().zip(regions) {
        let marks = if *region == Region::EyeWhite {
            &mut on_eye
        } else {
            &mut on_lid
        };
        quad.iter().for_each(|&ix| marks[ix as usize] = true);
    }
    for (_, position) in positions
        .iter_mut()
        .enumerate()
        .filter(|(ix, _)| on_eye[*ix] && !on_lid[*ix])
    {
        let eye = &eyes[usize::from(position.x < 0.0)];
        *position = eye.centre + (*position - eye.centre).normalize_or(Vec3::Z) * eye.radius;
    }
}

/// A quad as two triangles, along its shorter diagonal.
fn split([a, b, c, d]: [u32; 4], positions: &[Vec3]) -> [[u32; 3]; 2] {
    let length = |p: u32, q: u32| positions[p as usize].distance_squared(positions[q as usize]);
    if length(a, c) <= length(b, d) {
        [[a, b, c], [a, c, d]]
    } else {
        [[a, b, d], [b, c, d]]
    }
}
