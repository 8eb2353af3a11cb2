//! Quantities of a simulation at the current step, as fields.

use std::borrow::Cow;
use std::cell::OnceCell;

use throng_core::InputError;
use throng_fields_core::Field;
use throng_fields_core::entities::Cells;
use throng_fields_core::influence::Teams;
use throng_fields_core::routing::{FlowField, TravelTimes};
use throng_fields_scenario::Scenario;
use throng_fields_scenario::extracts::Quantity;
use throng_model::Failure;
use throng_pictures::{Grid, Mask, Sample};

use crate::simulation::Simulation;

/// The quantities at a step. Travel times are computed on first use.
pub(crate) struct Quantities<'a, 's> {
    scenario: &'a Scenario,
    simulation: &'a Simulation<'s>,
    times: OnceCell<TravelTimes>,
}

impl<'a, 's> Quantities<'a, 's> {
    pub(crate) fn new(scenario: &'a Scenario, simulation: &'a Simulation<'s>) -> Self {
        Self { scenario, simulation, times: OnceCell::new() }
    }

    pub(crate) fn scenario(&self) -> &'a Scenario {
        self.scenario
    }

    /// The values of a quantity in all cells.
    pub(crate) fn field(&self, quantity: Quantity) -> Result<Cow<'a, Field>, Failure> {
        let of_team = |team: usize, view: fn(&Teams, usize) -> Result<Field, InputError>| {
            let teams = self.simulation.teams();
            // Quantities of teams require teams in the scenario, so the fallback is never used.
            let field = teams.map_or_else(|| Ok(self.filled(0.0)), |teams| view(teams, team))?;
            Ok(Cow::Owned(self.of_cells(field.into_values())))
        };
        match quantity {
            Quantity::Field(layer) => Ok(Cow::Borrowed(self.simulation.field_of(layer)?)),
            Quantity::Influence(team) => {
                let map = self.simulation.teams().and_then(|teams| teams.map(team));
                let values = map.map(|map| map.values().to_vec());
                Ok(Cow::Owned(values.map_or_else(|| self.filled(0.0), |values| self.of_cells(values))))
            }
            Quantity::Balance(team) => of_team(team, Teams::influence),
            Quantity::Tension => of_team(0, |teams, _| Ok(teams.tension())),
            Quantity::Vulnerability(team) => of_team(team, Teams::vulnerability),
            Quantity::TravelTimes => Ok(Cow::Owned(self.of_cells(self.travel_times()?.field().into_values()))),
            Quantity::Flow => Ok(Cow::Owned(self.of_cells(directions(self.travel_times()?)))),
            Quantity::Open => {
                let value = |&open: &bool| f32::from(open);
                let values = self.open().flags().iter().map(value).collect();
                Ok(Cow::Owned(self.of_cells(values)))
            }
        }
    }

    /// The open cells.
    pub(crate) fn open(&self) -> &'s Mask {
        self.simulation.ground().open()
    }

    fn filled(&self, value: f32) -> Field {
        self.of_cells(vec![value; self.scenario.grid().cells()])
    }

    /// A field of values per cell, which belong to the centres of the cells.
    fn of_cells(&self, values: Vec<f32>) -> Field {
        Field::new(self.scenario.grid().sampled_at(Sample::Centre), values)
    }

    fn travel_times(&self) -> Result<&TravelTimes, Failure> {
        if let Some(times) = self.times.get() {
            return Ok(times);
        }
        let (rule, ground) = (&self.scenario.flows[0], self.simulation.ground());
        let passage = (0, self.simulation.terrain());
        let costs = self.scenario.path_costs(rule, self.simulation.field_of(rule.felt)?, passage)?;
        let times = rule.times(ground.grid(), &costs, ground.goals())?;
        Ok(self.times.get_or_init(|| times))
    }
}

/// The directions of a flow field at the centres of cells, in radians anticlockwise from the x axis; NaN if there is
/// none.
fn directions(times: &TravelTimes) -> Vec<f32> {
    let (grid, flow) = (*times.grid(), FlowField::new(times));
    let centres = grid.sampled_at(Sample::Centre);
    let direction = |column: u32, row: u32| {
        let [x, y] = centres.point(column, row);
        flow.next([x, y]).map_or(f32::NAN, |next| libm::atan2(next[1] - y, next[0] - x) as f32)
    };
    let values = (0..grid.rows()).flat_map(|row| (0..grid.columns()).map(move |column| (column, row)));
    values.map(|(column, row)| direction(column, row)).collect()
}

/// Extracts a part of a field as a separate field at the same place in the world.
pub(crate) fn part_of(field: &Field, cells: Cells) -> Result<Field, InputError> {
    let grid = field.grid();
    let ((left, right), (low, high)) = (cells.columns, cells.rows);
    let rows = (low..high).flat_map(|row| &field.values()[grid.index(left, row)..=grid.index(right - 1, row)]);
    Field::from_values(grid_of_part(grid, cells)?, rows.copied().collect())
}

/// The grid of a part of a field.
pub(crate) fn grid_of_part(grid: &Grid, cells: Cells) -> Result<Grid, InputError> {
    let ((left, right), (low, high)) = (cells.columns, cells.rows);
    let cell = f64::from(grid.cell());
    let [x, y] = grid.origin();
    let origin = [x + f64::from(left) * cell, y + f64::from(low) * cell];
    Ok(Grid::new(origin, grid.cell(), right - left, high - low)?.sampled_at(grid.sample()))
}
