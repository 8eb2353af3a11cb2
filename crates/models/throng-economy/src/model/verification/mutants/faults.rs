//! The faults, at least one for each rule.

use crate::parameters::Parameters;
use crate::rules::phases::Phase;
use crate::society::{Deviations, Society};

/// A fault of an executor.
pub struct Fault {
    pub name: &'static str,
    pub place: Place,
}

/// The place of a fault.
#[derive(Clone, Copy)]
pub enum Place {
    /// Days do not change anything.
    Nothing,
    /// The executor has other parameters.
    Parameters(fn(&mut Parameters)),
    /// The executor has another seed.
    Seed,
    /// The executor deviates from the model like the authors' program.
    Deviation(fn(&mut Deviations)),
    /// The phases of a day are carried out wrongly.
    Phase(fn(&mut Society, Phase)),
    /// The state is read wrongly.
    Result(fn(&mut Society)),
}

const fn parameters(name: &'static str, change: fn(&mut Parameters)) -> Fault {
    Fault { name, place: Place::Parameters(change) }
}

const fn deviation(name: &'static str, change: fn(&mut Deviations)) -> Fault {
    Fault { name, place: Place::Deviation(change) }
}

const fn phase(name: &'static str, carry_out: fn(&mut Society, Phase)) -> Fault {
    Fault { name, place: Place::Phase(carry_out) }
}

/// The fault that all cases detect.
pub const NOTHING: &str = "does nothing";

/// All faults.
pub const FAULTS: &[Fault] = &[
    Fault { name: NOTHING, place: Place::Nothing },
    Fault { name: "another seed", place: Place::Seed },
    // Extraction
    parameters("utility falls more slowly", |parameters| parameters.economy.elasticity *= 0.8),
    parameters("short days", |parameters| parameters.work.day_min -= 60.0),
    parameters("any resource extracted", |parameters| parameters.work.tolerance = 1e6),
    parameters("full experience too early", |parameters| parameters.work.full_experience /= 2),
    parameters("nothing forgotten", |parameters| parameters.work.forgotten_per_day = 0.0),
    phase("the next resource extracted", |society, phase| {
        let before = society.agents.clone();
        society.carry_out(phase);
        if phase == Phase::Extraction {
            for (agent, before) in society.agents.iter_mut().zip(before) {
                let mut extracted: Vec<u32> =
                    agent.held.iter().zip(&before.held).map(|(now, then)| now - then).collect();
                extracted.rotate_right(1);
                agent.held = before.held.iter().zip(extracted).map(|(then, extracted)| then + extracted).collect();
            }
        }
    }),
    phase("experience does not grow", |society, phase| {
        let before = society.agents.clone();
        society.carry_out(phase);
        if phase == Phase::Extraction {
            for (agent, before) in society.agents.iter_mut().zip(before) {
                agent.experience = before.experience;
            }
        }
    }),
    Fault {
        name: "extraction counted for the first resource",
        place: Place::Result(|society| {
            for extracted in &mut society.today.extracted {
                let all = extracted.iter().sum();
                extracted.fill(0);
                extracted[0] = all;
            }
        }),
    },
    // Barter
    phase("no trade", |society, phase| {
        if !matches!(phase, Phase::Market(_)) {
            society.carry_out(phase);
        }
    }),
    phase("no market after extraction", |society, phase| {
        if phase != Phase::Market(1) {
            society.carry_out(phase);
        }
    }),
    phase("trades take nothing", |society, phase| {
        let before = society.agents.clone();
        society.carry_out(phase);
        if matches!(phase, Phase::Market(_)) {
            for (agent, before) in society.agents.iter_mut().zip(before) {
                agent.held.iter_mut().zip(before.held).for_each(|(now, then)| *now = then.max(*now));
            }
        }
    }),
    phase("trades give nothing", |society, phase| {
        let before = society.agents.clone();
        society.carry_out(phase);
        if matches!(phase, Phase::Market(_)) {
            for (agent, before) in society.agents.iter_mut().zip(before) {
                agent.held.iter_mut().zip(before.held).for_each(|(now, then)| *now = then.min(*now));
            }
        }
    }),
    deviation("price of one", |deviations| deviations.price_of_one = true),
    deviation("last lot not considered", |deviations| deviations.without_last_lot = true),
    deviation("menus kept after a trade", |deviations| deviations.kept_menus = true),
    parameters("any surplus is enough", |parameters| parameters.market.least_surplus = 0.0),
    parameters("menus too short", |parameters| parameters.market.menu_size -= 1),
    parameters("an attempt less", |parameters| parameters.market.attempts -= 1),
    parameters("equal powers in trade", |parameters| parameters.trade_powers = vec![1]),
    // Devices
    parameters("no inventions of tools", |parameters| parameters.invention.tool_probability = 0.0),
    parameters("no inventions of other devices", |parameters| parameters.invention.device_probability = 0.0),
    parameters("experience of inventors halved", |parameters| parameters.invention.inventor_experience /= 2.0),
    deviation("the first resource never best", |deviations| deviations.first_is_never_best = true),
    deviation("short recipes", |deviations| deviations.short_recipes = true),
    parameters("tools without effect", |parameters| parameters.device.tool.factor = 1.0),
    parameters("machines without effect", |parameters| parameters.device.machine.factor = 1.0),
    parameters("factories without effect", |parameters| parameters.device.factory.factor = 1.0),
    parameters("industries without effect", |parameters| parameters.device.industry.factor = 1.0),
    parameters("devmachines without effect", |parameters| parameters.device.devmachine.factor = 1.0),
    parameters("devfactories without effect", |parameters| parameters.device.devfactory.factor = 1.0),
    parameters("tools last twice as long", |parameters| parameters.device.tool.lifetime_min *= 2.0),
    parameters("devices do not wear", |parameters| parameters.assembly.wear_min = 0.0),
    parameters("assembly takes half the time", |parameters| parameters.assembly.most_effort_min /= 2.0),
    phase("no trade in devices", |society, phase| {
        if !matches!(phase, Phase::DeviceMarket(_)) {
            society.carry_out(phase);
        }
    }),
    phase("no devices for oneself", |society, phase| {
        if !matches!(phase, Phase::OwnDevices(_)) {
            society.carry_out(phase);
        }
    }),
    phase("no production", |society, phase| {
        if phase != Phase::Production {
            society.carry_out(phase);
        }
    }),
    phase("assembly not forgotten", |society, phase| {
        if phase == Phase::Forgetting {
            for agent in &mut society.agents {
                (agent.set_aside_min, agent.gained_by_devices) = (agent.overtime_min, 0.0);
            }
        } else {
            society.carry_out(phase);
        }
    }),
    // Consumption and removals
    parameters("nothing consumed", |parameters| parameters.economy.unit_lifetime_days = 1e9),
    parameters("half as much consumed", |parameters| parameters.economy.unit_lifetime_days *= 2.0),
    parameters("removals ignored", |parameters| parameters.removals.clear()),
    parameters("stock kept on removal", |parameters| {
        parameters.removals.iter_mut().for_each(|removal| removal.with_stock = false);
    }),
    parameters("agents never leave", |parameters| parameters.removals.retain(|removal| removal.agent.is_none())),
];
