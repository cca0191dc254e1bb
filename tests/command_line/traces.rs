//! What Perfetto and Chrome take for a whole trace: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
//! Both are lenient and leave out without a word what they do not understand, so this is strict.

use std::collections::BTreeMap;

use serde_json::Value;

/// Microseconds: what two events that touch may be over each other by rounding.
const TOUCH: f64 = 1e-3;

/// Process and thread.
type Row = (u64, u64);

/// The events of one row that have a length: begin and end.
type Spans = BTreeMap<Row, Vec<[f64; 2]>>;

/// Checks every event of a trace alone and together with the others.
pub fn check(trace: &Value) {
    assert_eq!(trace["displayTimeUnit"], "ms");
    let events = trace["traceEvents"].as_array().expect("a list of events");
    let mut last = f64::NEG_INFINITY;
    let (mut spans, mut names) = (Spans::new(), Vec::new());
    for event in events {
        let ts = check_one(event);
        assert!(ts >= last, "events are in the order of time: {event}");
        last = ts;
        let row = row_of(event);
        match event["ph"].as_str().unwrap() {
            "X" => spans
                .entry(row)
                .or_default()
                .push([ts, ts + event["dur"].as_f64().unwrap()]),
            "M" if event["name"] == "thread_name" => names.push(row),
            _ => {}
        }
    }
    for (row, spans) in &spans {
        assert_eq!(
            names.iter().filter(|name| *name == row).count(),
            1,
            "row {row:?} has one name"
        );
        check_nesting(spans);
    }
    check_arrows(events, &spans);
}

fn row_of(event: &Value) -> Row {
    (
        event["pid"].as_u64().unwrap(),
        event["tid"].as_u64().unwrap(),
    )
}

/// The keys that its kind has, and no others. Returns its time.
fn check_one(event: &Value) -> f64 {
    let ts = event["ts"].as_f64().unwrap();
    assert!(ts.is_finite(), "{event}");
    assert!(!event["name"].as_str().unwrap().is_empty(), "{event}");
    let args = event["args"].as_object();
    let own: &[&str] = match event["ph"].as_str().unwrap() {
        "X" => {
            assert!(
                event["dur"].as_f64().is_some_and(|dur| dur >= 0.0),
                "{event}"
            );
            assert!(args.is_some_and(|args| args["frame"].is_u64()), "{event}");
            &["dur", "cat", "args"]
        }
        "C" => {
            let args = args
                .filter(|args| !args.is_empty())
                .expect("a counter has values");
            assert!(
                args.values()
                    .all(|value| value.as_f64().is_some_and(f64::is_finite)),
                "{event}"
            );
            &["cat", "args"]
        }
        "s" => {
            assert!(event["id"].is_u64(), "{event}");
            &["id", "cat"]
        }
        "f" => {
            assert!(event["id"].is_u64() && event["bp"] == "e", "{event}");
            &["id", "cat", "bp"]
        }
        "i" => {
            assert!(
                ["g", "p", "t"].iter().any(|scope| event["s"] == *scope),
                "{event}"
            );
            &["cat", "s"]
        }
        "M" => {
            let (key, is_right): (_, fn(&Value) -> bool) = match event["name"].as_str().unwrap() {
                "process_name" | "thread_name" => ("name", Value::is_string),
                "process_sort_index" => ("sort_index", Value::is_u64),
                name => panic!("{name} is no metadata of ours"),
            };
            let args = args.expect("metadata says something");
            assert!(args.len() == 1 && is_right(&args[key]), "{event}");
            &["args"]
        }
        kind => panic!("an event of kind {kind}: {event}"),
    };
    let keys = event.as_object().unwrap().keys();
    for key in keys {
        let is_known = ["name", "ph", "ts", "pid", "tid"].contains(&key.as_str());
        assert!(is_known || own.contains(&key.as_str()), "{key} in {event}");
    }
    ts
}

/// Events of a row lie within one another or beside each other: what overlaps otherwise is cut or left out.
fn check_nesting(spans: &[[f64; 2]]) {
    let mut open: Vec<[f64; 2]> = Vec::new();
    let mut sorted = spans.to_vec();
    // Of those that begin together the longest is the outermost.
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(b[1].total_cmp(&a[1])));
    for span in sorted {
        while open.last().is_some_and(|outer| outer[1] <= span[0] + TOUCH) {
            open.pop();
        }
        if let Some(outer) = open.last() {
            assert!(
                span[1] <= outer[1] + TOUCH,
                "{span:?} begins in {outer:?} and ends after it"
            );
        }
        open.push(span);
    }
}

/// Each begins once in an event that has a length, and ends once in one, no earlier.
fn check_arrows(events: &[Value], spans: &Spans) {
    let mut arrows: BTreeMap<u64, [Vec<&Value>; 2]> = BTreeMap::new();
    for event in events {
        let end = match event["ph"].as_str() {
            Some("s") => 0,
            Some("f") => 1,
            _ => continue,
        };
        let id = event["id"].as_u64().unwrap();
        arrows.entry(id).or_default()[end].push(event);
        let ts = event["ts"].as_f64().unwrap();
        let row = &spans[&row_of(event)];
        let holds = |span: &&[f64; 2]| (span[0]..=span[1] + TOUCH).contains(&ts);
        assert!(row.iter().any(|span| holds(&span)), "nothing is at {event}");
    }
    for [begin, end] in arrows.values() {
        let ([begin], [end]) = (&begin[..], &end[..]) else {
            panic!("an arrow begins and ends once: {begin:?} {end:?}");
        };
        assert_eq!((&begin["cat"], &begin["name"]), (&end["cat"], &end["name"]));
        assert!(
            begin["ts"].as_f64() <= end["ts"].as_f64(),
            "{begin} after {end}"
        );
    }
}
