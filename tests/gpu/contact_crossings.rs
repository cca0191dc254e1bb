//! Where edges go through triangles when a step begins: against every pair, in `f64`.

use std::sync::Arc;

use glam::DVec3;
use radial_fields::cloth::contacts::{INDEX, MAX_NEAR, NEAR_WORDS, NOTHING};
use radial_fields::engine::Device;

use crate::contact_candidates::Clouds;
use crate::fixture::with_device;

/// Metres from a triangle's plane and outline: nearer than that, `f32` may see it otherwise.
const DOUBT: f64 = 1e-5;

/// Metres: of triangles that are not as high `f32` knows no plane.
const LEAST_HEIGHT: f64 = 2e-3;

const STEPS: usize = 24;

#[test]
fn every_crossing_is_found_and_nothing_else() {
    with_device(|device| found(device).expect("all are found"));
}

/// Of two clouds of slivers.
pub fn found(device: &Arc<Device>) -> Result<(), String> {
    let mut clouds = Clouds::of_slivers(device);
    clouds.step(true);
    let (mut crossed, mut passed_by) = (0, 0);
    for step in 0..STEPS {
        let (before, starts) = (clouds.rig.current(), clouds.places());
        clouds.step(false);
        let after = clouds.rig.current();
        let lists = clouds.crossings();
        // What goes home goes through everything.
        let is_astray = |ix: u32| before[ix as usize].w != 0.0 || after[ix as usize].w != 0.0;
        let at = |ix: u32| starts[ix as usize];
        let edges = clouds.surface.edges.iter().zip(lists.chunks(NEAR_WORDS));
        for (edge, list) in edges.filter(|(edge, _)| edge.ends[0] != NOTHING) {
            let found: Vec<_> = (list[1..=list[0] as usize].iter())
                .map(|id| id & INDEX)
                .collect();
            for (place, ix) in found.iter().enumerate() {
                let corners = clouds.surface.triangles[*ix as usize];
                let is_neighbour = corners.iter().any(|corner| edge.ends.contains(corner));
                if corners[0] == NOTHING || is_neighbour || found[..place].contains(ix) {
                    return Err(format!("step {step}: {:?} lists {found:?}", edge.ends));
                }
            }
            if found.len() == MAX_NEAR || edge.ends.into_iter().any(is_astray) {
                continue;
            }
            for (ix, corners) in clouds.surface.triangles.iter().enumerate() {
                let is_none = corners[0] == NOTHING || corners.iter().any(|&ix| is_astray(ix));
                if is_none || corners.iter().any(|corner| edge.ends.contains(corner)) {
                    continue;
                }
                let is_found = found.contains(&(ix as u32));
                match crosses(edge.ends.map(at), corners.map(at)) {
                    Some(expected) if expected != is_found => {
                        return Err(format!(
                            "step {step}: {:?} through {corners:?}: {is_found}",
                            edge.ends
                        ));
                    }
                    Some(true) => crossed += 1,
                    Some(false) => passed_by += 1,
                    None => {}
                }
            }
        }
    }
    println!("{crossed} crossings, {passed_by} none");
    match crossed > 500 {
        true => Ok(()),
        false => Err(format!("{crossed} crossings")),
    }
}

/// Whether an edge goes through a triangle; none where it is in doubt.
fn crosses([p, q]: [DVec3; 2], corners: [DVec3; 3]) -> Option<bool> {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let size = normal.length();
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let height = size / longest;
    if height < LEAST_HEIGHT {
        return None;
    }
    let (before, behind) = (normal.dot(p - a) / size, normal.dot(q - a) / size);
    if before.abs().min(behind.abs()) < DOUBT {
        return None;
    }
    if before * behind > 0.0 {
        return Some(false);
    }
    let at = p.lerp(q, before / (before - behind));
    let shares = [(b, c), (c, a), (a, b)]
        .map(|(from, to)| normal.dot((to - from).cross(at - from)) / (size * size));
    let least = height * shares.into_iter().fold(f64::MAX, f64::min);
    // Of an edge that lies flat the place where it goes through is known less well.
    let doubt = DOUBT * (1.0 + p.distance(q) / (before - behind).abs());
    (least.abs() > doubt).then_some(least > 0.0)
}

/// What is listed in several steps for clouds that fly and for slivers, and where their particles end up.
#[cfg(feature = "shader_compiler")]
pub fn lists_of_clouds(device: &Arc<Device>) -> Vec<u32> {
    let mut words = Vec::new();
    for mut clouds in [Clouds::new(device, 0, 0.0), Clouds::of_slivers(device)] {
        for step in 0..STEPS {
            clouds.step(step == 0);
            let particles = clouds.rig.current();
            for lists in [clouds.near(particles.len()), clouds.crossings()] {
                for list in lists.chunks(NEAR_WORDS) {
                    words.extend(&list[..=list[0] as usize]);
                }
            }
            let bits = particles
                .iter()
                .flat_map(|at| at.to_array().map(f32::to_bits));
            words.extend(bits);
        }
    }
    words
}
