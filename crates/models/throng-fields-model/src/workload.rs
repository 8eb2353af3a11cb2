//! The amount of work for the fields of a run, and whether a device is worthwhile.

use throng_fields_core::Entity;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::entities::MapEntity;
use throng_fields_scenario::groups::Group;
use throng_output::html::grouped;

/// Minimum number of additions of an entity to a cell. With fewer, a run on the CPU ends before a device has started.
const WORTH_A_DEVICE: f64 = 2e9;

/// The reason why the CPU should compute the fields if the choice is automatic; `None` if there is none.
pub(crate) fn suits_cpu(scenario: &Scenario, steps: u32) -> Option<String> {
    let work = work(scenario, steps);
    if work == 0.0 {
        return Some("there are no fields of entities for a device to compute".to_owned());
    }
    (work < WORTH_A_DEVICE).then(|| {
        format!(
            "entities reach {} cells in all steps together, which takes less time than starting a GPU",
            grouped(work, 0)
        )
    })
}

/// Number of positions along the path of an entity at which the cells within its reach are counted.
const PLACES: u32 = 8;

/// Number of additions of an entity to a cell within its reach during a run of `steps` steps. Each entity is added at
/// the start, and moving ones again in each step.
fn work(scenario: &Scenario, steps: u32) -> f64 {
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

    /// The reason for choosing the CPU with 50 entities that move on a square map.
    fn reason(side: u32, radius: u32) -> Option<String> {
        reason_with(side, radius, 50)
    }

    fn reason_with(side: u32, radius: u32, entities: u32) -> Option<String> {
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
        suits_cpu(&Scenario::read(&path, &[]).unwrap(), 100)
    }

    #[test]
    fn scenarios_without_entities_do_not_use_devices() {
        let reason = reason_with(20, 3, 0).unwrap();
        assert!(reason.starts_with("there are no fields of entities"), "{reason}");
    }

    #[test]
    fn the_workload_counts_cells_within_reach() {
        // Additions: 2e10 if all cells of the map counted, and 1e10 in the second case.
        let reason_for_small = reason(2000, 3).unwrap();
        assert!(reason_for_small.contains("than starting a GPU"), "{reason_for_small}");
        assert_eq!(reason(1500, 700), None);
    }
}
