//! From flags to a show: scene, character, clothes, clip.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use radial_fields::World;
use radial_fields::avatar::{Avatar, Clip, printable, unit_warning};
use radial_fields::cloth::garment::Garment;
use radial_fields::cloth::{ClothSettings, GarmentSettings, Ground, Material, Sleep};
use radial_fields::collide::radial::fit::FitSettings;
use radial_fields::collide::spatial_hash::SpatialHashDef;
use radial_fields::collide::{CollideSettings, Detection, Technique};
use radial_fields::engine::Device;
use radial_fields::oracle::Tolerances;
use radial_fields::scenes::{
    self, Calibrated, Calibration, Character, Outfit, Prop, PropError, STEP_SECONDS, Scene,
    ShowDesc, Variant, load_garments,
};

use crate::cli::Cli;
use crate::progress::Phase;
use crate::props::prop_of;
use crate::setup::{Tuned, garment_of, laid_over};

/// What the flags come to.
pub struct Preloaded {
    pub scene: &'static Scene,
    /// The character's file, or its name: what is said in front of whatever is wrong with it.
    pub source: String,
    pub outfit: Outfit,
    pub clip: Option<String>,
    pub notes: Vec<String>,
    pub desc: ShowDesc,
    /// Garment by garment of one character; one that it has not is as the description says.
    pub garment_settings: Vec<GarmentSettings>,
    /// What the clothes came from, if from a file of their own.
    garment_file: Option<PathBuf>,
    pub fields: Variant,
    choice: Choice,
    /// Whether cloth meets cloth where nobody says; known once the device is.
    pub usually_meets_cloth: bool,
    /// What was said.
    meets_cloth: Option<bool>,
    /// The technique that is shown beside the first.
    #[cfg_attr(
        not(feature = "viewer"),
        expect(dead_code, reason = "only a window shows two")
    )]
    pub beside: Option<Technique>,
}

/// How many frames the CPU may be ahead.
pub const FRAMES_IN_FLIGHT: usize = 2;

/// How the technique is chosen: by its name, or on the device, until when it is the first of the radial ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Named,
    /// The way of filling radial fields that is usual on the device.
    Usual,
    /// The way with which what is shown takes less time.
    Quickest,
}

/// What flags name, found before anything is loaded.
pub struct Choices {
    scene: &'static Scene,
    technique: Technique,
    choice: Choice,
    fields: Variant,
    beside: Option<Technique>,
    outfit: Option<Outfit>,
    material: Material,
    detection: Option<Detection>,
    pub character_count: u32,
}

impl Choices {
    /// Finds what the flags name.
    pub fn new(cli: &Cli) -> anyhow::Result<Self> {
        let beside = cli
            .beside
            .as_deref()
            .map(|name| find_technique(name, "one of "))
            .transpose()?;
        let is_compared = beside == Some(Technique::RadialCompute);
        let (choice, technique) = match cli.technique.as_deref() {
            // Beside computed fields drawn ones are shown, not the same twice.
            None if is_compared => (Choice::Named, Technique::RADIAL[0]),
            None => (Choice::Usual, Technique::RADIAL[0]),
            Some(QUICKEST) => (Choice::Quickest, Technique::RADIAL[0]),
            Some(name) => {
                let also = format!("{QUICKEST} or one of ");
                (Choice::Named, find_technique(name, &also)?)
            }
        };
        let scene = find_scene(cli)?;
        Ok(Self {
            scene,
            character_count: cli.characters.unwrap_or(scene.character_count),
            technique,
            choice,
            fields: find_fields(cli, technique)?,
            beside,
            outfit: cli.garment.as_deref().map(find_outfit).transpose()?,
            material: find_material(cli)?,
            detection: cli.detection.as_deref().map(find_detection).transpose()?,
        })
    }
}

/// Loads and makes everything that the flags ask for, and says which phase begins.
pub fn preload(cli: &Cli, mut begin: impl FnMut(Phase)) -> anyhow::Result<Preloaded> {
    let choices = Choices::new(cli)?;
    let scene = choices.scene;
    begin(Phase::Load);
    let named = cli.avatar().unwrap_or(scene.character.as_ref());
    let Character {
        mut avatar,
        mut notes,
    } = Character::load(named, cli.scale)?;
    let source = printable(&named.to_string_lossy());
    let usual_clip_ix = scene.clip_of(&mut avatar);
    let clip_ix = find_clip(cli, usual_clip_ix, &avatar).with_context(|| source.clone())?;
    notes.extend(clip_ix.and_then(|ix| beyond_clip(cli, &avatar.clips[ix])));
    let size = avatar.size();
    let fit = fit_settings(cli, size);
    if choices.technique.lays_fields() {
        // No clothes are made for what would be refused then.
        fit.check(&avatar).with_context(|| source.clone())?;
    }
    begin(Phase::Dress);
    let (outfit, garments) =
        clothes(cli, &choices, (&avatar, clip_ix), &mut notes).with_context(|| source.clone())?;
    check_units(&avatar, size, cli.scale).with_context(|| source.clone())?;
    let tuned = cli.tuned.clone().unwrap_or_default();
    let mut desc = ShowDesc {
        props: props(&tuned, scene, &avatar).with_context(|| source.clone())?,
        cloth_contacts: scene.cloth_contacts,
        layer_fields: cli.layer_fields,
        clip_ix,
        preroll_seconds: cli.preroll.unwrap_or(scenes::PREROLL_SECONDS),
        garments,
        cloth: cloth_settings(cli, &tuned, scenes::ground_under(&avatar, clip_ix))?,
        collide: collide_settings(cli, &tuned, choices.detection, size)?,
        technique: choices.technique,
        spatial_hash: SpatialHashDef {
            cell_size: fit.cell_size,
            ..SpatialHashDef::default()
        },
        garment: garment_settings(cli, &choices, size),
        fit,
        frames_in_flight: FRAMES_IN_FLIGHT,
        character_count: choices.character_count as usize,
        formation: scene.formation,
        avatar,
    };
    choices.fields.apply(&mut desc);
    let garment_settings = tuned.garments.iter();
    let garment_settings = garment_settings
        .map(|patch| garment_of(&desc.garment, patch))
        .collect::<Result<_, _>>()?;
    let clip = clip_ix.map(|ix| desc.avatar.clips[ix].name.clone());
    Ok(Preloaded {
        scene,
        source,
        outfit,
        clip,
        notes,
        desc,
        garment_settings,
        garment_file: cli.garment_file.clone(),
        fields: choices.fields,
        choice: choices.choice,
        usually_meets_cloth: scene.cloth_contacts,
        meets_cloth: cli.cloth_contacts,
        beside: choices.beside,
    })
}

/// What the flags want of a clip that it does not have, if anything.
fn beyond_clip(cli: &Cli, clip: &Clip) -> Option<String> {
    let last = (clip.duration / STEP_SECONDS).round() as u32;
    let round = cli.clip_frames.map(|(_, to)| ("--clip-frames", to));
    let first = cli.start_frame.map(|first| ("--start-frame", first));
    let beyond = first
        .into_iter()
        .chain(round)
        .find(|&(_, frame)| frame > last.saturating_add(1)); // Who counts frames ends one behind the last.
    beyond.map(|(flag, frame)| {
        let name = printable(&clip.name);
        format!("{flag} {frame}: {name} ends with frame {last}, and that is taken instead")
    })
}

/// The name of no technique, but of the choice between those that are alike but for speed.
const QUICKEST: &str = "quickest";
/// The most characters in one world whose hems and waists meet without being asked to. Usually 4: hems cost one character 0.2 ms of a frame on an NVIDIA
/// H100, and sixteen 1.7 ms, for what nobody sees of a crowd.
const MOST_WHOSE_HEMS_MEET: usize = 4;

impl Preloaded {
    /// Who cannot be shown, if there is no room for it, and what to do.
    pub fn refusal(&self) -> String {
        match self.desc.character_count {
            1 => self.source.clone(),
            count => format!("{count} times {} (--characters gives fewer)", self.source),
        }
    }

    /// What it wears, as flags name it.
    pub fn worn_name(&self) -> String {
        let file = self.garment_file.as_ref();
        file.map_or(self.outfit.name().to_owned(), |file| {
            printable(&file.to_string_lossy())
        })
    }

    /// Decides, where the flags do not say, the technique, by what the device is quick at, and whether cloth meets cloth, by what is worn.
    pub fn adapt_to(&mut self, device: &Arc<Device>) -> anyhow::Result<()> {
        self.let_layers_meet();
        match self.choice {
            Choice::Named => {}
            Choice::Usual => self.calibrate(device),
            Choice::Quickest => {
                let chosen = scenes::quickest(device, &self.desc, &Technique::RADIAL);
                self.desc.technique = chosen.with_context(|| self.source.clone())?;
            }
        }
        Ok(())
    }

    /// Where it cannot be timed, fields are drawn: what ails the device comes up again with what is shown.
    fn calibrate(&mut self, device: &Arc<Device>) {
        match Calibration::of(device) {
            Ok(None) => {}
            Ok(Some(calibrated)) => {
                self.desc.technique = calibrated.calibration.technique();
                if self.desc.technique != Technique::RADIAL[0] {
                    self.notes.push(calibration_note(&calibrated));
                }
            }
            Err(error) => self.notes.push(format!(
                "fields are drawn: how long that takes could not be measured ({error})"
            )),
        }
    }

    fn let_layers_meet(&mut self) {
        let is_files_own = self.outfit == Outfit::Own && self.desc.garments.len() > 1;
        let worn = Worn {
            is_layered: is_files_own || self.outfit.is_layered(),
            overlaps: self.outfit.overlaps(),
            character_count: self.desc.character_count,
        };
        self.usually_meets_cloth = self.scene.cloth_contacts || worn.meets();
        self.desc.cloth_contacts = self.meets_cloth.unwrap_or(self.usually_meets_cloth);
        if worn.is_layered && !self.desc.cloth_contacts {
            self.notes.push(layers_note(&self.desc.garments));
        }
    }
}

/// What tells whether cloth meets cloth where nobody says.
#[derive(Clone, Copy)]
struct Worn {
    /// Garments are worn over each other, or a file brings several.
    is_layered: bool,
    /// Hems lie over waists.
    overlaps: bool,
    character_count: usize,
}

impl Worn {
    /// Layers meet; hems over waists do so too, unless of a crowd.
    fn meets(self) -> bool {
        let is_crowd = self.character_count > MOST_WHOSE_HEMS_MEET;
        self.is_layered || self.overlaps && !is_crowd
    }
}

fn calibration_note(calibrated: &Calibrated) -> String {
    let Calibration {
        drawn_ms,
        computed_ms,
    } = calibrated.calibration;
    let file = calibrated.file.as_ref();
    let remembered = file.map_or(String::new(), |file| {
        format!(" (remembered in {})", printable(&file.to_string_lossy()))
    });
    format!(
        "fields are computed: drawing one person's takes {drawn_ms:.3} ms on this device, computing them {computed_ms:.3}{remembered}; \
         --technique radial draws them"
    )
}

/// Has everybody wear clothes with settings of their own, garment by garment of one character.
pub fn wear(world: &mut World, garment_settings: &[GarmentSettings]) {
    let worn = &mut world.settings_mut().garments;
    for (garment, settings) in worn.iter_mut().zip(garment_settings.iter().cycle()) {
        *garment = *settings;
    }
}

/// Cells are in proportion to the character, whose size is against a person's.
fn fit_settings(cli: &Cli, size: f32) -> FitSettings {
    let usual = FitSettings::default();
    FitSettings {
        cell_size: cli
            .cell_size
            .map_or(usual.cell_size * size, |millimetres| millimetres * 1e-3),
        weight_threshold: cli.weight_threshold.unwrap_or(usual.weight_threshold),
        ..usual
    }
}

/// What counts as a fault of the cloth.
pub fn tolerances_of(desc: &ShowDesc) -> Tolerances {
    Tolerances::new(
        f64::from(desc.fit.cell_size),
        f64::from(desc.garment.thickness),
    )
    .in_proportion(f64::from(desc.avatar.size()))
}

fn find_scene(cli: &Cli) -> anyhow::Result<&'static Scene> {
    let Some(name) = &cli.scene else {
        return Ok(&scenes::SCENES[0]);
    };
    scenes::find(name).with_context(|| {
        format!(
            "there is no scene {name:?}: choose one of {}",
            scenes::names()
        )
    })
}

/// `also`: what may be said besides, before the list.
fn find_technique(name: &str, also: &str) -> anyhow::Result<Technique> {
    let known = || Technique::ALL.map(Technique::name).join(", ");
    Technique::find(name)
        .with_context(|| format!("there is no technique {name:?}: choose {also}{}", known()))
}

fn find_fields(cli: &Cli, technique: Technique) -> anyhow::Result<Variant> {
    let fields = Variant::find(cli.fields())?;
    let is_radial = Technique::RADIAL.contains(&technique);
    if fields != Variant::SHIPPED && !is_radial {
        let known = Technique::RADIAL.map(Technique::name).join(" or ");
        bail!("--fields {fields} needs --technique {known}: others have no such fields");
    }
    Ok(fields)
}

fn find_material(cli: &Cli) -> anyhow::Result<Material> {
    let known = || Material::ALL.map(Material::name).join(", ");
    Material::find(cli.material()).with_context(|| {
        format!(
            "there is no material {:?}: choose one of {}",
            cli.material(),
            known()
        )
    })
}

fn garment_settings(cli: &Cli, choices: &Choices, size: f32) -> GarmentSettings {
    let usual = GarmentSettings::of(choices.material);
    GarmentSettings {
        thickness: usual.thickness * size,
        friction: choices.scene.friction.unwrap_or(usual.friction),
        motion_scale: cli.motion.unwrap_or(usual.motion_scale),
        ..usual
    }
}

/// The usual, what a setup says of it, and what the flags say.
fn cloth_settings(cli: &Cli, tuned: &Tuned, ground: Ground) -> anyhow::Result<ClothSettings> {
    let usual = ClothSettings {
        ground: Some(ground),
        ..ClothSettings::default()
    };
    let usual = laid_over(&usual, &tuned.cloth)?;
    Ok(ClothSettings {
        sub_steps: cli.sub_steps.unwrap_or(usual.sub_steps),
        iterations: cli.iterations.unwrap_or(usual.iterations),
        sweeps: cli.sweeps.unwrap_or(usual.sweeps),
        end_strain_limit: cli
            .end_strain_limit
            .map_or(usual.end_strain_limit, |limit| limit.0),
        wind: cli.wind.unwrap_or(usual.wind),
        sleep: usual.sleep.or(cli.sleep.then(Sleep::default)),
        ..usual
    })
}

/// What is in proportion to a character has bounds: beyond them it is the file's units that are wrong, and no setting.
fn check_units(avatar: &Avatar, size: f32, scale: Option<f32>) -> anyhow::Result<()> {
    let fits = usual_collide_settings(size).check().is_ok();
    match unit_warning(avatar, scale.unwrap_or(1.0)).filter(|_| !fits) {
        None => Ok(()),
        Some(warning) => bail!(warning),
    }
}

fn usual_collide_settings(size: f32) -> CollideSettings {
    let mut usual = CollideSettings::default();
    usual.search_radius *= size;
    usual
}

/// The same of the collision, whose reach is in proportion to the character.
fn collide_settings(
    cli: &Cli,
    tuned: &Tuned,
    detection: Option<Detection>,
    size: f32,
) -> anyhow::Result<CollideSettings> {
    let usual = laid_over(&usual_collide_settings(size), &tuned.collide)?;
    Ok(CollideSettings {
        stride: cli.collision_stride.unwrap_or(usual.stride),
        detection: detection.unwrap_or(usual.detection),
        edge_midpoints: usual.edge_midpoints && !cli.no_edge_midpoints,
        search_radius: cli
            .search_radius
            .map_or(usual.search_radius, |millimetres| millimetres * 1e-3),
        ..usual
    })
}

fn find_detection(name: &str) -> anyhow::Result<Detection> {
    let known = || Detection::ALL.map(Detection::name).join(", ");
    let mut all = Detection::ALL.into_iter();
    all.find(|detection| detection.name() == name)
        .with_context(|| format!("there is no detection {name:?}: choose one of {}", known()))
}

/// Rigid things: the setup's own, else the scene's and those that the character brings.
fn props(tuned: &Tuned, scene: &Scene, avatar: &Avatar) -> Result<Vec<Prop>, PropError> {
    if let Some(placed) = &tuned.props {
        return Ok(placed.iter().map(prop_of).collect());
    }
    let mut props = (scene.props)(avatar);
    props.extend(Prop::brought_by(avatar)?);
    Ok(props)
}

fn find_outfit(name: &str) -> anyhow::Result<Outfit> {
    let known = || Outfit::ALL.map(Outfit::name).join(", ");
    Outfit::find(name)
        .with_context(|| format!("there is no garment {name:?}: choose one of {}", known()))
}

/// The name of no clip: characters stay in their bind pose.
const NO_CLIP: &str = "none";

fn find_clip(cli: &Cli, usual: Option<usize>, avatar: &Avatar) -> anyhow::Result<Option<usize>> {
    let Some(name) = &cli.clip else {
        return Ok(usual);
    };
    match avatar.clips.iter().position(|clip| clip.name == *name) {
        Some(ix) => Ok(Some(ix)),
        None if name == NO_CLIP => Ok(None),
        None if avatar.clips.is_empty() => bail!("{} has no clips: leave --clip out", avatar.name),
        None => {
            let known: Vec<_> = avatar.clips.iter().map(|clip| clip.name.as_str()).collect();
            bail!(
                "{} has no clip {name:?}: choose one of {}",
                avatar.name,
                known.join(", ")
            )
        }
    }
}

/// Clothes out of a file of their own, or made as flags and scene say.
fn clothes(
    cli: &Cli,
    choices: &Choices,
    worn_by: (&Avatar, Option<usize>),
    notes: &mut Vec<String>,
) -> anyhow::Result<(Outfit, Vec<Garment>)> {
    if let Some(file) = &cli.garment_file {
        return Ok((Outfit::Own, load_garments(file, worn_by.0)?));
    }
    let usual = choices.scene.particle_count;
    let particle_count = cli.particles.map_or(usual, |count| count as usize);
    dress(
        worn_by,
        choices.outfit,
        choices.scene.outfit,
        particle_count,
        notes,
    )
}

/// Says what keeps garments apart that are worn over each other.
fn layers_note(garments: &[Garment]) -> String {
    let names: Vec<_> = garments
        .iter()
        .map(|garment| garment.name.as_str())
        .collect();
    let names = printable(&names.join(", "));
    format!(
        "{names} may come through one another where they are worn over each other: --cloth-contacts keeps them apart"
    )
}

/// What was asked for; else the character's own clothes; else the scene's; and a sheet for what is no humanoid.
fn dress(
    (avatar, clip_ix): (&Avatar, Option<usize>),
    wanted: Option<Outfit>,
    meant: Outfit,
    particle_count: usize,
    notes: &mut Vec<String>,
) -> anyhow::Result<(Outfit, Vec<Garment>)> {
    let outfit = wanted.unwrap_or_else(|| Outfit::for_avatar(avatar, meant));
    match outfit.make_for(avatar, clip_ix, particle_count) {
        Ok(garments) => Ok((outfit, garments)),
        Err(error) if wanted.is_none() => {
            notes.push(format!("{error}; it gets a sheet"));
            let sheet = Outfit::Sheet.make_for(avatar, clip_ix, particle_count)?;
            Ok((Outfit::Sheet, sheet))
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_meet_and_hems_unless_of_a_crowd() {
        let hems = |character_count| Worn {
            is_layered: false,
            overlaps: true,
            character_count,
        };
        assert!(hems(1).meets());
        assert!(hems(MOST_WHOSE_HEMS_MEET).meets());
        assert!(!hems(MOST_WHOSE_HEMS_MEET + 1).meets());
        let coats = |character_count| Worn {
            is_layered: true,
            ..hems(character_count)
        };
        assert!(coats(100).meets());
        let skirt = Worn {
            overlaps: false,
            ..hems(1)
        };
        assert!(!skirt.meets(), "nothing of it lies over anything");
    }
}
