//! What an agent has.

use crate::Parameters;
use crate::curves::Utility;

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
    /// Minutes that are left of tools for each resource.
    pub tool_min: Vec<f64>,
    /// Experience in building tools for each resource: 0, or more than 1.
    pub building: Vec<f64>,
    /// Whether a tool was built today.
    pub built: Vec<bool>,
    /// Tools that are promised: to others, or to itself.
    pub to_build: Vec<u32>,
    /// Units set aside for promised tools.
    pub reserved: Vec<u32>,
    /// What the last five tools cost: more than 0 if they were bought.
    pub prices: Vec<[f64; MEMORY]>,
    /// What was gained from trades of tools with each agent, today and on the days before.
    pub surplus: Vec<[f64; MEMORY]>,
    /// Minutes of today that are promised for building.
    pub set_aside_min: f64,
    /// Minutes of building that have to be made up for.
    pub overtime_min: f64,
    /// Utility gained today by trading and building tools.
    pub gained_by_tools: f64,
    /// The clock at the end of the last day, minutes: the last unit may overrun it.
    pub clock_min: f64,
}

impl Agent {
    /// An agent without stock and experience.
    pub fn new(parameters: &Parameters, utility: &Utility) -> Self {
        let resources = parameters.resources as usize;
        Self {
            held: vec![0; resources],
            experience: vec![0.0; resources],
            valued: vec![utility.of_next(0); resources],
            gain_per_min: 0.0,
            tool_min: vec![0.0; resources],
            building: vec![0.0; resources],
            built: vec![false; resources],
            to_build: vec![0; resources],
            reserved: vec![0; resources],
            prices: vec![[0.0; MEMORY]; resources],
            surplus: vec![[0.0; MEMORY]; parameters.agents as usize],
            set_aside_min: 0.0,
            overtime_min: 0.0,
            gained_by_tools: 0.0,
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
}
