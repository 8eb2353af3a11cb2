//! What the authors' program does otherwise than the model that it is meant to be.

/// Rules of the authors' program that differ from those of the model, each by name; none by default. They are for comparing
/// the two: with them, a society has the defects of that program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "any of them can be chosen with any other")]
pub struct Deviations {
    /// All prices are 1: the logarithm of the trade power, which is 0, takes the place of that of the worth.
    pub price_of_one: bool,
    /// The largest lot that both stocks can cover is not considered, because the list of lots lags by one.
    pub without_last_lot: bool,
    /// When a pair has traded, what the two offered before stays on their menus, and the swaps that they had not tried stay in
    /// the queue.
    pub kept_menus: bool,
    /// The resource with the number 0 is never one of the two whose components an inventor of devices makes best.
    pub first_is_never_best: bool,
    /// An agent that holds too few other resources considers only the two in which it has most experience, so that a tool has
    /// one component.
    pub short_recipes: bool,
    /// Trade in devices adds nothing to the utility per minute of a day that is spent on assembly.
    pub unnoticed_device_trade: bool,
}

impl Deviations {
    /// None of them.
    pub const NONE: Self = Self {
        price_of_one: false,
        without_last_lot: false,
        kept_menus: false,
        first_is_never_best: false,
        short_recipes: false,
        unnoticed_device_trade: false,
    };

    /// All of them.
    pub const ALL: Self = Self {
        price_of_one: true,
        without_last_lot: true,
        kept_menus: true,
        first_is_never_best: true,
        short_recipes: true,
        unnoticed_device_trade: true,
    };

    /// Whether there are any.
    pub fn is_any(self) -> bool {
        self != Self::NONE
    }
}
