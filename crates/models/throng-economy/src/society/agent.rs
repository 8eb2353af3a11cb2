//! What an agent has.

use crate::Parameters;
use crate::curves::Utility;
use crate::devices::{KINDS, Kind};

/// Prices and days that an agent remembers.
pub const MEMORY: usize = 5;

/// An agent. Vectors have an element for each resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Units in stock.
    pub held: Vec<u32>,
    /// Experience in extraction, units.
    pub experience: Vec<f64>,
    /// What a further unit was worth when the agent last looked, for its choice of what to offer.
    pub valued: Vec<f64>,
    /// Utility per minute of the last unit that was extracted.
    pub gain_per_min: f64,
    /// Devices of each kind, by [`Kind`] as an index.
    pub devices: [OwnDevices; KINDS],
    /// Minutes of today that are promised for assembly.
    pub set_aside_min: f64,
    /// Minutes of assembly that are taken from the next extraction.
    pub overtime_min: f64,
    /// Utility gained today by trading devices and making them for itself.
    pub gained_by_devices: f64,
    /// The clock at the end of the last day, minutes: the last unit may overrun it.
    pub clock_min: f64,
}

/// What an agent has of the devices of one kind, and what it remembers of them. Vectors have an element for each resource.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnDevices {
    /// Minutes of work that are left.
    pub minutes: Vec<f64>,
    /// Experience in assembly: 0, or at least 1.
    pub experience: Vec<f64>,
    /// Devices that are promised for today: to others, to itself, or as components. What they are made of is set aside: it
    /// belongs neither to the stock nor to the minutes of devices.
    pub to_make: Vec<u32>,
    /// What the last devices cost: more than 0 if they were bought.
    pub prices: Vec<[f64; MEMORY]>,
    /// Devices made today and on the days before.
    pub made: Vec<[u32; MEMORY]>,
    /// What was gained from trades with other agents, today and on the days before: partners in ascending order, only those
    /// of these days.
    pub surplus: Vec<(usize, [f64; MEMORY])>,
}

impl Agent {
    /// An agent without stock and experience.
    pub fn new(parameters: &Parameters, utility: &Utility) -> Self {
        let resources = parameters.resources as usize;
        // What a society cannot invent takes no memory.
        let devices =
            Kind::ALL.map(|kind| OwnDevices::new(if parameters.devices.contain(kind) { resources } else { 0 }));
        Self {
            held: vec![0; resources],
            experience: vec![0.0; resources],
            valued: vec![utility.of_next(0); resources],
            gain_per_min: 0.0,
            devices,
            set_aside_min: 0.0,
            overtime_min: 0.0,
            gained_by_devices: 0.0,
            clock_min: 0.0,
        }
    }

    /// Looks at the whole stock.
    pub fn value_stock(&mut self, utility: &Utility) {
        for resource in 0..self.held.len() {
            self.value(resource, utility);
        }
    }

    /// Looks at the stock of a resource.
    pub fn value(&mut self, resource: usize, utility: &Utility) {
        self.valued[resource] = utility.of_next(self.held[resource]);
    }

    /// The utility of the whole stock.
    pub fn utility(&self, utility: &Utility) -> f64 {
        self.held.iter().map(|&held| utility.of(held)).sum()
    }

    /// Minutes of work that are left of devices of a kind for a resource. A society that cannot invent a kind has no memory
    /// for it.
    pub(super) fn minutes(&self, kind: u32, resource: u32) -> f64 {
        self.devices[kind as usize].minutes.get(resource as usize).copied().unwrap_or(0.0)
    }

    /// Devices of a kind.
    pub fn of(&self, kind: Kind) -> &OwnDevices {
        &self.devices[kind as usize]
    }

    /// The same, to change them.
    pub fn of_mut(&mut self, kind: Kind) -> &mut OwnDevices {
        &mut self.devices[kind as usize]
    }
}

impl OwnDevices {
    fn new(resources: usize) -> Self {
        Self {
            minutes: vec![0.0; resources],
            experience: vec![0.0; resources],
            to_make: vec![0; resources],
            prices: vec![[0.0; MEMORY]; resources],
            made: vec![[0; MEMORY]; resources],
            surplus: Vec::new(),
        }
    }

    /// Whether any can be made: an agent with experience has seen one.
    pub fn is_any_known(&self) -> bool {
        self.experience.iter().any(|&experience| experience > 0.0)
    }

    /// Remembers what was gained from a trade today.
    pub fn remember_surplus(&mut self, other: usize, surplus: f64) {
        let at = self.surplus.binary_search_by_key(&other, |entry| entry.0).unwrap_or_else(|at| {
            self.surplus.insert(at, (other, [0.0; MEMORY]));
            at
        });
        self.surplus[at].1[0] += surplus;
    }

    /// A new day: what was gained before the last days is forgotten. The list has the partners of these days alone; on devices
    /// there is a fixed number of places, of which some are free.
    pub fn age_surplus(&mut self) {
        self.surplus.retain_mut(|(_, days)| {
            days.rotate_right(1);
            days[0] = 0.0;
            days.iter().any(|&surplus| surplus != 0.0)
        });
    }
}
