//! The state on a device, and the simulation of its ticks.
use throng_device::Error;
use throng_device::neighbours::Boundary;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};

use super::super::counting::cuts;
use super::super::fields::FieldTables;
use super::super::planes::{Layout, PLANES};
use super::super::rules::direction::STANDS;
use super::super::rules::draws::Seed;
use super::super::scene::{EMPTY, Pedestrians, WALL, World};
use super::super::static_fields::indexed_scores;
use super::super::summing::Summing;
use super::super::transforms::{SUMS, WITH_DIRECTION};
use super::super::unit_sums::packed_offsets;
use super::floor::{self, VotedBuffers};
use super::kernels;
use super::kernels::{TILE_COLUMNS, TILE_ROWS, TILE_THREADS};
use super::openings::{Crowd, DeviceOpenings};
use super::plane_kernels;
use super::state::{
    Config, FloorBuffers, NUMBER, NUMBER_BITS, Parameters, PeriodsBuffers, PlanesBuffers, TablesBuffers,
};
use super::transforms::DeviceTransforms;

/// A world with pedestrians, on a device.
#[derive(Debug)]
pub struct DeviceField {
    parameters: Parameters,
    config: Config,
    layout: Layout,
    headings: Vec<u8>,
    walk_periods: Vec<u32>,
    exits: Vec<u32>,
    occupants: Buffer<u32>,
    intents: Buffer<u32>,
    planes: PlanesBuffers,
    tables: TablesBuffers,
    periods: PeriodsBuffers,
    openings: Option<DeviceOpenings>,
    transforms: Option<DeviceTransforms>,
}

impl DeviceField {
    /// Creates a world with pedestrians before `tick`. Memory on the device per space unit: 12.3 bytes; with
    /// [`Summing::Sides`] 16.5; with [`Summing::Units`] 8, and 32 more for traces; with [`Summing::Transforms`] some
    /// 130, and up to 104 MB. With walk periods above 1, 4 more and 8 per pedestrian; 32 if exits or walls have fields.
    ///
    /// # Errors
    /// As for [`SocialFieldBuilder::build`](super::super::SocialFieldBuilder::build), when the device has too little
    /// memory, and when the world has so many space units that kernels could not index their values.
    pub fn new(
        device: &Device,
        world: &World,
        tables: &FieldTables,
        pedestrians: &Pedestrians,
        seed: u64,
        tick: u32,
        summing: Summing,
    ) -> Result<Self, Error> {
        world.check_field(tables.radius)?;
        let side = tables.size();
        summing.check(tables)?;
        pedestrians.check_one_unit_each()?;
        let mut occupants = pedestrians.occupants(world)?;
        let mut traces = Pedestrians { traces: pedestrians.traces.clone(), ..Pedestrians::default() };
        traces.begin_traces(world, tables)?;
        for occupant in occupants.iter_mut().filter(|occupant| **occupant < WALL) {
            *occupant |= u32::from(pedestrians.heading[*occupant as usize]) << NUMBER_BITS;
        }
        let layout = Layout::new(world.grid, tables.radius as u32);
        let [in_rows, in_columns] = match (summing, layout.words()) {
            (Summing::Windows, [rows, _]) => [rows * PLANES, 1],
            (Summing::Sides, words) => words.map(|words| words * PLANES),
            (Summing::Units | Summing::Transforms, _) => [1; 2],
        };
        let has_openings = !world.openings.is_empty();
        let scores = indexed_scores(world, tables)?;
        if summing == Summing::Transforms {
            world.check_indices("summing", "transforms", SUMS)?;
        }
        let free_from = pedestrians.complete_free_from(world)?;
        let config = Config {
            side,
            summing,
            reading: tables.reading,
            trace_decay: tables.trace_decay,
            has_periods: has_openings
                || tables.exchange_ticks > 1
                || pedestrians.has_long_steps()
                || pedestrians.due.iter().any(|&due| due > tick),
            has_free_from: !free_from.is_empty(),
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
            seed: Seed::new(seed),
            tick,
            exchange_ticks: tables.exchange_ticks,
        };
        let cuts: Vec<i32> = cuts(tables).into_iter().flatten().collect();
        let offsets = if summing == Summing::Units { packed_offsets(tables) } else { Vec::new() };
        let strengths: Vec<i32> = tables.strengths.iter().flatten().copied().collect();
        let of_pedestrians = |values: &[u32]| if config.has_periods { values.to_vec() } else { Vec::new() };
        let by_transforms = summing == Summing::Transforms;
        let transforms = if by_transforms {
            // Openings set headings later.
            let given = if has_openings { WITH_DIRECTION } else { 0 };
            let headings = pedestrians.heading.iter().fold(given, |marks, heading| marks | 1 << heading);
            Some(DeviceTransforms::new(device, layout, tables, headings & WITH_DIRECTION)?)
        } else {
            None
        };
        let mut state = Self {
            parameters,
            config,
            layout,
            headings: pedestrians.heading.clone(),
            walk_periods: pedestrians.period.clone(),
            exits: pedestrians.exits.clone(),
            occupants: device.upload("occupants", &occupants)?,
            intents: device.empty("intents", occupants.len())?,
            planes: PlanesBuffers {
                rows: device.empty("planes by rows", in_rows)?,
                columns: device.empty("planes by columns", in_columns)?,
                traces: device.upload("traces", &traces.traces)?,
                sums: device.empty("sums", if by_transforms { SUMS * occupants.len() } else { 1 })?,
            },
            tables: TablesBuffers {
                cuts: device.upload("cuts", &cuts)?,
                strengths: device.upload("strengths", &strengths)?,
                offsets: device.upload("offsets", &offsets)?,
                static_scores: device.upload("scores of exits and walls", &scores)?,
            },
            periods: PeriodsBuffers {
                walk: device.upload("walk periods", &of_pedestrians(&pedestrians.period))?,
                due: device.upload("due ticks", &of_pedestrians(&pedestrians.due))?,
                free_from: device.upload("ticks of free space units", &free_from)?,
            },
            openings: DeviceOpenings::new(device, world, pedestrians, tick)?,
            transforms,
        };
        state.with_openings(|openings, crowd| openings.begin(device, crowd))?;
        state.refresh(device)?;
        Ok(state)
    }

    /// Applies the openings, if any.
    fn with_openings(
        &mut self,
        act: impl FnOnce(&mut DeviceOpenings, Crowd<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Self { openings: Some(openings), parameters, config, occupants, periods, .. } = self else { return Ok(()) };
        act(openings, Crowd { parameters: *parameters, config: *config, occupants, periods })
    }

    /// Updates the planes, or the sums by transforms, from the state.
    #[allow(unsafe_code)]
    fn refresh(&self, device: &Device) -> Result<(), DeviceError> {
        if let Some(transforms) = &self.transforms {
            return transforms.refresh(device, self.parameters, &self.occupants, &self.planes.sums);
        }
        if self.config.summing == Summing::Units {
            return Ok(());
        }
        let [columns, rows] = self.layout.sides();
        let Layout { row_words, column_words, .. } = self.layout;
        let [in_rows, in_columns] = self.layout.words();
        // SAFETY, here and below: a unit writes only the word with its index; the buffers have one word per index and
        // plane. It reads occupants at columns and rows of the world, which `shown` returns. `count` iterates over the
        // words of its line.
        device.launch("social field: show rows", in_rows, |client, cubes, dim| {
            let (occupants, planes) = (self.occupants.arg(), self.planes.rows.arg());
            let params = self.parameters.arg();
            unsafe {
                plane_kernels::show_rows::launch_unchecked(client, cubes, dim, params, occupants, planes, self.config);
            };
        })?;
        if self.config.summing == Summing::Windows {
            return Ok(());
        }
        device.launch("social field: show columns", in_columns, |client, cubes, dim| {
            let (occupants, planes) = (self.occupants.arg(), self.planes.columns.arg());
            let params = self.parameters.arg();
            unsafe {
                plane_kernels::show_columns::launch_unchecked(client, cubes, dim, params, occupants, planes);
            };
        })?;
        let all = PLANES as u32 * rows;
        device.launch("social field: count rows", all as usize, |client, cubes, dim| {
            let planes = self.planes.rows.arg();
            unsafe { plane_kernels::count::launch_unchecked(client, cubes, dim, planes, all, rows, row_words) };
        })?;
        let all = PLANES as u32 * columns;
        device.launch("social field: count columns", all as usize, |client, cubes, dim| {
            let planes = self.planes.columns.arg();
            unsafe {
                plane_kernels::count::launch_unchecked(client, cubes, dim, planes, all, columns, column_words);
            };
        })
    }

    /// Simulates one tick, as [`Reference::step`](super::super::Reference::step) does. Never blocks on the device.
    ///
    /// Cost: three launches, six with [`Summing::Sides`], two with [`Summing::Units`] and one more for traces. With
    /// [`Summing::Transforms`], three plus 18 for RR, and 20 for DA and DR of each heading, in worlds of up to 2^24
    /// space units. Worlds with openings take two to eight more.
    ///
    /// # Errors
    /// When the device is lost.
    #[allow(unsafe_code)]
    pub fn step(&mut self, device: &Device) -> Result<(), Error> {
        let (parameters, config) = (self.parameters, self.config);
        let grid = parameters.grid;
        let tiles = grid.width.div_ceil(TILE_COLUMNS) * grid.height.div_ceil(TILE_ROWS);
        let floor = FloorBuffers {
            occupants: &self.occupants,
            periods: &self.periods,
            planes: &self.planes,
            tables: &self.tables,
        };
        device.launch_cubes("social field: decide", tiles, TILE_THREADS, |client, cubes, dim| {
            let (params, intents) = (parameters.arg(), self.intents.arg());
            // SAFETY: space units belong to the part of the tile in the world, or are neighbours and offsets that the
            // grid returns. Indices of occupants and their headings come from checked pedestrians. Planes exceed the
            // world by the radius, and windows and sides reach at most that far from a space unit. Tables have a value
            // for each ring up to the radius.
            unsafe {
                kernels::decide::launch_unchecked(client, cubes, dim, params, floor.arg(), intents, config);
            };
        })?;
        device.launch("social field: vote", grid.units(), |client, cubes, dim| {
            let (intents, occupants) = (self.intents.arg(), self.occupants.arg());
            let periods = self.periods.arg();
            let params = parameters.arg();
            // SAFETY: space units belong to the world or are neighbours that the grid returns, and indices of occupants
            // come from checked pedestrians.
            unsafe {
                kernels::vote::launch_unchecked(client, cubes, dim, params, intents, occupants, periods, config);
            };
        })?;
        if config.trace_decay > 0 {
            device.launch("social field: leave traces", grid.units(), |client, cubes, dim| {
                let voted = VotedBuffers { intents: &self.intents, occupants: &self.occupants };
                let (params, traces) = (parameters.arg(), self.planes.traces.arg());
                floor::leave_traces::launch(client, cubes, dim, params, voted.arg(), traces, config);
            })?;
        }
        self.parameters.tick += 1;
        self.with_openings(|openings, crowd| openings.end_tick(device, crowd))?;
        Ok(self.refresh(device)?)
    }

    /// Returns the pedestrians.
    ///
    /// # Errors
    /// When the device fails.
    pub fn pedestrians(&self, device: &Device) -> Result<Pedestrians, DeviceError> {
        let count = self.headings.len();
        let has_openings = self.openings.is_some();
        let mut pedestrians = Pedestrians {
            at: vec![EMPTY; count],
            heading: if has_openings { vec![STANDS; count] } else { self.headings.clone() },
            period: self.walk_periods.clone(),
            due: vec![self.parameters.tick; count],
            exits: self.exits.clone(),
            ..Pedestrians::default()
        };
        for (unit, occupant) in device.read(&self.occupants)?.into_iter().enumerate() {
            let number = (occupant & NUMBER) as usize;
            // Skips words that are not indices of pedestrians, such as damaged ones.
            if let Some(at) = pedestrians.at.get_mut(number).filter(|_| occupant < WALL) {
                *at = unit as u32;
                pedestrians.heading[number] = (occupant >> NUMBER_BITS) as u8;
            }
        }
        if self.config.has_periods {
            pedestrians.due = device.read(&self.periods.due)?;
            pedestrians.due.truncate(count);
        }
        if self.config.has_free_from {
            pedestrians.free_from = device.read(&self.periods.free_from)?;
        }
        if self.config.trace_decay > 0 {
            pedestrians.traces = device.read(&self.planes.traces)?;
        }
        if let Some(openings) = &self.openings {
            openings.complete(device, &mut pedestrians)?;
        }
        pedestrians.normalize(self.parameters.tick);
        Ok(pedestrians)
    }

    /// Returns the size of the state in device memory, bytes.
    pub fn bytes(&self) -> usize {
        let Self { occupants, intents, planes, periods, .. } = self;
        let PlanesBuffers { rows, columns, traces, sums } = planes;
        let PeriodsBuffers { walk, due, free_from } = periods;
        let words = [occupants, intents, rows, columns, traces, sums, walk, due, free_from];
        let openings = self.openings.as_ref().map_or(0, DeviceOpenings::bytes);
        let transforms = self.transforms.as_ref().map_or(0, DeviceTransforms::bytes);
        let words = words.iter().map(|buffer| 4 * buffer.len()).sum::<usize>();
        words + 4 * self.tables.static_scores.len() + openings + transforms
    }
}
