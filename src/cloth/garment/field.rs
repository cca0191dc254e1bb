//! A scalar field sampled on a regular grid.

use glam::{UVec3, Vec3};
use rayon::prelude::*;

/// Where the samples of a [`Field`] are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid {
    /// Position of sample (0, 0, 0).
    pub origin: Vec3,
    /// Distance between neighbouring samples, metres.
    pub cell: f32,
    /// Samples along each axis, at least 2.
    pub counts: UVec3,
}

impl Grid {
    /// A grid over a box, symmetric about its middle.
    pub fn over(min: Vec3, max: Vec3, cell: f32) -> Self {
        let counts = ((max - min) / cell).ceil().max(Vec3::ONE).as_uvec3() + UVec3::ONE;
        let origin = 0.5 * (min + max) - 0.5 * cell * (counts - UVec3::ONE).as_vec3();
        Self {
            origin,
            cell,
            counts,
        }
    }

    pub fn position(&self, x: u32, y: u32, z: u32) -> Vec3 {
        self.origin + self.cell * UVec3::new(x, y, z).as_vec3()
    }

    /// The position of the sample of that number.
    pub fn position_of(&self, sample_ix: usize) -> Vec3 {
        let (nx, ny) = (self.counts.x as usize, self.counts.y as usize);
        self.position(
            (sample_ix % nx) as u32,
            (sample_ix / nx % ny) as u32,
            (sample_ix / (nx * ny)) as u32,
        )
    }

    pub fn index(&self, x: u32, y: u32, z: u32) -> usize {
        ((z * self.counts.y + y) * self.counts.x + x) as usize
    }

    pub fn sample_count(&self) -> usize {
        (self.counts.x * self.counts.y * self.counts.z) as usize
    }
}

/// One number a sample, x running fastest, then y, then z.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub grid: Grid,
    pub values: Vec<f32>,
}

impl Field {
    /// Evaluates a function of the sample's index and position at every sample.
    pub fn from_fn(grid: Grid, value: impl Fn(usize, Vec3) -> f32 + Sync) -> Self {
        let row = grid.counts.x as usize;
        let mut values = vec![0.0; grid.sample_count()];
        values
            .par_chunks_mut(row)
            .enumerate()
            .for_each(|(row_ix, out)| {
                let (y, z) = (row_ix as u32 % grid.counts.y, row_ix as u32 / grid.counts.y);
                for (x, out) in out.iter_mut().enumerate() {
                    *out = value(row_ix * row + x, grid.position(x as u32, y, z));
                }
            });
        Self { grid, values }
    }

    /// The field at any point, linear between samples; the nearest sample's outside the grid.
    pub fn sample(&self, position: Vec3) -> f32 {
        let top = (self.grid.counts - UVec3::ONE).as_vec3();
        let at = ((position - self.grid.origin) / self.grid.cell).clamp(Vec3::ZERO, top);
        let base = at.floor().min(top - Vec3::ONE);
        let part = at - base;
        let corner = base.as_uvec3();
        let value =
            |dx, dy, dz| self.values[self.grid.index(corner.x + dx, corner.y + dy, corner.z + dz)];
        let lerp = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let along_x = |dy, dz| lerp(value(0, dy, dz), value(1, dy, dz), part.x);
        let along_y = |dz| lerp(along_x(0, dz), along_x(1, dz), part.y);
        lerp(along_y(0), along_y(1), part.z)
    }

    /// The same with nothing outside the grid, where the value is the distance to it at least.
    pub fn sample_within(&self, position: Vec3) -> f32 {
        let last = (self.grid.counts - UVec3::ONE).as_vec3() * self.grid.cell;
        let nearest = position.clamp(self.grid.origin, self.grid.origin + last);
        self.sample(position).max(position.distance(nearest))
    }

    /// Blurs with the kernel 1 2 1 along each axis.
    pub fn blurred(mut self) -> Self {
        let counts = self.grid.counts;
        let strides = [1, counts.x as usize, (counts.x * counts.y) as usize];
        for (axis, stride) in strides.into_iter().enumerate() {
            let length = counts[axis] as usize;
            let old = &self.values;
            let blurred = (0..old.len()).into_par_iter().map(|ix| {
                let at = ix / stride % length;
                let before = if at > 0 { old[ix - stride] } else { old[ix] };
                let after = if at + 1 < length {
                    old[ix + stride]
                } else {
                    old[ix]
                };
                0.25 * before + 0.5 * old[ix] + 0.25 * after
            });
            self.values = blurred.collect();
        }
        self
    }
}

/// The smaller of two fields, rounded over a width of `blend` where they cross (Quilez' polynomial smooth minimum).
pub(super) fn smooth_min(a: f32, b: f32, blend: f32) -> f32 {
    let overlap = (blend - (a - b).abs()).max(0.0) / blend;
    a.min(b) - 0.25 * overlap * overlap * blend
}

/// 0 below `from`, 1 above `to`, smooth in between.
pub(super) fn smooth_step(from: f32, to: f32, at: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
