//! What reports say of themselves, and of single frames.

use std::fs;

use serde_json::Value;

use crate::{Figure, HASTY, VIEWER, assert_done, folder, run, text, traces};

const FRAMES: usize = 14;
/// Those that are not timed: the first ten, and those whose times had not come in at the end.
const UNTIMED: usize = 10;

#[test]
fn a_report_says_who_made_it_and_how_single_frames_spread() {
    let folder = folder("reports");
    let figure = Figure::new([-0.3, 0.0, -0.2], [0.3, 1.8, 0.2]).write(&folder, "figure.glb");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (report, times, trace) = (file("r.json"), file("t.csv"), file("trace.json"));
    let output = run(
        VIEWER,
        [
            figure.to_str().unwrap(),
            "--headless",
            "--garment",
            "sheet",
            "--particles",
            "200",
            "--frames",
            &FRAMES.to_string(),
            "--report",
            &report,
            "--frame-times",
            &times,
            "--passes",
            "--trace",
            &trace,
            "--trace-from",
            "3",
            "--trace-frames",
            "5",
            // Every frame takes longer.
            "--trace-over",
            "0",
            "--pipelines",
            HASTY[0],
            HASTY[1],
        ],
    );
    assert_done(&output);
    let table = text(&output.stdout);
    assert!(
        table.contains("p99 ms") && table.contains("gaps"),
        "{table}"
    );
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    check_identity(&report["identity"]);
    let sum = &report["whole_frame"]["sum_ms"];
    assert_eq!(sum["count"], FRAMES - UNTIMED);
    for [low, high] in [
        ["min", "median"],
        ["median", "p95"],
        ["p95", "p99"],
        ["p99", "max"],
    ] {
        assert!(sum[low].as_f64() <= sum[high].as_f64(), "{sum}");
    }
    check_frames(&fs::read_to_string(times).unwrap(), &report);
    check_passes(&report);
    // A driver tells what it makes of shaders, or the program says that it does not.
    let is_told = report["pipelines"]
        .as_array()
        .is_some_and(|told| !told.is_empty());
    let says_not = text(&output.stderr).contains("does not tell what it makes of shaders");
    assert!(is_told != says_not, "{}", text(&output.stderr));
    check_trace(&serde_json::from_slice(&fs::read(trace).unwrap()).unwrap());
}

#[test]
fn frames_that_are_timed_alone_have_no_stages() {
    let folder = folder("whole_frames");
    let figure = Figure::new([-0.3, 0.0, -0.2], [0.3, 1.8, 0.2]).write(&folder, "figure.glb");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (report, times) = (file("r.json"), file("t.csv"));
    let frames = FRAMES.to_string();
    let figure = [&[figure.to_str().unwrap(), "--garment", "none"], &HASTY[..]].concat();
    let timed = ["--headless", "--frames", &frames, "--whole-frames"];
    let written = ["--report", &report, "--frame-times", &times];
    let output = run(VIEWER, [&figure[..], &timed[..], &written[..]].concat());
    assert_done(&output);
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    let sum = &report["whole_frame"]["sum_ms"];
    assert!(sum["count"] == FRAMES - UNTIMED && sum["min"].as_f64() > Some(0.0));
    assert_eq!(report["stages"].as_array().map(Vec::len), Some(0));
    let header = fs::read_to_string(times).unwrap();
    assert!(header.contains("frame,sum_ms,gaps_ms\n"), "{header}");
}

/// Each row is of one shader in one stage; all of them are the frame's dispatches.
fn check_passes(report: &Value) {
    let passes = report["passes"].as_array().unwrap();
    let per_frame = passes
        .iter()
        .map(|pass| pass["per_frame"].as_u64().unwrap());
    let launches = &report["launches"];
    let all = launches["dispatches"].as_u64().unwrap() + launches["draws"].as_u64().unwrap();
    assert_eq!(per_frame.sum::<u64>(), all);
    for pass in passes {
        assert!(pass["name"].as_str().unwrap().contains('/'), "{pass}");
        assert!(pass["bound_mb"].as_f64() > Some(0.0), "{pass}");
        assert!(pass["gpu_ms"]["count"].as_u64() > Some(0), "{pass}");
    }
}

/// The frames that were asked for, each with its passes.
fn check_trace(trace: &Value) {
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    assert_eq!(of("record"), 5);
    assert_eq!(of("skin/bake.comp"), 5);
    let arrows = events.iter().filter(|event| event["ph"] == "s");
    assert_eq!(arrows.count(), 5);
    assert_eq!(of("slow frame"), 1);
    traces::check(trace);
}

fn check_identity(identity: &Value) {
    assert_eq!(identity["schema"], "radial_fields.viewer.report");
    assert!(identity["schema_version"].as_u64() >= Some(2));
    assert_eq!(identity["crate_version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        identity["date"].as_str().unwrap().len(),
        "2026-01-31T12:00:00Z".len()
    );
    let command = identity["command"].as_str().unwrap();
    assert!(
        command.starts_with("viewer ") && command.contains("--frame-times"),
        "{command}"
    );
    let device = &identity["device"];
    for key in ["name", "driver", "api"] {
        assert!(!device[key].as_str().unwrap().is_empty(), "{device}");
    }
    assert!(
        device["vendor_id"].is_u64() && device["device_id"].is_u64(),
        "{device}"
    );
    assert_eq!(identity["resolution"], Value::Null, "nothing is drawn");
}

/// A row a timed frame, whose stages come to its sum; the report's largest sum is one of them.
fn check_frames(csv: &str, report: &Value) {
    let mut lines = csv.lines().skip_while(|line| line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..3], ["frame", "sum_ms", "gaps_ms"]);
    let rows: Vec<Vec<f64>> = lines
        .map(|line| {
            line.split(',')
                .map(|cell| cell.parse().unwrap_or(0.0))
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), FRAMES - UNTIMED);
    for row in &rows {
        assert_eq!(row.len(), header.len());
        let stages: f64 = row[3..].iter().sum();
        assert!((stages - row[1]).abs() < 1e-3 * row[1].max(1e-3), "{row:?}");
    }
    assert!(
        rows.windows(2).all(|pair| pair[0][0] < pair[1][0]),
        "{rows:?}"
    );
    let most = rows.iter().map(|row| row[1]).fold(0.0, f64::max);
    let reported = report["whole_frame"]["sum_ms"]["max"].as_f64().unwrap();
    assert!(
        (most - reported).abs() < 1e-3 * most,
        "{most} and {reported}"
    );
}
