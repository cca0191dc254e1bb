//! The shape of a person as a mixture of MakeHuman's macro targets.
//!
//! Each target file is the mesh's displacement for one corner of the space of shapes (say young, male, muscular,
//! average weight). A shape between corners is the sum of the corners' displacements, each weighted by the product of
//! the axes' shares, so the weights of one family of targets sum to one.

/// Which of the two families of corner shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gender {
    Female,
    Male,
}

impl Gender {
    fn word(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
        }
    }
}

/// A young adult, ancestries blended equally. Every number is from 0 to 1, and 0.5 is average.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub gender: Gender,
    pub muscle: f32,
    pub weight: f32,
    pub height: f32,
    /// Above one half towards the ideal of drawing books, below away from it.
    pub proportions: f32,
    /// Only for the female shape.
    pub cup: f32,
    /// Only for the female shape.
    pub firmness: f32,
    /// From soles to crown in metres; the shaped mesh is scaled to it.
    pub stature: f32,
}

/// Blended in equal shares.
const ANCESTRIES: [&str; 3] = ["african", "asian", "caucasian"];

/// How far the lids are closed at rest. Usual 0.05 to 0.2: 0 stares, 1 sleeps.
const LIDS: f32 = 0.07;

impl Shape {
    /// An athletic-average man.
    pub const MALE: Self = Self {
        gender: Gender::Male,
        muscle: 0.68,
        weight: 0.48,
        height: 0.55,
        proportions: 0.8,
        cup: 0.5,
        firmness: 0.5,
        stature: 1.75,
    };

    /// An athletic-average woman.
    pub const FEMALE: Self = Self {
        gender: Gender::Female,
        muscle: 0.58,
        weight: 0.46,
        height: 0.55,
        proportions: 0.8,
        cup: 0.5,
        firmness: 0.55,
        stature: 1.65,
    };

    /// The targets to add, as (path under the targets' folder, weight). Weights are positive.
    pub fn targets(&self) -> Vec<(String, f32)> {
        let gender = self.gender.word();
        let mut targets: Vec<(String, f32)> = ANCESTRIES
            .map(|ancestry| {
                (
                    format!("macrodetails/{ancestry}-{gender}-young.target.gz"),
                    1.0 / ANCESTRIES.len() as f32,
                )
            })
            .to_vec();
        for (muscle, muscle_share) in three_levels(self.muscle, "muscle") {
            for (weight, weight_share) in three_levels(self.weight, "weight") {
                let build = format!("{gender}-young-{muscle}-{weight}");
                let share = muscle_share * weight_share;
                targets.push((format!("macrodetails/universal-{build}.target.gz"), share));
                targets.extend(
                    self.of_build(&build)
                        .map(|(path, part)| (path, part * share)),
                );
            }
        }
        // Eyes as wide open as the base mesh's stare.
        targets.extend(ANCESTRIES.iter().flat_map(|ancestry| {
            ["left", "right"].map(|side| {
                (
                    format!("expression/units/{ancestry}/eye-{side}-closure.target.gz"),
                    LIDS / ANCESTRIES.len() as f32,
                )
            })
        }));
        if self.gender == Gender::Female {
            // She wears a top, which does not cling.
            targets.push(("breast/breast-point-decr.target.gz".to_owned(), 1.0));
        }
        targets.retain(|&(_, weight)| weight > 0.0);
        targets
    }

    /// The targets that exist once for each build: height, proportions, chest.
    fn of_build(&self, build: &str) -> impl Iterator<Item = (String, f32)> {
        let mut targets: Vec<(String, f32)> = Vec::new();
        for (name, share) in two_sided(self.height, "minheight", "maxheight") {
            targets.push((
                format!("macrodetails/height/{build}-{name}.target.gz"),
                share,
            ));
        }
        for (name, share) in two_sided(self.proportions, "uncommonproportions", "idealproportions")
        {
            targets.push((
                format!("macrodetails/proportions/{build}-{name}.target.gz"),
                share,
            ));
        }
        if self.gender == Gender::Female {
            targets.extend(self.chest(build));
        }
        targets.into_iter()
    }

    /// The average chest is the base shape itself and has no file.
    fn chest(&self, build: &str) -> Vec<(String, f32)> {
        let mut targets = Vec::new();
        for (cup, cup_share) in three_levels(self.cup, "cup") {
            for (firmness, firmness_share) in three_levels(self.firmness, "firmness") {
                if (cup.as_str(), firmness.as_str()) != ("averagecup", "averagefirmness") {
                    let path = format!("breast/{build}-{cup}-{firmness}.target.gz");
                    targets.push((path, cup_share * firmness_share));
                }
            }
        }
        targets
    }
}

/// Shares of the corners `min`, `average` and `max` of one axis; they sum to one.
fn three_levels(value: f32, axis: &str) -> [(String, f32); 3] {
    let [(_, low), (_, high)] = two_sided(value, "", "");
    [("min", low), ("average", 1.0 - low - high), ("max", high)]
        .map(|(level, share)| (format!("{level}{axis}"), share))
}

/// Shares of an axis whose average is the base shape.
fn two_sided(value: f32, low: &'static str, high: &'static str) -> [(&'static str, f32); 2] {
    let offset = value.clamp(0.0, 1.0) * 2.0 - 1.0;
    [(low, (-offset).max(0.0)), (high, offset.max(0.0))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(targets: &[(String, f32)], prefix: &str) -> f32 {
        targets
            .iter()
            .filter(|(path, _)| path.starts_with(prefix))
            .map(|(_, weight)| weight)
            .sum()
    }

    #[test]
    fn each_family_of_corners_sums_to_one() {
        for shape in [Shape::MALE, Shape::FEMALE] {
            let targets = shape.targets();
            assert!((sum_of(&targets, "macrodetails/universal-") - 1.0).abs() < 1e-6);
            assert!(
                (sum_of(&targets, "macrodetails/a") + sum_of(&targets, "macrodetails/c") - 1.0)
                    .abs()
                    < 1e-6
            );
        }
    }

    #[test]
    fn a_corner_is_one_target() {
        let shape = Shape {
            muscle: 1.0,
            weight: 0.5,
            height: 0.0,
            proportions: 0.5,
            ..Shape::MALE
        };
        let paths: Vec<String> = shape
            .targets()
            .into_iter()
            .skip(3)
            .map(|(path, _)| path)
            .filter(|path| path.starts_with("macrodetails/"))
            .collect();
        assert_eq!(
            paths,
            [
                "macrodetails/universal-male-young-maxmuscle-averageweight.target.gz",
                "macrodetails/height/male-young-maxmuscle-averageweight-minheight.target.gz"
            ]
        );
    }

    #[test]
    fn the_average_chest_has_no_file() {
        let shape = Shape {
            cup: 0.5,
            firmness: 0.5,
            ..Shape::FEMALE
        };
        assert_eq!(sum_of(&shape.targets(), "breast/female"), 0.0);
    }
}
