//! Names of the files of a run, which are not available for the arrays of a scenario.

/// The animation.
pub const ANIMATION: &str = "fields.png";
/// The image of the influence of teams at the end.
pub const INFLUENCE: &str = "influence.png";
/// The field at the end.
pub const FIELD: &str = "field.npy";
/// The table of states.
pub const MEASURES: &str = "measures.csv";
/// The table of agents.
pub const AGENTS: &str = "agents.csv";
/// The images of the start and of the end.
pub const FIRST: &str = "first.png";
/// See [`FIRST`].
pub const LAST: &str = "last.png";
/// The results of queries.
pub const QUERIES: &str = "queries.csv";
/// The costs around obstacles, as an array and as a Nav2 map.
pub const COSTS: &str = "costmap.npy";
/// See [`COSTS`].
pub const COSTMAP_IMAGE: &str = "costmap.pgm";
/// See [`COSTS`].
pub const COSTMAP_KEYS: &str = "costmap.yaml";
/// The description of a replay's frames, and their values.
pub const DESCRIPTION: &str = "replay.json";
/// See [`DESCRIPTION`].
pub const FIELD_FRAMES: &str = "field_frames.npy";
/// See [`DESCRIPTION`].
pub const INFLUENCE_FRAMES: &str = "influence_frames.npy";
/// See [`DESCRIPTION`].
pub const TEAM_FRAMES: &str = "team_frames.npy";

/// All names that the files of a run may have, except the names of arrays.
pub const FILE_NAMES: [&str; 15] = [
    AGENTS,
    COSTS,
    COSTMAP_IMAGE,
    COSTMAP_KEYS,
    FIELD,
    FIELD_FRAMES,
    ANIMATION,
    FIRST,
    INFLUENCE,
    INFLUENCE_FRAMES,
    LAST,
    MEASURES,
    QUERIES,
    DESCRIPTION,
    TEAM_FRAMES,
];
