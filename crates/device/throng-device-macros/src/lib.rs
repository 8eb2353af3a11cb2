//! What stands for CubeCL's macros in builds without it: the text of a rule is plain Rust, and stays as it is. And the
//! derive macros of kernels' arguments.
//!
//! With CubeCL, `#[cube]` leaves a function as it is, too, and puts beside it what kernels are made from. Here that second
//! part is missing. Kernels themselves (`#[cube(launch)]`) are not meant to go through these macros; they are left out of
//! such builds.
//!
//! Used by way of `throng_device::cubecl::prelude`, `throng_device::KernelParameter` and
//! `throng_device::neighbours::AgentColumns`.

#![forbid(unsafe_code)]

mod kernel_parameter;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// Leaves a function, a trait or an implementation as it is, but for the marks in it that only CubeCL knows:
/// `#[comptime]` before arguments and `#[unroll]` before loops.
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

/// Adds nothing to a type, as [`macro@CubeType`].
#[proc_macro_derive(CubeLaunch, attributes(cube))]
pub fn cube_launch(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Implements `throng_device::KernelParameter` for a struct of numbers, of other such structs, and of values that are
/// marked `#[cube(comptime)]`. The struct also derives `CubeLaunch`, and has no generics.
///
/// The names `cubecl` and `KernelParameter` have to be in scope.
#[proc_macro_derive(KernelParameter, attributes(cube))]
pub fn kernel_parameter(item: TokenStream) -> TokenStream {
    kernel_parameter::implement(item)
}

/// Implements `throng_device::neighbours::AgentColumns` for a struct of `i32` that also derives `CubeType`.
///
/// The names of `throng_device::prelude` have to be in scope.
#[proc_macro_derive(AgentColumns)]
pub fn agent_columns(item: TokenStream) -> TokenStream {
    kernel_parameter::implement_agent(item)
}

/// Adds nothing to a type: `KernelParameter` in builds without CubeCL.
#[proc_macro_derive(AbsentKernelParameter, attributes(cube))]
pub fn absent_kernel_parameter(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Is the value of its expression.
#[proc_macro]
pub fn comptime(expression: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, expression)).into()
}

/// Its tokens, as if a single macro had written all of them.
///
/// CubeCL's macros bring names of their own into a function. They fail to see them if part of the function comes from a
/// `macro_rules!` macro and part of it from the place where that one is called.
#[proc_macro]
pub fn from_one_place(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| {
            let span = token.span().resolved_at(Span::call_site());
            let mut token = match token {
                TokenTree::Group(group) => Group::new(group.delimiter(), from_one_place(group.stream())).into(),
                other => other,
            };
            token.set_span(span);
            token
        })
        .collect()
}

/// CubeCL's macros need its name, so files import it. Here the import has to be used, too, or the compiler warns of it.
fn use_of_cubecl() -> TokenStream {
    "const _: () = { #[allow(unused_imports)] use cubecl as _; };".parse().expect("it is Rust")
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

/// What stands behind the `#` of a mark.
fn is_mark(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let first = group.stream().into_iter().next().map(|name| name.to_string());
    group.delimiter() == Delimiter::Bracket && matches!(first.as_deref(), Some("comptime" | "unroll"))
}
