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
        if !device.info.is_gpu {
            let judged = Calibration::of(device).expect("a mannequin fits");
            assert!(judged.is_none(), "{judged:?}");
        }
        let name = format!("radial_fields_calibrated_{}.json", std::process::id());
        let file = std::env::temp_dir().join(name);
        let remembered = || {
            let calibrated = Calibration::remembered_in(Some(file.clone()), device);
            calibrated.expect("a mannequin fits").calibration
        };
        assert_eq!(remembered(), remembered(), "the second from the file");
        std::fs::remove_file(&file).expect("it was written");
    });
}
