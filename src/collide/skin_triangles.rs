//! The skin's triangles and which of them share edges and corners: what the techniques that test particles against
//! triangles need to tell inside from outside.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{ColliderBody, Particles};
use crate::gpu::{Bind, Buffer, GpuError, Uploads};
use crate::math::weld::sites;
use crate::skin::SkinnedBody;

/// No triangle lies there.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// `SkinTriangle` of glsl/shared/structs.glsl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct SkinTriangle {
    /// Among the world's skinned vertices, counter-clockwise seen from outside.
    pub vertices: [u32; 3],
    /// Across the edges from corner 0, 1 and 2 to the next; [`NO_TRIANGLE`] where the skin ends.
    pub neighbours: [u32; 3],
}

/// The triangles of all bodies in the bind pose.
#[derive(Clone, Debug, Default)]
pub struct BindSkin {
    /// Metres, one a skinned vertex of the bodies.
    pub positions: Vec<Vec3>,
    /// Without those that have no area: they have no nearest point and no normal.
    pub triangles: Vec<[u32; 3]>,
    /// One a triangle: whose it is, counted from 0 in the order in which the bodies were given.
    pub bodies: Vec<u32>,
    /// One a vertex: vertices of one body that lie at one place share a site. Files cut their skin where textures end.
    sites: Vec<u32>,
    site_count: u32,
}

/// Square metres. Below it a triangle has no meaningful normal; usual triangles have 1e-5 to 1e-4.
const MIN_DOUBLED_AREA: f32 = 1e-12;

impl BindSkin {
    /// Gathers the bodies, whose vertices lie one body after the other.
    pub fn of(bodies: &[ColliderBody]) -> Self {
        let mut skin = Self::default();
        for (body_ix, body) in (0..).zip(bodies) {
            skin.add(body_ix, body);
        }
        skin
    }

    fn add(&mut self, body_ix: u32, body: &ColliderBody) {
        let mesh = &body.avatar.skin;
        assert_eq!(
            self.positions.len(),
            body.first_vertex as usize,
            "bodies lie one after the other"
        );
        let sites = sites(&mesh.positions);
        let first_site = self.site_count;
        self.sites
            .extend(sites.of_vertex.iter().map(|site| first_site + site));
        self.site_count += sites.count as u32;
        let has_area = |triangle: &&[u32; 3]| {
            let [a, b, c] = triangle.map(|ix| mesh.positions[ix as usize]);
            (b - a).cross(c - a).length() > MIN_DOUBLED_AREA
        };
        let shifted = |triangle: &[u32; 3]| triangle.map(|ix| ix + body.first_vertex);
        self.triangles
            .extend(mesh.triangles.iter().filter(has_area).map(shifted));
        self.bodies.resize(self.triangles.len(), body_ix);
        self.positions.extend(&mesh.positions);
    }

    /// Triangles of one body, each of its own corners, three positions each.
    #[cfg(test)]
    pub fn with_triangles(positions: Vec<Vec3>) -> Self {
        let vertices: Vec<u32> = (0..positions.len() as u32).collect();
        Self {
            triangles: vertices
                .chunks_exact(3)
                .map(|t| [t[0], t[1], t[2]])
                .collect(),
            bodies: vec![0; vertices.len() / 3],
            site_count: vertices.len() as u32,
            sites: vertices,
            positions,
        }
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle_ix: usize) -> [Vec3; 3] {
        self.triangles[triangle_ix].map(|ix| self.positions[ix as usize])
    }

    /// Puts the triangles into another order: `order[i]` comes to be the `i`-th.
    pub fn reorder(&mut self, order: &[u32]) {
        self.triangles = order
            .iter()
            .map(|&ix| self.triangles[ix as usize])
            .collect();
        self.bodies = order.iter().map(|&ix| self.bodies[ix as usize]).collect();
    }
}

/// Who shares edges and corners with whom.
#[derive(Clone, Debug, Default)]
pub struct SkinTopology {
    pub triangles: Vec<SkinTriangle>,
    /// For each vertex the first of its corners in `ring_corners`, and how many they are.
    pub rings: Vec<[u32; 2]>,
    /// A triangle's index times 4 plus which of its corners it is.
    pub ring_corners: Vec<u32>,
}

impl SkinTopology {
    /// Finds the neighbours. Where more than two triangles share an edge, each knows the first of the others.
    pub fn of(skin: &BindSkin) -> Self {
        let (rings, ring_corners) = rings(skin);
        Self {
            triangles: triangles(skin),
            rings,
            ring_corners,
        }
    }
}

/// The ends of the edge from a corner to the next, the same from both sides.
fn edge(skin: &BindSkin, triangle: [u32; 3], corner: usize) -> (u32, u32) {
    let ends = [triangle[corner], triangle[(corner + 1) % 3]].map(|ix| skin.sites[ix as usize]);
    (ends[0].min(ends[1]), ends[0].max(ends[1]))
}

fn triangles(skin: &BindSkin) -> Vec<SkinTriangle> {
    let mut at_edge: HashMap<(u32, u32), [u32; 2]> = HashMap::new();
    for (triangle_ix, &triangle) in skin.triangles.iter().enumerate() {
        for corner in 0..3 {
            let sharers = at_edge
                .entry(edge(skin, triangle, corner))
                .or_insert([NO_TRIANGLE; 2]);
            if let Some(free) = sharers.iter_mut().find(|ix| **ix == NO_TRIANGLE) {
                *free = triangle_ix as u32;
            }
        }
    }
    let neighbour = |triangle_ix: usize, triangle: [u32; 3], corner: usize| {
        let sharers = at_edge[&edge(skin, triangle, corner)];
        if sharers[0] == triangle_ix as u32 {
            sharers[1]
        } else {
            sharers[0]
        }
    };
    let linked = |(triangle_ix, &vertices): (usize, &[u32; 3])| SkinTriangle {
        vertices,
        neighbours: std::array::from_fn(|corner| neighbour(triangle_ix, vertices, corner)),
    };
    skin.triangles.iter().enumerate().map(linked).collect()
}

fn rings(skin: &BindSkin) -> (Vec<[u32; 2]>, Vec<u32>) {
    let mut corners: Vec<(u32, u32)> = Vec::with_capacity(3 * skin.triangles.len());
    for (triangle_ix, triangle) in skin.triangles.iter().enumerate() {
        for (corner, &vertex_ix) in triangle.iter().enumerate() {
            let packed = 4 * triangle_ix as u32 + corner as u32;
            corners.push((skin.sites[vertex_ix as usize], packed));
        }
    }
    corners.sort_unstable();
    let ring = |&site: &u32| {
        let first = corners.partition_point(|corner| corner.0 < site);
        let end = corners.partition_point(|corner| corner.0 <= site);
        [first as u32, (end - first) as u32]
    };
    let rings = skin.sites.iter().map(ring).collect();
    (
        rings,
        corners.into_iter().map(|(_, packed)| packed).collect(),
    )
}

/// A topology on the device.
pub struct SkinTriangles {
    triangles: Buffer,
    rings: Buffer,
    ring_corners: Buffer,
    triangle_count: u32,
}

impl SkinTriangles {
    /// Uploads it.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(uploads: &mut Uploads, topology: &SkinTopology) -> Result<Self, GpuError> {
        let triangle_count = topology.triangles.len() as u32;
        uploads
            .gpu()
            .check_count("skin_triangles.triangles", triangle_count, 1)?;
        Ok(Self {
            triangles: uploads.buffer("skin_triangles.triangles", &topology.triangles)?,
            rings: uploads.buffer("skin_triangles.rings", &topology.rings)?,
            ring_corners: uploads.buffer("skin_triangles.ring_corners", &topology.ring_corners)?,
            triangle_count,
        })
    }

    /// Triangles of all bodies.
    pub fn count(&self) -> u32 {
        self.triangle_count
    }

    /// `SkinTriangle` a triangle.
    pub fn triangles(&self) -> &Buffer {
        &self.triangles
    }

    /// What a collision with the triangles binds: the particles (0 to 4, glsl/shared/particles.glsl), the skin (5 to 9,
    /// glsl/shared/skin_surface.glsl), and then the technique's `own`.
    pub fn collide_bindings<const OWN: usize, const ALL: usize>(
        &self,
        particles: &Particles,
        skin: &SkinnedBody,
        own: [Bind; OWN],
    ) -> [Bind; ALL] {
        const { assert!(ALL == OWN + 10, "ten are shared") };
        let ([a, b, c, d, e], [f, g, h, i, j]) = (particles.bindings(), self.bindings(skin));
        let shared = [a, b, c, d, e, f, g, h, i, j];
        std::array::from_fn(|ix| match ix.checked_sub(shared.len()) {
            Some(own_ix) => own[own_ix],
            None => shared[ix],
        })
    }

    /// Bindings 5 to 9 of glsl/shared/skin_surface.glsl.
    pub fn bindings(&self, skin: &SkinnedBody) -> [Bind; 5] {
        [
            (&self.triangles).into(),
            skin.previous_positions().into(),
            skin.positions().into(),
            (&self.rings).into(),
            (&self.ring_corners).into(),
        ]
    }

    /// Device memory.
    pub fn bytes(&self) -> u64 {
        self.triangles.bytes() + self.rings.bytes() + self.ring_corners.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;

    #[test]
    fn a_closed_skin_has_a_neighbour_across_every_edge() {
        let avatar = builtin::load_mannequin();
        let skin = BindSkin::of(&[ColliderBody {
            avatar: &avatar,
            fit: Default::default(),
            fields: &std::sync::OnceLock::new(),
            first_vertex: 0,
            first_joint: 0,
        }]);
        let topology = SkinTopology::of(&skin);
        let edge_count = 3 * topology.triangles.len();
        let mut shared_count = 0;
        for (triangle_ix, triangle) in topology.triangles.iter().enumerate() {
            for neighbour_ix in triangle
                .neighbours
                .into_iter()
                .filter(|&ix| ix != NO_TRIANGLE)
            {
                let back = topology.triangles[neighbour_ix as usize].neighbours;
                assert!(back.contains(&(triangle_ix as u32)));
                shared_count += 1;
            }
        }
        assert_eq!(shared_count, edge_count);
    }

    #[test]
    fn rings_go_round_vertices_that_a_file_cut_apart() {
        // Two triangles of a square, each with corners of its own.
        let (a, b, c, d) = (Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y);
        let mut skin = BindSkin::with_triangles(vec![a, b, c, a, c, d]);
        skin.sites = vec![0, 1, 2, 0, 2, 3];
        let topology = SkinTopology::of(&skin);
        assert_eq!(
            topology.triangles[0].neighbours,
            [NO_TRIANGLE, NO_TRIANGLE, 1]
        );
        assert_eq!(
            topology.triangles[1].neighbours,
            [0, NO_TRIANGLE, NO_TRIANGLE]
        );
        let ring = |vertex: usize| {
            let [first, count] = topology.rings[vertex];
            &topology.ring_corners[first as usize..(first + count) as usize]
        };
        assert_eq!(ring(0), [0, 4]);
        assert_eq!((ring(3), ring(1)), (ring(0), &[1][..]));
    }
}
