//! Verification cases: with every cache, stored fields follow the paper and the rules.

use throng_core::{Finding, InputError, VerificationCase as Case};
use throng_device::neighbours::Boundary;
use throng_device::{Device, with_kernels};
use throng_model::Failure;
use throng_pedestrians::rules::grid::Grid;
use throng_pedestrians::{FieldParameters, FieldTables, Flow, Pedestrians, Reference, SectorMap, Start, Sums, World};

use super::caching::Caching;
use super::fan_out::hits;
use super::program::StoredFields;
use crate::experiment::Trial;

const SEED: u64 = 3;

/// A crowd before its first tick, and the number of ticks to make.
struct Scene {
    world: World,
    tables: FieldTables,
    pedestrians: Pedestrians,
    ticks: u32,
}

/// The state of a crowd after these ticks.
#[derive(Debug, Clone, PartialEq)]
struct Outcome {
    pedestrians: Pedestrians,
    /// Sums that pedestrians with heading 0 read in each space unit.
    sums: Vec<Sums>,
    /// Number of pedestrians that moved in the last tick.
    moved: usize,
}

/// Makes the ticks of a scene with a cache.
type Program<'a> = dyn Fn(&Scene, Caching) -> Result<Outcome, InputError> + 'a;

pub(super) const CASES: [Case<Trial>; 5] = [
    Case::new(
        "strengths of figure 2",
        Trial::OnCpu(|| Ok(strengths_of_figure_2(&stored_fields)?)),
        "strengths of a lone pedestrian after a step: 1.00, 0.71 and 0.58 on rings 1, 2 and 3, as in the paper, with \
         every cache",
    ),
    Case::new(
        "stored or recomputed",
        Trial::OnCpu(|| Ok(stored_or_computed(&stored_fields)?)),
        "after 12 ticks of 330 dense pedestrians in two and in eight directions, positions and sums of strengths equal \
         the results of the model's definition, with every cache",
    ),
    Case::new(
        "straight ahead on a ring",
        Trial::OnCpu(|| Ok(straight_on_a_ring(&stored_fields)?)),
        "pedestrians that only go straight ahead follow traffic rule 184: on rings of 40 space units with N = 10, 20 and \
         30 of them, min(N, 40 - N) move in a tick, with every cache",
    ),
    Case::new(
        "the paper's fan-outs",
        Trial::OnCpu(|| Ok(fan_outs(&SectorMap::fan_out))),
        "matches with tables I and II, for sectors of the nearest directions: 19 of 36 and 0 of 6, as counted by \
         another program; with the sectors of figure 3, the fan-out of 7 x 7 is 6",
    ),
    Case::new(
        "Yu's device programs",
        Trial::OnDevice(on_device),
        "with atomic additions, the one-step cache, 2, 4, 8 and 16 partial sums, and as the paper's first and second \
         program, positions and times after 12 ticks and all \
         stored numbers equal the results of the definition, in two and in eight directions",
    ),
];

/// Runs the paper's program on one thread.
fn stored_fields(scene: &Scene, caching: Caching) -> Result<Outcome, InputError> {
    let Scene { world, tables, pedestrians, ticks } = scene;
    let mut program = StoredFields::new(world.clone(), tables, pedestrians.clone(), SEED, 0, caching)?;
    let moved = (0..*ticks).map(|_| program.step()).last().unwrap_or_default();
    let sums = (0..world.grid().units() as u32).map(|unit| program.sums(unit, 0)).collect();
    Ok(Outcome { pedestrians: program.pedestrians().clone(), sums, moved })
}

fn periodic(width: u32, height: u32) -> Result<World, InputError> {
    World::without_walls(Grid { width, height, boundary: Boundary::Periodic })
}

/// Joins the descriptions of the results with all caches; equal consecutive descriptions appear once.
fn with_every_cache(text: impl Fn(Caching) -> Result<String, InputError>) -> Result<String, InputError> {
    let mut texts = Caching::ALL.into_iter().map(text).collect::<Result<Vec<_>, _>>()?;
    texts.dedup();
    Ok(texts.join("; "))
}

fn strengths_of_figure_2(program: &Program<'_>) -> Result<Finding, InputError> {
    let world = periodic(20, 15)?;
    let pedestrians =
        Pedestrians { at: vec![7 * 20 + 5], heading: vec![0], period: vec![1], due: vec![0], ..Pedestrians::default() };
    let scene = Scene { world, tables: FieldTables::new(&FieldParameters::default())?, pedestrians, ticks: 1 };
    let found = with_every_cache(|caching| {
        let sums = program(&scene, caching)?.sums;
        // Offsets are relative to the space unit that the pedestrian has entered.
        let of = |x: usize, y: usize| sums[(7 + y) * 20 + 6 + x].crowd.iter().sum::<i32>();
        let strengths = [of(1, 0), of(1, 2), of(3, 3)].map(|strength| f64::from(strength) / 65_536.0);
        Ok(strengths.map(|strength| format!("{strength:.2}")).join(", "))
    })?;
    Ok(Finding::same("1.00, 0.71, 0.58", &found))
}

fn dense(flow: Flow, [width, height]: [u32; 2]) -> Result<Scene, InputError> {
    let world = periodic(width, height)?;
    let pedestrians = Start { density: 0.5, flow, periods: &[1], seed: SEED }.pedestrians(&world)?;
    Ok(Scene { world, tables: FieldTables::new(&FieldParameters::default())?, pedestrians, ticks: 12 })
}

/// Runs the definition of the model for the ticks of a scene.
fn reference(scene: &Scene) -> Result<Reference, InputError> {
    let Scene { world, tables, pedestrians, ticks } = scene;
    let mut reference = Reference::new(world.clone(), tables.clone(), pedestrians.clone(), SEED, 0)?;
    (0..*ticks).for_each(|_| {
        reference.step();
    });
    Ok(reference)
}

fn stored_or_computed(program: &Program<'_>) -> Result<Finding, InputError> {
    let mut differ = 0;
    for flow in [Flow::Bi, Flow::Eight] {
        let scene = dense(flow, [30, 22])?;
        let reference = reference(&scene)?;
        for caching in Caching::ALL {
            let found = program(&scene, caching)?;
            let positions = found.pedestrians.at.iter().zip(&reference.pedestrians().at);
            differ += positions.filter(|(found, expected)| found != expected).count();
            let sums = found.sums.iter().zip(0..).filter(|&(found, unit)| *found != read(reference.sums(unit, 0)));
            differ += sums.count();
        }
    }
    Ok(Finding::no_difference("positions and sums", differ))
}

/// Keeps the sums that pedestrians with heading 0 read.
fn read(mut sums: Sums) -> Sums {
    // Clears directions beyond 45° for DA, and beyond 90° for DR.
    sums.same[2..7].fill(0);
    sums.oncoming[3..6].fill(0);
    sums
}

fn straight_on_a_ring(program: &Program<'_>) -> Result<Finding, InputError> {
    const RING: u32 = 40;
    const ROWS: u32 = 3;
    let parameters = FieldParameters {
        size: 3,
        crowd_weight: 0.0,
        same_weight: 0.0,
        oncoming_weight: 0.0,
        // The directions half left and half right score 0.71.
        threshold: 0.9,
        ..FieldParameters::default()
    };
    let of = |number: u32, caching| {
        let at: Vec<u32> = (0..ROWS).flat_map(|row| (0..number).map(move |column| row * RING + column)).collect();
        let all = |value| vec![value; at.len()];
        let pedestrians =
            Pedestrians { heading: vec![0; at.len()], period: all(1), due: all(0), at, ..Pedestrians::default() };
        let (world, tables) = (periodic(RING, ROWS)?, FieldTables::new(&parameters)?);
        let moved = program(&Scene { world, tables, pedestrians, ticks: 60 }, caching)?.moved;
        Ok((moved as f64 / f64::from(ROWS)).to_string())
    };
    let numbers = [10, 20, 30];
    let found = with_every_cache(|caching| {
        let found = numbers.into_iter().map(|number| of(number, caching)).collect::<Result<Vec<_>, InputError>>()?;
        Ok(found.join(", "))
    })?;
    Ok(Finding::same("10, 20, 10", &found))
}

fn fan_outs(fan_out: &dyn Fn(SectorMap, u32, u32) -> u32) -> Finding {
    let hits = hits(|columns, rows| fan_out(SectorMap::Exact45, columns, rows));
    let of_figure_3 = fan_out(SectorMap::Seed7, 7, 7);
    Finding::same("19, 0; 6", &format!("{}, {}; {of_figure_3}", hits.table_1, hits.table_2))
}

fn on_device(device: &Device) -> Result<Finding, Failure> {
    let differ = with_kernels!("throng-papers", device, |device| differing(device));
    differ.map(|differ| Finding::no_difference("values", differ))
}

#[cfg(feature = "gpu")]
fn differing(device: &Device) -> Result<usize, Failure> {
    use super::device::DeviceStoredFields;
    use super::techniques::{Techniques, Variant};

    let mut differ = 0;
    for flow in [Flow::Bi, Flow::Eight] {
        let scene = dense(flow, [50, 44])?;
        let reference = reference(&scene)?;
        let expected = reference.pedestrians();
        let [first, second] = [(Caching::OneStep, Techniques::FIRST), (Caching::MultiStep(4), Techniques::ALL)]
            .map(|(caching, techniques)| Variant { caching, techniques });
        for variant in Caching::ALL.map(Variant::from).into_iter().chain([first, second]) {
            let Scene { world, tables, pedestrians, ticks } = &scene;
            let mut program = DeviceStoredFields::new(device, world, tables, pedestrians, SEED, 0, variant)?;
            for _ in 0..*ticks {
                program.step(device)?;
            }
            let found = program.pedestrians(device)?;
            differ += [(found.at, &expected.at), (found.due, &expected.due)]
                .into_iter()
                .flat_map(|(found, expected)| found.into_iter().zip(expected))
                .filter(|(found, expected)| found != *expected)
                .count();
            let fields = program.fields(device)?;
            differ += program
                .numbers()
                .differing(&fields, world.grid().units() as u32, |unit, heading| reference.sums(unit, heading));
        }
    }
    Ok(differ)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::LazyLock;

    use super::*;

    type Check = fn(&Program<'_>) -> Result<Finding, InputError>;

    const CHECKS: [(&str, Check); 3] = [
        ("figure 2", strengths_of_figure_2),
        ("stored or computed", stored_or_computed),
        ("straight on a ring", straight_on_a_ring),
    ];

    /// The correct outcomes of all scenes that a case requests, in order, and the finding of the case.
    static RIGHT: LazyLock<Vec<(Vec<Outcome>, Finding)>> = LazyLock::new(|| {
        let recorded = |(_, check): &(&str, Check)| {
            let outcomes = RefCell::new(Vec::new());
            let finding = check(&|scene, caching| {
                let outcome = stored_fields(scene, caching)?;
                outcomes.borrow_mut().push(outcome.clone());
                Ok(outcome)
            });
            (outcomes.into_inner(), finding.unwrap())
        };
        CHECKS.iter().map(recorded).collect()
    });

    /// Asserts that each case fails if `mutate` changes the outcomes.
    fn each_case_fails_with(name: &str, mutate: &dyn Fn(Caching, &mut Outcome)) {
        for ((case, check), (outcomes, _)) in CHECKS.iter().zip(&*RIGHT) {
            let next = RefCell::new(outcomes.iter());
            let finding = check(&|_, caching| {
                let mut outcome = next.borrow_mut().next().expect("cases request the same scenes each time").clone();
                mutate(caching, &mut outcome);
                Ok(outcome)
            });
            assert!(!finding.unwrap().holds, "{case}, {name}");
        }
    }

    fn shift(outcome: &mut Outcome) {
        outcome.sums.rotate_right(1);
        outcome.moved += 1;
    }

    #[test]
    fn all_cases_hold() {
        for ((case, _), (_, finding)) in CHECKS.iter().zip(&*RIGHT) {
            assert!(finding.holds, "{case}: {finding:?}");
        }
        assert!(fan_outs(&SectorMap::fan_out).holds);
    }

    #[test]
    fn each_case_fails_on_programs_that_do_nothing_or_double_or_shift_everything() {
        let nothing: &Program<'_> = &|scene, caching| {
            let Scene { world, tables, pedestrians, .. } = scene;
            let (world, tables, pedestrians) = (world.clone(), tables.clone(), pedestrians.clone());
            stored_fields(&Scene { world, tables, pedestrians, ticks: 0 }, caching)
        };
        for (case, check) in CHECKS {
            assert!(!check(nothing).unwrap().holds, "{case}, no tick");
        }
        each_case_fails_with("doubled", &|_, outcome| {
            for sums in &mut outcome.sums {
                sums.crowd.iter_mut().for_each(|sum| *sum *= 2);
            }
            outcome.moved *= 2;
        });
        each_case_fails_with("shifted", &|_, outcome| shift(outcome));
        assert!(!fan_outs(&|map, columns, rows| map.fan_out(columns, rows) + 1).holds);
    }

    /// A fault in a single cache is also found.
    #[test]
    fn each_case_fails_if_one_cache_is_wrong() {
        for wrong in Caching::ALL {
            each_case_fails_with(&wrong.to_string(), &|caching, outcome| {
                if caching == wrong {
                    shift(outcome);
                }
            });
        }
    }
}
