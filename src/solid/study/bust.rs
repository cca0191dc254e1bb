//! A bust of our own, as smooth and as large as the paper's: what stands in where no scanned mesh can be had.

use glam::Vec3;

use super::triangulated;
use crate::math::isosurface::Isosurface;

/// A part of the bust: an ellipsoid with its middle and its half axes in metres, or one that is taken away.
struct Part {
    middle: [f32; 3],
    half: [f32; 3],
    carved: bool,
}

const fn part(middle: [f32; 3], half: [f32; 3]) -> Part {
    Part {
        middle,
        half,
        carved: false,
    }
}

const fn hollow(middle: [f32; 3], half: [f32; 3]) -> Part {
    Part {
        middle,
        half,
        carved: true,
    }
}

/// Facing +Z. Those off the middle plane come in pairs.
const PARTS: [Part; 12] = [
    part([0.0, 0.34, 0.0], [0.075, 0.1, 0.092]),      // skull
    part([0.0, 0.28, 0.03], [0.056, 0.066, 0.06]),    // jaw
    part([0.0, 0.3, 0.095], [0.012, 0.03, 0.02]),     // nose
    part([0.028, 0.305, 0.07], [0.02, 0.012, 0.014]), // cheeks
    part([0.0, 0.245, 0.085], [0.018, 0.012, 0.012]), // chin
    part([0.0, 0.2, -0.01], [0.05, 0.1, 0.052]),      // neck
    part([0.0, 0.07, -0.01], [0.15, 0.09, 0.085]),    // chest
    part([0.12, 0.1, -0.02], [0.06, 0.05, 0.06]),     // shoulders
    part([0.081, 0.31, -0.005], [0.012, 0.03, 0.02]), // ears
    hollow([0.095, 0.31, 0.004], [0.008, 0.017, 0.01]), // and what is hollow in them
    hollow([0.027, 0.325, 0.09], [0.016, 0.01, 0.014]), // eyes
    hollow([0.0, 0.268, 0.103], [0.022, 0.004, 0.012]), // mouth
];

/// Metres over which parts grow together.
const BLEND: f32 = 0.012;

/// Where the bust is cut off below, metres.
const BASE: f32 = 0.0;

/// The box that it is triangulated in.
const LOW: Vec3 = Vec3::new(-0.2, -0.02, -0.12);
const HIGH: Vec3 = Vec3::new(0.2, 0.46, 0.14);

/// A closed mesh 44 cm tall in triangles of about `edge` metres: 3 mm give some 293,000.
pub fn bust(edge: f32) -> Isosurface {
    triangulated(height_above, [LOW, HIGH], edge)
}

/// Below zero inside: about the distance, near the surface.
fn height_above(point: Vec3) -> f32 {
    let mirrored = Vec3::new(point.x.abs(), point.y, point.z);
    let whole = PARTS.iter().fold(1.0, |height: f32, part| {
        let own = height_above_part(mirrored, part);
        match part.carved {
            false => smooth_min(height, own),
            true => -smooth_min(-height, own),
        }
    });
    -smooth_min(-whole, point.y - BASE)
}

fn height_above_part(point: Vec3, part: &Part) -> f32 {
    let half = Vec3::from(part.half);
    let scaled = (point - Vec3::from(part.middle)) / half;
    let slope = (scaled / half).length();
    let length = scaled.length();
    // First order: the value over the length of its gradient.
    if slope > 0.0 {
        length * (length - 1.0) / slope
    } else {
        -half.min_element()
    }
}

/// The smaller of two, rounded over [`BLEND`] where they cross (Quilez' polynomial smooth minimum).
fn smooth_min(a: f32, b: f32) -> f32 {
    let overlap = (BLEND - (a - b).abs()).max(0.0) / BLEND;
    a.min(b) - 0.25 * overlap * overlap * BLEND
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::SolidMesh;

    #[test]
    fn it_is_closed_and_as_tall_as_the_papers() {
        let bust = bust(0.006);
        let mesh = SolidMesh::new(&bust.positions, &bust.triangles).expect("it is a mesh");
        assert!(mesh.faults().is_closed(), "{:?}", mesh.faults());
        let size = mesh.bounds().size();
        assert!((size.y - 0.44).abs() < 0.02, "{size}");
        let parts: Vec<u32> = (0..mesh.positions().len() as u32).collect();
        assert_eq!(
            crate::math::connected::connected(mesh.triangles(), &parts).len(),
            1
        );
    }
}
