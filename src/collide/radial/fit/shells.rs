//! Which triangles hang together: a body may be one shell, or many that lie over and in each other.

use crate::avatar::SkinMesh;

/// The shells of a skin.
pub struct Shells {
    /// For each vertex the first at the same place: exporters split vertices where texture or normals do.
    pub welded: Vec<u32>,
    pub count: usize,
}

impl Shells {
    pub fn new(skin: &SkinMesh) -> Self {
        let welded = welded(skin);
        let mut groups = Groups::new(skin.positions.len());
        for triangle in &skin.triangles {
            let [a, b, c] = triangle.map(|v| welded[v as usize]);
            groups.join(a, b);
            groups.join(a, c);
        }
        let mut used: Vec<u32> = (skin.triangles.iter())
            .map(|triangle| groups.of(welded[triangle[0] as usize]))
            .collect();
        used.sort_unstable();
        used.dedup();
        Self {
            count: used.len(),
            welded,
        }
    }

    /// Triangles by what of them hangs together: lists of places in `triangles`, in order of their first.
    pub fn groups_of(&self, triangles: &[[u32; 3]]) -> Vec<Vec<usize>> {
        let corners = |triangle: &[u32; 3]| triangle.map(|v| self.welded[v as usize]);
        let mut vertices: Vec<u32> = triangles.iter().flat_map(corners).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let place = |v: u32| vertices.partition_point(|&other| other < v) as u32;
        let mut groups = Groups::new(vertices.len());
        for triangle in triangles {
            let [a, b, c] = corners(triangle).map(place);
            groups.join(a, b);
            groups.join(a, c);
        }
        let mut list_of_group = vec![None; vertices.len()];
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for (ix, triangle) in triangles.iter().enumerate() {
            let group = groups.of(place(corners(triangle)[0])) as usize;
            let list = *list_of_group[group].get_or_insert_with(|| {
                lists.push(Vec::new());
                lists.len() - 1
            });
            lists[list].push(ix);
        }
        lists
    }
}

fn welded(skin: &SkinMesh) -> Vec<u32> {
    let key = |&v: &u32| {
        skin.positions[v as usize]
            .to_array()
            .map(|x| (x + 0.0).to_bits())
    };
    let mut order: Vec<u32> = (0..skin.positions.len() as u32).collect();
    order.sort_unstable_by_key(|v| (key(v), *v));
    let mut welded = vec![0; order.len()];
    for run in order.chunk_by(|a, b| key(a) == key(b)) {
        for &vertex in run {
            welded[vertex as usize] = run[0];
        }
    }
    welded
}

/// Disjoint sets, each named by its smallest member.
struct Groups {
    above: Vec<u32>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self {
            above: (0..count as u32).collect(),
        }
    }

    fn of(&mut self, mut member: u32) -> u32 {
        while self.above[member as usize] != member {
            let above = self.above[member as usize];
            self.above[member as usize] = self.above[above as usize];
            member = above;
        }
        member
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.above[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn split_vertices_are_one_shell_and_far_triangles_two() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::Y, Vec3::ONE];
        let far = corners[..3].iter().map(|&p| p + 5.0 * Vec3::X);
        let skin = SkinMesh {
            positions: corners.into_iter().chain(far).collect(),
            triangles: vec![[0, 1, 2], [6, 7, 8], [3, 5, 4]],
            ..SkinMesh::default()
        };
        let shells = Shells::new(&skin);
        assert_eq!(shells.count, 2);
        assert_eq!(shells.groups_of(&skin.triangles), [vec![0, 2], vec![1]]);
        assert_eq!(shells.groups_of(&skin.triangles[1..]), [vec![0], vec![1]]);
    }
}
