//! Instructions of CUDA that CubeCL 0.10 does not have.
//!
//! They are injected into the source of a kernel in place of comments, so they work only with CUDA, and other back ends
//! cannot compile kernels that contain them. Cards before compute capability 7.0 get older instructions that do more.

// Each function comes with a module of the same name, which CubeCL expects next to it.
#![allow(missing_docs)]

use cubecl::prelude::Scope;

/// Makes everything that the cube did before the preceding `sync_cube` visible to other cubes, before anything that the
/// calling unit does afterwards. CubeCL's `sync_storage` is a barrier for one cube.
pub(crate) fn release_fence() {}

pub(crate) mod release_fence {
    pub(crate) fn expand(scope: &mut super::Scope) {
        super::inject_by_capability(scope, r#"asm volatile("fence.acq_rel.gpu;" ::: "memory");"#, "__threadfence();");
    }
}

/// From here on, atomic loads are loads; CubeCL adds 0 instead. Only with CUDA, and only for kernels whose later atomic
/// additions and loads are of `Atomic<u32>` in global memory.
pub fn relaxed_loads() {}

pub mod relaxed_loads {
    /// Called by the expansion of a kernel.
    pub fn expand(scope: &mut super::Scope) {
        super::load_with(scope, "ld.relaxed.gpu", "");
    }
}

/// Like [`relaxed_loads()`], but a load that reads a value written after the [`release_fence()`] of another cube also
/// makes the earlier writes of that cube visible: to the whole cube, after its next `sync_cube`.
pub(crate) fn acquiring_loads() {}

pub(crate) mod acquiring_loads {
    pub(crate) fn expand(scope: &mut super::Scope) {
        super::load_with(scope, "ld.acquire.gpu", "__threadfence();");
    }
}

/// Replaces additions of 0, which is how CubeCL expresses atomic loads, by an instruction. Older cards read past their
/// caches and execute `fence`.
fn load_with(scope: &mut Scope, instruction: &str, fence: &str) {
    let define = |load: &str| {
        format!(
            "#define atomicAdd(at, value) ((value) == 0 ? ([](const unsigned int* throng_at) {{ \
             unsigned int throng_found; {load} return throng_found; }})(at) : atomicAdd((at), (value)))"
        )
    };
    let load = format!(
        r#"asm volatile("{instruction}.global.u32 %0, [%1];" : "=r"(throng_found) : "l"(throng_at) : "memory");"#
    );
    let older = format!("throng_found = *(const volatile unsigned int*)throng_at; {fence}");
    inject(scope, "\n#undef atomicAdd\n");
    inject_by_capability(scope, &define(&load), &define(&older));
}

/// Adds CUDA source to a kernel, or `older` for cards before compute capability 7.0.
fn inject_by_capability(scope: &mut Scope, source: &str, older: &str) {
    inject(scope, &format!("\n#if __CUDA_ARCH__ >= 700\n{source}\n#else\n{older}\n#endif\n"));
}

/// Adds CUDA source to a kernel.
fn inject(scope: &mut Scope, source: &str) {
    cubecl::frontend::cube_comment::expand(scope, &format!("*/ {source} /*\n"));
}
