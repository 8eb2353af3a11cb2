//! The load of domains, and when a new partition pays.

/// What a domain did in its last step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Discs of its own.
    pub discs: u64,
    /// Discs of other domains that it knew.
    pub ghosts: u64,
    /// Discs in the cells about a wish, once for each time that the wish was decided about.
    pub candidates: u64,
    /// Rounds of decisions.
    pub rounds: u64,
}

impl Load {
    /// The cost of a step, in units of what a disc without any neighbours costs.
    pub fn cost(&self) -> f64 {
        self.discs as f64 + CANDIDATE * self.candidates as f64 + GHOST * self.ghosts as f64
    }
}

/// The cost of a candidate, in discs.
const CANDIDATE: f64 = 0.1;
/// The cost of a ghost, in discs: it is stored, but not decided about.
const GHOST: f64 = 0.25;
/// A load counts as uneven from this ratio of the largest to the mean on.
const UNEVEN: f64 = 1.1;
/// Steps that the load has to be uneven before a new partition is considered.
const PATIENCE: u32 = 10;
/// Steps in which a new partition has to pay for itself.
const HORIZON: f64 = 100.0;
/// The cost of moving a disc to another domain, in discs of a step.
const MIGRATION: f64 = 4.0;

/// What a new partition is expected to bring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The largest cost of a domain.
    pub largest: f64,
    /// Discs that belong to another domain than before.
    pub migrants: u64,
}

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

    /// The ghosts of all domains over their discs; 0 without discs.
    pub fn ghost_share(loads: &[Load]) -> f64 {
        let discs: u64 = loads.iter().map(|load| load.discs).sum();
        let ghosts: u64 = loads.iter().map(|load| load.ghosts).sum();
        if discs > 0 { ghosts as f64 / discs as f64 } else { 0.0 }
    }

    /// Takes the loads of a step. True if a new partition is expected to pay: the loads have been uneven for ten steps,
    /// and the slowest domain, for which the others wait, saves more within 100 steps than moving the discs costs.
    /// `predict` is called only in the first case; if a new partition does not pay, not again for ten steps.
    pub fn should_divide(&mut self, loads: &[Load], predict: impl FnOnce() -> Prediction) -> bool {
        self.uneven_for = if Self::imbalance(loads) > UNEVEN { self.uneven_for + 1 } else { 0 };
        if self.uneven_for < PATIENCE {
            return false;
        }
        self.uneven_for = 0;
        let Prediction { largest, migrants } = predict();
        let now = loads.iter().map(Load::cost).fold(0.0, f64::max);
        (now - largest) * HORIZON > migrants as f64 * MIGRATION
    }
}
