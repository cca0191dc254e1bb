//! The event loop: opens the viewer, feeds it, and closes it in order.

use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use radial_fields::engine::ValidationCounts;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::WindowId;

use super::viewer::{Flow, Summary, Viewer};
use crate::cli::Cli;

/// The event loop's own message names a line of its source, which does not help users.
const NO_DISPLAY: &str =
    "there is no display to open a window on: set DISPLAY or WAYLAND_DISPLAY, or add --headless";

/// How often a window without pixels is looked at.
const ASLEEP: Duration = Duration::from_millis(50);

/// Opens the window and stays until it is closed, or the flags' frames are over.
pub fn run(cli: &Cli) -> anyhow::Result<ValidationCounts> {
    let event_loop = EventLoop::new().map_err(|_| anyhow!(NO_DISPLAY))?;
    let mut app = App {
        cli,
        viewer: None,
        outcome: Ok(None),
    };
    event_loop
        .run_app(&mut app)
        .context("the window broke off")?;
    match app.outcome? {
        Some(summary) => {
            summary.print();
            Ok(summary.validation)
        }
        None => Ok(ValidationCounts::default()),
    }
}

/// The viewer between the window's events.
struct App<'a> {
    cli: &'a Cli,
    viewer: Option<Viewer>,
    outcome: anyhow::Result<Option<Summary>>,
}

impl App<'_> {
    /// Ends the run if it is over or broke off.
    fn settle(&mut self, event_loop: &ActiveEventLoop, result: anyhow::Result<Flow>) {
        match result {
            Ok(Flow::Goes) => {}
            Ok(Flow::Ends) => event_loop.exit(),
            Err(error) => {
                self.outcome = Err(error);
                event_loop.exit();
            }
        }
    }
}

impl ApplicationHandler for App<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.viewer.is_some() {
            return;
        }
        let opened = Viewer::open(event_loop, self.cli);
        let result = opened.map(|viewer| {
            self.viewer = Some(viewer);
            Flow::Goes
        });
        self.settle(event_loop, result);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if event_loop.exiting() {
            return;
        }
        if let Some(viewer) = &mut self.viewer {
            let result = viewer.hear(&event);
            self.settle(event_loop, result);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(viewer) = &self.viewer else { return };
        event_loop.set_control_flow(if viewer.can_draw() {
            ControlFlow::Poll
        } else {
            ControlFlow::WaitUntil(Instant::now() + ASLEEP)
        });
        viewer.request_frame();
    }

    /// The window is still there: everything that was made on it goes first.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        let Some(viewer) = self.viewer.take() else {
            return;
        };
        let summary = viewer.close();
        if self.outcome.is_ok() {
            self.outcome = Ok(Some(summary));
        }
    }
}
