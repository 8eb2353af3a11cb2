//! The macros of Throng's rules and kernels: stand-ins for CubeCL's macros in builds without CubeCL, where the source
//! of a rule remains plain Rust, and the derive macros of kernel arguments.
//!
//! * [`macro@cube`] leaves a rule as plain Rust and removes CubeCL's marks.
//! * [`macro@KernelParameter`] implements `throng_device::KernelParameter` for a struct of kernel arguments.
//! * [`macro@kernel`] adds to a kernel the host function that launches it.
//! * [`macro@AgentColumns`] implements `throng_device::neighbours::AgentColumns` for the columns of an agent.
//!
//! ```
//! use throng_device_macros::{CubeType, comptime, cube};
//! # // In rules, this name comes from `throng_device::prelude`.
//! # mod cubecl {}
//!
//! #[derive(CubeType, Clone, Copy)]
//! struct Bird {
//!     x: i32,
//!     speed: i32,
//! }
//!
//! #[cube]
//! fn moved(bird: Bird, #[comptime] width: i32) -> i32 {
//!     (bird.x + bird.speed) % comptime!(width)
//! }
//!
//! assert_eq!(moved(Bird { x: 90, speed: 20 }, 100), 10);
//! ```
//!
//! CubeCL's `#[cube]` also leaves a function as it is, and adds the code from which kernels are built. The stand-in
//! omits that second part. Kernels themselves (`#[cube(launch)]`) must not use these macros; they are excluded from
//! such builds.
//!
//! Programs use the macros through `throng_device::prelude`, which selects between these macros and those of CubeCL.

#![forbid(unsafe_code)]

mod kernel;
mod kernel_parameter;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Leaves a function, a trait or an implementation as it is, except that it removes CubeCL's marks: `#[comptime]`
/// before arguments and `#[unroll]` before loops.
#[proc_macro_attribute]
pub fn cube(_options: TokenStream, item: TokenStream) -> TokenStream {
    let mut plain = without_marks(item);
    plain.extend(use_of_cubecl());
    plain
}

/// Adds nothing to a type. Its fields may have CubeCL's marks, such as `#[cube(comptime)]`.
#[proc_macro_derive(CubeType, attributes(cube))]
pub fn cube_type(_item: TokenStream) -> TokenStream {
    use_of_cubecl()
}

/// Adds nothing to a type, like [`macro@CubeType`].
#[proc_macro_derive(CubeLaunch, attributes(cube))]
pub fn cube_launch(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Implements `throng_device::KernelParameter` for a struct of numbers, of other such structs, and of values that are
/// marked `#[cube(comptime)]`. The struct must also derive `CubeLaunch` and must not be generic.
///
/// The names `cubecl` and `KernelParameter` must be in scope.
#[proc_macro_derive(KernelParameter, attributes(cube))]
pub fn kernel_parameter(item: TokenStream) -> TokenStream {
    kernel_parameter::implement(item)
}

/// Implements `throng_device::KernelArrays` for a struct of arrays, of other such structs, of parameters, and of values
/// that are marked `#[cube(comptime)]`. The struct must also derive `CubeLaunch` and must not be generic.
///
/// For a struct `Name` it writes the struct `NameBuffers<'b>`, which has a reference to a buffer instead of each array,
/// and a method `arg` that builds the argument. With the mark `#[buffers(owned)]` on the struct, `NameBuffers` has the
/// buffers themselves. It also implements `CubeType` for references to the struct, for views that borrow it.
///
/// The names `cubecl` and `KernelArrays` must be in scope.
#[proc_macro_derive(KernelArrays, attributes(cube, buffers))]
pub fn kernel_arrays(item: TokenStream) -> TokenStream {
    kernel_parameter::implement_arrays(item)
}

/// Marks a function as a kernel, as `#[cube(launch)]` does, and adds the host function that launches it. The argument
/// of the attribute is the label of the launch.
///
/// For a kernel `name` it writes `launch_name`, whose arguments are the device, the size of the launch
/// (`throng_device::LaunchSize`, or a number of units), and a value for each parameter of the kernel: a reference to a
/// buffer for an array, `ArgumentsBuffers` for a struct of arrays `Arguments`, and the same value for a number, a
/// struct of numbers or a `#[comptime]` parameter. The kernel must not be generic.
///
/// The names of `throng_device::prelude` must be in scope.
#[proc_macro_attribute]
pub fn kernel(label: TokenStream, item: TokenStream) -> TokenStream {
    kernel::implement(&label, item)
}

/// Implements `throng_device::neighbours::AgentColumns` for a struct of two or more `i32` that also derives `CubeType`.
///
/// The names of `throng_device::prelude` must be in scope.
#[proc_macro_derive(AgentColumns)]
pub fn agent_columns(item: TokenStream) -> TokenStream {
    kernel_parameter::implement_agent(item)
}

/// Adds nothing to a type: `KernelParameter` in builds without CubeCL.
#[proc_macro_derive(AbsentKernelParameter, attributes(cube))]
pub fn absent_kernel_parameter(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Adds nothing to a type: `KernelArrays` in builds without CubeCL.
#[proc_macro_derive(AbsentKernelArrays, attributes(cube, buffers))]
pub fn absent_kernel_arrays(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Expands to its expression.
#[proc_macro]
pub fn comptime(expression: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, expression)).into()
}

/// Returns its tokens, with spans as if a single macro had written all of them.
///
/// CubeCL's macros add their own names to a function. These names are not visible if part of the function comes from a
/// `macro_rules!` macro and part of it from the call site of that macro.
#[proc_macro]
pub fn with_call_site_spans(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| {
            let span = token.span().resolved_at(Span::call_site());
            let mut token = match token {
                TokenTree::Group(group) => Group::new(group.delimiter(), with_call_site_spans(group.stream())).into(),
                other => other,
            };
            token.set_span(span);
            token
        })
        .collect()
}

/// Files import the name `cubecl` because CubeCL's macros need it. This use avoids an unused-import warning.
fn use_of_cubecl() -> TokenStream {
    "const _: () = { #[allow(unused_imports)] use cubecl as _; };".parse().expect("the text is valid Rust")
}

fn without_marks(tokens: TokenStream) -> TokenStream {
    let mut plain = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if is_hash && tokens.next_if(is_mark).is_some() {
            continue;
        }
        plain.push(match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_marks(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            other => other,
        });
    }
    plain.into_iter().collect()
}

/// Whether the group after a `#` is a mark.
fn is_mark(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let first = group.stream().into_iter().next().map(|name| name.to_string());
    group.delimiter() == Delimiter::Bracket && matches!(first.as_deref(), Some("comptime" | "unroll"))
}
