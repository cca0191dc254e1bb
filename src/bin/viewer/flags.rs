//! Flags that make no sense together, refused by name before anything is loaded.

use std::path::Path;

use anyhow::{bail, ensure};
use radial_fields::engine::output::{prepare_files, prepare_folder};
use radial_fields::render::Follow;

use crate::cli::Cli;
use crate::detail::DetailChoice;
use crate::headless::check_frames;
use crate::preload::Choices;

/// A flag, whether it is given, and whether it has an effect.
type Rule = (&'static str, bool, bool);

/// Looks at all flags, and makes sure that results can be written. Returns them with what a setup says.
pub fn check(cli: &Cli) -> anyhow::Result<Cli> {
    let traces = cli.trace.is_some();
    let traced = [("--trace-over", cli.trace_over.is_some(), traces)];
    refuse_without_effect("needs --trace", &traced)?;
    if cli.headless {
        refuse_without_effect("needs a window: leave --headless out", &for_windows(cli))?;
        let traced = [
            ("--trace-from", cli.trace_from.is_some(), traces),
            ("--trace-frames", cli.trace_frames.is_some(), traces),
        ];
        refuse_without_effect("needs --trace", &traced)?;
        let reason = "needs --out or --gif: without them no picture is drawn";
        refuse_without_effect(reason, &for_pictures(cli))?;
        let keeps = cli.draws() || cli.export.is_some();
        let kept = [
            ("--every", cli.every.is_some(), keeps),
            ("--from", cli.from.is_some(), keeps),
        ];
        refuse_without_effect("needs --out, --gif or --export", &kept)?;
        check_frames(cli)?;
    } else {
        refuse_without_effect("needs --headless", &for_headless(cli))?;
        ensure!(
            cli.screenshot.is_none() || cli.frames.is_some(),
            "--screenshot needs --frames: it is taken when they are over"
        );
    }
    if let (Some(camera), Some(look_at)) = (cli.camera, cli.look_at) {
        ensure!(
            camera.distance(look_at) > 0.0,
            "--camera and --look-at are the same point: give two"
        );
        ensure!(
            cli.follow.is_none_or(|follow| follow == Follow::Stay),
            "--follow has nowhere to go where --camera and --look-at put the camera: leave one of them out"
        );
    }
    let mut set_up = cli.with_setup()?;
    if cli.headless {
        // Only a window shows two.
        set_up.beside = None;
    }
    let cli = &set_up;
    ensure!(
        cli.headless || !cli.difference || cli.beside.is_some(),
        "--difference needs --beside: it shows where two pictures differ"
    );
    cli.view()?;
    Choices::new(cli)?;
    let part = cli.clip_part();
    ensure!(
        part.round.is_none_or(|[_, to]| part.first < to),
        "--start-frame lies behind --clip-frames: begin before their end"
    );
    prepare_outputs(cli)?;
    Ok(set_up)
}

fn for_windows(cli: &Cli) -> [Rule; 4] {
    [
        ("--screenshot", cli.screenshot.is_some(), false),
        ("--no-overlay", cli.no_overlay, false),
        ("--beside", cli.beside.is_some(), false),
        ("--difference", cli.difference, false),
    ]
}

fn for_pictures(cli: &Cli) -> [Rule; 6] {
    let draws = cli.draws();
    // The cloth's detail goes by what a picture would show.
    let looks = draws || cli.detail() == DetailChoice::Auto;
    [
        ("--view", cli.view.is_some(), draws),
        ("--size", cli.size.is_some(), looks),
        ("--camera", cli.camera.is_some(), looks),
        ("--look-at", cli.look_at.is_some(), looks),
        ("--follow", cli.follow.is_some(), looks),
        ("--panels", cli.panels, draws),
    ]
}

fn for_headless(cli: &Cli) -> [Rule; 13] {
    [
        ("--frame-times", cli.frame_times.is_some(), false),
        ("--out", cli.out.is_some(), false),
        ("--report", cli.report.is_some(), false),
        ("--export", cli.export.is_some(), false),
        ("--gif", cli.gif.is_some(), false),
        ("--panels", cli.panels, false),
        ("--every", cli.every.is_some(), false),
        ("--from", cli.from.is_some(), false),
        ("--loops", cli.loops.is_some(), false),
        ("--trace-from", cli.trace_from.is_some(), false),
        ("--passes", cli.passes, false),
        ("--whole-frames", cli.whole_frames, false),
        ("--pipelines", cli.pipelines, false),
    ]
}

fn refuse_without_effect(reason: &str, rules: &[Rule]) -> anyhow::Result<()> {
    let idle = rules.iter().find(|(_, given, acts)| *given && !acts);
    if let Some((flag, ..)) = idle {
        bail!("{flag} {reason}");
    }
    Ok(())
}

fn prepare_outputs(cli: &Cli) -> anyhow::Result<()> {
    for folder in [&cli.out, &cli.export].into_iter().flatten() {
        prepare_folder(folder)?;
    }
    let files = [
        ("--report", &cli.report),
        ("--frame-times", &cli.frame_times),
        ("--gif", &cli.gif),
        ("--trace", &cli.trace),
        ("--screenshot", &cli.screenshot),
    ];
    let written: Vec<_> = files
        .into_iter()
        .filter_map(|(flag, file)| Some((flag, file.as_deref()?)))
        .collect();
    let read = [
        ("--avatar", cli.avatar.as_ref().map(Path::new)),
        ("--setup", cli.setup.as_deref()),
        ("--garment-file", cli.garment_file.as_deref()),
    ];
    let read: Vec<_> = read
        .into_iter()
        .filter_map(|(flag, file)| Some((flag, file?)))
        .collect();
    Ok(prepare_files(&written, &read)?)
}
