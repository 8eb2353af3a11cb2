//! The threads of a team find the same result as a single thread.

use throng_device::Device;
use throng_device::cube::NONE;
use throng_device::cubecl::{self, prelude::*};
use throng_device::team::*;
use throng_testing::{Needs, skip};

use super::{ROW, cubes};
use crate::backends::sample::numbers;

/// Values from which a team selects the best item.
#[cube]
trait ValuesView {
    fn value(&self, item: u32) -> f64;
}

#[derive(CubeType, CubeLaunch)]
struct Values {
    all: Array<f64>,
}

#[cube]
impl ValuesView for Values {
    fn value(&self, item: u32) -> f64 {
        self.all[CUBE_POS * ROW + item as usize]
    }
}

struct ValuesOnCpu<'a>(&'a [f64]);

impl CubeType for ValuesOnCpu<'_> {
    type ExpandType = ValuesExpand;
}

impl ValuesView for ValuesOnCpu<'_> {
    fn value(&self, item: u32) -> f64 {
        self.0[item as usize]
    }
}

#[cube]
fn best_of<V: ValuesView, T: Team>(values: &V, team: &mut T) -> Best {
    let mut own = Best { value: 0.5f64, item: NONE.runtime() };
    let mut item = team.first();
    while item < comptime!(ROW as u32) {
        own.consider(values.value(item), item);
        item += team.size();
    }
    team.best(own)
}

#[cube(launch)]
fn best_of_cubes(values: &Values, found: &mut Array<u32>, #[comptime] units: u32) {
    let mut team = CubeTeam::new(units, comptime!(Lists::default()));
    let best = best_of::<Values, CubeTeam>(values, &mut team);
    let told = team.told(7u32.runtime(), UNIT_POS + 1u32);
    let at = 2 * (CUBE_POS * units as usize + UNIT_POS as usize);
    found[at] = best.item;
    found[at + 1] = told;
}

pub fn teams_match_a_single_thread(device: &Device) {
    if !device.info().has_f64 {
        skip(Needs::DoublePrecision, format_args!("{} has none", device.label()));
        return;
    }
    let value = |number: u64| [0.25, 0.5, 0.75, 1.0][number as usize % 4];
    let mut values: Vec<f64> = numbers(3).take(9 * ROW).map(value).collect();
    values[..ROW].fill(0.5);
    let given = device.upload("values", &values).unwrap();
    for (units, _) in cubes() {
        let found = device.empty::<u32>("found", 18 * units as usize).unwrap();
        device
            .launch_cubes("teams", 9, units, |client, cubes, dim| {
                best_of_cubes::launch(client, cubes, dim, ValuesLaunch::new(given.arg()), found.arg(), units);
            })
            .unwrap();
        let found = device.read(&found).unwrap();
        for (cube, values) in values.chunks(ROW).enumerate() {
            let best = best_of(&ValuesOnCpu(values), &mut Alone::new(Lists::default())).item;
            for of_unit in found[2 * cube * units as usize..].chunks(2).take(units as usize) {
                assert_eq!(of_unit, [best, 7 % units + 1], "{units} units, cube {cube}");
            }
        }
    }
}
