//! Societies are the same on every device as on the CPU, alone and among many.

#![cfg(feature = "gpu")]

use throng_device::with_device;
use throng_economy::gpu::{COLUMNS, SocietiesOnDevice, SocietyOnDevice, simulate};
use throng_economy::parameters::{Economy, Market, Parameters, Work};
use throng_economy::{Devices, Society};
use throng_model::{State as _, Steps};
use throng_testing::devices_with_f64;

/// Small societies of many shapes: one resource more than a warp has units, odd numbers of agents, short menus, prices far
/// from 1, stocks beyond the table of utilities, and all units consumed each day.
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
            market: market(16, 20),
            economy: Economy { unit_lifetime_days: 1.0, ..base.economy },
            ..base.clone()
        },
    ]
}

#[test]
fn days_are_the_same_on_devices() {
    for device in devices_with_f64() {
        for (shape, parameters) in shapes().into_iter().enumerate() {
            let seed = 1000 + shape as u64 + (7 << 40);
            let mut expected = Society::new(&parameters, seed);
            with_device!(device, |device| {
                let mut found = SocietyOnDevice::new(device, expected.clone()).unwrap();
                for day in 1..=40 {
                    expected.day();
                    found.step().unwrap();
                    if day % 13 != 1 && day != 40 {
                        continue;
                    }
                    let found = found.state().unwrap();
                    let place = format!("shape {shape}, day {day} on {}", device.label());
                    assert_eq!(found.today.extracted, expected.today.extracted, "{place}");
                    assert_eq!(found.today.trades, expected.today.trades, "{place}");
                    assert_eq!(found.today.utility, expected.today.utility, "{place}");
                    assert_eq!(found.agents, expected.agents, "{place}");
                    assert_eq!((found.hash(), found.gini()), (expected.hash(), expected.gini()), "{place}");
                }
            });
        }
    }
}

#[test]
fn many_societies_are_as_each_alone() {
    let parameters = Parameters { agents: 9, resources: 10, ..shapes()[0].clone() };
    let seeds = [3, 9, 1 << 60, 4];
    let (days, mut alone) = (25, Vec::new());
    for seed in seeds {
        let mut society = Society::new(&parameters, seed);
        let of_day = |society: &mut Society| {
            society.day();
            let today = &society.today;
            let sums = [
                today.utility.iter().sum::<f64>(),
                today.units_held as f64,
                today.units_extracted() as f64,
                today.units_traded() as f64,
            ];
            sums.map(|sum| sum / 9.0)
        };
        alone.push((0..days).map(|_| of_day(&mut society)).collect::<Vec<_>>());
    }
    for device in devices_with_f64() {
        with_device!(device, |device| {
            let mut societies = SocietiesOnDevice::new(device, &parameters, &seeds, false).unwrap();
            let series = simulate(device, &mut societies, days, &mut |_| ()).unwrap();
            for (society, expected) in alone.iter().enumerate() {
                for day in 1..=days {
                    assert_eq!(series.of(society, day), expected[day as usize - 1], "{COLUMNS:?}, day {day}");
                }
            }
        });
    }
}

#[test]
fn devices_refuse_what_they_cannot_simulate() {
    let parameters = Parameters { devices: Devices::Tools, ..Parameters::default() };
    for device in devices_with_f64() {
        with_device!(device, |device| {
            let refused = SocietiesOnDevice::new(device, &parameters, &[1], false).err().unwrap();
            assert!(refused.to_string().contains("--device cpu"), "{refused}");
        });
    }
}
