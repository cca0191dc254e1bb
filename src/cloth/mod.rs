//! Cloth: garments, and the constraints their particles are held together by.

pub mod constraints;
pub mod garment;
