//! Pictures of a show without a window.

use anyhow::{Context as _, anyhow};
use ash::vk;
use glam::Vec2;
use radial_fields::engine::{Device, Frames, Offscreen};
use radial_fields::gpu::StageTimes;
use radial_fields::oracle::Quality;
use radial_fields::oracle::seen::FrameFigures;
use radial_fields::render::{
    Camera, KeyLight, RenderInput, Renderer, RendererDesc, Target, ViewOptions,
};
use radial_fields::scenes::Show;

use crate::cli::Cli;
use crate::framing::{Framing, Wanted};
use crate::panels::board::{Board, BoardDesc, Seen, room};
use crate::preload::FRAMES_IN_FLIGHT;
use crate::room::Room;

/// Pixels between the furthest points of a character below which it counts as invisible.
const SPECK: f32 = 4.0;

/// What was found out about the frame that is drawn, and those before it.
#[cfg_attr(
    not(feature = "viewer"),
    expect(dead_code, reason = "panels alone show it")
)]
pub struct Judged {
    pub quality: Quality,
    /// One per garment.
    pub seen: Vec<FrameFigures>,
}

/// A renderer with somewhere to draw.
pub struct Picture {
    renderer: Renderer,
    offscreen: Offscreen,
    view: ViewOptions,
    framing: Framing,
    drawn_count: u32,
    /// Panels over it, if they are asked for.
    board: Option<Board>,
    /// How many of them have nothing of the character in them, and the first one's file.
    empty: Option<(u32, String)>,
}

impl Picture {
    /// Makes what is needed to draw a show in the size that the flags ask for. `board`: with panels of that.
    pub fn new(
        device: &Device,
        show: &Show,
        clip_ix: Option<usize>,
        cli: &Cli,
        board: Option<BoardDesc>,
    ) -> anyhow::Result<Self> {
        let (width, height) = cli.size();
        let extent = vk::Extent2D { width, height };
        let whole = Room::new([width as f32, height as f32], width as f32, 0.0);
        let room = board.as_ref().map_or(whole, |_| room(cli.size()));
        let desc = RendererDesc {
            colour_format: Offscreen::FORMAT,
            samples: vk::SampleCountFlags::TYPE_4,
            frames_in_flight: FRAMES_IN_FLIGHT,
            timestamp_valid_bits: device.timestamp_valid_bits(),
        };
        let (bodies, garments) = show.drawn();
        let sources = show.solid_sources();
        let mut renderer =
            Renderer::with_sources(&show.world, &desc, &bodies, &garments, &sources)?;
        renderer.resize(extent)?;
        let offscreen = Offscreen::new(show.world.gpu(), extent)?;
        Ok(Self {
            renderer,
            offscreen,
            view: ViewOptions {
                ground_height: show.ground_height(),
                ..cli.view()?
            },
            framing: Framing::new(show, clip_ix, Wanted::of(cli), room),
            board: board
                .map(|board| {
                    let format = Offscreen::FORMAT;
                    Board::new(device, show.world.gpu(), board, cli.size(), format)
                })
                .transpose()?,
            drawn_count: 0,
            empty: None,
        })
    }

    /// Draws the show as it stands. `judged`: for the panels.
    pub fn draw(
        &mut self,
        device: &Device,
        frames: &mut Frames,
        show: &mut Show,
        judged: Option<&Judged>,
    ) -> anyhow::Result<image::RgbaImage> {
        let camera = self.framing.camera(show);
        let area = vk::Rect2D {
            offset: vk::Offset2D::default(),
            extent: self.offscreen.extent(),
        };
        let input = RenderInput {
            camera,
            key_light: KeyLight::default(),
            alpha: 1.0,
            view: self.view,
            target: Target {
                view: self.offscreen.view(),
                area,
            },
        };
        self.renderer.collect_times();
        if let Some(board) = &mut self.board {
            let can_overflow = show.world.collider().overflow_count().is_some();
            let overflow_count = show.overflow_count(device, frames)?;
            board.draw(&Seen {
                device,
                show,
                renderer: &self.renderer,
                view: self.view,
                field_of_view: camera.fov_y,
                size: (area.extent.width, area.extent.height),
                overflow_count: can_overflow.then_some(overflow_count),
                judged,
            });
        }
        let (renderer, board, target) = (&mut self.renderer, &mut self.board, &input.target);
        let mut drawn = Ok(());
        let pixels = self.offscreen.render(device, frames, |cmd| {
            // SAFETY: the offscreen hands out a recording command buffer of this device, and the target is its own.
            let picture = unsafe { renderer.record(cmd, &show.world, &input) };
            drawn = picture.map_err(anyhow::Error::from).and_then(|()| {
                let board = board.as_mut();
                board.map_or(Ok(()), |board| board.record(cmd, target.view, area.extent))
            });
        })?;
        drawn?;
        image::RgbaImage::from_raw(area.extent.width, area.extent.height, pixels)
            .ok_or_else(|| anyhow!("the picture has the wrong size"))
    }

    /// Takes the picture that was drawn last into account, by that name.
    pub fn count(&mut self, show: &Show, name: &str) {
        self.drawn_count += 1;
        let camera = self.framing.camera(show);
        if !shows(&camera, show, self.offscreen.extent()) {
            let (count, _) = self.empty.get_or_insert_with(|| (0, name.to_owned()));
            *count += 1;
        }
    }

    /// A sentence for the user if nothing of the character is in some of the pictures.
    pub fn emptiness(&self, show: &Show) -> Option<String> {
        let (count, first) = self.empty.as_ref()?;
        Some(format!(
            "nothing of {} is to be seen in {count} of {} pictures, first in {}: see --camera and --look-at",
            show.avatar.name, self.drawn_count, first
        ))
    }

    /// GPU times of the last picture.
    pub fn stage_times(&self) -> &StageTimes {
        self.renderer.stage_times()
    }
}

/// Whether any part of somebody is in the picture, and more of it than a speck.
fn shows(camera: &Camera, show: &Show, extent: vk::Extent2D) -> bool {
    let size = Vec2::new(extent.width as f32, extent.height as f32);
    let is_inside = |pixel: &Vec2| pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(size).all();
    let body = show.exact_bodies();
    let pixels = body.iter().filter_map(|&at| camera.pixel_of(at, extent));
    let (low, high) = pixels.filter(is_inside).fold(
        (Vec2::INFINITY, Vec2::NEG_INFINITY),
        |(low, high), pixel| (low.min(pixel), high.max(pixel)),
    );
    (high - low).max_element() >= SPECK
}

/// What `--view` names.
pub fn view_of(name: &str) -> anyhow::Result<ViewOptions> {
    ViewOptions::named(name).with_context(|| {
        let known = ViewOptions::NAMED.map(|(name, _)| name).join(", ");
        format!("there is no view {name:?}: choose one of {known}")
    })
}
