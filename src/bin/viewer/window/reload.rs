//! Hot reload: shaders compiled anew when their files change, as long as the sources are where they were built.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use radial_fields::gpu::shader_compiler::{self, Compiled};
use radial_fields::gpu::shader_package::{name_of, stage_files};
use radial_fields::gpu::{Gpu, Shader, shaders};
use radial_fields::overlay::Severity;

use super::playing::Playing;
use super::viewer::Viewer;

/// Where what was compiled is reported.
const SHADERS: &str = "shaders";

/// How often the files are looked at: twice per second is immediate for a person, and negligible for a disk.
const INTERVAL: Duration = Duration::from_millis(500);

/// The shaders' sources and what became of them.
pub struct ShaderWatch {
    /// None where the sources are gone: nothing is watched.
    root: Option<PathBuf>,
    stamps: BTreeMap<PathBuf, SystemTime>,
    looked: Instant,
    compiling: Option<Receiver<Vec<Outcome>>>,
    /// Words that are in use instead of the built-in ones.
    replaced: BTreeMap<&'static str, Replaced>,
}

#[derive(Clone)]
struct Replaced {
    shader: &'static Shader,
    words: Vec<u32>,
}

struct Outcome {
    name: String,
    compiled: Result<Compiled, String>,
}

/// What changed files came to.
pub struct Reload {
    /// One line or more for each shader that cannot be used, to be shown.
    pub faults: Vec<String>,
    /// Shaders that can.
    pub fresh_count: usize,
    previous: BTreeMap<&'static str, Replaced>,
}

impl ShaderWatch {
    pub fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("glsl");
        let root = root.is_dir().then_some(root);
        Self {
            stamps: root.as_deref().map(stamps).unwrap_or_default(),
            root,
            looked: Instant::now(),
            compiling: None,
            replaced: BTreeMap::new(),
        }
    }

    /// Looks at the files now and then, compiles what changed on a thread, and returns what came of it.
    pub fn poll(&mut self) -> Option<Reload> {
        if let Some(outcomes) = self
            .compiling
            .as_ref()
            .and_then(|compiling| compiling.try_recv().ok())
        {
            self.compiling = None;
            return Some(self.take(outcomes));
        }
        if self.compiling.is_none() && self.looked.elapsed() >= INTERVAL {
            self.looked = Instant::now();
            self.look();
        }
        None
    }

    fn look(&mut self) {
        let Some(root) = &self.root else { return };
        let now = stamps(root);
        let changed: Vec<_> = now
            .iter()
            .filter(|(path, stamp)| self.stamps.get(*path) != Some(*stamp))
            .map(|(path, _)| path.clone())
            .collect();
        self.stamps = now;
        let files = affected(root, &changed);
        if files.is_empty() {
            return;
        }
        let (sender, receiver) = channel();
        let root = root.clone();
        // The receiver is gone when the viewer ends; the result is not needed then.
        thread::spawn(move || {
            drop(sender.send(files.iter().map(|file| compile(&root, file)).collect()));
        });
        self.compiling = Some(receiver);
    }

    fn take(&mut self, outcomes: Vec<Outcome>) -> Reload {
        let mut reload = Reload {
            faults: Vec::new(),
            fresh_count: 0,
            previous: self.replaced.clone(),
        };
        for outcome in outcomes {
            match usable(outcome) {
                Ok(fresh) => {
                    reload.fresh_count += 1;
                    self.replaced.insert(fresh.shader.name, fresh);
                }
                Err(fault) => reload.faults.push(fault),
            }
        }
        reload
    }

    /// Goes back to what was in use before a reload that the driver refused.
    pub fn undo(&mut self, reload: &Reload, gpus: &[&Gpu]) {
        self.replaced = reload.previous.clone();
        for gpu in gpus {
            self.apply(gpu);
        }
    }

    /// Has pipelines that are made from now on use what is in use. Returns whether that is anything but the built-in.
    pub fn apply(&self, gpu: &Gpu) -> bool {
        let replaced = self.replaced.clone();
        gpu.replace_shaders(Some(Arc::new(move |shader| {
            replaced.get(shader.name).map(|fresh| fresh.words.clone())
        })));
        !self.replaced.is_empty()
    }
}

impl Viewer {
    /// Brings shaders into use that were compiled, and says what is wrong with the others.
    pub(super) fn take_shaders(&mut self) -> anyhow::Result<()> {
        let Some(mut reload) = self.shaders.poll() else {
            return Ok(());
        };
        if reload.fresh_count > 0 {
            self.device.wait_idle()?;
            for gpu in gpus_of(&self.gpu, &self.shown_worlds) {
                self.shaders.apply(gpu);
            }
            if let Err(error) = self.reload_pipelines() {
                reload.faults.push(format!("{error:#}"));
                let gpus = gpus_of(&self.gpu, &self.shown_worlds);
                self.shaders.undo(&reload, &gpus);
                self.reload_pipelines()?;
            }
        }
        if reload.faults.is_empty() {
            let text = format!("shaders compiled anew: {}", reload.fresh_count);
            self.notifications
                .post_passing(SHADERS, text, Instant::now());
        } else {
            self.notifications
                .post(Severity::Fault, SHADERS, reload.faults.join("\n"));
        }
        Ok(())
    }

    fn reload_pipelines(&mut self) -> anyhow::Result<()> {
        for playing in &mut self.shown_worlds {
            playing.reload_pipelines()?;
        }
        if let Some(painter) = &mut self.painter {
            painter.reload_pipelines()?;
        }
        if let Some(difference) = &mut self.difference {
            difference.reload_pipelines(&self.gpu)?;
        }
        Ok(())
    }
}

/// The viewer's own, and those of the worlds shown.
fn gpus_of<'a>(own: &'a Gpu, shown_worlds: &'a [Playing]) -> Vec<&'a Gpu> {
    let worlds = shown_worlds
        .iter()
        .map(|playing| playing.show.world.gpu().as_ref());
    [own].into_iter().chain(worlds).collect()
}

fn compile(root: &Path, file: &Path) -> Outcome {
    Outcome {
        name: name_of(root, file),
        compiled: shader_compiler::compile(root, file),
    }
}

/// A compiled shader that fits what the program was built with.
fn usable(Outcome { name, compiled }: Outcome) -> Result<Replaced, String> {
    let compiled = compiled?;
    let Some(&shader) = shaders::ALL.iter().find(|shader| shader.name == name) else {
        return Err(format!("{name} is new: restart needed"));
    };
    if !same_interface(shader, &compiled) {
        return Err(format!(
            "{name}: bindings, push constants or group size changed: restart needed"
        ));
    }
    Ok(Replaced {
        shader,
        words: compiled.spirv,
    })
}

fn same_interface(shader: &Shader, compiled: &Compiled) -> bool {
    let bindings = shader
        .bindings
        .iter()
        .map(|b| (b.number, format!("{:?}", b.kind)));
    let compiled_bindings = compiled
        .bindings
        .iter()
        .map(|b| (b.number, format!("{:?}", b.kind)));
    bindings.eq(compiled_bindings)
        && shader.push_constant_bytes == compiled.push_constant_bytes
        && shader.local_size == compiled.local_size
}

/// The shader stages to compile anew: a changed header may be in any of them.
fn affected(root: &Path, changed: &[PathBuf]) -> Vec<PathBuf> {
    let stages = stage_files(root).unwrap_or_default();
    let a_header_changed = changed.iter().any(|path| !stages.contains(path));
    stages
        .into_iter()
        .filter(|stage| a_header_changed || changed.contains(stage))
        .collect()
}

/// When each file below a folder was last written. What cannot be read at the moment, as while an editor replaces it, is
/// left out until it can.
fn stamps(root: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let mut stamps = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) if is_shader(&entry.path()) => {
                    stamps.extend(metadata.modified().ok().map(|stamp| (entry.path(), stamp)));
                }
                _ => {}
            }
        }
    }
    stamps
}

fn is_shader(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["comp", "vert", "frag", "glsl"].contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("glsl")
    }

    #[test]
    fn the_sources_have_the_interfaces_that_were_built() {
        let file = root().join("overlay/panels.vert");
        assert!(usable(compile(&root(), &file)).is_ok());
    }

    #[test]
    fn another_interface_needs_a_restart() {
        let file = root().join("overlay/panels.vert");
        let mut outcome = compile(&root(), &file);
        if let Ok(compiled) = &mut outcome.compiled {
            compiled.push_constant_bytes += 4;
        }
        let fault = usable(outcome).err().unwrap_or_default();
        assert!(fault.contains("restart needed"), "{fault}");
    }

    #[test]
    fn a_header_touches_every_stage_and_a_stage_itself() {
        let all = stage_files(&root()).expect("there are shaders");
        let header = root().join("shared/structs.glsl");
        assert_eq!(affected(&root(), &[header]).len(), all.len());
        assert_eq!(affected(&root(), &all[..1]), all[..1]);
        assert!(affected(&root(), &[]).is_empty());
    }
}
