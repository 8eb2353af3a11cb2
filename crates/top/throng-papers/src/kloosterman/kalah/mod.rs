//! The minimax player of the project, for Kalah with 6 pits and 4 stones.
//!
//! The tree of moves is complete: six children for each board, of which some are dead because their pit is empty. It is stored
//! in an array ([`tree_array`]) and searched in three layers ([`layers`]): first moves by recursion (`pre`), further ones by
//! two traversals that collect boards in a list and later take their values from it (`seq`), and the last three moves of each
//! of these boards in parallel, a *tile* of 1 + 6 + 36 + 216 boards for each work-group (`par`).
//!
//! **The paper's** are the layers, the tile with its three steps (generate, evaluate, reduce) and 216 threads, the size of a
//! batch, and the evaluation. **Throng's** are the packed boards and their rules (`throng_games::kalah::rules`), which are
//! faster than the paper's arrays of cells; the score is updated by each move, so that the step of evaluation takes nothing.

#[cfg(feature = "gpu")]
mod device;
#[cfg(feature = "gpu")]
mod kernels;
pub mod layers;
mod method;
mod published;
mod report;
mod reproduce;
mod sequential;
mod statements;
mod table;
mod tile;
pub mod tree_array;
mod verification;

#[cfg(feature = "gpu")]
pub use device::DeviceTiles;
pub use layers::{Split, Tiles, search};
pub use method::Method;
pub use report::{NAMES, files, text};
pub(super) use reproduce::FLAGS;
pub use reproduce::{KalahMeasurements, Options, reproduce};
pub use sequential::sequential;
pub use table::table;
pub use tile::CpuTiles;
pub(super) use verification::CASES;
