//! The load of domains, and when a new partition pays.

/// What a domain did in its last step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Discs of its own.
    pub discs: u64,
    /// Discs of other domains that it knew.
    pub ghosts: u64,
    /// Rounds of decisions.
    pub rounds: u64,
}

impl Load {
    /// The cost of a step: a ghost is stored and met, but not decided about.
    pub fn cost(&self) -> f64 {
        self.discs as f64 + GHOST * self.ghosts as f64
    }
}

/// The cost of a ghost, in discs.
const GHOST: f64 = 0.25;
/// A load counts as uneven from this ratio of the largest to the mean on.
const UNEVEN: f64 = 1.1;
/// Steps that the load has to be uneven before discs are moved to other domains.
const PATIENCE: u32 = 10;
/// Steps in which a new partition has to pay for itself.
const HORIZON: f64 = 100.0;
/// The cost of moving a disc to another domain, in discs of a step.
const MIGRATION: f64 = 4.0;

/// Decides when to divide the world again.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    uneven_for: u32,
}

impl Balance {
    /// The largest cost over the mean; 1 if there is nothing to do.
    pub fn imbalance(loads: &[Load]) -> f64 {
        let costs = loads.iter().map(Load::cost);
        let (total, largest) = costs.fold((0.0, 0.0f64), |(total, largest), cost| (total + cost, largest.max(cost)));
        if total > 0.0 { largest * loads.len() as f64 / total } else { 1.0 }
    }

    /// Takes the loads of a step. True if a new partition is expected to pay: the loads have been uneven for ten steps,
    /// and evening them out saves more within 100 steps than moving the discs costs.
    pub fn should_divide(&mut self, loads: &[Load]) -> bool {
        let imbalance = Self::imbalance(loads);
        self.uneven_for = if imbalance > UNEVEN { self.uneven_for + 1 } else { 0 };
        let mean = loads.iter().map(Load::cost).sum::<f64>() / loads.len().max(1) as f64;
        let saved = (imbalance - 1.0) * mean * HORIZON;
        // What is above the mean has to move.
        let excess: f64 = loads.iter().map(|load| (load.cost() - mean).max(0.0)).sum();
        let pays = self.uneven_for >= PATIENCE && saved > excess * MIGRATION;
        if pays {
            self.uneven_for = 0;
        }
        pays
    }
}
