//! The derive macro `KernelParameter`: the argument of a kernel, built by the names of fields.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Implements the trait for a struct with named fields. Anything else is a compile error.
pub(crate) fn implement(item: TokenStream) -> TokenStream {
    match Struct::parse(item) {
        Ok(parsed) => parsed.implementation(),
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
}

/// Why an item cannot be a parameter, and the tokens that show it.
struct Refusal {
    at: Span,
    reason: &'static str,
}

impl Struct {
    fn parse(item: TokenStream) -> Result<Self, Refusal> {
        let refuse = |at, reason| Err(Refusal { at, reason });
        let mut tokens = item.into_iter();
        // Attributes and the visibility before it have their words in brackets.
        let keyword = tokens.find(|token| ["struct", "enum", "union"].contains(&token.to_string().as_str()));
        let (Some(keyword), Some(TokenTree::Ident(name))) = (keyword, tokens.next()) else {
            return refuse(Span::call_site(), "derive `KernelParameter` for a struct");
        };
        if keyword.to_string() != "struct" {
            return refuse(keyword.span(), "a kernel parameter is a struct: write one with a field for each number");
        }
        match tokens.next() {
            Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
                Ok(Self { name, fields: fields(body.stream()) })
            }
            Some(token) if ["<", "where"].contains(&token.to_string().as_str()) => {
                refuse(token.span(), "a kernel parameter has no generics: write a struct for each type")
            }
            _ => refuse(name.span(), "a kernel parameter has named fields: name them, `struct Name { field: u32 }`"),
        }
    }

    fn implementation(&self) -> TokenStream {
        let name = &self.name;
        let mut values: TokenStream = self.fields.iter().map(Field::value).collect();
        values.extend(rust("_phantom_runtime: ::core::marker::PhantomData"));
        let literal = followed_by(&format!("{name}Launch"), values);
        let signature = "fn arg<R: cubecl::prelude::Runtime>(self) \
            -> <Self as cubecl::prelude::LaunchArg>::RuntimeArg<R>";
        let function = followed_by(signature, literal);
        followed_by(&format!("#[automatically_derived] impl KernelParameter for {name}"), function)
    }
}

impl Field {
    /// The field in the literal. Errors about it, such as a type that is no parameter, point to its name.
    fn value(&self) -> TokenStream {
        let Self { name, is_comptime } = self;
        let value = if *is_comptime {
            format!("{name}: self.{name},")
        } else {
            format!("{name}: KernelParameter::arg::<R>(self.{name}),")
        };
        located(rust(&value), Span::call_site().located_at(name.span()))
    }
}

impl Refusal {
    fn compile_error(&self) -> TokenStream {
        located(rust(&format!("compile_error!({:?});", self.reason)), self.at)
    }
}

/// The fields between the braces of a struct.
fn fields(body: TokenStream) -> Vec<Field> {
    let mut fields = Vec::new();
    let (mut is_comptime, mut word) = (false, None);
    let mut tokens = body.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => is_comptime |= is_comptime_mark(&group),
            TokenTree::Ident(ident) => word = Some(ident),
            // The first colon outside of brackets is behind the name.
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                fields.extend(word.take().map(|name| Field { name, is_comptime }));
                is_comptime = false;
                skip_type(&mut tokens);
            }
            _ => {}
        }
    }
    fields
}

/// Skips a type and the comma that ends it. A comma between generic arguments does not.
fn skip_type(tokens: &mut impl Iterator<Item = TokenTree>) {
    let (mut depth, mut before) = (0, ' ');
    for token in tokens {
        let sign = if let TokenTree::Punct(punct) = token { punct.as_char() } else { ' ' };
        match sign {
            '<' => depth += 1,
            '>' if before == '-' => {}
            '>' => depth -= 1,
            ',' if depth == 0 => return,
            _ => {}
        }
        before = sign;
    }
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

/// Some Rust, and a block or literal in braces.
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
