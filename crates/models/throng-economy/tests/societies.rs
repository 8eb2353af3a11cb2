//! Societies are the same on every device as on the CPU, alone and among many.
use throng_economy::gpu::{Replicate, SocietiesOnDevice, SocietyOnDevice, can_be_together, simulate};
use throng_economy::model::SocietiesModel;
use throng_economy::parameters::{
    Assembly, DeviceNumbers, DeviceTable, Economy, Invention, Market, Parameters, Removal, Work,
};
use throng_economy::{Devices, Kind, Society};
use throng_model::StepModel;
use throng_model::step_model::{State as _, Steps};
use throng_testing_devices::{devices, with_f64};

/// Parameters with probabilities and skills so high that all kinds of devices are made early.
fn inventive(devices: Devices) -> Parameters {
    let base = Parameters::default();
    Parameters {
        devices,
        invention: Invention {
            tool_probability: 0.1,
            device_probability: 0.5,
            resources_in_tool: 3,
            components_in_device: 2,
            ..base.invention
        },
        assembly: Assembly { most_effort_min: 18.0, least_effort_min: 6.0, ..base.assembly },
        ..base
    }
}

fn removal(day: u32, resource: Option<u32>, agent: Option<u32>) -> Removal {
    Removal { day, resource, with_stock: day.is_multiple_of(2), agent }
}

/// Small societies with edge cases: one resource more than a warp has units, odd numbers of agents, short menus, prices
/// far from 1, stocks beyond the table of utilities, and all units consumed each day.
fn shapes() -> Vec<Parameters> {
    let base = Parameters { devices: Devices::None, ..Parameters::default() };
    let market = |menu_size, attempts| Market { menu_size, attempts, ..base.market };
    vec![
        base.clone(),
        Parameters { trade: false, agents: 3, ..base.clone() },
        Parameters { agents: 7, resources: 33, market: market(6, 8), ..base.clone() },
        Parameters { agents: 2, resources: 2, market: market(1, 3), ..base.clone() },
        Parameters {
            agents: 12,
            resources: 5,
            market: market(5, 1),
            work: Work { day_min: 2000.0, tolerance: 0.4, ..base.work },
            economy: Economy { elasticity: 1.3, least_utility: 40.0, unit_lifetime_days: 30.0, ..base.economy },
            ..base.clone()
        },
        Parameters {
            agents: 5,
            resources: 70,
            trade_powers: vec![1, 3, 8],
            market: market(16, 20),
            economy: Economy { unit_lifetime_days: 1.0, ..base.economy },
            ..base.clone()
        },
        Parameters {
            agents: 3,
            resources: 4,
            market: market(4, 8),
            removals: vec![removal(6, None, Some(0)), removal(9, None, Some(1)), removal(11, None, Some(2))],
            ..inventive(Devices::Extracting)
        },
        Parameters {
            agents: 5,
            resources: 8,
            devices: Devices::Tools,
            invention: Invention { tool_probability: 4e-3, ..base.invention },
            ..base.clone()
        },
        Parameters {
            agents: 8,
            resources: 12,
            removals: vec![
                removal(8, Some(3), None),
                removal(11, Some(5), None),
                removal(11, None, Some(2)),
                removal(13, None, Some(7)),
            ],
            ..inventive(Devices::Extracting)
        },
        Parameters {
            agents: 33,
            resources: 7,
            work: Work { day_min: 300.0, ..base.work },
            trade_powers: vec![2, 1],
            invention_speeds: vec![0.5, 3.0, 0.0],
            ..inventive(Devices::All)
        },
        Parameters {
            agents: 6,
            resources: 40,
            invention: Invention { components_in_device: 1, resources_in_tool: 2, ..inventive(Devices::All).invention },
            work: Work { day_min: 1000.0, ..base.work },
            ..inventive(Devices::All)
        },
    ]
}

#[test]
fn days_without_inventions_are_the_same_on_devices() {
    days_are_the_same_on_devices(|devices| devices == Devices::None);
}

#[test]
fn days_with_inventions_are_the_same_on_devices() {
    days_are_the_same_on_devices(|devices| devices != Devices::None);
}

/// Compares the days of all shapes with the chosen devices of agents.
fn days_are_the_same_on_devices(is_chosen: impl Fn(Devices) -> bool) {
    for device in with_f64(devices()) {
        for (shape, parameters) in shapes().into_iter().enumerate().filter(|(_, shape)| is_chosen(shape.devices)) {
            let seed = 1000 + shape as u64 + (7 << 40);
            let mut expected = Society::new(&parameters, seed).unwrap();
            let mut made = [0; 6];
            let mut found = SocietyOnDevice::new(device, expected.clone()).unwrap();
            let days = if parameters.devices == Devices::None { 27 } else { 14 };
            for day in 1..=days {
                expected.day();
                found.step().unwrap_or_else(|failure| panic!("shape {shape}, day {day}: {failure}"));
                for kind in Kind::ALL {
                    made[kind as usize] += expected.today.made(kind);
                }
                if day % 13 != 1 && day != days {
                    continue;
                }
                let found = found.state().unwrap_or_else(|failure| panic!("shape {shape}, day {day}: {failure}"));
                let place = format!("shape {shape}, day {day} on {}", device.label());
                assert_eq!(found.recipes, expected.recipes, "{place}");
                assert_eq!(found.today.extracted, expected.today.extracted, "{place}");
                assert_eq!(found.today.trades, expected.today.trades, "{place}");
                assert_eq!(found.today, expected.today, "{place}");
                assert_eq!(found.agents, expected.agents, "{place}");
                assert_eq!((found.hash(), found.gini()), (expected.hash(), expected.gini()), "{place}");
            }
            // All possible kinds of devices were made, and so were compared.
            for kind in parameters.devices.by(Kind::ALL) {
                assert!(made[kind as usize] > 0, "shape {shape}: {made:?}");
            }
        }
    }
}

/// Assembly takes the whole day when the device that speeds it up wears out halfway. There are more resources than a
/// warp has units, because all units must read the overtime before one of them changes it.
#[test]
fn days_spent_on_assembly_are_the_same_on_devices() {
    let base = inventive(Devices::All);
    let worn = DeviceNumbers { factor: 20.0, lifetime_min: 20.0, ..base.device.devmachine };
    let parameters = Parameters {
        agents: 5,
        resources: 40,
        work: Work { day_min: 1000.0, ..base.work },
        assembly: Assembly { most_effort_min: 200.0, least_effort_min: 200.0 / 3.0, ..base.assembly },
        invention: Invention { components_in_device: 1, resources_in_tool: 2, ..base.invention },
        device: DeviceTable {
            devmachine: worn,
            devfactory: DeviceNumbers { experience: base.device.devfactory.experience, ..worn },
            ..base.device
        },
        ..base
    };
    for device in with_f64(devices()) {
        let mut expected = Society::new(&parameters, 77).unwrap();
        let mut found = SocietyOnDevice::new(device, expected.clone()).unwrap();
        let mut skipped = 0;
        for _ in 0..25 {
            let clocks: Vec<f64> = expected.agents.iter().map(|agent| agent.clock_min).collect();
            expected.day();
            // Only agents that extract set their clocks.
            skipped += expected.agents.iter().zip(clocks).filter(|(agent, before)| agent.clock_min == *before).count();
            found.step().unwrap();
        }
        assert!(skipped > 0, "no day was spent on assembly");
        assert_eq!(found.state().unwrap().hash(), expected.hash(), "{}", device.label());
    }
}

#[test]
fn batched_societies_match_single_ones() {
    // Sets that differ in several of the parameters that may differ, with a resource that runs out and an agent that
    // leaves.
    let removals = vec![removal(9, Some(3), None), removal(12, None, Some(2))];
    let base = Parameters { agents: 9, resources: 10, removals, ..inventive(Devices::All) };
    let other = Parameters {
        economy: Economy { elasticity: 1.6, unit_lifetime_days: 9.0, ..base.economy },
        work: Work { day_min: 700.0, full_experience: 300, ..base.work },
        trade_powers: vec![1, 1, 5],
        ..base.clone()
    };
    assert!(can_be_together(&base, &other));
    let sets = [base, other];
    let replicates = [(0, 3), (1, 9), (0, 1 << 60), (1, 4)].map(|(set, seed)| Replicate { set, seed });
    let days = 16;
    let single = replicates.map(|Replicate { set, seed }| {
        let mut society = Society::new(&sets[set], seed).unwrap();
        let of_day = |_| {
            society.day();
            SocietiesModel::measure(&society)
        };
        (0..days).map(of_day).collect::<Vec<_>>()
    });
    for device in with_f64(devices()) {
        let mut societies = SocietiesOnDevice::new(device, &sets, &replicates, false).unwrap();
        let series = simulate(device, &mut societies, days, &mut |_| ()).unwrap();
        for (society, expected) in single.iter().enumerate() {
            for day in 1..=days {
                let place = format!("society {society}, day {day} on {}", device.label());
                assert_eq!(series.of(society, day), expected[day as usize - 1], "{place}");
            }
        }
    }
}

#[test]
fn incompatible_sets_are_refused() {
    let sets = [Parameters::default(), Parameters { agents: 7, ..Parameters::default() }];
    assert!(!can_be_together(&sets[0], &sets[1]));
    for device in with_f64(devices()) {
        let refused = SocietiesOnDevice::new(device, &sets, &[], false).err().unwrap();
        assert!(refused.to_string().contains("cannot be simulated together"), "{refused}");
    }
}
