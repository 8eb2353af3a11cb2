//! The minimax player of the project, for Kalah with 6 pits and 4 stones.
//!
//! The tree of moves is complete: each board has six children, some of which are dead because their pit is empty. The
//! tree is stored in an array ([`tree_array`]) and searched in three layers ([`layers`]). The first moves are made by
//! recursion (`pre`). Two traversals make the next moves; the first collects boards in a list, the second reads their
//! values from it (`seq`). The last three moves of all these boards are searched in parallel, each as a *tile* of
//! `1 + 6 + 36 + 216` boards in one work-group (`par`).
//!
//! The **paper** defines the layers, the tile with its three steps (generate, evaluate, reduce) and 216 threads, the
//! batch size and the evaluation function. **Throng** provides the packed boards and their rules
//! (`throng_games::kalah::rules`), which are faster than the paper's arrays of cells; each move updates the score, so
//! that the evaluation step takes no time.

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
pub(crate) use statements::statements;
pub use table::table;
pub use tile::CpuTiles;
pub(super) use verification::CASES;
