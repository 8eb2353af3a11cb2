//! Placeholder for the router, which is written on another branch; this file is replaced when they are merged.

use crate::scenario::{ModeId, Network};

/// A path through the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Links with the first and the last one.
    pub links: Vec<u32>,
    /// Travel time, seconds.
    pub travel_time_s: f64,
    /// Distance, metres.
    pub distance_m: f64,
}

/// Finds paths for one mode.
#[derive(Debug)]
pub struct Router<'a>(std::marker::PhantomData<&'a Network>);

impl<'a> Router<'a> {
    /// A router on the links open to `mode`.
    pub fn new(_network: &'a Network, _mode: ModeId, _max_speed_mps: f64) -> Self {
        Self(std::marker::PhantomData)
    }

    /// The path from link to link.
    pub fn route(&self, _from_link: u32, _to_link: u32) -> Option<Route> {
        None
    }
}
