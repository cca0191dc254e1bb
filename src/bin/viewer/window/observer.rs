//! Quality while it runs: frames are kept now and then and judged on a thread of their own.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

use anyhow::anyhow;
use radial_fields::engine::{Device, Frames};
use radial_fields::oracle::seen::FrameFigures;
use radial_fields::oracle::{OracleError, Quality, Tolerances};
use radial_fields::scenes::{FrameSnapshot, QualityMeter, STEP_SECONDS, Show};

const BROKEN_OFF: &str = "judging broke off; this is a fault of the program";

/// What was found out about a world.
#[derive(Clone)]
pub struct Verdict {
    /// Over all frames judged.
    pub quality: Quality,
    /// Of the newest frame judged, one per garment.
    pub seen: Vec<FrameFigures>,
}

/// Judges all worlds shown by the same frames.
pub struct Observer {
    snapshots: Sender<Vec<FrameSnapshot>>,
    judged: Receiver<Result<Vec<Verdict>, OracleError>>,
    is_judging: bool,
    newest: Vec<Verdict>,
}

impl Observer {
    /// Starts the thread, which ends when this is dropped.
    pub fn new(shows: &mut [&mut Show], tolerances: Tolerances) -> anyhow::Result<Self> {
        let mut meters = Vec::new();
        for show in shows {
            meters.push(QualityMeter::new(show, tolerances, STEP_SECONDS)?);
        }
        let (snapshots, to_judge) = channel::<Vec<FrameSnapshot>>();
        let (results, judged) = channel();
        thread::spawn(move || {
            for snapshots in to_judge {
                if results.send(measure_all(&mut meters, &snapshots)).is_err() {
                    return; // Nobody listens any more.
                }
            }
        });
        Ok(Self {
            snapshots,
            judged,
            is_judging: false,
            newest: Vec::new(),
        })
    }

    /// Takes in what was found out, if anything was.
    pub fn poll(&mut self) -> Option<anyhow::Result<()>> {
        let judged = match self.judged.try_recv() {
            Ok(judged) => judged.map_err(anyhow::Error::from),
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(anyhow!(BROKEN_OFF)),
        };
        self.is_judging = false;
        Some(judged.map(|newest| self.newest = newest))
    }

    /// Keeps the newest frame if the last one is judged. Waits for the GPU then.
    pub fn look(
        &mut self,
        shows: Vec<&mut Show>,
        device: &Device,
        frames: &mut Frames,
    ) -> anyhow::Result<()> {
        if self.is_judging {
            return Ok(());
        }
        let mut snapshots = Vec::new();
        for show in shows {
            snapshots.push(FrameSnapshot::take(show, device, frames)?);
        }
        self.snapshots
            .send(snapshots)
            .map_err(|_| anyhow!(BROKEN_OFF))?;
        self.is_judging = true;
        Ok(())
    }

    /// What a world's frames came to so far.
    pub fn verdict(&self, world_ix: usize) -> Option<&Verdict> {
        self.newest.get(world_ix)
    }
}

fn measure_all(
    meters: &mut [QualityMeter],
    snapshots: &[FrameSnapshot],
) -> Result<Vec<Verdict>, OracleError> {
    let meter = |(meter, snapshot): (&mut QualityMeter, &FrameSnapshot)| {
        let seen = meter.measure(snapshot)?;
        Ok(Verdict {
            quality: meter.quality(),
            seen,
        })
    };
    meters.iter_mut().zip(snapshots).map(meter).collect()
}
