//! The columns of a table: names, types, and whether values may be missing.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{Type, TypePtr};

/// Type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// `true` or `false`.
    Bool,
    /// Signed integers of 64 bits.
    Int64,
    /// Unsigned integers of 8 bits. The values of such columns are [`Values::UInt32`](super::Values::UInt32), all below
    /// 256.
    UInt8,
    /// Unsigned integers of 32 bits.
    UInt32,
    /// Floating-point numbers of 32 bits.
    Float32,
    /// Floating-point numbers of 64 bits.
    Float64,
    /// UTF-8 strings.
    Text,
}

/// The columns of a table, in order.
///
/// ```
/// use throng_output::table::{ColumnKind, Schema};
///
/// let schema = Schema::new().required("link", ColumnKind::Text).optional("speed", ColumnKind::Float64);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Schema(Vec<Field>);

#[derive(Debug, Clone)]
struct Field {
    name: String,
    kind: ColumnKind,
    repetition: Repetition,
}

impl Schema {
    /// Creates a schema without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column with a value in every row.
    pub fn required(self, name: &str, kind: ColumnKind) -> Self {
        self.with(name, kind, Repetition::REQUIRED)
    }

    /// Adds a column whose values may be missing.
    pub fn optional(self, name: &str, kind: ColumnKind) -> Self {
        self.with(name, kind, Repetition::OPTIONAL)
    }

    fn with(mut self, name: &str, kind: ColumnKind, repetition: Repetition) -> Self {
        self.0.push(Field { name: name.to_owned(), kind, repetition });
        self
    }

    /// Returns the schema in Parquet's representation.
    pub(super) fn to_parquet(&self) -> Result<TypePtr, ParquetError> {
        let fields = self.0.iter().map(|field| Ok(Arc::new(field.to_parquet()?)));
        let fields = fields.collect::<Result<Vec<TypePtr>, ParquetError>>()?;
        Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
    }
}

impl Field {
    fn to_parquet(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.kind {
            ColumnKind::Bool => (PhysicalType::BOOLEAN, None),
            ColumnKind::Int64 => (PhysicalType::INT64, None),
            ColumnKind::UInt8 => (PhysicalType::INT32, Some(LogicalType::integer(8, false))),
            ColumnKind::UInt32 => (PhysicalType::INT32, Some(LogicalType::integer(32, false))),
            ColumnKind::Float32 => (PhysicalType::FLOAT, None),
            ColumnKind::Float64 => (PhysicalType::DOUBLE, None),
            ColumnKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let column = Type::primitive_type_builder(&self.name, physical).with_repetition(self.repetition);
        column.with_logical_type(logical).build()
    }
}
