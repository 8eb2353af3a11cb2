//! The meeting of all agents with their neighbours, on a device.

#![allow(missing_docs, reason = "#[cube] generates items without documentation")]

use cubecl::prelude::*;

use super::device::DeviceCellLists;
use super::rules::{
    AgentColumns, NeighbourRules, NeighbourRulesExpand, Pair, ReadColumns, ReadColumnsExpand, WriteColumns,
    WriteColumnsExpand, encounter,
};
use super::view::Neighbours;
use crate::{Buffer, Columns, Device, DeviceError};

/// The columns of a state in a kernel.
type Arrays = Sequence<Array<i32>>;

#[cube]
impl ReadColumns for Sequence<Array<i32>> {
    fn value(&self, #[comptime] column: usize, agent: usize) -> i32 {
        self.index(column)[agent]
    }
}

#[cube]
impl WriteColumns for Sequence<Array<i32>> {
    fn put(&mut self, #[comptime] column: usize, agent: usize, value: i32) {
        self.index_mut(column)[agent] = value;
    }
}

#[cube(launch)]
fn meet<R: NeighbourRules>(rules: &R, near: &Neighbours, before: &Arrays, after: &mut Arrays, step: u32) {
    if ABSOLUTE_POS < after.index(0usize).len() {
        // In the order of the cells, so that adjacent units read the same neighbours.
        let number = near.agent(ABSOLUTE_POS as u32);
        let agent = R::Agent::load::<Arrays>(before, number as usize);
        let x = R::Agent::x(&agent);
        let y = R::Agent::y(&agent);
        let z = R::Agent::z(&agent);
        let mut seen = rules.nothing_seen();
        let block = near.grid.block(x, y, z);
        for k in 0..block.cells() {
            let cell = near.grid.block_cell(block, k);
            for place in near.start(cell)..near.end(cell) {
                let neighbour = near.agent(place);
                if neighbour != number {
                    let pair = Pair { agent: number, neighbour, step };
                    encounter::<R, Arrays>(rules, &near.grid, before, &mut seen, &agent, pair);
                }
            }
        }
        let acted = rules.act(&agent, &seen, number, step);
        R::Agent::store::<Arrays>(&acted, after, number as usize);
    }
}

impl DeviceCellLists {
    /// Lets each agent meet its neighbours and act; `columns` receive the state after step `step`. The lists must be
    /// built from the positions in [`Columns::before`]. One launch; the label appears in timings and errors.
    ///
    /// # Errors
    /// As for [`Device::launch`].
    ///
    /// # Panics
    /// When the lists were built for a different number of agents.
    pub fn meet<R: NeighbourRules, const N: usize>(
        &self,
        device: &Device,
        label: &'static str,
        rules: &R,
        columns: &Columns<i32, N>,
        step: u32,
    ) -> Result<(), DeviceError> {
        const { assert!(N == R::Agent::COLUMNS, "a column for each field of the agent") }
        assert_eq!(self.len(), columns.len(), "the lists were built for a different number of agents");
        // A launch has at least one unit.
        if columns.len() == 0 {
            return Ok(());
        }
        device.launch(label, columns.len(), |client, cubes, dim| {
            let [before, after] =
                [columns.before(), columns.after()].map(|state| state.iter().map(Buffer::arg).collect());
            meet::launch::<R, _>(client, cubes, dim, rules.arg(), self.arg(), before, after, step);
        })
    }
}
