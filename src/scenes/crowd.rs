//! Where the copies of a character stand, and how far each is in the clip.

use glam::{Mat4, Vec3};

use super::Performance;
use super::performance::skin_at;
use crate::avatar::{Avatar, Clip};

/// Metres between neighbours of a person's size: no arm reaches that far.
const SPACING: f32 = 3.0;
/// Seconds of the clip between neighbours: not a part of any clip's length, so that no two move alike.
const PHASE: f32 = 0.371;

/// How the copies of a character stand to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formation {
    /// In a square, out of each other's reach, each somewhere else in the clip.
    #[default]
    Square,
    /// In pairs that face each other and go past each other in the middle of the clip, so near that sleeves brush.
    Passing,
}

/// So many copies, the first at the origin. One alone begins in the pose that its clothes were made in, those of a crowd amid the clip.
pub(super) fn performances(
    avatar: &Avatar,
    clip_ix: Option<usize>,
    preroll_seconds: f32,
    character_count: usize,
    formation: Formation,
) -> Vec<Performance> {
    let clip = clip_ix.and_then(|clip_ix| avatar.clips.get(clip_ix));
    let first = Performance::new(&avatar.skeleton, clip).with_preroll(preroll_seconds);
    if character_count == 1 {
        return vec![first];
    }
    let places = square(avatar, character_count);
    let in_square = |ix: usize| (Mat4::from_translation(places[ix]), PHASE * ix as f32);
    let passing = |way: Way, ix: usize| {
        let beside = Mat4::from_translation(spacing(avatar) * (ix / 2) as f32 * Vec3::X);
        let at = if ix.is_multiple_of(2) {
            Mat4::IDENTITY
        } else {
            way.back()
        };
        (beside * at, 0.0)
    };
    let way = (formation == Formation::Passing).then(|| Way::of(avatar, clip));
    (0..character_count)
        .map(|ix| {
            let (at, seconds) = way.map_or_else(|| in_square(ix), |way| passing(way, ix));
            first.clone().placed(at, seconds)
        })
        .collect()
}

/// Metres between neighbours.
fn spacing(avatar: &Avatar) -> f32 {
    SPACING * avatar.size().max(1.0)
}

/// Places of so many copies out of each other's reach, the first at the origin.
pub(super) fn square(avatar: &Avatar, count: usize) -> Vec<Vec3> {
    let columns = (count as f32).sqrt().ceil().max(1.0) as usize;
    let at = |ix: usize| Vec3::new((ix % columns) as f32, 0.0, (ix / columns) as f32);
    (0..count).map(|ix| spacing(avatar) * at(ix)).collect()
}

/// Looks at a clip, a second.
const SAMPLES_PER_SECOND: f32 = 10.0;

/// Where a character goes in a clip, metres, and how much room it takes.
#[derive(Clone, Copy)]
struct Way {
    from: Vec3,
    to: Vec3,
    /// From one who goes this way to one who comes towards it and brushes it: as far as both reach to the sides midway.
    beside: Vec3,
}

impl Way {
    fn of(avatar: &Avatar, clip: Option<&Clip>) -> Self {
        let duration = clip.map_or(0.0, |clip| clip.duration);
        let looks = (duration * SAMPLES_PER_SECOND) as u32;
        let skin = |look: u32| match clip {
            Some(clip) => skin_at(avatar, clip, look as f32 / SAMPLES_PER_SECOND),
            None => avatar.skin.positions.clone(),
        };
        let middle = |skin: &[Vec3]| {
            let sum: Vec3 = skin.iter().sum();
            (sum / skin.len().max(1) as f32).with_y(0.0)
        };
        let (from, to) = (middle(&skin(0)), middle(&skin(looks)));
        let aside = (to - from)
            .try_normalize()
            .unwrap_or(Vec3::Z)
            .cross(Vec3::Y);
        // At either end the arms may be spread.
        let skins = (looks / 4..=looks - looks / 4).flat_map(skin);
        let reach = skins
            .map(|at| (at - from).dot(aside).abs())
            .fold(0.0, f32::max);
        Self {
            from,
            to,
            beside: 2.0 * reach * aside,
        }
    }

    /// Puts a second character at the end of the way of the first, facing it, and beside it.
    fn back(self) -> Mat4 {
        let turned = Mat4::from_rotation_y(std::f32::consts::PI);
        let end = self.to + self.beside;
        Mat4::from_translation(end) * turned * Mat4::from_translation(-self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avatar::builtin;
    use crate::pose::motion::{Routine, author_named};
    use crate::scenes::PREROLL_SECONDS;
    use crate::skin::bake::bake;

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
        let mut crowd = performances(&avatar, Some(0), PREROLL_SECONDS, 5, Formation::Square);
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
        let mut crowd = performances(&avatar, Some(0), PREROLL_SECONDS, 3, Formation::Square);
        let began: Vec<_> = crowd.iter().map(Performance::time).collect();
        for performance in &mut crowd {
            performance.seek(2.0);
        }
        assert!((crowd[2].time() - crowd[0].time() - 2.0 * PHASE).abs() < 1e-4);
        crowd.iter_mut().for_each(Performance::restart);
        let restarted: Vec<_> = crowd.iter().map(Performance::time).collect();
        assert_eq!(restarted, began);
    }

    #[test]
    fn those_who_pass_each_other_come_near_in_the_middle_and_go_on() {
        let mut avatar = builtin::load_mannequin();
        let walk = author_named(&avatar.skeleton, Routine::Walk).expect("it has the game rig");
        let seconds = walk.duration;
        avatar.clips = vec![walk];
        let mut pair = performances(&avatar, Some(0), PREROLL_SECONDS, 2, Formation::Passing);
        let apart = |pair: &[Performance]| {
            let skins = [0, 1].map(|ix: usize| bake(&avatar.skin, pair[ix].palette()).positions);
            let near = |at: &Vec3| {
                skins[1]
                    .iter()
                    .map(|other| other.distance(*at))
                    .fold(f32::MAX, f32::min)
            };
            skins[0]
                .iter()
                .step_by(7)
                .map(near)
                .fold(f32::MAX, f32::min)
        };
        assert!(apart(&pair) > 1.0, "{}", apart(&pair));
        let steps = (seconds * 15.0) as u32;
        let nearest = (0..steps).map(|_| {
            pair.iter_mut().for_each(|one| {
                one.advance(1.0 / 15.0);
            });
            apart(&pair)
        });
        let nearest = nearest.fold(f32::MAX, f32::min);
        assert!((0.002..0.1).contains(&nearest), "{nearest} m");
        // They end where the other began.
        assert!(apart(&pair) > 1.0, "{}", apart(&pair));
    }
}
