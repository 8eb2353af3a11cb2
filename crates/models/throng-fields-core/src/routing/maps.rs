//! Maps for the comparison of steering methods, from 16 to 8192 cells wide. Cells have a side of 1 world unit, and the
//! first cell has its corner at (0, 0). Agents start on the left; the goal is on the right.

use throng_core::{InputError, Philox};
use throng_pictures::grid::NEIGHBOURS;
use throng_pictures::{Grid, Mask};

use super::ground::Ground;
use super::purpose;
use crate::creation;
use crate::entities::Entity;
use crate::field::Field;
use crate::profile::Profile;

/// A map with a start area.
///
/// ```
/// use throng_fields_core::routing::{Crowd, FlowField, Steering, maps};
///
/// let map = maps::city(64)?;
/// let starts = map.scatter(20, 7);
/// assert!(starts.iter().all(|&at| map.ground.grid().cell_at(at).is_some_and(|(x, y)| map.starts.allows(x, y))));
/// // On every map a path leads from each start to the goal.
/// let flow = FlowField::new(map.ground.distances());
/// let mut crowd = Crowd::new(&map.ground, &starts, &[1.0; 20])?;
/// crowd.run(&Steering::Follow(&flow), 1.0, 200)?;
/// assert!(crowd.arrivals().all(|arrival| arrival.is_some()));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TestMap {
    /// Open cells and goals.
    pub ground: Ground,
    /// The cells in which agents start: open cells that are not goals.
    pub starts: Mask,
}

/// Permitted side lengths of a map, in cells.
const SIDES: std::ops::RangeInclusive<u32> = 16..=8192;
/// Width of a street in a city, in cells; `BLOCK` is the width of a street plus a block.
const STREET: u32 = 4;
const BLOCK: u32 = 12;
/// Side length of a room in a maze, including one of its walls, in cells.
const ROOM: u32 = 4;

/// A square without walls.
///
/// ```
/// use throng_fields_core::routing::maps;
///
/// let map = maps::empty(64)?;
/// assert_eq!(map.ground.open().cells().count(), 64 * 64);
/// // Straight ahead to the first of three columns of goals.
/// assert_eq!(map.ground.distances().at(0, 32), Some(60.0));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// As for every map: when its side is not from 16 to 8192 cells, or the system has too little memory.
pub fn empty(side: u32) -> Result<TestMap, InputError> {
    let middle = side / 4..side - side / 4;
    let starts = |column, row| column < side / 8 && middle.contains(&row);
    TestMap::new(side, |_, _| true, starts, |column, row| behind(side, column, row))
}

/// A U-shaped wall that is open to the left. Agents start inside it, and the goal is behind it.
///
/// ```
/// use throng_fields_core::routing::{FlowField, maps};
///
/// let map = maps::u_trap(64)?;
/// // The goal is on the right, and the path there begins to the left.
/// assert!(FlowField::new(map.ground.distances()).next([38.5, 32.5]).is_some_and(|[x, _]| x < 38.0));
/// assert!(map.ground.distances().at(38, 32) > maps::empty(64)?.ground.distances().at(0, 32));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// As for [`empty`].
pub fn u_trap(side: u32) -> Result<TestMap, InputError> {
    check(side)?;
    let (left, right, low, high) = (side / 5, side * 5 / 8, side / 5, side - 1 - side / 5);
    let wall = |column, row| {
        let back = column == right && (low..=high).contains(&row);
        let arms = (left..=right).contains(&column) && (row == low || row == high);
        back || arms
    };
    let starts = |column, row| column > left && column < right && row > low && row < high;
    TestMap::new(side, |column, row| !wall(column, row), starts, |column, row| behind(side, column, row))
}

/// A maze of rooms of 3 x 3 cells with exactly one path from each room to every other room. Agents start in the first
/// room, and the last one is the goal.
///
/// ```
/// use throng_fields_core::routing::maps;
///
/// let open = |seed| Ok::<_, throng_fields_core::InputError>(maps::maze(64, seed)?.ground.open().clone());
/// let maze = open(1)?;
/// // 15 x 15 rooms of nine cells, and a door of three cells to each room but the first.
/// assert_eq!(maze.cells().count(), 225 * 9 + 224 * 3);
/// assert!(maze == open(1)? && maze != open(2)?);
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// As for [`empty`].
pub fn maze(side: u32, seed: u64) -> Result<TestMap, InputError> {
    check(side)?;
    let rooms = (side - 1) / ROOM;
    let doors = doors(rooms, seed);
    let open = |column: u32, row: u32| {
        let room = (column / ROOM, row / ROOM);
        if room.0 >= rooms || room.1 >= rooms {
            return false;
        }
        let [to_left, down] = doors[(room.1 * rooms + room.0) as usize];
        match (column % ROOM, row % ROOM) {
            (0, 0) => false,
            (0, _) => to_left,
            (_, 0) => down,
            _ => true,
        }
    };
    let room = |column: u32, row: u32, number| open(column, row) && (column / ROOM, row / ROOM) == (number, number);
    TestMap::new(side, open, |column, row| room(column, row, 0), |column, row| room(column, row, rooms - 1))
}

/// A city: streets 4 cells wide around blocks of 8 x 8 cells; every fifth block has a courtyard that is open to the
/// left. Agents start at the first crossing, and the last one is the goal.
///
/// ```
/// use throng_fields_core::routing::maps;
///
/// let map = maps::city(40)?;
/// let open = |column, row| map.ground.open().allows(column, row);
/// // A street, a block, and the first block, which has a courtyard with an entrance only on the left.
/// assert_eq!((open(13, 30), open(20, 8)), (true, false));
/// assert_eq!((open(4, 7), open(10, 7), open(11, 7), open(7, 11)), (true, true, false, false));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
///
/// # Errors
/// As for [`empty`].
pub fn city(side: u32) -> Result<TestMap, InputError> {
    let wall = |column: u32, row: u32| {
        let (x, y) = (column % BLOCK, row % BLOCK);
        let block = x >= STREET && y >= STREET;
        let yard =
            (column / BLOCK + 2 * (row / BLOCK)).is_multiple_of(5) && x < BLOCK - 1 && y > STREET && y < BLOCK - 1;
        block && !yard
    };
    let last = side.saturating_sub(STREET) / BLOCK;
    let crossing = |column: u32, row: u32, number: u32| {
        let along = |at: u32| at / BLOCK == number && at % BLOCK < STREET;
        along(column) && along(row)
    };
    TestMap::new(
        side,
        |column, row| !wall(column, row),
        |column, row| crossing(column, row, 0),
        |column, row| crossing(column, row, last),
    )
}

impl TestMap {
    fn new(
        side: u32,
        open: impl Fn(u32, u32) -> bool,
        starts: impl Fn(u32, u32) -> bool,
        goals: impl Fn(u32, u32) -> bool,
    ) -> Result<Self, InputError> {
        check(side)?;
        let grid = Grid::new([0.0, 0.0], 1.0, side, side)?;
        let ground = Ground::new(&grid, Mask::new(&grid, open), Mask::new(&grid, goals))?;
        Ok(Self { ground, starts: Mask::new(&grid, starts) })
    }

    /// Returns random positions of agents, evenly distributed over the start area.
    pub fn scatter(&self, agents: u32, seed: u64) -> Vec<[f32; 2]> {
        let draws = Philox::new(seed);
        let cells: Vec<(u32, u32)> = self.starts.cells().collect();
        let place = |agent: u32| {
            let (column, row) = cells[draws.below(cells.len() as u32, agent, 0, purpose::START, 0) as usize];
            let within = |index| (draws.unit(agent, 0, purpose::START, index) * 0.999) as f32;
            [column as f32 + within(1), row as f32 + within(2)]
        };
        (0..agents).map(place).collect()
    }

    /// A potential field that falls by 1 per world unit of distance from the centre of the goals, regardless of walls,
    /// and is above 0 everywhere.
    ///
    /// # Errors
    /// When the system has too little memory.
    pub fn attraction(&self) -> Result<Field, InputError> {
        let grid = self.ground.grid();
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for (column, row) in self.ground.goals().cells() {
            let [x, y] = grid.point(column, row);
            sum = [sum[0] + x, sum[1] + y];
            count += 1.0;
        }
        let reach = 2.0 * grid.columns() as f32;
        let goal = Entity::new([sum[0] / count, sum[1] / count], Profile::linear(reach)?).with_charge(reach);
        creation::by_tiles(grid, &[goal])
    }
}

fn check(side: u32) -> Result<(), InputError> {
    if SIDES.contains(&side) {
        return Ok(());
    }
    let remedy = format!("expected {} to {} cells", SIDES.start(), SIDES.end());
    Err(InputError::one("test map, side", side, remedy))
}

/// Whether a cell is one of the nine goal cells at the middle of the right border.
fn behind(side: u32, column: u32, row: u32) -> bool {
    (side - 4..side - 1).contains(&column) && row.abs_diff(side / 2) <= 1
}

/// For each room of a maze, whether it has a door to the left and a door downwards. The maze is the result of a random
/// walk that continues to a random unvisited neighbour, and backtracks if there is none.
fn doors(rooms: u32, seed: u64) -> Vec<[bool; 2]> {
    let draws = Philox::new(seed);
    let count = (rooms * rooms) as usize;
    let mut doors = vec![[false; 2]; count];
    let mut seen = vec![false; count];
    let number = |(x, y): (u32, u32)| (y * rooms + x) as usize;
    let mut path = vec![(0u32, 0u32)];
    seen[0] = true;
    let mut step = 0;
    while let Some(&(x, y)) = path.last() {
        let beside = NEIGHBOURS[..4].iter().map(|&(dx, dy)| (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)));
        let new: Vec<(u32, u32)> =
            beside.filter(|&room| room.0 < rooms && room.1 < rooms && !seen[number(room)]).collect();
        if new.is_empty() {
            path.pop();
            continue;
        }
        let next = new[draws.below(new.len() as u32, 0, step, purpose::MAZE, 0) as usize];
        step += 1;
        seen[number(next)] = true;
        // The door belongs to the room on its right, or above it.
        let axis = usize::from(next.0 == x);
        doors[number((x.max(next.0), y.max(next.1)))][axis] = true;
        path.push(next);
    }
    doors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(side: u32) -> [(&'static str, TestMap); 4] {
        let maps = [empty(side), u_trap(side), maze(side, 3), city(side)].map(Result::unwrap);
        let [a, b, c, d] = maps;
        [("empty", a), ("U-trap", b), ("maze", c), ("city", d)]
    }

    #[test]
    fn every_start_has_a_path_to_the_goal() {
        for side in (16..80).chain([129, 200]) {
            for (name, map) in all(side) {
                assert!(map.starts.cells().count() > 0 && map.ground.goals().cells().count() > 0, "{name} {side}");
                for (column, row) in map.starts.cells() {
                    let length = map.ground.distances().at(column, row).unwrap();
                    assert!(length > 0.0 && length.is_finite(), "{name} {side}: {column} {row}");
                }
            }
        }
    }

    #[test]
    fn agents_are_scattered_over_exactly_the_starting_cells() {
        for (name, map) in all(64) {
            let positions = map.scatter(20_000, 5);
            let mut seen = vec![false; 64 * 64];
            for position in &positions {
                let (column, row) = map.ground.grid().cell_at(*position).unwrap();
                assert!(map.starts.allows(column, row), "{name}");
                seen[map.ground.grid().index(column, row)] = true;
            }
            assert_eq!(seen, map.starts.flags(), "{name}");
            assert!(map.scatter(10, 5) == positions[..10] && map.scatter(10, 6) != positions[..10]);
        }
    }

    #[test]
    fn mazes_are_trees_that_depend_on_the_seed() {
        let rooms = 12;
        for seed in 0..5 {
            let count = doors(rooms, seed).iter().flatten().filter(|&&door| door).count();
            assert_eq!(count as u32, rooms * rooms - 1);
        }
        assert!(doors(rooms, 1) == doors(rooms, 1) && doors(rooms, 1) != doors(rooms, 2));
    }

    #[test]
    fn the_attraction_increases_linearly_towards_the_goal() {
        let map = u_trap(64).unwrap();
        let field = map.attraction().unwrap();
        // Nine goal cells around the middle of (61, 32).
        assert_eq!(field.best(None).unwrap().map(|best| (best.column, best.row)), Some((61, 32)));
        let [slope, _] = field.gradient([20.0, 32.5]).unwrap();
        assert!((slope - 1.0).abs() < 1e-3 && field.values().iter().all(|&value| value > 0.0), "{slope}");
    }

    #[test]
    fn large_mazes_have_finite_long_paths() {
        // With sweeps alone, a maze of half this side took a minute and a half.
        let map = maze(2048, 6).unwrap();
        let lengths = map.ground.distances().field();
        let longest = lengths.values().iter().copied().filter(|length| length.is_finite()).fold(0.0, f32::max);
        assert!(longest > 180_000.0, "{longest}");
        assert!(map.ground.open().cells().all(|(column, row)| lengths.at(column, row).is_some_and(f32::is_finite)));
    }

    #[test]
    fn sides_out_of_range_are_refused() {
        for side in [0, 1, 15, 8193, u32::MAX] {
            for map in [empty(side), u_trap(side), maze(side, 1), city(side)] {
                assert_eq!(map.unwrap_err().place(), "test map, side");
            }
        }
    }
}
