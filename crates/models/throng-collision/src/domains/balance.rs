//! The load of domains, and the decision to partition the world again.

/// The work of a domain in its last step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Number of discs that belong to the domain.
    pub discs: u64,
    /// Number of discs of other domains that it received as ghosts.
    pub ghosts: u64,
    /// Number of discs in the cells around wishes, counted again each time a wish is evaluated.
    pub candidates: u64,
    /// Number of rounds of decisions.
    pub rounds: u64,
}

impl Load {
    /// Returns the cost of a step, in units of the cost of a disc without neighbours.
    pub fn cost(&self) -> f64 {
        self.discs as f64 + CANDIDATE * self.candidates as f64 + GHOST * self.ghosts as f64
    }
}

/// Cost of a candidate, in discs.
const CANDIDATE: f64 = 0.1;
/// Cost of a ghost, in discs: it is stored, but needs no decision.
const GHOST: f64 = 0.25;
/// Ratio of the largest load to the mean above which loads count as uneven.
const UNEVEN: f64 = 1.1;
/// Number of consecutive uneven steps before a new partition is considered.
const PATIENCE: u32 = 10;
/// Number of steps within which a new partition must pay off.
const HORIZON: f64 = 100.0;
/// Cost of moving a disc to another domain, in discs of a step.
const MIGRATION: f64 = 4.0;

/// The expected effect of a new partition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Largest cost of a domain.
    pub largest: f64,
    /// Number of discs that move to another domain.
    pub migrants: u64,
}

/// Decides when to partition the world again.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    uneven_for: u32,
}

impl Balance {
    /// Returns the largest cost divided by the mean; 1 if all costs are 0.
    pub fn imbalance(loads: &[Load]) -> f64 {
        let costs = loads.iter().map(Load::cost);
        let (total, largest) = costs.fold((0.0, 0.0f64), |(total, largest), cost| (total + cost, largest.max(cost)));
        if total > 0.0 { largest * loads.len() as f64 / total } else { 1.0 }
    }

    /// Returns the ghosts of all domains divided by their discs; 0 without discs.
    pub fn ghost_share(loads: &[Load]) -> f64 {
        let discs: u64 = loads.iter().map(|load| load.discs).sum();
        let ghosts: u64 = loads.iter().map(|load| load.ghosts).sum();
        if discs > 0 { ghosts as f64 / discs as f64 } else { 0.0 }
    }

    /// Evaluates the loads of a step. Returns true if a new partition is expected to pay off: the loads have been
    /// uneven for ten steps, and the slowest domain, which delays all others, saves more within 100 steps than moving
    /// the discs costs. `predict` is called only once the loads have been uneven for ten steps, and at most every ten
    /// steps.
    pub fn should_divide(&mut self, loads: &[Load], predict: impl FnOnce() -> Prediction) -> bool {
        self.uneven_for = if Self::imbalance(loads) > UNEVEN { self.uneven_for + 1 } else { 0 };
        if self.uneven_for < PATIENCE {
            return false;
        }
        self.uneven_for = 0;
        let Prediction { largest, migrants } = predict();
        let current = loads.iter().map(Load::cost).fold(0.0, f64::max);
        (current - largest) * HORIZON > migrants as f64 * MIGRATION
    }
}
