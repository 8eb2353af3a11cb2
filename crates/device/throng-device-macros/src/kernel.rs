//! The attribute `kernel`: a kernel, and the host function that launches it.

use proc_macro::{Delimiter, Ident, TokenStream, TokenTree};

use crate::kernel_parameter::{Field, Refusal, fields, rust};

/// Marks a function as a kernel, and adds its host function. Anything else is a compile error.
pub(crate) fn implement(label: &TokenStream, item: TokenStream) -> TokenStream {
    let mut kernel = rust("#[cube(launch)]");
    kernel.extend(item.clone());
    kernel.extend(Kernel::parse(item).map_or_else(|refusal| refusal.compile_error(), |parsed| parsed.host(label)));
    kernel
}

/// The head of a kernel.
struct Kernel {
    visibility: TokenStream,
    name: Ident,
    parameters: Vec<Field>,
}

impl Kernel {
    fn parse(item: TokenStream) -> Result<Self, Refusal> {
        let refuse = |at: &TokenTree, reason| Err(Refusal { at: at.span(), reason });
        let mut visibility = TokenStream::new();
        let mut tokens = item.into_iter();
        while let Some(token) = tokens.next() {
            match &token {
                // Documentation and other attributes of the kernel.
                TokenTree::Punct(_) => continue,
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => continue,
                TokenTree::Ident(keyword) if keyword.to_string() == "fn" => {}
                TokenTree::Ident(keyword) if keyword.to_string() != "pub" => {
                    return refuse(&token, "a kernel is a function: write `fn`");
                }
                _ => {
                    visibility.extend([token]);
                    continue;
                }
            }
            let Some(TokenTree::Ident(name)) = tokens.next() else { break };
            return match tokens.next() {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                    Ok(Self { visibility, name, parameters: fields(group.stream()) })
                }
                _ => {
                    let reason = "a kernel with a host function has no generics: write `#[cube(launch)]`, and launch it \
                                  in a closure";
                    Err(Refusal { at: name.span(), reason })
                }
            };
        }
        Err(Refusal { at: proc_macro::Span::call_site(), reason: "this attribute is only for functions" })
    }

    fn host(&self, label: &TokenStream) -> TokenStream {
        let Self { visibility, name, parameters } = self;
        let arguments = parameters.iter().map(|Field { name, head, kind }| {
            let kind = owned(kind);
            if head.is_comptime {
                (format!("{name}: {kind}, "), format!("{name}, "))
            } else {
                let buffers = format!("{name}: <{kind} as KernelArrays>::Buffers<'_>, ");
                (buffers, format!("device.kernel_argument::<{kind}>({name}), "))
            }
        });
        let (declared, passed): (String, String) = arguments.unzip();
        rust(&format!(
            "#[doc = \"Launches the kernel [`{name}`](fn@{name}) on a device.\"]
            #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
            {visibility} fn launch_{name}(
                device: &Device,
                size: impl ::core::convert::Into<LaunchSize>,
                {declared}
            ) -> ::core::result::Result<(), DeviceError> {{
                let throng_size: LaunchSize = size.into();
                let (throng_count, throng_units) = (throng_size.cubes, throng_size.units);
                device.launch_cubes({label}, throng_count, throng_units, |throng_client, throng_cubes, throng_dim| {{
                    {name}::launch(throng_client, throng_cubes, throng_dim, {passed});
                }})
            }}"
        ))
    }
}

/// Returns the type of a parameter without the reference.
fn owned(kind: &[TokenTree]) -> TokenStream {
    let is_reference = matches!(kind.first(), Some(TokenTree::Punct(punct)) if punct.as_char() == '&');
    let kind = if is_reference { &kind[1..] } else { kind };
    let is_mutable = matches!(kind.first(), Some(TokenTree::Ident(word)) if word.to_string() == "mut");
    kind[usize::from(is_mutable)..].iter().cloned().collect()
}
