//! One or two agents of a society, as the rules of devices see them.

use throng_device::cube::NONE;

use super::market::write_menu;
use super::{Agent, Model, Recipes, Society};
use crate::Parameters;
use crate::devices::Kind;
use crate::rules::device_value::{cost_of_device, whole_assembly_min};
use crate::rules::views::AgentsView;

pub(super) struct AgentsOnCpu<'s> {
    pub model: &'s Model,
    parameters: &'s Parameters,
    recipes: &'s Recipes,
    is_left: &'s [bool],
    notices_trade: bool,
    pub agents: &'s mut [Agent],
    /// Indices of the agents in view; the second one is the other agent of a pair.
    pub numbers: [usize; 2],
    menu: Vec<usize>,
}

#[cfg(feature = "gpu")]
impl throng_device::cubecl::prelude::CubeType for AgentsOnCpu<'_> {
    type ExpandType = <crate::gpu::AgentsOnDevice<'static> as throng_device::cubecl::prelude::CubeType>::ExpandType;
}

impl Society {
    /// Returns a view of the society's agents with the first one selected.
    pub(super) fn agents_view(&mut self) -> AgentsOnCpu<'_> {
        let Self { parameters, model, recipes, is_left, deviations, agents, .. } = self;
        let notices_trade = !deviations.unnoticed_device_trade;
        let menu = Vec::new();
        AgentsOnCpu { model, parameters, recipes, is_left, notices_trade, agents, numbers: [0; 2], menu }
    }
}

impl AgentsOnCpu<'_> {
    #[inline]
    fn agent(&self, who: u32) -> &Agent {
        &self.agents[self.numbers[who as usize]]
    }

    #[inline]
    fn agent_mut(&mut self, who: u32) -> &mut Agent {
        &mut self.agents[self.numbers[who as usize]]
    }
}

impl AgentsView for AgentsOnCpu<'_> {
    #[inline]
    fn resources(&self) -> u32 {
        self.is_left.len() as u32
    }

    #[inline]
    fn kinds(&self) -> u32 {
        self.parameters.devices.by(Kind::ALL).count() as u32
    }

    #[inline]
    fn extracting(&self) -> u32 {
        Kind::EXTRACTING.len() as u32
    }

    #[inline]
    fn is_left(&self, resource: u32) -> bool {
        self.is_left[resource as usize]
    }

    #[inline]
    fn trade_power(&self, who: u32) -> u32 {
        self.parameters.trade_power(self.numbers[who as usize])
    }

    #[inline]
    fn held(&self, who: u32, resource: u32) -> u32 {
        self.agent(who).held[resource as usize]
    }

    #[inline]
    fn set_held(&mut self, who: u32, resource: u32, units: u32) {
        self.agent_mut(who).held[resource as usize] = units;
    }

    #[inline]
    fn set_valued(&mut self, who: u32, resource: u32, utility: f64) {
        self.agent_mut(who).valued[resource as usize] = utility;
    }

    #[inline]
    fn extraction(&self, who: u32, resource: u32) -> f64 {
        self.agent(who).experience[resource as usize]
    }

    #[inline]
    fn gain_per_min(&self, who: u32) -> f64 {
        self.agent(who).gain_per_min
    }

    #[inline]
    fn set_aside(&self, who: u32) -> f64 {
        self.agent(who).set_aside_min
    }

    #[inline]
    fn set_set_aside(&mut self, who: u32, minutes: f64) {
        self.agent_mut(who).set_aside_min = minutes;
    }

    #[inline]
    fn add_gain(&mut self, who: u32, utility: f64) {
        self.agent_mut(who).gained_by_devices += utility;
    }

    #[inline]
    fn notices_trade(&self) -> bool {
        self.notices_trade
    }

    #[inline]
    fn minutes(&self, who: u32, kind: u32, resource: u32) -> f64 {
        self.agent(who).minutes(kind, resource)
    }

    #[inline]
    fn set_minutes(&mut self, who: u32, kind: u32, resource: u32, minutes: f64) {
        self.agent_mut(who).devices[kind as usize].minutes[resource as usize] = minutes;
    }

    #[inline]
    fn experience(&self, who: u32, kind: u32, resource: u32) -> f64 {
        self.agent(who).devices[kind as usize].experience[resource as usize]
    }

    #[inline]
    fn set_experience(&mut self, who: u32, kind: u32, resource: u32, devices: f64) {
        self.agent_mut(who).devices[kind as usize].experience[resource as usize] = devices;
    }

    #[inline]
    fn to_make(&self, who: u32, kind: u32, resource: u32) -> u32 {
        self.agent(who).devices[kind as usize].to_make[resource as usize]
    }

    #[inline]
    fn set_to_make(&mut self, who: u32, kind: u32, resource: u32, devices: u32) {
        self.agent_mut(who).devices[kind as usize].to_make[resource as usize] = devices;
    }

    #[inline]
    fn made(&self, who: u32, kind: u32, resource: u32, age: u32) -> u32 {
        self.agent(who).devices[kind as usize].made[resource as usize][age as usize]
    }

    #[inline]
    fn remember_made(&mut self, who: u32, kind: u32, resource: u32, devices: u32) {
        let made = &mut self.agent_mut(who).devices[kind as usize].made[resource as usize];
        made.rotate_right(1);
        made[0] = devices;
    }

    #[inline]
    fn price(&self, who: u32, kind: u32, resource: u32, age: u32) -> f64 {
        self.agent(who).devices[kind as usize].prices[resource as usize][age as usize]
    }

    #[inline]
    fn remember_price(&mut self, who: u32, kind: u32, resource: u32, price: f64) {
        let prices = &mut self.agent_mut(who).devices[kind as usize].prices[resource as usize];
        prices.rotate_right(1);
        prices[0] = price;
    }

    fn remember_surplus(&mut self, who: u32, kind: u32, surplus: f64) {
        let other = self.numbers[1 - who as usize];
        self.agent_mut(who).devices[kind as usize].remember_surplus(other, surplus);
    }

    #[inline]
    fn component(&self, kind: u32, resource: u32, which: u32) -> u32 {
        let components = self.recipes.components(Kind::ALL[kind as usize], resource as usize);
        components.get(which as usize).map_or(NONE, |&component| component as u32)
    }

    fn has_units(&self, who: u32, kind: u32, resource: u32) -> bool {
        let held = &self.agent(who).held;
        let recipe = self.recipes.get(Kind::ALL[kind as usize], resource as usize);
        recipe.is_some_and(|recipe| recipe.units.iter().all(|&(resource, count)| held[resource] >= count))
    }

    // Few devices can be promised, so the CPU follows the components only of the devices that are appraised.
    #[inline]
    fn appraise(&mut self, _who: u32, _kind: u32, _cost: bool) {}

    #[inline]
    fn appraised(&self, who: u32, kind: u32, resource: u32, cost: bool) -> f64 {
        if cost {
            cost_of_device(self.model, self, who, kind, resource)
        } else {
            whole_assembly_min(self.model, self, who, kind, resource)
        }
    }

    fn write_menu(&mut self, who: u32) {
        write_menu(self.parameters, &self.agents[self.numbers[who as usize]], &mut self.menu);
    }

    #[inline]
    fn menu_size(&self) -> u32 {
        self.menu.len() as u32
    }

    #[inline]
    fn menu(&self, place: u32) -> u32 {
        self.menu[place as usize] as u32
    }
}
