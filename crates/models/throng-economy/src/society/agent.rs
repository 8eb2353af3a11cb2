//! An agent: its possessions, its experience and its memory.

use crate::Parameters;
use crate::curves::Utility;
use crate::devices::{KINDS, Kind};

/// Number of prices and days that an agent remembers.
pub const MEMORY: usize = 5;

/// An agent. Vectors have one element per resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Units in stock.
    pub held: Vec<u32>,
    /// Experience in extraction, units.
    pub experience: Vec<f64>,
    /// Value of a further unit when the agent last valued its stock, for its menu.
    pub valued: Vec<f64>,
    /// Utility per minute of the last extracted unit.
    pub gain_per_min: f64,
    /// Devices of each kind, by [`Kind`] as an index.
    pub devices: [OwnDevices; KINDS],
    /// Minutes of today promised for assembly.
    pub set_aside_min: f64,
    /// Minutes of assembly that are deducted from the next extraction.
    pub overtime_min: f64,
    /// Utility gained today by trading devices and making them for itself.
    pub gained_by_devices: f64,
    /// The clock at the end of the last day, minutes: the last unit may overrun it.
    pub clock_min: f64,
}

/// An agent's devices of one kind, and its memory of them. Vectors have one element per resource.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnDevices {
    /// Remaining minutes of work.
    pub minutes: Vec<f64>,
    /// Experience in assembly: 0, or at least 1.
    pub experience: Vec<f64>,
    /// Devices promised for today: to others, to itself, or as components. Their components are set aside: they belong
    /// neither to the stock nor to the minutes of devices.
    pub to_make: Vec<u32>,
    /// Cost of the last devices, the latest first: above 0 if they were bought.
    pub prices: Vec<[f64; MEMORY]>,
    /// Devices made today and on the previous days.
    pub made: Vec<[u32; MEMORY]>,
    /// Utility gained from trades with other agents, today and on the previous days: partners of these days only, in
    /// ascending order.
    pub surplus: Vec<(usize, [f64; MEMORY])>,
}

impl Agent {
    /// Creates an agent without stock and experience.
    pub fn new(parameters: &Parameters, utility: &Utility) -> Self {
        let resources = parameters.resources as usize;
        // Devices that a society cannot invent take no memory.
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

    /// Values the next unit of every resource.
    pub fn value_stock(&mut self, utility: &Utility) {
        for resource in 0..self.held.len() {
            self.value(resource, utility);
        }
    }

    /// Values the next unit of a resource.
    pub fn value(&mut self, resource: usize, utility: &Utility) {
        self.valued[resource] = utility.of_next(self.held[resource]);
    }

    /// Returns the utility of the whole stock.
    pub fn utility(&self, utility: &Utility) -> f64 {
        self.held.iter().map(|&held| utility.of(held)).sum()
    }

    /// Returns the remaining minutes of work of devices of a kind for a resource. A society that cannot invent a kind
    /// has no memory for it.
    pub(super) fn minutes(&self, kind: u32, resource: u32) -> f64 {
        self.devices[kind as usize].minutes.get(resource as usize).copied().unwrap_or(0.0)
    }

    /// Returns the devices of a kind.
    pub fn of(&self, kind: Kind) -> &OwnDevices {
        &self.devices[kind as usize]
    }

    /// Returns the devices of a kind for modification.
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

    /// Whether the agent has any experience in assembly.
    pub fn is_any_known(&self) -> bool {
        self.experience.iter().any(|&experience| experience > 0.0)
    }

    /// Remembers the utility gained from a trade today.
    pub fn remember_surplus(&mut self, other: usize, surplus: f64) {
        let at = self.surplus.binary_search_by_key(&other, |entry| entry.0).unwrap_or_else(|at| {
            self.surplus.insert(at, (other, [0.0; MEMORY]));
            at
        });
        self.surplus[at].1[0] += surplus;
    }

    /// Begins a new day: gains older than the remembered days are forgotten. The list contains the partners of these
    /// days only; on devices the memory has a fixed number of entries, some of which are free.
    pub fn age_surplus(&mut self) {
        self.surplus.retain_mut(|(_, days)| {
            days.rotate_right(1);
            days[0] = 0.0;
            days.iter().any(|&surplus| surplus != 0.0)
        });
    }
}
