//! Test worlds: grids of every kind, with agents inside, at the borders, outside, and in crowds.

use proptest::prelude::*;
use throng_device::neighbours::{Boundary, UniformGrid};

/// A grid, its axes as plain numbers, and the positions of agents along each axis.
#[derive(Debug, Clone)]
pub struct World {
    pub grid: UniformGrid,
    pub axes: Vec<AxisOf>,
    pub positions: Vec<Vec<i32>>,
}

/// Plain numbers of an axis, for a reference that shares no code with the grid.
#[derive(Debug, Clone, Copy)]
pub struct AxisOf {
    pub origin: i64,
    pub extent: i64,
    pub cell_size: i64,
    pub cells: i64,
}

impl World {
    pub fn len(&self) -> usize {
        self.positions[0].len()
    }

    pub fn slices(&self) -> Vec<&[i32]> {
        self.positions.iter().map(Vec::as_slice).collect()
    }

    /// Returns the position of an agent; `z` is 0 in the plane.
    pub fn at(&self, agent: usize) -> [i32; 3] {
        [0, 1, 2].map(|axis| self.positions.get(axis).map_or(0, |positions| positions[agent]))
    }
}

/// Random parameters of a world: numbers for three axes, of which a world in the plane uses two.
type Plan = (bool, Boundary, [(i32, u32, u32); 3], u32);

fn grid((spatial, boundary, axes, size): Plan) -> Result<(UniformGrid, Vec<AxisOf>), throng_core::InputError> {
    let [x, y, z] = axes;
    let extent = |(_, cells, rest): (i32, u32, u32)| cells * size + rest % size;
    let grid = if spatial {
        UniformGrid::covering([x.0, y.0, z.0], [extent(x), extent(y), extent(z)], size, boundary)
    } else {
        UniformGrid::covering([x.0, y.0], [extent(x), extent(y)], size, boundary)
    }?;
    let used = if spatial { 3 } else { 2 };
    let plain = axes.map(|axis| AxisOf {
        origin: axis.0.into(),
        extent: extent(axis).into(),
        cell_size: size.into(),
        cells: axis.1.into(),
    });
    Ok((grid, plain[..used].to_vec()))
}

/// A random position along an axis.
fn position(axis: AxisOf) -> impl Strategy<Value = i32> {
    let (first, end) = (axis.origin, axis.origin + axis.extent);
    let margin = 2 * axis.cell_size;
    let borders =
        [first - 1, first, first + axis.cell_size - 1, first + axis.cell_size, end - 1, end, i64::MIN, i64::MAX];
    let cut = |position: i64| position.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    prop_oneof![
        6 => first..end,
        2 => first - margin..end + margin,
        2 => prop::sample::select(borders.to_vec()),
        // A few positions shared by many agents.
        3 => (0..2i64).prop_map(move |i| first + i * axis.extent / 2),
    ]
    .prop_map(cut)
}

/// Random worlds of fewer than `limit` agents.
pub fn worlds(limit: usize) -> impl Strategy<Value = World> {
    let boundary = prop::sample::select(vec![Boundary::Closed, Boundary::Periodic]);
    let origin = prop_oneof![Just(0), -500..500i32, Just(i32::MIN), Just(i32::MAX - 200)];
    let axis = (origin, 1..7u32, 0..20u32);
    let plan = (any::<bool>(), boundary, [axis.clone(), axis.clone(), axis], 1..20u32);
    (plan, 0..limit).prop_flat_map(|(plan, len)| {
        let (grid, axes) = grid(plan).expect("a grid of at most 140 units per axis");
        let positions: Vec<_> = axes.iter().map(|&axis| prop::collection::vec(position(axis), len)).collect();
        positions.prop_map(move |positions| World { grid, axes: axes.clone(), positions })
    })
}
