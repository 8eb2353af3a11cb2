//! Prepares a run, and repeats it if the first attempt fails on this device.

use std::time::Instant;

use throng_device::{Arithmetic, Device, DeviceError};

use super::super::buffers::Buffers;
use super::super::hashes::Hashes;
use super::super::kernels::KernelConfig;
use super::super::outbox::Outbox;
use super::super::suitability::{unsuitable, unsuitable_device};
use super::super::upload::{CalendarSize, Source, Speeds};
use super::super::volumes::Volumes;
use super::{AttemptEnd, BatchSize, DeviceRun};
use crate::pacing::Pacing;
use crate::prepare::checked::CheckedScenario;
use crate::prepare::clock::Clock;
use crate::prepare::end::End;
use crate::prepare::first_activities::{first_activities, start_time};
use crate::prepare::layout::Layout;
use crate::prepare::rules::{Rules, kinds, main_modes, ranks};
use crate::vehicle_uses::{VehicleUses, followed_vehicles};
use crate::{RunError, RunOptions, RunOutcome};
use throng_traffic_scenario::Scenario;
use throng_traffic_scenario::events::EventSink;

/// Number of steps of a batch, unless their events do not fit into the buffer.
const BATCH_STEPS: i64 = 128;
/// Minimum and maximum event capacity of a batch in the first attempt.
const EVENT_CAPACITY: (usize, usize) = (1 << 14, 1 << 24);

/// Runs a scenario with the pauses of `pacing`. If a batch has more events than its buffer holds, the run is repeated
/// with shorter batches, then larger buffers; if a pool is full, with a larger one; if a grid barrier times out, with
/// one launch for each half of a step.
pub fn run(
    scenario: &Scenario,
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    pacing: &mut Pacing<'_>,
    device: &Device,
) -> Result<RunOutcome, RunError> {
    let began = Instant::now();
    let scenario = CheckedScenario::new(scenario)?;
    if let Some(reason) = unsuitable_device(device.info()).or_else(|| unsuitable(&scenario)) {
        return Err(RunError::NotOnDevice { device: device.label(), reason });
    }
    let followed = followed_vehicles(&scenario);
    let mut uses = VehicleUses::new(&scenario, &followed, sink);
    let result = run_checked(scenario, &followed, &mut uses, options, pacing, (device, began));
    uses.finish(result)
}

fn run_checked(
    scenario: CheckedScenario<'_>,
    followed: &[u32],
    sink: &mut dyn EventSink,
    options: &RunOptions<'_>,
    pacing: &mut Pacing<'_>,
    (device, began): (&Device, Instant),
) -> Result<RunOutcome, RunError> {
    let is_main = main_modes(&scenario);
    let agents = first_activities(&scenario);
    let Some(start) = start_time(&scenario, &agents) else {
        return Ok(RunOutcome { threads: 1, ..RunOutcome::default() });
    };
    let (rules, kinds) = (Rules::new(&scenario, !followed.is_empty()), kinds(&scenario));
    let speeds = Speeds::new(&kinds);
    let layout = Layout::new(&scenario.network, 1, |_| 1);
    let clock = Clock::new(start, rules.step_s);
    let config = KernelConfig {
        record: sink.wants_events(),
        volumes: options.volume_bin_s.is_some(),
        boarding_denied: sink.wants_events() && scenario.settings.transit.has_boarding_denied_events,
        ..kernel_config(&rules)
    };
    check_arithmetic(device, rules.step_s)?;
    device.check_buffers(Buffers::MAX_PER_KERNEL)?;
    let source = Source {
        scenario,
        followed,
        layout: &layout,
        rules: &rules,
        kinds: &kinds,
        speeds: &speeds,
        is_main: &is_main,
        calendar: CalendarSize::of(scenario.population.persons()),
        config,
    };
    let initial_agents = source.agents(&agents, &clock);
    let ranks = ranks(&scenario);
    let persons = scenario.population.persons();
    let mut size = BatchSize {
        steps: BATCH_STEPS,
        events: (6 * persons).clamp(EVENT_CAPACITY.0, EVENT_CAPACITY.1),
        persistent: true,
        pools: 1,
    };
    let mut outbox = Outbox::new(sink, &layout.link_external);
    let mut end = End::of(&scenario, options);
    let mut prepared = None;
    loop {
        // This includes the memory of an earlier attempt.
        device.release_unused()?;
        let buffers = Buffers::new(device, &source, &initial_agents, &ranks, size.pools)?;
        let mut run = DeviceRun {
            device,
            source: &source,
            buffers,
            volumes: Volumes::new(device, &layout, options.volume_bin_s, start)?,
            clock: clock.clone(),
            end: &mut end,
            pacing: &mut *pacing,
            options,
            outbox: &mut outbox,
            hashes: Hashes::new(options.hash_every),
            size,
            living: initial_agents.living,
            outcome: RunOutcome { threads: 1, start_time: start, ..RunOutcome::default() },
            spare_events: Vec::new(),
            lock: None,
        };
        run.lock = run.take_lock();
        run.warm_up()?;
        // The time of a failed attempt counts as simulation.
        run.outcome.preparation_s = *prepared.get_or_insert_with(|| began.elapsed().as_secs_f64());
        match run.run()? {
            AttemptEnd::Finished(outcome) => return Ok(*outcome),
            AttemptEnd::TooManyEvents if size.steps > 1 => size.steps = (size.steps / 8).max(1),
            AttemptEnd::TooManyEvents => size.events *= 4,
            AttemptEnd::PoolFull => size.pools *= 2,
            AttemptEnd::BarrierTimedOut => size.persistent = false,
        }
    }
}

/// The rules that are compiled into the kernels, without results.
fn kernel_config(rules: &Rules) -> KernelConfig {
    KernelConfig {
        passing: rules.passing,
        dynamics: rules.dynamics,
        selection: rules.selection,
        links: rules.links,
        journeys: rules.journeys,
        interpretation: rules.interpretation,
        record: false,
        volumes: false,
        boarding_denied: false,
    }
}

/// Rejects devices whose results would differ.
fn check_arithmetic(device: &Device, step_s: f64) -> Result<(), DeviceError> {
    match Arithmetic::of(device)?.lacks(step_s != 1.0) {
        Some(lacks) => Err(DeviceError::Unsuitable { device: device.label(), lacks: lacks.to_owned() }),
        None => Ok(()),
    }
}
