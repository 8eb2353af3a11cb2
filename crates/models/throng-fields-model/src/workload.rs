//! The amount of work for the fields of a run.

use throng_fields_core::Entity;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::entities::MapEntity;
use throng_fields_scenario::groups::Group;
use throng_model::{Costs, Estimate, TypicalCosts, Work};

/// Typical costs of a step, and of adding an entity to a cell.
const COSTS: TypicalCosts = TypicalCosts::new(3e-9, Costs::new(0.65, 60e-6, 0.02e-9));

/// The reason why the CPU should compute the fields if the choice is automatic; `None` if there is none.
pub(crate) fn suits_cpu(scenario: &Scenario) -> Option<String> {
    let has_none = scenario.entities.is_empty() && scenario.groups.iter().all(|group| group.carried.is_none());
    has_none.then(|| "there are no fields of entities for a device to compute".to_owned())
}

/// Returns an estimate of a run of `steps` steps.
pub(crate) fn estimate(scenario: &Scenario, steps: u32) -> Estimate {
    let work = Work { steps: steps.into(), units: additions(scenario, steps) };
    Estimate { model: "fields", part: "fields", work, typical: COSTS }
}

/// Number of positions along the path of an entity at which the cells within its reach are counted.
const PLACES: u32 = 8;

/// Number of additions of an entity to a cell within its reach during a run of `steps` steps. Each entity is added at
/// the start, and moving ones again in each step. Layers that diffuse or hold lines of sight are always computed on the
/// CPU, so they favour no executor and do not count.
fn additions(scenario: &Scenario, steps: u32) -> f64 {
    let end = f64::from(steps) * scenario.time_step;
    let cells = |entity: &Entity| entity.cells_in_reach(scenario.grid()) as f64;
    let of = |mapped: &MapEntity| {
        if mapped.patrol.is_none() {
            return cells(&mapped.entity);
        }
        let along = (0..PLACES).map(|i| cells(&mapped.at(end * f64::from(i) / f64::from(PLACES)))).sum::<f64>();
        along / f64::from(PLACES) * (1.0 + f64::from(steps))
    };
    // Agents wander, so their starting positions stand for all others.
    let carried = |group: &Group| {
        let Some(carried) = &group.carried else { return 0.0 };
        let at = |[x, y]: [f32; 2]| Entity { position: [x.into(), y.into()], ..carried.clone() };
        group.positions.iter().map(|&position| cells(&at(position))).sum::<f64>() * (1.0 + f64::from(steps))
    };
    scenario.entities.iter().map(of).sum::<f64>() + scenario.groups.iter().map(carried).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// A scenario of entities that move on a square map.
    fn scenario(side: u32, radius: u32, entities: u32) -> Scenario {
        let mut text = format!(
            "model = \"fields\"\n[grid]\nsize = [{side}, {side}]\ncell = 1\n[run]\nsteps = 100\ntime_step = 1\n\
             [profiles.p]\nform = \"linear\"\nradius = {radius}\n"
        );
        for i in 0..entities {
            let middle = side / 2;
            let _ = write!(
                text,
                "[[entities]]\nat = [{}, {middle}]\nprofile = \"p\"\npath = [[{middle}, {}]]\nspeed = 1\n",
                middle + i,
                middle + 9
            );
        }
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("scenario.toml");
        std::fs::write(&path, text).unwrap();
        Scenario::read(&path, &[]).unwrap()
    }

    #[test]
    fn scenarios_without_entities_do_not_use_devices() {
        let reason = suits_cpu(&scenario(20, 3, 0)).unwrap();
        assert!(reason.starts_with("there are no fields of entities"), "{reason}");
        assert_eq!(suits_cpu(&scenario(20, 3, 1)), None);
    }

    #[test]
    fn the_workload_counts_cells_within_reach() {
        // 50 entities in 101 states, each over about a square of 8 x 8 cells; and over most of a square of 1400 x 1400.
        let units = |side, radius| estimate(&scenario(side, radius, 50), 100).work.units;
        assert!((250_000.0..400_000.0).contains(&units(2000, 3)), "{}", units(2000, 3));
        assert!((5e9..1.1e10).contains(&units(1500, 700)), "{}", units(1500, 700));
    }
}
