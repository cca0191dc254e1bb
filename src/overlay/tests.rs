//! The panels in windows of several sizes, under a mouse that clicks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use imgui::{Context, MouseButton};

use super::side_panel::Rect;
use super::*;
use crate::Settings;
use crate::render::{Follow, ViewOptions};
use crate::stage::Stage;

/// imgui has one context at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Panels in a window, without a device.
struct Window {
    context: Context,
    panels: Panels,
    messages: Vec<Message>,
    _alone: MutexGuard<'static, ()>,
}

impl Window {
    fn new(size: [f32; 2]) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut context = Context::create();
        context.set_ini_filename(None);
        theme::apply(&mut context);
        let fonts = theme::load_fonts(&mut context, 1.0);
        context.fonts().build_rgba32_texture();
        context.io_mut().display_size = size;
        let mut window = Self {
            context,
            panels: Panels::new(fonts),
            messages: Vec::new(),
            _alone: alone,
        };
        window.settle();
        window
    }

    fn with_fault(size: [f32; 2]) -> Self {
        let mut window = Self::new(size);
        window.messages.push(Message {
            severity: Severity::Fault,
            topic: "loading",
            text: "nobody.glb: no such file, and a sentence long enough to need two lines in a window \
                   that is no wider than a telephone lying on its side"
                .to_owned(),
        });
        window.settle();
        window
    }

    fn draw(&mut self) -> Vec<Action> {
        let (settings, playback) = (Settings::default(), PLAYBACK);
        let io = self.context.io_mut();
        io.delta_time = 0.1;
        let ui = self.context.new_frame();
        let actions = self
            .panels
            .draw(ui, &facts(&settings, playback, &self.messages));
        self.context.render();
        actions
    }

    /// imgui measures windows before it shows them.
    fn settle(&mut self) {
        for _ in 0..4 {
            self.draw();
        }
    }

    fn resize(&mut self, size: [f32; 2]) {
        self.context.io_mut().display_size = size;
        self.settle();
    }

    fn click(&mut self, at: [f32; 2]) -> Vec<Action> {
        self.context.io_mut().add_mouse_pos_event(at);
        self.draw();
        let mut actions = Vec::new();
        for is_down in [true, false] {
            let io = self.context.io_mut();
            io.add_mouse_button_event(MouseButton::Left, is_down);
            actions.extend(self.draw());
        }
        // Longer than a double click.
        self.context.io_mut().add_mouse_pos_event([-1.0, -1.0]);
        (0..10).for_each(|_| actions.extend(self.draw()));
        actions
    }

    fn panel(&self, side: Side) -> Rect {
        self.panels.sides.shown(side)
    }

    fn folded(&self) -> [bool; 2] {
        self.panels.are_open().map(|is_open| !is_open)
    }

    /// On the title, away from the arrow.
    fn title(&self, side: Side) -> [f32; 2] {
        let Rect { at, size } = self.panel(side);
        [at[0] + 0.7 * size[0], at[1] + 12.0]
    }

    fn messages(&self) -> Rect {
        let layout = Layout::new(self.context.io().display_size);
        let ([middle, top], [width, _]) = layout.messages();
        Rect {
            at: [middle - 0.5 * width, top],
            size: [width, self.panels.messages_height],
        }
    }
}

const PLAYBACK: Playback = Playback {
    is_paused: true,
    speed: 1.0,
    clip_seconds: 1.0,
    clip_duration: 4.0,
    played: PlayedFrames {
        first: 0,
        round: None,
    },
    step_count: 0,
};

fn facts<'a>(settings: &'a Settings, playback: Playback, messages: &'a [Message]) -> Facts<'a> {
    Facts {
        scene: SceneFacts {
            scenes: &[],
            scene_ix: 0,
            characters: &["human"],
            character_ix: Some(0),
            character: "human",
            outfits: &["skirt"],
            outfit_ix: 0,
            clips: &["dance"],
            clip_ix: Some(0),
            techniques: &["radial fields"],
            technique_ix: 0,
            beside_ix: None,
            character_count: 1,
            triangle_count: 12,
            joint_count: 3,
            field_count: 2,
            particle_count: 100,
            wanted_particles: Some(4825),
            cell_size: 0.01,
            loading: None,
        },
        playback,
        settings,
        meets_cloth: false,
        details: &["full", "half"],
        detail_ix: 0,
        edited_ix: None,
        field_of_view: 0.6,
        props: &[],
        can_undo: false,
        can_redo: false,
        garments: &[],
        view: ViewOptions::default(),
        shows_difference: false,
        follow: Follow::Whole,
        brush_radius: 0.1,
        contenders: &[],
        times_passes: false,
        trace: TraceState::None,
        measures_quality: false,
        machine: Machine {
            device: "device",
            driver: "driver",
            is_gpu: true,
            size: (800, 500),
        },
        validation: None,
        messages,
    }
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    (0..2).all(|axis| {
        a.at[axis] < b.at[axis] + b.size[axis] && b.at[axis] < a.at[axis] + a.size[axis]
    })
}

/// Windows from a quarter of a laptop's screen to a large one.
const SIZES: [[f32; 2]; 7] = [
    [400.0, 400.0],
    [500.0, 400.0],
    [640.0, 480.0],
    [800.0, 500.0],
    [960.0, 600.0],
    [1280.0, 720.0],
    [2560.0, 1440.0],
];

#[test]
fn no_panel_covers_a_message_whether_folded_or_not() {
    for size in SIZES {
        let mut window = Window::with_fault(size);
        for opened in [None, Some(Side::Left), Some(Side::Right)] {
            if let Some(side) = opened.filter(|&side| window.folded()[side as usize]) {
                window.click(window.title(side));
            }
            let messages = window.messages();
            assert!(messages.size[1] > 20.0, "{size:?}: {messages:?}");
            for side in Side::ALL {
                let panel = window.panel(side);
                assert!(
                    !overlap(&messages, &panel),
                    "{size:?}, {opened:?}: {messages:?} and {panel:?}"
                );
                let bottom = panel.at[1] + panel.size[1];
                assert!(bottom <= size[1], "{size:?}, {opened:?}: {panel:?}");
            }
            let [left, right] = Side::ALL.map(|side| window.panel(side));
            assert!(
                !overlap(&left, &right),
                "{size:?}, {opened:?}: {left:?} and {right:?}"
            );
        }
    }
}

#[test]
fn a_message_can_be_closed_in_a_small_window() {
    let mut window = Window::with_fault([800.0, 500.0]);
    let Rect { at, size } = window.messages();
    let cross = [at[0] + size[0] - 22.0, at[1] + 20.0];
    assert_eq!(window.click(cross), [Action::Dismiss("loading")]);
}

#[test]
fn a_click_on_a_title_unfolds_a_panel_and_another_folds_it() {
    let mut window = Window::new([960.0, 600.0]);
    assert_eq!(window.folded(), [true, true]);
    window.click(window.title(Side::Left));
    assert_eq!(window.folded(), [false, true]);
    window.click(window.title(Side::Right));
    assert_eq!(window.folded(), [false, false]);
    window.click(window.title(Side::Left));
    assert_eq!(window.folded(), [true, false]);
    // The arrow does it too, once.
    let Rect { at, .. } = window.panel(Side::Left);
    window.click([at[0] + 16.0, at[1] + 12.0]);
    assert_eq!(window.folded(), [false, false]);
}

#[test]
fn panels_fold_when_a_window_gets_small_and_unfold_when_it_gets_large() {
    let mut window = Window::new([1280.0, 720.0]);
    assert_eq!(window.folded(), [false, false]);
    window.resize([960.0, 600.0]);
    assert_eq!(window.folded(), [true, true]);
    window.click(window.title(Side::Right));
    window.resize([950.0, 600.0]);
    assert_eq!(window.folded(), [true, false], "as it was left");
    window.resize([1280.0, 720.0]);
    assert_eq!(window.folded(), [false, false]);
}

#[test]
fn in_a_narrow_window_one_panel_is_open() {
    let mut window = Window::new([400.0, 500.0]);
    window.click(window.title(Side::Left));
    assert_eq!(window.folded(), [false, true]);
    window.click(window.title(Side::Right));
    window.settle();
    assert_eq!(window.folded(), [true, false]);
}

/// Presses at a place of the section, and returns the tables that are to be saved then.
fn press(
    window: &mut Window,
    section: &mut pace::PaceSection,
    times: &Times,
    at: [f32; 2],
) -> Vec<String> {
    let settings = Settings::default();
    let contenders = [Contender {
        technique: "radial fields",
        times,
        cost: Cost::default(),
        passes: &[],
        pipelines: None,
        quality_figures: None,
    }];
    let facts = Facts {
        contenders: &contenders,
        ..facts(&settings, PLAYBACK, &[])
    };
    let (mut actions, fonts) = (Vec::new(), window.panels.fonts);
    for is_down in [false, true, false] {
        let io = window.context.io_mut();
        io.add_mouse_pos_event(at);
        io.add_mouse_button_event(MouseButton::Left, is_down);
        let ui = window.context.new_frame();
        let shown = ui
            .window("section")
            .position([0.0; 2], imgui::Condition::Always);
        shown
            .size([300.0, 500.0], imgui::Condition::Always)
            .build(|| section.draw(ui, fonts, &facts, &mut actions));
        window.context.render();
    }
    let tables = actions.into_iter().filter_map(|action| match action {
        Action::SaveTimes(table) => Some(table),
        _ => None,
    });
    tables.collect()
}

#[test]
fn held_times_are_saved_as_they_were_until_they_go_on() {
    let mut window = Window::new([600.0, 600.0]);
    let (mut section, mut times) = (pace::PaceSection::default(), Times::default());
    let (freeze, save) = (50.0, 250.0);
    times.stages.push([Some(1.0); Stage::COUNT]);
    let row = (80..400)
        .map(|y| y as f32)
        .find(|&y| !press(&mut window, &mut section, &times, [save, y]).is_empty())
        .expect("there is a button")
        + 4.0;
    let mut rows = |press_first: bool, times: &Times| {
        if press_first {
            press(&mut window, &mut section, times, [freeze, row]);
        }
        let tables = press(&mut window, &mut section, times, [save, row]);
        tables[0].lines().count() - 1
    };
    assert_eq!(rows(true, &times), 1);
    times.stages.push([Some(2.0); Stage::COUNT]);
    assert_eq!(rows(false, &times), 1, "held");
    assert_eq!(rows(true, &times), 2, "let go");
}

/// A click on each row of the section, at the same place of the width.
#[test]
fn the_clip_is_sought_by_its_slider() {
    let mut window = Window::new([600.0, 600.0]);
    let (width, mut actions) = (300.0, Vec::new());
    let mut frame = |context: &mut Context| {
        let ui = context.new_frame();
        let section = ui
            .window("section")
            .position([0.0; 2], imgui::Condition::Always);
        section
            .size([width, 300.0], imgui::Condition::Always)
            .build(|| playback::draw(ui, &PLAYBACK, &mut actions));
        context.render();
    };
    for row in 0..20 {
        let io = window.context.io_mut();
        io.add_mouse_pos_event([0.7 * width, 34.0 + 8.0 * row as f32]);
        frame(&mut window.context);
        for is_down in [true, false] {
            let io = window.context.io_mut();
            io.add_mouse_button_event(MouseButton::Left, is_down);
            frame(&mut window.context);
        }
    }
    let sought = actions.iter().filter_map(|action| match action {
        Action::Seek(seconds) => Some(seconds / PLAYBACK.clip_duration),
        _ => None,
    });
    let sought: Vec<f32> = sought.collect();
    assert!(!sought.is_empty(), "{actions:?}");
    assert!(
        sought.iter().all(|part| (0.3..0.8).contains(part)),
        "{sought:?}"
    );
}
