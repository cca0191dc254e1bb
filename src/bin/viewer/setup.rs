//! A setup: all that decides what is shown, as one JSON file. What a file leaves out is as usual; what no viewer knows is refused, so
//! that a slip of the pen is not taken for a wish.

use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use glam::Vec3;
use radial_fields::cloth::{ClothSettings, GarmentSettings, Material};
use radial_fields::collide::CollideSettings;
use radial_fields::render::{Camera, Follow, ViewOptions};
use radial_fields::solid::PlacedProp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cli::Cli;
use crate::detail::DetailChoice;

/// What the file says it is.
const SCHEMA: &str = "radial_fields.viewer.setup";
/// Changes when a reader of the last version would read something else than what is meant.
const VERSION: u32 = 1;
/// Bytes: a setup has some thousand. More is no setup.
const MAX_BYTES: u64 = 1 << 20;
/// Metres: beyond this, numbers of a camera are slips.
const MOST: f32 = 1e4;
/// The most things about: each is tested by every particle.
const MAX_PROPS: usize = 64;

/// What is shown, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Setup {
    schema: String,
    version: u32,
    scene: Option<String>,
    /// A name or a file.
    character: Option<String>,
    /// Metres a unit of the character's file.
    scale: Option<f32>,
    characters: Option<u32>,
    garment: Option<String>,
    garment_file: Option<PathBuf>,
    particles: Option<u32>,
    material: Option<String>,
    clip: Option<String>,
    start_frame: Option<u32>,
    /// Seconds from the bind pose until the clip starts.
    preroll: Option<f32>,
    clip_frames: Option<(u32, u32)>,
    /// How the camera goes along.
    follow: Option<Follow>,
    technique: Option<String>,
    fields: Option<String>,
    beside: Option<String>,
    /// Whether it is shown where the two differ.
    difference: bool,
    /// Millimetres.
    cell_size: Option<f32>,
    weight_threshold: Option<f32>,
    /// Whether cloth meets cloth.
    cloth_contacts: Option<bool>,
    /// How finely cloth is simulated.
    detail: Option<String>,
    #[serde(flatten)]
    pub tuned: Tuned,
}

/// What no flag says as a whole: each is laid over what is usual, value by value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tuned {
    pub cloth: Option<Value>,
    pub collide: Option<Value>,
    /// Garment by garment of one character.
    pub garments: Vec<Value>,
    pub view: Option<Value>,
    /// Where it turns with the character, its yaw is from the character's front.
    pub camera: Option<Value>,
    /// In place of the scene's.
    pub props: Option<Vec<PlacedProp>>,
}

impl Setup {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is none, with the place in it.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let read = || {
            let text = text_of(file)?;
            Self::parse(&text)
        };
        read().with_context(|| format!("--setup {}", file.display()))
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let value: Value = serde_json::from_str(text).context("it is no JSON")?;
        ensure!(
            value.get("schema").and_then(Value::as_str) == Some(SCHEMA),
            "it is no setup: a setup has \"schema\": \"{SCHEMA}\""
        );
        let version = value.get("version").and_then(Value::as_u64);
        ensure!(
            version == Some(u64::from(VERSION)),
            "it has another version than {VERSION}, the one known here: save it anew with this viewer"
        );
        let setup: Self = patched(&Self::default(), &value)?;
        setup.check()?;
        Ok(setup)
    }

    fn check(&self) -> anyhow::Result<()> {
        let Tuned { props, .. } = &self.tuned;
        self.tuned.check()?;
        self.detail()?;
        for (ix, prop) in props.iter().flatten().enumerate() {
            prop.check()
                .map_err(|fault| anyhow::anyhow!("props[{ix}]: {fault}"))?;
        }
        let count = props.as_ref().map_or(0, Vec::len);
        ensure!(
            count <= MAX_PROPS,
            "it has {count} props: give at most {MAX_PROPS}"
        );
        Ok(())
    }

    fn detail(&self) -> anyhow::Result<Option<DetailChoice>> {
        let parsed = self.detail.as_deref().map(DetailChoice::parse);
        let parsed = parsed.transpose();
        parsed.map_err(|fault| anyhow::anyhow!("detail: {fault}"))
    }

    /// As text, to be read again as the same.
    #[cfg(any(feature = "viewer", test))]
    pub fn to_json(&self) -> anyhow::Result<Vec<u8>> {
        let named = Self {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            ..self.clone()
        };
        let mut text = serde_json::to_string_pretty(&named)?;
        text.push('\n');
        Ok(text.into_bytes())
    }

    /// What flags say, and what is tuned besides.
    #[cfg(any(feature = "viewer", test))]
    pub fn of(cli: &Cli, tuned: Tuned) -> Self {
        let owned = |name: &OsString| name.to_string_lossy().into_owned();
        Self {
            scene: cli.scene.clone(),
            character: cli.avatar.as_ref().map(owned),
            scale: cli.scale,
            characters: cli.characters,
            garment: cli.garment.clone(),
            garment_file: cli.garment_file.clone(),
            particles: cli.particles,
            material: cli.material.clone(),
            clip: cli.clip.clone(),
            start_frame: cli.start_frame,
            preroll: cli.preroll,
            clip_frames: cli.clip_frames,
            follow: cli.follow,
            technique: cli.technique.clone(),
            fields: cli.fields.clone(),
            beside: cli.beside.clone(),
            difference: cli.difference && cli.beside.is_some(),
            cell_size: cli.cell_size,
            weight_threshold: cli.weight_threshold,
            cloth_contacts: cli.cloth_contacts,
            detail: cli.detail.map(|choice| choice.name().to_owned()),
            tuned,
            ..Self::default()
        }
    }

    /// The flags with what the setup says where they say nothing. As flags are checked, so is it: [`Cli::recheck`].
    pub fn under(self, cli: Cli) -> Cli {
        // It was checked when it was read.
        let detail = cli.detail.or(self.detail().unwrap_or_default());
        let brings_clothes = cli.garment.is_some() || cli.garment_file.is_some();
        let (garment, garment_file) = match brings_clothes {
            true => (cli.garment, cli.garment_file),
            false => (self.garment, self.garment_file),
        };
        Cli {
            scene: cli.scene.or(self.scene),
            avatar: cli.avatar.or(self.character.map(OsString::from)),
            scale: cli.scale.or(self.scale),
            characters: cli.characters.or(self.characters),
            garment,
            garment_file,
            particles: cli.particles.or(self.particles),
            material: cli.material.or(self.material),
            clip: cli.clip.or(self.clip),
            start_frame: cli.start_frame.or(self.start_frame),
            preroll: cli.preroll.or(self.preroll),
            clip_frames: cli.clip_frames.or(self.clip_frames),
            follow: cli.follow.or(self.follow),
            technique: cli.technique.or(self.technique),
            fields: cli.fields.or(self.fields),
            beside: cli.beside.or(self.beside),
            difference: cli.difference || self.difference,
            cell_size: cli.cell_size.or(self.cell_size),
            weight_threshold: cli.weight_threshold.or(self.weight_threshold),
            cloth_contacts: cli.cloth_contacts.or(self.cloth_contacts),
            detail,
            tuned: Some(self.tuned),
            ..cli
        }
    }

    /// The same without what can be changed while it is shown: where two agree in it, nothing is to be made anew.
    #[cfg(feature = "viewer")]
    pub fn made(&self) -> Self {
        Self {
            clip: None,
            start_frame: None,
            clip_frames: None,
            follow: None,
            technique: None,
            beside: None,
            difference: false,
            cloth_contacts: None,
            detail: None,
            tuned: Tuned::default(),
            ..self.clone()
        }
    }
}

impl Tuned {
    fn check(&self) -> anyhow::Result<()> {
        let cloth: ClothSettings = over(&self.cloth).context("cloth")?;
        let collide: CollideSettings = over(&self.collide).context("collide")?;
        cloth.check()?;
        collide.check()?;
        for (ix, garment) in self.garments.iter().enumerate() {
            let settings = garment_of(&GarmentSettings::default(), garment);
            settings
                .and_then(|settings| Ok(settings.check()?))
                .with_context(|| format!("garments[{ix}]"))?;
        }
        let view: ViewOptions = over(&self.view).context("view")?;
        let lit = (0.0..=100.0).contains(&view.exposure);
        ensure!(lit, "view.exposure is {}: give 0 to 100", view.exposure);
        check_camera(&over(&self.camera).context("camera")?).context("camera")
    }
}

/// The usual with what is laid over it.
pub fn over<T: Default + Serialize + DeserializeOwned>(patch: &Option<Value>) -> anyhow::Result<T> {
    laid_over(&T::default(), patch)
}

/// A value with what is laid over it, if something is.
pub fn laid_over<T: Serialize + DeserializeOwned>(
    base: &T,
    patch: &Option<Value>,
) -> anyhow::Result<T> {
    patched(base, patch.as_ref().unwrap_or(&Value::Object(Map::new())))
}

/// A value with those parts in the place of its own that the patch names.
pub fn patched<T: Serialize + DeserializeOwned>(base: &T, patch: &Value) -> anyhow::Result<T> {
    let mut value = value_of(base)?;
    lay_over(&mut value, patch, "")?;
    let read: T = serde_json::from_value(value).context("a value is of the wrong kind")?;
    // What is too large for its number became infinite, which JSON has not.
    lost_number(&value_of(&read)?, patch, "")?;
    Ok(read)
}

/// A garment's settings with those parts in the place of their own that the patch names: numbers, and a fabric that stands for some.
pub fn garment_of(base: &GarmentSettings, patch: &Value) -> anyhow::Result<GarmentSettings> {
    let mut patch = patch.clone();
    let fabric = patch
        .as_object_mut()
        .and_then(|patch| patch.remove("fabric"));
    let Some(fabric) = fabric else {
        return patched(base, &patch);
    };
    let name = fabric.as_str().context("fabric is no name")?;
    let known = || Material::ALL.map(Material::name).join(", ");
    let material = Material::find(name)
        .with_context(|| format!("there is no fabric {name:?}: choose one of {}", known()))?;
    patched(&base.made_of(material), &patch)
}

/// As JSON, with numbers no longer than they must be to be read as the same.
pub fn value_of(of: &impl Serialize) -> anyhow::Result<Value> {
    Ok(serde_json::from_str(&serde_json::to_string(of)?)?)
}

fn lay_over(base: &mut Value, patch: &Value, path: &str) -> anyhow::Result<()> {
    let (Value::Object(base), Value::Object(patch)) = (&mut *base, patch) else {
        *base = patch.clone();
        return Ok(());
    };
    for (key, value) in patch {
        let path = joined(path, key);
        let Some(known) = base.get_mut(key) else {
            let keys: Vec<_> = base.keys().map(String::as_str).collect();
            bail!("there is no {path}: choose one of {}", keys.join(", "));
        };
        lay_over(known, value, &path)?;
    }
    Ok(())
}

fn lost_number(read: &Value, patch: &Value, path: &str) -> anyhow::Result<()> {
    match (read, patch) {
        (Value::Null, Value::Number(number)) => bail!("{path} is {number}, which is too large"),
        (Value::Object(read), Value::Object(patch)) => patch.iter().try_for_each(|(key, value)| {
            let known = read.get(key).unwrap_or(&Value::Bool(false));
            lost_number(known, value, &joined(path, key))
        }),
        (Value::Array(read), Value::Array(patch)) => (read.iter().zip(patch).enumerate())
            .try_for_each(|(ix, (read, value))| lost_number(read, value, &format!("{path}[{ix}]"))),
        _ => Ok(()),
    }
}

fn joined(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    }
}

/// What the flag takes.
const WANTED: &str = "give a JSON file, as the window's panel saves it";

fn text_of(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).map_err(|error| anyhow::anyhow!("{error}: {WANTED}"))?;
    opened.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    ensure!(
        bytes.len() as u64 <= MAX_BYTES,
        "it is too large for a setup"
    );
    String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("it is no text: {WANTED}"))
}

fn check_camera(camera: &Camera) -> anyhow::Result<()> {
    let Camera {
        target,
        distance,
        fov_y,
        ..
    } = *camera;
    let is_far = |at: Vec3| at.abs().max_element() > MOST;
    ensure!(!is_far(target), "its target is more than {MOST} m away");
    ensure!(
        (1e-3..=MOST).contains(&distance),
        "its distance is {distance} m: give 0.001 to {MOST}"
    );
    ensure!(
        (0.05..=2.5).contains(&fov_y),
        "fov_y is {fov_y} radians: give 0.05 to 2.5"
    );
    Ok(())
}

#[cfg(test)]
mod tests;
