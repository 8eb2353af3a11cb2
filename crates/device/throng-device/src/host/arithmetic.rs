//! Arithmetic of kernels on values that are stored as bits.
//!
//! A value occupies the lower bits of a word; the others are 0. Integers wrap, floats round as in Rust, and a product
//! and a sum are fused only in the operation that fuses them.

#![allow(clippy::useless_conversion, reason = "the expressions are for f32 and f64")]

use cubecl::ir::{Arithmetic, AtomicOp, Bitwise, Comparison, ElemType, FloatKind, IntKind, UIntKind};

/// A function of up to three scalars. `None` where devices disagree: a quotient by 0 or beyond the range of its type,
/// and a shift by at least the number of bits.
pub(super) type Function = fn([u64; 3]) -> Option<u64>;

trait Bits: Copy {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! bits_of_integers {
    ($($number:ty as $unsigned:ty),+) => {
        $(impl Bits for $number {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as Self
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self as $unsigned)
            }
        })+
    };
}

macro_rules! bits_of_floats {
    ($($number:ty as $unsigned:ty),+) => {
        $(impl Bits for $number {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                Self::from_bits(bits as $unsigned)
            }

            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
        })+
    };
}

bits_of_integers!(u8 as u8, u16 as u16, u32 as u32, u64 as u64, i8 as u8, i16 as u16, i32 as u32, i64 as u64);
bits_of_floats!(f32 as u32, f64 as u64);

/// Evaluates an expression with `$number` as the Rust type of an element: one expression for integers, where a flag is
/// a `u8`, and one for floats. The result for any other type is `None`.
macro_rules! with_type {
    ($element:expr, $number:ident, integer: $integer:expr, float: $float:expr $(,)?) => {
        with_type!(@arms $element, $number, $integer, $float,
            [
                ElemType::Bool => u8,
                ElemType::UInt(UIntKind::U8) => u8,
                ElemType::UInt(UIntKind::U16) => u16,
                ElemType::UInt(UIntKind::U32) => u32,
                ElemType::UInt(UIntKind::U64) => u64,
                ElemType::Int(IntKind::I8) => i8,
                ElemType::Int(IntKind::I16) => i16,
                ElemType::Int(IntKind::I32) => i32,
                ElemType::Int(IntKind::I64) => i64,
            ]
        )
    };
    (@arms $element:expr, $number:ident, $integer:expr, $float:expr, [$($pattern:pat => $type:ty,)+]) => {
        match $element {
            $($pattern => {
                type $number = $type;
                $integer
            })+
            ElemType::Float(FloatKind::F32) => {
                #[allow(dead_code, reason = "unused where no float is supported")]
                type $number = f32;
                $float
            }
            ElemType::Float(FloatKind::F64) => {
                #[allow(dead_code, reason = "unused where no float is supported")]
                type $number = f64;
                $float
            }
            ElemType::Float(_) => None,
        }
    };
}

/// A number of any type, for conversions.
enum Number {
    Integer(i128),
    Float(f64),
}

/// Converts a value as Rust's `as` does. `None` for types that the interpreter does not support.
pub(super) fn converted(bits: u64, from: ElemType, to: ElemType) -> Option<u64> {
    let number = with_type!(
        from,
        T,
        integer: Some(Number::Integer(i128::from(T::of(bits)))),
        float: Some(Number::Float(f64::from(T::of(bits)))),
    )?;
    if to == ElemType::Bool {
        return Some(u64::from(match number {
            Number::Integer(number) => number != 0,
            Number::Float(number) => number != 0.0,
        }));
    }
    let as_type = |number| {
        with_type!(
            to,
            T,
            integer: Some(match number {
                Number::Integer(number) => (number as T).bits(),
                Number::Float(number) => (number as T).bits(),
            }),
            float: Some(match number {
                Number::Integer(number) => (number as T).bits(),
                Number::Float(number) => (number as T).bits(),
            }),
        )
    };
    as_type(number)
}

/// Formats a value for traces.
pub(super) fn text(bits: u64, element: ElemType) -> String {
    if element == ElemType::Bool {
        return (bits != 0).to_string();
    }
    with_type!(element, T, integer: Some(T::of(bits).to_string()), float: Some(format!("{:?}", T::of(bits))))
        .unwrap_or_else(|| format!("{bits:#x}"))
}

/// Returns the function of an arithmetic operation on this type.
pub(super) fn arithmetic(operation: &Arithmetic, element: ElemType) -> Option<Function> {
    use Arithmetic as A;
    with_type!(
        element,
        T,
        integer: Some(match operation {
            A::Add(_) => |[a, b, _]| Some(T::of(a).wrapping_add(T::of(b)).bits()),
            A::Sub(_) => |[a, b, _]| Some(T::of(a).wrapping_sub(T::of(b)).bits()),
            A::Mul(_) => |[a, b, _]| Some(T::of(a).wrapping_mul(T::of(b)).bits()),
            A::Fma(_) => |[a, b, c]| Some(T::of(a).wrapping_mul(T::of(b)).wrapping_add(T::of(c)).bits()),
            A::SaturatingAdd(_) => |[a, b, _]| Some(T::of(a).saturating_add(T::of(b)).bits()),
            A::SaturatingSub(_) => |[a, b, _]| Some(T::of(a).saturating_sub(T::of(b)).bits()),
            A::Div(_) => |[a, b, _]| T::of(a).checked_div(T::of(b)).map(T::bits),
            A::Modulo(_) => |[a, b, _]| T::of(a).checked_rem(T::of(b)).map(T::bits),
            A::MulHi(_) => {
                |[a, b, _]| Some((((i128::from(T::of(a)) * i128::from(T::of(b))) >> T::BITS) as T).bits())
            }
            A::Neg(_) => |[a, ..]| Some(T::of(a).wrapping_neg().bits()),
            A::Abs(_) if element.is_signed_int() => |[a, ..]| Some(T::of(a).max(T::of(a).wrapping_neg()).bits()),
            A::Max(_) => |[a, b, _]| Some(T::of(a).max(T::of(b)).bits()),
            A::Min(_) => |[a, b, _]| Some(T::of(a).min(T::of(b)).bits()),
            A::Clamp(_) => |[a, low, high]| Some(T::of(a).max(T::of(low)).min(T::of(high)).bits()),
            _ => return None,
        }),
        float: Some(match operation {
            A::Add(_) => |[a, b, _]| Some((T::of(a) + T::of(b)).bits()),
            A::Sub(_) => |[a, b, _]| Some((T::of(a) - T::of(b)).bits()),
            A::Mul(_) => |[a, b, _]| Some((T::of(a) * T::of(b)).bits()),
            A::Fma(_) => |[a, b, c]| Some(T::of(a).mul_add(T::of(b), T::of(c)).bits()),
            A::Div(_) => |[a, b, _]| Some((T::of(a) / T::of(b)).bits()),
            A::Modulo(_) => |[a, b, _]| Some((T::of(a) % T::of(b)).bits()),
            A::Neg(_) => |[a, ..]| Some((-T::of(a)).bits()),
            A::Abs(_) => |[a, ..]| Some(T::of(a).abs().bits()),
            A::Max(_) => |[a, b, _]| Some(T::of(a).max(T::of(b)).bits()),
            A::Min(_) => |[a, b, _]| Some(T::of(a).min(T::of(b)).bits()),
            A::Clamp(_) => |[a, low, high]| Some(T::of(a).max(T::of(low)).min(T::of(high)).bits()),
            A::Sqrt(_) => |[a, ..]| Some(T::of(a).sqrt().bits()),
            A::InverseSqrt(_) => |[a, ..]| Some(T::of(a).sqrt().recip().bits()),
            A::Recip(_) => |[a, ..]| Some(T::of(a).recip().bits()),
            A::Floor(_) => |[a, ..]| Some(T::of(a).floor().bits()),
            A::Ceil(_) => |[a, ..]| Some(T::of(a).ceil().bits()),
            A::Trunc(_) => |[a, ..]| Some(T::of(a).trunc().bits()),
            // Not rounded in the same way on all devices.
            A::Exp(_) => |[a, ..]| Some((libm::exp(T::of(a).into()) as T).bits()),
            A::Log(_) => |[a, ..]| Some((libm::log(T::of(a).into()) as T).bits()),
            A::Sin(_) => |[a, ..]| Some((libm::sin(T::of(a).into()) as T).bits()),
            A::Cos(_) => |[a, ..]| Some((libm::cos(T::of(a).into()) as T).bits()),
            A::Powf(_) => |[a, b, _]| Some((libm::pow(T::of(a).into(), T::of(b).into()) as T).bits()),
            _ => return None,
        }),
    )
}

/// Returns the function of a comparison of values of this type.
pub(super) fn comparison(operation: &Comparison, element: ElemType) -> Option<Function> {
    use Comparison as C;
    with_type!(
        element,
        T,
        integer: Some(match operation {
            C::Lower(_) => |[a, b, _]| Some(u64::from(T::of(a) < T::of(b))),
            C::LowerEqual(_) => |[a, b, _]| Some(u64::from(T::of(a) <= T::of(b))),
            C::Greater(_) => |[a, b, _]| Some(u64::from(T::of(a) > T::of(b))),
            C::GreaterEqual(_) => |[a, b, _]| Some(u64::from(T::of(a) >= T::of(b))),
            C::Equal(_) => |[a, b, _]| Some(u64::from(a == b)),
            C::NotEqual(_) => |[a, b, _]| Some(u64::from(a != b)),
            C::IsNan(_) | C::IsInf(_) => return None,
        }),
        float: Some(match operation {
            C::Lower(_) => |[a, b, _]| Some(u64::from(T::of(a) < T::of(b))),
            C::LowerEqual(_) => |[a, b, _]| Some(u64::from(T::of(a) <= T::of(b))),
            C::Greater(_) => |[a, b, _]| Some(u64::from(T::of(a) > T::of(b))),
            C::GreaterEqual(_) => |[a, b, _]| Some(u64::from(T::of(a) >= T::of(b))),
            C::Equal(_) => |[a, b, _]| Some(u64::from(T::of(a) == T::of(b))),
            C::NotEqual(_) => |[a, b, _]| Some(u64::from(T::of(a) != T::of(b))),
            C::IsNan(_) => |[a, ..]| Some(u64::from(T::of(a).is_nan())),
            C::IsInf(_) => |[a, ..]| Some(u64::from(T::of(a).is_infinite())),
        }),
    )
}

/// Returns the function of a bitwise operation on this type. Numbers of bits have any integer type.
pub(super) fn bitwise(operation: &Bitwise, element: ElemType) -> Option<Function> {
    use Bitwise as B;
    match operation {
        B::BitwiseAnd(_) => return Some(|[a, b, _]| Some(a & b)),
        B::BitwiseOr(_) => return Some(|[a, b, _]| Some(a | b)),
        B::BitwiseXor(_) => return Some(|[a, b, _]| Some(a ^ b)),
        _ if element == ElemType::Bool => return None,
        _ => {}
    }
    with_type!(
        element,
        T,
        integer: Some(match operation {
            B::ShiftLeft(_) => |[a, by, _]| T::of(a).checked_shl(u32::try_from(by).ok()?).map(T::bits),
            B::ShiftRight(_) => |[a, by, _]| T::of(a).checked_shr(u32::try_from(by).ok()?).map(T::bits),
            B::CountOnes(_) => |[a, ..]| Some(T::of(a).count_ones().into()),
            B::LeadingZeros(_) => |[a, ..]| Some(T::of(a).leading_zeros().into()),
            B::TrailingZeros(_) => |[a, ..]| Some(T::of(a).trailing_zeros().into()),
            B::ReverseBits(_) => |[a, ..]| Some(T::of(a).reverse_bits().bits()),
            B::BitwiseNot(_) => |[a, ..]| Some((!T::of(a)).bits()),
            B::FindFirstSet(_) => |[a, ..]| Some(if a == 0 { 0 } else { u64::from(a.trailing_zeros()) + 1 }),
            B::BitwiseAnd(_) | B::BitwiseOr(_) | B::BitwiseXor(_) => return None,
        }),
        float: None,
    )
}

/// Returns the function that gives the new value of an atomic variable from the old value and the operands; `None` for
/// a load or a store.
pub(super) fn atomic(operation: &AtomicOp, element: ElemType) -> Option<Function> {
    match operation {
        AtomicOp::Load(_) | AtomicOp::Store(_) => None,
        AtomicOp::Swap(_) => Some(|[_, value, _]| Some(value)),
        AtomicOp::Add(operands) => arithmetic(&Arithmetic::Add(operands.clone()), element),
        AtomicOp::Sub(operands) => arithmetic(&Arithmetic::Sub(operands.clone()), element),
        AtomicOp::Max(operands) => arithmetic(&Arithmetic::Max(operands.clone()), element),
        AtomicOp::Min(operands) => arithmetic(&Arithmetic::Min(operands.clone()), element),
        AtomicOp::And(operands) => bitwise(&Bitwise::BitwiseAnd(operands.clone()), element),
        AtomicOp::Or(operands) => bitwise(&Bitwise::BitwiseOr(operands.clone()), element),
        AtomicOp::Xor(operands) => bitwise(&Bitwise::BitwiseXor(operands.clone()), element),
        AtomicOp::CompareAndSwap(_) => Some(|[old, expected, value]| Some(if old == expected { value } else { old })),
    }
}
