//! One or two agents of a society on a device, as the rules of devices see them. A cube keeps their stock in shared
//! memory; only the unit of a resource reads and writes the agents' data of that resource.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use super::buffers::{Minutes, Owned, RecipeArrays, Stock};
use super::kernels::menus::rank;
use super::kernels::{Day, column, memory};
use super::model::{ModelOnDevice, model_of};
use super::shape::Shape;
use super::tables::Tables;
use crate::rules::device_value::{cost_of_device, whole_assembly_min};
use crate::rules::prelude::*;
use crate::society::MEMORY;

/// One of the agents in view.
#[derive(CubeType, Clone, Copy)]
struct Side {
    /// Index of the agent among the agents of all societies.
    agent: u32,
    gain_per_min: f64,
    set_aside: f64,
    gained: f64,
    /// Experience in the extraction of this unit's resource.
    extraction: f64,
}

/// The agents in view; the second one may be the first again.
#[derive(CubeType, Clone, Copy)]
pub struct Sides {
    first: Side,
    second: Side,
}

/// State that agents change when they make or trade devices.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct AgentArrays {
    pub stock: Stock,
    pub minutes: Minutes,
    pub owned: Owned,
    pub are_cut: Array<u32>,
}

/// Agents on a device.
#[derive(CubeType)]
pub struct AgentsOnDevice<'w> {
    pub model: ModelOnDevice<'w>,
    owned: &'w mut Owned,
    recipes: &'w RecipeArrays,
    day: &'w Day,
    society: u32,
    first: Side,
    second: Side,
    /// Units of each resource, `[2][resource]`, and the value of a further unit when the agent last valued its stock.
    held: SharedMemory<u32>,
    valued: SharedMemory<f64>,
    /// Cost or assembly minutes of the devices appraised last, by resource; during `appraise`, of the lower level.
    appraisals: SharedMemory<f64>,
    /// Resources on the menu in order, followed by [`NONE`].
    menu: SharedMemory<u32>,
    #[cube(comptime)]
    shape: Shape,
}

/// Reads one or two agents, by their indices among the agents of all societies.
#[cube]
pub fn sides_of(stock: &Stock, minutes: &Minutes, first: u32, second: u32, #[comptime] shape: Shape) -> Sides {
    Sides { first: side_of(stock, minutes, first, shape), second: side_of(stock, minutes, second, shape) }
}

/// Creates the view of one or two agents.
#[cube]
pub fn agents_of<'w>(
    tables: &'w Tables,
    owned: &'w mut Owned,
    recipes: &'w RecipeArrays,
    day: &'w Day,
    sides: Sides,
    #[comptime] shape: Shape,
) -> AgentsOnDevice<'w> {
    let resources = comptime!(shape.resources as usize);
    let society = sides.first.agent / comptime!(shape.agents);
    AgentsOnDevice::<'w> {
        model: model_of(tables, society, comptime!(shape.agents)),
        owned,
        recipes,
        day,
        society,
        first: sides.first,
        second: sides.second,
        held: SharedMemory::<u32>::new(comptime!(2 * resources)),
        valued: SharedMemory::<f64>::new(comptime!(2 * resources)),
        appraisals: SharedMemory::<f64>::new(resources),
        menu: SharedMemory::<u32>::new(comptime!(shape.menu_size as usize)),
        shape,
    }
}

#[cube]
impl<'w> AgentsOnDevice<'w> {
    /// Reads the stock of both agents into shared memory, or of the first one only, which then needs no menu. The data
    /// is visible after the next barrier.
    pub fn load(&mut self, stock: &Stock, #[comptime] are_two: bool) {
        let resources = comptime!(self.shape.resources as usize);
        let unit = UNIT_POS as usize;
        if unit < resources {
            let first = self.first.agent as usize * resources + unit;
            self.held[unit] = stock.held[first];
            if comptime!(are_two) {
                let second = self.second.agent as usize * resources + unit;
                self.held[resources + unit] = stock.held[second];
                self.valued[unit] = stock.valued[first];
                self.valued[resources + unit] = stock.valued[second];
            }
        }
    }

    /// Writes back all data that may have changed.
    pub fn store(&self, stock: &mut Stock, minutes: &mut Minutes, #[comptime] are_two: bool) {
        let resources = comptime!(self.shape.resources as usize);
        let unit = UNIT_POS as usize;
        if unit < resources {
            let first = self.first.agent as usize * resources + unit;
            stock.held[first] = self.held[unit];
            if comptime!(are_two) {
                let second = self.second.agent as usize * resources + unit;
                stock.held[second] = self.held[resources + unit];
                stock.valued[first] = self.valued[unit];
                stock.valued[second] = self.valued[resources + unit];
            }
        }
        if UNIT_POS == 0u32 {
            store_side(minutes, self.first);
            if comptime!(are_two) {
                store_side(minutes, self.second);
            }
        }
    }

    fn agent(&self, who: u32) -> u32 {
        select(who == 0u32, self.first.agent, self.second.agent)
    }

    /// Index of an agent's devices of a kind for a resource.
    fn column(&self, who: u32, kind: u32, resource: u32) -> usize {
        column(kind, self.agent(who), resource, self.day, self.shape)
    }

    /// Index of an entry in the agent's memory of such devices.
    fn memory(&self, who: u32, kind: u32, resource: u32, age: u32) -> usize {
        memory(kind, age, self.agent(who), resource, self.day, self.shape)
    }

    /// Index of an agent's stock in shared memory.
    fn stock(&self, who: u32, resource: u32) -> usize {
        (who * comptime!(self.shape.resources) + resource) as usize
    }

    fn device(&self, kind: u32, resource: u32) -> u32 {
        (self.society * comptime!(self.shape.kinds) + kind) * comptime!(self.shape.resources) + resource
    }
}

#[cube]
fn side_of(stock: &Stock, minutes: &Minutes, agent: u32, #[comptime] shape: Shape) -> Side {
    let resource = min(UNIT_POS, comptime!(shape.resources - 1));
    Side {
        agent,
        gain_per_min: minutes.gain_per_min[agent as usize],
        set_aside: minutes.set_aside[agent as usize],
        gained: minutes.gained[agent as usize],
        extraction: stock.experience[(agent * comptime!(shape.resources) + resource) as usize],
    }
}

#[cube]
fn store_side(minutes: &mut Minutes, side: Side) {
    minutes.set_aside[side.agent as usize] = side.set_aside;
    minutes.gained[side.agent as usize] = side.gained;
}

#[cube]
impl<'w> AgentsView for AgentsOnDevice<'w> {
    fn resources(&self) -> u32 {
        comptime!(self.shape.resources).runtime()
    }

    fn kinds(&self) -> u32 {
        comptime!(self.shape.kinds).runtime()
    }

    fn extracting(&self) -> u32 {
        comptime!(self.shape.extracting).runtime()
    }

    fn is_left(&self, resource: u32) -> bool {
        self.model.is_left(resource)
    }

    fn trade_power(&self, who: u32) -> u32 {
        self.model.trade_power(self.agent(who) - self.society * comptime!(self.shape.agents))
    }

    fn held(&self, who: u32, resource: u32) -> u32 {
        self.held[self.stock(who, resource)]
    }

    fn set_held(&mut self, who: u32, resource: u32, units: u32) {
        let at = self.stock(who, resource);
        self.held[at] = units;
    }

    fn set_valued(&mut self, who: u32, resource: u32, utility: f64) {
        let at = self.stock(who, resource);
        self.valued[at] = utility;
    }

    fn extraction(&self, who: u32, _resource: u32) -> f64 {
        select(who == 0u32, self.first.extraction, self.second.extraction)
    }

    fn gain_per_min(&self, who: u32) -> f64 {
        select(who == 0u32, self.first.gain_per_min, self.second.gain_per_min)
    }

    fn set_aside(&self, who: u32) -> f64 {
        select(who == 0u32, self.first.set_aside, self.second.set_aside)
    }

    fn set_set_aside(&mut self, who: u32, minutes: f64) {
        self.first.set_aside = select(who == 0u32, minutes, self.first.set_aside);
        self.second.set_aside = select(who == 0u32, self.second.set_aside, minutes);
    }

    fn add_gain(&mut self, who: u32, utility: f64) {
        self.first.gained += select(who == 0u32, utility, 0.0f64);
        self.second.gained += select(who == 0u32, 0.0f64, utility);
    }

    fn notices_trade(&self) -> bool {
        true.runtime()
    }

    fn minutes(&self, who: u32, kind: u32, resource: u32) -> f64 {
        self.owned.minutes[self.column(who, kind, resource)]
    }

    fn set_minutes(&mut self, who: u32, kind: u32, resource: u32, minutes: f64) {
        let at = self.column(who, kind, resource);
        self.owned.minutes[at] = minutes;
    }

    fn experience(&self, who: u32, kind: u32, resource: u32) -> f64 {
        self.owned.experience[self.column(who, kind, resource)]
    }

    fn set_experience(&mut self, who: u32, kind: u32, resource: u32, devices: f64) {
        let at = self.column(who, kind, resource);
        self.owned.experience[at] = devices;
    }

    fn to_make(&self, who: u32, kind: u32, resource: u32) -> u32 {
        self.owned.to_make[self.column(who, kind, resource)]
    }

    fn set_to_make(&mut self, who: u32, kind: u32, resource: u32, devices: u32) {
        let at = self.column(who, kind, resource);
        self.owned.to_make[at] = devices;
    }

    fn made(&self, who: u32, kind: u32, resource: u32, age: u32) -> u32 {
        self.owned.made[self.memory(who, kind, resource, age)]
    }

    fn remember_made(&mut self, who: u32, kind: u32, resource: u32, devices: u32) {
        for step in 1..comptime!(MEMORY as u32) {
            let age = comptime!(MEMORY as u32) - step;
            let at = self.memory(who, kind, resource, age);
            self.owned.made[at] = self.owned.made[self.memory(who, kind, resource, age - 1u32)];
        }
        let at = self.memory(who, kind, resource, 0u32.runtime());
        self.owned.made[at] = devices;
    }

    fn price(&self, who: u32, kind: u32, resource: u32, age: u32) -> f64 {
        self.owned.prices[self.memory(who, kind, resource, age)]
    }

    fn remember_price(&mut self, who: u32, kind: u32, resource: u32, price: f64) {
        for step in 1..comptime!(MEMORY as u32) {
            let age = comptime!(MEMORY as u32) - step;
            let at = self.memory(who, kind, resource, age);
            self.owned.prices[at] = self.owned.prices[self.memory(who, kind, resource, age - 1u32)];
        }
        let at = self.memory(who, kind, resource, 0u32.runtime());
        self.owned.prices[at] = price;
    }

    // The memory has an entry for each partner of the remembered days.
    fn remember_surplus(&mut self, who: u32, kind: u32, surplus: f64) {
        let partner = self.agent(1u32 - who) - self.society * comptime!(self.shape.agents);
        let first = (kind * self.day.all_agents + self.agent(who)) * comptime!(self.shape.partners);
        let mut place = NONE.runtime();
        let mut is_found = false;
        for other in 0..comptime!(self.shape.partners) {
            let of_place = self.owned.partners[(first + other) as usize];
            let is_free = of_place == NONE && place == NONE;
            let is_own = of_place == partner;
            place = select(is_own || (is_free && !is_found), other, place);
            is_found = is_found || is_own;
        }
        let at = (first + place) as usize;
        self.owned.partners[at] = partner;
        self.owned.surplus[at * comptime!(MEMORY)] += surplus;
    }

    fn component(&self, kind: u32, resource: u32, which: u32) -> u32 {
        let first = self.device(kind, resource) * comptime!(self.shape.components);
        self.recipes.components[(first + which) as usize]
    }

    fn has_units(&self, who: u32, kind: u32, resource: u32) -> bool {
        let first = self.device(kind, resource) * comptime!(self.shape.resources);
        let mut has = true;
        for other in 0..comptime!(self.shape.resources) {
            has = has && self.held[self.stock(who, other)] >= self.recipes.units[(first + other) as usize];
        }
        has
    }

    // Kernels have no recursion, so all units go from the tools up to the kind, level by level, for all resources at
    // once. The CPU follows only the components of the requested devices.
    fn appraise(&mut self, who: u32, kind: u32, #[comptime] cost: bool) {
        let resource = min(UNIT_POS, comptime!(self.shape.resources - 1));
        for level in 0..self.model.about(kind, comptime!(kind_property::LEVELS)) {
            let of = self.model.level(kind, level);
            let appraisal = if comptime!(cost) {
                cost_of_device::<ModelOnDevice<'w>, AgentsOnDevice<'w>>(&self.model, self, who, of, resource)
            } else {
                whole_assembly_min::<ModelOnDevice<'w>, AgentsOnDevice<'w>>(&self.model, self, who, of, resource)
            };
            sync_cube();
            if UNIT_POS < comptime!(self.shape.resources) {
                self.appraisals[UNIT_POS as usize] = appraisal;
            }
            sync_cube();
        }
    }

    fn appraised(&self, _who: u32, _kind: u32, resource: u32, #[comptime] _cost: bool) -> f64 {
        self.appraisals[resource as usize]
    }

    fn write_menu(&mut self, who: u32) {
        if UNIT_POS < comptime!(self.shape.menu_size) {
            self.menu[UNIT_POS as usize] = NONE;
        }
        sync_cube();
        if UNIT_POS < comptime!(self.shape.resources) {
            let first = self.stock(who, 0u32.runtime());
            let resources = comptime!(self.shape.resources as usize);
            let menu_size = comptime!(self.shape.menu_size);
            let place = rank(&self.held, &self.valued, UNIT_POS as usize, first, resources, menu_size);
            if place != NONE {
                self.menu[place as usize] = UNIT_POS;
            }
        }
    }

    fn menu_size(&self) -> u32 {
        comptime!(self.shape.menu_size).runtime()
    }

    fn menu(&self, place: u32) -> u32 {
        self.menu[place as usize]
    }
}
