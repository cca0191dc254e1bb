//! The passes of a picture: what the lights see, then what the camera sees.

use std::ops::Range;

use ash::vk;
use bytemuck::{Pod, Zeroable};

use super::meshes::{DrawnPart, Meshes};
use super::pipelines::{CLOTH_CUTS, RenderPipelines};
use super::targets::{ShadowMaps, Targets, sampled};
use super::{ClothColours, RenderInput, ShownStructure, SolidColours, ViewOptions};
use crate::World;
use crate::cloth::GarmentSettings;
use crate::collide::detector::{ColouredBy, DebugLayer, DebugStyle};
use crate::gpu::{Access, Bind, BufferSlice, Image, Recorder, Sampler};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ShadowPush {
    seen_from: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ShadowCutPush {
    seen_from: u32,
    opacity: f32,
    alpha_cutoff: f32,
}

impl ShadowPush {
    /// The same for a material with holes.
    fn cut(self, part: &DrawnPart) -> ShadowCutPush {
        ShadowCutPush {
            seen_from: self.seen_from,
            opacity: part.base_colour[3],
            alpha_cutoff: part.alpha_cutoff,
        }
    }
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct BodyPush {
    base_colour: [f32; 4],
    wireframe: u32,
    coloured_by: u32,
    alpha_cutoff: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct ClothPush {
    base_colour: [f32; 4],
    alpha_cutoff: f32,
    wireframe: u32,
    coloured_by: u32,
    depth_of_red: f32,
    stretch_of_red: f32,
    fabric: u32,
}

/// What the camera and the lights see of a world that has been simulated.
pub struct Draws<'a> {
    pub world: &'a World,
    pub pipelines: &'a RenderPipelines,
    pub meshes: &'a Meshes,
    pub maps: &'a ShadowMaps,
    pub texture_sampler: &'a Sampler,
    /// This frame's `View`.
    pub view: BufferSlice,
    /// Whether the world has been simulated at least once: before, its positions are zero.
    pub simulated: bool,
}

/// Corners that are drawn for an edge on a border.
const RIM_CORNERS: u32 = 12 * CLOTH_CUTS;

/// An image that is about to be drawn into, whatever it held.
const DISCARDED: vk::ImageLayout = vk::ImageLayout::UNDEFINED;
const DRAWN_INTO: vk::ImageLayout = vk::ImageLayout::ATTACHMENT_OPTIMAL;
const READ: vk::ImageLayout = vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL;

impl Draws<'_> {
    /// Draws the maps, and leaves them for fragment shaders to read.
    pub fn record_shadows(&self, recorder: &mut Recorder, options: &ViewOptions) {
        for (map, seen_from) in self.maps.all() {
            recorder.transition(
                map,
                (Access::ShadingSample, DISCARDED),
                (Access::DepthAttachment, DRAWN_INTO),
            );
            let push = ShadowPush {
                seen_from: seen_from as u32,
            };
            self.record_map(recorder, options, map, push);
            recorder.transition(
                map,
                (Access::DepthAttachment, DRAWN_INTO),
                (Access::ShadingSample, READ),
            );
        }
    }

    fn record_map(
        &self,
        recorder: &mut Recorder,
        options: &ViewOptions,
        map: &Image,
        push: ShadowPush,
    ) {
        let depth = cleared_depth(map, vk::AttachmentStoreOp::STORE);
        let info = vk::RenderingInfo::default()
            .render_area(map.extent().into())
            .layer_count(1)
            .depth_attachment(&depth);
        recorder.rendering(&info, |recorder| {
            recorder.viewport(map.extent());
            if self.shows_body(options) {
                self.record_shadow_body(recorder, &push);
            }
            if self.shows_cloth(options) {
                self.record_shadow_cloth(recorder, &push);
            }
            if self.simulated {
                self.record_shadow_solids(recorder, push.seen_from);
            }
        });
    }

    /// A structure that lies on the skin or in it would fight with it for depth, or be hidden.
    fn shows_body(&self, options: &ViewOptions) -> bool {
        let is_covered = options.structure != ShownStructure::Hidden && self.has_solid_structure();
        self.simulated && options.show_body && !is_covered
    }

    fn shows_cloth(&self, options: &ViewOptions) -> bool {
        self.simulated && options.show_cloth && self.meshes.cloth_corner_count > 0
    }

    fn record_shadow_body(&self, recorder: &mut Recorder, push: &ShadowPush) {
        let skin = self.world.skin();
        let bindings: [Bind; 4] = [
            self.view.into(),
            skin.positions().into(),
            skin.previous_positions().into(),
            (&self.meshes.body_triangles).into(),
        ];
        for corners in whole_stretches(self.meshes.parts.iter()) {
            recorder.draw(&self.pipelines.shadow_body, &bindings, push, corners, 1);
        }
        for part in self.meshes.parts.iter().filter(|part| part.has_holes()) {
            let texture = &self.meshes.textures[part.texture_ix];
            let bindings: [Bind; 6] = [
                self.view.into(),
                sampled(texture, self.texture_sampler),
                skin.positions().into(),
                skin.previous_positions().into(),
                (&self.meshes.body_triangles).into(),
                (&self.meshes.skin_surface).into(),
            ];
            let (pipeline, push) = (&self.pipelines.shadow_cut_body, push.cut(part));
            recorder.draw(pipeline, &bindings, &push, part.corners.clone(), 1);
        }
    }

    fn record_shadow_cloth(&self, recorder: &mut Recorder, push: &ShadowPush) {
        let cloth = self.world.cloth();
        let bindings: [Bind; 5] = [
            self.view.into(),
            cloth.positions().into(),
            cloth.previous_positions().into(),
            cloth.normals().into(),
            (&self.meshes.cloth_triangles).into(),
        ];
        let parts = || self.meshes.cloth_parts.iter().map(|cloth| &cloth.part);
        for corners in whole_stretches(parts()) {
            recorder.draw(
                &self.pipelines.shadow_cloth,
                &bindings,
                push,
                cut(corners),
                1,
            );
        }
        for part in parts().filter(|part| part.has_holes()) {
            let texture = &self.meshes.textures[part.texture_ix];
            let bindings: [Bind; 8] = [
                self.view.into(),
                sampled(texture, self.texture_sampler),
                cloth.positions().into(),
                cloth.previous_positions().into(),
                cloth.normals().into(),
                (&self.meshes.cloth_triangles).into(),
                (&self.meshes.cloth_vertices).into(),
                (&self.meshes.cloth_surface).into(),
            ];
            let (pipeline, push) = (&self.pipelines.shadow_cut_cloth, push.cut(part));
            recorder.draw(pipeline, &bindings, &push, cut(part.corners.clone()), 1);
        }
    }

    /// Draws the picture into the target; the maps have been drawn.
    pub fn record_picture(&self, recorder: &mut Recorder, targets: &Targets, input: &RenderInput) {
        prepare(recorder, targets);
        let colour = colour_attachment(targets, input.target.view);
        let depth = cleared_depth(&targets.depth, vk::AttachmentStoreOp::DONT_CARE);
        let info = vk::RenderingInfo::default()
            .render_area(input.target.area)
            .layer_count(1)
            .color_attachments(std::slice::from_ref(&colour))
            .depth_attachment(&depth);
        recorder.rendering(&info, |recorder| {
            recorder.viewport_area(input.target.area);
            self.record_figures(recorder, &input.view);
            self.record_studio(recorder, &input.view);
            self.record_lines(recorder, &input.view);
        });
    }

    fn record_figures(&self, recorder: &mut Recorder, options: &ViewOptions) {
        if self.shows_body(options) {
            self.record_body(recorder, options);
        }
        if self.shows_cloth(options) {
            self.record_cloth(recorder, options);
        }
        if self.simulated {
            let error_of_red = match options.solid_colours {
                SolidColours::Clay => 0.0,
                SolidColours::Error => options.error_of_red,
            };
            self.record_solids(recorder, error_of_red);
        }
        self.record_structure(recorder, options, DebugStyle::Solid);
    }

    fn record_structure(&self, recorder: &mut Recorder, options: &ViewOptions, style: DebugStyle) {
        let coloured_by = match options.structure {
            ShownStructure::Hidden => return,
            ShownStructure::ByDistance => ColouredBy::Distance,
            ShownStructure::ByField => ColouredBy::Field,
        };
        if self.simulated {
            self.record_inspection(recorder, DebugLayer::Structure, style, coloured_by);
        }
    }

    fn record_body(&self, recorder: &mut Recorder, options: &ViewOptions) {
        let skin = self.world.skin();
        let [key_map, key_depths, tops, undersides] = self.maps.bindings();
        for part in &self.meshes.parts {
            let texture = &self.meshes.textures[part.texture_ix];
            let bindings: [Bind; 11] = [
                self.view.into(),
                key_map,
                key_depths,
                tops,
                undersides,
                skin.positions().into(),
                skin.previous_positions().into(),
                skin.normals().into(),
                (&self.meshes.body_triangles).into(),
                (&self.meshes.skin_surface).into(),
                sampled(texture, self.texture_sampler),
            ];
            let push = BodyPush {
                base_colour: part.base_colour,
                wireframe: u32::from(options.body_wireframe),
                coloured_by: options.body_colours as u32,
                alpha_cutoff: part.alpha_cutoff,
            };
            recorder.draw(
                &self.pipelines.body,
                &bindings,
                &push,
                part.corners.clone(),
                1,
            );
        }
    }

    fn record_cloth(&self, recorder: &mut Recorder, options: &ViewOptions) {
        let cloth = self.world.cloth();
        let [key_map, key_depths, tops, undersides] = self.maps.bindings();
        let shows_rims = options.cloth_colours == ClothColours::Fabric && !options.cloth_wireframe;
        for cloth_part in &self.meshes.cloth_parts {
            let part = &cloth_part.part;
            let texture = &self.meshes.textures[part.texture_ix];
            let mut bindings: [Bind; 13] = [
                self.view.into(),
                key_map,
                key_depths,
                tops,
                undersides,
                cloth.positions().into(),
                cloth.previous_positions().into(),
                cloth.normals().into(),
                (&self.meshes.cloth_triangles).into(),
                (&self.meshes.cloth_vertices).into(),
                (&self.meshes.cloth_surface).into(),
                cloth.contacts().into(),
                sampled(texture, self.texture_sampler),
            ];
            let push = ClothPush {
                base_colour: part.base_colour,
                alpha_cutoff: part.alpha_cutoff,
                wireframe: u32::from(options.cloth_wireframe),
                coloured_by: options.cloth_colours as u32,
                depth_of_red: options.depth_of_red,
                stretch_of_red: options.stretch_of_red,
                fabric: self.fabric(cloth_part.garment_ix),
            };
            let corners = cut(part.corners.clone());
            recorder.draw(&self.pipelines.cloth, &bindings, &push, corners, 1);
            if shows_rims && !cloth_part.rims.is_empty() {
                bindings[11] = (&self.meshes.cloth_rims).into();
                let Range { start, end } = cloth_part.rims;
                let corners = RIM_CORNERS * start..RIM_CORNERS * end;
                recorder.draw(&self.pipelines.cloth_rim, &bindings, &push, corners, 1);
            }
        }
    }

    /// What a garment is woven like: the fabric whose stiffness it has, plain for all others. Its place in [`Material::ALL`].
    fn fabric(&self, garment_ix: usize) -> u32 {
        let garments = &self.world.settings().garments;
        let worn = garments.get(garment_ix).and_then(GarmentSettings::material);
        worn.map_or(0, |material| material as u32)
    }

    /// The ground and the wall, behind what has been drawn.
    fn record_studio(&self, recorder: &mut Recorder, options: &ViewOptions) {
        if options.show_ground {
            let [key_map, key_depths, tops, undersides] = self.maps.bindings();
            let bindings = [self.view.into(), key_map, key_depths, tops, undersides];
            recorder.draw(&self.pipelines.ground, &bindings, &(), 0..6, 1);
        }
        recorder.draw(&self.pipelines.backdrop, &[self.view.into()], &(), 0..3, 1);
    }

    fn record_lines(&self, recorder: &mut Recorder, options: &ViewOptions) {
        if options.broad_phase {
            let (layer, style) = (DebugLayer::BroadPhase, DebugStyle::Lines);
            self.record_inspection(recorder, layer, style, ColouredBy::Field);
        }
        self.record_structure(recorder, options, DebugStyle::Lines);
        if options.contacts && self.simulated && self.world.cloth().particle_count() > 0 {
            self.record_contacts(recorder, options.depth_of_red);
        }
    }
}

/// The corners of the parts without holes, neighbours in one.
fn whole_stretches<'a>(parts: impl Iterator<Item = &'a DrawnPart>) -> Vec<Range<u32>> {
    let mut stretches: Vec<Range<u32>> = Vec::new();
    for part in parts.filter(|part| !part.has_holes()) {
        match stretches.last_mut() {
            Some(last) if last.end == part.corners.start => last.end = part.corners.end,
            _ => stretches.push(part.corners.clone()),
        }
    }
    stretches
}

/// Corners of the small triangles that the simulated ones are cut into.
fn cut(corners: Range<u32>) -> Range<u32> {
    let cuts = CLOTH_CUTS * CLOTH_CUTS;
    corners.start * cuts..corners.end * cuts
}

/// Whatever colour and depth held is thrown away.
fn prepare(recorder: &mut Recorder, targets: &Targets) {
    recorder.transition(
        &targets.depth,
        (Access::DepthAttachment, DISCARDED),
        (Access::DepthAttachment, DRAWN_INTO),
    );
    if let Some(colour) = &targets.colour {
        recorder.transition(
            colour,
            (Access::ColourAttachment, DISCARDED),
            (Access::ColourAttachment, DRAWN_INTO),
        );
    }
}

/// The wall covers every pixel, so nothing is cleared.
fn colour_attachment(
    targets: &Targets,
    target: vk::ImageView,
) -> vk::RenderingAttachmentInfo<'static> {
    let attachment =
        vk::RenderingAttachmentInfo::default().load_op(vk::AttachmentLoadOp::DONT_CARE);
    match &targets.colour {
        Some(colour) => attachment
            .image_view(colour.view())
            .image_layout(DRAWN_INTO)
            .store_op(vk::AttachmentStoreOp::DONT_CARE)
            .resolve_mode(vk::ResolveModeFlags::AVERAGE)
            .resolve_image_view(target)
            .resolve_image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL),
        None => attachment
            .image_view(target)
            .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
            .store_op(vk::AttachmentStoreOp::STORE),
    }
}

/// Cleared to infinitely far.
fn cleared_depth(
    image: &Image,
    store: vk::AttachmentStoreOp,
) -> vk::RenderingAttachmentInfo<'static> {
    vk::RenderingAttachmentInfo::default()
        .image_view(image.view())
        .image_layout(DRAWN_INTO)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(store)
        .clear_value(vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue {
                depth: 0.0,
                stencil: 0,
            },
        })
}
