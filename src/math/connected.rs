//! What hangs together: disjoint sets, and triangles by the places that they share.

/// Disjoint sets of the numbers below a count, each named by its smallest member.
pub struct DisjointSets {
    above: Vec<u32>,
}

impl DisjointSets {
    /// Each number in a set of its own.
    pub fn new(count: usize) -> Self {
        Self {
            above: (0..count as u32).collect(),
        }
    }

    /// The set that a number is in.
    pub fn of(&mut self, mut member: u32) -> u32 {
        while self.above[member as usize] != member {
            let above = self.above[member as usize];
            self.above[member as usize] = self.above[above as usize];
            member = above;
        }
        member
    }

    /// Makes one set of those of a triangle's corners.
    pub fn join(&mut self, [a, b, c]: [u32; 3]) {
        for other in [b, c] {
            let (a, other) = (self.of(a), self.of(other));
            self.above[a.max(other) as usize] = a.min(other);
        }
    }
}

/// Triangles grouped into components that share places: lists of indices into `triangles`, in order of their first. `places`: of
/// each vertex, what all vertices at its place have in common.
pub fn connected(triangles: &[[u32; 3]], places: &[u32]) -> Vec<Vec<usize>> {
    let corners = |triangle: &[u32; 3]| triangle.map(|v| places[v as usize]);
    // Of few triangles of a large mesh only their own places count.
    let mut used: Vec<u32> = triangles.iter().flat_map(corners).collect();
    used.sort_unstable();
    used.dedup();
    let rank = |place: u32| used.partition_point(|&other| other < place) as u32;
    let mut sets = DisjointSets::new(used.len());
    for triangle in triangles {
        sets.join(corners(triangle).map(rank));
    }
    let mut list_of_set = vec![None; used.len()];
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for (ix, triangle) in triangles.iter().enumerate() {
        let set = sets.of(rank(corners(triangle)[0])) as usize;
        let list = *list_of_set[set].get_or_insert_with(|| {
            lists.push(Vec::new());
            lists.len() - 1
        });
        lists[list].push(ix);
    }
    lists
}
