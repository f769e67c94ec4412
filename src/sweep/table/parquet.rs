//! Reads and writes results as Apache Parquet. Rows are written in groups, which limits the memory
//! for buffered rows.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Field;
use parquet::schema::types::Type;
use serde_json::Value as Json;

use super::named;
use crate::files::disk::output_file::NewFile;
use crate::sweep::plan::Plan;
use crate::sweep::row::{Column, ResultRow, columns};

/// Number of rows in a row group.
const GROUP: usize = 1 << 16;

/// The type of all values in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    Integer,
    Number,
    Text,
}

/// Writer of rows to a Parquet file.
pub(super) struct Writer {
    file: SerializedFileWriter<BufWriter<NewFile>>,
    kinds: Vec<ColumnKind>,
    rows: Vec<Vec<Json>>,
}

impl Writer {
    pub fn new(file: BufWriter<NewFile>, plan: &Plan) -> io::Result<Self> {
        let kinds = kinds(plan);
        let names = plan.header();
        let columns = names.iter().zip(&kinds).map(|(name, kind)| column(name, *kind));
        let columns = columns.collect::<Result<_, _>>().map_err(failed)?;
        let schema = Type::group_type_builder("runs").with_fields(columns).build();
        let schema = Arc::new(schema.map_err(failed)?);
        let file = SerializedFileWriter::new(file, schema, Arc::default()).map_err(failed)?;
        Ok(Self { file, kinds, rows: Vec::new() })
    }

    pub fn add(&mut self, plan: &Plan, row: &ResultRow) -> io::Result<()> {
        self.rows.push(named::values(plan, row));
        if self.rows.len() < GROUP { Ok(()) } else { self.write_group().map_err(failed) }
    }

    /// Writes the buffered rows, and returns the complete file.
    pub fn finish(mut self) -> io::Result<NewFile> {
        self.write_group().map_err(failed)?;
        let file = self.file.into_inner().map_err(failed)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.file.next_row_group()?;
        for (index, kind) in self.kinds.iter().enumerate() {
            let values = self.rows.iter().map(|row| &row[index]);
            write_column(&mut group, *kind, values)?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

fn kinds(plan: &Plan) -> Vec<ColumnKind> {
    let number = |index: usize| plan.sweep.points.iter().all(|it| it[index].number().is_some());
    let varied = (0..plan.sweep.varied.len())
        .map(|index| if number(index) { ColumnKind::Number } else { ColumnKind::Text });
    let measures = columns(&plan.sweep).into_iter().map(|(_, column)| match column {
        Column::Number | Column::First => ColumnKind::Number,
        Column::Outcome => ColumnKind::Text,
    });
    let first = [ColumnKind::Integer, ColumnKind::Integer].into_iter();
    first
        .chain(varied)
        .chain(measures)
        .chain([ColumnKind::Integer, ColumnKind::Text, ColumnKind::Text])
        .collect()
}

/// Returns the schema of a column whose values can be undefined.
fn column(name: &str, kind: ColumnKind) -> Result<Arc<Type>, ParquetError> {
    let physical = match kind {
        ColumnKind::Integer => Physical::INT64,
        ColumnKind::Number => Physical::DOUBLE,
        ColumnKind::Text => Physical::BYTE_ARRAY,
    };
    let column = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type((kind == ColumnKind::Text).then_some(LogicalType::String));
    column.build().map(Arc::new)
}

fn write_column<'a>(
    group: &mut SerializedRowGroupWriter<BufWriter<NewFile>>,
    kind: ColumnKind,
    values: impl Iterator<Item = &'a Json> + Clone,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    // The definition level of a value is 1, and that of an undefined value 0.
    let levels: Vec<i16> = values.clone().map(|value| i16::from(!value.is_null())).collect();
    let defined = values.filter(|value| !value.is_null());
    match kind {
        ColumnKind::Integer => {
            let values: Vec<i64> = defined.filter_map(Json::as_i64).collect();
            column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnKind::Number => {
            let values: Vec<f64> = defined.filter_map(Json::as_f64).collect();
            column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnKind::Text => {
            let bytes = |value| ByteArray::from(text(value).into_bytes());
            let values: Vec<ByteArray> = defined.map(bytes).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    column.close()
}

/// Returns the text of a value for a text column. A text column can also contain numbers, for
/// example if only some values of a list are numbers.
fn text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// Calls `add` with each row of a Parquet file until `add` returns false. Passes `None` for a row
/// that does not belong to this plan.
pub(super) fn read(
    file: File,
    plan: &Plan,
    add: &mut impl FnMut(Option<ResultRow>) -> bool,
) -> io::Result<()> {
    let is_same = |read: &Json, value: &Json| {
        read.as_str().map_or_else(|| read == value, |read| read == text(value))
    };
    let reader = SerializedFileReader::new(file).map_err(failed)?;
    for record in reader.get_row_iter(None).map_err(failed)? {
        let record = record.map_err(failed)?;
        let values: BTreeMap<_, _> =
            record.get_column_iter().map(|(name, field)| (name.clone(), json(field))).collect();
        if !add(named::row(plan, |name| values.get(name), is_same)) {
            break;
        }
    }
    Ok(())
}

/// Returns the names of the columns of a Parquet file. Returns `None` for another file.
pub(super) fn column_names(file: File) -> Option<Vec<String>> {
    let reader = SerializedFileReader::new(file).ok()?;
    let columns = reader.metadata().file_metadata().schema().get_fields().iter();
    Some(columns.map(|column| column.name().to_owned()).collect())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: others are not written")]
fn json(field: &Field) -> Json {
    match field {
        Field::Long(value) => Json::from(*value),
        Field::Double(value) => named::number(*value),
        Field::Str(text) => Json::from(text.as_str()),
        // Other types come from other programs.
        _ => Json::Null,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "foreign enum: others are wrapped")]
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => io::Error::other(source),
        error => io::Error::other(error),
    }
}
