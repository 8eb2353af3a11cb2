//! Kernels from source text, compiled at run time.

mod declaration;
mod kernel;
mod parameter;
mod task;
mod text;

pub use declaration::KernelText;
pub use kernel::SourceKernel;
pub use parameter::{ElementType, SourceArgument};
