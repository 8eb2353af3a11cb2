//! Compares cell lists of devices with the CPU, whose cell lists a separate test compares with all pairs.

use std::sync::atomic::AtomicI32;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use throng_device::neighbours::{Block, Boundary, CellLists};
use throng_device::prelude::*;
use throng_device::{DeviceError, philox};

use super::sample::numbers;
use crate::world::{World, worlds};

/// Returns a new world per call; each run sees the same sequence of worlds.
fn random_world(runner: &mut TestRunner, limit: usize) -> World {
    worlds(limit).new_tree(runner).expect("nothing is filtered").current()
}

fn upload(device: &Device, world: &World) -> Result<Vec<Buffer<i32>>, DeviceError> {
    world.positions.iter().map(|axis| device.upload("positions", axis)).collect()
}

fn on_cpu(world: &World) -> CellLists {
    let mut lists = CellLists::new(world.grid, world.len()).unwrap();
    lists.build(&world.slices());
    lists
}

fn check(device: &Device, world: &World) {
    let expected = on_cpu(world);
    let uploaded = upload(device, world).unwrap();
    let positions: Vec<&Buffer<i32>> = uploaded.iter().collect();
    let mut lists = DeviceCellLists::new(device, world.grid, world.len() + 3).unwrap();
    // Again with fewer agents and with all, because the memory is reused.
    for agents in [world.len(), world.len() / 2, world.len()] {
        lists.build(device, &positions, agents).unwrap();
        let of_some =
            World { positions: world.positions.iter().map(|p| p[..agents].to_vec()).collect(), ..world.clone() };
        let expected = if agents == world.len() { &expected } else { &on_cpu(&of_some) };
        assert!(device.read(lists.starts()).unwrap() == expected.starts(), "{}: {:?}", device.label(), world.grid);
        let found = device.read(lists.agents()).unwrap();
        assert!(&found[..agents] == expected.agents(), "{}: {:?}", device.label(), world.grid);
    }
}

pub fn random_worlds(device: &Device) {
    let mut runner = TestRunner::deterministic();
    for limit in [1, 2, 20, 200, 200, 200, 2_000, 2_000, 2_000, 2_000] {
        check(device, &random_world(&mut runner, limit));
    }
}

pub fn crowds_and_large_worlds(device: &Device) {
    let coordinates = |seed: u64, len: usize, spread: u64| -> Vec<i32> {
        numbers(seed).take(len).map(|n| (n % spread) as i32 - 700).collect()
    };
    // Number of agents, spread of their positions, cell size: a single crowd near the minimum size of a crowd (65),
    // larger crowds, many crowds, many cells with few agents, and more cells than one cube scans.
    for (len, spread, size) in [
        (64, 5, 900),
        (65, 5, 900),
        (129, 5, 900),
        (513, 5, 900),
        (10_007, 5, 900),
        (300_001, 5, 900),
        (3_000, 4_000, 700),
        (30_000, 4_000, 900),
        (50_000, 100_000, 500),
        (20_000, 100_000, 70),
    ] {
        let grid = UniformGrid::covering([-700, -700], [100_000, 100_000], size, Boundary::Closed).unwrap();
        let positions = vec![coordinates(1, len, spread), coordinates(2, len, spread)];
        check(device, &World { grid, axes: Vec::new(), positions });
    }
}

/// Returns a word that depends on the order in which an agent meets the others.
fn folded(lists: &CellLists, [x, y, z]: [i32; 3]) -> u32 {
    let grid = *lists.grid();
    lists.around(x, y, z).fold(1, |word: u32, other| word.wrapping_mul(31) ^ other ^ grid.cell_of(x, y, z))
}

#[cube(launch)]
fn fold_around(near: &Neighbours, xs: &Array<i32>, ys: &Array<i32>, zs: &Array<i32>, words: &mut Array<u32>) {
    let i = ABSOLUTE_POS;
    if i < words.len() {
        let own = near.grid.cell_of(xs[i], ys[i], zs[i]);
        let block = near.grid.block(xs[i], ys[i], zs[i]);
        let mut word = 1u32;
        for k in 0..block.cells() {
            let cell = near.grid.block_cell(block, k);
            for place in near.start(cell)..near.end(cell) {
                word = (word * 31u32) ^ near.agent(place) ^ own;
            }
        }
        words[i] = word;
    }
}

pub fn kernels_visit_neighbours_in_the_order_of_the_host(device: &Device) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..12 {
        let world = random_world(&mut runner, 300);
        if world.len() == 0 {
            continue;
        }
        let uploaded = upload(device, &world).unwrap();
        let positions: Vec<&Buffer<i32>> = uploaded.iter().collect();
        let mut lists = DeviceCellLists::new(device, world.grid, world.len()).unwrap();
        lists.build(device, &positions, world.len()).unwrap();
        let words: Buffer<u32> = device.empty("words", world.len()).unwrap();
        device
            .launch("fold around", world.len(), |client, cubes, dim| {
                let (xs, ys, zs) = (uploaded[0].arg(), uploaded[1].arg(), uploaded[uploaded.len() - 1].arg());
                fold_around::launch(client, cubes, dim, lists.arg(), xs, ys, zs, words.arg());
            })
            .unwrap();
        let expected = on_cpu(&world);
        let expected: Vec<u32> = (0..world.len()).map(|i| folded(&expected, world.at(i))).collect();
        assert_eq!(device.read(&words).unwrap(), expected, "{}: {:?}", device.label(), world.grid);
    }
}

/// The fields are in a different order than in literals.
#[derive(CubeType, AgentColumns, Debug, Clone, Copy)]
struct Walker {
    x: i32,
    pub(crate) y: i32,
    z: i32,
    word: i32,
    r#final: i32,
}

#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
struct Folding {
    factor: u32,
    seed: u32,
}

#[derive(CubeType, Clone, Copy)]
struct Folded {
    word: u32,
    way: i32,
}

/// Computes words that depend on the order of meetings and on all inputs of the rules.
#[cube]
impl NeighbourRules for Folding {
    type Agent = Walker;
    type Seen = Folded;

    fn nothing_seen(&self) -> Folded {
        Folded { word: 1u32.runtime(), way: 0i32.runtime() }
    }

    fn meet(&self, folded: &mut Folded, walker: &Walker, other: &Walker, meeting: &Meeting) {
        let offsets = meeting.dx ^ meeting.dy ^ meeting.dz ^ walker.word ^ other.r#final;
        folded.word = exact::low_product(folded.word, self.factor) ^ meeting.neighbour ^ offsets as u32;
        folded.way = (folded.way / 2) ^ (meeting.agent * 8 + meeting.step) as i32;
    }

    fn act(&self, walker: &Walker, folded: &Folded, number: u32, step: u32) -> Walker {
        let drawn = philox::below(7u32, self.seed, 0u32.runtime(), number, step, 0u32.runtime(), 0u32.runtime()) as i32;
        let x = walker.x / 2 + drawn;
        Walker { r#final: walker.word, word: folded.word as i32 ^ folded.way, z: walker.z, y: walker.y / 2, x }
    }
}

/// Computes the agents after a step, with a loop over neighbours that is independent of the library's.
fn expected_after(rules: Folding, grid: UniformGrid, before: &[Vec<i32>; 5], step: u32) -> [Vec<i32>; 5] {
    let mut lists = CellLists::new(grid, before[0].len()).unwrap();
    lists.build(&before.each_ref().map(Vec::as_slice)[..grid.dimensions()]);
    let walker = |i: usize| {
        let [x, y, z, word, last] = before.each_ref().map(|column| column[i]);
        Walker { x, y, z, word, r#final: last }
    };
    let mut after: [Vec<i32>; 5] = Default::default();
    for agent in 0..before[0].len() as u32 {
        let own = walker(agent as usize);
        let mut folded = Folded { word: 1, way: 0 };
        for neighbour in lists.around(own.x, own.y, own.z).filter(|&other| other != agent) {
            let other = walker(neighbour as usize);
            let [dx, dy] = [grid.offset_x(own.x, other.x), grid.offset_y(own.y, other.y)];
            let meeting = Meeting { agent, neighbour, step, dx, dy, dz: grid.offset_z(own.z, other.z) };
            rules.meet(&mut folded, &own, &other, &meeting);
        }
        let Walker { x, y, z, word, r#final } = rules.act(&own, &folded, agent, step);
        after.iter_mut().zip([x, y, z, word, r#final]).for_each(|(column, value)| column.push(value));
    }
    after
}

pub fn agents_meet_their_neighbours_as_on_the_host(device: &Device) {
    let mut runner = TestRunner::deterministic();
    for limit in [1, 2, 2, 40, 300, 300, 300, 300] {
        let world = random_world(&mut runner, limit);
        let (grid, len, rules) = (world.grid, world.len(), Folding { factor: 31, seed: 4711 });
        let at = |axis: usize| (0..len).map(|agent| world.at(agent)[axis]).collect();
        let mut state = [at(0), at(1), at(2), (0..len as i32).collect(), vec![7; len]];
        let mut columns = Columns::upload(device, "walkers", &state).unwrap();
        let (mut lists, mut device_lists) =
            (CellLists::new(grid, len).unwrap(), DeviceCellLists::new(device, grid, len).unwrap());
        for step in 0..3 {
            let expected = expected_after(rules, grid, &state, step);
            lists.build(&state.each_ref().map(Vec::as_slice)[..grid.dimensions()]);
            let mut after: Vec<[AtomicI32; 5]> = (0..len).map(|_| Default::default()).collect();
            lists.meet(&rules, &state, &after, step);
            state = [0, 1, 2, 3, 4].map(|i| after.iter_mut().map(|agent| *agent[i].get_mut()).collect());
            assert!(state == expected, "{grid:?}");
            let positions: Vec<_> = columns.before().iter().take(grid.dimensions()).collect();
            device_lists.build(device, &positions, len).unwrap();
            device_lists.meet(device, "walk", &rules, &columns, step).unwrap();
            columns.swap();
            assert!(columns.read(device).unwrap() == expected, "{}: {grid:?}", device.label());
        }
    }
}

/// Number of words written per pair of positions.
const WORDS: usize = 11 + 27;

/// Evaluates every shared function for a pair of positions.
fn table(grid: &UniformGrid, [x, y, z]: [i32; 3], [to_x, to_y, to_z]: [i32; 3]) -> [u32; WORDS] {
    let block: Block = grid.block(x, y, z);
    let offsets = [grid.offset_x(x, to_x), grid.offset_y(y, to_y), grid.offset_z(z, to_z)].map(|offset| offset as u32);
    let first = [block.first_x, block.first_y, block.first_z];
    let counts = [block.count_x, block.count_y, block.count_z];
    let mut words = [0; WORDS];
    words[0] = grid.cell_of(x, y, z);
    words[1] = block.cells();
    words[2..5].copy_from_slice(&offsets);
    words[5..8].copy_from_slice(&first);
    words[8..11].copy_from_slice(&counts);
    (0..block.cells()).for_each(|k| words[11 + k as usize] = grid.block_cell(block, k));
    words
}

/// Kernel version of [`table`]: one unit handles all pairs, six numbers each.
#[cube(launch)]
fn fill_table(grid: &UniformGrid, pairs: &Array<i32>, words: &mut Array<u32>) {
    if ABSOLUTE_POS == 0 {
        for pair in 0..pairs.len() / 6 {
            let from = pair * 6;
            let to = pair * WORDS;
            let x = pairs[from];
            let y = pairs[from + 1];
            let z = pairs[from + 2];
            let block = grid.block(x, y, z);
            words[to] = grid.cell_of(x, y, z);
            words[to + 1] = block.cells();
            words[to + 2] = grid.offset_x(x, pairs[from + 3]) as u32;
            words[to + 3] = grid.offset_y(y, pairs[from + 4]) as u32;
            words[to + 4] = grid.offset_z(z, pairs[from + 5]) as u32;
            words[to + 5] = block.first_x;
            words[to + 6] = block.first_y;
            words[to + 7] = block.first_z;
            words[to + 8] = block.count_x;
            words[to + 9] = block.count_y;
            words[to + 10] = block.count_z;
            for k in 0..block.cells() {
                words[to + 11 + k as usize] = grid.block_cell(block, k);
            }
        }
    }
}

pub fn shared_functions_match_the_host(device: &Device) {
    let mut runner = TestRunner::deterministic();
    for _ in 0..16 {
        let world = random_world(&mut runner, 60);
        let mut pairs: Vec<[i32; 6]> = (1..world.len())
            .map(|i| ([world.at(i - 1), world.at(i)]).concat().try_into().expect("two positions"))
            .collect();
        let extremes = [i32::MIN, -1, 0, 1, i32::MAX];
        pairs.extend(extremes.map(|a| [a, 0, a, 0, a, -1]));
        pairs.extend(extremes.map(|a| [i32::MAX, a, i32::MIN, a, i32::MIN, i32::MAX]));
        let given = device.upload("pairs", pairs.as_flattened()).unwrap();
        let words = device.upload("words", &vec![0u32; pairs.len() * WORDS]).unwrap();
        device
            .launch("fill table", 1, |client, cubes, dim| {
                fill_table::launch(client, cubes, dim, world.grid.arg(), given.arg(), words.arg());
            })
            .unwrap();
        let expected = pairs.iter().map(|&[a, b, c, d, e, f]| table(&world.grid, [a, b, c], [d, e, f]));
        let expected: Vec<[u32; WORDS]> = expected.collect();
        assert!(device.read(&words).unwrap() == expected.as_flattened(), "{}: {:?}", device.label(), world.grid);
    }
}
