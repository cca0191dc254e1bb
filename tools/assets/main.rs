//! Writes the characters of our own, mannequin and ogre, with their motion: `assets/mannequin.glb`, `assets/ogre.glb`.
//!
//! Run it after a change to `src/avatar/builtin` or `src/pose/motion`, and commit what it wrote.

use radial_fields::avatar::builtin::{self, Detail};
use radial_fields::avatar::{Avatar, Interpolation, Track, TrackValues, to_glb};
use radial_fields::pose::motion;
use std::error::Error;
use std::io::{Write as _, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let characters = [builtin::mannequin(Detail::Low), builtin::ogre()];
    for avatar in characters {
        if let Err(error) = write(avatar) {
            // A failure of that cannot be reported, and when the line below does.
            let _ = writeln!(stderr(), "make_assets: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn write(mut avatar: Avatar) -> Result<(), Box<dyn Error>> {
    let mut clip = motion::author(&avatar.skeleton)?;
    clip.tracks.iter_mut().for_each(drop_repeats);
    avatar.clips.push(clip);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let path = folder.join(&avatar.name).with_extension("glb");
    let bytes = to_glb(&avatar);
    std::fs::write(&path, &bytes)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let _ = writeln!(
        stdout(),
        "{}: {} triangles, {} bytes",
        path.display(),
        avatar.skin.triangles.len(),
        bytes.len()
    );
    Ok(())
}

/// Drops keys between two equal ones: fingers rest most of the time. Changes nothing that is played.
fn drop_repeats(track: &mut Track) {
    if track.interpolation == Interpolation::Cubic {
        return;
    }
    let kept = match &track.values {
        TrackValues::Translation(values) | TrackValues::Scale(values) => without_repeats(values),
        TrackValues::Rotation(values) => without_repeats(values),
    };
    track.times = pick(&track.times, &kept);
    match &mut track.values {
        TrackValues::Translation(values) | TrackValues::Scale(values) => {
            *values = pick(values, &kept);
        }
        TrackValues::Rotation(values) => *values = pick(values, &kept),
    }
}

/// Indices of the values that differ from the one before or the one after.
fn without_repeats<T: PartialEq>(values: &[T]) -> Vec<usize> {
    let is_repeat = |ix: usize| {
        ix > 0
            && ix + 1 < values.len()
            && values[ix - 1] == values[ix]
            && values[ix] == values[ix + 1]
    };
    (0..values.len()).filter(|&ix| !is_repeat(ix)).collect()
}

fn pick<T: Copy>(values: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().map(|&ix| values[ix]).collect()
}
