//! The programs as their users meet them: what they refuse, what they print and where, what is in their pictures.

#![expect(clippy::unwrap_used, reason = "a panic fails the test, and says where")]

#[cfg(unix)]
mod cache;
#[cfg(unix)]
mod characters;
mod crowd;
mod flags;
mod output;
mod pictures;
mod reports;
mod setups;
mod solids;
mod terminal;
mod traces;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use radial_fields::avatar::{Avatar, Joint, Node, Part, Skeleton, Transform, to_glb};
use radial_fields::glam::{Mat4, Vec3};
use radial_fields::math::Bounds;

const VIEWER: &str = env!("CARGO_BIN_EXE_viewer");
const BENCH: &str = env!("CARGO_BIN_EXE_bench");
const MAKE_HUMAN: &str = env!("CARGO_BIN_EXE_make_human");

/// What brings a character into its clip in six steps.
const HASTY: [&str; 2] = ["--preroll", "0.1"];
/// What makes a run short: one frame of a naked character.
const SHORT: [&str; 7] = [
    "--headless",
    "--frames",
    "1",
    "--garment",
    "none",
    HASTY[0],
    HASTY[1],
];

fn run(program: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("command_line")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Exit code 2, nothing on standard output, and on standard error one line from the program that says `words` once each.
fn assert_refused(program: &str, arguments: &[impl AsRef<OsStr>], words: &[&str]) {
    let shown: Vec<_> = arguments.iter().map(|a| a.as_ref().to_owned()).collect();
    let output = run(program, arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{shown:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{shown:?}: {said}");
    let name = Path::new(program).file_stem().unwrap().to_str().unwrap();
    assert!(said.starts_with(&format!("{name}: ")), "{shown:?}: {said}");
    for word in words {
        let count = said.matches(word).count();
        assert_eq!(count, 1, "{word:?} by {shown:?}: {said}");
    }
    assert_eq!(text(&output.stdout), "", "{shown:?}");
}

/// The run came to its end.
fn assert_done(output: &Output) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

/// A red character of one box, fixed to the second of two joints.
struct Figure {
    skin: Bounds,
    /// Where the joints are, world space.
    joints: [Vec3; 2],
}

impl Figure {
    fn new(low: [f32; 3], high: [f32; 3]) -> Self {
        let (low, high) = (Vec3::from(low), Vec3::from(high));
        Self {
            skin: Bounds { low, high },
            joints: [Vec3::ZERO, low],
        }
    }

    fn avatar(&self) -> Avatar {
        let names = ["root", "bone"];
        let nodes = self.joints.iter().zip(names).map(|(&at, name)| Node {
            name: name.to_owned(),
            parent: None,
            rest: Transform::from_translation(at),
        });
        let joints = self.joints.iter().enumerate().map(|(node_ix, &at)| Joint {
            node_ix,
            bone_from_bind: Mat4::from_translation(-at),
        });
        let mut avatar = Avatar {
            name: "figure".to_owned(),
            skeleton: Skeleton {
                nodes: nodes.collect(),
                joints: joints.collect(),
            },
            ..Avatar::default()
        };
        let corners = self.skin.corners();
        for [a, b, c] in BOX {
            let corners = [a, b, c].map(|corner| corners[corner]);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let first = avatar.skin.positions.len() as u32;
            avatar.skin.triangles.push([first, first + 1, first + 2]);
            for corner in corners {
                avatar.skin.positions.push(corner);
                avatar.skin.normals.push(normal.normalize());
                avatar.skin.uvs.push(Default::default());
                avatar.skin.joints.push([1, 0, 0, 0, 0, 0, 0, 0]);
                avatar
                    .skin
                    .weights
                    .push([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            }
        }
        avatar.parts.push(Part {
            triangles: 0..BOX.len() as u32,
            base_colour: [1.0, 0.0, 0.0, 1.0],
            texture_ix: None,
            alpha_cutoff: 0.0,
        });
        avatar
    }

    /// Writes it as a file of the folder.
    fn write(&self, folder: &Path, name: impl AsRef<Path>) -> PathBuf {
        let file = folder.join(name);
        std::fs::write(&file, to_glb(&self.avatar())).unwrap();
        file
    }
}

/// Corners as [`Bounds::corners`] counts them, counter-clockwise seen from outside.
const BOX: [[usize; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];
