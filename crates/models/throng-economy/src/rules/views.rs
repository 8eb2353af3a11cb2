//! Views of a society for the rules. Each executor implements them over its own memory.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use throng_device::cubecl::{self, prelude::*};

/// The curves and values of a society's parameter set.
#[cube]
pub trait ModelView {
    /// Utility of units: see [`Utility`](crate::curves::Utility).
    fn of_units(&self, units: u32) -> f64;
    fn of_next(&self, held: u32) -> f64;
    fn inverse_of_next(&self, held: u32) -> f64;
    /// Minutes of extraction by hand, and cumulative minutes to whole units of experience: see
    /// [`Effort`](crate::curves::Effort).
    fn effort(&self, experience: f64) -> f64;
    fn minutes_until_whole(&self, experience: u32) -> f64;
    /// Full experience in extraction, units.
    fn last_effort(&self) -> u32;
    /// Minutes for the assembly of a device by hand.
    fn assembly(&self, experience: f64) -> f64;
    /// A [value](super::numbers::number) of the set.
    fn number(&self, #[comptime] which: usize) -> f64;
    /// A value of a kind of device.
    fn of_kind(&self, kind: u32, #[comptime] which: usize) -> f64;
    /// A [property](super::numbers::kind_property) of a kind of device.
    fn about(&self, kind: u32, #[comptime] which: usize) -> u32;
    /// The kind at a level of a device, tools first.
    fn level(&self, kind: u32, level: u32) -> u32;
    /// The kind at a position in the order of production.
    fn in_production(&self, place: u32) -> u32;
    /// [`NEGATIVE_ZERO`](throng_device::exact::NEGATIVE_ZERO), which must not be a compile-time constant in kernels.
    fn zero(&self) -> f64;
}

/// Agents that trade, make or value devices. `who` selects one of them: 0 or 1 of a pair, always 0 for a single agent.
#[cube]
pub trait AgentsView {
    fn resources(&self) -> u32;
    /// Number of kinds of devices.
    fn kinds(&self) -> u32;
    /// Number of kinds of devices for extraction, which have the first indices.
    fn extracting(&self) -> u32;
    /// Whether a resource was not removed.
    fn is_left(&self, resource: u32) -> bool;
    /// The power of an agent in trade.
    fn trade_power(&self, who: u32) -> u32;

    /// Units in stock.
    fn held(&self, who: u32, resource: u32) -> u32;
    fn set_held(&mut self, who: u32, resource: u32, units: u32);
    /// Sets the value of a further unit, for the menu.
    fn set_valued(&mut self, who: u32, resource: u32, utility: f64);
    /// Experience in extraction.
    fn extraction(&self, who: u32, resource: u32) -> f64;
    /// Utility per minute of the last extracted unit.
    fn gain_per_min(&self, who: u32) -> f64;
    /// Minutes of today promised for assembly.
    fn set_aside(&self, who: u32) -> f64;
    fn set_set_aside(&mut self, who: u32, minutes: f64);
    /// Adds to the utility gained today through devices.
    fn add_gain(&mut self, who: u32, utility: f64);
    /// Whether utility gained by trade counts.
    fn notices_trade(&self) -> bool;

    /// Remaining minutes of work of devices.
    fn minutes(&self, who: u32, kind: u32, resource: u32) -> f64;
    fn set_minutes(&mut self, who: u32, kind: u32, resource: u32, minutes: f64);
    /// Experience in assembly.
    fn experience(&self, who: u32, kind: u32, resource: u32) -> f64;
    fn set_experience(&mut self, who: u32, kind: u32, resource: u32, devices: f64);
    /// Devices promised for today.
    fn to_make(&self, who: u32, kind: u32, resource: u32) -> u32;
    fn set_to_make(&mut self, who: u32, kind: u32, resource: u32, devices: u32);
    /// Devices made today (`age` 0) or `age` days ago.
    fn made(&self, who: u32, kind: u32, resource: u32, age: u32) -> u32;
    /// Remembers the devices made today and forgets those of the oldest day.
    fn remember_made(&mut self, who: u32, kind: u32, resource: u32, devices: u32);
    /// The last prices, the latest first: above 0 if the device was bought.
    fn price(&self, who: u32, kind: u32, resource: u32, age: u32) -> f64;
    /// Remembers a price and forgets the oldest one.
    fn remember_price(&mut self, who: u32, kind: u32, resource: u32, price: f64);
    /// Remembers the utility gained from the other agent of the pair.
    fn remember_surplus(&mut self, who: u32, kind: u32, surplus: f64);

    /// A component of a device; [`NONE`](throng_device::cube::NONE) after the last, and without a recipe.
    fn component(&self, kind: u32, resource: u32, which: u32) -> u32;
    /// Whether the agent holds the units of a device all of whose components are made for it.
    fn has_units(&self, who: u32, kind: u32, resource: u32) -> bool;

    /// Computes the costs of devices of a kind, or their assembly times, for [`appraised`](AgentsView::appraised).
    fn appraise(&mut self, who: u32, kind: u32, #[comptime] cost: bool);
    /// Returns the agent's cost of acquiring a device, or the minutes to assemble the device and all its components.
    /// `appraise` must have been called for its kind or for a device that contains it.
    fn appraised(&self, who: u32, kind: u32, resource: u32, #[comptime] cost: bool) -> f64;

    /// Writes the menu of an agent: its least-valued resources in stock.
    fn write_menu(&mut self, who: u32);
    /// Number of menu positions.
    fn menu_size(&self) -> u32;
    /// The resource at a menu position, or `NONE` after the last.
    fn menu(&self, place: u32) -> u32;
}
