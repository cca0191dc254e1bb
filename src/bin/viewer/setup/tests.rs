//! What a setup's file may say, and in which words others are refused.

use super::*;
use clap::Parser as _;
use radial_fields::cloth::Detail;

fn with(more: &str) -> String {
    format!("{{\"schema\": \"{SCHEMA}\", \"version\": 1{more}}}")
}

fn refusal(text: &str) -> String {
    format!("{:#}", Setup::parse(text).expect_err(text))
}

#[test]
fn what_is_saved_is_read_as_the_same() {
    let cli = Cli::parse_from([
        "viewer",
        "--clip",
        "walk",
        "--clip-frames",
        "10,90",
        "--scale",
        "0.3",
        "--follow",
        "turn",
        "--cloth-contacts",
        "--detail",
        "half",
    ]);
    let tuned = Tuned {
        garments: vec![value_of(&GarmentSettings::default()).expect("plain numbers")],
        cloth: Some(value_of(&ClothSettings::default()).expect("plain numbers")),
        props: Some(vec![PlacedProp::default()]),
        ..Tuned::default()
    };
    let setup = Setup::of(&cli, tuned);
    let text = String::from_utf8(setup.to_json().expect("plain values")).expect("text");
    let read = Setup::parse(&text).expect("what was written");
    assert_eq!(read.to_json().expect("the same"), text.into_bytes());
    assert_eq!(
        (&read.tuned, read.clip_frames),
        (&setup.tuned, Some((10, 90)))
    );
    let under = read.under(Cli::parse_from(["viewer"]));
    assert_eq!(under.cloth_contacts, Some(true));
    assert_eq!(under.detail(), DetailChoice::All(Detail::Half));
}

#[test]
fn every_number_of_the_settings_survives() {
    let garment = GarmentSettings {
        thickness: 0.1 + 0.2,
        density: 1.0 / 3.0,
        ..GarmentSettings::default()
    };
    let patch = value_of(&garment).expect("plain numbers");
    assert_eq!(
        patched(&GarmentSettings::default(), &patch).expect("the same"),
        garment
    );
}

#[test]
fn a_fabric_stands_for_what_it_decides() {
    let patch = serde_json::json!({"fabric": "silk", "friction": 0.2});
    let base = GarmentSettings {
        thickness: 0.02,
        ..GarmentSettings::default()
    };
    let garment = garment_of(&base, &patch).expect("a fabric");
    let silk = GarmentSettings::of(Material::Silk);
    assert_eq!(
        (garment.compliance, garment.density),
        (silk.compliance, silk.density)
    );
    assert_eq!((garment.thickness, garment.friction), (0.02, 0.2));
}

#[test]
fn what_is_left_out_is_usual_and_flags_count_more() {
    let setup =
        Setup::parse(&with(", \"clip\": \"run\", \"cloth\": {\"sub_steps\": 7}")).expect("a setup");
    let cloth: ClothSettings = over(&setup.tuned.cloth).expect("checked");
    assert_eq!(
        (cloth.sub_steps, cloth.iterations),
        (7, ClothSettings::default().iterations)
    );
    let flags = Cli::parse_from(["viewer", "--clip", "walk"]);
    assert_eq!(setup.under(flags).clip.as_deref(), Some("walk"));
}

#[test]
fn what_is_no_setup_is_refused_in_one_line() {
    let cases = [
        ("{", "it is no JSON"),
        (
            &with(", \"garments\": [{\"fabric\": \"tin\"}]"),
            "there is no fabric \"tin\": choose one of cotton",
        ),
        ("[]", "it is no setup"),
        (&with("").replace("setup", "report"), "it is no setup"),
        (&with("").replace(": 1", ": 9"), "another version"),
        (&with(", \"colour\": 1"), "there is no colour"),
        (
            &with(", \"cloth\": {\"substeps\": 1}"),
            "there is no substeps: choose one of",
        ),
        (
            &with(", \"cloth\": {\"sub_steps\": 0}"),
            "cloth.sub_steps is 0: give 1 to 16",
        ),
        (
            &with(", \"cloth\": {\"sub_steps\": \"many\"}"),
            "wrong kind",
        ),
        (
            &with(", \"cloth\": {\"gravity\": [0, -1e300, 0]}"),
            "gravity[1]",
        ),
        (
            &with(", \"garments\": [{\"thickness\": -1}]"),
            "garments[0]: thickness is -1: give 0 to 10",
        ),
        (
            &with(", \"props\": [{\"shape\": {\"sphere\": {\"radius\": 0}}}]"),
            "props[0]",
        ),
        (&with(", \"camera\": {\"fov_y\": 9}"), "camera: fov_y is 9"),
        (&with(", \"scale\": \"small\""), "wrong kind"),
    ];
    for (text, words) in cases {
        let said = refusal(text);
        assert!(said.contains(words), "{text}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
