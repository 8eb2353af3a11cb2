//! Instructions of CUDA that CubeCL 0.10 does not have.
//!
//! They are injected into the source of a kernel in place of comments, so they work only with CUDA, and other back ends
//! cannot compile kernels that contain them. The tests of the [grid barrier](crate::grid_barrier()) fail if they are not
//! injected.

// Each function comes with a module of the same name, which CubeCL expects next to it.
#![allow(missing_docs)]

use cubecl::prelude::Scope;

/// Orders the reads and writes of a cube, synchronised before, ahead of those of the calling unit after the fence, as
/// seen by other cubes. CubeCL's `sync_storage` is a barrier for one cube.
pub(crate) fn release_fence() {}

pub(crate) mod release_fence {
    pub(crate) fn expand(scope: &mut super::Scope) {
        super::inject(scope, r#"asm volatile("fence.acq_rel.gpu;" ::: "memory");"#);
    }
}

/// From here on, atomic loads of 32-bit integers are loads. CubeCL adds 0 instead, which takes twice as long.
pub fn relaxed_loads() {}

pub mod relaxed_loads {
    /// Called by the expansion of a kernel.
    pub fn expand(scope: &mut super::Scope) {
        super::load_with(scope, "ld.relaxed.gpu");
    }
}

/// As [`relaxed_loads()`], with loads that make everything visible to the units of the cube, once they are
/// synchronised, that other cubes had written before a [`release_fence()`].
pub(crate) fn acquiring_loads() {}

pub(crate) mod acquiring_loads {
    pub(crate) fn expand(scope: &mut super::Scope) {
        super::load_with(scope, "ld.acquire.gpu");
    }
}

/// Replaces additions of 0, which is how CubeCL expresses atomic loads, by an instruction.
fn load_with(scope: &mut Scope, instruction: &str) {
    let load = format!(
        r#"[](const unsigned int* throng_at) {{ unsigned int throng_found; asm volatile("{instruction}.global.u32 %0, [%1];" : "=r"(throng_found) : "l"(throng_at) : "memory"); return throng_found; }}"#
    );
    let define = "#define atomicAdd(at, value)";
    inject(scope, &format!("\n#undef atomicAdd\n{define} ((value) == 0 ? ({load})(at) : atomicAdd((at), (value)))\n"));
}

/// Adds CUDA source to a kernel.
fn inject(scope: &mut Scope, source: &str) {
    cubecl::frontend::cube_comment::expand(scope, &format!("*/ {source} /*\n"));
}
