//! Writes the characters of our own, mannequin and ogre, with their motion: `assets/mannequin.glb`, `assets/ogre.glb`.
//!
//! Run it after a change to `src/avatar/builtin` or `src/pose/motion`, and commit what it wrote.

use radial_fields::avatar::builtin::{self, Detail};
use radial_fields::avatar::{Avatar, to_glb};
use radial_fields::pose::motion;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let characters = [builtin::mannequin(Detail::Low), builtin::ogre()];
    for avatar in characters {
        if let Err(error) = write(avatar) {
            eprintln!("make_assets: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn write(mut avatar: Avatar) -> Result<(), Box<dyn Error>> {
    avatar.clips.push(motion::author(&avatar.skeleton)?);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let path = folder.join(&avatar.name).with_extension("glb");
    let bytes = to_glb(&avatar);
    std::fs::write(&path, &bytes)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    println!(
        "{}: {} triangles, {} bytes",
        path.display(),
        avatar.skin.triangles.len(),
        bytes.len()
    );
    Ok(())
}
