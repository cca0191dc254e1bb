//! One frame of the viewer: what was loaded is shown, panels, simulation, picture, panels over it, shown.

use std::path::PathBuf;
use std::time::Instant;

use ash::vk;
use radial_fields::engine::Submission;
use radial_fields::engine::traced::CpuFrame;
use radial_fields::gpu::{Access, Recorder};
use radial_fields::overlay::{Action, Painter, PainterDesc, Severity, TraceState};
use radial_fields::render::{Difference, KeyLight, RenderInput, Target, ViewOptions};
use radial_fields::scenes::STEP_SECONDS;
use radial_fields::stage::Stage;

use super::clock::Ticks;
use super::notifications::{QUALITY, SCREENSHOT, TRACE};
use super::observer::Verdict;
use super::screen::Canvas;
use super::screenshot::Screenshot;
use super::swapchain::whole_colour;
use super::viewer::{Flow, Viewer};
use crate::panels::facts_of::{Sources, quality_figures};
use crate::preload::FRAMES_IN_FLIGHT;
use crate::tracing::Tracing;

/// Longer pauses, as when a window is moved or a character loaded, do not count as time.
const LONGEST_FRAME_SECONDS: f32 = 0.25;

/// What is seen before anything is shown, sRGB.
const EMPTY: [f32; 4] = [0.09, 0.10, 0.12, 1.0];

/// What the canvas is while it is drawn on.
const DRAWN_ON: (Access, vk::ImageLayout) = (
    Access::ColourAttachment,
    vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
);

impl Viewer {
    /// Draws and shows one picture.
    pub(super) fn frame(&mut self) -> anyhow::Result<Flow> {
        if self.is_over() {
            return Ok(Flow::Ends);
        }
        let format = self.screen.prepare(&self.window)?;
        self.can_draw = format.is_some();
        let Some(format) = format else {
            return Ok(Flow::Goes);
        };
        self.take_loaded(format)?;
        self.take_switch(format)?;
        self.take_shaders()?;
        self.suit_format(format)?;
        let seconds = self.passed_seconds();
        for action in self.draw_panels(seconds) {
            self.apply(action);
        }
        self.note_setup();
        let began = Instant::now();
        let cmd = self.frames.begin()?;
        let waited = Instant::now();
        let Some(canvas) = self.screen.acquire()? else {
            return Ok(Flow::Goes);
        };
        let ticks = self.advance(seconds);
        let screenshot = self.record(cmd, &canvas, ticks)?;
        let recorded = Instant::now();
        self.frames.submit(Submission {
            wait: Some(canvas.free),
            signal: Some(canvas.drawn),
        })?;
        let submitted = Instant::now();
        self.screen.present(&canvas)?;
        self.save(screenshot)?;
        self.take_stock(CpuFrame {
            began,
            waited,
            recorded,
            submitted,
        })?;
        Ok(if self.is_over() {
            Flow::Ends
        } else {
            Flow::Goes
        })
    }

    /// Whether the flags' frames are drawn.
    fn is_over(&self) -> bool {
        self.cli
            .frames
            .is_some_and(|count| self.drawn_count >= count)
    }

    /// Seconds since the last picture. A run of so many frames has the same steps on any machine.
    fn passed_seconds(&mut self) -> f32 {
        let passed = self.last_frame.elapsed().as_secs_f32();
        self.last_frame = Instant::now();
        for playing in &mut self.shown_worlds {
            playing.measured.times.frames.push(passed * 1e3);
        }
        if self.cli.frames.is_some() {
            STEP_SECONDS
        } else {
            passed.min(LONGEST_FRAME_SECONDS)
        }
    }

    fn advance(&mut self, seconds: f32) -> Ticks {
        let ticks = self.clock.advance(seconds);
        let (clip_seconds, room) = (self.clip_seconds(), self.room());
        self.orbit.follow(clip_seconds, seconds, room);
        self.last_step_count = ticks.step_count;
        ticks
    }

    fn suit_format(&mut self, format: vk::Format) -> anyhow::Result<()> {
        for playing in &mut self.shown_worlds {
            playing.set_format(&self.device, format)?;
        }
        match &mut self.painter {
            Some(painter) => painter.set_format(format)?,
            None => {
                let desc = PainterDesc {
                    colour_format: format,
                    frames_in_flight: FRAMES_IN_FLIGHT,
                };
                self.painter = Some(Painter::new(&self.gpu, desc, &mut self.gui.context)?);
            }
        }
        Ok(())
    }

    fn draw_panels(&mut self, seconds: f32) -> Vec<Action> {
        let extent = self.extent();
        let loading = self.loading().map(str::to_owned);
        let observer = self.observer.as_ref();
        let quality = |world_ix| {
            let Verdict { quality, seen } = observer?.verdict(world_ix)?;
            Some(quality_figures(quality, seen))
        };
        let shown_worlds = self.shown_worlds.iter().enumerate();
        let shown_worlds: Vec<_> = shown_worlds
            .map(|(ix, playing)| playing.shown(quality(ix)))
            .collect();
        let sources = Sources {
            cli: &self.cli,
            desc: self.desc.as_ref(),
            can_undo_redo: [self.past.can_undo(), self.past.can_redo()],
            device: &self.device,
            size: (extent.width, extent.height),
            shown_worlds: &shown_worlds,
            names: &self.names,
            measures_quality: observer.is_some(),
            is_paused: self.clock.is_paused,
            speed: self.clock.speed,
            step_count: self.last_step_count,
            times_passes: self.times_passes,
            trace: match &self.tracing {
                None => TraceState::None,
                Some(tracing) if tracing.is_waiting() => TraceState::Waiting,
                Some(_) => TraceState::Running,
            },
            loading: loading.as_deref(),
            view: self.view,
            shows_difference: self.shows_difference(),
            edited_ix: self.edited_ix,
            field_of_view: self.orbit.camera.fov_y,
            follow: self.orbit.follows(),
            brush_radius: self.hand.brush_radius,
            counts: self.validation.0,
            texts: &self.validation.1,
            messages: self.notifications.messages(Instant::now()),
        };
        let (gui, window) = (&mut self.gui, &self.window);
        self.lists
            .facts(&sources, |facts| gui.draw(window, seconds, facts))
    }

    fn record(
        &mut self,
        cmd: vk::CommandBuffer,
        canvas: &Canvas,
        ticks: Ticks,
    ) -> anyhow::Result<Option<Screenshot>> {
        self.timestamps.collect();
        self.timestamps.begin_frame(cmd);
        self.sets.begin_frame();
        let mut recorder = Recorder::new(&self.gpu, cmd, &mut self.timestamps);
        let fresh = (Access::ColourAttachment, vk::ImageLayout::UNDEFINED);
        recorder.transition_handle(canvas.image, whole_colour(), fresh, DRAWN_ON);
        if self.shown_worlds.is_empty() {
            clear(&mut recorder, canvas);
        }
        self.record_picture(cmd, canvas, ticks)?;
        let mut recorder =
            Recorder::new(&self.gpu, cmd, &mut self.timestamps).with_sets(&mut self.sets);
        if let Some(painter) = &mut self.painter {
            let data = self.gui.draw_data();
            recorder.stage(Stage::Overlay, |recorder| {
                painter.record(recorder, canvas.view, canvas.extent, data)
            })?;
        }
        recorder.finish()?;
        let file = self.wanted_screenshot(canvas);
        let mut recorder = Recorder::new(&self.gpu, cmd, &mut self.timestamps);
        let shown = (Access::Present, vk::ImageLayout::PRESENT_SRC_KHR);
        let Some(file) = file else {
            recorder.transition_handle(canvas.image, whole_colour(), DRAWN_ON, shown);
            return Ok(None);
        };
        let copied = (Access::TransferRead, vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
        recorder.transition_handle(canvas.image, whole_colour(), DRAWN_ON, copied);
        let screenshot = Screenshot::record(&self.gpu, &mut recorder, canvas, file)?;
        recorder.transition_handle(canvas.image, whole_colour(), copied, shown);
        Ok(Some(screenshot))
    }

    fn record_picture(
        &mut self,
        cmd: vk::CommandBuffer,
        canvas: &Canvas,
        ticks: Ticks,
    ) -> anyhow::Result<()> {
        let parts = self.parts(canvas.extent);
        let grab = self.hand.grab(&parts);
        self.suit_difference(canvas)?;
        if let Some(difference) = &self.difference {
            let mut recorder = Recorder::new(&self.gpu, cmd, &mut self.timestamps);
            difference.begin(&mut recorder);
        }
        let apart = self.difference.as_ref().map(Difference::targets);
        let targets = apart.unwrap_or([canvas.view; 2]);
        let worlds = self.shown_worlds.iter_mut().zip(parts);
        for ((playing, part), target) in worlds.zip(targets) {
            let height = part.area.extent.height as f32;
            self.cli
                .detail()
                .apply(&mut playing.show, &part.camera, height);
            let input = RenderInput {
                camera: part.camera,
                key_light: KeyLight::default(),
                alpha: ticks.alpha,
                view: ViewOptions {
                    ground_height: playing.show.ground_height(),
                    ..self.view
                },
                target: Target {
                    view: target,
                    area: part.area,
                },
            };
            playing.record(cmd, ticks, grab, &input, canvas.extent)?;
        }
        if let Some(difference) = &self.difference {
            let mut recorder =
                Recorder::new(&self.gpu, cmd, &mut self.timestamps).with_sets(&mut self.sets);
            recorder.stage(Stage::Draw, |recorder| {
                difference.record(recorder, canvas.view);
            });
            recorder.finish()?;
        }
        Ok(())
    }

    /// Makes what a difference is drawn with for pictures like this one, while one is shown.
    fn suit_difference(&mut self, canvas: &Canvas) -> anyhow::Result<()> {
        let (extent, format) = (canvas.extent, canvas.format);
        let difference = self.difference.as_ref();
        let suits = difference.map(|difference| difference.suits(extent, format));
        let shows = self.shows_difference();
        if suits != shows.then_some(true) {
            self.device.wait_idle()?;
            let made = shows.then(|| Difference::new(&self.gpu, extent, format));
            self.difference = made.transpose()?;
        }
        Ok(())
    }

    /// Where this picture is to be saved, if it is.
    fn wanted_screenshot(&mut self, canvas: &Canvas) -> Option<PathBuf> {
        let is_last =
            !self.shown_worlds.is_empty() && self.cli.frames == Some(self.drawn_count + 1);
        let at_end = self.cli.screenshot.clone().filter(|_| is_last);
        let file = at_end.or_else(|| self.screenshot.take())?;
        if canvas.can_copy {
            return Some(file);
        }
        let text = "this window system lets nobody copy the picture: no screenshot".to_owned();
        self.notifications.post(Severity::Fault, SCREENSHOT, text);
        None
    }

    fn save(&mut self, screenshot: Option<Screenshot>) -> anyhow::Result<()> {
        let Some(screenshot) = screenshot else {
            return Ok(());
        };
        self.device.wait_idle()?;
        match screenshot.save() {
            Ok(file) => {
                let text = format!("saved {}", file.display());
                self.notifications
                    .post_passing(SCREENSHOT, text, Instant::now());
            }
            Err(error) if self.cli.screenshot.is_some() => return Err(error),
            Err(error) => {
                self.notifications
                    .post(Severity::Fault, SCREENSHOT, format!("{error:#}"));
            }
        }
        Ok(())
    }

    /// Counts the picture and takes the times that have come in.
    fn take_stock(&mut self, cpu: CpuFrame) -> anyhow::Result<()> {
        self.drawn_count += u32::from(!self.shown_worlds.is_empty());
        for (world_ix, playing) in self.shown_worlds.iter_mut().enumerate() {
            let panels = (world_ix == 0).then(|| self.timestamps.latest());
            playing.take_times(world_ix, panels, self.tracing.as_mut());
        }
        if let Some(tracing) = &mut self.tracing {
            tracing.take_cpu(cpu);
        }
        self.save_trace()?;
        self.observe()?;
        let counts = self.device.instance.validation_counts();
        if counts != self.validation.0 {
            self.validation = (counts, self.device.instance.validation_texts());
        }
        Ok(())
    }

    /// Has the newest frame judged, if there is one that was not. What cannot be judged is said, and goes on unjudged.
    fn observe(&mut self) -> anyhow::Result<()> {
        let (Some(observer), true) = (&mut self.observer, self.last_step_count > 0) else {
            return Ok(());
        };
        if let Some(Err(error)) = observer.poll() {
            self.notifications
                .post(Severity::Fault, QUALITY, format!("{error:#}"));
            self.measure_quality(false);
            return Ok(());
        }
        let shows = self
            .shown_worlds
            .iter_mut()
            .map(|playing| &mut playing.show);
        observer.look(shows.collect(), &self.device, &mut self.frames)
    }

    /// Saves the trace that is complete, or that there will be no more frames for.
    fn save_trace(&mut self) -> anyhow::Result<()> {
        let is_last = self.is_over();
        let complete = |tracing: &mut Tracing| tracing.is_complete() || is_last;
        let Some(tracing) = self.tracing.take_if(complete) else {
            return Ok(());
        };
        match tracing.save(&self.device) {
            Ok(None) => {}
            Ok(Some(file)) => {
                let text = format!("saved {}: it opens in ui.perfetto.dev", file.display());
                self.notifications.post_passing(TRACE, text, Instant::now());
            }
            Err(error) if is_last => return Err(error),
            Err(error) => {
                let text = format!("{error:#}");
                self.notifications.post(Severity::Fault, TRACE, text);
            }
        }
        Ok(())
    }
}

fn clear(recorder: &mut Recorder, canvas: &Canvas) {
    let attachments = [vk::RenderingAttachmentInfo::default()
        .image_view(canvas.view)
        .image_layout(DRAWN_ON.1)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)
        .clear_value(vk::ClearValue {
            color: vk::ClearColorValue { float32: EMPTY },
        })];
    let info = vk::RenderingInfo::default()
        .render_area(canvas.extent.into())
        .layer_count(1)
        .color_attachments(&attachments);
    recorder.rendering(&info, |_| {});
}
