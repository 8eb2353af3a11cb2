//! Trajectories of pedestrians, in the SQLite format of JuPedSim (version 2), which PedPy can open directly.

mod database;
mod file;
mod grid_area;
mod lattice_offset;
mod outline;
mod stored;
mod walkable_area;

pub use file::{TrajectoryFile, TrajectoryInfo, TrajectoryPoint};
pub use grid_area::{ConnectedParts, GridArea};
pub use lattice_offset::lattice_offset;
pub use stored::StoredTrajectories;
pub use walkable_area::WalkableArea;
