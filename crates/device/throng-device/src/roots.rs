//! Reciprocal square roots in one instruction.

/// Until the end of the enclosing block, reciprocal square roots of `f32` treat numbers below 2^-126 as 0, which takes
/// one instruction instead of four.
///
/// CubeCL 0.10 has no such operation. CUDA code is injected in place of a multi-line comment and shadows the function
/// of that name, so this works only with CUDA and once per block. If it is not injected, roots are slower, but have the
/// same values.
pub fn quick_roots() {}

/// Expansion called by CubeCL.
#[doc(hidden)]
pub mod quick_roots {
    use cubecl::prelude::Scope;

    pub fn expand(scope: &mut Scope) {
        let root = "float root; asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(root) : \"f\"(square)); return root;";
        let words = format!("*/ auto rsqrt = [](float square) {{ {root} }}; /*\n");
        cubecl::frontend::cube_comment::expand(scope, &words);
    }
}
