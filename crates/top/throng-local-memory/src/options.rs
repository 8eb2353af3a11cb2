//! Options of the analysis.

/// Maximum alignment of blocks. No type of OpenCL C needs more than 128 bytes.
pub(crate) const MAX_ALIGN: u64 = 4096;

/// Options of the analysis of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// Alignment of blocks in bytes: a power of two, at most 4096. 16 is enough for all types of up to 16 bytes, such
    /// as `float4`; larger types need an alignment of their size, for example 128 for `double16`.
    pub align: u64,
    /// Local memory of the device in bytes; kernels that need more are rejected. `None` for no limit. See
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
