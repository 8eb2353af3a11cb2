//! Nodes and links.

use throng_core::clock::MAX_SECONDS;
use throng_core::{IdError, IdTable, InputError, Problems};

use crate::ValidRange;

/// A road network: a directed graph whose links have length, free speed, capacity and lanes.
///
/// Node and link indices follow the order of the file.
#[derive(Debug, Clone)]
pub struct Network {
    /// Attribute `name` of the network.
    pub name: Option<String>,
    /// Coordinate system of the nodes, if the file names one.
    pub coordinate_system: Option<String>,
    /// Length of road that one standing vehicle takes per lane, metres (`effectivecellsize`).
    pub cell_size_m: f64,
    /// Width of a lane, metres (`effectivelanewidth`); kept for output.
    pub lane_width_m: f64,
    /// The period to which link capacities refer, seconds (`capperiod`).
    pub capacity_period_s: f64,
    /// Node ids.
    pub node_ids: IdTable,
    /// X coordinate of each node in the units of the coordinate system, usually metres.
    pub node_x: Vec<f64>,
    /// Y coordinate of each node in the units of the coordinate system, usually metres.
    pub node_y: Vec<f64>,
    /// Link ids.
    pub link_ids: IdTable,
    /// Start node of each link.
    pub from: Vec<u32>,
    /// End node of each link.
    pub to: Vec<u32>,
    /// Length, metres.
    pub length_m: Vec<f64>,
    /// Free speed, metres per second.
    pub freespeed_mps: Vec<f64>,
    /// Capacity, vehicles per capacity period.
    pub capacity: Vec<f64>,
    /// Number of lanes; may be fractional.
    pub lanes: Vec<f64>,
    /// Allowed modes, one bit per [`super::ModeId`].
    pub modes: Vec<u64>,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            name: None,
            coordinate_system: None,
            cell_size_m: 7.5,
            lane_width_m: 3.75,
            capacity_period_s: 3600.0,
            node_ids: IdTable::new(),
            node_x: Vec::new(),
            node_y: Vec::new(),
            link_ids: IdTable::new(),
            from: Vec::new(),
            to: Vec::new(),
            length_m: Vec::new(),
            freespeed_mps: Vec::new(),
            capacity: Vec::new(),
            lanes: Vec::new(),
            modes: Vec::new(),
        }
    }
}

/// Ends and attributes of one link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Start node.
    pub from: u32,
    /// End node.
    pub to: u32,
    /// Length, metres.
    pub length_m: f64,
    /// Free speed, metres per second.
    pub freespeed_mps: f64,
    /// Capacity, vehicles per capacity period.
    pub capacity: f64,
    /// Number of lanes.
    pub lanes: f64,
    /// Allowed modes, one bit per mode.
    pub modes: u64,
}

impl Link {
    /// Valid lengths. Links of length 0 take no time.
    pub const LENGTHS: ValidRange = ValidRange::NotNegativeFinite;
    /// Valid free speeds. Vehicles never reach the end of a link with speed 0.
    pub const FREESPEEDS: ValidRange = ValidRange::NotNegative;
    /// Valid capacities. Vehicles never leave a link with capacity 0, but arrive on it.
    pub const CAPACITIES: ValidRange = ValidRange::NotNegative;
    /// Valid numbers of lanes. A link without lanes holds the vehicles that its flow needs.
    pub const LANES: ValidRange = ValidRange::NotNegative;

    /// Whether a link takes longer at its free speed than [`MAX_SECONDS`], beyond which times of day are not exact. A
    /// link with speed 0, on which vehicles stay for ever, is not too slow.
    #[inline]
    pub fn is_too_slow(length_m: f64, freespeed_mps: f64) -> bool {
        freespeed_mps > 0.0 && length_m / freespeed_mps > MAX_SECONDS
    }

    /// Returns why a link of length 0 has no travel time or no number of vehicles that fit on it. Such a link stops
    /// MATSim, too, or never accepts a vehicle.
    pub fn undefined_without_length(&self) -> Option<&'static str> {
        match self {
            _ if self.length_m != 0.0 => None,
            _ if self.freespeed_mps == 0.0 => Some("neither length nor free speed"),
            _ if self.lanes == f64::INFINITY => Some("no length, but infinitely many lanes"),
            _ => None,
        }
    }

    /// Checks the numbers of the link called `id`, but not its nodes and modes.
    ///
    /// # Errors
    /// All numbers that are out of range, a free speed that is too low for the length, and a link without length whose
    /// travel time or storage is undefined.
    pub fn check(&self, id: &str) -> Result<(), InputError> {
        let mut problems = Problems::new();
        for (name, value, range, unit) in [
            ("length", self.length_m, Self::LENGTHS, " (metres)"),
            ("free speed", self.freespeed_mps, Self::FREESPEEDS, " (metres per second)"),
            ("capacity", self.capacity, Self::CAPACITIES, " (vehicles per capacity period)"),
            ("lanes", self.lanes, Self::LANES, ""),
        ] {
            range.check(value, unit, || format!("link \"{id}\", {name}"), &mut problems);
        }
        if problems.is_empty() && Self::is_too_slow(self.length_m, self.freespeed_mps) {
            let (length, speed) = (self.length_m, self.freespeed_mps);
            let message = format!("{:e} seconds for {length} m at {speed} m/s", length / speed);
            let remedy = "expected at most 1000000000 seconds: correct length or free speed";
            problems.push(format!("link \"{id}\", travel time"), message, remedy);
        }
        if let Some(fault) = self.undefined_without_length() {
            problems.push(format!("link \"{id}\""), format!("has {fault}"), "correct the length");
        }
        problems.into_result()
    }
}

impl Network {
    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.node_x.len()
    }

    /// Returns the number of links.
    pub fn links(&self) -> usize {
        self.from.len()
    }

    /// Returns the attributes of a link.
    pub fn link(&self, link: u32) -> Link {
        let i = link as usize;
        Link {
            from: self.from[i],
            to: self.to[i],
            length_m: self.length_m[i],
            freespeed_mps: self.freespeed_mps[i],
            capacity: self.capacity[i],
            lanes: self.lanes[i],
            modes: self.modes[i],
        }
    }

    /// Adds a node. Its coordinates must be finite; otherwise a run is refused.
    ///
    /// # Errors
    /// If the id is taken or too long.
    pub fn add_node(&mut self, id: &str, x: f64, y: f64) -> Result<u32, IdError> {
        let index = self.node_ids.insert(id)?;
        self.node_x.push(x);
        self.node_y.push(y);
        Ok(index)
    }

    /// Adds a link. Its nodes must exist, and its numbers must pass [`Link::check`]; otherwise a run is refused.
    ///
    /// # Errors
    /// If the id is taken or too long.
    pub fn add_link(&mut self, id: &str, link: Link) -> Result<u32, IdError> {
        let index = self.link_ids.insert(id)?;
        self.from.push(link.from);
        self.to.push(link.to);
        // Adding 0 makes 0 of -0, whose inverse would be a negative time.
        self.length_m.push(link.length_m + 0.0);
        self.freespeed_mps.push(link.freespeed_mps + 0.0);
        self.capacity.push(link.capacity + 0.0);
        self.lanes.push(link.lanes + 0.0);
        self.modes.push(link.modes);
        Ok(index)
    }
}

/// Builds a network in code. Problems are collected, and [`NetworkBuilder::build`] returns them together.
///
/// ```
/// use throng_traffic_scenario::NetworkBuilder;
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0)
///     .node("b", 1000.0, 0.0)
///     .link("ab", "a", "b", 1000.0, 13.9, 1800.0, 1.0)
///     .build()?;
/// assert_eq!(network.links(), 1);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Default)]
pub struct NetworkBuilder {
    network: Network,
    problems: Problems,
}

impl NetworkBuilder {
    /// Creates an empty network with a capacity period of one hour.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node at `x`, `y` (metres).
    pub fn node(mut self, id: &str, x: f64, y: f64) -> Self {
        for (axis, value) in [("x", x), ("y", y)] {
            ValidRange::Finite.check(value, "", || format!("node \"{id}\", {axis}"), &mut self.problems);
        }
        if let Err(error) = self.network.add_node(id, x, y) {
            self.problems.push(format!("node \"{id}\""), error.to_string(), "use a different id for each node");
        }
        self
    }

    /// Adds a link with length (m), free speed (m/s), capacity (vehicles per hour) and lanes; see [`Link::check`]. All
    /// modes may use it. Add both nodes first.
    #[allow(clippy::too_many_arguments, reason = "the attributes of a link in the order of network files")]
    pub fn link(
        mut self,
        id: &str,
        from: &str,
        to: &str,
        length_m: f64,
        freespeed_mps: f64,
        capacity: f64,
        lanes: f64,
    ) -> Self {
        let mut node = |name: &str| {
            self.network.node_ids.get(name).unwrap_or_else(|| {
                let message = format!("there is no node \"{name}\"");
                self.problems.push(format!("link \"{id}\""), message, "add the nodes of a link before the link");
                0
            })
        };
        let link = Link { from: node(from), to: node(to), length_m, freespeed_mps, capacity, lanes, modes: u64::MAX };
        if let Err(InputError(found)) = link.check(id) {
            self.problems.append(found);
        }
        if let Err(error) = self.network.add_link(id, link) {
            self.problems.push(format!("link \"{id}\""), error.to_string(), "use a different id for each link");
        }
        self
    }

    /// Returns the network.
    ///
    /// # Errors
    /// All problems: ids that are taken or too long, links whose nodes do not exist, and numbers that are out of range.
    pub fn build(self) -> Result<Network, InputError> {
        self.problems.into_result()?;
        Ok(self.network)
    }
}
