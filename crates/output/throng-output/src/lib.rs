//! Output of results to files, for any model.
//!
//! * [`RunFolder`] is the output folder of a run; its files get their final names only when they are complete.
//! * [`TextFile`] is a text file in a run folder, such as a table with [`csv`].
//! * [`ParquetFile`] is a Parquet file in a run folder; [`table`] describes its columns.
//!
//! ```
//! use throng_output::{Codec, IfNotEmpty, RunFolder, TextFile, csv};
//!
//! # let dir = tempfile::tempdir()?;
//! # let out = dir.path();
//! let folder = RunFolder::create(out, IfNotEmpty::Refuse, "--overwrite")?;
//! let mut table = TextFile::create(&folder, "volumes.csv", Codec::None)?;
//! csv::push_header(table.text(), &["link", "volume"]);
//! csv::Row::new(table.text()).text("17_b").integer(640).end();
//! table.finish()?;
//! folder.finish();
//! assert_eq!(std::fs::read_to_string(out.join("volumes.csv"))?, "link;volume\r\n17_b;640\r\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Further items
//!
//! * [`Pipeline`] turns blocks into bytes on several threads and writes them in order, in bounded memory;
//!   [`ParallelTextFile`] and [`ParallelParquetFile`] are files that it writes.
//! * [`TrajectoryFile`] stores trajectories for programs of pedestrian dynamics, with a [`WalkableArea`], for example
//!   that of a [`GridArea`]; [`StoredTrajectories`] reads such files.
//! * [`svg`] draws plain charts, [`html`] builds a self-contained report page from them, [`film`] embeds animations in
//!   the page, and [`Manifest`] records how to repeat the run.

#![forbid(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod compress;
pub mod csv;
mod error;
mod file_error;
pub mod film;
pub mod html;
mod interruption;
mod lock;
mod manifest;
mod pending_file;
mod pipeline;
mod run_folder;
pub mod svg;
pub mod table;
mod target;
mod text_file;
mod trajectories;

pub use compress::{BlockEncoder, BlockStream, Codec, EncodedBlock};
pub use error::OutputError;
pub use file_error::FileError;
pub use interruption::{AbandonedOutput, abandon_output};
pub use lock::LOCK as LOCK_NAME;
pub use manifest::{FileIdentity, MANIFEST_NAME, MAX_MANIFEST_BYTES, Manifest, files_listed, utc_text};
pub use pending_file::{ClosedFile, PendingFile, WrittenFile, is_partial_name, partial_files};
pub use pipeline::{Pipeline, PipelineSize};
pub use run_folder::{IfNotEmpty, RunFolder};
pub use table::{BuildColumns, ParallelParquetFile, ParquetFile, ROW_GROUP_ROWS};
pub use target::check_target;
pub use text_file::{FormatBlock, ParallelTextFile, TextFile};
pub use trajectories::{
    ConnectedParts, GridArea, StoredTrajectories, TrajectoryFile, TrajectoryInfo, TrajectoryPoint, WalkableArea,
    lattice_offset,
};
