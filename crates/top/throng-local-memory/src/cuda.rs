//! Detection of CUDA files, which are easily mistaken for OpenCL C.

use throng_core::InputError;

use crate::normal::is_kernel_word;
use crate::pieces::{Piece, Pieces};

/// Reserved words of CUDA.
const WORDS: [&str; 7] =
    ["__global__", "__device__", "__host__", "__shared__", "__syncthreads", "__launch_bounds__", "__syncwarp"];
/// Variables of CUDA, which an OpenCL C program may define itself.
const VARIABLES: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];

/// Rejects a CUDA file, based on the words in the preprocessor's output or, if that failed, in the original file.
///
/// # Errors
/// When the source contains CUDA words; the error gives the first one.
pub(crate) fn refuse(pieces: &Pieces) -> Result<(), InputError> {
    let has_kernels = pieces.all.iter().any(|piece| is_kernel_word(&piece.text));
    let is_of_cuda = |(number, piece): &(usize, &Piece)| {
        let is_followed_by_dot = || pieces.all.get(number + 1).is_some_and(|next| next.text == ".");
        let text = piece.text.as_str();
        WORDS.contains(&text) || !has_kernels && VARIABLES.contains(&text) && is_followed_by_dot()
    };
    let Some((number, piece)) = pieces.all.iter().enumerate().find(is_of_cuda) else { return Ok(()) };
    let message = format!("`{}` is CUDA, and the planner reads OpenCL C", piece.text);
    let remedy = "write the kernel in OpenCL C: `__kernel` for `__global__`, `__local` for `__shared__`, `get_local_id(0)` for \
                  `threadIdx.x`, `barrier(CLK_LOCAL_MEM_FENCE)` for `__syncthreads()`";
    Err(InputError::one(pieces.place(number).to_string(), message, remedy))
}
