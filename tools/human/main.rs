//! Makes the human characters out of the data folder that `tools/make_human` has fetched. Run that script instead.

mod licence;

use anyhow::{Context, Result};
use clap::Parser;
use radial_fields::avatar::cache::manifest::{Entry, Manifest};
use radial_fields::avatar::cache::{self, HumanKind};
use radial_fields::avatar::export;
use radial_fields::avatar::makehuman::assemble::Source;
use radial_fields::avatar::makehuman::shape::Shape;
use radial_fields::engine::console::{self, EXIT_USAGE};
use radial_fields::pose::motion;
use radial_fields::{remark, say};
use std::collections::BTreeMap;
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
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => run(&arguments),
        Err(error) => {
            let code = console::refuse_flags("make_human", &error);
            return console::end("make_human", code);
        }
    };
    let code = match outcome {
        Ok(()) => 0,
        Err(error) => {
            remark!("make_human: {error:#}");
            EXIT_USAGE
        }
    };
    console::end("make_human", code)
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
    let mut characters = BTreeMap::new();
    for kind in HumanKind::ALL {
        let human = match kind {
            HumanKind::MaleLow | HumanKind::MaleMed => &male,
            HumanKind::FemaleMed | HumanKind::FemaleHigh => &female,
        };
        let mut avatar = human.avatar(kind.name(), kind.triangle_count())?;
        avatar.clips.push(motion::author(&avatar.skeleton)?);
        let bytes = export::to_glb(&avatar);
        write(&folder.join(format!("{}.glb", kind.name())), &bytes)?;
        say!(
            "  {}: {} triangles",
            kind.name(),
            avatar.skin.triangles.len()
        );
        characters.insert(kind.name().to_owned(), Entry::of(&avatar, &bytes));
    }
    let manifest = Manifest {
        characters,
        origin: arguments.origin.clone(),
        version: cache::HUMAN_VERSION,
    };
    let json = format!("{}\n", serde_json::to_string_pretty(&manifest)?);
    write(&folder.join("manifest.json"), json.as_bytes())?;
    write(
        &folder.join("LICENCE"),
        licence::text(&arguments.origin).as_bytes(),
    )
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
