//! What rules see of a society. Each executor implements the views over its own memory.

#![allow(missing_docs, reason = "what #[cube] makes of a trait has no documentation")]

use throng_device::cubecl::{self, prelude::*};

/// The curves and the numbers of a society, which are those of its set of parameters.
#[cube]
pub trait ModelView {
    /// What units are worth: see [`Utility`](crate::curves::Utility).
    fn of_units(&self, units: u32) -> f64;
    fn of_next(&self, held: u32) -> f64;
    fn inverse_of_next(&self, held: u32) -> f64;
    /// Minutes of extraction by hand, and those until there is so much whole experience: see [`Effort`](crate::curves::Effort).
    fn effort(&self, experience: f64) -> f64;
    fn minutes_until_whole(&self, experience: u32) -> f64;
    /// Full experience in extraction, units.
    fn last_effort(&self) -> u32;
    /// Minutes for the assembly of a device by hand.
    fn assembly(&self, experience: f64) -> f64;
    /// A [number](super::numbers::number) of the set.
    fn number(&self, #[comptime] which: usize) -> f64;
    /// A number of a kind of device.
    fn of_kind(&self, kind: u32, #[comptime] which: usize) -> f64;
    /// What is [said about a kind](super::numbers::about_kind) of device.
    fn about(&self, kind: u32, #[comptime] which: usize) -> u32;
    /// The kind of a level of a device, tools first.
    fn level(&self, kind: u32, level: u32) -> u32;
    /// A kind, in the order of production.
    fn in_production(&self, place: u32) -> u32;
    /// [`NEGATIVE_ZERO`](throng_device::exact::NEGATIVE_ZERO), of which compilers of kernels must not know the value.
    fn zero(&self) -> f64;
}

/// Agents that trade, make or value devices. `who` is the number of one of them: 0 or 1 of a pair, otherwise 0.
#[cube]
pub trait AgentsView {
    fn resources(&self) -> u32;
    /// Kinds of devices that there are.
    fn kinds(&self) -> u32;
    /// Kinds of devices for extraction, which have the first numbers.
    fn extracting(&self) -> u32;
    /// Whether a resource was not removed.
    fn is_left(&self, resource: u32) -> bool;
    /// The power of an agent in trade.
    fn trade_power(&self, who: u32) -> u32;

    /// Units in stock.
    fn held(&self, who: u32, resource: u32) -> u32;
    fn set_held(&mut self, who: u32, resource: u32, units: u32);
    /// What a further unit is worth, for the menu.
    fn set_valued(&mut self, who: u32, resource: u32, utility: f64);
    /// Experience in extraction.
    fn extraction(&self, who: u32, resource: u32) -> f64;
    /// Utility per minute of the last unit that was extracted.
    fn gain_per_min(&self, who: u32) -> f64;
    /// Minutes of today that are promised for assembly.
    fn set_aside(&self, who: u32) -> f64;
    fn set_set_aside(&mut self, who: u32, minutes: f64);
    /// Adds to the utility gained today by devices.
    fn add_gain(&mut self, who: u32, utility: f64);
    /// Whether utility gained by trade counts.
    fn notices_trade(&self) -> bool;

    /// Minutes of work that are left of devices.
    fn minutes(&self, who: u32, kind: u32, resource: u32) -> f64;
    fn set_minutes(&mut self, who: u32, kind: u32, resource: u32, minutes: f64);
    /// Experience in assembly.
    fn experience(&self, who: u32, kind: u32, resource: u32) -> f64;
    fn set_experience(&mut self, who: u32, kind: u32, resource: u32, devices: f64);
    /// Devices that are promised for today.
    fn to_make(&self, who: u32, kind: u32, resource: u32) -> u32;
    fn set_to_make(&mut self, who: u32, kind: u32, resource: u32, devices: u32);
    /// Devices made today or on the day of an age.
    fn made(&self, who: u32, kind: u32, resource: u32, age: u32) -> u32;
    /// Remembers the devices made today and forgets those of the oldest day.
    fn remember_made(&mut self, who: u32, kind: u32, resource: u32, devices: u32);
    /// The last prices, the latest first: more than 0 if the device was bought.
    fn price(&self, who: u32, kind: u32, resource: u32, age: u32) -> f64;
    /// Remembers a price and forgets the oldest one.
    fn remember_price(&mut self, who: u32, kind: u32, resource: u32, price: f64);
    /// Remembers what was gained from the other agent of the pair.
    fn remember_surplus(&mut self, who: u32, kind: u32, surplus: f64);

    /// A component of a device; [`NONE`](throng_device::cube::NONE) after the last, and without a recipe.
    fn component(&self, kind: u32, resource: u32, which: u32) -> u32;
    /// Whether the agent holds the units of a device all of whose components are made for it.
    fn has_units(&self, who: u32, kind: u32, resource: u32) -> bool;

    /// Looks at what devices of a kind cost, or take in assembly.
    fn look_at(&mut self, who: u32, kind: u32, #[comptime] cost: bool);
    /// What it costs the agent to come by a device at which, or at whose whole, it looked; or the minutes of the assembly of the
    /// device and all its components.
    fn appraised(&self, who: u32, kind: u32, resource: u32, #[comptime] cost: bool) -> f64;

    /// Writes the menu of an agent: the resources in stock that it values least.
    fn write_menu(&mut self, who: u32);
    /// Places of a menu.
    fn menu_size(&self) -> u32;
    /// A resource on the menu, or `NONE` after the last.
    fn menu(&self, place: u32) -> u32;
}
