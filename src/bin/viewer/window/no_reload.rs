//! The replacement for hot reload in a viewer without a shader compiler.

use radial_fields::gpu::Gpu;

use super::viewer::Viewer;

/// Watches nothing.
pub struct ShaderWatch;

impl ShaderWatch {
    pub fn new() -> Self {
        Self
    }

    /// Nothing takes the place of the built-in shaders.
    pub fn apply(&self, _: &Gpu) -> bool {
        false
    }
}

impl Viewer {
    /// There never are any.
    pub(super) fn take_shaders(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}
