//! The rules of the house that a compiler doesn't know: which way imports go, what files say, what the README names.

mod files;
mod imports;
mod readme;
mod shaders;
mod source;
mod spirv;
mod technique_page;
mod text;
