//! Invention: a cube for each society, since recipes are shared and agents try one after the other.

use throng_device::philox::Draws;
use throng_device::{Device, DeviceError, KernelArrays};

use super::{Day, column, report_cut_loops};
use crate::gpu::buffers::{Owned, RecipeArrays, Stock};
use crate::gpu::model::{ModelOnDevice, model_of};
use crate::gpu::shape::Shape;
use crate::gpu::tables::Tables;
use crate::rules;
use crate::rules::invention::{InventorView, InventorViewExpand, count_known, lists};
use crate::rules::prelude::*;
use crate::society::purpose;

/// Recorded inventions. Without records the arrays have space for one invention.
#[derive(CubeType, CubeLaunch, KernelArrays)]
#[buffers(owned)]
pub struct InventionArrays {
    /// Number of inventions today.
    pub count: Array<u32>,
    /// Kind, resource and inventor: `[invention][3]`.
    pub inventions: Array<u32>,
}

impl InventionArraysBuffers {
    /// Allocates space for up to `capacity` inventions per day.
    pub fn new(device: &Device, capacity: u32) -> Result<Self, DeviceError> {
        Ok(Self {
            count: device.upload("inventions", &[0])?,
            inventions: device.empty("inventions", 3 * capacity.max(1) as usize)?,
        })
    }
}

/// State that inventors change.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct InventorArrays {
    pub owned: Owned,
    pub recipes: RecipeArrays,
    pub records: InventionArrays,
    pub are_cut: Array<u32>,
}

/// An inventor on a device: only the unit of a resource accesses the agents' and recipes' data of that resource.
#[derive(CubeType)]
pub struct InventorOnDevice<'w> {
    model: ModelOnDevice<'w>,
    stock: &'w Stock,
    arrays: &'w mut InventorArrays,
    day: &'w Day,
    society: u32,
    /// Index of the agent in the society.
    number: u32,
    /// Number of inventions today before its own.
    inventions: u32,
    #[cube(comptime)]
    keeps_records: bool,
    #[cube(comptime)]
    shape: Shape,
}

#[cube]
fn inventor_of<'w>(
    tables: &'w Tables,
    stock: &'w Stock,
    arrays: &'w mut InventorArrays,
    day: &'w Day,
    society: u32,
    #[comptime] keeps_records: bool,
    #[comptime] shape: Shape,
) -> InventorOnDevice<'w> {
    InventorOnDevice::<'w> {
        model: model_of(tables, society, comptime!(shape.agents)),
        stock,
        arrays,
        day,
        society,
        number: 0u32.runtime(),
        inventions: 0u32.runtime(),
        keeps_records,
        shape,
    }
}

#[cube]
impl<'w> InventorOnDevice<'w> {
    fn stock(&self, resource: u32) -> usize {
        let agent = self.society * comptime!(self.shape.agents) + self.number;
        (agent * comptime!(self.shape.resources) + resource) as usize
    }

    fn column(&self, agent: u32, kind: u32, resource: u32) -> usize {
        let of_all = self.society * comptime!(self.shape.agents) + agent;
        column(kind, of_all, resource, self.day, self.shape)
    }

    fn first_component(&self, kind: u32, resource: u32) -> u32 {
        let of_kind = (self.society * comptime!(self.shape.kinds) + kind) * comptime!(self.shape.resources);
        (of_kind + resource) * comptime!(self.shape.components)
    }
}

#[cube]
impl<'w> InventorView for InventorOnDevice<'w> {
    fn number(&self) -> u32 {
        self.number
    }

    fn agents(&self) -> u32 {
        comptime!(self.shape.agents).runtime()
    }

    fn resources(&self) -> u32 {
        comptime!(self.shape.resources).runtime()
    }

    fn speed(&self) -> f64 {
        self.model.invention_speed(self.number)
    }

    fn draws(&self, kind: u32) -> Draws {
        self.model.draws(self.number, self.day.number, comptime!(purpose::INVENTED).runtime() | kind)
    }

    fn held(&self, resource: u32) -> u32 {
        self.stock.held[self.stock(resource)]
    }

    fn extraction(&self, resource: u32) -> f64 {
        self.stock.experience[self.stock(resource)]
    }

    fn experience(&self, agent: u32, kind: u32, resource: u32) -> f64 {
        self.arrays.owned.experience[self.column(agent, kind, resource)]
    }

    fn set_experience(&mut self, agent: u32, kind: u32, resource: u32, devices: f64) {
        let at = self.column(agent, kind, resource);
        self.arrays.owned.experience[at] = devices;
    }

    fn write_component(&mut self, kind: u32, resource: u32, which: u32, component: u32) {
        let at = self.first_component(kind, resource) + which;
        self.arrays.recipes.components[at as usize] = component;
    }

    fn publish(&mut self, kind: u32, resource: u32, count: u32) {
        for which in count..comptime!(self.shape.components) {
            let at = self.first_component(kind, resource) + which;
            self.arrays.recipes.components[at as usize] = NONE;
        }
        if comptime!(self.keeps_records) {
            let at = 3 * self.inventions as usize;
            self.arrays.records.inventions[at] = kind;
            self.arrays.records.inventions[at + 1] = resource;
            self.arrays.records.inventions[at + 2] = self.number;
        }
    }

    fn may_be_best(&self, _kind: u32, _resource: u32) -> bool {
        true.runtime()
    }

    fn has_short_recipes(&self) -> bool {
        false.runtime()
    }
}

/// Lets all agents try to invent, in the given order.
#[cube(launch_unchecked)]
pub fn invent(
    tables: &Tables,
    order: &Array<u32>,
    stock: &Stock,
    arrays: &mut InventorArrays,
    day: &Day,
    #[comptime] keeps_records: bool,
    #[comptime] shape: Shape,
) {
    let society = CUBE_POS as u32;
    if society >= day.all_agents / comptime!(shape.agents) {
        terminate!();
    }
    let model = model_of(tables, society, comptime!(shape.agents));
    let mut inventor = inventor_of(tables, stock, arrays, day, society, keeps_records, shape);
    let mut team = CubeTeam::new(comptime!(shape.resources), comptime!(lists(shape.resources, shape.kinds)));
    count_known::<InventorOnDevice<'_>, CubeTeam>(&inventor, &mut team, comptime!(shape.kinds));
    for place in 0..comptime!(shape.agents) {
        inventor.number = order[(society * comptime!(shape.agents) + place) as usize];
        if model.is_present(inventor.number) {
            inventor.inventions += rules::invention::invent::<ModelOnDevice<'_>, InventorOnDevice<'_>, CubeTeam>(
                &model,
                &mut inventor,
                &mut team,
                comptime!(shape.kinds),
                comptime!(shape.extracting),
            );
        }
    }
    let inventions = inventor.inventions;
    if comptime!(keeps_records) && UNIT_POS == 0u32 {
        arrays.records.count[0] = inventions;
    }
    if inventions > 0u32 {
        count_units(&model, &mut arrays.recipes, society, shape);
    }
    report_cut_loops(&mut arrays.are_cut, day.loop_probe);
}

/// Counts the units of resources in all devices, components first. The array of units has an entry for each resource;
/// the CPU keeps lists of the resources used and builds them differently.
#[cube]
fn count_units(model: &ModelOnDevice<'_>, recipes: &mut RecipeArrays, society: u32, #[comptime] shape: Shape) {
    for place in 0..comptime!(shape.kinds) {
        let kind = model.in_production(place);
        let below = model.about(kind, comptime!(kind_property::MADE_OF));
        // A unit handles one device and reads the units of others.
        sync_storage();
        if UNIT_POS < comptime!(shape.resources) {
            let kinds = society * comptime!(shape.kinds);
            let device = (kinds + kind) * comptime!(shape.resources) + UNIT_POS;
            let first = device * comptime!(shape.resources);
            for resource in 0..comptime!(shape.resources) {
                recipes.units[(first + resource) as usize] = 0u32;
            }
            for which in 0..model.about(kind, comptime!(kind_property::COMPONENTS)) {
                let component = recipes.components[(device * comptime!(shape.components) + which) as usize];
                if component != NONE {
                    if below == NONE {
                        recipes.units[(first + component) as usize] += 1u32;
                    } else {
                        let part = (kinds + below) * comptime!(shape.resources) + component;
                        for resource in 0..comptime!(shape.resources) {
                            let units = recipes.units[(part * comptime!(shape.resources) + resource) as usize];
                            recipes.units[(first + resource) as usize] += units;
                        }
                    }
                }
            }
        }
    }
}
