//! Read-only access to a database that may have been tampered with: it must not execute any code.

use std::path::{Path, absolute};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params_from_iter};

/// Tables that a reader of trajectories queries.
const TABLES: [&str; 3] = ["metadata", "frame_data", "trajectory_data"];
/// A further one, which most files do not have.
const SIZES: &str = "size_data";
/// Maximum length of a text value, bytes. Walkable areas may be longer, but are not read.
const MAX_VALUE_BYTES: i32 = 1 << 20;
/// Number of SQLite virtual machine instructions between two checks of the instruction count.
const INSTRUCTIONS: i32 = 4096;
/// Maximum number of instructions per byte of the file for one statement. A row takes at least six bytes and, sorted,
/// some fifty instructions.
const INSTRUCTIONS_PER_BYTE: u64 = 64;

/// A read-only database of plain tables.
#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    /// Instructions executed by the current statement.
    instructions: Arc<AtomicU64>,
}

impl Database {
    /// Opens a file of `bytes` bytes.
    ///
    /// # Errors
    /// When the file is not a database, or a table is missing, is a view or a virtual table, or has a computed
    /// column.
    pub fn open(path: &Path, bytes: u64) -> Result<Self, String> {
        let database = Self::connect(path, bytes).map_err(|error| error.to_string())?;
        for table in TABLES {
            if !database.has_table(table).map_err(|error| error.to_string())? {
                return Err(format!("{table} is not a plain table"));
            }
        }
        Ok(database)
    }

    fn connect(path: &Path, bytes: u64) -> rusqlite::Result<Self> {
        // SQLite would parse a relative name that begins with `file:` as a URI.
        let full = absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut connection = Connection::open_with_flags(full, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // Recommended by https://sqlite.org/security.html for files of unknown origin.
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

    /// Whether there is a table of sizes.
    ///
    /// # Errors
    /// When it is a view or a virtual table, or has a computed column.
    pub fn has_sizes(&self) -> Result<bool, String> {
        let exists = || self.connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?")?.exists([SIZES]);
        match (exists().map_err(|error| error.to_string())?, self.has_table(SIZES).map_err(|error| error.to_string())?)
        {
            (true, false) => Err(format!("{SIZES} is not a plain table")),
            (_, has_table) => Ok(has_table),
        }
    }

    /// Whether a table exists whose columns are all stored.
    fn has_table(&self, name: &str) -> rusqlite::Result<bool> {
        let kind = "SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main' AND type = 'table' AND NOT EXISTS
                    (SELECT 1 FROM pragma_table_xinfo(?1) WHERE hidden <> 0)";
        self.connection.prepare(kind)?.exists([name])
    }

    /// Returns all rows of a query, which may have one integer parameter.
    ///
    /// # Errors
    /// When reading fails, a value has another type, or the query takes far longer than reading the whole file would.
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
