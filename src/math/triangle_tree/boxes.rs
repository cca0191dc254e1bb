//! Triangles by where they are.

use super::TriangleTree;
use glam::DVec3;

impl TriangleTree {
    /// Calls `visit` with every triangle whose box meets the box from `low` to `high`, touching counted, in the tree's
    /// order.
    ///
    /// Triangles are numbered in the tree's own order, which stays as it is when the mesh deforms.
    pub fn visit_meeting(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(usize)) {
        let meets = |min: DVec3, max: DVec3| min.cmple(high).all() && max.cmpge(low).all();
        let mut ix = 0;
        while let Some(node) = self.nodes.get(ix) {
            let bounds = self.bounds[ix];
            if !meets(bounds.min, bounds.max) {
                ix = node.next;
                continue;
            }
            if node.next == ix + 1 {
                for triangle_ix in node.triangles.clone() {
                    let [a, b, c] = self.corners[triangle_ix];
                    if meets(a.min(b).min(c), a.max(b).max(c)) {
                        visit(triangle_ix);
                    }
                }
            }
            ix += 1;
        }
    }

    /// Calls `visit` with every triangle whose leaf's box comes within `radius` of a point, touching counted, in the tree's order: all
    /// that come so near, and some that do not.
    pub fn visit_near(&self, point: DVec3, radius: f64, mut visit: impl FnMut(usize)) {
        let mut ix = 0;
        while let Some(node) = self.nodes.get(ix) {
            if self.bounds[ix].distance_squared(point) > radius * radius {
                ix = node.next;
                continue;
            }
            if node.next == ix + 1 {
                node.triangles.clone().for_each(&mut visit);
            }
            ix += 1;
        }
    }

    /// How many triangles it holds.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Where a triangle stands in the list that the tree was made of, by its number in the tree's order.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn number(&self, triangle_ix: usize) -> u32 {
        self.numbers[triangle_ix]
    }

    /// Where a triangle's corners are, in metres, by its number in the tree's order.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn corners(&self, triangle_ix: usize) -> [DVec3; 3] {
        self.corners[triangle_ix]
    }

    /// Which vertices a triangle has, by its number in the tree's order.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn vertices(&self, triangle_ix: usize) -> [u32; 3] {
        self.triangles[triangle_ix]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::closest::on_triangle;
    use crate::math::test_meshes::TestMesh;
    use glam::Vec3;

    #[test]
    fn a_box_meets_the_triangles_that_a_look_at_all_of_them_finds() {
        let mut mesh = TestMesh::sphere(Vec3::ZERO, 0.5, 20, 30);
        let mut tree = TriangleTree::new(&mesh.positions, &mesh.triangles);
        mesh.positions.iter_mut().for_each(|p| p.x *= 2.0);
        tree.refit(&mesh.positions);
        let (low, high) = (DVec3::new(0.1, -0.2, 0.0), DVec3::new(0.7, 0.1, 0.9));
        let mut found = Vec::new();
        tree.visit_meeting(low, high, |ix| found.push(tree.vertices(ix)));
        found.sort_unstable();
        let meets = |triangle: &&[u32; 3]| {
            let [a, b, c] = triangle.map(|ix| mesh.positions[ix as usize].as_dvec3());
            let (min, max) = (a.min(b).min(c), a.max(b).max(c));
            min.cmple(high).all() && max.cmpge(low).all()
        };
        let mut expected: Vec<_> = mesh.triangles.iter().filter(meets).copied().collect();
        expected.sort_unstable();
        assert!(expected.len() > 20, "{}", expected.len());
        assert_eq!(found, expected);
        assert_eq!(tree.triangle_count(), mesh.triangles.len());
        for ix in 0..tree.triangle_count() {
            let in_list = mesh.triangles[tree.number(ix) as usize];
            assert_eq!(in_list, tree.vertices(ix));
        }
    }
    #[test]
    fn no_triangle_within_a_radius_is_left_out_and_few_others_are_visited() {
        let mesh = TestMesh::sphere(Vec3::ZERO, 0.5, 40, 60);
        let tree = TriangleTree::new(&mesh.positions, &mesh.triangles);
        let point = DVec3::new(0.1, 0.3, 0.7);
        let mut visited = vec![false; tree.triangle_count()];
        tree.visit_near(point, 0.4, |ix| visited[ix] = true);
        let distance = |ix: usize| on_triangle(point, tree.corners(ix)).distance(point);
        let near = |ix: &usize| distance(*ix) <= 0.4;
        assert!((0..visited.len()).filter(near).all(|ix| visited[ix]));
        let visited_count = visited.iter().filter(|&&is_visited| is_visited).count();
        let near_count = (0..visited.len()).filter(near).count();
        assert!(
            near_count > 50 && visited_count < 2 * near_count,
            "{visited_count}, {near_count}"
        );
    }
}
