//! What the quick tests leave out: rewritten kernels on a device of OpenCL.

mod execution;
