//! Deviations of the authors' program from the model that it implements.

/// Rules of the authors' program that differ from the model, each with a name; none by default. They serve to compare
/// the two: with them, a society has the defects of that program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub struct Deviations {
    /// All prices are 1: the logarithm of the trade power, which is 0, is used in place of the logarithm of the worth.
    pub price_of_one: bool,
    /// The largest lot that both stocks can cover is not considered, because the list of lots lags by one.
    pub without_last_lot: bool,
    /// After a trade, the previous offers of a pair stay on their menus, and its untried swaps stay in the queue.
    pub kept_menus: bool,
    /// Resource 0 is never one of the two whose components an inventor of devices makes best.
    pub first_is_never_best: bool,
    /// An agent that holds too few other resources considers only the two in which it has most experience, so that a
    /// tool has one component.
    pub short_recipes: bool,
    /// Trade in devices adds nothing to the utility per minute of a day spent on assembly.
    pub unnoticed_device_trade: bool,
}

impl Deviations {
    /// No deviations.
    pub const NONE: Self = Self {
        price_of_one: false,
        without_last_lot: false,
        kept_menus: false,
        first_is_never_best: false,
        short_recipes: false,
        unnoticed_device_trade: false,
    };

    /// All deviations.
    pub const ALL: Self = Self {
        price_of_one: true,
        without_last_lot: true,
        kept_menus: true,
        first_is_never_best: true,
        short_recipes: true,
        unnoticed_device_trade: true,
    };

    /// Whether any deviation is enabled.
    pub fn is_any(self) -> bool {
        self != Self::NONE
    }
}
