//! What a joint's name says about the part of the body it moves.
//!
//! Rigs in the wild write the same bone as `upperarm_l`, `mixamorig:LeftArm`, `upper_arm.L`, `Bip01 L UpperArm` or
//! `J_Bip_L_UpperArm`. A name is cut into words, the side is taken out, and what remains is matched.

use std::collections::BTreeMap;

use super::{Part, Side};

/// What a name gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The exact part, where the name is that precise.
    pub part: Option<Part>,
    /// The limb, which numbered rigs (`leg_joint_L_1`) give without the part.
    pub limb: Option<LimbKind>,
    pub side: Option<Side>,
    /// Says that an animator pulls at it: a handle of the rig that a tool exported among the joints.
    pub is_control: bool,
    /// A finger, a thumb, a toe: with the hand or the foot, whatever it hangs under.
    pub is_digit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimbKind {
    Arm,
    Leg,
}

/// Fragments that name a part; the first that fits wins, so the longer ones come first.
const PART_FRAGMENTS: [(&str, Part); 27] = [
    ("forearm", Part::LowerArm),
    ("lowerarm", Part::LowerArm),
    ("lowarm", Part::LowerArm),
    ("elbow", Part::LowerArm),
    ("upperarm", Part::UpperArm),
    ("uparm", Part::UpperArm),
    ("armlower", Part::LowerArm),
    ("armupper", Part::UpperArm),
    ("shldr", Part::UpperArm),
    ("hand", Part::Hand),
    ("wrist", Part::Hand),
    ("palm", Part::Hand),
    ("thigh", Part::Thigh),
    ("upleg", Part::Thigh),
    ("upperleg", Part::Thigh),
    ("calf", Part::Calf),
    ("shin", Part::Calf),
    ("lowerleg", Part::Calf),
    ("lowleg", Part::Calf),
    ("leglower", Part::Calf),
    ("legupper", Part::Thigh),
    ("knee", Part::Calf),
    ("foot", Part::Foot),
    ("ankle", Part::Foot),
    ("neck", Part::Neck),
    ("head", Part::Head),
    ("spine", Part::Torso),
];

/// Things that are worn or carried, whose names begin with the part that they are on.
const THINGS: [&str; 16] = [
    "necktie",
    "necklace",
    "neckband",
    "neckerchief",
    "handbag",
    "handkerchief",
    "handcuff",
    "wristband",
    "headband",
    "headphone",
    "headset",
    "headgear",
    "headpiece",
    "shinguard",
    "kneepad",
    "elbowpad",
];

/// Words of handles: what inverse kinematics reaches for, what a foot rolls over, what a knee points at.
const CONTROL_WORDS: [&str; 11] = [
    "control", "ctrl", "ctl", "ik", "fk", "pole", "target", "roll", "mch", "helper", "twist",
];

/// Words of fingers and toes.
const DIGIT_WORDS: [&str; 9] = [
    "finger", "thumb", "index", "middle", "ring", "pinky", "little", "toe", "toes",
];

/// Words that so large a part of a rig's joints begin with say nothing of any one of them. Usually 0.75: roots and props may lack them.
const COMMON: f32 = 0.75;

/// The words that nearly all names of a rig begin with: who exported it, or whose it is.
pub(super) fn common_prefix<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<_> = names.map(words).collect();
    let mut prefix: Vec<String> = Vec::new();
    loop {
        let next = |words: &[String]| words.strip_prefix(&prefix[..])?.first().cloned();
        let mut counts = BTreeMap::new();
        for word in names.iter().filter_map(|words| next(words)) {
            *counts.entry(word).or_insert(0) += 1;
        }
        let most = counts.into_iter().max_by_key(|&(_, count)| count);
        match most {
            Some((word, count)) if count as f32 > COMMON * names.len() as f32 => {
                prefix.push(word);
            }
            _ => return prefix,
        }
    }
}

/// Reads a joint's name in a rig whose names begin with some words.
pub(super) fn read(name: &str, prefix: &[String]) -> Meaning {
    let mut words = words(name);
    if words.len() > prefix.len() && words.starts_with(prefix) {
        words.drain(..prefix.len());
    }
    let side = words.iter().find_map(|word| match word.as_str() {
        "l" | "left" => Some(Side::Left),
        "r" | "right" => Some(Side::Right),
        _ => None,
    });
    let rest: String = words
        .iter()
        .filter(|word| !is_noise(word))
        .map(String::as_str)
        .collect();
    let is_thing = THINGS.iter().any(|thing| rest.contains(thing));
    let part = PART_FRAGMENTS
        .iter()
        .find(|(fragment, _)| !is_thing && rest.contains(fragment))
        .map(|&(_, part)| part);
    let part = part.or(match rest.as_str() {
        "arm" => Some(Part::UpperArm),
        "leg" => Some(Part::Calf),
        _ => None,
    });
    Meaning {
        part,
        limb: limb(part, &rest),
        side,
        is_control: words
            .iter()
            .any(|word| CONTROL_WORDS.contains(&word.as_str())),
        is_digit: words
            .iter()
            .any(|word| DIGIT_WORDS.contains(&word.as_str())),
    }
}

fn limb(part: Option<Part>, rest: &str) -> Option<LimbKind> {
    match part {
        Some(Part::UpperArm | Part::LowerArm | Part::Hand) => Some(LimbKind::Arm),
        Some(Part::Thigh | Part::Calf | Part::Foot) => Some(LimbKind::Leg),
        Some(_) => None,
        None if rest.contains("arm") => Some(LimbKind::Arm),
        None if rest.contains("leg") => Some(LimbKind::Leg),
        None => None,
    }
}

/// Words that carry no anatomy: sides, prefixes of exporters, numbering.
fn is_noise(word: &str) -> bool {
    const NOISE: [&str; 16] = [
        "stretch",
        "bend",
        "l",
        "r",
        "left",
        "right",
        "skeleton",
        "armature",
        "joint",
        "jnt",
        "bone",
        "bip",
        "def",
        "j",
        "mixamorig",
        "rig",
    ];
    NOISE.contains(&word)
}

/// Cuts at everything that is no letter and where a capital starts a word: `LHipJoint` is `l`, `hip`, `joint`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (ix, &letter) in letters.iter().enumerate() {
        let after_lower = ix > 0 && letters[ix - 1].is_lowercase();
        let before_lower = letters.get(ix + 1).is_some_and(|next| next.is_lowercase());
        let starts_word = letter.is_uppercase() && (after_lower || before_lower);
        if !letter.is_alphabetic() || starts_word {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_reads(name: &str, part: Option<Part>, side: Option<Side>) {
        let meaning = read(name, &[]);
        assert_eq!((meaning.part, meaning.side), (part, side), "{name}");
    }

    #[test]
    fn rigs_in_the_wild_are_understood() {
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        assert_reads("upperarm_l", Some(Part::UpperArm), left);
        assert_reads("mixamorig:LeftForeArm", Some(Part::LowerArm), left);
        assert_reads("mixamorig:RightArm", Some(Part::UpperArm), right);
        assert_reads("LeftUpLeg", Some(Part::Thigh), left);
        assert_reads("RightLeg", Some(Part::Calf), right);
        assert_reads("thigh.L", Some(Part::Thigh), left);
        assert_reads("Bip01 R Calf", Some(Part::Calf), right);
        assert_reads("J_Bip_L_UpperLeg", Some(Part::Thigh), left);
        assert_reads("LHipJoint", None, left);
        assert_reads("neck_01", Some(Part::Neck), None);
        assert_reads("thigh_stretch.l", Some(Part::Thigh), left);
        assert_reads("arm_stretch.r", Some(Part::UpperArm), right);
        assert_reads("lShldrBend", Some(Part::UpperArm), left);
        assert_reads("leg_upper_L", Some(Part::Thigh), left);
        assert_reads("Root", None, None);
    }

    #[test]
    fn what_is_worn_is_not_the_part_that_it_is_on() {
        for name in [
            "Necktie",
            "neck_tie_01",
            "NecklaceEnd",
            "handbag_l",
            "HeadBand",
        ] {
            assert_eq!(read(name, &[]).part, None, "{name}");
        }
        for name in ["Neck1", "HeadTop_End", "lhand", "handLeft", "Foot_Root"] {
            assert!(read(name, &[]).part.is_some(), "{name}");
        }
    }

    #[test]
    fn what_all_names_begin_with_says_nothing() {
        let rig = ["Hips", "LeftArm", "LeftForeArm", "RightArm", "Head", "Neck"];
        let named: Vec<_> = rig
            .iter()
            .map(|name| format!("Headhunter_{name}"))
            .collect();
        let prefix = common_prefix(named.iter().map(String::as_str).chain(["Root"]));
        assert_eq!(prefix, ["headhunter"]);
        let part = |name: &str| read(name, &prefix).part;
        assert_eq!(part("Headhunter_Hips"), None);
        assert_eq!(part("Headhunter_LeftForeArm"), Some(Part::LowerArm));
        assert_eq!(part("Headhunter_Head"), Some(Part::Head));
        assert_eq!(
            part("Headhunter"),
            Some(Part::Head),
            "nothing would be left of it"
        );
        let sides = ["LeftArm", "LeftLeg", "RightArm", "RightLeg"].into_iter();
        assert!(common_prefix(sides).is_empty());
    }

    #[test]
    fn handles_of_a_rig_are_told_from_joints() {
        for name in [
            "control-foot-roll.l",
            "IK-foot.l",
            "kneeIK.r",
            "LeftFootCtrl",
            "ik_hand_l",
            "PoleTarget.L",
        ] {
            assert!(read(name, &[]).is_control, "{name}");
        }
        for name in ["foot.l", "LeftFoot", "mixamorig:LeftUpLeg", "DEF-thigh.L"] {
            assert!(!read(name, &[]).is_control, "{name}");
        }
        assert!(read("mixamorig:LeftHandThumb1", &[]).is_digit && !read("LeftHand", &[]).is_digit);
    }

    #[test]
    fn numbered_rigs_give_at_least_the_limb() {
        assert_eq!(
            read("Skeleton_arm_joint_L__4_", &[]).limb,
            Some(LimbKind::Arm)
        );
        assert_eq!(read("leg_joint_R_5", &[]).limb, Some(LimbKind::Leg));
        assert_eq!(read("leg_joint_R_5", &[]).side, Some(Side::Right));
    }
}
