//! The Vulkan instance and the collector of validation messages.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;
use serde::Serialize;

use super::EngineError;

/// Whether validation runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validation {
    Off,
    /// Core, synchronization and best-practices validation.
    On,
}

impl Validation {
    /// As a flag has it.
    pub fn wanted(is_on: bool) -> Self {
        if is_on { Self::On } else { Self::Off }
    }
}

/// What an instance is to be.
pub struct InstanceDesc<'a> {
    pub application: &'a CStr,
    pub validation: Validation,
    /// Extensions on top of our own, as a window needs them.
    pub extensions: &'a [*const c_char],
}

/// How many messages validation had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ValidationCounts {
    pub errors: u32,
    pub warnings: u32,
}

/// What validation said so far.
#[derive(Default)]
struct Messages {
    errors: AtomicU32,
    warnings: AtomicU32,
    texts: Mutex<Vec<String>>,
}

/// Texts kept; the count goes on past it.
const MAX_TEXTS: usize = 50;

/// Messages that do not count, each with its reason.
const SUPPRESSED: &[&str] = &[
    // The layers announce that they are at work: layer 1.3.239,
    // https://github.com/KhronosGroup/Vulkan-ValidationLayers/blob/main/docs/best_practices.md
    "UNASSIGNED-BestPractices-vkCreateInstance-specialuse-extension-debugging",
    "UNASSIGNED-BestPractices-vkCreateDevice-specialuse-extension-debugging",
];

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// A Vulkan 1.3 instance.
pub struct Instance {
    pub entry: ash::Entry,
    pub handle: ash::Instance,
    messages: Arc<Messages>,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    has_debug_utils: bool,
}

impl Instance {
    /// Loads Vulkan and makes an instance.
    ///
    /// # Errors
    /// When Vulkan or the validation layer is missing, with the way to get it.
    pub fn new(desc: &InstanceDesc) -> Result<Arc<Self>, EngineError> {
        // SAFETY: the loader is a shared library of the system; loading it runs its initialisers, nothing more.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|error| EngineError::NoVulkan(error.to_string()))?;
        let has_debug_utils = has_extension(&entry, None, ash::ext::debug_utils::NAME)
            || desc.validation == Validation::On
                && has_extension(&entry, Some(VALIDATION_LAYER), ash::ext::debug_utils::NAME);
        if desc.validation == Validation::On && !has_layer(&entry, VALIDATION_LAYER) {
            return Err(EngineError::NoValidationLayer);
        }
        let handle = create(&entry, desc, has_debug_utils)?;
        let mut instance = Self {
            entry,
            handle,
            messages: Arc::default(),
            messenger: None,
            has_debug_utils,
        };
        if has_debug_utils && desc.validation == Validation::On {
            instance.listen()?;
        }
        Ok(Arc::new(instance))
    }

    /// Whether objects and passes can be named.
    pub fn has_debug_utils(&self) -> bool {
        self.has_debug_utils
    }

    /// How many messages came so far; zeros without validation.
    pub fn validation_counts(&self) -> ValidationCounts {
        ValidationCounts {
            errors: self.messages.errors.load(Ordering::Relaxed),
            warnings: self.messages.warnings.load(Ordering::Relaxed),
        }
    }

    /// The first messages' texts.
    pub fn validation_texts(&self) -> Vec<String> {
        self.messages
            .texts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn listen(&mut self) -> Result<(), EngineError> {
        use vk::{
            DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type,
        };
        let debug_utils = ash::ext::debug_utils::Instance::new(&self.entry, &self.handle);
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(Severity::ERROR | Severity::WARNING)
            .message_type(Type::VALIDATION | Type::PERFORMANCE)
            .pfn_user_callback(Some(hear))
            .user_data(Arc::as_ptr(&self.messages).cast_mut().cast());
        // SAFETY: the messages outlive the messenger, which is destroyed when this instance drops.
        let messenger = unsafe { debug_utils.create_debug_utils_messenger(&info, None) }
            .map_err(EngineError::from_vk("validation messages"))?;
        self.messenger = Some((debug_utils, messenger));
        Ok(())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: devices hold an Arc of the instance, so all of them are gone.
        unsafe {
            if let Some((debug_utils, messenger)) = self.messenger.take() {
                debug_utils.destroy_debug_utils_messenger(messenger, None);
            }
            self.handle.destroy_instance(None);
        }
    }
}

fn has_layer(entry: &ash::Entry, wanted: &CStr) -> bool {
    // SAFETY: the entry points are loaded.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
    layers
        .iter()
        .any(|layer| layer.layer_name_as_c_str() == Ok(wanted))
}

fn has_extension(entry: &ash::Entry, layer: Option<&CStr>, wanted: &CStr) -> bool {
    // SAFETY: the entry points are loaded.
    let extensions =
        unsafe { entry.enumerate_instance_extension_properties(layer) }.unwrap_or_default();
    extensions
        .iter()
        .any(|extension| extension.extension_name_as_c_str() == Ok(wanted))
}

fn create(
    entry: &ash::Entry,
    desc: &InstanceDesc,
    has_debug_utils: bool,
) -> Result<ash::Instance, EngineError> {
    let application = vk::ApplicationInfo::default()
        .application_name(desc.application)
        .engine_name(c"radial_fields")
        .api_version(vk::API_VERSION_1_3);
    let mut extensions = desc.extensions.to_vec();
    if has_debug_utils {
        extensions.push(ash::ext::debug_utils::NAME.as_ptr());
    }
    let layers = [VALIDATION_LAYER.as_ptr()];
    let checks = [
        vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION,
        vk::ValidationFeatureEnableEXT::BEST_PRACTICES,
    ];
    let mut validation = vk::ValidationFeaturesEXT::default().enabled_validation_features(&checks);
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_extension_names(&extensions);
    if desc.validation == Validation::On {
        info = info.enabled_layer_names(&layers).push_next(&mut validation);
    }
    // SAFETY: every name and struct outlives the call.
    unsafe { entry.create_instance(&info, None) }.map_err(EngineError::NoInstance)
}

unsafe extern "system" fn hear(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: Vulkan passes valid data, and `user` is the Messages that the instance keeps alive.
    let (data, messages) = unsafe { (&*data, &*user.cast::<Messages>()) };
    // SAFETY: the strings are null or null-terminated and live during the call.
    let (id, text) = unsafe { (text_of(data.p_message_id_name), text_of(data.p_message)) };
    if !SUPPRESSED.contains(&id.as_ref()) {
        let is_error = severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR);
        let (count, kind) = if is_error {
            (&messages.errors, "error")
        } else {
            (&messages.warnings, "warning")
        };
        count.fetch_add(1, Ordering::Relaxed);
        let mut texts = messages
            .texts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let said = format!("{kind}: {id}: {text}");
        if texts.len() < MAX_TEXTS && !texts.contains(&said) {
            texts.push(said);
        }
    }
    vk::FALSE
}

unsafe fn text_of<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}
