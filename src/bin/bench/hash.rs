//! `bench hash`: spatial hashing by the size of its cells, the length of its lists and its search radius, so that the rival is seen at its
//! best and as the paper has it.

use std::fmt::Write as _;
use std::sync::Arc;

use ash::vk;
use radial_fields::avatar::Avatar;
use radial_fields::cloth::Detail;
use radial_fields::collide::ColliderBody;
use radial_fields::collide::skin_triangles::{BindSkin, SkinTopology};
use radial_fields::collide::spatial_hash::SpatialHashDef;
use radial_fields::collide::spatial_hash::twin::longest_list;
use radial_fields::engine::Device;
use radial_fields::engine::output::{prepare_files, write_whole};
use radial_fields::scenes::Variant;
use radial_fields::skin::bake::bake;
use radial_fields::{Technique, say};

use crate::cli::HashFlags;
use crate::opened::Opened;
use crate::preload::{Preloaded, preload_one};
use crate::results::Trial;
use crate::trial::{HashSetting, TrialDesc};
use crate::{Verdict, poses, runs};

/// Poses of the clip that lists are made long enough for.
const POSE_COUNT: usize = 24;

/// Room for poses between those: usually 1.25; with less some listing of a whole clip finds none.
const SPARE: f32 = 1.25;

/// Prints the table and writes what was asked for. Faulty if a trial failed or validation spoke up.
pub fn run(flags: &HashFlags) -> anyhow::Result<Verdict> {
    let written = flags.csv.iter().map(|file| ("--csv", file.as_path()));
    prepare_files(&written.collect::<Vec<_>>(), &[])?;
    let opened = Opened::new(c"bench hash", &flags.device)?;
    let device = &opened.device;
    let preloaded = preload_one(&flags.played)?;
    let tried = play(flags, device, &preloaded)?;
    say!(
        "{} ({}), {} frames, {} runs, condition {}, milliseconds; the paper's table has lists of 20, and its test looks no further than a cell",
        device.info.name,
        device.info.driver,
        flags.frames,
        flags.runs,
        preloaded.condition.number
    );
    say!("{}", table(&tried));
    if let Some(file) = &flags.csv {
        write_whole(file, csv(&tried).as_bytes())?;
    }
    Ok(opened.verdict(true))
}

type Tried = Vec<(HashSetting, Trial)>;

fn play(flags: &HashFlags, device: &Arc<Device>, preloaded: &Preloaded) -> anyhow::Result<Tried> {
    let tables = flags.cells.iter().flat_map(|millimetres| {
        let papers = SpatialHashDef {
            cell_size: millimetres * 1e-3,
            ..SpatialHashDef::default()
        };
        [papers, roomy(papers, device, &preloaded.avatar)]
    });
    let settings: Vec<_> = tables
        .flat_map(|def| {
            let radii = flags.search_radii.iter();
            radii.map(move |millimetres| HashSetting {
                def,
                search_radius: millimetres * 1e-3,
            })
        })
        .collect();
    let desc = |&setting: &HashSetting| TrialDesc {
        device,
        condition: preloaded.condition,
        avatar: &preloaded.avatar,
        garments: &preloaded.garments,
        technique: Technique::SpatialHash,
        fields: Variant::SHIPPED,
        detail: Detail::Full,
        preroll_seconds: flags.preroll.seconds,
        hash: Some(setting),
        frames: flags.frames,
        oracle_every: flags.oracle.then_some(1),
        keeps_positions: false,
    };
    let descs: Vec<_> = settings.iter().map(desc).collect();
    let trials = runs::play(&descs, flags.runs, None);
    let tried = settings.into_iter().zip(trials);
    tried
        .map(|(setting, trial)| Ok((setting, trial?)))
        .collect()
}

/// A table whose lists have room for everything in every pose; with fewer entries where the device cannot bind as much.
fn roomy(mut def: SpatialHashDef, device: &Device, avatar: &Avatar) -> SpatialHashDef {
    let body = ColliderBody {
        avatar,
        fit: Default::default(),
        fields: &std::sync::OnceLock::new(),
        first_vertex: 0,
        first_joint: 0,
    };
    let topology = SkinTopology::of(&BindSkin::of(&[body]));
    let bindable = u64::from(max_storage_buffer_range(device));
    loop {
        let longest = skins(avatar)
            .map(|skin| longest_list(&def, &topology, &skin))
            .max();
        def.list = (longest.unwrap_or(def.list) as f32 * SPARE).ceil() as u32;
        if 4 * u64::from(def.half_list()) * u64::from(def.entry_count) <= bindable {
            return def;
        }
        def.entry_count /= 2;
    }
}

/// In poses evenly over the clip.
fn skins(avatar: &Avatar) -> impl Iterator<Item = Vec<glam::Vec3>> {
    let posed = |ix| bake(&avatar.skin, &poses::pose(avatar, ix, POSE_COUNT)).positions;
    (0..POSE_COUNT).map(posed)
}

fn max_storage_buffer_range(device: &Device) -> u32 {
    let instance = &device.instance.handle;
    // SAFETY: the instance is alive, and the physical device its own.
    let properties: vk::PhysicalDeviceProperties =
        unsafe { instance.get_physical_device_properties(device.physical_device) };
    properties.limits.max_storage_buffer_range
}

const COLUMNS: [&str; 15] = [
    "cell mm",
    "list",
    "entries",
    "radius mm",
    "update",
    "collision",
    "of each",
    "least run",
    "most",
    "a frame",
    "MB",
    "no room",
    "inside %",
    "deepest mm",
    "torn %",
];

fn cells((setting, trial): &(HashSetting, Trial)) -> [String; 15] {
    let [least, most] = trial.run_range(|run| run.both_ms);
    let quality = |of: fn(&radial_fields::oracle::Quality) -> f64| {
        let value = trial.quality.as_ref().map(of);
        value.map_or("-".to_owned(), |value| format!("{value:.4}"))
    };
    let torn = trial.worst_seen(|seen| seen.torn.percent);
    [
        format!("{:.1}", setting.def.cell_size * 1e3),
        setting.def.list.to_string(),
        setting.def.entry_count.to_string(),
        format!("{:.0}", setting.search_radius * 1e3),
        format!("{:.4}", trial.update_ms.median),
        format!("{:.4}", trial.collide_ms.median),
        format!("{:.4}", trial.both_ms.median),
        format!("{least:.4}"),
        format!("{most:.4}"),
        format!("{:.4}", trial.frame_ms.median),
        format!("{:.1}", trial.memory.structure_bytes as f64 * 1e-6),
        trial.overflow_count.to_string(),
        quality(|of| 100.0 * of.inside_fraction),
        quality(|of| of.max_penetration_mm),
        torn.map_or("-".to_owned(), |percent| format!("{percent:.1}")),
    ]
}

fn table(tried: &Tried) -> String {
    let line = |cells: &[String]| cells.iter().map(|cell| format!("{cell:>11}")).collect();
    let mut lines: Vec<String> = vec![line(&COLUMNS.map(str::to_owned))];
    lines.extend(tried.iter().map(|row| line(&cells(row))));
    lines.join("\n")
}

fn csv(tried: &Tried) -> String {
    let mut text = format!("{}\n", COLUMNS.join(",").replace(' ', "_"));
    for row in tried {
        let known = cells(row).map(|cell| if cell == "-" { String::new() } else { cell });
        let _ = writeln!(text, "{}", known.join(","));
    }
    text
}
