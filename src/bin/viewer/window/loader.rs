//! Loading characters and making clothes while the window goes on.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use anyhow::anyhow;
use radial_fields::avatar::printable;

use crate::cli::Cli;
use crate::preload::{Preloaded, preload};

/// One thing at a time, on a thread of its own.
#[derive(Default)]
pub struct Loader {
    job: Option<Job>,
}

struct Job {
    what: String,
    wanted: Cli,
    result: Receiver<anyhow::Result<Preloaded>>,
}

/// What was loaded, or why not.
pub struct Loaded {
    pub wanted: Cli,
    pub preloaded: anyhow::Result<Preloaded>,
}

impl Loader {
    /// Starts to load what the flags ask for. Called again before it is done, the newer request counts.
    pub fn start(&mut self, wanted: Cli) {
        let (sender, result) = channel();
        let flags = wanted.clone();
        // It ends by itself; the result is dropped when there is a newer request.
        thread::spawn(move || drop(sender.send(preload(&flags, |_| {}))));
        self.job = Some(Job {
            what: describe(&wanted),
            wanted,
            result,
        });
    }

    /// What is being loaded, if anything is.
    pub fn loading(&self) -> Option<&str> {
        self.job.as_ref().map(|job| job.what.as_str())
    }

    /// What has just been loaded.
    pub fn poll(&mut self) -> Option<Loaded> {
        let preloaded = match self.job.as_ref()?.result.try_recv() {
            Ok(preloaded) => preloaded,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => {
                Err(anyhow!("loading broke off; this is a fault of the program"))
            }
        };
        let wanted = self.job.take()?.wanted;
        Some(Loaded { wanted, preloaded })
    }
}

fn describe(cli: &Cli) -> String {
    match (&cli.avatar, &cli.scene) {
        (Some(avatar), _) => printable(&avatar.to_string_lossy()),
        (None, Some(scene)) => format!("the scene {scene}"),
        (None, None) => "the scene".to_owned(),
    }
}
