pub mod avatar;
pub mod collide;
pub mod math;
