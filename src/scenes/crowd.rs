//! Where the copies of a character stand, and how far each is in the clip.

use glam::{Mat4, Vec3};

use super::Performance;
use crate::avatar::Avatar;

/// Metres between neighbours of a person's size: no arm reaches that far.
const SPACING: f32 = 3.0;
/// Seconds of the clip between neighbours: not a part of any clip's length, so that no two move alike.
const PHASE: f32 = 0.371;

/// So many copies in a square, the first at the origin. One alone begins in the pose that its clothes were made in, those of a crowd
/// amid the clip.
pub(super) fn performances(
    avatar: &Avatar,
    clip_ix: Option<usize>,
    character_count: usize,
) -> Vec<Performance> {
    let clip = clip_ix.and_then(|clip_ix| avatar.clips.get(clip_ix));
    let first = Performance::new(&avatar.skeleton, clip);
    if character_count == 1 {
        return vec![first];
    }
    let spacing = SPACING * avatar.size().max(1.0);
    let columns = (character_count as f32).sqrt().ceil().max(1.0) as usize;
    let place = |ix: usize| spacing * Vec3::new((ix % columns) as f32, 0.0, (ix / columns) as f32);
    (0..character_count)
        .map(|ix| {
            let at = Mat4::from_translation(place(ix));
            first.clone().placed(at, PHASE * ix as f32)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;

    /// Metres between the nearest two of all bones' origins of different characters.
    fn nearest(performances: &[Performance]) -> f32 {
        let origins = |ix: usize| {
            let bones = &performances[ix].palette().world_from_bone;
            bones.iter().map(|bone| bone.w_axis.truncate())
        };
        let pairs = (0..performances.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let distances = pairs.flat_map(|(a, b)| {
            origins(a).flat_map(move |at| origins(b).map(move |other| at.distance(other)))
        });
        distances.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn the_characters_of_a_crowd_stand_apart_and_move_unlike() {
        let avatar = builtin::load_mannequin();
        let mut crowd = performances(&avatar, Some(0), 5);
        for _ in 0..3 {
            assert!(nearest(&crowd) > 0.5, "{}", nearest(&crowd));
            for performance in &mut crowd {
                performance.advance(0.5);
            }
        }
        let times: Vec<_> = crowd.iter().map(Performance::time).collect();
        assert!(times.windows(2).all(|pair| pair[0] != pair[1]), "{times:?}");
    }

    #[test]
    fn a_crowd_restarts_where_it_began_and_keeps_its_distances_in_time() {
        let avatar = builtin::load_mannequin();
        let mut crowd = performances(&avatar, Some(0), 3);
        let began: Vec<_> = crowd.iter().map(Performance::time).collect();
        for performance in &mut crowd {
            performance.seek(2.0);
        }
        assert!((crowd[2].time() - crowd[0].time() - 2.0 * PHASE).abs() < 1e-4);
        crowd.iter_mut().for_each(Performance::restart);
        let restarted: Vec<_> = crowd.iter().map(Performance::time).collect();
        assert_eq!(restarted, began);
    }
}
