//! Invention: a cube for each society, since recipes belong to all and agents try one after the other.

use std::marker::PhantomData;

use throng_device::cubecl::{self, prelude::*};
use throng_device::philox::{Draws, unit as unit_draw};
use throng_device::{Buffer, Device, DeviceError, Gpu, exact};

use super::{BELOW_ALL, Day, column, draws, report_cut_loops};
use crate::devices::Kind;
use crate::gpu::buffers::RecipeArrays;
use crate::gpu::shape::Shape;
use crate::gpu::tables::{
    NONE, Set, Tables, about, about_kind, invention_speed, is_present, number, number_of, set_of,
};
use crate::rules::invention::probability_of_invention;
use crate::society::{draw, purpose};

/// What is recorded of inventions; without records the arrays have an element each.
#[derive(CubeType, CubeLaunch)]
pub struct InventionArrays {
    /// Inventions of today.
    pub count: Array<u32>,
    /// Kind, resource and inventor: `[invention][3]`.
    pub inventions: Array<u32>,
}

/// The same on a device.
pub struct InventionBuffers {
    pub count: Buffer<u32>,
    pub inventions: Buffer<u32>,
}

impl InventionBuffers {
    /// Room for so many inventions of a day.
    pub fn new(device: &Device, most: u32) -> Result<Self, DeviceError> {
        Ok(Self {
            count: device.upload("inventions", &[0])?,
            inventions: device.empty("inventions", 3 * most.max(1) as usize)?,
        })
    }

    /// The argument of a launch; made inside its closure.
    pub fn arg(&self) -> InventionArraysLaunch<Gpu> {
        InventionArraysLaunch {
            count: self.count.arg(),
            inventions: self.inventions.arg(),
            _phantom_runtime: PhantomData,
        }
    }
}

/// What an inventor considers.
#[derive(CubeType)]
struct Considered {
    /// Resources, in the order in which they were considered.
    list: SharedMemory<u32>,
    /// Those without a device, in the same order.
    without: SharedMemory<u32>,
    /// Whether each resource can still be drawn.
    is_other: SharedMemory<u32>,
    /// Experience of the inventor with each.
    experience: SharedMemory<f64>,
    /// Whether some agent can make a device: `[kind][resource]`.
    known: SharedMemory<u32>,
}

/// An inventor and its draws.
#[derive(CubeType, Clone, Copy)]
struct Inventor {
    society: u32,
    /// Its number in the society, and among the agents of all.
    number: u32,
    agent: u32,
    /// Multiplies the probability that it invents.
    speed: f64,
}

/// All agents try to invent, in a given order.
#[cube(launch_unchecked)]
pub fn invent(
    tables: &Tables,
    order: &Array<u32>,
    held: &Array<u32>,
    experience: &Array<f64>,
    assembly: &mut Array<f64>,
    recipes: &mut RecipeArrays,
    records: &mut InventionArrays,
    are_cut: &mut Array<u32>,
    day: &Day,
    #[comptime] keeps_records: bool,
    #[comptime] shape: Shape,
) {
    let resources = comptime!(shape.resources as usize);
    let agents = comptime!(shape.agents);
    let most = comptime!(shape.components as usize + 1);
    let mut considered = Considered {
        list: SharedMemory::<u32>::new(most),
        without: SharedMemory::<u32>::new(most),
        is_other: SharedMemory::<u32>::new(resources),
        experience: SharedMemory::<f64>::new(resources),
        known: SharedMemory::<u32>::new(comptime!((shape.kinds * shape.resources) as usize)),
    };
    let society = CUBE_POS as u32;
    if society >= day.all_agents / comptime!(shape.agents) {
        terminate!();
    }
    let unit = UNIT_POS as usize;
    let own = min(UNIT_POS, comptime!(shape.resources - 1));
    let set = set_of(tables, society, comptime!(shape.agents));
    let first_agent = society * agents;
    // What is known at the start of the phase; no invention takes anything from it.
    if unit < resources {
        for kind in 0..comptime!(shape.kinds) {
            let mut is_known = 0u32;
            for agent in 0..agents {
                if assembly[column(kind, first_agent + agent, own, day, shape)] > 0.0f64 {
                    is_known = 1u32;
                }
            }
            considered.known[(kind * comptime!(shape.resources) + own) as usize] = is_known;
        }
    }
    let mut inventions = 0u32;
    for place in 0..agents {
        let number = order[(first_agent + place) as usize];
        if is_present(tables, number) {
            let speed = invention_speed(tables, &set, number, agents);
            let inventor = Inventor { society, number, agent: first_agent + number, speed };
            let more_than = number_of(tables, &set, comptime!(number::MORE_HELD_THAN)) as u32;
            let tool = 0u32.runtime();
            let count = consider_resources(tables, &mut considered, held, experience, &inventor, more_than, day, shape);
            // Too few are considered, or all that are have a tool, or there is an attempt.
            let mut without = 0u32;
            if count > 0u32 {
                without = list_without(&mut considered, tool, count, shape);
            }
            if without > 0u32 {
                let for_each = number_of(tables, &set, comptime!(number::TOOL_PROBABILITY));
                inventions += attempt(
                    tables,
                    &set,
                    assembly,
                    recipes,
                    records,
                    &mut considered,
                    &inventor,
                    tool,
                    count,
                    without,
                    for_each,
                    inventions,
                    day,
                    keeps_records,
                    shape,
                );
            }
            if comptime!(shape.kinds > 1) {
                let mut kind = select(count > 0u32 && without == 0u32, 1u32, NONE.runtime());
                if comptime!(shape.kinds > shape.extracting) {
                    let draws = inventor_draws(tables, &inventor, tool, day);
                    let coin = draws.below(2u32.runtime(), comptime!(draw::COIN).runtime());
                    let devmachine = comptime!(Kind::DevMachine as u32).runtime();
                    kind = select(kind != NONE && coin == 1u32, devmachine, kind);
                }
                while kind != NONE {
                    let count = consider_devices(tables, &mut considered, assembly, &inventor, kind, day, shape);
                    let mut next = NONE.runtime();
                    if count > 0u32 {
                        let without = list_without(&mut considered, kind, count, shape);
                        if without == 0u32 {
                            next = about(tables, kind, comptime!(about_kind::NEXT_ORDER));
                        } else {
                            let for_each = number_of(tables, &set, comptime!(number::DEVICE_PROBABILITY));
                            inventions += attempt(
                                tables,
                                &set,
                                assembly,
                                recipes,
                                records,
                                &mut considered,
                                &inventor,
                                kind,
                                count,
                                without,
                                for_each,
                                inventions,
                                day,
                                keeps_records,
                                shape,
                            );
                        }
                    }
                    kind = exact::copied(next);
                }
            }
        }
    }
    if comptime!(keeps_records) && UNIT_POS == 0u32 {
        records.count[0] = inventions;
    }
    if inventions > 0u32 {
        count_units(tables, recipes, society, shape);
    }
    report_cut_loops(are_cut, day.loop_probe);
}

/// Considers the resources of a tool, and the one that it is for: the two in which the inventor has most experience, held or
/// not, and others that it holds. Returns how many they are, 0 if they are too few.
#[cube]
fn consider_resources(
    tables: &Tables,
    considered: &mut Considered,
    held: &Array<u32>,
    experience: &Array<f64>,
    inventor: &Inventor,
    more_than: u32,
    day: &Day,
    #[comptime] shape: Shape,
) -> u32 {
    let resources = comptime!(shape.resources as usize);
    let tool = 0u32.runtime();
    let unit = UNIT_POS as usize;
    sync_cube();
    if unit < resources {
        let at = (inventor.agent * comptime!(shape.resources) + UNIT_POS) as usize;
        considered.experience[unit] = experience[at];
        considered.is_other[unit] = select(held[at] > more_than, 1u32, 0u32);
    }
    sync_cube();
    let wanted = about(tables, tool, comptime!(about_kind::COMPONENTS)) + 1u32;
    let count = consider_two_highest(considered, wanted, BELOW_ALL.runtime(), resources);
    let count = draw_others(tables, considered, inventor, tool, count, wanted, day, resources);
    select(count == wanted, count, 0u32)
}

/// Considers components of a device: the two that the inventor makes best, others that it can make, and others that some agent
/// can make. Returns how many they are, 0 if they are too few or it can make none.
#[cube]
fn consider_devices(
    tables: &Tables,
    considered: &mut Considered,
    assembly: &Array<f64>,
    inventor: &Inventor,
    kind: u32,
    day: &Day,
    #[comptime] shape: Shape,
) -> u32 {
    let resources = comptime!(shape.resources as usize);
    let component = about(tables, kind, comptime!(about_kind::MADE_OF));
    let unit = UNIT_POS as usize;
    sync_cube();
    if unit < resources {
        let own = assembly[column(component, inventor.agent, UNIT_POS, day, shape)];
        considered.experience[unit] = own;
        considered.is_other[unit] = select(own > 0.0f64, 1u32, 0u32);
    }
    sync_cube();
    let wanted = about(tables, kind, comptime!(about_kind::COMPONENTS));
    let best = consider_two_highest(considered, wanted, 0.0f64.runtime(), resources);
    let own = draw_others(tables, considered, inventor, kind, best, wanted, day, resources);
    add_known(considered, component, own, shape);
    let count = draw_others(tables, considered, inventor, kind, own, wanted, day, resources);
    select(best > 0u32 && count == wanted, count, 0u32)
}

/// An attempt to invent a device for one of the resources without. Returns the inventions: 0 or 1.
#[cube]
fn attempt(
    tables: &Tables,
    set: &Set,
    assembly: &mut Array<f64>,
    recipes: &mut RecipeArrays,
    records: &mut InventionArrays,
    considered: &mut Considered,
    inventor: &Inventor,
    kind: u32,
    count: u32,
    without: u32,
    for_each: f64,
    before: u32,
    day: &Day,
    #[comptime] keeps_records: bool,
    #[comptime] shape: Shape,
) -> u32 {
    let resource = idea(tables, considered, inventor, kind, for_each, count, without, day);
    let mut inventions = 0u32;
    if resource != NONE {
        let component = about(tables, kind, comptime!(about_kind::MADE_OF));
        if component != NONE && UNIT_POS < comptime!(shape.resources) && is_considered(considered, UNIT_POS, count) {
            let at = column(component, inventor.agent, UNIT_POS, day, shape);
            assembly[at] = exact::greater::<f64>(assembly[at], 1.0f64);
        }
        publish(tables, set, assembly, recipes, considered, inventor, kind, resource, count, day, shape);
        if comptime!(keeps_records) && UNIT_POS == 0u32 {
            let at = 3 * before as usize;
            records.inventions[at] = kind;
            records.inventions[at + 1] = resource;
            records.inventions[at + 2] = inventor.number;
        }
        inventions = 1u32;
    }
    inventions
}

#[cube]
fn inventor_draws(tables: &Tables, inventor: &Inventor, kind: u32, day: &Day) -> Draws {
    draws(tables, inventor.society, inventor.number, day.number, comptime!(purpose::INVENTED).runtime() | kind)
}

/// Considers the two resources with most experience, if it is more than some; of equal ones the smaller number. Returns how
/// many they are.
#[cube]
fn consider_two_highest(considered: &mut Considered, wanted: u32, more_than: f64, #[comptime] resources: usize) -> u32 {
    let mut first = NONE.runtime();
    let mut second = NONE.runtime();
    let mut most = exact::copied(more_than);
    let mut next = exact::copied(more_than);
    for resource in 0..resources {
        let own = considered.experience[resource];
        let is_first = own > most;
        let is_second = !is_first && own > next;
        second = select(is_first, first, select(is_second, resource as u32, second));
        next = select(is_first, most, select(is_second, own, next));
        first = select(is_first, resource as u32, first);
        most = select(is_first, own, most);
    }
    let mut count = select(first == NONE, 0u32, select(second == NONE, 1u32, 2u32));
    count = min(count, wanted);
    sync_cube();
    if UNIT_POS == 0u32 {
        if count > 0u32 {
            considered.list[0] = first;
            considered.is_other[first as usize] = 0u32;
        }
        if count > 1u32 {
            considered.list[1] = second;
            considered.is_other[second as usize] = 0u32;
        }
    }
    sync_cube();
    count
}

/// Considers others that are drawn, until so many are considered or no others are left; returns how many are considered then.
#[cube]
fn draw_others(
    tables: &Tables,
    considered: &mut Considered,
    inventor: &Inventor,
    kind: u32,
    count: u32,
    wanted: u32,
    day: &Day,
    #[comptime] resources: usize,
) -> u32 {
    let draws = inventor_draws(tables, inventor, kind, day);
    let mut others = 0u32;
    for resource in 0..resources {
        others += considered.is_other[resource];
    }
    let mut considers = exact::copied(count);
    while considers < wanted && others > 0u32 {
        let drawn = draws.below(others, considers);
        let mut chosen = 0u32;
        let mut seen = 0u32;
        for resource in 0..resources {
            let is_other = considered.is_other[resource] == 1u32;
            chosen = select(is_other && seen == drawn, resource as u32, chosen);
            seen += considered.is_other[resource];
        }
        sync_cube();
        if UNIT_POS == 0u32 {
            considered.list[considers as usize] = chosen;
            considered.is_other[chosen as usize] = 0u32;
        }
        sync_cube();
        considers += 1u32;
        others -= 1u32;
    }
    considers
}

/// Whether a resource is considered.
#[cube]
fn is_considered(considered: &Considered, resource: u32, count: u32) -> bool {
    let mut found = false;
    for at in 0..count {
        found = found || considered.list[at as usize] == resource;
    }
    found
}

/// Others are now the components that some agent can make, and that are not considered yet.
#[cube]
fn add_known(considered: &mut Considered, component: u32, count: u32, #[comptime] shape: Shape) {
    if UNIT_POS < comptime!(shape.resources) {
        let is_known = considered.known[(component * comptime!(shape.resources) + UNIT_POS) as usize] == 1u32;
        let is_other = is_known && !is_considered(considered, UNIT_POS, count);
        considered.is_other[UNIT_POS as usize] = select(is_other, 1u32, 0u32);
    }
    sync_cube();
}

/// Lists what is considered and has no device that some agent can make; returns how many they are.
#[cube]
fn list_without(considered: &mut Considered, kind: u32, count: u32, #[comptime] shape: Shape) -> u32 {
    let mut without = 0u32;
    for at in 0..count {
        let resource = considered.list[at as usize];
        if considered.known[(kind * comptime!(shape.resources) + resource) as usize] == 0u32 {
            if UNIT_POS == 0u32 {
                considered.without[without as usize] = resource;
            }
            without += 1u32;
        }
    }
    sync_cube();
    without
}

/// For what the agent invents a device, or [`NONE`].
#[cube]
fn idea(
    tables: &Tables,
    considered: &Considered,
    inventor: &Inventor,
    kind: u32,
    for_each: f64,
    count: u32,
    without: u32,
    day: &Day,
) -> u32 {
    let mut experience = 0.0f64;
    for at in 0..count {
        experience += considered.experience[considered.list[at as usize] as usize];
    }
    let draws = inventor_draws(tables, inventor, kind, day);
    let success = comptime!(draw::SUCCESS).runtime();
    let drawn = unit_draw(draws.seed_low, draws.seed_high, draws.entity, draws.step, draws.purpose, success);
    let mut resource = NONE.runtime();
    if drawn < probability_of_invention(for_each, experience, inventor.speed) {
        resource = considered.without[draws.below(without, comptime!(draw::USE).runtime()) as usize];
    }
    resource
}

/// Writes the recipe. The inventor alone can make the device, also if there was one of another recipe.
#[cube]
fn publish(
    tables: &Tables,
    set: &Set,
    assembly: &mut Array<f64>,
    recipes: &mut RecipeArrays,
    considered: &mut Considered,
    inventor: &Inventor,
    kind: u32,
    resource: u32,
    count: u32,
    day: &Day,
    #[comptime] shape: Shape,
) {
    if UNIT_POS == resource {
        let device = (inventor.society * comptime!(shape.kinds) + kind) * comptime!(shape.resources) + resource;
        let first = device * comptime!(shape.components);
        let mut written = 0u32;
        for at in 0..count {
            let component = considered.list[at as usize];
            // A tool is made of the others.
            if kind != 0u32 || component != resource {
                recipes.components[(first + written) as usize] = component;
                written += 1u32;
            }
        }
        while written < comptime!(shape.components) {
            recipes.components[(first + written) as usize] = NONE;
            written += 1u32;
        }
        for other in 0..comptime!(shape.agents) {
            assembly[column(kind, inventor.society * comptime!(shape.agents) + other, resource, day, shape)] = 0.0f64;
        }
        assembly[column(kind, inventor.agent, resource, day, shape)] =
            number_of(tables, set, comptime!(number::INVENTOR_EXPERIENCE));
        considered.known[(kind * comptime!(shape.resources) + resource) as usize] = 1u32;
    }
    sync_cube();
}

/// Counts the units of resources in all devices, components first.
#[cube]
fn count_units(tables: &Tables, recipes: &mut RecipeArrays, society: u32, #[comptime] shape: Shape) {
    for place in 0..comptime!(shape.kinds) {
        let kind = tables.kinds[comptime!(about_kind::PRODUCTION) + place as usize];
        let below = about(tables, kind, comptime!(about_kind::MADE_OF));
        // A unit has a device, and reads the units of others.
        sync_storage();
        if UNIT_POS < comptime!(shape.resources) {
            let kinds = society * comptime!(shape.kinds);
            let device = (kinds + kind) * comptime!(shape.resources) + UNIT_POS;
            let first = device * comptime!(shape.resources);
            for resource in 0..comptime!(shape.resources) {
                recipes.units[(first + resource) as usize] = 0u32;
            }
            for which in 0..about(tables, kind, comptime!(about_kind::COMPONENTS)) {
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
