//! Counters of a run.

/// Numbers of steps, events, moves and agents of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunStats {
    /// Number of computed steps; steps in which nothing was due are skipped.
    pub steps: u64,
    /// Number of events, if the sink wanted them.
    pub events: u64,
    /// Number of times a vehicle crossed a node.
    pub moves: u64,
    /// Number of legs that ended at their destination.
    pub arrivals: u64,
    /// Number of vehicles pushed onto a full link after the stuck time.
    pub stuck_pushed: u64,
    /// Number of vehicles removed after the stuck time.
    pub stuck_removed: u64,
    /// Number of agents aborted before the end of the simulation, for any reason.
    pub aborted: u64,
    /// Number of agents still under way or at a finite activity when the simulation ended.
    pub aborted_at_end: u64,
    /// Number of vehicles teleported to their drivers.
    pub teleported_vehicles: u64,
}

impl RunStats {
    /// Adds the counts of another part of the network.
    pub fn merge(&mut self, other: &Self) {
        let Self {
            steps: _,
            events,
            moves,
            arrivals,
            stuck_pushed,
            stuck_removed,
            aborted,
            aborted_at_end,
            teleported_vehicles,
        } = other;
        self.events += events;
        self.moves += moves;
        self.arrivals += arrivals;
        self.stuck_pushed += stuck_pushed;
        self.stuck_removed += stuck_removed;
        self.aborted += aborted;
        self.aborted_at_end += aborted_at_end;
        self.teleported_vehicles += teleported_vehicles;
    }
}
