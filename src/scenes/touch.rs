//! Whether clothes touch whom they are for: cloth that fell past its character is nowhere inside it, and scores as perfect.

use glam::Vec3;
use rayon::prelude::*;

use crate::math::triangle_tree::TriangleTree;

/// A garment in some frame.
#[derive(Clone, Copy, Debug)]
pub struct Worn<'a> {
    pub name: &'a str,
    /// Its particles, in the world.
    pub particles: &'a [Vec3],
}

/// What to tell of garments that have no particle within `reach` metres of the skin.
///
/// `body`: the skinned vertices of the same frame, in the world.
pub fn untouched(
    body: &[Vec3],
    triangles: &[[u32; 3]],
    garments: &[Worn],
    reach: f64,
) -> Vec<String> {
    let tree = TriangleTree::new(body, triangles);
    let is_near = |p: &Vec3| tree.nearest_point(p.as_dvec3(), reach).is_some();
    let away = |garment: &&Worn| !garment.particles.par_iter().any(is_near);
    let distance = |garment: &Worn| {
        let nearest = |p: &Vec3| tree.nearest_point(p.as_dvec3(), f64::INFINITY);
        let nearest: Vec<_> = garment.particles.par_iter().filter_map(nearest).collect();
        let distances = nearest.iter().map(|nearest| nearest.distance);
        distances.fold(f64::INFINITY, f64::min)
    };
    let tell = |garment: &Worn| {
        format!(
            "the {} touches nothing: in the last frame it is {:.2} m from the skin, so its figures say nothing",
            garment.name,
            distance(garment)
        )
    };
    garments.iter().filter(away).map(tell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cloth_that_lies_beside_its_character_is_told_and_cloth_on_it_is_not() {
        let body = [Vec3::ZERO, Vec3::X, Vec3::Z];
        let (on, beside) = ([Vec3::new(0.2, 0.01, 0.2)], [Vec3::new(0.2, -1.5, 0.2)]);
        let garments = [
            Worn {
                name: "cape",
                particles: &on,
            },
            Worn {
                name: "sheet",
                particles: &beside,
            },
        ];
        let told = untouched(&body, &[[0, 1, 2]], &garments, 0.02);
        assert_eq!(told.len(), 1);
        assert!(
            told[0].contains("sheet touches nothing") && told[0].contains("1.50 m"),
            "{told:?}"
        );
        assert!(untouched(&body, &[[0, 1, 2]], &[], 0.02).is_empty());
    }
}
