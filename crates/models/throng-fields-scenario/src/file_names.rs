//! Names of the files of a run, which are not available for the arrays of a scenario.

/// The animation of the run, as an animated PNG.
pub const ANIMATION: &str = "fields.png";
/// The image of the influence of teams at the end.
pub const INFLUENCE: &str = "influence.png";
/// The values of the field after the last step, as a NumPy array.
pub const FIELD: &str = "field.npy";
/// The table with one row per step: counts of agents, owners of goals, and sums.
pub const MEASURES: &str = "measures.csv";
/// The table of positions and states of agents at the times given by `agents_every`.
pub const AGENTS: &str = "agents.csv";
/// The image of the state before the first step.
pub const FIRST: &str = "first.png";
/// The image of the state after the last step.
pub const LAST: &str = "last.png";
/// The table with the results of `[[output.queries]]`.
pub const QUERIES: &str = "queries.csv";
/// The costs around obstacles, as a NumPy array.
pub const COSTS: &str = "costmap.npy";
/// The image of the costs around obstacles, for map servers.
pub const COSTMAP_IMAGE: &str = "costmap.pgm";
/// The keys of the map whose image is [`COSTMAP_IMAGE`].
pub const COSTMAP_KEYS: &str = "costmap.yaml";
/// The description of the frames that are stored for rendering.
pub const DESCRIPTION: &str = "replay.json";
/// The mean of the field in each block of each stored frame.
pub const FIELD_FRAMES: &str = "field_frames.npy";
/// The mean of the strongest influence in each block of each stored frame.
pub const INFLUENCE_FRAMES: &str = "influence_frames.npy";
/// The index of the team that is most often strongest in each block of each stored frame.
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
