//! `bench response`: what meeting a solid costs, as section 5 of the distance-field paper has it: a tablecloth of about 1,000 particles
//! over a bust of about 293,000 triangles, by the model of friction, and with the middles of edges and without.
//!
//! The paper's normals are computed with the distance here, by one gradient, so that their cost alone cannot be taken out.

use std::fmt::Write as _;
use std::sync::Arc;

use radial_fields::avatar::builtin;
use radial_fields::collide::{CollideSettings, FrictionModel};
use radial_fields::engine::output::{prepare_files, write_whole};
use radial_fields::engine::{Device, Frames, Instance, InstanceDesc, Submission, Validation};
use radial_fields::scenes::{Outfit, Prop, Show, ShowDesc, StageSamples};
use radial_fields::stage::Stage;
use radial_fields::{ClothSettings, GarmentSettings, Technique, remark, say};

use crate::Verdict;
use crate::cli::ResponseFlags;

const FRAMES_IN_FLIGHT: usize = 2;

/// Frames before the first that counts.
const WARM_UP: u32 = 10;

/// What is played.
struct Way {
    name: &'static str,
    has_solid: bool,
    friction_model: FrictionModel,
    edge_midpoints: bool,
}

const fn way(name: &'static str, friction_model: FrictionModel, edge_midpoints: bool) -> Way {
    Way {
        name,
        has_solid: true,
        friction_model,
        edge_midpoints,
    }
}

/// The first warms the device up too, and is what the others are measured against.
const WAYS: [Way; 7] = [
    Way {
        has_solid: false,
        ..way("no solid", FrictionModel::Coulomb, false)
    },
    way("simple friction", FrictionModel::Simple, false),
    way("enhanced friction", FrictionModel::Enhanced, false),
    way("Coulomb", FrictionModel::Coulomb, false),
    way("simple friction, edges", FrictionModel::Simple, true),
    way("enhanced friction, edges", FrictionModel::Enhanced, true),
    way("Coulomb, edges", FrictionModel::Coulomb, true),
];

/// Milliseconds of a frame, medians.
#[derive(Clone, Copy, Default)]
struct Cost {
    collide_ms: f32,
    frame_ms: f32,
}

/// Prints the table and writes what was asked for. Faulty if validation spoke up.
pub fn run(flags: &ResponseFlags) -> anyhow::Result<Verdict> {
    let written = flags.csv.iter().map(|file| ("--csv", file.as_path()));
    prepare_files(&written.collect::<Vec<_>>(), &[])?;
    let instance = Instance::new(&InstanceDesc {
        application: c"bench response",
        validation: Validation::wanted(flags.validate),
        extensions: &[],
    })?;
    let device = Device::open(&instance, flags.gpu.as_deref(), None)?;
    remark!("bench: {} ({})", device.info.name, device.info.driver);
    let props = Prop::bust(flags.edge * 1e-3, flags.cell * 1e-3);
    let triangles: usize = props
        .iter()
        .filter_map(|prop| prop.mesh.as_ref())
        .map(|mesh| mesh.triangles().len())
        .sum();
    let mut costs = Vec::new();
    for way in [&WAYS[0]].into_iter().chain(&WAYS) {
        costs.push(play(flags, &device, way, &props)?);
        remark!(
            "bench:   {}: {:.4} ms",
            way.name,
            costs[costs.len() - 1].collide_ms
        );
    }
    // The first play warmed up.
    costs.remove(0);
    say!(
        "{} ({}), {} frames, {} particles, a bust of {triangles} triangles in cells of {} mm, milliseconds a frame",
        device.info.name,
        device.info.driver,
        flags.frames,
        flags.particles,
        flags.cell
    );
    say!("{}", table(&costs));
    if let Some(file) = &flags.csv {
        write_whole(file, csv(&costs).as_bytes())?;
    }
    Ok(Verdict::of(true, &instance))
}

fn play(
    flags: &ResponseFlags,
    device: &Arc<Device>,
    way: &Way,
    props: &[Prop],
) -> anyhow::Result<Cost> {
    let avatar = builtin::load_mannequin();
    let desc = ShowDesc {
        garments: Outfit::Tablecloth.make(&avatar, flags.particles as usize)?,
        props: if way.has_solid {
            props.to_vec()
        } else {
            Vec::new()
        },
        clip_ix: None,
        cloth: ClothSettings::default(),
        cloth_contacts: false,
        collide: CollideSettings {
            friction_model: way.friction_model,
            edge_midpoints: way.edge_midpoints,
            ..CollideSettings::default()
        },
        technique: Technique::RadialCompute,
        spatial_hash: Default::default(),
        garment: GarmentSettings::default(),
        fit: Default::default(),
        frames_in_flight: FRAMES_IN_FLIGHT,
        character_count: 1,
        avatar,
    };
    let mut show = Show::new(device, desc)?;
    // Dropped before the show, and waits for the GPU then.
    let mut frames = Frames::new(device, FRAMES_IN_FLIGHT)?;
    let mut samples = StageSamples::default();
    for frame_ix in 0..WARM_UP + flags.frames {
        let cmd = frames.begin()?;
        show.record(cmd, 1, None);
        frames.submit(Submission::default())?;
        if frame_ix >= WARM_UP {
            samples.take_frame(show.world.stage_times());
        }
    }
    frames.wait_idle()?;
    let stages = samples.report();
    let collide = stages.iter().find(|stage| stage.name == Stage::Collide);
    Ok(Cost {
        collide_ms: collide.map_or(0.0, |stage| stage.gpu_ms.median),
        frame_ms: samples.frame_report().sum_ms.median,
    })
}

/// Of each way: collision, what the solid adds to it, a frame, collision's percent of that.
fn figures(costs: &[Cost]) -> Vec<(&'static str, [f32; 4])> {
    let without = costs[0].collide_ms;
    let figures = |cost: &Cost| {
        let share = 100.0 * cost.collide_ms / cost.frame_ms.max(f32::MIN_POSITIVE);
        [
            cost.collide_ms,
            cost.collide_ms - without,
            cost.frame_ms,
            share,
        ]
    };
    let ways = WAYS.iter().zip(costs);
    ways.map(|(way, cost)| (way.name, figures(cost))).collect()
}

fn table(costs: &[Cost]) -> String {
    let mut text = format!(
        "{:<26}{:>12}{:>12}{:>12}{:>8}",
        "", "collision", "for solids", "a frame", "%"
    );
    for (name, [collide, added, frame, share]) in figures(costs) {
        let _ = write!(
            text,
            "\n{name:<26}{collide:>12.4}{added:>12.4}{frame:>12.4}{share:>8.1}"
        );
    }
    text
}

fn csv(costs: &[Cost]) -> String {
    let mut text = "way,collide_ms,solids_ms,frame_ms,collide_percent\n".to_owned();
    for (name, [collide, added, frame, share]) in figures(costs) {
        let _ = writeln!(text, "\"{name}\",{collide},{added},{frame},{share}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_solids_add_is_measured_against_a_step_without() {
        let cost = |collide_ms| Cost {
            collide_ms,
            frame_ms: 4.0,
        };
        let costs: Vec<_> = (1..=WAYS.len()).map(|ix| cost(ix as f32)).collect();
        let found = figures(&costs);
        assert_eq!(found[0], ("no solid", [1.0, 0.0, 4.0, 25.0]));
        assert_eq!(found[3].1, [4.0, 3.0, 4.0, 100.0]);
        assert_eq!(table(&costs).lines().count(), 1 + WAYS.len());
        assert_eq!(csv(&costs).lines().count(), 1 + WAYS.len());
    }
}
