//! Where results go: over regular files whole or not at all, through links, into devices and pipes; and what happens when the
//! reader has gone.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use radial_fields::engine::output::{prepare_files, write_whole};

use crate::{BENCH, Figure, MAKE_HUMAN, SHORT, VIEWER, assert_done, folder, run, text};

fn refusal(file: &Path) -> String {
    let prepared = prepare_files(&[("--report", file)], &[]);
    let prepared = prepared.unwrap_err().to_string();
    let written = write_whole(file, b"new").unwrap_err().to_string();
    assert_eq!(prepared, written);
    written
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn a_read_only_file_stays_as_it_is() {
    let folder = folder("read_only");
    let file = folder.join("kept.json");
    fs::write(&file, "old").unwrap();
    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    assert!(refusal(&file).contains("it is read-only"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert!(refusal(&folder).contains("it is a folder"));
    assert_eq!(names_in(&folder), ["kept.json"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder("links");
    fs::create_dir(folder.join("there")).unwrap();
    let (file, fresh) = (folder.join("there/old.json"), folder.join("there/new.json"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let links = ["link", "onward", "dangling", "round"].map(|name| folder.join(name));
    symlink("there/old.json", &links[0]).unwrap();
    symlink("link", &links[1]).unwrap();
    symlink(&fresh, &links[2]).unwrap();
    symlink("round", &links[3]).unwrap();
    for (link, target) in [(1, &file), (2, &fresh)] {
        write_whole(&links[link], b"new").unwrap();
        assert_eq!(fs::read_to_string(target).unwrap(), "new");
    }
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert!(links.iter().all(|link| link.is_symlink()));
    assert!(refusal(&links[3]).contains("circle"));
    assert_eq!(names_in(&folder.join("there")), ["new.json", "old.json"]);
}

/// A pipe stands for whatever is no regular file: none of them may be replaced.
#[cfg(unix)]
#[test]
fn a_pipe_gets_the_bytes_and_stays_one() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = folder("pipe");
    let pipe = folder.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    prepare_files(&[("--report", &pipe)], &[]).unwrap();
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    write_whole(&pipe, b"all of it").unwrap();
    assert_eq!(reader.join().unwrap(), "all of it");
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(names_in(&folder), ["pipe"]);
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_to() {
    let folder = folder("devices");
    let [full, null] = ["full", "null"].map(|name| {
        let link = folder.join(name);
        std::os::unix::fs::symlink(Path::new("/dev").join(name), &link).unwrap();
        link
    });
    let both = [("--report", null.as_path()), ("--trace", null.as_path())];
    prepare_files(&both, &[]).unwrap();
    write_whole(&null, b"gone").unwrap();
    let error = write_whole(&full, b"too much").unwrap_err().to_string();
    assert!(error.contains("No space left"), "{error}");
    assert!(full.is_symlink() && null.is_symlink());
}

/// Report, trace and exported meshes of a run, each in its place, with nothing beside them.
#[cfg(target_os = "linux")]
#[test]
fn a_run_writes_through_links_and_to_standard_output() {
    let folder = folder("run");
    let figure = Figure::new([-0.5, 0.0, -0.5], [0.5, 1.8, 0.5]).write(&folder, "figure.glb");
    let (link, report) = (folder.join("link.json"), folder.join("report.json"));
    std::os::unix::fs::symlink("report.json", &link).unwrap();
    let printed = folder.join("printed.txt");
    let mut command = Command::new(VIEWER);
    command
        .args(SHORT)
        .arg(&figure)
        .arg("--export")
        .arg(&folder);
    command
        .arg("--report")
        .arg(&link)
        .args(["--trace", "/dev/stdout", "--validate"]);
    command.stdout(File::create(&printed).unwrap());
    assert_done(&command.output().unwrap());
    let report = fs::read_to_string(report).unwrap();
    for phase in ["load", "dress", "fit", "settle", "run"] {
        assert!(
            report.contains(&format!("\"name\": \"{phase}\"")),
            "{phase}"
        );
    }
    assert!(link.is_symlink());
    let printed = fs::read_to_string(printed).unwrap();
    assert!(printed.starts_with("{\"displayTimeUnit\""), "{printed}");
    assert!(
        printed
            .trim_end()
            .lines()
            .last()
            .unwrap()
            .starts_with("state hash")
    );
    let names = [
        "figure.glb",
        "frame_00000.obj",
        "link.json",
        "printed.txt",
        "report.json",
    ];
    assert_eq!(names_in(&folder), names);
}

/// Of `head -1`: a reader that has gone is not an error.
#[test]
fn a_closed_standard_output_is_no_fault() {
    let folder = folder("closed");
    let figure = Figure::new([-0.5, 0.0, -0.5], [0.5, 1.8, 0.5]).write(&folder, "figure.glb");
    let ran = [&SHORT[..], &[figure.to_str().unwrap()]].concat();
    let help = vec!["--help"];
    let runs = [VIEWER, BENCH, MAKE_HUMAN].map(|program| (program, &help));
    for (program, arguments) in runs.into_iter().chain([(VIEWER, &ran)]) {
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_done(&output);
        assert!(!text(&output.stderr).contains("print"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_said_and_the_files_are_whole() {
    let folder = folder("full");
    let figure = Figure::new([-0.5, 0.0, -0.5], [0.5, 1.8, 0.5]).write(&folder, "figure.glb");
    let report = folder.join("report.json");
    let on_full = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command.args(arguments).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{program}: {said}");
        assert!(
            said.contains("cannot print the results: No space left"),
            "{said}"
        );
        assert!(!said.contains("panicked"), "{said}");
    };
    for program in [VIEWER, BENCH, MAKE_HUMAN] {
        on_full(program, &["--help"]);
    }
    let files = [
        figure.to_str().unwrap(),
        "--report",
        report.to_str().unwrap(),
    ];
    on_full(VIEWER, &[&SHORT[..], &files].concat());
    assert!(fs::read_to_string(&report).unwrap().contains("state_hash"));
    // Where standard error takes nothing either, nothing can be reported.
    let mut command = Command::new(VIEWER);
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let ended = command.arg("--nonsense").stdout(full()).stderr(full());
    assert_eq!(ended.status().unwrap().code(), Some(2));
}

#[test]
fn a_cause_is_said_once() {
    let folder = folder("causes");
    fs::write(folder.join("file"), "").unwrap();
    let below = folder.join("file").join("report.json");
    let output = run(
        VIEWER,
        [
            "--headless".as_ref(),
            "--report".as_ref(),
            below.as_os_str(),
        ],
    );
    let said = text(&output.stderr);
    assert_eq!(said.matches("Not a directory").count(), 1, "{said}");
    let out = folder.join("file").join("out");
    let output = run(
        VIEWER,
        ["--headless".as_ref(), "--out".as_ref(), out.as_os_str()],
    );
    let said = text(&output.stderr);
    assert_eq!(said.matches("os error").count(), 1, "{said}");
}
