//! Faulty executors: each fault must make every case fail.

use throng_device::Error;
use throng_fields_core::Metric;
use throng_fields_core::creation::FixedPoint;
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::influence::{DiffusionMap, InfluenceMap};
use throng_fields_core::layers::Combination;
use throng_fields_core::query::Best;
use throng_fields_core::routing::maps::TestMap;
use throng_fields_core::routing::{FlowField, Ground, Scheme, Steering};
use throng_fields_core::sight::SightMap;
use throng_nav2::Inflation;
use throng_pictures::Grid;

use super::executor::{CaseExecutor, Cpu};
use super::{CASES, Check};

/// The fault of an executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Returns the initial state: zeros, costs without inflation, agents at their starts.
    DoesNothing,
    /// Doubles all values.
    Doubles,
    /// Shifts each value one cell to the right; one agent does not walk.
    OffByOne,
}

impl Fault {
    fn of<T: Copy>(self, nothing: T, twice: T, beside: T) -> T {
        match self {
            Self::DoesNothing => nothing,
            Self::Doubles => twice,
            Self::OffByOne => beside,
        }
    }

    fn field(self, field: &Field) -> Field {
        let columns = field.grid().columns() as usize;
        let values = field.values();
        let beside = |cell: usize| if cell.is_multiple_of(columns) { 0.0 } else { values[cell - 1] };
        let wrong = values.iter().enumerate().map(|(cell, &value)| self.of(0.0, 2.0 * value, beside(cell)));
        Field::new(*field.grid(), wrong.collect())
    }
}

/// The CPU executor with a fault.
struct Mutant(Fault);

impl CaseExecutor for Mutant {
    fn create(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<Field, Error> {
        Ok(self.0.field(&Cpu.create(grid, entities, fixed)?))
    }

    fn combined(&self, grid: &Grid, entities: &[Entity], layers: &Combination) -> Result<Field, Error> {
        Ok(self.0.field(&Cpu.combined(grid, entities, layers)?))
    }

    fn moved(&self, grid: &Grid, first: &[Entity], rounds: &[Vec<(usize, Entity)>]) -> Result<Field, Error> {
        Ok(self.0.field(&Cpu.moved(grid, first, rounds)?))
    }

    fn spread(&self, map: InfluenceMap, sweeps: u32) -> Result<Field, Error> {
        Ok(self.0.field(&Cpu.spread(map, sweeps)?))
    }

    fn travel_times(&self, scheme: Scheme, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Field, Error> {
        Ok(self.0.field(&Cpu.travel_times(scheme, grid, costs, goals)?))
    }

    fn best(&self, windows: &[Grid], entities: &[Entity]) -> Result<Vec<Option<Best>>, Error> {
        let wrong = |best: Best| match self.0 {
            Fault::DoesNothing => None,
            Fault::Doubles => Some(Best { value: 2.0 * best.value, ..best }),
            Fault::OffByOne => Some(Best { column: best.column + 1, ..best }),
        };
        Ok(Cpu.best(windows, entities)?.into_iter().map(|best| best.and_then(wrong)).collect())
    }

    fn combines_whole_steps(&self) -> bool {
        false
    }

    fn diffused(&self, map: DiffusionMap, time: f32) -> Result<Field, Error> {
        Ok(self.0.field(&Cpu.diffused(map, time)?))
    }

    fn seen(&self, map: SightMap) -> Result<Field, Error> {
        Ok(self.0.field(&Cpu.seen(map)?))
    }

    fn inflated(&self, layer: &Inflation, costs: &[u8], columns: usize) -> Result<Vec<u8>, Error> {
        let right = Cpu.inflated(layer, costs, columns)?;
        let wrong = |cell: usize| {
            let beside = if cell == 0 { 0 } else { right[cell - 1] };
            self.0.of(costs[cell], right[cell].saturating_mul(2), beside)
        };
        Ok((0..right.len()).map(wrong).collect())
    }

    fn walked(&self, map: &TestMap, steering: &Steering<'_>, starts: &[[f32; 2]]) -> Result<Vec<[f32; 2]>, Error> {
        let right = Cpu.walked(map, steering, starts)?;
        let wrong = |agent: usize| {
            let idle = if agent == 0 { starts[0] } else { right[agent] };
            self.0.of(starts[agent], right[agent].map(|at| 2.0 * at), idle)
        };
        Ok((0..right.len()).map(wrong).collect())
    }

    fn two_crowds(
        &self,
        grounds: &[Ground; 2],
        starts: &[Vec<[f32; 2]>; 2],
        radius: f32,
        steps: u32,
    ) -> Result<Vec<Vec<[f32; 2]>>, Error> {
        let right = Cpu.two_crowds(grounds, starts, radius, steps)?;
        let wrong = |crowd: usize, agent: usize| {
            let (start, end) = (starts[crowd][agent], right[crowd][agent]);
            self.0.of(start, end.map(|at| 2.0 * at), if (crowd, agent) == (0, 0) { start } else { end })
        };
        Ok((0..2).map(|crowd| (0..starts[crowd].len()).map(|agent| wrong(crowd, agent)).collect()).collect())
    }

    fn paths(&self, flow: &FlowField, starts: &[[f64; 2]]) -> Vec<f64> {
        let right = Cpu.paths(flow, starts);
        let wrong = |path: usize| self.0.of(0.0, 2.0 * right[path], if path == 0 { 0.0 } else { right[path - 1] });
        (0..right.len()).map(wrong).collect()
    }
}

/// The CPU executor with Euclidean distances in every metric.
struct AlwaysEuclidean;

impl AlwaysEuclidean {
    fn euclidean(entities: &[Entity]) -> Vec<Entity> {
        entities.iter().map(|entity| entity.clone().with_metric(Metric::Euclidean)).collect()
    }
}

impl CaseExecutor for AlwaysEuclidean {
    fn create(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<Field, Error> {
        Cpu.create(grid, &Self::euclidean(entities), fixed)
    }

    fn combined(&self, grid: &Grid, entities: &[Entity], layers: &Combination) -> Result<Field, Error> {
        Cpu.combined(grid, &Self::euclidean(entities), layers)
    }

    fn moved(&self, grid: &Grid, first: &[Entity], rounds: &[Vec<(usize, Entity)>]) -> Result<Field, Error> {
        let euclidean = |(i, entity): &(usize, Entity)| (*i, entity.clone().with_metric(Metric::Euclidean));
        let rounds: Vec<Vec<_>> = rounds.iter().map(|round| round.iter().map(euclidean).collect()).collect();
        Cpu.moved(grid, &Self::euclidean(first), &rounds)
    }

    fn spread(&self, map: InfluenceMap, sweeps: u32) -> Result<Field, Error> {
        Cpu.spread(map, sweeps)
    }

    fn travel_times(&self, scheme: Scheme, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Field, Error> {
        let euclidean = matches!(scheme, Scheme::Euclidean(_)).then_some(scheme);
        Cpu.travel_times(euclidean.unwrap_or_default(), grid, costs, goals)
    }

    fn best(&self, windows: &[Grid], entities: &[Entity]) -> Result<Vec<Option<Best>>, Error> {
        Cpu.best(windows, &Self::euclidean(entities))
    }

    fn combines_whole_steps(&self) -> bool {
        Cpu.combines_whole_steps()
    }
}

const FAULTS: [(&str, Option<Fault>); 4] = [
    ("does nothing", Some(Fault::DoesNothing)),
    ("doubles", Some(Fault::Doubles)),
    ("off by one", Some(Fault::OffByOne)),
    ("always Euclidean", None),
];

/// The cases that must detect Euclidean distances in other metrics.
const IN_METRICS: [&str; 4] = [
    "every metric has its distance",
    "pyramids have their volumes",
    "travel times in other metrics",
    "travel times through a city",
];

#[test]
fn every_case_detects_missing_doubled_and_shifted_results() {
    let faults = FAULTS.map(|(name, _)| name);
    let of_case = |name: &str| if IN_METRICS.contains(&name) { &faults[3..] } else { &[] };
    let listed: Vec<(&str, &[&str])> = CASES.iter().map(|case| (case.name, of_case(case.name))).collect();
    throng_testing::assert_detects(&faults, &faults[..3], &listed, |case, fault| {
        let (Check::Everywhere(check) | Check::Cpu(check) | Check::Device(check)) = CASES[case].check;
        let found = match fault.map(|fault| FAULTS[fault].1) {
            Some(Some(fault)) => check(&Mutant(fault)),
            Some(None) => check(&AlwaysEuclidean),
            None => check(&Cpu),
        };
        CASES[case].verified(found).outcome()
    });
}
