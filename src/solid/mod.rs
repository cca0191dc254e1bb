//! Rigid solids: a signed distance field of any triangle mesh, which cloth then lies on, whatever the mesh's triangle count.
//!
//! After Fuhrmann, Sobottka and Gross, "Distance Fields for Rapid Collision Detection in Physically Based Modeling", 2003. A mesh is
//! checked ([`SolidMesh`]), a [grid] is laid round it, and every sample of the grid within the [band](BAND_CELLS) holds the distance
//! to the mesh and on which side it lies ([`sign`] has three rules). The field is read by trilinear interpolation between eight
//! samples; its direction is the gradient of that.
//!
//! Unlike the paper's, the grid is sparse: a coarse dense level of bricks of 7³ cells, of which only those that the band touches hold
//! samples, 8³ of 16 bits each ([`field`]). The others, and what is deeper than the band, answer from the distances at the
//! corners of bricks, so that a particle anywhere in the grid learns its side and a way out.
//!
//! Two ways to fill the samples give the same field. [`fill`] looks up the nearest triangle of each in a tree, in f64 on the CPU: the
//! reference, and what is kept on disk. [`gpu`] does so on the device, by tree or as the paper does, triangle by triangle.
//!
//! ```
//! use radial_fields::glam::Vec3;
//! use radial_fields::solid::{Grid, SignRule, SolidMesh, fill::fill};
//!
//! // A tetrahedron of half a metre.
//! let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|corner| 0.5 * corner);
//! let mesh = SolidMesh::new(&positions, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
//! let field = fill(&mesh, Grid::over(&mesh, 0.02).unwrap(), SignRule::for_mesh(&mesh));
//! let near = field.sample(Vec3::new(0.1, -0.03, 0.1)).unwrap();
//! assert!((near.distance - 0.03).abs() < 1e-3 && near.gradient.y < -0.99);
//! ```
//!
//! A field is made once and does not follow a mesh that deforms. Beyond the band its distance is coarse: right to some cells.

pub mod cache;
mod crossings;
pub mod field;
pub mod fill;
pub mod gpu;
pub mod grid;
mod material;
mod mesh;
mod normals;
#[cfg(feature = "engine")]
mod placed;
mod shape;
pub mod sign;
#[cfg(feature = "reference")]
pub mod study;

pub use field::{FieldHeader, FieldSample, SolidField};
pub use gpu::SolidFields;
pub use grid::{BRICK_CELLS, BRICK_SIDE, Grid, GridError};
pub use material::{MaterialError, SolidMaterial};
pub use mesh::{MeshFaults, SolidMesh, SolidMeshError};
pub use normals::Pseudonormals;
#[cfg(feature = "engine")]
pub use placed::{PlacedProp, PropShape};
pub use shape::{GpuSolid, ShapeError, SolidShape};
pub use sign::SignRule;

/// Cells from the mesh within which samples hold distances. Usually 3 to 5: a point is known to the fine level where all eight samples
/// round it are within, so that 2.2 cells of depth are sure with 4. Fewer leave more to the coarse level, more cost time by about
/// the cube in the paper's filler and a coarser [quantum](Grid::quantum).
pub const BAND_CELLS: f32 = 4.0;

/// Cells by which two triangles may differ in distance and count as equally near; the one that stands first in the mesh then decides
/// on the side. The paper's tolerance (section 3), against "spongiform wedges" along edges. Usually 1e-4: well above the
/// rounding of f32, 1e-6 at usual distances; above 1e-2 the side of a sample is taken from a triangle that is not nearest.
pub const TIE_CELLS: f32 = 1e-4;
