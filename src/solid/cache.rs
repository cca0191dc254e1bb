//! Fields on disk, so that a mesh is filled once: a file a field, called by what it was made of.
//!
//! A file holds, little-endian: [`MAGIC`], the key, a sum over all that follows, the grid, how many words there are, the words.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use glam::{UVec3, Vec3};

use super::fill::fill;
use super::{Grid, SignRule, SolidField, SolidMesh};

/// Begins every file. Its last letter changes whenever a field of the same mesh would have other words.
const MAGIC: [u8; 8] = *b"RFFIELDA";

/// Bytes of magic, key and sum.
const HEAD_BYTES: usize = 24;

/// Bytes of the grid and the number of words.
const GRID_BYTES: usize = 32;

/// Where a field came from.
#[derive(Debug)]
pub enum Origin {
    /// The cache had it.
    Cache,
    /// It was filled. The cache has it now, unless the error says why not.
    Filled(Option<io::Error>),
    /// As filled, because the file in the cache is damaged: whoever made it was interrupted, or the disk is failing.
    Refilled(Option<io::Error>),
}

/// The field of a mesh, out of a folder of fields, or filled on the CPU and put there. The folder is made if need be.
///
/// A cache that cannot be read or written costs time and nothing else.
pub fn load_or_fill(
    folder: &Path,
    mesh: &SolidMesh,
    grid: Grid,
    rule: SignRule,
) -> (SolidField, Origin) {
    let key = key(mesh, &grid, rule);
    let file = folder.join(format!("{key:016x}.field"));
    let bytes = fs::read(&file);
    let is_there = bytes.is_ok();
    if let Some(field) = bytes.ok().and_then(|bytes| decode(&bytes, key)) {
        return (field, Origin::Cache);
    }
    let field = fill(mesh, grid, rule);
    let failure = write(&file, &encode(&field, key)).err();
    let origin = match is_there {
        true => Origin::Refilled(failure),
        false => Origin::Filled(failure),
    };
    (field, origin)
}

/// Of all that a field's words depend on.
fn key(mesh: &SolidMesh, grid: &Grid, rule: SignRule) -> u64 {
    let mut hash = Fnv::NEW;
    hash.add(&MAGIC);
    hash.add(rule.name().as_bytes());
    hash.add(&grid_bytes(grid));
    hash.add(bytemuck::cast_slice(mesh.positions()));
    hash.add(bytemuck::cast_slice(mesh.triangles()));
    hash.0
}

fn grid_bytes(grid: &Grid) -> Vec<u8> {
    let lengths = grid.low.to_array().into_iter().chain([grid.cell_size]);
    let bits = lengths.map(f32::to_bits).chain(grid.bricks.to_array());
    bits.flat_map(u32::to_le_bytes).collect()
}

fn encode(field: &SolidField, key: u64) -> Vec<u8> {
    let mut body = grid_bytes(&field.grid);
    body.extend((field.words.len() as u32).to_le_bytes());
    body.extend(field.words.iter().flat_map(|word| word.to_le_bytes()));
    let mut hash = Fnv::NEW;
    hash.add(&body);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(key.to_le_bytes());
    bytes.extend(hash.0.to_le_bytes());
    bytes.append(&mut body);
    bytes
}

/// None unless it is whole and of that key.
fn decode(bytes: &[u8], key: u64) -> Option<SolidField> {
    let (head, body) = bytes.split_at_checked(HEAD_BYTES)?;
    let mut hash = Fnv::NEW;
    hash.add(body);
    let expected = [&MAGIC[..], &key.to_le_bytes(), &hash.0.to_le_bytes()].concat();
    if head != expected {
        return None;
    }
    let (grid, words) = body.split_at_checked(GRID_BYTES)?;
    let grid: Vec<u32> = words_of(grid).collect();
    let field = SolidField {
        grid: Grid {
            low: Vec3::from_slice(&[0, 1, 2].map(|ix| f32::from_bits(grid[ix]))),
            cell_size: f32::from_bits(grid[3]),
            bricks: UVec3::from_slice(&grid[4..7]),
        },
        words: words_of(words).collect(),
    };
    (field.words.len() == grid[7] as usize).then_some(field)
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let words = bytes.chunks_exact(4);
    words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

/// The file appears whole or not at all.
fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let unfinished: PathBuf = file.with_extension(format!("{}.part", std::process::id()));
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, file));
    if written.is_err() {
        // What is left of it is of no use, and if it cannot go either, that error says less.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// The 64-bit FNV-1a hash: enough against accidents.
struct Fnv(u64);

impl Fnv {
    const NEW: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::test_meshes::TestMesh;

    /// A folder of its own, gone when dropped.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("radial_fields_{name}_{}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }

        fn files(&self) -> Vec<PathBuf> {
            let entries = fs::read_dir(&self.0).expect("it was made");
            entries
                .map(|entry| entry.expect("it can be read").path())
                .collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            // It lies in the folder for what may be lost.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn ball(radius: f32) -> (SolidMesh, Grid) {
        let ball = TestMesh::sphere(Vec3::ONE, radius, 10, 12);
        let mesh = SolidMesh::new(&ball.positions, &ball.triangles).expect("it is a mesh");
        let grid = Grid::with_cells_along(&mesh, 12).expect("it fits");
        (mesh, grid)
    }

    #[test]
    fn a_field_is_filled_once_and_another_mesh_has_its_own() {
        let folder = Folder::new("cache_once");
        let (mesh, grid) = ball(0.3);
        let load = |mesh: &SolidMesh, rule| load_or_fill(&folder.0, mesh, grid, rule);
        let (filled, origin) = load(&mesh, SignRule::Pseudonormal);
        assert!(matches!(origin, Origin::Filled(None)), "{origin:?}");
        let (read, origin) = load(&mesh, SignRule::Pseudonormal);
        assert!(matches!(origin, Origin::Cache), "{origin:?}");
        assert!(read == filled);
        let others = [
            (ball(0.31).0, SignRule::Pseudonormal),
            (mesh, SignRule::Face),
        ];
        for (mesh, rule) in others {
            let (_, origin) = load(&mesh, rule);
            assert!(matches!(origin, Origin::Filled(None)), "{origin:?}");
        }
        assert_eq!(folder.files().len(), 3);
    }

    #[test]
    fn a_damaged_file_is_seen_and_made_anew() {
        let folder = Folder::new("cache_damaged");
        let (mesh, grid) = ball(0.3);
        let load = || load_or_fill(&folder.0, &mesh, grid, SignRule::Pseudonormal);
        let (right, _) = load();
        let file = folder.files().pop().expect("it was written");
        let whole = fs::read(&file).expect("it can be read");
        let mut turned = whole.clone();
        turned[whole.len() / 2] ^= 4;
        let longer = [&whole[..], &[0; 4]].concat();
        for damaged in [
            &whole[..whole.len() - 4],
            &whole[..10],
            &[],
            &turned,
            &longer,
        ] {
            fs::write(&file, damaged).expect("it can be written");
            let (field, origin) = load();
            assert!(matches!(origin, Origin::Refilled(None)), "{origin:?}");
            assert!(field == right);
            assert!(fs::read(&file).expect("it can be read") == whole);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_made_costs_the_field_nothing() {
        let folder = Folder::new("cache_file");
        fs::write(&folder.0, b"a file").expect("it can be written");
        let (mesh, grid) = ball(0.3);
        let (field, origin) = load_or_fill(&folder.0, &mesh, grid, SignRule::Face);
        assert!(matches!(origin, Origin::Filled(Some(_))), "{origin:?}");
        assert!(field == fill(&mesh, grid, SignRule::Face));
        fs::remove_file(&folder.0).expect("it is there");
    }
}
