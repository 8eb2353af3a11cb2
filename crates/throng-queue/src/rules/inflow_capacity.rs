//! The inflow capacity of kinematic waves: how many vehicles may enter a link per step.

/// The inflow allowance of one link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inflow {
    /// Allowance left, vehicles. Negative after a vehicle has used more than there was.
    pub accumulated: f64,
    /// Allowance per step, and the most that accumulates.
    pub max: f64,
}

impl Inflow {
    /// An allowance that starts at one vehicle.
    pub fn new(max: f64) -> Self {
        Self { accumulated: 1.0, max }
    }

    /// Whether a vehicle may enter.
    pub fn has_capacity(&self) -> bool {
        self.accumulated > 0.0
    }

    /// Adds the allowance of one step, up to the maximum.
    pub fn refill_one_step(&mut self) {
        self.accumulated = (self.accumulated + self.max).min(self.max);
    }

    /// Whether another refill would change nothing. False above the maximum, too: after the maximum was lowered, the
    /// next refill removes the excess.
    pub fn is_full(&self) -> bool {
        self.accumulated == self.max
    }
}
