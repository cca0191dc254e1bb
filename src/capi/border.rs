//! What crosses the border and how: results with a message, no panics, structs of several versions.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(feature = "import")]
use crate::avatar::ImportError;
use crate::avatar::Invalid;
#[cfg(feature = "authoring")]
use crate::cloth::garment::GarmentError;
use crate::collide::CollideError;
use crate::gpu::GpuError;
use crate::host::{HostError, Unsupported};
use crate::math::range::OutOfRange;
use crate::world::{RecordError, WorldError};

/// How a call went. Whatever is not `RF_RESULT_OK` comes with a message, see rf_last_error.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RfResult {
    Ok = 0,
    /// An argument is null, out of range, or does not fit the others.
    InvalidArgument = 1,
    /// The device, or what it was made with, will not do.
    UnsupportedHost = 2,
    /// The character's file cannot be used.
    UnusableFile = 3,
    /// No GPU memory is left.
    OutOfMemory = 4,
    /// The device is lost.
    DeviceLost = 5,
    /// Another call of Vulkan's failed.
    Vulkan = 6,
    /// A struct holds more than this version of the library knows.
    NewerHeader = 7,
    /// A fault of the library's own. Destroy the objects that were involved.
    Panic = 8,
    /// The library was built without the feature that this takes; the message names it.
    NotBuilt = 9,
}

/// What goes back over the border.
pub(super) struct Failure {
    result: RfResult,
    message: String,
}

impl Failure {
    pub fn new(result: RfResult, message: impl Into<String>) -> Self {
        Self {
            result,
            message: message.into(),
        }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(RfResult::InvalidArgument, message)
    }

    /// `feature`: of Cargo.toml.
    #[cfg(not(feature = "authoring"))]
    pub fn not_built(feature: &str) -> Self {
        let message = format!(
            "the library was built without the feature {feature}: add it to those of its build"
        );
        Self::new(RfResult::NotBuilt, message)
    }

    fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Self::new(
            RfResult::Panic,
            format!("a fault of the library's own: {text}"),
        )
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        let result = match &error {
            WorldError::Gpu(gpu) | WorldError::Collide(CollideError::Gpu(gpu)) => result_of(gpu),
            WorldError::Host(HostError::NullHandle { .. }) => RfResult::InvalidArgument,
            WorldError::Host(_) => RfResult::UnsupportedHost,
            _ => RfResult::InvalidArgument,
        };
        Self::new(result, error.to_string())
    }
}

fn result_of(error: &GpuError) -> RfResult {
    match error {
        GpuError::DeviceLost => RfResult::DeviceLost,
        GpuError::OutOfMemory { .. } | GpuError::NoRoom { .. } => RfResult::OutOfMemory,
        GpuError::TooLarge { .. } | GpuError::TooMany { .. } | GpuError::BadExtent { .. } => {
            RfResult::InvalidArgument
        }
        GpuError::TooManyBindings { .. } | GpuError::WorkgroupTooLarge { .. } => {
            RfResult::UnsupportedHost
        }
        GpuError::Vulkan { .. } => RfResult::Vulkan,
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::NoDescriptorSets => Self::new(RfResult::OutOfMemory, error.to_string()),
            _ => Self::invalid(error.to_string()),
        }
    }
}

#[cfg(feature = "authoring")]
impl From<GarmentError> for Failure {
    fn from(error: GarmentError) -> Self {
        Self::invalid(error.to_string())
    }
}

impl From<OutOfRange> for Failure {
    fn from(error: OutOfRange) -> Self {
        Self::invalid(error.to_string())
    }
}

impl From<Invalid> for Failure {
    fn from(error: Invalid) -> Self {
        Self::invalid(error.to_string())
    }
}

#[cfg(feature = "import")]
impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        Self::new(RfResult::UnusableFile, error.to_string())
    }
}

impl From<Unsupported> for Failure {
    fn from(error: Unsupported) -> Self {
        Self::new(RfResult::UnsupportedHost, error.to_string())
    }
}

thread_local! {
    static LAST_ERROR: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// What went wrong in the last call on this thread that did not return `RF_RESULT_OK`: one line of UTF-8 that says what to
/// change. Empty when nothing did. Lives until the next such call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn rf_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|message| message.as_deref().unwrap_or(c"").as_ptr())
}

/// Does the work of a function: failures and panics become results.
pub(super) fn guard(work: impl FnOnce() -> Result<(), Failure>) -> RfResult {
    let outcome = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(Failure::panic(payload.as_ref())));
    let Err(failure) = outcome else {
        return RfResult::Ok;
    };
    let mut bytes = failure.message.into_bytes();
    bytes.retain(|&byte| byte != 0);
    LAST_ERROR.set(CString::new(bytes).ok());
    failure.result
}

/// What `pointer` points to.
///
/// # Safety
/// It must be null or valid.
pub(super) unsafe fn given<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::invalid(format!("{name} is null")))
}

/// As [`given`], to be changed.
///
/// # Safety
/// It must be null, or valid and not accessed by anyone else meanwhile.
pub(super) unsafe fn given_mut<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::invalid(format!("{name} is null")))
}

/// `count` values at `pointer`, which may be null for none.
///
/// # Safety
/// It must be null or valid for that many.
pub(super) unsafe fn list<'a, T>(
    pointer: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: the caller's promise; the first element is checked before the rest is trusted.
    unsafe {
        given(pointer, name)?;
        Ok(std::slice::from_raw_parts(pointer, count))
    }
}

/// As [`list`], to be filled: it must have room for `needed`.
///
/// # Safety
/// It must be null, or valid for that many and not accessed by anyone else meanwhile.
pub(super) unsafe fn room<'a, T>(
    pointer: *mut T,
    count: usize,
    needed: usize,
    name: &str,
) -> Result<&'a mut [T], Failure> {
    if count < needed {
        let message = format!("{name} has room for {count}, {needed} are needed");
        return Err(Failure::invalid(message));
    }
    if needed == 0 {
        return Ok(&mut []);
    }
    // SAFETY: guaranteed by the caller.
    unsafe {
        given(pointer, name)?;
        Ok(std::slice::from_raw_parts_mut(pointer, needed))
    }
}

/// A struct that begins with `struct_size: u32`.
///
/// # Safety
/// It must be `repr(C)`, begin so, and be valid with all its bytes zero.
pub(super) unsafe trait Versioned: Copy {
    /// What the first version had; less is a mistake.
    const MIN_BYTES: usize;
}

/// The size that a struct says it has, if that makes sense.
///
/// # Safety
/// The pointer must be null or valid for what it says.
unsafe fn said_size<T: Versioned>(pointer: *const T, name: &str) -> Result<usize, Failure> {
    // SAFETY: every versioned struct begins with its size.
    let said = unsafe { *given(pointer.cast::<u32>(), name)? } as usize;
    if said < T::MIN_BYTES || !said.is_multiple_of(align_of::<T>()) {
        let message = format!("{name}: struct_size is {said}; set it to the size of the struct");
        return Err(Failure::invalid(message));
    }
    Ok(said)
}

/// Copies a struct of any version.
///
/// # Safety
/// The pointer must be null or valid for the size that the struct says.
pub(super) unsafe fn read<T: Versioned>(pointer: *const T, name: &str) -> Result<T, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let said = said_size(pointer, name)?;
        let source = pointer.cast::<u8>();
        let known = said.min(size_of::<T>());
        let unknown = std::slice::from_raw_parts(source.add(known), said - known);
        if unknown.iter().any(|&byte| byte != 0) {
            let message = format!("{name} holds more than this version of the library knows");
            return Err(Failure::new(RfResult::NewerHeader, message));
        }
        let mut value = std::mem::MaybeUninit::<T>::zeroed();
        source.copy_to_nonoverlapping(value.as_mut_ptr().cast(), known);
        Ok(value.assume_init())
    }
}

/// Copies the `ix`-th of several structs, which lie as far apart as the first one says it is long.
///
/// # Safety
/// The pointer must be null or valid for the structs.
pub(super) unsafe fn read_nth<T: Versioned>(
    first: *const T,
    ix: usize,
    name: &str,
) -> Result<T, Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let stride = said_size(first, name)?;
        read(first.byte_add(ix * stride), name)
    }
}

/// Fills a struct of the caller's as far as it goes, but for its size.
///
/// # Safety
/// The pointer must be null, or valid for the size that the struct states and not accessed by anyone else meanwhile.
pub(super) unsafe fn fill<T: Versioned>(
    pointer: *mut T,
    value: T,
    name: &str,
) -> Result<(), Failure> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let known = said_size(pointer, name)?.min(size_of::<T>());
        let (skip, source) = (size_of::<u32>(), (&raw const value).cast::<u8>());
        let target = pointer.cast::<u8>();
        source
            .add(skip)
            .copy_to_nonoverlapping(target.add(skip), known - skip);
    }
    Ok(())
}

/// Hands an object over.
///
/// # Safety
/// The pointer must be null or valid.
pub(super) unsafe fn hand_over<T>(out: *mut *mut T, object: T, name: &str) -> Result<(), Failure> {
    // SAFETY: guaranteed by the caller.
    let out = unsafe { given_mut(out, name)? };
    *out = Box::into_raw(Box::new(object));
    Ok(())
}

/// Takes an object back; null is no object.
///
/// # Safety
/// The pointer must be null or come from [`hand_over`], and must not be used afterwards.
pub(super) unsafe fn take_back<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: guaranteed by the caller.
        let object = unsafe { Box::from_raw(object) };
        // A panic while something is dropped has nowhere to go.
        let _ = catch_unwind(AssertUnwindSafe(move || drop(object)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Pair {
        struct_size: u32,
        first: u32,
        second: u32,
    }

    // SAFETY: as it says.
    unsafe impl Versioned for Pair {
        const MIN_BYTES: usize = 8;
    }

    fn last_error() -> String {
        // SAFETY: the message is this thread's, and nothing fails meanwhile.
        let message = unsafe { std::ffi::CStr::from_ptr(rf_last_error()) };
        message.to_string_lossy().into_owned()
    }

    fn read_words(words: &[u32]) -> Result<Pair, RfResult> {
        // SAFETY: the sizes said stay within the words.
        unsafe { read(words.as_ptr().cast::<Pair>(), "pair") }.map_err(|failure| failure.result)
    }

    #[test]
    fn older_and_newer_structs_are_read() {
        let pair = |first, second| {
            Ok(Pair {
                struct_size: 0,
                first,
                second,
            })
        };
        let without_size = |read: Result<Pair, _>| {
            read.map(|pair| Pair {
                struct_size: 0,
                ..pair
            })
        };
        assert_eq!(without_size(read_words(&[12, 5, 6])), pair(5, 6));
        assert_eq!(without_size(read_words(&[8, 5, 6])), pair(5, 0));
        assert_eq!(without_size(read_words(&[16, 5, 6, 0])), pair(5, 6));
        assert_eq!(read_words(&[16, 5, 6, 7]), Err(RfResult::NewerHeader));
        assert_eq!(read_words(&[4, 5, 6]), Err(RfResult::InvalidArgument));
        assert_eq!(read_words(&[9, 5, 6]), Err(RfResult::InvalidArgument));
        // SAFETY: null is allowed.
        let nothing = unsafe { read(std::ptr::null::<Pair>(), "pair") };
        assert!(nothing.is_err_and(|failure| failure.message == "pair is null"));
    }

    #[test]
    fn structs_are_filled_as_far_as_they_go() {
        let mut words = [8, 1, 2];
        let value = Pair {
            struct_size: 99,
            first: 5,
            second: 6,
        };
        // SAFETY: the size said stays within the words.
        let filled = unsafe { fill(words.as_mut_ptr().cast::<Pair>(), value, "pair") };
        assert!(filled.is_ok());
        assert_eq!(words, [8, 5, 2]);
    }

    #[test]
    fn a_panic_stays_on_this_side() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let result = guard(|| panic!("seven is not {}", 6));
        std::panic::set_hook(hook);
        assert_eq!(result, RfResult::Panic);
        assert!(last_error().ends_with("seven is not 6"), "{}", last_error());
        assert_eq!(guard(|| Ok(())), RfResult::Ok);
        let failed = guard(|| Err(Failure::invalid("a\0b")));
        assert_eq!(
            (failed, last_error().as_str()),
            (RfResult::InvalidArgument, "ab")
        );
    }
}
