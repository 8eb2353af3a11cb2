//! Plans the local memory of OpenCL kernels: computes the height of the stack that a kernel needs, and replaces its
//! allocations with constant offsets into one buffer.
//!
//! * [`analyse`] reads OpenCL C and computes a plan, including all functions that a kernel calls.
//! * [`MemoryPlan`] has a [`KernelPlan`] for each kernel; [`MemoryPlan::text`] is the report.
//! * [`rewrite`] returns the source with constant offsets instead of allocations.
//!
//! ```
//! use throng_local_memory::{AnalysisOptions, Source, analyse, rewrite};
//!
//! let text = "
//! float total(__local float *values) {
//!     __local float *sums = local_malloc(64 * sizeof(float));
//!     float sum = values[0] + sums[0];
//!     local_free(64 * sizeof(float));
//!     return sum;
//! }
//! __kernel void totals(__global float *out) {
//!     __local float *values = local_malloc(1000);
//!     out[0] = total(values);
//!     local_free(1000);
//! }";
//! let plan = analyse(&Source::new("totals.cl", text), &AnalysisOptions::default())?;
//! let totals = &plan.kernels[0];
//! assert_eq!(totals.peak, 1008 + 256); // 1000 is rounded up to a multiple of 16.
//! assert_eq!(totals.peak_path[1].place.to_string(), "totals.cl:3:27");
//!
//! let rewritten = rewrite(&plan)?;
//! assert!(rewritten.contains("{ __local uchar local_memory[1264] __attribute__((aligned(16)));"));
//! assert!(rewritten.contains("__local float *sums = ((__local void *)(local_memory + 1008));"));
//! # Ok::<(), throng_core::InputError>(())
//! ```
//!
//! A kernel allocates local memory with `local_malloc(SIZE)` and frees it with `local_free(SIZE)`, in reverse order of
//! allocation. The two functions are only markers for the analysis and have no definition.
//!
//! * [`Source`] is an OpenCL C source; [`read`] reads a file.
//! * [`AnalysisOptions`] are the alignment of blocks, the device limit, and macros; [`parse_size`] parses a limit.
//! * A [`KernelPlan`] has the call path to the peak of a kernel, and [missing barriers](MissingBarrier) between uses of
//!   the same memory.
//! * [`LocalMemory`] is the command `throng local-memory`.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod analysis;
mod attributes;
mod builtin_types;
mod call_graph;
mod constants;
mod cuda;
mod divergence;
mod flow;
mod limit;
mod limited;
mod lower;
mod normal;
mod options;
mod pieces;
mod place;
mod plan;
mod preprocess;
mod program;
mod report;
mod reuse;
mod rewrite;
mod source;
mod stack;
mod syntax;
mod text_order;
mod tokens;
mod tool;
mod types;

pub use analysis::analyse;
pub use limit::parse_size;
pub use options::AnalysisOptions;
pub use place::Place;
pub use plan::{FunctionPlan, KernelPlan, MemoryPlan, MissingBarrier, PathStep};
pub use rewrite::rewrite;
pub use source::{Source, read};
pub use tool::LocalMemory;
