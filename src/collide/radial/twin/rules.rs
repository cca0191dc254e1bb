//! Tests: each change to the paper's fields changes what they hold, and all together hold more of the body.

use crate::avatar::Avatar;
use crate::avatar::builtin::load_mannequin;
use crate::collide::radial::field::FieldSet;
use crate::collide::radial::fit::{FitSettings, fit};
use crate::collide::radial::rules::FieldRules;
use crate::collide::radial::study::{coverage, judge};
use crate::collide::radial::surface::Patch;
use crate::collide::radial::update::{fields_from_world, update};
use crate::pose::{Palette, Pose};
use crate::skin::bake::bake;
use glam::{Mat4, Vec3};
use rayon::prelude::*;

/// Poses of the clip, evenly.
const POSE_COUNT: usize = 6;

fn laid(avatar: &Avatar, rules: FieldRules) -> FieldSet {
    let settings = FitSettings {
        rules,
        ..FitSettings::default()
    };
    fit(avatar, &settings)
}

/// The poses, with the skin in each.
fn poses(avatar: &Avatar) -> Vec<(Palette, Vec<Vec3>)> {
    let posed = |ix: usize| {
        let clip = &avatar.clips[0];
        let seconds = clip.duration * (ix as f32 + 0.5) / POSE_COUNT as f32;
        let pose = Pose::sample(clip, &avatar.skeleton, seconds);
        let palette = Palette::new(&avatar.skeleton, &pose, Mat4::IDENTITY);
        let skin = bake(&avatar.skin, &palette).positions;
        (palette, skin)
    };
    (0..POSE_COUNT).map(posed).collect()
}

/// Which joints' fields hold which points: some millimetres below every vertex of the skin, pose by pose.
fn held(avatar: &Avatar, set: &FieldSet, poses: &[(Palette, Vec<Vec3>)]) -> Vec<Vec<u32>> {
    let in_pose = |(palette, skin): &(Palette, Vec<Vec3>)| {
        let frames = fields_from_world(set, &palette.world_from_bone);
        let cells = update(set, skin, &frames);
        let normals = bake(&avatar.skin, palette).normals;
        let by_fields = |(&vertex, &normal): (&Vec3, &Vec3)| {
            let point = vertex - 0.006 * normal;
            let holds = |ix: &usize| {
                let at = frames[*ix].transform_point3(point);
                let patch = Patch::at(&set.fields[*ix], &cells, at);
                patch.is_some_and(|patch| patch.height(at, frames[*ix]) < 0.0)
            };
            let holding = (0..set.fields.len()).filter(holds);
            holding.map(|ix| set.fields[ix].joint_ix).collect()
        };
        let points = skin.par_iter().zip(&normals);
        points.map(by_fields).collect::<Vec<Vec<u32>>>()
    };
    poses.iter().flat_map(in_pose).collect()
}

#[test]
fn each_change_alone_changes_what_the_papers_fields_hold() {
    let avatar = load_mannequin();
    let poses = poses(&avatar);
    let held = |rules| held(&avatar, &laid(&avatar, rules), &poses);
    let papers = held(FieldRules::PAPER);
    for rule in &FieldRules::ALL {
        let changed = held(FieldRules::PAPER.with(rule));
        let pairs = papers.iter().zip(&changed);
        let count = pairs.filter(|(a, b)| a != b).count();
        println!("{}: {count} of {} points", rule.name, papers.len());
        // A single shell has no parts: src/collide/radial/fit/parts.rs tests those. And nothing is parted from what its own weights
        // lay: bounds.rs tests that. Which triangles are computed is none of the twin's business.
        let changes = !["parts", "one_piece", "small_computed"].contains(&rule.name);
        assert_eq!(count > 0, changes, "{}", rule.name);
    }
}

#[test]
fn all_changes_together_hold_more_of_the_body_than_the_papers_fields() {
    let avatar = load_mannequin();
    let [papers, ours] = [FieldRules::PAPER, FieldRules::default()].map(|rules| {
        let set = laid(&avatar, rules);
        let judged = poses(&avatar).into_iter().flat_map(|(palette, skin)| {
            judge(&set, &avatar.skin, &skin, &palette.world_from_bone, 4000)
        });
        coverage(&judged.collect::<Vec<_>>(), avatar.skeleton.joints.len()).0
    });
    println!("the paper's {papers:?}, ours {ours:?}");
    assert!(2 * ours.missed_count < papers.missed_count);
}
