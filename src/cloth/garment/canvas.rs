//! The skin's distances on a grid: what patterns are drawn on.

use glam::{DVec3, Vec2, Vec3};
use rayon::prelude::*;

use super::body::{Body, Role};
use super::field::{Field, Grid};
use super::humanoid::{Part, Side};
use super::isosurface::isosurface;
use crate::math::triangle_tree::{NearestPoint, TriangleTree};

/// Distances are known up to this, metres for a person of 1.75 m. Ease must stay below it.
const REACH: f32 = 0.1;
/// Spacing of the grid, metres for a person of 1.75 m. 0.01 to 0.015 is usual; the time grows with its cube.
const CELL: f32 = 0.012;
/// Notches between the closed pieces of a body that a ball of this radius does not go into are filled, metres for a person of 1.75 m.
/// Usually 0.05: hip joints of toys. Below the ease of a pattern nothing is filled; above the margin round a grid balls stand half outside.
const NOTCH: f32 = 0.05;
/// Cloth keeps this much air from skin that it must not cover, metres for a person of 1.75 m.
const AVOIDED_GAP: f32 = 0.012;
/// Between a sleeve or leg and the trunk.
const BESIDE_TRUNK: Gap = Gap {
    width: 0.012,
    bridged: 0.0144,
};
/// Between two trouser legs: as wide as two cells of the grid, and bridged where the cloth of both legs would have no room clear of the
/// skin. A gap of one cell is open in one and shut in the next: both legs' cloth then lies in one plane in places.
const BETWEEN_TUBES: Gap = Gap {
    width: 0.024,
    bridged: 0.018,
};
/// Metres by which half of a gap opens per metre of room. Usually 2; trousers of gaps that open at once are stretched more.
const GAP_OPENING: f32 = 2.0;

/// The air that cloth leaves between two parts of the body that face each other; metres for a person of 1.75 m.
struct Gap {
    /// Where there is room for it.
    width: f32,
    /// Skin no further than this from the middle between the parts leaves no room: cloth bridges them.
    bridged: f32,
}

/// A grid round the covered part of a body, and what each sample sees of it.
pub(super) struct Canvas {
    pub grid: Grid,
    pub scale: f32,
    samples: Vec<SkinSample>,
    pub trunk: TriangleTree,
    pub tubes: [TriangleTree; 2],
}

/// What a grid sample sees of the skin; metres, capped at the reach.
#[derive(Clone, Copy, Debug)]
struct SkinSample {
    /// To the covered skin, negative inside.
    covered: f32,
    /// To the skin of trunk and tubes, positive.
    parts: [f32; 3],
    avoided: f32,
    /// Positive where the sample lies between two parts that cloth must not bridge: between the tubes, ...
    between_tubes: f32,
    /// ... and between one of them and the trunk.
    beside_trunk: f32,
}

impl Canvas {
    /// Spans `min` to `max` (metres, tailor space).
    pub fn new(body: &Body, min: Vec3, max: Vec3, role: impl Fn(Part, Side) -> Role) -> Self {
        let scale = body.humanoid.scale;
        let grid = Grid::over(min, max, CELL * scale);
        let tree_of = |wanted: Role| body.tree_of(|(part, side)| role(part, side) == wanted);
        let trunk = tree_of(Role::Trunk);
        let tubes = [tree_of(Role::LeftTube), tree_of(Role::RightTube)];
        let eye = Eye {
            body,
            covered: [&trunk, &tubes[0], &tubes[1]],
            avoided: &tree_of(Role::Avoided),
            scale,
        };
        let rows = (grid.counts.y * grid.counts.z) as usize;
        let samples = (0..rows)
            .into_par_iter()
            .flat_map_iter(|row_ix| eye.look_along(&grid, row_ix as u32))
            .collect();
        Self {
            grid,
            scale,
            samples,
            trunk,
            tubes,
        }
    }

    /// Fills the notches between the closed pieces of a body, of the trunk with either tube by itself: the tubes stay apart. Cloth has no
    /// room in notches, is caught there, and may lie across them.
    pub fn fill_notches(&mut self) {
        let radius = NOTCH * self.scale;
        for part in [1, 2] {
            // Where the middle of the ball may be is the outside of this.
            let eased = Field::from_fn(self.grid, |ix, _| {
                self.samples[ix].joined_height(part) - radius
            });
            let eased = isosurface(&eased);
            let tree = TriangleTree::new(&eased.positions, &eased.triangles);
            let grid = self.grid;
            self.samples
                .par_iter_mut()
                .enumerate()
                .for_each(|(ix, sample)| {
                    if (0.0..radius).contains(&sample.joined_height(part)) {
                        let deep = distance(&tree, grid.position_of(ix), radius);
                        sample.covered = sample.covered.min(radius - deep);
                        sample.beside_trunk = f32::NEG_INFINITY;
                    }
                });
        }
    }

    /// The covered skin moved outwards by `ease(position)`, metres.
    pub fn offset(&self, sample_ix: usize, ease: f32) -> f32 {
        self.samples[sample_ix].covered - ease
    }

    /// Draws a pattern: `cloth` gives the distance to its volume by sample and position, out of which the gaps
    /// between tubes and the avoided parts are cut.
    pub fn draw(&self, cloth: impl Fn(usize, Vec3) -> f32 + Sync) -> Field {
        Field::from_fn(self.grid, |ix, position| {
            let sample = self.samples[ix];
            let keep_away = AVOIDED_GAP * self.scale - sample.avoided;
            let bridge = sample.between_tubes.max(sample.beside_trunk);
            cloth(ix, position).max(bridge).max(keep_away)
        })
        .blurred()
    }

    /// Negative where a point is nearer to a tube's skin than to the trunk's; 0 where both are out of reach.
    pub fn off_tube(&self, tube_ix: usize, point: Vec3) -> f32 {
        let reach = REACH * self.scale;
        distance(&self.tubes[tube_ix], point, reach) - distance(&self.trunk, point, reach)
    }
}

fn distance(tree: &TriangleTree, point: Vec3, reach: f32) -> f32 {
    tree.nearest_point(point.as_dvec3(), f64::from(reach))
        .map_or(reach, |nearest| nearest.distance as f32)
}

/// Looks from one point after another of a row for the skin nearest to it, beginning with the triangle that was nearest before. Nothing is
/// searched where it cannot be within reach yet.
struct RowSearch<'a> {
    tree: &'a TriangleTree,
    /// Metres.
    reach: f64,
    /// From one point to the next, metres, a little more for rounding.
    stride: f64,
    /// From the next point it is no nearer than this, metres.
    least: f64,
    /// Where the tree has the triangle that was nearest last.
    place: Option<usize>,
}

impl<'a> RowSearch<'a> {
    /// What finds nothing has looked so many strides further, so that the next points need not look.
    const STRIDES_AHEAD: f64 = 4.0;

    fn new(tree: &'a TriangleTree, reach: f32, stride: f32) -> Self {
        Self {
            tree,
            reach: f64::from(reach),
            stride: 1.001 * f64::from(stride),
            least: 0.0,
            place: None,
        }
    }

    /// The nearest point of the tree's mesh, if it is within reach. Each call is a stride further along the row.
    fn next(&mut self, point: DVec3) -> Option<NearestPoint> {
        let found = if self.least < self.reach {
            self.search(point)
        } else {
            None
        };
        self.least -= self.stride;
        found.filter(|nearest| nearest.distance < self.reach)
    }

    fn search(&mut self, point: DVec3) -> Option<NearestPoint> {
        let far = self.reach + Self::STRIDES_AHEAD * self.stride;
        let found = match self.place {
            Some(place) => self.tree.nearest_point_beside(point, far, place),
            None => self.tree.nearest_point(point, far),
        };
        self.least = found.map_or(far, |nearest| nearest.distance);
        self.place = found.map(|nearest| nearest.place).or(self.place);
        found
    }

    /// Metres to the nearest point, as [`distance`] has them.
    fn distance(&mut self, point: Vec3) -> f32 {
        self.next(point.as_dvec3())
            .map_or(self.reach as f32, |nearest| nearest.distance as f32)
    }
}

impl SkinSample {
    /// To the skin of the trunk and of a part, negative inside the body.
    fn joined_height(&self, part: usize) -> f32 {
        let away = self.parts[0].min(self.parts[part]);
        if self.covered < 0.0 { -away } else { away }
    }
}

struct Eye<'a> {
    body: &'a Body<'a>,
    covered: [&'a TriangleTree; 3],
    avoided: &'a TriangleTree,
    scale: f32,
}

/// The searches of a row, along x.
struct Row<'a> {
    skin: RowSearch<'a>,
    outer: RowSearch<'a>,
    covered: [RowSearch<'a>; 3],
    avoided: RowSearch<'a>,
}

impl Eye<'_> {
    /// One row of samples. Whether a sample is inside carries over from the one before it unless the skin is near.
    fn look_along(&self, grid: &Grid, row_ix: u32) -> Vec<SkinSample> {
        let (y, z) = (row_ix % grid.counts.y, row_ix / grid.counts.y);
        let search = |tree| RowSearch::new(tree, REACH * self.scale, grid.cell);
        let mut row = Row {
            skin: search(&self.body.tree),
            outer: search(&self.body.outer),
            covered: self.covered.map(search),
            avoided: search(self.avoided),
        };
        let mut inside = None;
        let samples = (0..grid.counts.x).map(|x| {
            let point = grid.position(x, y, z);
            let skin = row.skin.distance(point);
            let known = inside.filter(|_| skin > grid.cell);
            let is_inside = known.unwrap_or_else(|| self.body.is_inside(point));
            inside = Some(is_inside);
            self.look(&mut row, point, is_inside)
        });
        samples.collect()
    }

    fn look(&self, row: &mut Row, point: Vec3, is_inside: bool) -> SkinSample {
        let reach = REACH * self.scale;
        let skin = row.outer.distance(point);
        let from = point.as_dvec3();
        let nearest = row.covered.each_mut().map(|search| search.next(from));
        let distances = nearest.map(|nearest| nearest.map_or(reach, |to| to.distance as f32));
        let covered = distances[0].min(distances[1]).min(distances[2]);
        // Inside of a part that is not covered counts as outside.
        let is_inside = is_inside && covered <= skin + 1e-5 * self.scale;
        let pairs = [
            (0, 1, BESIDE_TRUNK),
            (0, 2, BESIDE_TRUNK),
            (1, 2, BETWEEN_TUBES),
        ];
        let bridges = pairs.map(|(a, b, gap)| match (nearest[a], nearest[b]) {
            (Some(a), Some(b)) => {
                let ways = [a, b].map(|skin| (skin.point - from).as_vec3());
                gap.depth(ways, self.scale)
            }
            _ => f32::NEG_INFINITY,
        });
        let outside = |bridge: f32| if is_inside { f32::NEG_INFINITY } else { bridge };
        SkinSample {
            covered: if is_inside { -covered } else { covered },
            parts: distances,
            avoided: row.avoided.distance(point),
            between_tubes: outside(bridges[2]),
            beside_trunk: outside(bridges[0].max(bridges[1])),
        }
    }
}

impl Gap {
    /// Metres that a point lies in the gap, given the ways from it to both skins; negative outside.
    fn depth(&self, [to_a, to_b]: [Vec3; 2], scale: f32) -> f32 {
        let lengths = Vec2::new(to_a.length(), to_b.length());
        let facing = -to_a.dot(to_b) / (lengths.x * lengths.y).max(f32::MIN_POSITIVE) - 0.3;
        let off_middle = 0.5 * (lengths.x - lengths.y).abs();
        let room = 0.5 * (lengths.x + lengths.y) - self.bridged * scale;
        let most = 0.5 * self.width * scale;
        let half = (GAP_OPENING * room).min(most);
        (half - off_middle).min(facing * most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::garment::figure::capsule_person;

    #[test]
    fn a_gap_opens_with_the_room_until_it_is_as_wide_as_asked_for() {
        let gap = Gap {
            width: 0.02,
            bridged: 0.015,
        };
        // Between two walls so far from the middle, so far off it.
        let depth = |wall: f32, off: f32| {
            gap.depth([Vec3::X * (wall - off), Vec3::NEG_X * (wall + off)], 1.0)
        };
        let half = |wall: f32| {
            (0..200)
                .map(|ix| 1e-4 * ix as f32)
                .rfind(|&off| depth(wall, off) > 0.0)
        };
        assert_eq!(half(0.0149), None, "no room");
        for (wall, most) in [(0.017, 0.004), (0.019, 0.008), (0.03, 0.01), (0.09, 0.01)] {
            let half = half(wall).expect("a gap");
            assert!((most - half).abs() < 2e-4, "{wall}: {half}, not {most}");
        }
        let beside = [Vec3::new(0.03, 0.03, 0.0), Vec3::new(-0.03, 0.03, 0.0)];
        assert!(gap.depth(beside, 1.0) < 0.0, "they do not face each other");
    }

    #[test]
    fn a_row_finds_what_each_of_its_points_finds_alone() {
        let skin = capsule_person().skin;
        let tree = TriangleTree::new(&skin.positions, &skin.triangles);
        let (low, high) = (Vec3::new(-0.9, 0.0, -0.3), Vec3::new(0.9, 1.9, 0.3));
        let mut found_count = 0;
        for (cell, reach) in [(0.012, 0.1), (0.03, 0.1), (0.11, 0.02)] {
            let grid = Grid::over(low, high, cell);
            for row in (0..grid.counts.y * grid.counts.z).step_by(97) {
                let (y, z) = (row % grid.counts.y, row / grid.counts.y);
                let mut search = RowSearch::new(&tree, reach, cell);
                for x in 0..grid.counts.x {
                    let point = grid.position(x, y, z);
                    let alone = distance(&tree, point, reach);
                    assert_eq!(search.distance(point), alone, "{point} of {cell}");
                    found_count += usize::from(alone < reach);
                }
            }
        }
        assert!(found_count > 1000, "{found_count}");
    }
}
