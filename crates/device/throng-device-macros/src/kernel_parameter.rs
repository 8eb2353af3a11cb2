//! The derive macros `KernelParameter` and `AgentColumns`: kernel values built by field name.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Implements `KernelParameter` for a struct with named fields. Anything else is a compile error.
pub(crate) fn implement(item: TokenStream) -> TokenStream {
    match Struct::parse(item) {
        Ok(parsed) => parsed.implementation(),
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
    fields: Vec<Field>,
}

struct Field {
    name: Ident,
    /// Whether the field is marked `#[cube(comptime)]`.
    is_comptime: bool,
    kind: Vec<TokenTree>,
}

/// Reason why an item cannot be a parameter, and the offending location.
struct Refusal {
    at: Span,
    reason: &'static str,
}

impl Struct {
    fn parse(item: TokenStream) -> Result<Self, Refusal> {
        let refuse = |at, reason| Err(Refusal { at, reason });
        let mut tokens = item.into_iter();
        // Attributes and visibility are in bracketed groups before the keyword.
        let keyword = tokens.find(|token| ["struct", "enum", "union"].contains(&token.to_string().as_str()));
        let (Some(keyword), Some(TokenTree::Ident(name))) = (keyword, tokens.next()) else {
            return refuse(Span::call_site(), "derive a kernel's argument for a struct");
        };
        if keyword.to_string() != "struct" {
            return refuse(
                keyword.span(),
                "an argument of a kernel is a struct: write one with a field for each number or array",
            );
        }
        match tokens.next() {
            Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
                Ok(Self { name, fields: fields(body.stream()) })
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

    fn agent(&self) -> Result<TokenStream, Refusal> {
        if let Some(field) = self.fields.iter().find(|field| field.kind() != "i32") {
            return Err(Refusal { at: field.name.span(), reason: "a column of agents has whole numbers: write `i32`" });
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
        let Self { name, is_comptime, .. } = self;
        let value = if *is_comptime {
            format!("{name}: self.{name},")
        } else {
            format!("{name}: KernelParameter::arg::<R>(self.{name}),")
        };
        located(rust(&value), Span::call_site().located_at(name.span()))
    }

    /// Returns the type as a string.
    fn kind(&self) -> String {
        self.kind.iter().cloned().collect::<TokenStream>().to_string()
    }
}

impl Refusal {
    fn compile_error(&self) -> TokenStream {
        located(rust(&format!("compile_error!({:?});", self.reason)), self.at)
    }
}

/// Parses the fields between the braces of a struct.
fn fields(body: TokenStream) -> Vec<Field> {
    let mut fields = Vec::new();
    let (mut is_comptime, mut word) = (false, None);
    let mut tokens = body.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => is_comptime |= is_comptime_mark(&group),
            TokenTree::Ident(ident) => word = Some(ident),
            // The first colon outside of brackets follows the name.
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                let kind = kind(&mut tokens);
                fields.extend(word.take().map(|name| Field { name, is_comptime, kind }));
                is_comptime = false;
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

/// Whether an attribute, without its `#`, is `[cube(comptime)]`.
fn is_comptime_mark(attribute: &Group) -> bool {
    let mut tokens = attribute.stream().into_iter();
    let is_cube = tokens.next().is_some_and(|name| name.to_string() == "cube");
    let Some(TokenTree::Group(options)) = tokens.next() else { return false };
    is_cube && options.stream().into_iter().any(|option| option.to_string() == "comptime")
}

fn rust(text: &str) -> TokenStream {
    text.parse().expect("it is Rust")
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
