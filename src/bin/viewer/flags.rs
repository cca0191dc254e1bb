//! Flags that make no sense together, refused by name before anything is loaded.

use std::path::Path;

use anyhow::{bail, ensure};
use radial_fields::engine::output::{prepare_files, prepare_folder};

use crate::cli::Cli;
use crate::picture::view_of;
use crate::preload::Choices;

/// A flag, whether it is given, and whether it has an effect.
type Rule = (&'static str, bool, bool);

/// Looks at all flags, and makes sure that results can be written.
pub fn check(cli: &Cli) -> anyhow::Result<()> {
    if cli.headless {
        refuse_without_effect("needs a window: leave --headless out", &for_windows(cli))?;
        let reason = "needs --out: without it no picture is drawn";
        refuse_without_effect(reason, &for_pictures(cli))?;
        let keeps = cli.out.is_some() || cli.export.is_some();
        let every = [("--every", cli.every.is_some(), keeps)];
        refuse_without_effect("needs --out or --export", &every)?;
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
    }
    view_of(cli.view())?;
    let choices = Choices::new(cli)?;
    ensure!(
        choices.character_count == 1 || !cli.oracle,
        "--oracle judges one character: leave it out, or say --characters 1"
    );
    prepare_outputs(cli)
}

fn for_windows(cli: &Cli) -> [Rule; 3] {
    [
        ("--screenshot", cli.screenshot.is_some(), false),
        ("--no-overlay", cli.no_overlay, false),
        ("--beside", cli.beside.is_some(), false),
    ]
}

fn for_pictures(cli: &Cli) -> [Rule; 4] {
    let draws = cli.out.is_some();
    [
        ("--view", cli.view.is_some(), draws),
        ("--size", cli.size.is_some(), draws),
        ("--camera", cli.camera.is_some(), draws),
        ("--look-at", cli.look_at.is_some(), draws),
    ]
}

fn for_headless(cli: &Cli) -> [Rule; 6] {
    [
        ("--frame-times", cli.frame_times.is_some(), false),
        ("--out", cli.out.is_some(), false),
        ("--report", cli.report.is_some(), false),
        ("--export", cli.export.is_some(), false),
        ("--every", cli.every.is_some(), false),
        ("--loops", cli.loops.is_some(), false),
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
        ("--trace", &cli.trace),
        ("--screenshot", &cli.screenshot),
    ];
    let written: Vec<_> = files
        .into_iter()
        .filter_map(|(flag, file)| Some((flag, file.as_deref()?)))
        .collect();
    let read: Vec<_> = cli
        .avatar
        .iter()
        .map(|file| ("--avatar", Path::new(file)))
        .collect();
    Ok(prepare_files(&written, &read)?)
}
