//! Quality while it runs: frames are kept now and then and judged on a thread of their own.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;

use anyhow::anyhow;
use radial_fields::engine::{Device, Frames};
use radial_fields::oracle::{OracleError, Quality, Tolerances};
use radial_fields::scenes::{Judge, Show, Sight};

const BROKEN_OFF: &str = "judging broke off; this is a fault of the program";

/// Judges all worlds on stage by the same frames.
pub struct Observer {
    sights: Sender<Vec<Sight>>,
    judged: Receiver<Result<Vec<Quality>, OracleError>>,
    is_judging: bool,
    newest: Vec<Quality>,
}

impl Observer {
    /// Starts the thread, which ends when this is dropped.
    pub fn new(shows: &[&Show], tolerances: Tolerances) -> anyhow::Result<Self> {
        let mut judges = Vec::new();
        for show in shows {
            judges.push(Judge::new(show, tolerances)?);
        }
        let (sights, to_judge) = channel::<Vec<Sight>>();
        let (results, judged) = channel();
        thread::spawn(move || {
            for sights in to_judge {
                if results.send(judge_all(&mut judges, &sights)).is_err() {
                    return; // Nobody listens any more.
                }
            }
        });
        Ok(Self {
            sights,
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
        let mut sights = Vec::new();
        for show in shows {
            sights.push(Sight::take(show, device, frames)?);
        }
        self.sights.send(sights).map_err(|_| anyhow!(BROKEN_OFF))?;
        self.is_judging = true;
        Ok(())
    }

    /// What a world's frames came to so far.
    pub fn quality(&self, world_ix: usize) -> Option<Quality> {
        self.newest.get(world_ix).copied()
    }
}

fn judge_all(judges: &mut [Judge], sights: &[Sight]) -> Result<Vec<Quality>, OracleError> {
    let judge = |(judge, sight): (&mut Judge, &Sight)| {
        judge.measure(sight)?;
        Ok(judge.quality())
    };
    judges.iter_mut().zip(sights).map(judge).collect()
}
