//! What wgpu, and Vulkan's validation through it, had to say: printed and counted.

use std::sync::atomic::{AtomicU32, Ordering};

/// Validation layer 1.3.239 does not know WGSL, which wgpu's debug information names as the language of its shaders
/// (UNASSIGNED-CoreValidation-Shader-InconsistentSpirv); later ones do:
/// <https://github.com/KhronosGroup/SPIRV-Headers/pull/358>.
const SUPPRESSED: &str = "Invalid source language operand: 10";

static COUNT: AtomicU32 = AtomicU32::new(0);

struct Ear;

/// Hears warnings and errors from now on.
pub fn listen() -> Result<(), log::SetLoggerError> {
    log::set_logger(&Ear).map(|()| log::set_max_level(log::LevelFilter::Warn))
}

/// How many there were.
pub fn count() -> u32 {
    COUNT.load(Ordering::Relaxed)
}

impl log::Log for Ear {
    fn enabled(&self, metadata: &log::Metadata) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record) {
        let text = record.args().to_string();
        // Lines that go on with a message begin so.
        if text.starts_with('\t') || text.contains(SUPPRESSED) {
            return;
        }
        eprintln!("{}: {text}", record.target());
        COUNT.fetch_add(1, Ordering::Relaxed);
    }

    fn flush(&self) {}
}
