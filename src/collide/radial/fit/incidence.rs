//! Incidence lists: the triangles at each vertex, at each joint.

/// For each of some things the triangles that lie at it, in the order of the mesh.
pub struct Incidence {
    /// Where each one's triangles begin, and where the last one's end.
    starts: Vec<usize>,
    triangles: Vec<u32>,
}

impl Incidence {
    /// `at` calls its argument once for each element that a triangle is incident to.
    pub fn new(
        thing_count: usize,
        triangle_count: usize,
        at: impl Fn(usize, &mut dyn FnMut(usize)),
    ) -> Self {
        let mut starts = vec![0; thing_count + 1];
        for triangle_ix in 0..triangle_count {
            at(triangle_ix, &mut |thing| starts[thing + 1] += 1);
        }
        for thing in 0..thing_count {
            starts[thing + 1] += starts[thing];
        }
        let mut next = starts.clone();
        let mut triangles = vec![0; starts[thing_count]];
        for triangle_ix in 0..triangle_count {
            at(triangle_ix, &mut |thing| {
                triangles[next[thing]] = triangle_ix as u32;
                next[thing] += 1;
            });
        }
        Self { starts, triangles }
    }

    /// In the order of the mesh.
    pub fn of(&self, thing: usize) -> &[u32] {
        &self.triangles[self.starts[thing]..self.starts[thing + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_gets_its_triangles_in_order() {
        let corners = [[0, 1, 2], [2, 1, 3], [3, 1, 0]];
        let incidence = Incidence::new(5, corners.len(), |ix, at| {
            corners[ix].into_iter().for_each(at);
        });
        assert_eq!(incidence.of(1), [0, 1, 2]);
        assert_eq!(incidence.of(3), [1, 2]);
        assert!(incidence.of(4).is_empty());
    }
}
