pub mod math;
#[cfg(feature = "engine")]
pub mod oracle;
