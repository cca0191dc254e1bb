//! What every cell ought to hold, by rays from the axis: parry3d in f64 against the field's own triangles.

use super::skin::{Drawn, Hit, Skin};
use crate::collide::radial::cell::Rank;
use crate::collide::radial::field::{FieldDef, FieldSet};
use crate::collide::radial::rules::FieldRules;
use crate::collide::radial::update::ray_slack;
use glam::{Mat4, Vec3};
use rayon::prelude::*;
use serde::Serialize;

/// Metres: roundings of the plane equation in f32 where it is seen at 3 degrees.
const TOLERANCE: f64 = 1e-4;

/// Cells from a triangle's edge within which the raster may decide either way: it snaps corners to 1/256, and next to an axis
/// angles are known to a few times that.
const EDGE: f64 = 0.02;

/// Cells beyond its own row from which skin may be drawn into a cell.
const NEXT_ROWS: f64 = 1.0;

/// Cells by how they compare with the rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CellCounts {
    /// The distance is that of the ray's hit.
    pub agreeing: u32,
    /// Neither finds skin.
    pub empty: u32,
    /// In a row that closes onto the axis: not drawn.
    pub capped: u32,
    /// The cell is right for what is drawn, but culled skin would have given another answer: seen edge on, facing the axis,
    /// or round it.
    pub culled: u32,
    /// What triangles leave there whose edges run straight over angle and height, as the raster draws them; in space those
    /// edges bend, the more the nearer to the axis. Or an edge that lies within a fiftieth of a cell.
    pub at_edges: u32,
    /// None of these. More than 1 in 10,000, for roundings next to an axis, is a fault.
    pub unexplained: u32,
}

impl CellCounts {
    /// Counts of two poses together.
    pub fn and(self, other: Self) -> Self {
        Self {
            agreeing: self.agreeing + other.agreeing,
            empty: self.empty + other.empty,
            capped: self.capped + other.capped,
            culled: self.culled + other.culled,
            at_edges: self.at_edges + other.at_edges,
            unexplained: self.unexplained + other.unexplained,
        }
    }
}

/// Compares every cell with a ray from the axis through its centre.
///
/// `cells` are the update's result for the skin at `positions_in_world`.
pub fn check_cells(
    set: &FieldSet,
    positions_in_world: &[Vec3],
    fields_from_world: &[Mat4],
    cells: &[f32],
) -> CellCounts {
    let fields: Vec<Vec<Skin>> = (0..set.fields.len())
        .into_par_iter()
        .map(|field_ix| {
            skin_of(
                set,
                field_ix,
                positions_in_world,
                fields_from_world[field_ix],
            )
        })
        .collect();
    let rows: Vec<_> = (0..set.fields.len())
        .flat_map(|field_ix| (0..set.fields[field_ix].height).map(move |row| (field_ix, row)))
        .collect();
    let counts: Vec<_> = rows
        .into_par_iter()
        .map(|(field_ix, row)| check_row(&set.fields[field_ix], &fields[field_ix], cells, row))
        .collect();
    counts
        .into_iter()
        .fold(CellCounts::default(), CellCounts::and)
}

/// What is drawn into a field.
fn skin_of(
    set: &FieldSet,
    field_ix: usize,
    positions_in_world: &[Vec3],
    field_from_world: Mat4,
) -> Vec<Skin> {
    let field = &set.fields[field_ix];
    let own = set
        .triangles
        .iter()
        .filter(|t| t.field_ix as usize == field_ix);
    own.map(|t| {
        let corners = t
            .vertices
            .map(|v| positions_in_world[v as usize].as_dvec3());
        Skin::new(field, field_from_world.as_dmat4(), corners, t.rank)
    })
    .collect()
}

fn check_row(field: &FieldDef, skin: &[Skin], cells: &[f32], row: u32) -> CellCounts {
    let cell_size = f64::from(field.length) / f64::from(field.height);
    let low = (f64::from(row) - NEXT_ROWS) * cell_size;
    let high = (f64::from(row) + 1.0 + NEXT_ROWS) * cell_size;
    let near: Vec<_> = skin.iter().filter(|s| s.reaches(low, high)).collect();
    (0..field.width).fold(CellCounts::default(), |counts, col| {
        counts.and(check_cell(field, &near, cells, [col, row]))
    })
}

fn check_cell(field: &FieldDef, skin: &[&Skin], cells: &[f32], [col, row]: [u32; 2]) -> CellCounts {
    let mut counts = CellCounts::default();
    if field.is_cap(row) {
        counts.capped = 1;
        return counts;
    }
    let found = f64::from(cells[(field.cell_offset + row * field.width + col) as usize]);
    let centre = [f64::from(col) + 0.5, f64::from(row) + 0.5];
    let hits = cast(field, skin, centre);
    let kept = |hits: &mut dyn Iterator<Item = &Hit>| kept(field.rules, hits);
    let expected = kept(&mut hits.iter().filter(|hit| hit.drawn == Drawn::Yes));
    let uncut = kept(&mut hits.iter());
    let count = if same(found, expected) {
        match (same(uncut, expected), expected.is_finite()) {
            (false, _) => &mut counts.culled,
            (true, true) => &mut counts.agreeing,
            (true, false) => &mut counts.empty,
        }
    } else if is_drawn_straight(field, skin, centre, found) {
        &mut counts.at_edges
    } else {
        &mut counts.unexplained
    };
    *count = 1;
    counts
}

/// Which of several hits a cell keeps: the furthest way out through the joint's own skin, else the nearest of other skin if that is
/// a way out. Without entries, ways in count for nothing. Infinite for none.
fn kept<'a>(rules: FieldRules, hits: impl Iterator<Item = &'a Hit>) -> f64 {
    let order = |hit: &Hit| match hit.rank {
        Rank::Own => (hit.rank, -hit.distance),
        Rank::Shared => (hit.rank, hit.distance),
    };
    let is_kept = |hit: &&Hit| !hit.enters || (hit.rank == Rank::Shared && rules.entries);
    let first = hits.filter(is_kept).min_by(|a, b| {
        let (a, b) = (order(a), order(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let exit = first.filter(|hit| !hit.enters);
    exit.map_or(f64::INFINITY, |hit| hit.distance)
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= TOLERANCE
}

/// Whether a cell holds what triangles leave in it whose edges run straight over angle and height. One that may as well be
/// drawn as not, for its limits or its edges, may be taken in.
fn is_drawn_straight(field: &FieldDef, skin: &[&Skin], place: [f64; 2], found: f64) -> bool {
    let mut certain = Vec::new();
    let mut doubtful = Vec::new();
    for skin in skin.iter().filter(|skin| skin.drawn != Drawn::No) {
        // A ray that passes a near triangle by little may or may not be among the cells round it.
        let (hit, depth, edge, slack) = if skin.is_near {
            let (hit, depth) = skin.on_ray(field, place);
            (hit, depth, TOLERANCE, f64::from(ray_slack(skin.rank)))
        } else {
            let hit = skin.drawn_straight(field, place);
            (hit, skin.depth_within(field, place), EDGE, 0.0)
        };
        if depth > edge && skin.drawn == Drawn::Yes && hit.distance > 0.0 {
            certain.push(hit);
        } else if depth >= -edge - slack && hit.distance > 0.0 {
            doubtful.push(hit);
        }
    }
    let holds_with = |hit: &Hit| same(kept(field.rules, certain.iter().chain([hit])), found);
    same(kept(field.rules, certain.iter()), found) || doubtful.iter().any(holds_with)
}

fn cast(field: &FieldDef, skin: &[&Skin], place: [f64; 2]) -> Vec<Hit> {
    skin.iter()
        .filter_map(|skin| skin.hit(field, place))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::{load_mannequin, load_ogre};
    use crate::collide::radial::fit::{FitSettings, fit};
    use crate::collide::radial::update::{fields_from_world, update};
    use crate::pose::{Palette, Pose};
    use crate::skin::bake::bake;

    #[test]
    fn every_cell_of_characters_in_motion_is_what_a_ray_finds() {
        for (avatar, rules) in [
            (load_mannequin(), FieldRules::SHIPPED),
            (load_ogre(), FieldRules::SHIPPED),
            (load_mannequin(), FieldRules::PAPER),
        ] {
            let settings = FitSettings {
                rules,
                ..FitSettings::default()
            };
            let set = fit(&avatar, &settings);
            let pose = Pose::sample(&avatar.clips[0], &avatar.skeleton, 1.7);
            let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
            let positions = bake(&avatar.skin, &palette).positions;
            let frames = fields_from_world(&set, &palette.world_from_bone);
            let mut cells = update(&set, &positions, &frames);
            let counts = check_cells(&set, &positions, &frames, &cells);
            println!("{}: {counts:?}", avatar.name);
            let most = set.cell_count / 10_000;
            assert!(counts.unexplained <= most, "{}: {counts:?}", avatar.name);
            // Without rays near the axis more skin is drawn with straight edges.
            let least = if rules.axis_rays { 20 } else { 10 };
            assert!(least * counts.at_edges < counts.agreeing, "{counts:?}");
            // A cell that is 5 mm off is seen.
            let filled = cells.iter().position(|c| c.is_finite() && *c > 0.0);
            cells[filled.expect("it has skin")] += 5e-3;
            let damaged = check_cells(&set, &positions, &frames, &cells);
            assert_eq!(damaged.unexplained, counts.unexplained + 1);
        }
    }
}
