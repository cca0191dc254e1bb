//! The body while it is being made: polygons with a region each, before it becomes a skinned triangle mesh.

use crate::avatar::resample::Stencil;
use glam::Vec3;

/// What a face shows. The order is that of the finished avatar's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Region {
    Skin,
    Lips,
    Lash,
    /// With the iris, which is painted on.
    EyeWhite,
    Brow,
    Hair,
    Cloth,
}

impl Region {
    pub const ALL: [Self; 7] = [
        Self::Skin,
        Self::Lips,
        Self::Lash,
        Self::EyeWhite,
        Self::Brow,
        Self::Hair,
        Self::Cloth,
    ];
}

/// A polygon mesh whose vertices remember the base mesh's vertices they take their weights from.
pub struct Surface {
    pub positions: Vec<Vec3>,
    /// Counter-clockwise from outside.
    pub faces: Vec<Vec<u32>>,
    /// One per face.
    pub regions: Vec<Region>,
    /// For each vertex the base mesh's vertices whose weights it blends.
    pub sources: Vec<Stencil>,
}

impl Surface {
    /// All skin, each vertex its own source.
    pub fn new(positions: Vec<Vec3>, faces: Vec<Vec<u32>>) -> Self {
        let sources = (0..positions.len() as u32)
            .map(|ix| vec![(ix, 1.0)])
            .collect();
        Self {
            regions: vec![Region::Skin; faces.len()],
            positions,
            faces,
            sources,
        }
    }

    /// Adds a vertex that moves like the mean of `like`, vertices of the base mesh, and returns its index.
    pub fn add_vertex(&mut self, position: Vec3, like: &[u32]) -> u32 {
        self.positions.push(position);
        self.sources.push(
            like.iter()
                .map(|&ix| (ix, 1.0 / like.len() as f32))
                .collect(),
        );
        self.positions.len() as u32 - 1
    }

    pub fn add_face(&mut self, face: Vec<u32>, region: Region) {
        self.faces.push(face);
        self.regions.push(region);
    }

    /// Drops faces by index; their vertices stay.
    pub fn remove_faces(&mut self, face_ixs: &[usize]) {
        let mut is_kept = vec![true; self.faces.len()];
        face_ixs.iter().for_each(|&ix| is_kept[ix] = false);
        let mut at = is_kept.iter();
        self.faces.retain(|_| *at.next().unwrap_or(&true));
        let mut at = is_kept.iter();
        self.regions.retain(|_| *at.next().unwrap_or(&true));
    }

    /// Drops vertices that no face uses and renumbers the rest.
    pub fn drop_loose_vertices(&mut self) {
        let mut kept: Vec<u32> = self.faces.iter().flatten().copied().collect();
        kept.sort_unstable();
        kept.dedup();
        let mut new_ix = vec![u32::MAX; self.positions.len()];
        kept.iter()
            .zip(0..)
            .for_each(|(&ix, counter)| new_ix[ix as usize] = counter);
        self.faces
            .iter_mut()
            .flatten()
            .for_each(|ix| *ix = new_ix[*ix as usize]);
        self.positions = kept.iter().map(|&ix| self.positions[ix as usize]).collect();
        self.sources = kept
            .iter()
            .map(|&ix| self.sources[ix as usize].clone())
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loose_vertices_go_and_sources_stay() {
        let mut surface = Surface::new(vec![Vec3::ZERO; 5], vec![vec![0, 1, 2], vec![4, 3, 2]]);
        let added = surface.add_vertex(Vec3::ONE, &[3, 4]);
        surface.add_face(vec![4, 2, added], Region::Lips);
        surface.remove_faces(&[0]);
        surface.drop_loose_vertices();
        assert_eq!(surface.faces, [vec![2, 1, 0], vec![2, 0, 3]]);
        assert_eq!(surface.regions, [Region::Skin, Region::Lips]);
        assert_eq!(surface.sources[3], [(3, 0.5), (4, 0.5)]);
        assert_eq!(surface.positions[3], Vec3::ONE);
    }
}
