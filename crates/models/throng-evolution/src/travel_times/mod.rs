//! The travel times of links, measured from the events of an iteration.
