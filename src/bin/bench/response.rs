//! `bench response`: what meeting a solid costs, as section 5 of the distance-field paper has it: a tablecloth of about 1,000 particles
//! over a bust of about 293,000 triangles, by the model of friction, and with the middles of edges and without.
//!
//! The paper's normals are computed with the distance here, by one gradient, so that their cost alone cannot be taken out.

use std::fmt::Write as _;
use std::sync::Arc;

use radial_fields::avatar::builtin;
use radial_fields::collide::{CollideSettings, FrictionModel};
use radial_fields::engine::output::{prepare_files, write_whole};
use radial_fields::engine::{
    Device, Frames, Identity, Instance, InstanceDesc, Submission, Validation,
};
use radial_fields::scenes::{Outfit, Prop, Show, ShowDesc, StageSamples};
use radial_fields::stage::Stage;
use radial_fields::{ClothSettings, GarmentSettings, Technique, remark, say};

use crate::Verdict;
use crate::cli::ResponseFlags;
use crate::runs::order;

const FRAMES_IN_FLIGHT: usize = 2;

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

/// The first is what the others are measured against.
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cost {
    collide_ms: f32,
    frame_ms: f32,
    /// The least and the most of all runs' collisions.
    range_ms: [f32; 2],
}

impl Cost {
    /// The middle run by its collision.
    ///
    /// # Panics
    /// Without any run.
    fn middle(mut runs: Vec<Self>) -> Self {
        runs.sort_by(|a, b| a.collide_ms.total_cmp(&b.collide_ms));
        let ends = [0, runs.len() - 1].map(|ix| runs[ix].collide_ms);
        Self {
            range_ms: ends,
            ..runs[(runs.len() - 1) / 2]
        }
    }
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
    let costs = play_all(flags, &device, &props)?;
    say!(
        "{} ({}), {} frames, the middle of {} runs, {} particles, a bust of {triangles} triangles in cells of {} mm, milliseconds a frame",
        device.info.name,
        device.info.driver,
        flags.frames,
        flags.runs,
        flags.particles,
        flags.cell
    );
    say!("{}", table(&costs));
    if let Some(file) = &flags.csv {
        let identity = Identity::new(SCHEMA, "bench", &device.info, None);
        write_whole(file, csv(&identity, &costs).as_bytes())?;
    }
    Ok(Verdict::of(true, &instance))
}

/// Every way several times, in another order each time, after a first play that does not count.
fn play_all(
    flags: &ResponseFlags,
    device: &Arc<Device>,
    props: &[Prop],
) -> anyhow::Result<Vec<Cost>> {
    play(flags, device, &WAYS[0], props)?;
    let mut runs: Vec<Vec<Cost>> = WAYS.iter().map(|_| Vec::new()).collect();
    for run_ix in 0..flags.runs {
        for ix in order(run_ix, WAYS.len()) {
            let cost = play(flags, device, &WAYS[ix], props)?;
            remark!("bench:   {}: {:.4} ms", WAYS[ix].name, cost.collide_ms);
            runs[ix].push(cost);
        }
    }
    Ok(runs.into_iter().map(Cost::middle).collect())
}

/// The cloth's fall, once untimed so that all is warm, and once more.
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
    for frame_ix in 0..2 * flags.frames {
        if frame_ix == flags.frames {
            show.restart();
        }
        let cmd = frames.begin()?;
        show.record(cmd, 1, None);
        frames.submit(Submission::default())?;
        if frame_ix >= flags.frames {
            samples.take_frame(show.world.stage_times());
        }
    }
    frames.wait_idle()?;
    let stages = samples.report();
    let collide = stages.iter().find(|stage| stage.name == Stage::Collide);
    Ok(Cost {
        collide_ms: collide.map_or(0.0, |stage| stage.gpu_ms.median),
        frame_ms: samples.frame_report().sum_ms.median,
        ..Cost::default()
    })
}

/// Of each way: collision, the least and the most of it, what the solid adds to it, a frame, collision's percent of that.
fn figures(costs: &[Cost]) -> Vec<(&'static str, [f32; 6])> {
    let without = costs[0].collide_ms;
    let figures = |cost: &Cost| {
        let share = 100.0 * cost.collide_ms / cost.frame_ms.max(f32::MIN_POSITIVE);
        let [least, most] = cost.range_ms;
        [
            cost.collide_ms,
            least,
            most,
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
        "{:<26}{:>12}{:>10}{:>10}{:>12}{:>12}{:>8}",
        "", "collision", "least", "most", "for solids", "a frame", "%"
    );
    for (name, [collide, least, most, added, frame, share]) in figures(costs) {
        let _ = write!(
            text,
            "\n{name:<26}{collide:>12.4}{least:>10.4}{most:>10.4}{added:>12.4}{frame:>12.4}{share:>8.1}"
        );
    }
    text
}

fn csv(identity: &Identity, costs: &[Cost]) -> String {
    let mut text = identity.comment();
    text.push_str(
        "way,collide_ms,collide_ms_least,collide_ms_most,solids_ms,frame_ms,collide_percent\n",
    );
    for (name, figures) in figures(costs) {
        let figures = figures.map(|figure| figure.to_string()).join(",");
        let _ = writeln!(text, "\"{name}\",{figures}");
    }
    text
}

/// Of the file of `--csv`.
const SCHEMA: (&str, u32) = ("radial_fields.bench.response", 2);

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(collide_ms: f32) -> Cost {
        Cost {
            collide_ms,
            frame_ms: 4.0,
            range_ms: [collide_ms; 2],
        }
    }

    #[test]
    fn what_solids_add_is_measured_against_a_step_without() {
        let costs: Vec<_> = (1..=WAYS.len()).map(|ix| cost(ix as f32)).collect();
        let found = figures(&costs);
        assert_eq!(found[0], ("no solid", [1.0, 1.0, 1.0, 0.0, 4.0, 25.0]));
        assert_eq!(found[3].1, [4.0, 4.0, 4.0, 3.0, 4.0, 100.0]);
        assert_eq!(table(&costs).lines().count(), 1 + WAYS.len());
    }

    #[test]
    fn the_middle_run_counts_with_the_range_of_all() {
        let found = Cost::middle([3.0, 9.0, 1.0].map(cost).to_vec());
        assert_eq!((found.collide_ms, found.range_ms), (3.0, [1.0, 9.0]));
    }
}
