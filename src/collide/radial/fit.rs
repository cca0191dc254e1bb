//! Fits radial fields to an avatar, without authoring: one field per joint that owns skin.
//!
//! Everything is measured in the bind pose. For each joint: which skin it owns, along which axis that skin is
//! seen best from inside ([`axis`]), and how far the field reaches, with closed ends found ([`extent`]).
//!
//! A triangle joins a field when the joint moves it (by weight) *and* the axis sees it: it faces away from the axis, and
//! nothing of the body lies between. The second condition is not the paper's. Weights alone give the pelvis the inner
//! thighs and the palm the sides of fingers, skin that is not round those axes, and so hold points outside the body.
//! What an axis sees only when joints bend is added last ([`bent`]). Each such change can be left out ([`FieldRules`]).

mod axis;
mod bent;
mod body;
mod extent;
mod incidence;
mod limb;
mod parts;
mod probe;
mod region;
mod shells;
mod skeleton;
mod visibility;

use super::cell::Rank;
use super::field::{FieldDef, FieldSet, FieldTriangle, MAX_HEIGHT, fingerprint};
use super::rules::FieldRules;
use crate::avatar::Avatar;
use crate::math::Bounds;
use axis::Axis;
use body::Body;
use extent::Extent;
use glam::{Mat4, Vec4};
use limb::Limb;
use probe::Probes;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::f32::consts::{PI, TAU};

/// The fewest cells round an axis. With fewer a finger is a prism whose sides cut deep.
const MIN_WIDTH: u32 = 8;

/// The fewest cells along an axis: a surface needs two rows.
const MIN_HEIGHT: u32 = 2;

/// The most cells that one field may come to, a gigabyte: what a person has with cells of 0.25 mm, if one field were as long and
/// wide as the whole body.
const MAX_FIELD_CELLS: u32 = 1 << 28;

/// The most triangles that fields are fitted to: more memory than that many have.
const MAX_TRIANGLES: usize = 8_000_000;

/// The most joints that fields are fitted to: ten minutes of two cores.
const MAX_JOINTS: usize = 25_000;

/// What a million triangles and a thousand joints take to fit on two cores, minutes, and in memory, GB: measured, both at once, and
/// rounded up.
const MINUTES_PER_MILLION: f32 = 0.2;
const MINUTES_PER_THOUSAND_JOINTS: f32 = 0.4;
const GIGABYTES_PER_MILLION: f32 = 1.0;

/// How many times the furthest skin of the bind pose skin may be from the axis to be borrowed when joints bend. Usually 1.25
/// to 1.5; smaller leaves holes where limbs meet, larger holds air between them.
const RADIUS_MARGIN: f32 = 1.35;

/// How fields are laid out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// Metres; usually 0.01. Halving it takes four times the memory.
    pub cell_size: f32,
    /// A triangle joins a field when its vertices have at least this weight on the field's joint, in the mean: by one vertex
    /// alone, long triangles would stretch the field far past the joint. Usually 0.02
    /// to 0.2; larger saves memory and time and leaves gaps where limbs meet, smaller holds more points outside the body.
    pub weight_threshold: f32,
    /// In what the fields differ from the paper's. Usually all changes are made; [`FieldRules::PAPER`] makes none.
    pub rules: FieldRules,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self {
            cell_size: 0.01,
            weight_threshold: 0.1,
            rules: FieldRules::SHIPPED,
        }
    }
}

/// Why there are no fields.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// [`FitSettings::cell_size`] divides lengths.
    #[error("cells of {metres} m cannot be laid: say more than 0, usually 0.01")]
    CellSize { metres: f32 },
    /// [`FitSettings::weight_threshold`] is a share.
    #[error("a weight threshold of {threshold} makes no sense: say 0 to 1, usually 0.1")]
    WeightThreshold { threshold: f32 },
    /// A body in centimetres, or cells much too fine.
    #[error(
        "cells of {cell_size} m are too fine for a body that is {extent} m across: a field could have more than \
         {MAX_FIELD_CELLS}; use coarser cells, or bring the body to metres"
    )]
    TooManyCells { cell_size: f32, extent: f32 },
    /// A scan, a model for films, or every particle of a crowd a joint.
    #[error(
        "{triangle_count} triangles on {joint_count} joints are too many: their fields would take about {minutes:.0} minutes and \
         {gigabytes:.0} GB to fit; simplify the character to {MAX_TRIANGLES} triangles and {MAX_JOINTS} joints or fewer"
    )]
    TooLarge {
        triangle_count: usize,
        joint_count: usize,
        minutes: f32,
        gigabytes: f32,
    },
}

impl FitSettings {
    /// Whether fields for an avatar can be laid, and have no more cells than memory is likely to hold.
    ///
    /// # Errors
    /// What is wrong with the settings.
    pub fn check(&self, avatar: &Avatar) -> Result<(), FitError> {
        let Self {
            cell_size,
            weight_threshold,
            rules: _,
        } = *self;
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(FitError::CellSize { metres: cell_size });
        }
        if !(0.0..=1.0).contains(&weight_threshold) {
            return Err(FitError::WeightThreshold {
                threshold: weight_threshold,
            });
        }
        check_counts(avatar)?;
        let skin = avatar.skin.positions.iter();
        let bounds = skin.fold(Bounds::EMPTY, |sum, &p| sum.union(Bounds::of_ball(p, 0.0)));
        let extent = if bounds.is_some() {
            (bounds.high - bounds.low).length()
        } else {
            0.0
        };
        // As long as the body is across, and as wide.
        let cells = extent / cell_size * (PI * extent / cell_size);
        if cells <= MAX_FIELD_CELLS as f32 {
            Ok(())
        } else {
            Err(FitError::TooManyCells { cell_size, extent })
        }
    }
}

/// Refuses input that would take minutes, before any work.
fn check_counts(avatar: &Avatar) -> Result<(), FitError> {
    let triangle_count = avatar.skin.triangles.len();
    let joint_count = avatar.skeleton.joints.len();
    if triangle_count <= MAX_TRIANGLES && joint_count <= MAX_JOINTS {
        return Ok(());
    }
    let (millions, thousands) = (triangle_count as f32 * 1e-6, joint_count as f32 * 1e-3);
    Err(FitError::TooLarge {
        triangle_count,
        joint_count,
        minutes: millions * MINUTES_PER_MILLION + thousands * MINUTES_PER_THOUSAND_JOINTS,
        gigabytes: (millions * GIGABYTES_PER_MILLION).max(1.0),
    })
}

/// Lays a field round every joint that owns skin, and more round a joint that carries several things ([`parts`]), in the order of
/// the joints. [`FitSettings::check`] comes first.
///
/// Joints that own none, whose skin cannot be seen from any axis inside it, or that are collapsed, get no field.
pub fn fit(avatar: &Avatar, settings: &FitSettings) -> FieldSet {
    let body = Body::new(avatar);
    let joints = 0..avatar.skeleton.joints.len();
    let first = joints
        .into_par_iter()
        .map(|joint_ix| fit_joint(&body, settings, joint_ix))
        .collect::<Vec<_>>();
    let mut fitted = if settings.rules.parts {
        parts::complete(&body, settings, first)
    } else {
        first.into_iter().flatten().collect()
    };
    if settings.rules.borrowing {
        borrow(&body, &mut fitted);
    }
    let mut set = FieldSet {
        fitted_to: fingerprint(avatar),
        ..FieldSet::default()
    };
    for fitted in fitted {
        let field_ix = set.fields.len() as u32;
        let drawn = |(vertices, rank)| FieldTriangle {
            vertices,
            field_ix,
            rank,
        };
        set.triangles
            .extend(fitted.triangles.into_iter().map(drawn));
        set.fields.push(FieldDef {
            cell_offset: set.cell_count,
            ..fitted.field
        });
        // As many as that are refused where they would be stored.
        set.cell_count = set.cell_count.saturating_add(fitted.field.cell_count());
    }
    set
}

/// Adds the skin that the axes see only when joints bend.
fn borrow(body: &Body, fitted: &mut [Fitted]) {
    let fields: Vec<_> = fitted.iter().map(|fitted| fitted.field.clone()).collect();
    let seen = bent::seen(body, &fields);
    fitted.par_iter_mut().zip(seen).for_each(|(fitted, seen)| {
        let taken: BTreeSet<_> = fitted
            .triangles
            .iter()
            .map(|(vertices, _)| *vertices)
            .collect();
        let borrowed = seen
            .into_iter()
            .filter(|vertices| !taken.contains(vertices));
        fitted
            .triangles
            .extend(borrowed.map(|vertices| (vertices, Rank::Shared)));
    });
}

/// A field whose cells are not placed yet, and its triangles.
struct Fitted {
    field: FieldDef,
    triangles: Vec<([u32; 3], Rank)>,
}

impl Fitted {
    /// From bind space, where a field is laid, to its joint's.
    fn on_bone(mut self, avatar: &Avatar) -> Self {
        let joint = &avatar.skeleton.joints[self.field.joint_ix as usize];
        self.field.bone_from_field = joint.bone_from_bind * self.field.bone_from_field;
        self
    }
}

fn fit_joint(body: &Body, settings: &FitSettings, joint_ix: usize) -> Option<Fitted> {
    let determinant = body.avatar.skeleton.joints[joint_ix]
        .bone_from_bind
        .determinant();
    if !determinant.is_finite() || determinant == 0.0 {
        return None;
    }
    let (_, fitted) = fit_limb(&Limb::new(body, joint_ix, settings), settings)?;
    Some(fitted.on_bone(body.avatar))
}

/// Of the best axes, the one whose field, once drawn, classifies the points round the limb best; with its score, in bind space.
fn fit_limb(limb: &Limb, settings: &FitSettings) -> Option<(f32, Fitted)> {
    let probes = Probes::round(limb);
    let fields = axis::best(&axis::candidates(limb), limb)
        .into_iter()
        .filter_map(|axis| lay(&axis, limb, settings));
    let scored = fields.map(|fitted| (probes.score(&fitted), fitted));
    // Strictly better only, so that ties go to the axis that sees more.
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// Lays a field in bind space: its `bone_from_field` is `bind_from_field`.
fn lay(axis: &Axis, limb: &Limb, settings: &FitSettings) -> Option<Fitted> {
    let extent = Extent::measure(axis, limb)?;
    let field = FieldDef {
        joint_ix: limb.joint_ix as u32,
        bone_from_field: bind_from_field(axis, &extent),
        length: extent.length(),
        width: ((TAU * extent.mean_radius / extent.cell_size / 2.0).round() as u32 * 2)
            .max(MIN_WIDTH),
        height: ((extent.length() / extent.cell_size).ceil() as u32).clamp(MIN_HEIGHT, MAX_HEIGHT),
        cell_offset: 0,
        radius: extent.max_radius * RADIUS_MARGIN,
        first_row_is_cap: extent.low_is_closed,
        last_row_is_cap: extent.high_is_closed,
        rules: settings.rules,
    };
    Some(Fitted {
        field,
        triangles: extent
            .triangles
            .into_iter()
            .map(|vertices| (vertices, limb.rank(vertices)))
            .collect(),
    })
}

fn bind_from_field(axis: &Axis, extent: &Extent) -> Mat4 {
    let [u, v] = axis.across();
    let columns = [u, v, axis.direction * extent.length()].map(|column| column.extend(0.0));
    let start: Vec4 = axis.at(extent.low).extend(1.0);
    Mat4::from_cols(columns[0], columns[1], columns[2], start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin::load_mannequin;
    use crate::avatar::{Joint, MAX_INFLUENCES, Node, Skeleton, SkinMesh, Transform};
    use glam::Vec3;

    #[test]
    fn settings_without_sense_are_refused() {
        let mannequin = load_mannequin();
        let refusal = |cell_size: f32, weight_threshold: f32| {
            let settings = FitSettings {
                cell_size,
                weight_threshold,
                ..FitSettings::default()
            };
            settings.check(&mannequin).err()
        };
        assert_eq!(refusal(0.01, 0.1), None);
        assert_eq!(refusal(0.0005, 0.0), None);
        for metres in [0.0, -0.01, f32::INFINITY] {
            assert_eq!(refusal(metres, 0.1), Some(FitError::CellSize { metres }));
        }
        assert!(matches!(
            refusal(f32::NAN, 0.1),
            Some(FitError::CellSize { .. })
        ));
        for threshold in [-0.1, 1.1] {
            let error = Some(FitError::WeightThreshold { threshold });
            assert_eq!(refusal(0.01, threshold), error);
        }
        let error = refusal(1e-5, 0.1).expect("that many cells fit nowhere");
        assert!(error.to_string().contains("coarser"), "{error}");
    }

    #[test]
    fn what_is_too_large_is_refused_with_an_estimate() {
        let refusal = |avatar: &Avatar| {
            let checked = FitSettings::default().check(avatar);
            checked.expect_err("nobody waits for that").to_string()
        };
        let mut scan = load_mannequin();
        scan.skin.triangles = vec![[0, 1, 2]; 10_000_000];
        let text = refusal(&scan);
        for part in [
            "10000000 triangles",
            "53 joints",
            "2 minutes",
            "10 GB",
            "simplify",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let mut swarm = load_mannequin();
        swarm.skeleton.joints = vec![swarm.skeleton.joints[0].clone(); 60_000];
        let text = refusal(&swarm);
        for part in ["60000 joints", "24 minutes", "25000 joints or fewer"] {
            assert!(text.contains(part), "{text}");
        }
    }

    /// 1 m long and so thick, metres.
    fn needle(radius: f32) -> Avatar {
        let ring = |y: f32| {
            [0.0, 2.1, 4.2].map(|turn: f32| Vec3::new(turn.cos() * radius, y, turn.sin() * radius))
        };
        let positions = [ring(0.0), ring(1.0)].concat();
        let sides = (0..3u32).map(|a| (a, (a + 1) % 3));
        let triangles = sides.flat_map(|(a, b)| [[a, a + 3, b + 3], [a, b + 3, b]]);
        let mut weights = [0.0; MAX_INFLUENCES];
        weights[0] = 1.0;
        Avatar {
            skeleton: Skeleton {
                nodes: vec![Node {
                    name: String::new(),
                    parent: None,
                    rest: Transform::IDENTITY,
                }],
                joints: vec![Joint {
                    node_ix: 0,
                    bone_from_bind: Mat4::IDENTITY,
                }],
            },
            skin: SkinMesh {
                normals: vec![Vec3::X; positions.len()],
                joints: vec![Default::default(); positions.len()],
                weights: vec![weights; positions.len()],
                triangles: triangles.collect(),
                positions,
                ..SkinMesh::default()
            },
            ..Avatar::default()
        }
    }

    #[test]
    fn skin_that_all_but_touches_an_axis_asks_for_no_more_cells_than_there_can_be() {
        let set = fit(&needle(1e-6), &FitSettings::default());
        assert!(set.cell_count < 100_000, "{} cells", set.cell_count);
    }

    #[test]
    fn a_field_has_no_more_rows_than_can_be_bounded() {
        let fine = FitSettings {
            cell_size: 0.0005,
            ..FitSettings::default()
        };
        let heights = |settings: &FitSettings| -> Vec<u32> {
            let fields = fit(&needle(0.02), settings).fields;
            fields.iter().map(|field| field.height).collect()
        };
        assert!(heights(&FitSettings::default())[0] < MAX_HEIGHT / 2);
        assert_eq!(heights(&fine), [MAX_HEIGHT], "2,000 would be asked for");
    }
}
