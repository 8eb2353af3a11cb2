//! The executor for bodies on devices.
use throng_device::Error;
use throng_device::{Buffer, Device, DeviceError, KernelParameter};

use super::super::bodies::Plan;
use super::super::fields::FieldTables;
use super::super::rules::direction::NONE;
use super::super::rules::draws::Seed;
use super::super::rules::grid::NOWHERE;
use super::super::scene::{BodyLimits, Pedestrians, World};
use super::super::static_fields::indexed_scores;
use super::body_kernels::{self, BodyConfig, BodyFloorBuffers, BodyParameters, BodyTablesBuffers, PeopleBuffers};

/// A world of pedestrians whose bodies cover several space units, on a device.
#[derive(Debug)]
pub struct DeviceBodies {
    parameters: BodyParameters,
    config: BodyConfig,
    /// The pedestrians before the first tick; their headings, periods, limits and constant bodies stay valid.
    pedestrians: Pedestrians,
    floor: BodyFloorBuffers,
    winners: Buffer<u32>,
    people: PeopleBuffers,
    tables: BodyTablesBuffers,
}

impl DeviceBodies {
    /// Creates a world with pedestrians before `tick`. Memory on the device: 8 bytes per space unit, 12 with walk
    /// periods above 1, 32 more where walls have fields, and 24 per pedestrian, 32 where bodies change their size.
    ///
    /// # Errors
    /// As for [`SocialFieldBuilder::build`](super::super::SocialFieldBuilder::build), and when the device has too
    /// little memory.
    pub fn new(
        device: &Device,
        world: &World,
        tables: &FieldTables,
        pedestrians: &Pedestrians,
        seed: u64,
        tick: u32,
    ) -> Result<Self, Error> {
        let plan = Plan::new(world, tables, pedestrians)?;
        let occupants = pedestrians.occupants(world)?;
        let mut pedestrians = pedestrians.clone();
        pedestrians.begin_changes();
        pedestrians.free_from = pedestrians.complete_free_from(world)?;
        let scores = indexed_scores(world, tables)?;
        let config = BodyConfig {
            reading: tables.reading,
            equal_speeds: tables.equal_speeds,
            has_static_scores: !scores.is_empty(),
            has_free_from: !pedestrians.free_from.is_empty(),
            changes: pedestrians.has_changing_bodies(),
        };
        let parameters = BodyParameters {
            grid: world.grid,
            weights: tables.weights,
            pedestrians: pedestrians.len() as u32,
            extent: plan.extent,
            longest: plan.sectors.longest,
            seed: Seed::new(seed),
            tick,
            squeeze_after: tables.squeeze_after,
        };
        let shape = |pedestrian: usize| {
            let [columns, rows] = pedestrians.body(pedestrian).map(u32::from);
            u32::from(pedestrians.heading[pedestrian]) | columns << 8 | rows << 16
        };
        let limits = |BodyLimits { smallest: [columns, rows], largest: [most_columns, most_rows] }: &BodyLimits| {
            u32::from_le_bytes([*columns, *rows, *most_columns, *most_rows])
        };
        let limits: Vec<u32> = pedestrians.limits.iter().map(limits).collect();
        let strengths: Vec<i32> = tables.strengths.iter().flatten().copied().collect();
        let sectors: Vec<u32> = plan.sectors.sectors.iter().map(|&sector| sector.into()).collect();
        let count = pedestrians.len();
        Ok(Self {
            parameters,
            config,
            floor: BodyFloorBuffers {
                occupants: device.upload("occupants", &occupants)?,
                free_from: device.upload("ticks of free space units", &pedestrians.free_from)?,
            },
            winners: device.empty("winners", occupants.len())?,
            people: PeopleBuffers {
                at: device.upload("places", &pedestrians.at)?,
                shapes: device.upload("bodies", &(0..count).map(shape).collect::<Vec<_>>())?,
                periods: device.upload("walk periods", &pedestrians.period)?,
                due: device.upload("due ticks", &pedestrians.due)?,
                intents: device.upload("intents", &vec![NONE; count])?,
                to: device.upload("destinations", &vec![NOWHERE; count])?,
                limits: device.upload("limits of bodies", &limits)?,
                blocked: device.upload("blocked ticks", &pedestrians.blocked)?,
            },
            tables: BodyTablesBuffers {
                strengths: device.upload("strengths", &strengths)?,
                sectors: device.upload("sectors", &sectors)?,
                static_scores: device.upload("scores of walls", &scores)?,
            },
            pedestrians,
        })
    }

    /// Simulates one tick, as [`Reference::step`](super::super::Reference::step) does. Never blocks on the device.
    ///
    /// Cost: four launches.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn step(&mut self, device: &Device) -> Result<(), DeviceError> {
        let Self { parameters, config, floor, winners, people, tables, .. } = self;
        let (units, count) = (parameters.grid.units(), parameters.pedestrians as usize);
        device.launch("bodies: decide", count, |client, cubes, dim| {
            let (params, floor, people, tables) = (parameters.arg(), floor.arg(), people.arg(), tables.arg());
            body_kernels::decide::launch(client, cubes, dim, params, floor, people, tables, *config);
        })?;
        device.launch("bodies: vote", units, |client, cubes, dim| {
            let (params, occupants, winners) = (parameters.arg(), floor.occupants.arg(), winners.arg());
            body_kernels::vote::launch(client, cubes, dim, params, occupants, people.arg(), winners);
        })?;
        device.launch("bodies: settle", count, |client, cubes, dim| {
            let (params, occupants, winners) = (parameters.arg(), floor.occupants.arg(), winners.arg());
            body_kernels::settle::launch(client, cubes, dim, params, occupants, winners, people.arg(), *config);
        })?;
        device.launch("bodies: move", units, |client, cubes, dim| {
            let (params, winners, people, floor) = (parameters.arg(), winners.arg(), people.arg(), floor.arg());
            body_kernels::move_bodies::launch(client, cubes, dim, params, winners, people, floor, *config);
        })?;
        parameters.tick += 1;
        Ok(())
    }

    /// Returns the pedestrians.
    ///
    /// # Errors
    /// When the device fails.
    pub fn pedestrians(&self, device: &Device) -> Result<Pedestrians, DeviceError> {
        let mut pedestrians = self.pedestrians.clone();
        pedestrians.at = device.read(&self.people.at)?;
        pedestrians.due = device.read(&self.people.due)?;
        if self.config.has_free_from {
            pedestrians.free_from = device.read(&self.floor.free_from)?;
        }
        if self.config.changes {
            pedestrians.blocked = device.read(&self.people.blocked)?;
            let shapes = device.read(&self.people.shapes)?;
            pedestrians.bodies = shapes.iter().map(|shape| [(shape >> 8) as u8, (shape >> 16) as u8]).collect();
            pedestrians.bodies.truncate(self.pedestrians.len());
        }
        for column in [&mut pedestrians.at, &mut pedestrians.due, &mut pedestrians.blocked] {
            column.truncate(self.pedestrians.len());
        }
        pedestrians.normalize(self.parameters.tick);
        Ok(pedestrians)
    }
}
