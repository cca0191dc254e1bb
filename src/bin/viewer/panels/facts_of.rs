//! From what is shown to the plain facts that the panels show.

use radial_fields::Settings;
use radial_fields::collide::Technique;
use radial_fields::engine::{Device, ValidationCounts};
use radial_fields::gpu::PipelineExecutable;
use radial_fields::oracle::Quality;
use radial_fields::oracle::seen::FrameFigures;
use radial_fields::overlay::{
    Contender, Cost, Facts, Machine, Message, Named, Playback, PlayedFrames, QualityFigures,
    SceneFacts, TraceState, Validation,
};
use radial_fields::render::{Follow, Renderer, ViewOptions};
use radial_fields::scenes::{self, Outfit, SCENES, Show, ShowDesc};

use super::measured::Measured;
use super::names::Names;
use crate::cli::Cli;
use crate::detail::DetailChoice;
use crate::props::placed_of;

/// Lists that hold for the whole run.
pub struct Lists {
    scenes: Vec<Named<'static>>,
    characters: Vec<&'static str>,
    techniques: Vec<&'static str>,
    /// Used while nothing is shown.
    no_settings: Settings,
}

/// What the facts are taken from.
pub struct Sources<'a> {
    pub cli: &'a Cli,
    pub desc: Option<&'a ShowDesc>,
    /// Whether there is a change to take back, and one that was.
    pub can_undo_redo: [bool; 2],
    pub device: &'a Device,
    pub size: (u32, u32),
    pub shown_worlds: &'a [Shown<'a>],
    pub names: &'a Names,
    pub measures_quality: bool,
    pub is_paused: bool,
    pub speed: f32,
    pub step_count: usize,
    pub times_passes: bool,
    pub trace: TraceState,
    pub loading: Option<&'a str>,
    pub view: ViewOptions,
    pub shows_difference: bool,
    pub edited_ix: Option<usize>,
    pub field_of_view: f32,
    pub follow: Follow,
    pub brush_radius: f32,
    pub counts: ValidationCounts,
    pub texts: &'a [String],
    pub messages: &'a [Message],
}

/// A world as the panels show it.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub show: &'a Show,
    pub technique: Technique,
    pub measured: &'a Measured,
    /// What the driver made of its shaders, if it tells.
    pub pipelines: Option<&'a [PipelineExecutable]>,
    pub cost: Cost,
    pub quality: Option<QualityFigures>,
}

/// What a world and its pictures ask of the device. `overflow_count`: what its lists had no room for; none where no list can be full.
pub fn cost(show: &Show, renderer: &Renderer, overflow_count: Option<u32>) -> Cost {
    Cost {
        memory: show.world.memory(),
        overflow_count,
        total_bytes: renderer.memory_use().bytes,
        simulation: show.world.launches(),
        picture: renderer.launches(),
    }
}

impl Lists {
    pub fn new() -> Self {
        let scenes = SCENES.iter().map(|scene| Named {
            name: scene.name,
            about: scene.about,
        });
        Self {
            scenes: scenes.collect(),
            characters: scenes::CHARACTERS
                .iter()
                .map(|name| character_label(name))
                .collect(),
            techniques: Technique::ALL.map(Technique::label).to_vec(),
            no_settings: Settings::default(),
        }
    }

    /// Takes the facts and hands them to `use_them`, which outlive nothing.
    pub fn facts<R>(&self, sources: &Sources, use_them: impl FnOnce(&Facts) -> R) -> R {
        let clips = as_strs(&sources.names.clips);
        let garments = as_strs(&sources.names.garments);
        let outfits = &sources.names.outfits;
        let outfits: Vec<_> = outfits.iter().map(|&outfit| outfit_label(outfit)).collect();
        let contenders: Vec<_> = sources.shown_worlds.iter().map(contender).collect();
        let settings = sources
            .shown_worlds
            .get(sources.edited_ix.unwrap_or_default())
            .map_or(&self.no_settings, |shown| shown.show.world.settings());
        let props: Vec<_> = sources
            .desc
            .map(|desc| desc.props.iter().filter_map(placed_of).collect())
            .unwrap_or_default();
        use_them(&Facts {
            scene: self.scene(sources, &clips, &outfits),
            playback: playback(sources),
            settings,
            meets_cloth: sources.desc.is_some_and(|desc| desc.cloth_contacts),
            details: &DetailChoice::ALL.map(DetailChoice::name),
            detail_ix: DetailChoice::ALL
                .iter()
                .position(|&choice| choice == sources.cli.detail())
                .unwrap_or_default(),
            edited_ix: sources.edited_ix,
            field_of_view: sources.field_of_view,
            props: &props,
            can_undo: sources.can_undo_redo[0],
            can_redo: sources.can_undo_redo[1],
            garments: &garments,
            view: sources.view,
            shows_difference: sources.shows_difference,
            follow: sources.follow,
            brush_radius: sources.brush_radius,
            contenders: &contenders,
            times_passes: sources.times_passes,
            trace: sources.trace,
            measures_quality: sources.measures_quality,
            machine: machine(sources),
            validation: sources.cli.validate.then_some(Validation {
                errors: sources.counts.errors,
                warnings: sources.counts.warnings,
                texts: sources.texts,
            }),
            messages: sources.messages,
        })
    }

    fn scene<'a>(
        &'a self,
        sources: &Sources<'a>,
        clips: &'a [&'a str],
        outfits: &'a [&'a str],
    ) -> SceneFacts<'a> {
        let names = sources.names;
        let show = sources.shown_worlds.first().map(|shown| shown.show);
        let scene_ix = names.scene_ix;
        let technique_ix = |ix: usize| {
            let technique = sources.shown_worlds.get(ix)?.technique;
            Technique::ALL.iter().position(|&known| known == technique)
        };
        SceneFacts {
            scenes: &self.scenes,
            scene_ix,
            characters: &self.characters,
            character_ix: scenes::CHARACTERS
                .iter()
                .position(|&name| name == names.character),
            character: &names.character,
            outfits,
            outfit_ix: names.outfit_ix,
            clips,
            clip_ix: names.clip_ix,
            techniques: &self.techniques,
            technique_ix: technique_ix(0).unwrap_or_default(),
            beside_ix: technique_ix(1),
            character_count: show.map_or(1, |show| show.performances().len()),
            triangle_count: show.map_or(0, |show| show.avatar.skin.triangles.len()),
            joint_count: show.map_or(0, |show| show.avatar.skeleton.joints.len()),
            field_count: show.map_or(0, |show| show.world.attachments().count() as usize),
            particle_count: show.map_or(0, |show| show.world.cloth().particle_count() as usize),
            wanted_particles: wanted_particles(sources),
            cell_size: sources.desc.map_or(0.0, |desc| desc.fit.cell_size),
            loading: sources.loading,
        }
    }
}

/// What the outfit was asked for; nothing of one that comes as it is.
fn wanted_particles(sources: &Sources) -> Option<u32> {
    let Names {
        scene_ix,
        outfit_ix,
        ref outfits,
        ..
    } = *sources.names;
    let outfit = outfits.get(outfit_ix)?;
    let comes_as_it_is =
        [Outfit::Own, Outfit::None].contains(outfit) || sources.cli.garment_file.is_some();
    let usual = SCENES[scene_ix].particle_count as u32;
    (!comes_as_it_is).then(|| sources.cli.particles.unwrap_or(usual))
}

fn outfit_label(outfit: Outfit) -> &'static str {
    match outfit {
        Outfit::TrousersAndTop => "trousers and top",
        Outfit::Overcoat => "overcoat over trousers and a top",
        Outfit::OvercoatAlone => "overcoat alone",
        Outfit::Cape => "cape",
        Outfit::CapeOverCoat => "cape over an overcoat",
        Outfit::Skirt => "skirt",
        Outfit::SkirtAndTop => "top over a skirt",
        Outfit::Scarf => "scarf over trousers and a top",
        Outfit::Own => "its own",
        Outfit::Sheet => "a sheet laid over it",
        Outfit::LooseTrousers => "loose trousers",
        Outfit::Tablecloth => "a tablecloth beside it",
        Outfit::Pile => "ten sheets beside it",
        Outfit::PileOnStool => "ten sheets over a stool beside it",
        Outfit::HighPile => "fifty sheets beside it",
        Outfit::Ribbon => "a ribbon beside it",
        Outfit::None => "nothing",
    }
}

/// What a character that needs no file looks like.
fn character_label(name: &'static str) -> &'static str {
    match name {
        "male_low" => "man, coarse mesh",
        "male_med" => "man, finer mesh",
        "female_med" => "woman, fine mesh",
        "female_high" => "woman, finest mesh",
        "wringer" => "wringer, which twists a sheet",
        name => name,
    }
}

fn as_strs(strings: &[String]) -> Vec<&str> {
    strings.iter().map(String::as_str).collect()
}

fn contender<'a>(shown: &Shown<'a>) -> Contender<'a> {
    Contender {
        technique: shown.technique.label(),
        times: &shown.measured.times,
        cost: shown.cost,
        passes: &shown.measured.passes,
        pipelines: shown.pipelines,
        quality_figures: shown.quality,
    }
}

/// `quality`: over all frames judged; `seen`: of the newest, one per garment.
pub fn quality_figures(quality: &Quality, seen: &[FrameFigures]) -> QualityFigures {
    QualityFigures {
        frame_count: quality.frames,
        inside_fraction: quality.inside_fraction,
        deepest_mm: quality.max_penetration_mm,
        false_contact_fraction: quality.false_contact_fraction.unwrap_or_default(),
        deep_triangles: seen.iter().map(|garment| garment.deep).sum(),
        bare_fraction: seen
            .iter()
            .map(|garment| 0.01 * garment.bare_percent)
            .fold(0.0, f64::max),
    }
}

fn playback(sources: &Sources) -> Playback {
    let first = sources.shown_worlds.first();
    let performance = first.map(|shown| shown.show.performance());
    Playback {
        is_paused: sources.is_paused,
        speed: sources.speed,
        clip_seconds: performance.map_or(0.0, |performance| performance.time()),
        clip_duration: performance.map_or(0.0, |performance| performance.duration()),
        played: PlayedFrames {
            first: sources.cli.start_frame.unwrap_or_default(),
            round: sources.cli.clip_frames.map(|(from, to)| [from, to]),
        },
        step_count: sources.step_count,
    }
}

fn machine<'a>(sources: &Sources<'a>) -> Machine<'a> {
    let info = &sources.device.info;
    Machine {
        device: &info.name,
        driver: &info.driver,
        is_gpu: info.is_gpu,
        size: sources.size,
    }
}
