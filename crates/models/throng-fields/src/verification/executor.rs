//! Operations that the cases verify, with their implementation on the CPU.

use throng_device::{Error, Executor};
use throng_fields_core::creation;
use throng_fields_core::creation::{Arithmetic, FixedPoint};
use throng_fields_core::entities::Entity;
use throng_fields_core::field::Field;
use throng_fields_core::influence::{DiffusionMap, InfluenceMap};
use throng_fields_core::layers::Combination;
use throng_fields_core::query::Best;
use throng_fields_core::routing::maps::TestMap;
use throng_fields_core::routing::{
    Body, Course, Crowd, FlowField, Ground, Scheme, Steering, TravelTimes, walk_together,
};
use throng_fields_core::sight::SightMap;
use throng_nav2::Inflation;
use throng_pictures::Grid;

use crate::DynamicField;

/// Computes the results that the cases check. Real executors use the default methods; a test replaces them with faulty
/// ones.
pub(super) trait CaseExecutor {
    fn create(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<Field, Error>;

    /// The combination of layers that are not stored; in whole steps on a device.
    fn combined(&self, grid: &Grid, entities: &[Entity], layers: &Combination) -> Result<Field, Error>;

    /// A field some of whose entities are replaced in each of several rounds.
    fn moved(&self, grid: &Grid, first: &[Entity], rounds: &[Vec<(usize, Entity)>]) -> Result<Field, Error>;

    /// An influence map after `sweeps` sweeps.
    fn spread(&self, map: InfluenceMap, sweeps: u32) -> Result<Field, Error>;

    fn travel_times(&self, scheme: Scheme, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Field, Error>;

    /// The best cell of each window.
    fn best(&self, windows: &[Grid], entities: &[Entity]) -> Result<Vec<Option<Best>>, Error>;

    /// Whether combinations are computed in whole steps.
    fn combines_whole_steps(&self) -> bool;

    // These are computed only on the CPU.

    /// A diffusion map after `time`.
    fn diffused(&self, mut map: DiffusionMap, time: f32) -> Result<Field, Error> {
        map.advance(time)?;
        Ok(map.field())
    }

    /// The field of a map of lines of sight.
    fn seen(&self, map: SightMap) -> Result<Field, Error> {
        Ok(map.field())
    }

    /// The costs of Nav2's inflation layer, row by row.
    fn inflated(&self, layer: &Inflation, costs: &[u8], columns: usize) -> Result<Vec<u8>, Error> {
        Ok(layer.inflate(costs, columns)?)
    }

    /// The positions of agents that have walked from `starts` for ten minutes or until all have arrived.
    fn walked(&self, map: &TestMap, steering: &Steering<'_>, starts: &[[f32; 2]]) -> Result<Vec<[f32; 2]>, Error> {
        let mut crowd = Crowd::new(&map.ground, starts, &vec![1.5; starts.len()])?;
        crowd.run(steering, 0.5, 1200)?;
        Ok(crowd.positions().collect())
    }

    /// The positions of two crowds whose agents have bodies of a given radius, each with its own ground, after `steps`
    /// steps of half a second, at 1.5 world units per second.
    fn two_crowds(
        &self,
        grounds: &[Ground; 2],
        starts: &[Vec<[f32; 2]>; 2],
        radius: f32,
        steps: u32,
    ) -> Result<Vec<Vec<[f32; 2]>>, Error> {
        let body = Body::new(radius)?.with_spacing(3.0 * radius)?;
        let flows = grounds.each_ref().map(|ground| FlowField::new(ground.distances()));
        let mut crowds = Vec::new();
        for (ground, starts) in grounds.iter().zip(starts) {
            crowds.push(Crowd::new(ground, starts, &vec![1.5; starts.len()])?.with_body(body));
        }
        let courses = [0, 1].map(|crowd: usize| [Course::new(&grounds[crowd], Steering::Follow(&flows[crowd]))]);
        for _ in 0..steps {
            walk_together(&mut crowds, &[&courses[0], &courses[1]], 0.5)?;
        }
        Ok(crowds.iter().map(|crowd| crowd.positions().collect()).collect())
    }

    /// The lengths, in world units, of the paths along a flow field from `starts` to the centre of the first goal cell
    /// on each path.
    fn paths(&self, flow: &FlowField, starts: &[[f64; 2]]) -> Vec<f64> {
        let length = |&start: &[f64; 2]| {
            let distance = |a: [f64; 2], b: [f64; 2]| libm::hypot(a[0] - b[0], a[1] - b[1]);
            let (mut at, mut length) = (start, 0.0);
            while let Some(next) = flow.next(at) {
                length += distance(at, next);
                at = next;
            }
            let grid = flow.grid();
            length + grid.cell_at(at).map_or(0.0, |(column, row)| distance(at, grid.point(column, row)))
        };
        starts.iter().map(length).collect()
    }
}

/// Runs the operations of the cases on the CPU.
pub(super) struct Cpu;

impl CaseExecutor for Cpu {
    fn create(&self, grid: &Grid, entities: &[Entity], fixed: Option<FixedPoint>) -> Result<Field, Error> {
        Ok(match fixed {
            None => creation::by_tiles(grid, entities)?,
            Some(fixed) => fixed.by_tiles(grid, entities)?,
        })
    }

    fn combined(&self, grid: &Grid, entities: &[Entity], layers: &Combination) -> Result<Field, Error> {
        Ok(creation::combined(grid, entities, layers)?)
    }

    fn moved(&self, grid: &Grid, first: &[Entity], rounds: &[Vec<(usize, Entity)>]) -> Result<Field, Error> {
        moved(&Executor::cpu(), grid, first, rounds)
    }

    fn spread(&self, mut map: InfluenceMap, sweeps: u32) -> Result<Field, Error> {
        map.sweep(sweeps);
        Ok(map.field())
    }

    fn travel_times(&self, scheme: Scheme, grid: &Grid, costs: &[f32], goals: &[(u32, u32)]) -> Result<Field, Error> {
        Ok(TravelTimes::by_scheme(scheme, grid, costs, goals)?.field())
    }

    fn best(&self, windows: &[Grid], entities: &[Entity]) -> Result<Vec<Option<Best>>, Error> {
        windows.iter().map(|window| Ok(creation::by_tiles(window, entities)?.best(None)?)).collect()
    }

    fn combines_whole_steps(&self) -> bool {
        false
    }
}

/// The field of entities after some of them were replaced, in several rounds.
pub(super) fn moved(
    on: &Executor,
    grid: &Grid,
    first: &[Entity],
    rounds: &[Vec<(usize, Entity)>],
) -> Result<Field, Error> {
    let mut moving =
        DynamicField::builder(*grid).entities(first.to_vec()).arithmetic(Arithmetic::Float).on(on).build()?;
    let ids = moving.ids();
    for round in rounds {
        for (i, entity) in round {
            moving.replace(ids[*i], entity.clone())?;
        }
        moving.update()?;
    }
    Ok(moving.field()?.clone())
}
