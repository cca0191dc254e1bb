//! One variant of the fields: what its trial and a study of its fit found.

use radial_fields::collide::radial::fit::{FitSettings, fit};
use radial_fields::collide::radial::study::{Coverage, coverage, judge};
use radial_fields::remark;
use radial_fields::scenes::Variant;
use radial_fields::skin::bake::bake;

use crate::poses;
use crate::results::Trial;
use crate::trial::TrialDesc;

/// Points near the skin a pose that fields and mesh are asked about.
const POINT_COUNT: usize = 5_000;

/// A line of the tables.
pub struct Row {
    pub fields: Variant,
    pub trial: Trial,
    pub field_count: usize,
    /// Drawn into the fields, each as often as fields have it.
    pub triangle_count: usize,
    pub coverage: Coverage,
}

impl Row {
    /// Lays the fields once more, on the CPU, and asks them in so many poses about points near the skin.
    pub fn new(trial: Trial, desc: &TrialDesc, pose_count: u32) -> anyhow::Result<Self> {
        let settings = FitSettings {
            cell_size: desc.condition.cell_size(desc.technique),
            rules: desc.fields.rules,
            ..FitSettings::default()
        };
        let (avatar, set) = (desc.avatar, fit(desc.avatar, &settings));
        let mut covered = Coverage::default();
        for pose_ix in 0..pose_count {
            let palette = poses::pose(avatar, pose_ix as usize, pose_count as usize);
            let skin = bake(&avatar.skin, &palette).positions;
            let bones = &palette.world_from_bone;
            let judged = judge(&set, &avatar.skin, &skin, bones, POINT_COUNT);
            covered = covered.and(coverage(&judged, avatar.skeleton.joints.len()).0);
        }
        remark!("bench:   {} judged", desc.fields);
        Ok(Self {
            fields: desc.fields,
            trial,
            field_count: set.fields.len(),
            triangle_count: set.triangles.len(),
            coverage: covered,
        })
    }
}
