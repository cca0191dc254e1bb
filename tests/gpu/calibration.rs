//! Which way of filling fields is usual on a device.

use radial_fields::scenes::Calibration;

use crate::fixture::with_device;

/// Times of software say nothing: both ways run, and drawing stays usual.
#[test]
fn both_ways_are_timed_and_software_is_not_judged() {
    with_device(|device| {
        let measured = Calibration::measure(device).expect("a mannequin fits");
        println!("{measured:?}");
        assert!(measured.drawn_ms.is_finite() && measured.computed_ms.is_finite());
        let judged = Calibration::of(device).expect("a mannequin fits");
        assert_eq!(judged.is_some(), device.info.is_gpu);
    });
}
