//! The state on a device, and its ticks.

use throng_device::cubecl::prelude::Runtime;
use throng_device::neighbours::Boundary;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};
use throng_model::Failure;

use super::super::counting::cuts;
use super::super::cpu::Summing;
use super::super::fields::FieldTables;
use super::super::planes::{Layout, PLANES};
use super::super::rules::direction::STANDS;
use super::super::scene::{EMPTY, Pedestrians, WALL, World};
use super::super::static_fields::static_scores;
use super::kernels;
use super::kernels::{TILE_COLUMNS, TILE_ROWS, TILE_THREADS};
use super::openings::{Crowd, DeviceOpenings};
use super::plane_kernels;
use super::state::{Config, NUMBER, NUMBER_BITS, Parameters, PeriodBuffers, PlaneBuffers, TableBuffers};

/// A world with pedestrians, on a device.
#[derive(Debug)]
pub struct DeviceSocialField {
    parameters: Parameters,
    config: Config,
    layout: Layout,
    headings: Vec<u8>,
    walk_periods: Vec<u32>,
    exits: Vec<u32>,
    occupants: Buffer<u32>,
    intents: Buffer<u32>,
    planes: PlaneBuffers,
    tables: TableBuffers,
    periods: PeriodBuffers,
    openings: Option<DeviceOpenings>,
}

impl DeviceSocialField {
    /// Pedestrians in a world, before a tick. Memory on the device: 12.3 bytes for each space unit, 16.5 with
    /// [`Summing::Sides`], and 8 for each pedestrian if not all have walk periods of 1.
    ///
    /// # Errors
    /// As for [`SocialField::new`](super::super::SocialField::new), and when the device has too little memory.
    pub fn new<R: Runtime>(
        device: &Device<R>,
        world: &World,
        tables: &FieldTables,
        pedestrians: &Pedestrians,
        seed: u64,
        tick: u32,
        summing: Summing,
    ) -> Result<Self, Failure> {
        world.check_field(tables.radius)?;
        let side = 2 * tables.radius as u32 + 1;
        summing.check(side)?;
        let mut occupants = pedestrians.occupants(world)?;
        for occupant in occupants.iter_mut().filter(|occupant| **occupant < WALL) {
            *occupant |= u32::from(pedestrians.heading[*occupant as usize]) << NUMBER_BITS;
        }
        let by_sides = summing == Summing::Sides;
        let layout = Layout::new(world.grid, tables.radius as u32);
        let [row_words, column_words] = layout.words();
        let has_openings = !world.openings.is_empty();
        let scores = static_scores(world, tables);
        let config = Config {
            side,
            summing,
            has_periods: has_openings
                || tables.exchange_ticks > 1
                || pedestrians.period.iter().any(|&period| period > 1)
                || pedestrians.due.iter().any(|&due| due > tick),
            some_stand: has_openings,
            has_static_scores: !scores.is_empty(),
            exchanges: tables.exchange_ticks > 0,
            equal_speeds: tables.equal_speeds,
            map: tables.map,
            has_walls: has_openings || world.is_wall.contains(&true) || world.grid.boundary == Boundary::Closed,
        };
        let [columns, rows] = layout.sides();
        let parameters = Parameters {
            grid: world.grid,
            weights: tables.weights,
            radius: tables.radius as u32,
            columns,
            rows,
            row_words: layout.row_words,
            column_words: layout.column_words,
            seed_low: seed as u32,
            seed_high: (seed >> 32) as u32,
            tick,
            exchange_ticks: tables.exchange_ticks,
        };
        let cuts: Vec<i32> = cuts(tables).into_iter().flatten().collect();
        let strengths: Vec<i32> = tables.strengths.iter().flatten().copied().collect();
        // A device has no empty buffers.
        let of_pedestrians = |values: &[u32]| if config.has_periods { values.to_vec() } else { vec![0] };
        let not_empty = |values: Vec<u32>| if values.is_empty() { vec![0] } else { values };
        let mut state = Self {
            parameters,
            config,
            layout,
            headings: pedestrians.heading.clone(),
            walk_periods: pedestrians.period.clone(),
            exits: pedestrians.exits.clone(),
            occupants: device.upload("occupants", &occupants)?,
            intents: device.empty("intents", occupants.len())?,
            planes: PlaneBuffers {
                rows: device.empty("planes by rows", row_words * PLANES)?,
                columns: device.empty("planes by columns", if by_sides { column_words * PLANES } else { 1 })?,
            },
            tables: TableBuffers {
                cuts: device.upload("cuts", if cuts.is_empty() { &[0] } else { &cuts })?,
                strengths: device.upload("strengths", &strengths)?,
                static_scores: device
                    .upload("scores of exits and walls", if scores.is_empty() { &[0] } else { &scores })?,
            },
            periods: PeriodBuffers {
                periods: device.upload("walk periods", &not_empty(of_pedestrians(&pedestrians.period)))?,
                due: device.upload("due ticks", &not_empty(of_pedestrians(&pedestrians.due)))?,
            },
            openings: DeviceOpenings::new(device, world, pedestrians, tick)?,
        };
        state.with_openings(|openings, crowd| openings.begin(device, crowd))?;
        state.show(device)?;
        Ok(state)
    }

    /// Lets openings act, if there are any.
    fn with_openings(
        &mut self,
        act: impl FnOnce(&mut DeviceOpenings, Crowd<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Self { openings: Some(openings), parameters, occupants, periods, .. } = self else { return Ok(()) };
        let PeriodBuffers { periods, due } = periods;
        act(openings, Crowd { parameters: *parameters, occupants, periods, due })
    }

    /// Shows the state in the planes.
    fn show<R: Runtime>(&self, device: &Device<R>) -> Result<(), DeviceError> {
        let [columns, rows] = self.layout.sides();
        let Layout { row_words, column_words, .. } = self.layout;
        let [in_rows, in_columns] = self.layout.words();
        device.launch("social field: show rows", in_rows, |client, cubes, dim| {
            let (occupants, planes) = (self.occupants.arg(), self.planes.rows.arg());
            let params = self.parameters.arg();
            plane_kernels::show_rows::launch::<R>(client, cubes, dim, params, occupants, planes, self.config);
        })?;
        if self.config.summing == Summing::Windows {
            return Ok(());
        }
        device.launch("social field: show columns", in_columns, |client, cubes, dim| {
            let (occupants, planes) = (self.occupants.arg(), self.planes.columns.arg());
            plane_kernels::show_columns::launch::<R>(client, cubes, dim, self.parameters.arg(), occupants, planes);
        })?;
        let lines = PLANES as u32 * rows;
        device.launch("social field: count rows", lines as usize, |client, cubes, dim| {
            let planes = self.planes.rows.arg();
            plane_kernels::count::launch::<R>(client, cubes, dim, planes, lines, rows, row_words, 1, row_words);
        })?;
        let lines = PLANES as u32 * columns;
        device.launch("social field: count columns", lines as usize, |client, cubes, dim| {
            let planes = self.planes.columns.arg();
            plane_kernels::count::launch::<R>(client, cubes, dim, planes, lines, columns, column_words, columns, 1);
        })
    }

    /// One tick, as [`Reference::step`](super::super::Reference::step) makes it. Nothing waits for the device.
    ///
    /// Cost: three launches, six with [`Summing::Sides`]; two to eight more in worlds with openings.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn step<R: Runtime>(&mut self, device: &Device<R>) -> Result<(), Failure> {
        let (parameters, config) = (self.parameters, self.config);
        let grid = parameters.grid;
        let tiles = grid.width.div_ceil(TILE_COLUMNS) * grid.height.div_ceil(TILE_ROWS);
        device.launch_cubes("social field: decide", tiles, TILE_THREADS, |client, cubes, dim| {
            kernels::decide::launch::<R>(
                client,
                cubes,
                dim,
                parameters.arg(),
                self.occupants.arg(),
                self.periods.periods(),
                self.planes.planes(),
                self.tables.tables(),
                self.intents.arg(),
                config,
            );
        })?;
        device.launch("social field: vote", grid.units(), |client, cubes, dim| {
            let (intents, occupants) = (self.intents.arg(), self.occupants.arg());
            let periods = self.periods.periods();
            kernels::vote::launch::<R>(client, cubes, dim, parameters.arg(), intents, occupants, periods, config);
        })?;
        self.parameters.tick += 1;
        self.with_openings(|openings, crowd| openings.end_tick(device, crowd))?;
        Ok(self.show(device)?)
    }

    /// The pedestrians.
    ///
    /// # Errors
    /// When the device fails.
    pub fn pedestrians<R: Runtime>(&self, device: &Device<R>) -> Result<Pedestrians, DeviceError> {
        let count = self.headings.len();
        let has_openings = self.openings.is_some();
        let mut pedestrians = Pedestrians {
            at: vec![EMPTY; count],
            heading: if has_openings { vec![STANDS; count] } else { self.headings.clone() },
            period: self.walk_periods.clone(),
            due: vec![self.parameters.tick; count],
            exits: self.exits.clone(),
            exit: Vec::new(),
        };
        for (unit, occupant) in device.read(&self.occupants)?.into_iter().enumerate() {
            let number = (occupant & NUMBER) as usize;
            // Numbers of pedestrians only: a damaged word names none.
            if let Some(at) = pedestrians.at.get_mut(number).filter(|_| occupant < WALL) {
                *at = unit as u32;
                pedestrians.heading[number] = (occupant >> NUMBER_BITS) as u8;
            }
        }
        if self.config.has_periods {
            pedestrians.due = device.read(&self.periods.due)?;
            pedestrians.due.truncate(count);
        }
        if let Some(openings) = &self.openings {
            openings.complete(device, &mut pedestrians)?;
        }
        pedestrians.try_again(self.parameters.tick);
        Ok(pedestrians)
    }

    /// How many bytes of the device's memory the state takes.
    pub fn bytes(&self) -> usize {
        let Self { occupants, intents, planes, periods, .. } = self;
        let words = [occupants, intents, &planes.rows, &planes.columns, &periods.periods, &periods.due];
        let openings = self.openings.as_ref().map_or(0, DeviceOpenings::bytes);
        words.iter().map(|buffer| 4 * buffer.len()).sum::<usize>() + 4 * self.tables.static_scores.len() + openings
    }
}
