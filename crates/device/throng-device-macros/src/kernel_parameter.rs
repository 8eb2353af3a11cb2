//! The derive macros `KernelParameter`, `KernelArrays` and `AgentColumns`: kernel values built by field name.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Implements `KernelParameter` for a struct with named fields. Anything else is a compile error.
pub(crate) fn implement(item: TokenStream) -> TokenStream {
    match Struct::parse(item) {
        Ok(parsed) => parsed.implementation(),
        Err(refusal) => refusal.compile_error(),
    }
}

/// Implements `KernelArrays` for a struct with named fields, and writes the struct of its buffers. Anything else is a
/// compile error.
pub(crate) fn implement_arrays(item: TokenStream) -> TokenStream {
    match Struct::parse(item) {
        Ok(parsed) => parsed.arrays(),
        Err(refusal) => refusal.compile_error(),
    }
}

/// Implements `AgentColumns` for a struct with named fields that are `i32`. Anything else is a compile error.
pub(crate) fn implement_agent(item: TokenStream) -> TokenStream {
    match Struct::parse(item).and_then(|parsed| parsed.agent()) {
        Ok(implementation) => implementation,
        Err(refusal) => refusal.compile_error(),
    }
}

/// A struct with named fields and no generics.
struct Struct {
    name: Ident,
    head: Head,
    fields: Vec<Field>,
}

/// A field of a struct, or a parameter of a kernel.
pub(crate) struct Field {
    pub name: Ident,
    pub head: Head,
    pub kind: Vec<TokenTree>,
}

/// The attributes and visibility before the name of a struct or field.
#[derive(Default)]
pub(crate) struct Head {
    /// The attributes with its documentation.
    documentation: TokenStream,
    visibility: TokenStream,
    /// Whether it is marked `#[cube(comptime)]`, or `#[comptime]` as a parameter.
    pub is_comptime: bool,
    /// Whether it is marked `#[buffers(owned)]`.
    owns: bool,
}

/// Reason why a macro rejects an item, and the offending location.
pub(crate) struct Refusal {
    pub at: Span,
    pub reason: &'static str,
}

impl Struct {
    fn parse(item: TokenStream) -> Result<Self, Refusal> {
        let refuse = |at, reason| Err(Refusal { at, reason });
        let mut tokens = item.into_iter();
        let mut head = Head::default();
        let keyword = tokens.find(|token| {
            let is_keyword = ["struct", "enum", "union"].contains(&token.to_string().as_str());
            if !is_keyword {
                head.add(token);
            }
            is_keyword
        });
        let (Some(keyword), Some(TokenTree::Ident(name))) = (keyword, tokens.next()) else {
            return refuse(Span::call_site(), "this derive macro is only for structs");
        };
        if keyword.to_string() != "struct" {
            return refuse(
                keyword.span(),
                "an argument of a kernel is a struct: write one with a field for each number or array",
            );
        }
        match tokens.next() {
            Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
                Ok(Self { name, head, fields: fields(body.stream()) })
            }
            Some(token) if ["<", "where"].contains(&token.to_string().as_str()) => {
                refuse(token.span(), "an argument of a kernel has no generics: write a struct for each type")
            }
            _ => {
                refuse(name.span(), "an argument of a kernel has named fields: name them, `struct Name { field: u32 }`")
            }
        }
    }

    fn implementation(&self) -> TokenStream {
        let mut values: TokenStream = self.fields.iter().map(Field::value).collect();
        values.extend(rust("_phantom_runtime: ::core::marker::PhantomData"));
        let name = &self.name;
        let literal = followed_by(&format!("{name}Launch"), values);
        let function = followed_by(
            "fn arg<R: cubecl::prelude::Runtime>(self) -> <Self as cubecl::prelude::LaunchArg>::RuntimeArg<R>",
            literal,
        );
        followed_by(&format!("#[automatically_derived] impl KernelParameter for {name}"), function)
    }

    fn arrays(&self) -> TokenStream {
        let (name, owns) = (&self.name, self.head.owns);
        let host = Ident::new(&format!("{name}Buffers"), name.span());
        // A struct of owned buffers is passed by reference, a struct of references by value.
        let (derives, lifetime, any, buffers) = if owns {
            ("Debug", "", "", format!("&'b {host}"))
        } else {
            ("Clone, Copy", "<'b>", "<'_>", format!("{host}<'b>"))
        };
        let mut tokens = self.head.documentation.clone();
        tokens.extend(rust(&format!(
            "#[doc = \"\"] #[doc = \"The buffers of the arrays of [`{name}`].\"]
            #[allow(missing_docs)] #[derive({derives})]"
        )));
        tokens.extend(self.head.visibility.clone());
        let fields = self.fields.iter().map(|field| field.buffer(owns)).collect();
        tokens.extend(followed_by(&format!("struct {host}{lifetime}"), fields));
        let mut values: TokenStream = self.fields.iter().map(|field| field.buffer_value(owns)).collect();
        values.extend(rust("_phantom_runtime: ::core::marker::PhantomData"));
        let arg = format!("<{name} as cubecl::prelude::LaunchArg>::RuntimeArg<R>");
        let mut method = rust("#[doc = \"Builds the argument, inside the launch closure.\"]");
        method.extend(self.head.visibility.clone());
        method.extend(followed_by(
            &format!("fn arg<R: cubecl::prelude::Runtime>(&self) -> {arg}"),
            followed_by(&format!("{name}Launch"), values),
        ));
        tokens.extend(followed_by(&format!("#[automatically_derived] impl {host}{any}"), method));
        // Views of kernels borrow arrays.
        for borrow in ["&", "&mut"] {
            tokens.extend(rust(&format!(
                "#[automatically_derived] impl cubecl::prelude::CubeType for {borrow} {name} {{
                    type ExpandType = <{name} as cubecl::prelude::CubeType>::ExpandType;
                }}"
            )));
        }
        tokens.extend(rust(&format!(
            "#[automatically_derived] impl KernelArrays for {name} {{
                type Buffers<'b> = {buffers};
                fn arg_of<R: cubecl::prelude::Runtime>(buffers: Self::Buffers<'_>) -> {arg} {{ buffers.arg() }}
            }}"
        )));
        tokens
    }

    fn agent(&self) -> Result<TokenStream, Refusal> {
        if let Some(field) = self.fields.iter().find(|field| field.kind() != "i32") {
            return Err(Refusal { at: field.name.span(), reason: "columns of agents contain integers: write `i32`" });
        }
        let [x, y, ..] = &self.fields[..] else {
            let reason = "agents have a position: begin with the fields `x: i32, y: i32`";
            return Err(Refusal { at: self.name.span(), reason });
        };
        let (name, columns, z) = (&self.name, self.fields.len(), self.fields.get(2).unwrap_or(y));
        let each = |text: &dyn Fn(usize, &Ident) -> String| {
            self.fields.iter().enumerate().map(|(i, field)| text(i, &field.name)).collect::<Vec<_>>().concat()
        };
        let load = each(&|i, field| format!("{field}: columns.value({i}usize, number),"));
        let store = each(&|i, field| format!("columns.put({i}usize, number, agent.{field});"));
        let axis =
            |axis: &str, field: &Field| format!("#[inline] fn {axis}(agent: &Self) -> i32 {{ agent.{} }}", field.name);
        let axes = axis("x", x) + &axis("y", y) + &axis("z", z);
        Ok(rust(&format!(
            "#[cube]
            impl AgentColumns for {name} {{
                const COLUMNS: usize = {columns};
                #[inline] fn load<C: ReadColumns>(columns: &C, number: usize) -> Self {{ {name} {{ {load} }} }}
                #[inline] fn store<C: WriteColumns>(agent: &Self, columns: &mut C, number: usize) {{ {store} }}
                {axes}
            }}"
        )))
    }
}

impl Field {
    /// Returns the field for the struct literal. Errors about it, such as a type that is not a parameter, point to its
    /// name.
    fn value(&self) -> TokenStream {
        let Self { name, head, .. } = self;
        let value = if head.is_comptime {
            format!("{name}: self.{name},")
        } else {
            format!("{name}: KernelParameter::arg::<R>(self.{name}),")
        };
        self.located(&value)
    }

    /// Returns the field for the struct of buffers.
    fn buffer(&self, owns: bool) -> TokenStream {
        let (name, kind) = (&self.name, self.kind());
        let borrowed = format!("<{kind} as KernelArrays>::Buffers");
        let mut tokens = self.head.documentation.clone();
        tokens.extend(self.head.visibility.clone());
        tokens.extend(self.located(&if self.head.is_comptime {
            format!("{name}: {kind},")
        } else if owns {
            // An array borrows a buffer: `&'static Buffer` as `Deref` has the target `Buffer`.
            format!("{name}: <{borrowed}<'static> as ::core::ops::Deref>::Target,")
        } else {
            format!("{name}: {borrowed}<'b>,")
        }));
        tokens
    }

    /// Returns the field for the struct literal of a launch, from the struct of buffers.
    fn buffer_value(&self, owns: bool) -> TokenStream {
        let (name, kind) = (&self.name, self.kind());
        let reference = if owns { "&" } else { "" };
        self.located(&if self.head.is_comptime {
            format!("{name}: self.{name},")
        } else {
            format!("{name}: <{kind} as KernelArrays>::arg_of::<R>({reference}self.{name}),")
        })
    }

    fn located(&self, text: &str) -> TokenStream {
        located(rust(text), Span::call_site().located_at(self.name.span()))
    }

    /// Returns the type as a string.
    fn kind(&self) -> String {
        self.kind.iter().cloned().collect::<TokenStream>().to_string()
    }
}

impl Refusal {
    pub fn compile_error(&self) -> TokenStream {
        located(rust(&format!("compile_error!({:?});", self.reason)), self.at)
    }
}

/// Parses the fields between the braces of a struct, or the parameters of a kernel.
pub(crate) fn fields(body: TokenStream) -> Vec<Field> {
    let (mut fields, mut head, mut word) = (Vec::new(), Head::default(), None);
    let mut tokens = body.into_iter();
    while let Some(token) = tokens.next() {
        head.add(&token);
        match token {
            TokenTree::Ident(ident) => word = Some(ident),
            // The first colon outside of brackets follows the name.
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                let (head, kind) = (std::mem::take(&mut head), kind(&mut tokens));
                fields.extend(word.take().map(|name| Field { name, head, kind }));
            }
            _ => {}
        }
    }
    fields
}

/// Parses a type up to the comma that ends it. Commas between generic arguments do not end it.
fn kind(tokens: &mut impl Iterator<Item = TokenTree>) -> Vec<TokenTree> {
    let (mut kind, mut depth, mut before) = (Vec::new(), 0, ' ');
    for token in tokens {
        let sign = if let TokenTree::Punct(punct) = &token { punct.as_char() } else { ' ' };
        match sign {
            '<' => depth += 1,
            '>' if before == '-' => {}
            '>' => depth -= 1,
            ',' if depth == 0 => break,
            _ => {}
        }
        before = sign;
        kind.push(token);
    }
    kind
}

impl Head {
    /// Adds a token that is part of an attribute or of the visibility.
    fn add(&mut self, token: &TokenTree) {
        match token {
            TokenTree::Ident(ident) if ident.to_string() == "pub" => self.visibility = rust("pub"),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                self.visibility.extend([token.clone()]);
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                let first = group.stream().into_iter().next();
                if first.is_some_and(|name| name.to_string() == "doc") {
                    self.documentation.extend(rust("#").into_iter().chain([token.clone()]));
                }
                self.is_comptime |= is_mark(group, "cube", "comptime") || group.stream().to_string() == "comptime";
                self.owns |= is_mark(group, "buffers", "owned");
            }
            _ => {}
        }
    }
}

/// Whether an attribute, without its `#`, is the named one with this option, such as `[cube(comptime)]`.
fn is_mark(attribute: &Group, name: &str, option: &str) -> bool {
    let mut tokens = attribute.stream().into_iter();
    let is_named = tokens.next().is_some_and(|first| first.to_string() == name);
    let Some(TokenTree::Group(options)) = tokens.next() else { return false };
    is_named && options.stream().into_iter().any(|word| word.to_string() == option)
}

pub(crate) fn rust(text: &str) -> TokenStream {
    text.parse().expect("the text is valid Rust")
}

/// Appends a block or literal in braces to some Rust code.
fn followed_by(head: &str, block: TokenStream) -> TokenStream {
    let mut tokens = rust(head);
    tokens.extend([TokenTree::from(Group::new(Delimiter::Brace, block))]);
    tokens
}

fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let at_place = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), located(group.stream(), at)).into();
        }
        token.set_span(at);
        token
    };
    tokens.into_iter().map(at_place).collect()
}
