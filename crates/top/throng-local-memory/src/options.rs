//! What a user may choose.

/// The largest alignment of blocks. No type of OpenCL C needs more than 128 bytes.
pub(crate) const MAX_ALIGN: u64 = 4096;

/// How a file is analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// Each block begins at a multiple of this many bytes, a power of two. 16 is enough for all types of up to 16 bytes,
    /// such as `float4`; types with more need their own size, `double16` for example 128. At most 4096.
    pub align: u64,
    /// The local memory of the device in bytes; a kernel that needs more is rejected. See
    /// [`parse_size`](crate::parse_size).
    pub limit: Option<u64>,
    /// Macros for the preprocessor, such as `N=64`.
    pub defines: Vec<String>,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self { align: 16, limit: None, defines: Vec::new() }
    }
}
