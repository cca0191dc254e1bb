//! The viewer with a window: the first embedder of the library, through its public API alone.

mod actions;
mod app;
mod clock;
mod frame;
mod gui;
mod hand;
mod keys;
mod loader;
mod notifications;
mod observer;
mod orbit;
mod parts;
mod past;
mod pick;
mod playing;
#[cfg(feature = "shader_compiler")]
mod reload;
#[cfg(not(feature = "shader_compiler"))]
#[path = "no_reload.rs"]
mod reload;
mod scene;
mod screen;
mod screenshot;
mod setups;
mod surface;
mod swapchain;
mod switch;
mod viewer;

pub use app::run;
