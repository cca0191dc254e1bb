//! The viewer with a window: the first embedder of the library, through its public API alone.

mod app;
mod bulletin;
mod clock;
mod facts_of;
mod frame;
mod gui;
mod hand;
mod keys;
mod loader;
mod observer;
mod orbit;
mod parts;
mod pick;
mod playing;
#[cfg(feature = "shader_compiler")]
mod reload;
#[cfg(not(feature = "shader_compiler"))]
#[path = "no_reload.rs"]
mod reload;
mod screen;
mod screenshot;
mod staging;
mod surface;
mod swapchain;
mod viewer;
mod wishes;

pub use app::run;
