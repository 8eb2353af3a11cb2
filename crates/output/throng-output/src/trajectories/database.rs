//! Reading a database that someone may have changed: it is data, and computes nothing.

use std::path::{Path, absolute};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params_from_iter};

/// The tables that are read.
const TABLES: [&str; 3] = ["metadata", "frame_data", "trajectory_data"];
/// Maximum length of a text, bytes. Walkable areas may be longer, and are not read.
const MAX_VALUE_BYTES: i32 = 1 << 20;
/// Instructions of SQLite's virtual machine between two looks at how many there were.
const INSTRUCTIONS: i32 = 4096;
/// Instructions for each byte of the file that a statement may take. A row takes at least six bytes and, sorted, some fifty
/// instructions.
const INSTRUCTIONS_PER_BYTE: u64 = 64;

/// A database of plain tables that is only read.
#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    /// Instructions of the statement under way.
    instructions: Arc<AtomicU64>,
}

impl Database {
    /// Opens a file of this size.
    ///
    /// # Errors
    /// A file that is no database, or lacks one of the tables; a view, a virtual table or a computed column in their place.
    pub fn open(path: &Path, bytes: u64) -> Result<Self, String> {
        let database = Self::connect(path, bytes).map_err(|error| error.to_string())?;
        for table in TABLES {
            if !database.has_table(table).map_err(|error| error.to_string())? {
                return Err(format!("{table} is no plain table"));
            }
        }
        Ok(database)
    }

    fn connect(path: &Path, bytes: u64) -> rusqlite::Result<Self> {
        // A relative name that begins with `file:` would be read as a URI.
        let full = absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut connection = Connection::open_with_flags(full, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // As https://sqlite.org/security.html advises for files of unknown origin.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
        connection.pragma_update(None, "cell_size_check", true)?;
        let instructions = Arc::new(AtomicU64::new(0));
        let (counted, step) = (instructions.clone(), u64::from(INSTRUCTIONS.unsigned_abs()));
        let most = bytes.saturating_mul(INSTRUCTIONS_PER_BYTE);
        connection.progress_handler(INSTRUCTIONS, Some(move || counted.fetch_add(step, Ordering::Relaxed) > most))?;
        Ok(Self { connection, instructions })
    }

    /// Whether a name is that of a table whose columns are all stored.
    fn has_table(&self, name: &str) -> rusqlite::Result<bool> {
        let kind = "SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main' AND type = 'table' AND NOT EXISTS
                    (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0)";
        self.connection.prepare(kind)?.exists([name])
    }

    /// All rows of a query, with an optional number in it.
    ///
    /// # Errors
    /// Values of another type; a query that takes far longer than reading the whole file does.
    pub fn query<T>(
        &self,
        query: &str,
        number: Option<u64>,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, String> {
        self.instructions.store(0, Ordering::Relaxed);
        let rows = || -> rusqlite::Result<Vec<T>> {
            let mut statement = self.connection.prepare(query)?;
            statement.query_map(params_from_iter(number.map(|number| number as i64)), row)?.collect()
        };
        rows().map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => "reading it takes longer than its size explains".to_owned(),
            _ => error.to_string(),
        })
    }
}
