//! The fundamental diagram: speed against density, observed in square areas of the floor.

use throng_device::neighbours::Boundary;

use super::super::rules::direction::{STANDS, step_x, step_y};
use super::super::rules::grid::Grid;
use super::super::scene::LEFT;
use super::crowd::Crowd;

/// Side length of a square, space units.
const SIDE: u32 = 10;
/// Number of bins of densities.
const BINS: usize = 20;

/// Speeds by density, collected during a run.
#[derive(Debug, Default)]
pub struct Diagram {
    before: Option<(u64, Crowd)>,
    bins: [Bin; BINS],
}

/// Observations in squares of similar density.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    observations: u64,
    density: f64,
    /// Sum of densities times speeds.
    flow: f64,
}

/// A point of the diagram.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiagramRow {
    /// Mean density, pedestrians per free space unit.
    pub density: f64,
    /// Mean speed along the desired directions, space units per tick.
    pub speed: f64,
    /// Number of observations: squares times intervals.
    pub observations: u64,
}

/// A square of the floor in one interval.
#[derive(Debug, Clone, Copy, Default)]
struct Square {
    free: u32,
    persons: u32,
    /// Pedestrians of the square that have not left the world since.
    stayed: u32,
    /// Sum of their distances along the desired directions, space units.
    ahead: f64,
}

impl Diagram {
    /// Observes the state after a tick. The density counts all pedestrians of the previous state; the speed is the mean
    /// over those still in the world, since the distance of the others is unknown.
    pub fn see(&mut self, step: u64, crowd: &Crowd) {
        if let Some((since, before)) = self.before.replace((step, crowd.clone())) {
            let ticks = (step - since) as f64;
            for square in squares(&before, crowd).into_iter().filter(|square| square.stayed > 0) {
                let density = f64::from(square.persons) / f64::from(square.free.max(1));
                let bin = &mut self.bins[((density * BINS as f64) as usize).min(BINS - 1)];
                bin.observations += 1;
                bin.density += density;
                bin.flow += density * square.ahead / f64::from(square.stayed) / ticks;
            }
        }
    }

    /// Returns the diagram: a row per bin with observations.
    pub fn bins(&self) -> Vec<DiagramRow> {
        let row = |bin: &Bin| DiagramRow {
            density: bin.density / bin.observations as f64,
            speed: bin.flow / bin.density,
            observations: bin.observations,
        };
        self.bins.iter().filter(|bin| bin.observations > 0).map(row).collect()
    }
}

fn squares(before: &Crowd, after: &Crowd) -> Vec<Square> {
    let world = &before.prepared.world;
    let grid = world.grid();
    let columns = grid.width.div_ceil(SIDE);
    let mut squares = vec![Square::default(); (columns * grid.height.div_ceil(SIDE)) as usize];
    let square = |unit: u32| {
        let [x, y] = grid.place(unit).map(|at| at as u32 / SIDE);
        (y * columns + x) as usize
    };
    for unit in (0..grid.units() as u32).filter(|&unit| !world.is_wall(unit)) {
        squares[square(unit)].free += 1;
    }
    let (from, to) = (&before.pedestrians, &after.pedestrians);
    for i in (0..from.len()).filter(|&i| from.at[i] < LEFT) {
        let square = &mut squares[square(from.at[i])];
        square.persons += 1;
        if to.at[i] < LEFT {
            square.stayed += 1;
            if from.heading[i] != STANDS {
                // Of the centre: a body that changes its size keeps one of its ends.
                let grown = [0, 1].map(|axis| (f64::from(to.body(i)[axis]) - f64::from(from.body(i)[axis])) / 2.0);
                square.ahead += ahead(grid, from.at[i], to.at[i], from.heading[i].into(), grown);
            }
        }
    }
    squares
}

/// Returns the distance from one space unit to another, plus `added`, along a heading, by the shorter way in a periodic
/// world.
fn ahead(grid: &Grid, from: u32, to: u32, heading: u32, added: [f64; 2]) -> f64 {
    let ([from_x, from_y], [to_x, to_y]) = (grid.place(from), grid.place(to));
    let offset = |from: i32, to: i32, side: u32| {
        let side = side as i32;
        match grid.boundary {
            Boundary::Closed => to - from,
            Boundary::Periodic => (to - from + side / 2).rem_euclid(side) - side / 2,
        }
    };
    let [x, y] = [offset(from_x, to_x, grid.width), offset(from_y, to_y, grid.height)].map(f64::from);
    let (x, y) = (x + added[0], y + added[1]);
    let [along_x, along_y] = [step_x(heading), step_y(heading)].map(f64::from);
    (x * along_x + y * along_y) / libm::sqrt(along_x * along_x + along_y * along_y)
}

#[cfg(test)]
mod tests {
    use throng_model::StepModel as _;

    use super::super::SocialFieldModel;
    use super::super::scenario::{Group, Place, Scenario};
    use super::*;

    /// One of three pedestrians in a square leaves: the density counts all three, the speed only the other two.
    #[test]
    fn leaving_pedestrians_count_in_the_density_but_not_in_the_speed() {
        let exit = Place { name: "exit".to_owned(), at_su: [9, 0], size_su: [1, 1] };
        let scenario = Scenario {
            width_su: 10,
            height_su: 10,
            border: throng_model::scenario_file::Border::Closed,
            exits: vec![exit],
            groups: vec![Group { persons: Some(4), ..Group::default() }],
            ..Scenario::default()
        };
        let mut before = SocialFieldModel::start(&scenario).unwrap();
        before.pedestrians.at = vec![8, 4, 20, LEFT];
        before.pedestrians.heading = vec![0, 0, 2, STANDS];
        let mut after = before.clone();
        // One moves three space units east in four ticks, one stays.
        after.pedestrians.at = vec![LEFT, 7, 20, LEFT];
        let mut diagram = Diagram::default();
        diagram.see(0, &before);
        diagram.see(4, &after);
        let [row] = diagram.bins()[..] else { panic!("expected one square") };
        assert_eq!((row.observations, row.density), (1, 0.03));
        assert!((row.speed - 3.0 / 2.0 / 4.0).abs() < 1e-12, "{row:?}");
        // A square that all have left contributes no speed.
        before.pedestrians.at = vec![8, LEFT, LEFT, LEFT];
        after.pedestrians.at = vec![LEFT; 4];
        let mut empty = Diagram::default();
        empty.see(0, &before);
        empty.see(4, &after);
        assert_eq!(empty.bins(), []);
    }

    #[test]
    fn distances_along_headings() {
        let grid = Grid { width: 30, height: 20, boundary: Boundary::Periodic };
        assert_eq!(ahead(&grid, 28, 2, 0, [0.0; 2]), 4.0);
        assert_eq!(ahead(&grid, 28, 2, 4, [0.0; 2]), -4.0);
        assert_eq!(ahead(&grid, 0, 30, 0, [0.0; 2]), 0.0);
        assert!((ahead(&grid, 0, 2 * 30 + 2, 1, [0.0; 2]) - 8.0f64.sqrt()).abs() < 1e-12);
        let closed = Grid { boundary: Boundary::Closed, ..grid };
        assert_eq!(ahead(&closed, 28, 2, 0, [0.0; 2]), -26.0);
        // A body that grows by a column in the east has its middle farther ahead only if it walks there.
        assert_eq!([0, 4].map(|heading| ahead(&grid, 28, 28, heading, [0.5, 0.0])), [0.5, -0.5]);
    }
}
