//! Makes the human characters out of the data folder that `tools/make_human` has fetched. Run that script instead.

mod licence;

use anyhow::{Context, Result};
use clap::Parser;
use radial_fields::avatar::cache::{self, HumanKind};
use radial_fields::avatar::makehuman::assemble::Source;
use radial_fields::avatar::makehuman::shape::Shape;
use radial_fields::avatar::{Avatar, export};
use radial_fields::pose::motion;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes the human characters as glTF files.
#[derive(Parser)]
struct Arguments {
    /// The folder `mpfb2` of the data.
    #[arg(long)]
    data: PathBuf,
    /// The folder to write; it must not exist yet.
    #[arg(long)]
    out: PathBuf,
    /// What the data was, for the manifest.
    #[arg(long, default_value = "unknown")]
    origin: String,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("make_human: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Writes into a folder beside the wanted one and renames it at the end, so that a half-written one is never found.
fn run(arguments: &Arguments) -> Result<()> {
    let unfinished = arguments
        .out
        .with_extension(format!("unfinished-{}", std::process::id()));
    std::fs::create_dir_all(&unfinished)
        .with_context(|| format!("cannot create {}", unfinished.display()))?;
    let written = write_all(arguments, &unfinished).and_then(|()| {
        std::fs::rename(&unfinished, &arguments.out).with_context(|| {
            format!(
                "cannot rename to {}: remove what is there first",
                arguments.out.display()
            )
        })
    });
    if written.is_err() {
        // The first error is the one to report; what is left behind is never looked at.
        let _ = std::fs::remove_dir_all(&unfinished);
    }
    written
}

fn write_all(arguments: &Arguments, folder: &Path) -> Result<()> {
    let source = Source::open(&arguments.data)?;
    let male = source.human(&Shape::MALE)?;
    let female = source.human(&Shape::FEMALE)?;
    let mut characters = serde_json::Map::new();
    for kind in HumanKind::ALL {
        let human = match kind {
            HumanKind::MaleLow | HumanKind::MaleMed => &male,
            HumanKind::FemaleMed | HumanKind::FemaleHigh => &female,
        };
        let mut avatar = human.avatar(kind.name(), kind.triangle_count())?;
        avatar.clips.push(motion::author(&avatar.skeleton)?);
        write(
            &folder.join(format!("{}.glb", kind.name())),
            &export::to_glb(&avatar),
        )?;
        println!(
            "  {}: {} triangles",
            kind.name(),
            avatar.skin.triangles.len()
        );
        characters.insert(kind.name().to_owned(), counts(&avatar));
    }
    let manifest = json!({ "version": cache::HUMAN_VERSION, "origin": arguments.origin, "characters": characters });
    write(
        &folder.join("manifest.json"),
        format!("{manifest:#}\n").as_bytes(),
    )?;
    write(
        &folder.join("LICENCE"),
        licence::text(&arguments.origin).as_bytes(),
    )
}

fn counts(avatar: &Avatar) -> serde_json::Value {
    json!({
        "triangles": avatar.skin.triangles.len(),
        "vertices": avatar.skin.positions.len(),
        "joints": avatar.skeleton.joints.len(),
        "parts": avatar.parts.len(),
        "clips": avatar.clips.len(),
    })
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
