//! What a user may choose.

/// How a file is analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Each block begins at a multiple of this many bytes, a power of two. 16 is enough for all types of up to 16 bytes,
    /// such as `float4`; types with more need their own size, `double16` for example 128.
    pub align: u64,
    /// The local memory of the device in bytes; a kernel that needs more is rejected. See
    /// [`parse_size`](crate::parse_size).
    pub limit: Option<u64>,
    /// When the C preprocessor is run.
    pub preprocess: Preprocess,
    /// Macros for the preprocessor, such as `N=64`.
    pub defines: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { align: 16, limit: None, preprocess: Preprocess::WhereNeeded, defines: Vec::new() }
    }
}

/// When the C preprocessor of the system is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preprocess {
    /// For files with directives other than `#pragma`, and where macros are given. Without a C compiler such a file is
    /// rejected.
    #[default]
    WhereNeeded,
    /// Never: directives are passed over, with a warning. Both branches of an `#if` are read.
    Never,
}
