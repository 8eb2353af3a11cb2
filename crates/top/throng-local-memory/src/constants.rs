//! Integer constant expressions, with the types of OpenCL C: `int` has 32 bits and `long` 64.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::builtin_types::{Layout, layout_of_words};
use crate::syntax::{Syntax, children_of_field, named_children, visit};
use crate::types::Types;

/// A constant of an integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Constant {
    pub value: i128,
    bits: u32,
    is_signed: bool,
}

impl Constant {
    /// The layout of its type.
    pub fn layout(self) -> Layout {
        let size = u64::from(self.bits / 8);
        Layout { size, align: size }
    }

    const fn int(value: i128) -> Self {
        Self { value, bits: 32, is_signed: true }
    }

    /// Converts the value to another type, with wrap-around.
    fn cast(self, bits: u32, is_signed: bool) -> Self {
        let wrapped = self.value & ((1 << bits) - 1);
        let value = if is_signed && wrapped >> (bits - 1) == 1 { wrapped - (1 << bits) } else { wrapped };
        Self { value, bits, is_signed }
    }

    fn promoted(self) -> Self {
        if self.bits < 32 { self.cast(32, true) } else { self }
    }

    /// The result of an operation in the type of `self`: unsigned types wrap around, signed overflow is an error.
    fn with(self, value: i128) -> Result<Self, String> {
        let result = Self { value, ..self }.cast(self.bits, self.is_signed);
        if self.is_signed && result.value != value {
            return Err(format!("it overflows: {value} does not fit into {} bits", self.bits));
        }
        Ok(result)
    }
}

/// An expression that is not constant, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotConstant {
    pub piece: usize,
    pub why: String,
}

/// The constants of enumerations. Scopes are not distinguished, so a name with several values has none.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    enumerators: BTreeMap<String, Option<Constant>>,
}

/// Collects the enumerations and types of a file, in source order.
pub(crate) fn definitions(syntax: &Syntax<'_>) -> (Constants, Types) {
    let (mut constants, mut types) = (Constants::default(), Types::default());
    visit(&syntax.tree, |node, _| match node.kind() {
        "enum_specifier" => constants.define(syntax, &types, node),
        "struct_specifier" | "union_specifier" => types.define(syntax, node, &constants),
        "type_definition" => {
            // Enumerations in the type come before the declared name.
            for inner in children_of_field(node, "type").into_iter().filter(|inner| inner.kind() == "enum_specifier") {
                constants.define(syntax, &types, inner);
            }
            types.name(syntax, node, &constants);
        }
        _ => {}
    });
    (constants, types)
}

impl Constants {
    fn define(&mut self, syntax: &Syntax<'_>, types: &Types, node: Node<'_>) {
        let mut next = Some(Constant::int(0));
        let enumerators = node.child_by_field_name("body").map(named_children).unwrap_or_default();
        for enumerator in enumerators.into_iter().filter(|node| node.kind() == "enumerator") {
            let Some(name) = enumerator.child_by_field_name("name") else { continue };
            if let Some(value) = enumerator.child_by_field_name("value") {
                next = self.evaluate(syntax, types, value).ok();
            }
            let known = self.enumerators.entry(syntax.text(name)).or_insert(next);
            if *known != next {
                *known = None;
            }
            next = next.and_then(|value| value.with(value.value + 1).ok());
        }
    }

    /// Evaluates an expression outside of functions.
    pub fn evaluate(&self, syntax: &Syntax<'_>, types: &Types, node: Node<'_>) -> Result<Constant, NotConstant> {
        let of_operand = |operand: Node<'_>| match operand.kind() {
            "type_descriptor" => types.of_descriptor(syntax, operand, self).layout,
            _ => Err("`sizeof` needs a type here, not an expression".to_owned()),
        };
        self.evaluate_with(syntax, types, node, &of_operand)
    }

    /// Evaluates an expression. `of_operand` returns the layout of an operand of `sizeof`.
    pub fn evaluate_with(
        &self,
        syntax: &Syntax<'_>,
        types: &Types,
        node: Node<'_>,
        of_operand: &dyn Fn(Node<'_>) -> Result<Layout, String>,
    ) -> Result<Constant, NotConstant> {
        let fail = |why: String| NotConstant { piece: syntax.piece(node), why };
        let field = |name: &str| node.child_by_field_name(name).ok_or_else(|| fail("a part is missing".to_owned()));
        let value = |name: &str| self.evaluate_with(syntax, types, field(name)?, of_operand);
        match node.kind() {
            "number_literal" => number(&syntax.text(node)).map_err(fail),
            "char_literal" => character(&syntax.text(node)).map_err(fail),
            "true" => Ok(Constant::int(1)),
            "false" => Ok(Constant::int(0)),
            "identifier" => {
                let name = syntax.text(node);
                let unknown = || fail(format!("`{name}` is neither a macro nor the constant of an enumeration"));
                match name.as_str() {
                    "true" => Ok(Constant::int(1)),
                    "false" => Ok(Constant::int(0)),
                    _ => match self.enumerators.get(&name) {
                        Some(Some(value)) => Ok(*value),
                        Some(None) => Err(fail(format!("`{name}` has several values in this file, or an unknown one"))),
                        None => Err(unknown()),
                    },
                }
            }
            "parenthesized_expression" => match named_children(node).as_slice() {
                [inner] => self.evaluate_with(syntax, types, *inner, of_operand),
                _ => Err(fail("it is not an integer constant expression".to_owned())),
            },
            "unary_expression" => {
                let argument = value("argument")?.promoted();
                match syntax.text(field("operator")?).as_str() {
                    "-" => argument.with(-argument.value),
                    "~" => argument.with(if argument.is_signed {
                        !argument.value
                    } else {
                        (1 << argument.bits) - 1 - argument.value
                    }),
                    "!" => Ok(Constant::int(i128::from(argument.value == 0))),
                    _ => Ok(argument),
                }
                .map_err(fail)
            }
            "binary_expression" => {
                let operator = syntax.text(field("operator")?);
                let left = value("left")?;
                // The other operand is not evaluated, and may be invalid, such as a division by 0.
                match (operator.as_str(), left.value) {
                    ("&&", 0) => return Ok(Constant::int(0)),
                    ("||", known) if known != 0 => return Ok(Constant::int(1)),
                    _ => {}
                }
                binary(&operator, left, value("right")?).map_err(fail)
            }
            "conditional_expression" => {
                let is_true = value("condition")?.value != 0;
                value(if is_true { "consequence" } else { "alternative" })
            }
            "cast_expression" => {
                let target = field("type")?;
                let argument = value("value")?;
                let words: Vec<String> =
                    syntax.pieces_of(target).map(|piece| syntax.pieces.all[piece].text.clone()).collect();
                let words = types.words(words);
                cast(argument, &words).ok_or_else(|| fail(format!("a cast to `{}` is not constant", words.join(" "))))
            }
            "sizeof_expression" => {
                let operand = field("type").or_else(|_| field("value"))?;
                let layout = of_operand(operand).map_err(fail)?;
                Ok(Constant { value: i128::from(layout.size), bits: 64, is_signed: false })
            }
            _ => Err(fail(format!("`{}` is not an integer constant expression", syntax.text(node)))),
        }
    }
}

fn cast(argument: Constant, words: &[String]) -> Option<Constant> {
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "const").collect();
    let is_unsigned = words.iter().any(|word| *word == "unsigned" || word.starts_with('u') || *word == "size_t");
    if words == ["size_t"] {
        return Some(argument.cast(64, false));
    }
    let is_integer = |word: &&str| !matches!(*word, "float" | "double" | "half") && !word.starts_with("atomic");
    let is_scalar = words.iter().all(|word| is_integer(word) && !word.ends_with(|c: char| c.is_ascii_digit()));
    let layout = layout_of_words(&words).filter(|_| is_scalar)?;
    if matches!(words.as_slice(), ["bool" | "_Bool"]) {
        return Some(Constant { value: i128::from(argument.value != 0), bits: 8, is_signed: false });
    }
    Some(argument.cast(layout.size as u32 * 8, !is_unsigned))
}

fn binary(operator: &str, left: Constant, right: Constant) -> Result<Constant, String> {
    let (left, right) = (left.promoted(), right.promoted());
    if matches!(operator, "<<" | ">>") {
        // OpenCL takes the shift amount modulo the width (section 6.3 j).
        let amount = right.value.rem_euclid(i128::from(left.bits));
        let shifted = if operator == "<<" { left.value << amount } else { left.value >> amount };
        return left.with(shifted);
    }
    // The usual conversions: the wider type, and the unsigned one of two types with equal width.
    let bits = left.bits.max(right.bits);
    let is_unsigned = |operand: Constant| operand.bits == bits && !operand.is_signed;
    let is_signed = !is_unsigned(left) && !is_unsigned(right);
    let (l, r) = (left.cast(bits, is_signed), right.cast(bits, is_signed));
    let (a, b) = (l.value, r.value);
    let truth = |is_true: bool| Ok(Constant::int(i128::from(is_true)));
    match operator {
        "+" => l.with(a + b),
        "-" => l.with(a - b),
        "*" => l.with(a * b),
        "/" | "%" if b == 0 => Err("it divides by 0".to_owned()),
        "/" => l.with(a / b),
        "%" => l.with(a % b),
        "&" => l.with(a & b),
        "|" => l.with(a | b),
        "^" => l.with(a ^ b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(a < b),
        "<=" => truth(a <= b),
        ">" => truth(a > b),
        ">=" => truth(a >= b),
        "&&" => truth(left.value != 0 && right.value != 0),
        "||" => truth(left.value != 0 || right.value != 0),
        _ => Err(format!("`{operator}` is not part of an integer constant expression")),
    }
}

/// Parses an integer literal that is not part of an expression.
pub(crate) fn whole_number(text: &str) -> Option<i128> {
    number(text).ok().map(|number| number.value)
}

/// Parses an integer with its suffix; its type is the first of the candidates that can represent it.
fn number(text: &str) -> Result<Constant, String> {
    let lower = text.to_lowercase();
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let (radix, digits) = match digits {
        _ if digits.starts_with("0x") => (16, &digits[2..]),
        _ if digits.starts_with("0b") => (2, &digits[2..]),
        _ if digits.len() > 1 && digits.starts_with('0') => (8, &digits[1..]),
        _ => (10, digits),
    };
    let not_integer = || format!("`{text}` is not an integer");
    let value =
        i128::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with(['+', '-'])).ok_or_else(not_integer)?;
    let (is_unsigned, is_long) = (suffix.contains('u'), suffix.contains('l'));
    let types = [(32, true), (32, false), (64, true), (64, false)];
    types
        .into_iter()
        .filter(|(bits, signed)| !(is_unsigned && *signed || is_long && *bits == 32))
        // A decimal number without a suffix is unsigned only if no signed type can represent it.
        .filter(|(bits, signed)| *signed || is_unsigned || radix != 10 || *bits == 64)
        .map(|(bits, is_signed)| Constant { value, bits, is_signed }.cast(bits, is_signed))
        .find(|constant| constant.value == value)
        .ok_or_else(|| format!("`{text}` does not fit into 64 bits"))
}

fn character(text: &str) -> Result<Constant, String> {
    let inner: Vec<char> = text.trim_matches('\'').chars().collect();
    let value = match inner.as_slice() {
        [one] if one.is_ascii() => u32::from(*one),
        ['\\', 'n'] => 10,
        ['\\', 't'] => 9,
        ['\\', '0'] => 0,
        _ => return Err(format!("`{text}` is not a supported character constant")),
    };
    Ok(Constant::int(i128::from(value)))
}
