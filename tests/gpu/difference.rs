//! Where two pictures are alike their difference is grey; where not, it is not.

use ash::vk;
use radial_fields::engine::{Frames, Immediate, Offscreen};
use radial_fields::gpu::{Access, DescriptorSets, Recorder, Timestamps};
use radial_fields::render::Difference;

use crate::fixture::with_device;

const EXTENT: vk::Extent2D = vk::Extent2D {
    width: 24,
    height: 4,
};
/// Pixels of a part of one colour.
const PART: u32 = 8;

/// Fills a part of a picture with a linear colour.
fn fill(recorder: &mut Recorder, view: vk::ImageView, part: u32, [r, g, b]: [f32; 3]) {
    let colour = vk::ClearColorValue {
        float32: [r, g, b, 1.0],
    };
    let attachments = [vk::RenderingAttachmentInfo::default()
        .image_view(view)
        .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)
        .clear_value(vk::ClearValue { color: colour })];
    let area = vk::Rect2D {
        offset: vk::Offset2D {
            x: (part * PART).cast_signed(),
            y: 0,
        },
        extent: vk::Extent2D {
            width: PART,
            ..EXTENT
        },
    };
    let info = vk::RenderingInfo::default()
        .render_area(area)
        .layer_count(1)
        .color_attachments(&attachments);
    recorder.rendering(&info, |_| {});
    recorder.barrier(&[Access::ColourAttachment], &[Access::ColourAttachment]);
}

#[test]
fn what_differs_stands_out_of_what_does_not() {
    with_device(|device| {
        let immediate = Immediate::new(device).expect("there is memory");
        let gpu = immediate.gpu();
        let mut offscreen = Offscreen::new(gpu, EXTENT).expect("there is memory");
        let difference =
            Difference::new(gpu, EXTENT, Offscreen::FORMAT).expect("the driver takes it");
        assert!(difference.suits(EXTENT, Offscreen::FORMAT));
        let mut frames = Frames::new(device, 1).expect("there is memory");
        let mut timestamps = Timestamps::new(gpu, 1, 0).expect("there is memory");
        let mut sets = DescriptorSets::new(gpu, 1).expect("there is memory");
        sets.begin_frame();
        let target = offscreen.view();
        // The same, as good as the same, and something else.
        let pictures = [
            [[0.2, 0.3, 0.4], [0.5; 3], [0.1, 0.1, 0.6]],
            [[0.2, 0.3, 0.4], [0.505; 3], [0.7, 0.1, 0.1]],
        ];
        let drawn = offscreen.render(device, &mut frames, |cmd| {
            let mut recorder = Recorder::new(gpu, cmd, &mut timestamps).with_sets(&mut sets);
            difference.begin(&mut recorder);
            for (view, parts) in difference.targets().into_iter().zip(pictures) {
                for (part, colour) in (0..).zip(parts) {
                    fill(&mut recorder, view, part, colour);
                }
            }
            difference.record(&mut recorder, target);
            recorder.finish().expect("there are descriptor sets");
        });
        let pixels = drawn.expect("the device is not lost");
        for (ix, pixel) in pixels.chunks_exact(4).enumerate() {
            let [r, g, b] = [pixel[0], pixel[1], pixel[2]];
            let part = ix as u32 % EXTENT.width / PART;
            match part {
                0 | 1 => assert!(
                    r == g && g == b && (30..200).contains(&r),
                    "{ix}: {pixel:?}"
                ),
                _ => assert!(r > 180 && r > g + 60 && r > b + 60, "{ix}: {pixel:?}"),
            }
        }
    });
}
