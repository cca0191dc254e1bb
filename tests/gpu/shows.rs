//! Shows: a technique that takes over from another, time that is gone to, and a crowd that is judged.

#![expect(clippy::unwrap_used, reason = "a panic fails the test, and says where")]

use std::sync::Arc;

use glam::Vec3;
use radial_fields::Technique;
use radial_fields::avatar::builtin;
use radial_fields::cloth::garment::sheet_over;
use radial_fields::engine::{Device, Frames, Submission};
use radial_fields::oracle::Tolerances;
use radial_fields::oracle::seen::{FrameFigures, SeenOracle, Surroundings, Worn};
use radial_fields::scenes::{
    Formation, PREROLL_SECONDS, QualityMeter, STEP_SECONDS, Show, ShowDesc,
};

use crate::fixture::with_device;

const FRAMES_IN_FLIGHT: usize = 2;

/// A mannequin in a sheet, in its clip.
fn desc(technique: Technique, character_count: usize) -> ShowDesc {
    let avatar = builtin::load_mannequin();
    ShowDesc {
        props: Vec::new(),
        garments: vec![sheet_over(&avatar, 400)],
        clip_ix: Some(0),
        preroll_seconds: PREROLL_SECONDS,
        cloth: Default::default(),
        cloth_contacts: false,
        layer_fields: true,
        collide: Default::default(),
        technique,
        spatial_hash: Default::default(),
        garment: Default::default(),
        fit: Default::default(),
        frames_in_flight: FRAMES_IN_FLIGHT,
        character_count,
        formation: Formation::Square,
        avatar,
    }
}

/// Dropped in this order, after the frames are waited for.
struct Stage {
    frames: Frames,
    show: Show,
    device: Arc<Device>,
}

impl Stage {
    fn new(device: &Arc<Device>, technique: Technique, character_count: usize) -> Self {
        Self {
            show: Show::new(device, desc(technique, character_count)).unwrap(),
            frames: Frames::new(device, FRAMES_IN_FLIGHT).unwrap(),
            device: Arc::clone(device),
        }
    }

    fn play(&mut self, frame_count: usize) {
        for _ in 0..frame_count {
            let cmd = self.frames.begin().unwrap();
            let recorded = self.show.record(cmd, 1, None);
            recorded.expect("the show's settings will do");
            self.frames.submit(Submission::default()).unwrap();
        }
        self.frames.wait_idle().unwrap();
    }

    fn particles(&mut self) -> Vec<Vec3> {
        self.show.particles(&self.device, &mut self.frames).unwrap()
    }
}

fn furthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn mean(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len() as f32
}

#[test]
fn another_technique_goes_on_with_clip_cloth_and_settings() {
    with_device(|device| {
        let mut first = Stage::new(device, Technique::RadialCompute, 2);
        first.show.seek(2.0);
        first.play(6);
        let settings = first.show.world.settings_mut();
        settings.garments[0].damping = 3.0;
        settings.cloth.sub_steps = 4;
        let mut second = Stage::new(device, Technique::Lbvh, 2);
        let frames = &mut second.frames;
        second.show.take_over(&first.show, device, frames).unwrap();
        assert_eq!(
            second.particles(),
            first.particles(),
            "the cloth to the bit"
        );
        assert_eq!(second.show.world.settings(), first.show.world.settings());
        let times = |show: &Show| {
            show.performances()
                .iter()
                .map(|p| p.time())
                .collect::<Vec<_>>()
        };
        assert_eq!(times(&second.show), times(&first.show));
        // It moves on, in the same way but for what the techniques find.
        let before = first.particles();
        first.play(2);
        second.play(2);
        let (here, there) = (first.particles(), second.particles());
        assert!(furthest(&before, &there) > 1e-3, "it stands still");
        assert!(
            furthest(&here, &there) < 0.05,
            "{}",
            furthest(&here, &there)
        );
    });
}

#[test]
fn time_that_is_gone_to_takes_the_cloth_along() {
    with_device(|device| {
        let mut stage = Stage::new(device, Technique::RadialCompute, 1);
        stage.play(3);
        stage.show.seek(4.0);
        stage.play(1);
        let (body, cloth) = (mean(&stage.show.exact_body()), mean(&stage.particles()));
        let level = Vec3::new(1.0, 0.0, 1.0);
        assert!((body * level).length() > 0.5, "it went nowhere: {body}");
        assert!(((cloth - body) * level).length() < 0.4, "{cloth} on {body}");
        assert!((stage.show.performance().time() - 4.0).abs() < 0.05);
    });
}

/// What a person sees of one of a crowd, without the others.
fn seen_alone(show: &Show, character_ix: usize, particles: &[Vec3]) -> FrameFigures {
    let (skin, garment) = (&show.avatar.skin, &show.garments[0]);
    let worn = Worn {
        name: &garment.name,
        triangles: &garment.mesh.triangles,
        bind_positions: &garment.mesh.positions,
        rest_positions: garment.rest_shape(),
    };
    let surroundings = Surroundings {
        ground_height: 0.0,
        frame_seconds: f64::from(STEP_SECONDS),
        scale: f64::from(show.avatar.size()),
    };
    let mut oracle =
        SeenOracle::new(&skin.positions, &skin.triangles, &[worn], surroundings).unwrap();
    let bodies = show.exact_bodies();
    let body = bodies.chunks(skin.positions.len()).nth(character_ix);
    let own = show.world.garment_particles(character_ix);
    let cloth = &particles[own.start as usize..own.end as usize];
    oracle.measure(body.unwrap(), &[cloth]).unwrap()[0]
}

#[test]
fn each_of_a_crowd_is_judged_as_if_it_were_alone() {
    with_device(|device| {
        let mut stage = Stage::new(device, Technique::RadialCompute, 2);
        let tolerances = Tolerances::new(0.01, 0.003);
        let mut meter = QualityMeter::new(&mut stage.show, tolerances, STEP_SECONDS).unwrap();
        stage.show.seek(5.0);
        stage.play(3);
        let together = meter
            .look(&mut stage.show, &stage.device, &mut stage.frames)
            .unwrap();
        let particles = stage.particles();
        assert_ne!(together[0], together[1], "they are not in one pose");
        for (ix, found) in together.into_iter().enumerate() {
            let alone = seen_alone(&stage.show, ix, &particles);
            // Where it stands rounds its lengths at rest.
            let apart = [
                found.stretch_max - alone.stretch_max,
                found.bare_percent - alone.bare_percent,
            ];
            assert!(apart.iter().all(|apart| apart.abs() < 1e-3), "{apart:?}");
            let counts = |of: &FrameFigures| [of.deep, of.self_crossings, of.underground];
            assert_eq!(counts(&found), counts(&alone));
        }
        let names: Vec<_> = meter.seen().into_iter().map(|each| each.name).collect();
        assert_eq!(names, ["sheet of 1", "sheet of 2"]);
        assert_eq!(meter.quality().frames, 1);
    });
}
