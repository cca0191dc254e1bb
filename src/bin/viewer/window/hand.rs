//! The mouse: turning and moving the camera, pulling the cloth.

use glam::Vec2;
use radial_fields::cloth::Grab;
use winit::event::{ElementState, MouseButton, MouseScrollDelta};
use winit::keyboard::ModifiersState;

use super::orbit::Orbit;
use super::parts::Part;
use super::pick::Held;

/// Where the mouse is and what it drags.
pub struct Hand {
    /// Pixels from the upper left corner.
    pub pixel: Vec2,
    pub modifiers: ModifiersState,
    /// Metres round the particle it takes in which cloth goes along.
    pub brush_radius: f32,
    drag: Drag,
}

/// Metres: about a fist.
const USUAL_BRUSH_RADIUS: f32 = 0.1;

impl Default for Hand {
    fn default() -> Self {
        Self {
            pixel: Vec2::ZERO,
            modifiers: ModifiersState::empty(),
            brush_radius: USUAL_BRUSH_RADIUS,
            drag: Drag::Nothing,
        }
    }
}

/// What a drag does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Drag {
    #[default]
    Nothing,
    Turn,
    Slide,
    /// A particle, in one of the parts of the window.
    Cloth {
        held: Held,
        part_ix: usize,
    },
}

/// What pressing a button starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// Cloth, if there is some under the mouse, else turning.
    ClothOrTurn,
    Turn,
    Slide,
}

impl Hand {
    /// What a button starts, if anything.
    pub fn press(&self, button: MouseButton) -> Option<Press> {
        match button {
            MouseButton::Left | MouseButton::Right if self.modifiers.shift_key() => {
                Some(Press::Slide)
            }
            MouseButton::Left => Some(Press::ClothOrTurn),
            MouseButton::Right => Some(Press::Turn),
            MouseButton::Middle => Some(Press::Slide),
            _ => None,
        }
    }

    pub fn start(&mut self, drag: Drag) {
        self.drag = drag;
    }

    /// Any button let go ends the drag.
    pub fn button(&mut self, state: ElementState) {
        if state == ElementState::Released {
            self.drag = Drag::Nothing;
        }
    }

    /// The mouse is at `pixel` now; `height`: of the picture.
    pub fn moved(&mut self, pixel: Vec2, height: f32, orbit: &mut Orbit) {
        let drag = pixel - self.pixel;
        self.pixel = pixel;
        match self.drag {
            Drag::Turn => orbit.turn(drag, height),
            Drag::Slide => orbit.slide(drag, height),
            Drag::Nothing | Drag::Cloth { .. } => {}
        }
    }

    /// The wheel was turned: held cloth goes along in depth, else the camera.
    pub fn wheel(&mut self, notches: f32, orbit: &mut Orbit) {
        match &mut self.drag {
            Drag::Cloth { held, .. } => held.push(notches),
            _ => orbit.zoom(notches),
        }
    }

    /// Where the cloth is pulled to, if it is.
    pub fn grab(&self, parts: &[Part]) -> Option<Grab> {
        match self.drag {
            Drag::Cloth { held, part_ix } => {
                Some(held.grab(parts.get(part_ix)?, self.pixel, self.brush_radius))
            }
            _ => None,
        }
    }
}

/// Notches of the wheel; a touchpad gives parts of one.
pub fn notches(delta: MouseScrollDelta) -> f32 {
    const PIXELS_PER_NOTCH: f64 = 40.0;
    match delta {
        MouseScrollDelta::LineDelta(_, lines) => lines,
        MouseScrollDelta::PixelDelta(pixels) => (pixels.y / PIXELS_PER_NOTCH) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_moves_the_camera_instead() {
        let mut hand = Hand::default();
        assert_eq!(hand.press(MouseButton::Left), Some(Press::ClothOrTurn));
        hand.modifiers = ModifiersState::SHIFT;
        assert_eq!(hand.press(MouseButton::Left), Some(Press::Slide));
        assert_eq!(hand.press(MouseButton::Back), None);
    }

    #[test]
    fn a_released_button_leaves_the_camera_alone() {
        let (mut hand, mut orbit) = (Hand::default(), Orbit::new());
        let start = orbit.camera;
        hand.moved(Vec2::new(10.0, 0.0), 600.0, &mut orbit);
        assert_eq!(orbit.camera, start);
        hand.start(Drag::Turn);
        hand.moved(Vec2::new(20.0, 0.0), 600.0, &mut orbit);
        assert!(orbit.camera.yaw != start.yaw);
        hand.button(ElementState::Released);
        let turned = orbit.camera;
        hand.moved(Vec2::new(90.0, 0.0), 600.0, &mut orbit);
        assert_eq!(orbit.camera, turned);
    }
}
