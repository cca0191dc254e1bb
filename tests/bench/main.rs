//! The bench from end to end: what it writes, what it refuses, what it calls slower.

#![expect(clippy::unwrap_used, reason = "a panic fails the test, and says where")]

mod crowds;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use radial_fields::cloth::ClothSettings;
use radial_fields::collide::CollideSettings;
use serde_json::{Value, json};

fn bench(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench"))
        .args(args)
        .output()
        .unwrap()
}

/// An empty folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("bench")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read_json(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

const FRAMES: usize = 4;
/// What brings a character into its clip in six steps.
const HASTY: [&str; 2] = ["--preroll", "0.1"];

/// One condition, two techniques, few frames and particles, validated: every output is whole and holds what it should.
#[test]
fn a_comparison_leaves_whole_files() {
    let folder = folder("comparison");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let output = bench(&[
        "--conditions",
        "1",
        "--techniques",
        "radial,lbvh",
        "--frames",
        &FRAMES.to_string(),
        "--particles",
        "300",
        "--runs",
        "2",
        HASTY[0],
        HASTY[1],
        "--oracle",
        "--validate",
        "--json",
        &file("r.json"),
        "--csv",
        &file("r.csv"),
        "--plot",
        &file("p.png"),
        "--frame-times",
        &file("f.csv"),
        "--trace",
        &file("t.json"),
    ]);
    let (said, warned) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}\n{warned}");
    for word in ["radial", "lbvh", "GTX 1080", "Male Low", "one of each"] {
        assert!(said.contains(word), "the table lacks {word:?}:\n{said}");
    }
    let results = read_json(&folder.join("r.json"));
    check_results(&results);
    check_csv(&std::fs::read_to_string(folder.join("r.csv")).unwrap());
    check_plot(&folder.join("p.png"));
    check_trace(&read_json(&folder.join("t.json")));
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    check_frame_times(&std::fs::read_to_string(folder.join("f.csv")).unwrap());
    assert_eq!(left.len(), 5, "partial files are left: {left:?}");

    // What the bench writes is what its diff reads; a run is no slower than itself.
    let same = bench(&["diff", &file("r.json"), &file("r.json")]);
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stdout));
    assert!(text(&same.stdout).contains(" 0 slower"));
}

fn check_results(results: &Value) {
    assert_eq!(results["frames"], FRAMES);
    assert_eq!(results["validation"], json!({"errors": 0, "warnings": 0}));
    assert_eq!(results["failures"], json!([]));
    let condition = &results["conditions"][0];
    assert_eq!(condition["paper_triangles"], 10_827);
    assert_eq!(condition["paper_particles"], 1_297);
    assert!(condition["triangle_deviation"].as_f64().unwrap().abs() < 0.02);
    let notes = condition["notes"].to_string();
    assert!(notes.contains("not the paper's condition"), "{notes}");
    let trials = results["trials"].as_array().unwrap();
    let names: Vec<_> = trials.iter().map(|trial| &trial["technique"]).collect();
    assert_eq!(names, ["radial", "lbvh"]);
    trials.iter().for_each(check_trial);
    assert!((trials[0]["paper"]["update_ms"].as_f64().unwrap() - 0.06).abs() < 1e-6);
    assert_eq!(trials[1]["paper"], Value::Null);
    let speed_up = &results["speed_ups"][0];
    assert_eq!(speed_up["rival"], "lbvh");
    let ratio = |ms: &str| {
        let median = |ix: usize| trials[ix][ms]["median"].as_f64().unwrap();
        median(1) / median(0)
    };
    assert!((speed_up["one_of_each"].as_f64().unwrap() - ratio("both_ms")).abs() < 1e-4);
    assert!((speed_up["whole_frame"].as_f64().unwrap() - ratio("frame_ms")).abs() < 1e-4);
}

fn check_trial(trial: &Value) {
    let ms = |name: &str, of: &str| trial[name][of].as_f64().unwrap();
    for name in ["update_ms", "collide_ms", "both_ms", "frame_ms"] {
        assert!(ms(name, "median") > 0.0, "{name} of {trial}");
        assert!(ms(name, "p95") >= ms(name, "median"), "{name} of {trial}");
    }
    let runs = trial["runs"].as_array().unwrap();
    let both = |ix: usize| runs[ix]["both_ms"].as_f64().unwrap();
    assert_eq!(runs.len(), 2);
    // Of two runs the quicker one stands in the middle.
    assert_eq!(ms("both_ms", "median"), both(0).min(both(1)));
    assert_eq!(trial["updates_per_frame"], 1);
    // One in so many sub-steps, the final one, and that of what shortening has drawn in.
    let sub_steps = ClothSettings::default().sub_steps;
    let collisions = sub_steps.div_ceil(CollideSettings::default().stride) + 2;
    assert_eq!(trial["collisions_per_frame"], collisions);
    assert!(ms("frame_ms", "median") > ms("both_ms", "median"));
    assert!(trial["launches"]["dispatches"].as_u64().unwrap() > 0);
    assert!(trial["memory"]["structure_bytes"].as_u64().unwrap() > 0);
    assert_eq!(trial["non_finite_particles"], 0);
    assert_eq!(trial["quality"]["frames"], FRAMES);
    assert_eq!(trial["state_hash"].as_str().unwrap().len(), 16);
    // A device without the counters leaves a note instead; Mesa's devices have them.
    let counts = trial["invocations"].as_array().unwrap();
    let collide = counts.iter().find(|count| count["name"] == "collide");
    assert!(
        collide.unwrap()["compute"].as_u64().unwrap() > 0,
        "{counts:?}"
    );
}

fn check_csv(csv: &str) {
    let head = csv.lines().take_while(|line| line.starts_with("# "));
    let head: Vec<&str> = head.collect();
    assert!(
        head.concat().contains("radial_fields.bench.comparison"),
        "{csv}"
    );
    let lines: Vec<&str> = csv.lines().skip(head.len()).collect();
    assert_eq!(lines.len(), 3, "{csv}");
    let widths: Vec<_> = lines.iter().map(|line| line.split(',').count()).collect();
    assert_eq!(widths, [widths[0]; 3], "{csv}");
    assert!(lines[0].contains(",stage_collide_update_ms_median"));
    assert!(lines[1].starts_with("1,\"Male Low\""));
}

/// Few frames of some variants, validated: the tables have them all, and the figures of section 10.1.
#[test]
fn an_ablation_leaves_a_table_and_its_rows() {
    let folder = folder("ablation");
    let args = [
        "ablation",
        "--frames",
        "2",
        "--particles",
        "300",
        "--runs",
        "1",
        "--poses",
        "1",
        HASTY[0],
        HASTY[1],
        "--fields",
        "paper,shipped",
        "--rivals",
        "distance_field",
        "--validate",
        "--out",
        folder.to_str().unwrap(),
    ];
    let output = bench(&args);
    let warned = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{warned}");
    let table = std::fs::read_to_string(folder.join("ablation.md")).unwrap();
    assert_eq!(text(&output.stdout).trim(), table.trim());
    let ogre = "| distance_field | 66.";
    for part in ["## Cost", "## Quality", "## Section 10.1", "4 to 5", ogre] {
        assert!(table.contains(part), "{table}");
    }
    let rows = std::fs::read_to_string(folder.join("ablation.csv")).unwrap();
    let names: Vec<_> = rows.lines().map(|row| row.split(',').next()).collect();
    let expected = ["fields", "paper", "shipped"];
    assert_eq!(names, expected.map(Some));
    let end = |ix: usize| rows.lines().nth(ix).unwrap().rsplit(',').next().unwrap();
    assert_ne!(end(1), end(2), "{rows}");
}

#[test]
fn an_ablation_of_what_does_not_exist_is_refused() {
    let unknown = ["ablation", "--fields", "paper,magic"];
    assert_refused(&unknown, "there are no fields \"magic\"");
    let rival = ["ablation", "--technique", "bvh"];
    assert_refused(&rival, "--technique bvh has no radial fields");
    let nobody = ["ablation", "--rivals", "magic"];
    assert_refused(&nobody, "magic");
    assert_refused(&["--fields", "papers"], "choose shipped, paper");
}

/// A row a frame and technique.
fn check_frame_times(csv: &str) {
    let lines: Vec<&str> = csv.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(
        lines[0].starts_with("condition,technique,frame,sum_ms,gaps_ms,"),
        "{csv}"
    );
    for technique in ["1,radial,", "1,lbvh,"] {
        let rows = lines.iter().filter(|line| line.starts_with(technique));
        assert_eq!(rows.count(), FRAMES, "{csv}");
    }
}

/// It has the bars' colours, and is not one colour.
fn check_plot(file: &Path) {
    let picture = image::open(file).unwrap().to_rgb8();
    let count = |colour: [u8; 3]| picture.pixels().filter(|pixel| pixel.0 == colour).count();
    let pixels = (picture.width() * picture.height()) as usize;
    for (what, colour) in [("radial's", [0, 114, 178]), ("lbvh's", [204, 121, 167])] {
        assert!(count(colour) > 1_000, "no bar in {what} colour");
    }
    assert!(count([255; 3]) < pixels && count([255; 3]) > pixels / 4);
}

/// Every event as the trace format has it; rows in order, without overlap; the GPU never before its frame is submitted.
fn check_trace(trace: &Value) {
    let events = trace["traceEvents"].as_array().unwrap();
    let mut rows: BTreeMap<(u64, u64), Vec<&Value>> = BTreeMap::new();
    let (mut latest, mut arrows, mut arrow_count) = (f64::NEG_INFINITY, BTreeMap::new(), 0);
    for event in events {
        let number = |key: &str| {
            event[key]
                .as_u64()
                .unwrap_or_else(|| panic!("{key} of {event}"))
        };
        let row = (number("pid"), number("tid"));
        let ts = event["ts"].as_f64().unwrap();
        assert!(ts.is_finite() && ts >= latest, "{event} after {latest}");
        latest = ts;
        match event["ph"].as_str().unwrap() {
            "M" if event["name"] == "process_sort_index" => {
                assert_eq!(event["args"]["sort_index"], event["pid"], "{event}");
            }
            "M" => assert!(event["args"]["name"].is_string(), "{event}"),
            "X" => {
                assert!(event["dur"].as_f64().unwrap() >= 0.0, "{event}");
                assert!(!event["name"].as_str().unwrap().is_empty());
                rows.entry(row).or_default().push(event);
            }
            "C" => {
                let values = event["args"].as_object().unwrap().values();
                assert!(
                    values.clone().all(|value| value.as_f64() >= Some(0.0)),
                    "{event}"
                );
                assert!(values.count() > 0, "{event}");
            }
            "s" => assert!(arrows.insert(number("id"), ts).is_none(), "{event}"),
            "f" => {
                let from = arrows.remove(&number("id"));
                assert!(
                    from.is_some_and(|from| from <= ts + ROUNDING),
                    "{event} from {from:?}"
                );
                arrow_count += 1;
            }
            other => panic!("{other:?} in {event}"),
        }
    }
    assert!(
        arrows.is_empty() && arrow_count > 0,
        "{arrows:?} end nowhere"
    );
    assert_eq!(
        rows.keys().copied().collect::<Vec<_>>(),
        [(101, 1), (101, 2), (102, 1), (102, 2)]
    );
    rows.values().for_each(|row| check_row(row));
    for run in [101, 102] {
        assert_eq!(begin(rows[&(run, 1)][0]), 0.0, "every trial begins at zero");
        check_order(&rows[&(run, 1)], &rows[&(run, 2)]);
    }
}

/// Microseconds by which rounding may let neighbours overlap.
const ROUNDING: f64 = 0.01;

fn check_row(row: &[&Value]) {
    for pair in row.windows(2) {
        assert!(
            end(pair[0]) <= begin(pair[1]) + ROUNDING,
            "{} and {}",
            pair[0],
            pair[1]
        );
    }
}

fn check_order(cpu: &[&Value], gpu: &[&Value]) {
    for frame in 0..FRAMES {
        let is_of_frame = |event: &&&Value| event["args"]["frame"] == frame;
        let submit = cpu
            .iter()
            .filter(is_of_frame)
            .find(|e| e["name"] == "submit");
        let first = gpu.iter().find(is_of_frame).unwrap();
        // The clocks of Mesa's software device and of the CPU are one; reading them takes a moment.
        assert!(
            begin(first) >= begin(submit.unwrap()) - 1_000.0,
            "{first} before {submit:?}"
        );
    }
    assert!(gpu.iter().any(|event| event["name"] == "collide_update"));
}

fn begin(event: &Value) -> f64 {
    event["ts"].as_f64().unwrap()
}

fn end(event: &Value) -> f64 {
    begin(event) + event["dur"].as_f64().unwrap()
}

/// A result of one trial with one stage.
fn saved(technique: &str, median_ms: f64) -> Value {
    json!({
        "device": {"name": "a GPU", "driver": "1.0"},
        "trials": [{
            "condition": 1,
            "technique": technique,
            "stages": [{"name": "collide", "gpu_ms": {"median": median_ms}}],
        }],
    })
}

#[test]
fn diff_tells_slower_from_faster_by_its_threshold() {
    let folder = folder("diff");
    let file = |name: &str, value: &Value| {
        let path = folder.join(name);
        std::fs::write(&path, value.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (slow, fast) = (
        file("slow", &saved("radial", 0.3)),
        file("fast", &saved("radial", 0.2)),
    );
    let near = file("near", &saved("radial", 0.201));
    let cases: [(&[&str], i32, &str); 5] = [
        (&[&fast, &slow], 1, "50.0 % slower"),
        (&[&slow, &fast], 0, "33.3 % faster"),
        (&[&fast, &slow, "--threshold", "60%"], 0, "0 slower"),
        (&[&fast, &slow, "--threshold", "40"], 1, "1 slower"),
        // A microsecond is no change, whatever the threshold.
        (&[&fast, &near, "--threshold", "0"], 0, "0 slower"),
    ];
    for (args, code, words) in cases {
        let output = bench(&[&["diff"], args].concat());
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(
            said.contains(words),
            "{args:?} does not say {words:?}: {said}"
        );
    }
}

/// The middle run is without the second trial; the plot has a line each.
#[test]
fn diff_follows_a_series_of_runs() {
    let folder = folder("series");
    let run = |commit: &str, sums: &[(&str, f64)]| {
        let trials = sums.iter().flat_map(|&(technique, ms)| {
            let one = saved(technique, ms);
            one["trials"].as_array().unwrap().clone()
        });
        let mut run = saved("radial", 1.0);
        run["trials"] = trials.collect();
        run["identity"] = json!({ "commit": commit });
        let path = folder.join(commit);
        std::fs::write(&path, run.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let first = run("aaaaaaaaaa", &[("radial", 1.0), ("lbvh", 2.0)]);
    let second = run("bbbbbbbbbb", &[("radial", 3.0)]);
    let third = run("cccccccccc", &[("radial", 1.01), ("lbvh", 1.5)]);
    let plot = folder.join("plot.png");
    let output = bench(&[
        "diff",
        &first,
        &second,
        &third,
        "--plot",
        plot.to_str().unwrap(),
    ]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("25.0 % faster"), "{said}");
    let row = |name: &str| {
        let line = said.lines().find(|line| line.contains(name)).unwrap();
        line.split_whitespace().rev().take(3).collect::<Vec<_>>()
    };
    assert_eq!(row("sum of medians"), ["ccccccc", "bbbbbbb", "aaaaaaa"]);
    assert_eq!(row("condition 1, lbvh "), ["1.500", "-", "2.000"]);
    let picture = image::open(plot).unwrap().to_rgb8();
    let is_coloured =
        |p: &&image::Rgb<u8>| p.0[0].abs_diff(p.0[1]).max(p.0[1].abs_diff(p.0[2])) > 60;
    assert!(picture.pixels().filter(is_coloured).count() > 1_000);
}

/// One line on stderr that says `words`, exit code 2, nothing on stdout.
fn assert_refused(args: &[&str], words: &str) {
    let output = bench(args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
    assert!(said.starts_with("bench: "), "{args:?}: {said}");
    assert!(
        said.contains(words),
        "{args:?} does not say {words:?}: {said}"
    );
    assert_eq!(text(&output.stdout), "", "{args:?}");
}

#[test]
fn flags_that_make_no_sense_are_refused_in_a_line() {
    assert_refused(&["--conditions", "11"], "from 1 to 10");
    assert_refused(&["--conditions", "1,two"], "\"two\"");
    assert_refused(&["--techniques", "radial,magic"], "spatial_hash");
    assert_refused(&["--frames", "0"], "0");
    assert_refused(&["--preroll", "0"], "from 0.1 to 60");
    assert_refused(&["--particles", "12"], "12");
    assert_refused(&["--oracle-every", "3"], "--oracle");
    assert_refused(&["--colour", "red"], "--colour");
    assert_refused(
        &["--gpu", "no such device", "--frames", "1"],
        "no such device",
    );
    assert_refused(&["--json", env!("CARGO_TARGET_TMPDIR")], "folder");
    assert_refused(
        &[
            "--plot",
            concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml/p.png"),
        ],
        "cannot write",
    );
}

#[test]
fn diff_refuses_what_it_cannot_compare() {
    let folder = folder("unusable");
    let file = |name: &str, content: &str| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = file("good", &saved("radial", 0.3).to_string());
    let other = file("other", &saved("lbvh", 0.3).to_string());
    let cut = file("cut", &saved("radial", 0.3).to_string()[..40]);
    let foreign = file("foreign", r#"{"stages": []}"#);
    assert_refused(&["diff", &good, "no_such_file.json"], "no_such_file.json");
    assert_refused(&["diff", &cut, &good], "no result of the bench");
    assert_refused(&["diff", &good, &foreign], "no result of the bench");
    assert_refused(&["diff", &good, &other], "in common");
    assert_refused(&["diff", &good, &good, "--threshold", "fast"], "10%");
    assert_refused(&["diff", &good], "2 values required");
    let over = ["diff", &good, &good, "--plot", &good];
    assert_refused(&over, "are the same file");
}

/// A box of OBJ quads and the same without its lid, validated.
#[test]
fn fields_of_meshes_are_measured_and_those_of_no_mesh_refused() {
    let folder = folder("field");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let corners = [
        "0 0 0", "1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1", "1 1 1", "0 1 1",
    ];
    let faces = [
        "4 3 2 1", "5 6 7 8", "1 5 8 4", "2 3 7 6", "3 4 8 7", "1 2 6 5",
    ];
    let vertices = corners.map(|corner| format!("v {corner}\n")).concat();
    for (name, count) in [("closed.obj", 6), ("open.obj", 5)] {
        let faces: String = faces[..count]
            .iter()
            .map(|face| format!("f {face}\n"))
            .collect();
        std::fs::write(folder.join(name), vertices.clone() + &faces).unwrap();
    }
    let flags = ["field", "--cells", "12", "--points", "1000", "--validate"];
    let [closed, open, csv] = ["closed.obj", "open.obj", "rows.csv"].map(file);
    let own = [
        "--mesh",
        &closed,
        "--mesh",
        &open,
        "--longest",
        "0.5",
        "--csv",
        &csv,
    ];
    let output = bench(&[&flags[..], &own].concat());
    let (said, warned) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}\n{warned}");
    assert!(
        warned.contains("10 triangles") && warned.contains("not closed"),
        "{warned}"
    );
    let rows = std::fs::read_to_string(folder.join("rows.csv")).unwrap();
    // Behind the names of device and mesh, which are quoted.
    let cells = |line: &str| -> Vec<String> {
        let numbers = line.rsplit('"').next().unwrap();
        numbers.split(',').skip(1).map(str::to_owned).collect()
    };
    let lines: Vec<_> = rows.lines().map(cells).collect();
    assert_eq!(lines.len(), 3, "{rows}");
    let columns = rows.lines().next().unwrap().split(',').count() - 2;
    assert!(
        lines[1..].iter().all(|cells| cells.len() == columns),
        "{rows}"
    );
    let wrong =
        |line: usize, rule: usize| lines[line][columns - 3 + rule].parse::<usize>().unwrap();
    assert_eq!([wrong(1, 1), wrong(1, 2)], [0, 0], "{rows}");
    assert!(wrong(2, 1) > wrong(2, 2), "{rows}");

    std::fs::write(folder.join("none.obj"), vertices).unwrap();
    std::fs::write(folder.join("text.obj"), "v 1 2 three\n").unwrap();
    for (name, said) in [
        ("none.obj", "none of the solid's 0 triangles has an area"),
        ("text.obj", "line 1"),
        ("missing.obj", "cannot be read"),
    ] {
        let output = bench(&[&flags[..], &["--mesh", &file(name)]].concat());
        let warned = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{warned}");
        assert!(
            warned.contains(said) && warned.contains(name.split('.').next().unwrap()),
            "{warned}"
        );
    }
}
