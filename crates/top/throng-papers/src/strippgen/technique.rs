//! Techniques that the paper proposes for future work.

use crate::experiment::listed;

listed! {
    /// A technique that the paper proposes (section 6), added to RINGNODES.
    Technique {
        /// Departures in buckets by second, and two lists of due agents, one read and one written in each step.
        Calendar = "calendar";
        /// Nodes with vehicles in their buffers, collected by a prefix scan, instead of all nodes.
        ActiveNodes = "active nodes by prefix scan";
    }
}
