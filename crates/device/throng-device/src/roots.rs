//! Inverse roots in one instruction.

/// To the end of the enclosing block, inverse roots of `f32` treat numbers below 2^-126 as 0: one instruction instead
/// of four.
///
/// CubeCL 0.10 has no such operation. CUDA code is inserted where a multi-line comment would stand and replaces the
/// function of that name, so this works only with CUDA, and once per block. If it is not inserted, roots are slower,
/// but the same.
pub fn quick_roots() {}

/// The expansion that CubeCL calls.
#[doc(hidden)]
pub mod quick_roots {
    use cubecl::prelude::Scope;

    pub fn expand(scope: &mut Scope) {
        let root = "float root; asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : \"=f\"(root) : \"f\"(square)); return root;";
        let words = format!("*/ auto rsqrt = [](float square) {{ {root} }}; /*\n");
        cubecl::frontend::cube_comment::expand(scope, &words);
    }
}
