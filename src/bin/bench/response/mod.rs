//! `bench response`: what meeting solids costs, as three tables, each by the first of its rows.
//!
//! As section 5 of the distance-field paper has it: a tablecloth of about 1,000 particles over a bust of about 293,000 triangles, by the model
//! of friction, and with edges and without. The paper's normals are computed with the distance here, by one gradient, so that their cost alone
//! cannot be taken out. Then a character's clothes, among three solids and among none. And the same cloth over the same bust, as a field and
//! as the skin of one bone, which our trees hold.

mod table;
mod ways;

use std::sync::Arc;

use glam::Mat4;
use radial_fields::engine::output::{prepare_files, write_whole};
use radial_fields::engine::{Device, Frames, Identity, Submission};
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::oracle::solids::{JudgedShape, SolidFrame, SolidOracle, SolidQuality};
use radial_fields::scenes::{Show, StageSamples};
use radial_fields::solid::SolidMesh;
use radial_fields::stage::Stage;
use radial_fields::{remark, say};

use crate::Verdict;
use crate::cli::{ResponseFlags, ResponseTable};
use crate::opened::Opened;
use crate::runs::order;
use table::Row;
use ways::{FRAMES_IN_FLIGHT, Way};

/// One play's milliseconds of a frame, medians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cost {
    collide_ms: f32,
    frame_ms: f32,
}

/// The mesh that cloth is to stay out of, and where it stands.
struct Judge {
    mesh: Arc<SolidMesh>,
    world_from_solid: Mat4,
}

/// Prints the tables and writes what was asked for. Faulty if validation spoke up.
pub fn run(flags: &ResponseFlags) -> anyhow::Result<Verdict> {
    let written = flags.csv.iter().map(|file| ("--csv", file.as_path()));
    prepare_files(&written.collect::<Vec<_>>(), &[])?;
    let opened = Opened::new(c"bench response", &flags.device)?;
    let device = &opened.device;
    let mut text = Identity::new(SCHEMA, "bench", &device.info, None).comment();
    text.push_str(table::CSV_HEADER);
    for &which in &flags.tables {
        let (title, ways, judge) = match which {
            ResponseTable::Friction => ways::by_friction(flags)?,
            ResponseTable::Clothes => ways::by_solids(flags)?,
            ResponseTable::Trees => ways::by_technique(flags)?,
        };
        let (costs, qualities) = play_all(flags, device, &ways, judge.as_ref())?;
        let rows = table::rows(&ways, &costs, &qualities);
        say!(
            "{title}; {} ({}), {} frames, the middle of {} runs, milliseconds a frame",
            device.info.name,
            device.info.driver,
            flags.frames,
            flags.runs
        );
        say!("{}", table::printed(&rows));
        text.extend(rows.iter().map(|row: &Row| row.csv(which)));
    }
    if let Some(file) = &flags.csv {
        write_whole(file, text.as_bytes())?;
    }
    Ok(opened.verdict(true))
}

/// Every way several times, in another order each time, after a first play that does not count; and how well each kept the cloth outside.
fn play_all(
    flags: &ResponseFlags,
    device: &Arc<Device>,
    ways: &[Way],
    judge: Option<&Judge>,
) -> anyhow::Result<(Vec<Vec<Cost>>, Vec<Option<SolidQuality>>)> {
    play(flags, device, &ways[0], None)?;
    let mut costs: Vec<Vec<Cost>> = ways.iter().map(|_| Vec::new()).collect();
    let mut qualities = vec![None; ways.len()];
    for run_ix in 0..flags.runs {
        for ix in order(run_ix, ways.len()) {
            let judge = judge.filter(|_| run_ix == 0);
            let (cost, quality) = play(flags, device, &ways[ix], judge)?;
            remark!("bench:   {}: {:.4} ms", ways[ix].name, cost.frame_ms);
            costs[ix].push(cost);
            qualities[ix] = qualities[ix].or(quality);
        }
    }
    Ok((costs, qualities))
}

/// What happens from the beginning, once untimed so that all is warm, and once more.
fn play(
    flags: &ResponseFlags,
    device: &Arc<Device>,
    way: &Way,
    judge: Option<&Judge>,
) -> anyhow::Result<(Cost, Option<SolidQuality>)> {
    let mut show = Show::new(device, way.desc.clone())?;
    // Dropped before the show, and waits for the GPU then.
    let mut frames = Frames::new(device, FRAMES_IN_FLIGHT)?;
    let mut samples = StageSamples::default();
    for frame_ix in 0..2 * flags.frames {
        if frame_ix == flags.frames {
            show.restart();
        }
        let cmd = frames.begin()?;
        show.record(cmd, 1, None)?;
        frames.submit(Submission::default())?;
        if frame_ix >= flags.frames {
            samples.take_frame(show.world.stage_times());
        }
    }
    frames.wait_idle()?;
    let stages = samples.report();
    let collide = stages.iter().find(|stage| stage.name == Stage::Collide);
    let cost = Cost {
        collide_ms: collide.map_or(0.0, |stage| stage.gpu_ms.median),
        frame_ms: samples.frame_report().sum_ms.median,
    };
    let judged = judge.map(|judge| judge.last_frame(&mut show, device, &mut frames));
    Ok((cost, judged.transpose()?))
}

impl Judge {
    /// How well the cloth of a show stays outside at the end.
    fn last_frame(
        &self,
        show: &mut Show,
        device: &Device,
        frames: &mut Frames,
    ) -> anyhow::Result<SolidQuality> {
        let tree = TriangleTree::new(self.mesh.positions(), self.mesh.triangles());
        let mut oracle = SolidOracle::new(vec![Some(JudgedShape::Mesh(Box::new(tree)))]);
        oracle.measure(&SolidFrame {
            places: &[self.world_from_solid],
            particles: &show.particles(device, frames)?,
            triangles: &show.garments[0].mesh.triangles,
        });
        Ok(oracle.quality())
    }
}

/// Of the file of `--csv`.
const SCHEMA: (&str, u32) = ("radial_fields.bench.response", 3);
