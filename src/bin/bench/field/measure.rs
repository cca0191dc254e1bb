//! One field, filled in every way, timed and judged.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use radial_fields::engine::{Device, Immediate};
use radial_fields::gpu::Uploads;
use radial_fields::math::triangle_tree::TriangleTree;
use radial_fields::solid::fill::Filler;
use radial_fields::solid::gpu::{Envelope, FieldFill, FillMethod, FillPipelines, FillSettings};
use radial_fields::solid::study::{
    Deviation, WrongSigns, deviation, examined_points, reconstruct, wrong_signs,
};
use radial_fields::solid::{BAND_CELLS, Grid, SignRule, SolidField, SolidFields};
use radial_fields::stage::Stage;

use super::mesh::NamedMesh;
use crate::cli::FieldFlags;

/// How fields are filled on the device, with the names of columns.
pub const METHODS: [(&str, FillMethod); 3] = [
    ("search", FillMethod::Search),
    ("splat", FillMethod::Splat(Envelope::Ball)),
    ("prism", FillMethod::Splat(Envelope::Prism)),
];

/// Samples of a slice while times are taken: all in one frame is what a loader does.
const BUDGET: u64 = 1 << 26;

/// The most samples whose sign is judged; of more, every n-th.
const MAX_JUDGED: usize = 2_000_000;

/// What is measured with.
pub struct Bench<'a> {
    immediate: Immediate,
    pipelines: FillPipelines,
    flags: &'a FieldFlags,
}

/// A mesh at one resolution.
pub struct Row {
    pub mesh: String,
    /// With those that have no area.
    pub triangles: usize,
    pub is_closed: bool,
    /// Cells along the mesh's longest side.
    pub cells: u32,
    /// Samples each way, with those of the band and of whole bricks.
    pub samples: [u32; 3],
    pub cell_mm: f64,
    /// Bricks with samples.
    pub bricks: usize,
    /// Bytes of the field.
    pub bytes: u64,
    /// Seconds of the CPU before the device can start: tree, normals, bricks.
    pub prepare_s: f64,
    /// Seconds of the device, in the order of [`METHODS`]: by its own clock, or by ours where it has none.
    pub device_s: [f64; 3],
    /// Seconds of the f64 reference on the CPU, if it was asked for.
    pub reference_s: Option<f64>,
    /// Points in the boxes of prisms, of the band's reach and of one cell's diagonal (the paper's δ = 1).
    pub examined: [u64; 2],
    /// Mesh to the field's surface, and back, metres.
    pub errors: [Deviation; 2],
    /// In the order of [`SignRule::ALL`].
    pub wrong: [WrongSigns; 3],
}

impl Row {
    /// A closed mesh has no wrong sign by the rules that see neighbours or windings. One that cuts through itself may have some by the first.
    pub fn is_sound(&self) -> bool {
        !self.is_closed || self.wrong[2].wrong == 0
    }
}

impl<'a> Bench<'a> {
    pub fn new(device: &Arc<Device>, flags: &'a FieldFlags) -> anyhow::Result<Self> {
        let immediate = Immediate::new(device)?;
        let pipelines = FillPipelines::new(immediate.gpu())?;
        Ok(Self {
            immediate,
            pipelines,
            flags,
        })
    }

    /// Fills, times and judges.
    pub fn measure(&mut self, named: &NamedMesh, cells: u32) -> anyhow::Result<Row> {
        let mesh = &named.mesh;
        let grid = Grid::with_cells_along(mesh, cells)
            .with_context(|| format!("{}, {cells} cells along", named.name))?;
        let rule = SignRule::for_mesh(mesh);
        let began = Instant::now();
        let filler = Filler::new(mesh, grid, rule);
        let prepare_s = began.elapsed().as_secs_f64();
        let limit = self.immediate.gpu().limits.max_storage_buffer_range;
        SolidField::check_bytes(&grid, &filler.bricks, limit.into())?;
        let mut device_s = [0.0; 3];
        let mut field = None;
        for (ix, (_, method)) in METHODS.into_iter().enumerate() {
            let (filled, seconds) = self.fill(&filler, method)?;
            device_s[ix] = seconds;
            field.get_or_insert(filled);
        }
        let field = field.expect("there are methods");
        let reference_s = self.flags.reference.then(|| {
            let began = Instant::now();
            filler.fill();
            began.elapsed().as_secs_f64()
        });
        let examined = [BAND_CELLS, 3_f32.sqrt()].map(|reach| {
            let mesh = &filler.mesh;
            examined_points(&mesh.positions, &mesh.triangles, Envelope::Prism, reach)
        });
        Ok(Row {
            mesh: named.name.clone(),
            triangles: mesh.triangles().len() + mesh.faults().flat_triangles,
            is_closed: mesh.faults().is_closed(),
            cells,
            samples: grid.samples().to_array(),
            cell_mm: f64::from(grid.cell_size) * 1e3,
            bricks: field.brick_count(),
            bytes: 4 * field.words.len() as u64,
            prepare_s,
            device_s,
            reference_s,
            examined,
            errors: self.errors(named, &field),
            wrong: self.wrong(named, grid, &field, filler)?,
        })
    }

    /// The field as the device fills it, and its seconds.
    fn fill(&mut self, filler: &Filler, method: FillMethod) -> anyhow::Result<(SolidField, f64)> {
        let gpu = Arc::clone(self.immediate.gpu());
        let mut uploads = Uploads::new(&gpu);
        let mut field = filler.unfilled();
        let fields = SolidFields::upload(&mut uploads, &[&field])?;
        let mut fill = FieldFill::new(
            &gpu,
            &mut uploads,
            filler,
            fields.header(0),
            FillSettings::new(method),
        )?;
        self.immediate.upload(uploads)?;
        let (began, mut timed_ms) = (Instant::now(), Some(0.0));
        while !fill.is_done() {
            let times = self.immediate.run(|recorder| {
                recorder.stage(Stage::CollideUpdate, |recorder| {
                    fill.record_slice(recorder, &self.pipelines, &fields, BUDGET);
                });
            })?;
            let stage = times.stages[Stage::CollideUpdate as usize];
            timed_ms = timed_ms.zip(stage).map(|(sum, ms)| sum + f64::from(ms));
        }
        let waited_s = began.elapsed().as_secs_f64();
        field.words = self.immediate.read(fields.words(), field.words.len())?;
        // Software devices tell no time of compute.
        let seconds = timed_ms
            .map(|ms| ms * 1e-3)
            .filter(|&s| s > 0.01 * waited_s);
        Ok((field, seconds.unwrap_or(waited_s)))
    }

    /// How far the mesh lies from the surface of its field, and that from the mesh.
    fn errors(&self, named: &NamedMesh, field: &SolidField) -> [Deviation; 2] {
        let (mesh, surface) = (&named.mesh, reconstruct(field));
        let tree = TriangleTree::new(&surface.positions, &surface.triangles);
        let forward = deviation(mesh.positions(), mesh.triangles(), &tree, self.flags.points);
        let tree = TriangleTree::new(mesh.positions(), mesh.triangles());
        let back = deviation(
            &surface.positions,
            &surface.triangles,
            &tree,
            self.flags.points,
        );
        [forward, back]
    }

    /// The wrong signs by each rule.
    fn wrong(
        &mut self,
        named: &NamedMesh,
        grid: Grid,
        field: &SolidField,
        mut filler: Filler,
    ) -> anyhow::Result<[WrongSigns; 3]> {
        let every = (field.brick_count() * 343).div_ceil(MAX_JUDGED);
        let own_rule = filler.rule;
        let mut wrong = [WrongSigns::default(); 3];
        for (ix, rule) in SignRule::ALL.into_iter().enumerate() {
            if rule == own_rule {
                wrong[ix] = wrong_signs(field, &filler.mesh, every);
                continue;
            }
            if filler.rule != rule {
                filler = Filler::new(&named.mesh, grid, rule);
            }
            let (other, _) = self.fill(&filler, FillMethod::Search)?;
            wrong[ix] = wrong_signs(&other, &filler.mesh, every);
        }
        Ok(wrong)
    }
}
