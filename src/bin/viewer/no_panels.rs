//! The replacement for panels in a viewer without them.

/// As `panels/board.rs` has it.
pub mod board {
    use std::sync::Arc;

    use ash::vk;
    use radial_fields::engine::Device;
    use radial_fields::gpu::Gpu;
    use radial_fields::render::{Renderer, ViewOptions};
    use radial_fields::scenes::Show;

    use crate::cli::Cli;
    use crate::picture::Judged;
    use crate::preload::Preloaded;
    use crate::room::Room;

    /// Frames that the panels show.
    pub const PANEL_FRAMES: u32 = 0;

    /// There is none.
    pub enum Board {}

    /// Nothing.
    pub struct BoardDesc;

    /// Looked at by nobody.
    #[expect(dead_code, reason = "there are no panels to be drawn from it")]
    pub struct Seen<'a> {
        pub device: &'a Device,
        pub show: &'a Show,
        pub renderer: &'a Renderer,
        pub view: ViewOptions,
        pub field_of_view: f32,
        pub size: (u32, u32),
        pub overflow_count: Option<u32>,
        pub judged: Option<&'a Judged>,
    }

    impl BoardDesc {
        pub fn of(_: &Cli, _: &Preloaded) -> Self {
            Self
        }
    }

    /// All of it.
    pub fn room((width, height): (u32, u32)) -> Room {
        Room::new([width as f32, height as f32], width as f32, 0.0)
    }

    impl Board {
        pub fn new(
            _: &Device,
            _: &Arc<Gpu>,
            _: BoardDesc,
            _: (u32, u32),
            _: vk::Format,
        ) -> anyhow::Result<Self> {
            anyhow::bail!(
                "this build has no panels: leave --panels out, or build with the feature `viewer`"
            )
        }

        pub fn draw(&mut self, _: &Seen) {
            match *self {}
        }

        pub fn record(
            &mut self,
            _: vk::CommandBuffer,
            _: vk::ImageView,
            _: vk::Extent2D,
        ) -> anyhow::Result<()> {
            match *self {}
        }
    }
}
