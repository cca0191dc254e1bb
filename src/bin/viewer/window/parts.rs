//! The parts of the window's picture: all of it for one world, a half each for two.

use ash::vk;
use glam::Vec2;
use radial_fields::render::Camera;

/// Where a world is drawn, and how it is seen there.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub area: vk::Rect2D,
    pub camera: Camera,
}

impl Part {
    /// Whether a pixel of the window lies in it.
    pub fn holds(&self, pixel: Vec2) -> bool {
        let at = self.local(pixel);
        let size = Vec2::new(
            self.area.extent.width as f32,
            self.area.extent.height as f32,
        );
        at.cmpge(Vec2::ZERO).all() && at.cmplt(size).all()
    }

    /// A pixel of the window, from the part's own upper left corner.
    pub fn local(&self, pixel: Vec2) -> Vec2 {
        pixel - Vec2::new(self.area.offset.x as f32, self.area.offset.y as f32)
    }
}

/// Divides the window. What each camera looks at stands in the middle of what panels leave free of its part.
///
/// `free`: from where to where the panels leave the window free, in parts of its width.
pub fn divide(extent: vk::Extent2D, count: usize, camera: Camera, free: [f32; 2]) -> Vec<Part> {
    let width = extent.width as f32;
    let [begin, end] = free.map(|part| part * width);
    let part = |offset: u32, width: u32, target: f32| Part {
        area: vk::Rect2D {
            offset: vk::Offset2D {
                x: offset.cast_signed(),
                y: 0,
            },
            extent: vk::Extent2D { width, ..extent },
        },
        camera: Camera {
            shift: Vec2::new(
                2.0 * (target - offset as f32) / width as f32 - 1.0,
                camera.shift.y,
            ),
            ..camera
        },
    };
    if count < 2 || extent.width < 2 {
        return vec![part(0, extent.width, 0.5 * (begin + end)); count];
    }
    let left = extent.width / 2;
    let middle = left as f32;
    vec![
        part(0, left, 0.5 * (begin + middle)),
        part(left, extent.width - left, 0.5 * (middle + end)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: vk::Extent2D = vk::Extent2D {
        width: 1281,
        height: 720,
    };

    fn targets(parts: &[Part]) -> Vec<f32> {
        let target = |part: &Part| {
            let pixel = part.camera.pixel_of(part.camera.target, part.area.extent);
            pixel.map_or(f32::NAN, |pixel| pixel.x + part.area.offset.x as f32)
        };
        parts.iter().map(target).collect()
    }

    #[test]
    fn two_halves_are_the_whole_and_do_not_overlap() {
        let parts = divide(EXTENT, 2, Camera::default(), [0.0, 1.0]);
        for x in [0.0, 639.5, 640.5, 1280.5] {
            let holding = parts.iter().filter(|part| part.holds(Vec2::new(x, 5.0)));
            assert_eq!(holding.count(), 1, "at {x}");
        }
    }

    #[test]
    fn each_target_is_in_the_middle_of_what_is_free_of_its_half() {
        let found = targets(&divide(EXTENT, 2, Camera::default(), [0.25, 0.75]));
        for (found, expected) in found.into_iter().zip([480.125, 800.375]) {
            assert!((found - expected).abs() < 0.1, "{found} for {expected}");
        }
    }

    #[test]
    fn one_world_has_the_whole_window() {
        let found = targets(&divide(EXTENT, 1, Camera::default(), [0.0, 0.5]));
        assert_eq!(found.len(), 1);
        assert!(
            (found[0] - 320.25).abs() < 0.1,
            "in the middle of what is free of it"
        );
        assert!(divide(EXTENT, 0, Camera::default(), [0.0, 1.0]).is_empty());
    }
}
