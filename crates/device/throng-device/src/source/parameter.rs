//! Parameters of a kernel from source text, and the arguments of a call.

use cubecl::server::Handle;

use crate::origin::Origin;
use crate::{Buffer, Element};

/// The type of a number, or of the elements of a buffer.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementType {
    U32,
    I32,
    U64,
    F32,
    F64,
}

impl ElementType {
    /// Size and alignment in bytes.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// Returns the name of the type in Rust and WGSL.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    pub(super) fn cuda_name(self) -> &'static str {
        match self {
            Self::U32 => "unsigned int",
            Self::I32 => "int",
            Self::U64 => "unsigned long long",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }
}

/// A declared parameter.
#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterKind {
    /// Number of elements of all buffers that name it.
    Length,
    Number(ElementType),
    Buffer {
        element: ElementType,
        length: &'static str,
        writable: bool,
    },
}

impl ParameterKind {
    /// Type of the number that the kernel gets; `None` for a buffer.
    pub fn number(self) -> Option<ElementType> {
        match self {
            Self::Length => Some(ElementType::U32),
            Self::Number(element) => Some(element),
            Self::Buffer { .. } => None,
        }
    }

    /// Whether it is a buffer whose length has this name.
    pub fn has_length(self, name: &str) -> bool {
        matches!(self, Self::Buffer { length, .. } if length == name)
    }

    pub fn accepts(self, given: &Given<'_>) -> bool {
        match (self, given) {
            (Self::Number(declared), Given::Number(element, _))
            | (Self::Buffer { element: declared, .. }, Given::Buffer { element, .. }) => declared == *element,
            _ => false,
        }
    }
}

/// An argument of a call of a [`SourceKernel`](crate::SourceKernel): a number or a [`Buffer`], with its type.
#[derive(Debug, Clone, Copy)]
pub struct SourceArgument<'b>(pub(super) Given<'b>);

#[derive(Debug, Clone, Copy)]
pub(super) enum Given<'b> {
    /// The first bytes are the number, in the byte order of the host.
    Number(ElementType, [u8; 8]),
    Buffer {
        element: ElementType,
        len: usize,
        handle: &'b Handle,
        origin: Origin,
    },
}

impl std::fmt::Display for Given<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(element, _) => write!(f, "a number of type {}", element.name()),
            Self::Buffer { element, .. } => write!(f, "a buffer of {}", element.name()),
        }
    }
}

impl std::fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Length => f.write_str("a length, which is taken from the buffers"),
            Self::Number(element) => write!(f, "a number of type {}", element.name()),
            Self::Buffer { element, .. } => write!(f, "a buffer of {}", element.name()),
        }
    }
}

impl<'b, T: Element> From<&'b Buffer<T>> for SourceArgument<'b> {
    fn from(buffer: &'b Buffer<T>) -> Self {
        let (len, handle, origin) = (buffer.len(), &buffer.handle, buffer.origin);
        Self(Given::Buffer { element: T::TYPE, len, handle, origin })
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl From<$number> for SourceArgument<'_> {
            fn from(number: $number) -> Self {
                let mut bytes = [0; 8];
                bytes[..size_of::<$number>()].copy_from_slice(&number.to_ne_bytes());
                Self(Given::Number(<$number>::TYPE, bytes))
            }
        })+
    };
}

numbers!(u32, i32, u64, f32, f64);

/// Packs numbers as a struct of C and of WGSL has them: each aligned to its size.
#[derive(Debug, Default)]
pub(super) struct PackedNumbers(Vec<u8>);

impl PackedNumbers {
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.resize(self.0.len().next_multiple_of(bytes.len()), 0);
        self.0.extend(bytes);
    }

    pub fn into_words(self) -> Vec<u64> {
        bytemuck::pod_collect_to_vec(&{
            let mut bytes = self.0;
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            bytes
        })
    }
}
