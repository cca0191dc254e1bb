//! Garments as the GPU holds them: one list of particles, with all that lies beside it.

use std::ops::Range;
use std::sync::Arc;

use super::{
    Cloth, GpuConstraint, GpuPatch, GpuTether, NONE, PATCH_LANES, Particle, TETHERS_PER_PARTICLE,
};
use crate::cloth::constraints::{ConstraintGraph, Kind};
use crate::cloth::garment::Garment;
use crate::cloth::patches::Patch;
use crate::collide::{CandidateGroup, THREADS_PER_EDGES};
use crate::gpu::{Buffer, BufferDesc, Gpu, GpuError, Memory, Uploads};

/// Gathers garments into one list of particles.
#[derive(Default)]
pub struct ClothBuilder {
    pub(in crate::cloth) particles: Vec<Particle>,
    /// The same where cloth meets cloth, whose layers are kept apart by contacts.
    meeting: Vec<Particle>,
    candidates: Vec<CandidateGroup>,
    /// First of the particles at the other end of each particle's edges, and one past the last.
    neighbour_offsets: Vec<u32>,
    neighbours: Vec<u32>,
    pub(in crate::cloth) patches: Vec<GpuPatch>,
    pub(in crate::cloth) patch_particles: Vec<u32>,
    pub(in crate::cloth) constraints: Vec<GpuConstraint>,
    pub(in crate::cloth) tethers: Vec<GpuTether>,
    pub(in crate::cloth) corner_offsets: Vec<u32>,
    pub(in crate::cloth) corners: Vec<[u32; 2]>,
}

/// Where a garment is among all, and on whom.
#[derive(Clone, Copy, Debug)]
pub struct Worn {
    pub garment_ix: u32,
    /// Its first vertex among the skinned vertices.
    pub first_target: u32,
    /// Of the body that wears it, against a person: [`Avatar::size`](crate::avatar::Avatar::size).
    pub size: f32,
}

impl ClothBuilder {
    /// Appends a garment; returns where its particles lie.
    pub fn add(&mut self, garment: &Garment, graph: &ConstraintGraph, worn: Worn) -> Range<u32> {
        self.add_cut(garment, graph, &Patch::cut(graph), worn)
    }

    /// The same for a garment whose patches are cut already.
    pub(crate) fn add_cut(
        &mut self,
        garment: &Garment,
        graph: &ConstraintGraph,
        patches: &[Patch],
        worn: Worn,
    ) -> Range<u32> {
        let first = self.particles.len() as u32;
        let count = garment.mesh.positions.len() as u32;
        let particles = particles(garment, graph, worn);
        self.particles.extend(apart(particles.clone(), garment));
        self.meeting.extend(meeting(particles, garment));
        self.candidates
            .extend(CandidateGroup::of_garment(first..first + count));
        self.add_neighbours(graph, first);
        for patch in patches {
            self.add_patch(patch, worn.garment_ix, first);
        }
        self.add_tethers(graph, first);
        self.add_corners(graph, first);
        first..first + count
    }

    fn add_neighbours(&mut self, graph: &ConstraintGraph, first: u32) {
        for particle in 0..graph.areas.len() as u32 {
            self.neighbour_offsets.push(self.neighbours.len() as u32);
            let edges = graph
                .of(particle)
                .iter()
                .filter(|c| c.kind == Kind::Stretch);
            self.neighbours
                .extend(edges.map(|edge| edge.other_ix + first));
        }
    }

    fn add_patch(&mut self, patch: &Patch, garment_ix: u32, first: u32) {
        let colour_size = patch.colours().map(|colour| colour.len()).max();
        let colour_size = colour_size.unwrap_or(0);
        self.patches.push(GpuPatch {
            first_particle: self.patch_particles.len() as u32,
            owned: patch.owned as u32,
            free: patch.free as u32,
            particle_count: patch.particles.len() as u32,
            first_constraint: self.constraints.len() as u32,
            colour_size: colour_size as u32,
            stretch_colours: patch.stretch_ends.len() as u32,
            bend_colours: patch.bend_ends.len() as u32,
            long_range_colours: patch.long_range_ends.len() as u32,
            garment_ix,
        });
        self.patch_particles
            .extend(patch.particles.iter().map(|ix| ix + first));
        for colour in patch.colours() {
            let end = self.constraints.len() + colour_size;
            let constraints = patch.constraints[colour].iter().map(GpuConstraint::new);
            self.constraints.extend(constraints);
            self.constraints.resize(end, GpuConstraint::NONE);
        }
    }

    fn add_tethers(&mut self, graph: &ConstraintGraph, first: u32) {
        for tethers in &graph.tethers {
            for i in 0..TETHERS_PER_PARTICLE {
                self.tethers.push(match tethers.get(i) {
                    Some(tether) => GpuTether {
                        anchor_ix: tether.anchor_ix + first,
                        max_length: tether.max_length,
                    },
                    None => GpuTether {
                        anchor_ix: NONE,
                        max_length: 0.0,
                    },
                });
            }
        }
    }

    fn add_corners(&mut self, graph: &ConstraintGraph, first: u32) {
        for particle in 0..graph.corner_offsets.len() as u32 - 1 {
            self.corner_offsets.push(self.corners.len() as u32);
            self.corners.extend(
                graph
                    .corners_of(particle)
                    .iter()
                    .map(|pair| pair.map(|other| other + first)),
            );
        }
    }

    /// The offsets hold one past the last.
    pub(in crate::cloth) fn end_lists(&mut self) {
        self.neighbour_offsets.push(self.neighbours.len() as u32);
        self.corner_offsets.push(self.corners.len() as u32);
    }

    /// Uploads the gathered lists.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn build(mut self, gpu: &Arc<Gpu>, uploads: &mut Uploads) -> Result<Cloth, GpuError> {
        self.end_lists();
        gpu.check_count(
            "cloth.particles",
            self.candidates.len() as u32 * CandidateGroup::PARTICLES,
            THREADS_PER_EDGES,
        )?;
        gpu.check_count("cloth.patches", self.patches.len() as u32, PATCH_LANES)?;
        let colours = self.patches.iter().map(GpuPatch::colours).max();
        let colours = colours.unwrap_or(0);
        let bytes = (self.particles.len() * size_of::<[f32; 4]>()) as u64;
        let of_device = |label, bytes| BufferDesc {
            label,
            bytes,
            memory: Memory::Device,
        };
        let multipliers = of_device("cloth.multipliers", 4 * self.constraints.len() as u64);
        let state = |label| Buffer::new(gpu, &of_device(label, bytes));
        Ok(Cloth {
            particle_count: self.particles.len() as u32,
            particles: uploads.buffer("cloth.particles", &self.particles)?,
            meeting_particles: match holds_alike(&self.particles, &self.meeting) {
                true => None,
                false => Some(uploads.buffer("cloth.meeting_particles", &self.meeting)?),
            },
            meets_cloth: false,
            current: [state("cloth.current[0]")?, state("cloth.current[1]")?],
            newest_current: 0,
            predicted: [state("cloth.predicted[0]")?, state("cloth.predicted[1]")?],
            newest: 0,
            shown: [
                uploads.zeros("cloth.shown[0]", bytes)?,
                uploads.zeros("cloth.shown[1]", bytes)?,
            ],
            shown_current: 0,
            normals: uploads.zeros("cloth.normals", bytes)?,
            contacts: uploads.zeros("cloth.contacts", bytes)?,
            path_starts: state("cloth.path_starts")?,
            candidates: uploads.buffer("cloth.candidates", &self.candidates)?,
            group_count: self.candidates.len() as u32,
            neighbour_offsets: uploads
                .buffer("cloth.neighbour_offsets", &self.neighbour_offsets)?,
            neighbours: uploads.buffer("cloth.neighbours", &self.neighbours)?,
            patch_count: self.patches.len() as u32,
            colours: colours as usize,
            patches: uploads.buffer("cloth.patches", &self.patches)?,
            patch_particles: uploads.buffer("cloth.patch_particles", &self.patch_particles)?,
            constraints: uploads.buffer("cloth.constraints", &self.constraints)?,
            multipliers: Buffer::new(gpu, &multipliers)?,
            attachment_multipliers: state("cloth.attachment_multipliers")?,
            tethers: uploads.buffer("cloth.tethers", &self.tethers)?,
            corner_offsets: uploads.buffer("cloth.corner_offsets", &self.corner_offsets)?,
            corners: uploads.buffer("cloth.corners", &self.corners)?,
        })
    }
}

/// How many times as softly a covered particle is attached where cloth meets cloth. Usually 10: with 1 cloth beneath a coat is stretched twice as much,
/// with 100 a top slips out between limbs.
const SOFTER: f32 = 10.0;

fn particles(garment: &Garment, graph: &ConstraintGraph, worn: Worn) -> Vec<Particle> {
    let count = garment.mesh.positions.len();
    let particles = (0..count).map(|ix| particle(garment, graph, ix, worn));
    let mut particles: Vec<_> = particles.collect();
    for attachment in &garment.attachments {
        particles[attachment.particle_ix as usize].attachment_compliance = attachment.compliance;
    }
    particles
}

/// Particles of a world whose cloth does not meet cloth.
fn apart(mut particles: Vec<Particle>, garment: &Garment) -> Vec<Particle> {
    for (&ix, layered) in &garment.layered {
        let particle = &mut particles[ix as usize];
        if layered.is_attached() {
            particle.attachment_compliance = layered.compliance;
        }
        particle.max_distance = particle.max_distance.min(layered.max_distance);
        particle.clearance = particle.clearance.max(layered.clearance);
        // The ball's back stays where it is.
        let nearer = (particle.backstop_distance - layered.backstop_distance).max(0.0);
        particle.backstop_distance -= nearer;
        particle.backstop_radius += nearer;
    }
    particles
}

/// Particles of a world whose cloth meets cloth.
fn meeting(mut particles: Vec<Particle>, garment: &Garment) -> Vec<Particle> {
    for (&ix, layered) in &garment.layered {
        if layered.is_attached() {
            particles[ix as usize].attachment_compliance = layered.compliance * SOFTER;
        }
    }
    particles
}

fn holds_alike(a: &[Particle], b: &[Particle]) -> bool {
    bytemuck::cast_slice::<_, u8>(a) == bytemuck::cast_slice::<_, u8>(b)
}

fn particle(garment: &Garment, graph: &ConstraintGraph, ix: usize, worn: Worn) -> Particle {
    let motion = garment.motion.get(ix).copied().unwrap_or_default();
    Particle {
        area: graph.areas[ix],
        attachment_compliance: -1.0,
        garment_ix: worn.garment_ix,
        clearance: garment.clearances.get(ix).copied().unwrap_or(0.0),
        target_ix: worn.first_target + ix as u32,
        max_distance: motion.max_distance,
        backstop_distance: motion.backstop_distance,
        backstop_radius: motion.backstop_radius,
        size: worn.size,
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;
    use crate::cloth::garment::{Layered, level_sheet};

    const BARE: Particle = Particle {
        area: 1.0,
        attachment_compliance: -1.0,
        garment_ix: 0,
        clearance: 0.01,
        target_ix: 0,
        max_distance: 0.1,
        backstop_distance: 0.02,
        backstop_radius: 0.03,
        size: 1.0,
    };

    /// A particle of a garment with something in it, in a world whose cloth does not meet cloth and in one whose does.
    fn layered(layered: Layered) -> [Particle; 2] {
        let mut garment = level_sheet("sheet", Vec3::ZERO, Vec2::ONE, 100);
        garment.layered.insert(0, layered);
        [apart, meeting].map(|held| held(vec![BARE], &garment)[0])
    }

    #[test]
    fn layers_are_held_apart_where_cloth_does_not_meet_cloth() {
        let [apart, meeting] = layered(Layered {
            compliance: 0.2,
            max_distance: 0.01,
            clearance: 0.04,
            backstop_distance: 0.005,
        });
        assert_eq!(apart.attachment_compliance, 0.2);
        assert_eq!((apart.max_distance, apart.clearance), (0.01, 0.04));
        assert_eq!(apart.backstop_distance, 0.005);
        assert!((apart.backstop_radius - 0.045).abs() < 1e-6);
        assert_eq!(meeting.attachment_compliance, 0.2 * SOFTER);
        let held = [
            meeting.max_distance,
            meeting.clearance,
            meeting.backstop_distance,
        ];
        assert_eq!(held, [0.1, 0.01, 0.02]);
        assert_eq!(meeting.backstop_radius, 0.03);
    }

    #[test]
    fn what_holds_a_layer_is_not_negative_and_a_number() {
        assert!(Layered::FREE.is_valid());
        for wrong in [-0.01, f32::NAN] {
            let mut layers = [Layered::FREE; 4];
            layers[0].compliance = wrong;
            layers[1].max_distance = wrong;
            layers[2].clearance = wrong;
            layers[3].backstop_distance = wrong;
            assert!(!layers.iter().any(Layered::is_valid), "{wrong}");
        }
        let endless = Layered {
            clearance: f32::INFINITY,
            ..Layered::FREE
        };
        assert!(!endless.is_valid());
    }

    #[test]
    fn a_layer_that_nothing_holds_is_left_as_it_is() {
        assert!(
            layered(Layered::FREE)
                .iter()
                .all(|held| holds_alike(&[*held], &[BARE]))
        );
        let looser = layered(Layered {
            max_distance: 0.5,
            clearance: 0.001,
            backstop_distance: 0.05,
            ..Layered::FREE
        });
        assert!(looser.iter().all(|held| holds_alike(&[*held], &[BARE])));
    }
}
