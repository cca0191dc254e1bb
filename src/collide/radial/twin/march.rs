//! The path of a particle through one field, quad by quad of cell centres: the twin of glsl/radial/march.glsl.
//!
//! Not in the paper, whose samples of the path can step over a thin limb. A path is a straight line in field space. It
//! leaves a quad through a half-plane of a column or a plane of a row, in closed form; which half it is in is examined
//! where it enters and where it leaves. Within a half the height over the patch is linear, so no crossing is missed.
//! Over the helicoid between two halves their planes hardly differ; a path that dips into the other half
//! there and comes back within one quad is followed in the half it comes back to.

use crate::collide::radial::field::FieldDef;
use crate::collide::radial::surface::Half;
use crate::math::cylinder::{direction, revolutions};
use glam::{Vec2, Vec3, Vec3Swizzles};

/// Beyond every path: it never gets there.
const NEVER: f32 = 2.0;

/// Visits the quads on a path in their order.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    field: &'a FieldDef,
    /// Field space.
    start: Vec3,
    displacement: Vec3,
    /// Column and row of the low corner of the quad that comes next.
    quad: [i32; 2],
    /// Where the quad after it lies: 1 or -1 columns, 1, -1 or 0 rows.
    heading: [i32; 2],
    /// Where the path enters the quad, from 0 to 1.
    within: Vec2,
    /// Part of the path.
    time: f32,
    /// Part of the path at which it leaves the rows.
    end: f32,
    /// Width and height of the field together: a bound that only a path of NaNs meets.
    quads_left: u32,
}

/// The part of a path that lies in one half of a quad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Column and row of the quad's low corner.
    pub quad: [i32; 2],
    pub half: Half,
    /// Parts of the path, from 0 to 1.
    pub from: f32,
    pub to: f32,
}

impl<'a> Walk<'a> {
    /// Along the straight path from `start` to `end` in field space.
    pub fn new(field: &'a FieldDef, start: Vec3, end: Vec3) -> Self {
        let displacement = end - start;
        let (time, leaves) = between_rows(field, start.z, displacement.z);
        let at = start + displacement * time;
        // What starts on the axis takes its heading's column at once.
        let across = if at.xy() == Vec2::ZERO {
            displacement.xy()
        } else {
            at.xy()
        };
        let column = (revolutions(across) * field.width as f32 - 0.5).floor() as i32;
        let row = (at.z * field.height as f32 - 0.5).floor() as i32;
        let mut walk = Self {
            field,
            start,
            displacement,
            quad: [
                column.rem_euclid(field.width as i32),
                row.clamp(0, field.height as i32 - 2),
            ],
            // A straight line goes round the axis in one direction only.
            heading: [
                if start.xy().perp_dot(displacement.xy()) < 0.0 {
                    -1
                } else {
                    1
                },
                if displacement.z == 0.0 {
                    0
                } else {
                    displacement.z.signum() as i32
                },
            ],
            within: Vec2::ZERO,
            time,
            end: leaves,
            quads_left: if time <= leaves {
                field.width + field.height
            } else {
                0
            },
        };
        walk.within = walk.within_quad(across.extend(at.z));
        walk
    }

    /// All the halves on the path, in order.
    pub fn segments(self) -> impl Iterator<Item = Segment> + use<'a> {
        self.flat_map(|halves| halves.into_iter().flatten())
    }

    /// Where in the next quad a point of field space lies, from 0 to 1.
    fn within_quad(&self, pos_in_field: Vec3) -> Vec2 {
        let (width, height) = (self.field.width as f32, self.field.height as f32);
        let [column, row] = self.quad.map(|ix| ix as f32);
        let x = revolutions(pos_in_field.xy()) * width - 0.5 - column;
        // The seam.
        let x = x - width * ((x + 0.5) / width).floor();
        let y = pos_in_field.z * height - 0.5 - row;
        Vec2::new(x, y).clamp(Vec2::ZERO, Vec2::ONE)
    }

    /// When the path meets the half-plane of the next column.
    fn column_time(&self) -> f32 {
        let border = self.quad[0] + i32::from(self.heading[0] > 0);
        let direction = direction((border as f32 + 0.5) / self.field.width as f32);
        let approach = direction.perp_dot(self.displacement.xy());
        if approach * self.heading[0] as f32 > 0.0 {
            -direction.perp_dot(self.start.xy()) / approach
        } else {
            NEVER
        }
    }

    /// When the path meets the plane of the next row.
    fn row_time(&self) -> f32 {
        if self.heading[1] == 0 {
            return NEVER;
        }
        let border = self.quad[1] + i32::from(self.heading[1] > 0);
        ((border as f32 + 0.5) / self.field.height as f32 - self.start.z) / self.displacement.z
    }

    /// Goes over into the quad behind a border, or ends.
    fn step_on(&mut self, column: f32, row: f32) {
        self.quads_left -= 1;
        if column <= row.min(self.end) {
            self.quad[0] = (self.quad[0] + self.heading[0]).rem_euclid(self.field.width as i32);
        } else {
            self.quad[1] += self.heading[1];
        }
        let has_left = self.quad[1] < 0 || self.quad[1] + 2 > self.field.height as i32;
        if column.min(row) > self.end || has_left {
            self.quads_left = 0;
        }
    }
}

impl Iterator for Walk<'_> {
    /// The halves of one quad: one, or two if the path diagonal_time the diagonal.
    type Item = [Option<Segment>; 2];

    fn next(&mut self) -> Option<Self::Item> {
        if self.quads_left == 0 {
            return None;
        }
        let (column, row) = (self.column_time(), self.row_time());
        let (from, to) = (self.time, column.min(row).min(self.end).max(self.time));
        let at = self.start + self.displacement * to;
        let (entered, left) = (self.within, self.within_quad(at));
        let quad = self.quad;
        let [first, last] = [entered, left].map(|within| Half::at(self.field, quad[1], within));
        let segment = |half, from, to| Segment {
            quad,
            half,
            from,
            to,
        };
        let halves = if first == last {
            [Some(segment(first, from, to)), None]
        } else {
            // Over less than a quad the path is nearly straight over angle and height too.
            let (above, still_above) = (entered.y - entered.x, left.y - left.x);
            let diagonal_time = (above / (above - still_above)).clamp(0.0, 1.0);
            let diagonal_time = from + (to - from) * diagonal_time;
            [
                Some(segment(first, from, diagonal_time)),
                Some(segment(last, diagonal_time, to)),
            ]
        };
        self.step_on(column, row);
        self.time = to;
        self.within = self.within_quad(at);
        Some(halves)
    }
}

/// The part of a path that lies between the centres of the first and the last row; the end before the start for none.
fn between_rows(field: &FieldDef, z: f32, rise: f32) -> (f32, f32) {
    let height = field.height as f32;
    let [low, high] = [0.5 / height, (height - 0.5) / height];
    if rise != 0.0 {
        let times = [(low - z) / rise, (high - z) / rise];
        (
            times[0].min(times[1]).max(0.0),
            times[0].max(times[1]).min(1.0),
        )
    } else if z < low || z > high {
        (0.0, -1.0)
    } else {
        (0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::Detection;
    use crate::collide::FrictionModel;
    use crate::collide::radial::twin::collide::{MovingFields, Particle, PathTest, collide};
    use crate::collide::radial::twin::shapes::{Shape, field};
    use crate::collide::radial::update::update;
    use crate::collide::response::Response;
    use crate::math::cylinder::nearest_to_axis;
    use glam::Mat4;
    use proptest::prelude::*;
    use std::f32::consts::TAU;

    /// Stretches of a path through a field of 64 x 20 cells.
    fn segments(start: Vec3, end: Vec3) -> Vec<Segment> {
        let field = field(64, 20, 0.0, 0.2);
        Walk::new(&field, start, end).segments().collect()
    }

    fn a_point() -> impl Strategy<Value = Vec3> {
        let coordinate = prop_oneof![4 => -0.3f32..0.3, 1 => Just(0.0)];
        (coordinate.clone(), coordinate, -0.5f32..1.5).prop_map(Vec3::from)
    }

    /// Column and row of the quad over a point, by the rule that samples follow; none near a border.
    fn quad_at(pos_in_field: Vec3) -> Option<[i32; 2]> {
        let at = Vec2::new(revolutions(pos_in_field.xy()) * 64.0, pos_in_field.z * 20.0) - 0.5;
        let within = at - at.floor();
        let is_clear = within.min_element() > 0.01 && within.max_element() < 0.99;
        is_clear.then(|| [(at.x.floor() as i32).rem_euclid(64), at.y.floor() as i32])
    }

    proptest! {
        #[test]
        fn every_part_of_a_path_is_visited_once_and_in_order(start in a_point(), end in a_point()) {
            let segments = segments(start, end);
            for pair in segments.windows(2) {
                prop_assert!(pair[0].from <= pair[0].to && pair[0].to == pair[1].from, "{pair:?}");
            }
            for sample in 0..200 {
                let time = (sample as f32 + 0.5) / 200.0;
                let at = start.lerp(end, time);
                let Some(quad) = quad_at(at).filter(|_| at.xy().length() > 1e-4) else { continue };
                let visited = segments.iter().find(|s| s.from <= time && time < s.to).map(|s| s.quad);
                let is_held = quad[1] >= 0 && quad[1] < 19;
                prop_assert_eq!(visited, is_held.then_some(quad), "at {} of the path", time);
            }
        }

        #[test]
        fn a_path_through_a_tube_meets_it_on_its_near_side_however_long_it_is(
            revolution in 0.0f32..1.0, aside in -0.099f32..0.099, z in 0.02f32..0.18, rise in -0.01f32..0.01, reach in 0.11f32..50.0
        ) {
            let shape = Shape::tube(96, 0.0);
            let cells = update(&shape.set, &shape.positions, &[shape.set.fields[0].bone_from_field.inverse()]);
            let across = Vec2::from_angle(revolution * TAU);
            let start = (across * reach + across.perp() * aside).extend(z - rise);
            let end = (across * -reach + across.perp() * aside).extend(z + rise);
            let found = resolve_penetration(&shape, &cells, start, end, Detection::March);
            prop_assert!(found != end, "passed from {start} to {end}");
            let nearest = nearest_to_axis([start.xy(), found.xy(), found.xy()]);
            prop_assert!(nearest > 0.099, "{nearest} from the axis on the displacement from {start} to {found}, not {end}");
        }
    }

    fn resolve_penetration(
        shape: &Shape,
        cells: &[f32],
        current: Vec3,
        predicted: Vec3,
        detection: Detection,
    ) -> Vec3 {
        let frames = [shape.set.fields[0].bone_from_field.inverse()];
        let fields = MovingFields::new(&shape.set, cells, &frames, &frames);
        let path = PathTest {
            detection,
            samples: 4,
        };
        let response = Response {
            thickness: 0.0,
            size: 1.0,
            friction: 0.0,
            model: FrictionModel::Coulomb,
        };
        let particle = Particle { current, predicted };
        collide(&fields, particle, path, &response).predicted
    }

    #[test]
    fn a_path_that_samples_step_over_is_met() {
        let shape = Shape::tube(96, 0.0);
        let cells = update(
            &shape.set,
            &shape.positions,
            &[shape.set.fields[0].bone_from_field.inverse()],
        );
        let [start, end] = [Vec3::new(0.15, 0.01, 0.1), Vec3::new(-1.4, 0.01, 0.1)];
        assert_eq!(
            resolve_penetration(&shape, &cells, start, end, Detection::Samples),
            end
        );
        let met = resolve_penetration(&shape, &cells, start, end, Detection::March);
        let nearest = nearest_to_axis([start.xy(), met.xy(), met.xy()]);
        assert!(nearest > 0.099, "{met}");
    }

    #[test]
    fn paths_on_the_axis_along_it_and_of_no_length_end() {
        let centre = Vec3::Z * 0.5;
        for (start, end) in [
            (centre, centre),
            (Vec3::ZERO, Vec3::Z),
            (centre, centre + Vec3::X * 0.1),
            (centre + Vec3::X * 0.1, centre),
            (centre - Vec3::X * 0.1, centre + Vec3::X * 0.1),
        ] {
            let found = segments(start, end);
            assert!(!found.is_empty(), "{start} to {end}");
            assert_eq!(
                found[found.len() - 1].to,
                if end == Vec3::Z { 0.975 } else { 1.0 }
            );
        }
        let broken = segments(Vec3::NAN, Vec3::ZERO);
        assert!(broken.len() <= 2 * 84, "a NaN comes to an end");
        assert!(segments(Vec3::X * 0.1 - Vec3::Z, Vec3::X * 0.2 - Vec3::Z).is_empty());
    }

    #[test]
    fn a_path_through_the_axis_comes_out_on_the_other_side() {
        let found = segments(Vec3::new(0.1, 0.0, 0.5), Vec3::new(-0.1, 0.0, 0.5));
        let [first, last] = [found[0].quad[0], found[found.len() - 1].quad[0]];
        assert_eq!((first - last).rem_euclid(32), 0, "{first} {last}");
        assert_ne!(first, last);
        let crossing = found.iter().find(|s| s.to > 0.4).expect("it goes on");
        assert!((crossing.to - 0.5).abs() < 1e-6);
    }

    #[test]
    fn contacts_stay_what_they_are_wherever_a_field_stands_in_the_world() {
        let shape = Shape::tube(96, 0.0);
        let place = Mat4::from_rotation_x(1.0) * Mat4::from_translation(Vec3::new(2.0, -1.0, 0.5));
        let from_world = (place * shape.set.fields[0].bone_from_field).inverse();
        let positions: Vec<_> = shape
            .positions
            .iter()
            .map(|&p| place.transform_point3(p))
            .collect();
        let cells = update(&shape.set, &positions, &[from_world]);
        let fields = MovingFields::new(&shape.set, &cells, &[from_world], &[from_world]);
        let particle = Particle {
            current: place.transform_point3(Vec3::new(0.3, 0.0, 0.1)),
            predicted: place.transform_point3(Vec3::new(-0.3, 0.0, 0.1)),
        };
        let path = PathTest {
            detection: Detection::March,
            samples: 1,
        };
        let response = Response {
            thickness: 0.003,
            size: 1.0,
            friction: 0.0,
            model: FrictionModel::Coulomb,
        };
        let found = collide(&fields, particle, path, &response).predicted;
        let expected = place.transform_point3(Vec3::new(0.103, 0.0, 0.1));
        assert!(found.distance(expected) < 3e-4, "{found}, not {expected}");
    }
}
