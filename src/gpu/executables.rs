//! What the driver made of each pipeline: registers, memory, threads in step, in the driver's own words, as
//! `VK_KHR_pipeline_executable_properties` tells them.

use std::ffi::CStr;
use std::sync::{Mutex, PoisonError};

use ash::khr::pipeline_executable_properties::Device as Functions;
use ash::vk;
use serde::Serialize;

use super::GpuDesc;

/// One of the programs that a pipeline became: usually one a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PipelineExecutable {
    /// The pipeline: its shader's path in glsl/, or the label of one that draws.
    pub pipeline: String,
    /// As the driver calls it.
    pub name: String,
    /// Threads that run in step; 0 where the driver does not say.
    pub subgroup_size: u32,
    /// In the driver's order.
    pub statistics: Vec<ExecutableStatistic>,
}

/// A figure: which there are, and what they mean, is the driver's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExecutableStatistic {
    pub name: String,
    /// The driver's explanation.
    pub about: String,
    /// Truth is 1 and 0.
    pub value: f64,
}

/// The executables of all pipelines that there are.
pub(super) struct Executables {
    functions: Functions,
    known: Mutex<Vec<(vk::Pipeline, PipelineExecutable)>>,
}

impl Executables {
    pub(super) fn new(desc: &GpuDesc) -> Self {
        Self {
            functions: Functions::new(desc.instance, desc.device),
            known: Mutex::default(),
        }
    }

    /// Asks the driver about a pipeline that was just made. What it does not answer is left out.
    pub(super) fn ask(&self, label: &str, pipeline: vk::Pipeline) {
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline was made on this device, which has the extension.
        let found = unsafe { self.functions.get_pipeline_executable_properties(&info) };
        let found = found.unwrap_or_default().into_iter().zip(0..);
        let made = found.map(|(properties, executable_ix)| {
            let executable = PipelineExecutable {
                pipeline: label.to_owned(),
                name: text(&properties.name),
                subgroup_size: properties.subgroup_size,
                statistics: self.statistics(pipeline, executable_ix),
            };
            (pipeline, executable)
        });
        self.known().extend(made);
    }

    fn statistics(&self, pipeline: vk::Pipeline, executable_ix: u32) -> Vec<ExecutableStatistic> {
        let info = vk::PipelineExecutableInfoKHR::default()
            .pipeline(pipeline)
            .executable_index(executable_ix);
        // SAFETY: as above; the pipeline was made to keep them, and has as many executables.
        let found = unsafe { self.functions.get_pipeline_executable_statistics(&info) };
        let found = found.unwrap_or_default().into_iter();
        found
            .map(|statistic| ExecutableStatistic {
                name: text(&statistic.name),
                about: text(&statistic.description),
                value: value(&statistic),
            })
            .collect()
    }

    /// Forgets those of a pipeline that goes.
    pub(super) fn forget(&self, pipeline: vk::Pipeline) {
        self.known().retain(|(known, _)| *known != pipeline);
    }

    /// By name, each of several alike once.
    pub(super) fn all(&self) -> Vec<PipelineExecutable> {
        let known = self.known();
        let mut all: Vec<_> = known
            .iter()
            .map(|(_, executable)| executable.clone())
            .collect();
        all.sort_by(|a, b| a.pipeline.cmp(&b.pipeline));
        all.dedup();
        all
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Vec<(vk::Pipeline, PipelineExecutable)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn text(chars: &[std::ffi::c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().map(|&char| char.cast_unsigned()).collect();
    let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
    text.to_string_lossy().into_owned()
}

fn value(statistic: &vk::PipelineExecutableStatisticKHR) -> f64 {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    let value = statistic.value;
    // SAFETY: the driver says which member it has written.
    unsafe {
        match statistic.format {
            Format::BOOL32 => f64::from(u8::from(value.b32 != vk::FALSE)),
            Format::INT64 => value.i64 as f64,
            Format::FLOAT64 => value.f64,
            _ => value.u64 as f64,
        }
    }
}
