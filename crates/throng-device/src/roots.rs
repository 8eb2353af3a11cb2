//! Inverse roots in one instruction.

/// From here to the end of the block, inverse roots of `f32` take numbers below 2^-126 for 0: one instruction instead of four.
///
/// CubeCL 0.10 cannot say this. CUDA's own words for it come in where a comment of several lines would stand, in the place of
/// the function of that name, so this is for CUDA only, and once in a block. Where it did not come through, roots would be
/// slower, not other ones.
pub fn quick_roots() {}

/// What CubeCL calls for it.
#[doc(hidden)]
pub mod quick_roots {
    use cubecl::prelude::Scope;

    pub fn expand(scope: &mut Scope) {
        let root = "float root; asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(root) : \"f\"(square)); return root;";
        let words = format!("*/ auto rsqrt = [](float square) {{ {root} }}; /*\n");
        cubecl::frontend::cube_comment::expand(scope, &words);
    }
}
