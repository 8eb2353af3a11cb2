//! What agents do outside traffic: end activities, depart, arrive, be teleported.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;

use super::super::record::*;
use super::calendar;
use super::emit::{Teller, count, done, emit, fail};
use super::lists::{append, departures_at, person_word};
use super::world::{Fixed, Now, World};
use throng_traffic_scenario::events::EventKind;

/// Numbers of phases, in the order of their events.
pub const PHASE_AGENTS: u32 = 0;
pub const PHASE_NODES: u32 = 1;
pub const PHASE_LINKS: u32 = 2;
pub const PHASE_TELEPORTS: u32 = 3;

/// Kind and mode of an event.
#[cube]
pub fn what(#[comptime] kind: EventKind, mode: u32) -> u32 {
    comptime!(kind as u32) | (mode << MODE_SHIFT)
}

/// The mode of no mode.
pub const NO_MODE: u32 = 255;

#[cube]
fn plan_word(element: u32, word: u32) -> usize {
    (element * PLAN_WORDS + word) as usize
}

/// How agents of one phase tell things: in the order in which they come, later id texts first.
#[cube]
pub fn agent_teller(world: &World, person: u32, phase: u32) -> Teller {
    Teller { phase, owner: NONE - world.ranks[person as usize] }
}

/// The end of an activity that begins now, which is never in the past; `now.run.long_ago` when it has none.
/// `crate::rules::activity_end` says the same of times that may be undefined.
#[cube]
fn activity_end(now: &Now, code: u32, end_time: f64, duration: f64) -> f64 {
    let by_duration = now.time + duration;
    let has_end = (code & HAS_TIME) != 0u32;
    let mut has_duration = (code & HAS_DURATION) != 0u32;
    if now.run.interpretation == END_TIME_ONLY {
        has_duration = false;
    }
    let mut end = now.run.long_ago;
    if has_end {
        end = end_time;
        if now.run.interpretation == MIN_OF_BOTH {
            if has_duration && by_duration < end_time {
                end = by_duration;
            }
        }
        if end < now.time {
            end = now.time;
        }
    } else if has_duration {
        end = by_duration;
        if end < now.time {
            end = now.time;
        }
    }
    end
}

/// The agent leaves the simulation; its vehicle, if it has one, stays where no agent can use it.
#[cube]
pub fn abort(
    world: &mut World,
    now: &Now,
    teller: &Teller,
    person: u32,
    link: u32,
    mode: u32,
    #[comptime] fixed: Fixed,
) {
    emit(world, now, teller, what(EventKind::StuckAndAbort, mode), person, link, NONE, fixed);
    world.persons[person_word(person, DOES)] = DOES_NOTHING;
    count(world, ABORTED, 1u32);
    done(world, now);
}

/// The driver enters the vehicle, which joins those that wait to enter traffic. `second`: the link after the first, if there
/// is one.
#[cube]
fn enter_vehicle(
    world: &mut World,
    now: &Now,
    teller: &Teller,
    person: u32,
    element: u32,
    code: u32,
    vehicle: u32,
    second: u32,
    #[comptime] fixed: Fixed,
) {
    world.vehicle_places[vehicle as usize] = NOWHERE;
    emit(world, now, teller, what(EventKind::PersonEntersVehicle, NO_MODE.runtime()), person, NONE, vehicle, fixed);
    let position = world.plans[plan_word(element, ROUTE)];
    let ahead = world.plans[plan_word(element, ROUTE_AHEAD)];
    let kind = (code >> KIND_SHIFT) & comptime!((1 << KIND_BITS) - 1);
    world.persons[person_word(person, NEXT_LINK)] = select(ahead > 0u32, second, ARRIVE.runtime());
    world.persons[person_word(person, POSITION)] = position;
    world.persons[person_word(person, AHEAD_KIND)] = (ahead << KIND_BITS) | kind;
    world.persons[person_word(person, VEHICLE)] = vehicle;
    world.persons[person_word(person, DOES)] = DOES_DRIVE;
}

/// Tries to get into the vehicle of a leg; true when the driver did.
#[cube]
fn take_vehicle(
    world: &mut World,
    now: &Now,
    teller: &Teller,
    person: u32,
    element: u32,
    code: u32,
    link: u32,
    #[comptime] fixed: Fixed,
) -> bool {
    let vehicle = world.plans[plan_word(element, PLAN_VEHICLE)];
    let position = world.plans[plan_word(element, ROUTE)];
    let second = world.route_links[(position + 1u32) as usize];
    let mut place = NONE.runtime();
    if vehicle != NONE {
        place = world.vehicle_places[vehicle as usize];
    }
    let mut taken = place == link;
    if !taken {
        if now.run.behavior == TELEPORT_VEHICLE && place < NOWHERE {
            taken = true;
            count(world, TELEPORTED_VEHICLES, 1u32);
        }
    }
    if taken {
        enter_vehicle(world, now, teller, person, element, code, vehicle, second, fixed);
    } else if now.run.behavior == WAIT_FOR_VEHICLE {
        world.persons[person_word(person, DOES)] = DOES_WAIT;
        world.persons[person_word(person, NEXT_LINK)] = link;
    } else {
        let mut error = ERROR_VEHICLE.runtime();
        if place == NOWHERE {
            error = ERROR_IN_USE.runtime();
        }
        fail(world, now, error, person, element, link);
        world.persons[person_word(person, DOES)] = DOES_NOTHING;
    }
    taken
}

/// The beginning of the record of the element after one, asked for long before it is needed.
#[derive(CubeType, Clone, Copy)]
pub struct Following {
    code: u32,
    detail: u32,
    time: f64,
    duration: f64,
}

/// What follows an element; nothing that means anything after the last one.
#[cube]
pub fn following(world: &World, element: u32) -> Following {
    let next = element + 1u32;
    Following {
        code: world.plans[plan_word(next, CODE)],
        detail: world.plans[plan_word(next, DETAIL)],
        time: world.plan_times[(next * PLAN_REALS) as usize],
        duration: world.plan_times[(next * PLAN_REALS + 1u32) as usize],
    }
}

/// Goes on with the plan element after `from`, and with the next ones as far as they take no time. Who departs in a
/// vehicle joins the departures of its link; on the link that is being stepped (`on_link`) the waiting list itself, unless a
/// teleport came between. `leaving`: activities end in this half of the step, and teleports come later in the step.
#[cube]
pub fn proceed(
    world: &mut World,
    now: &Now,
    teller: &mut Teller,
    person: u32,
    from: u32,
    first: &Following,
    at: u32,
    on_link: bool,
    #[comptime] leaving: bool,
    #[comptime] fixed: Fixed,
) {
    let mut element = from;
    let mut link = at;
    let mut here = on_link;
    let mut code = first.code;
    let mut detail = first.detail;
    let mut time = first.time;
    let mut duration = first.duration;
    let mut going = true;
    while going {
        if (world.plans[plan_word(element, CODE)] & IS_LAST) != 0u32 {
            abort(world, now, teller, person, link, NO_MODE.runtime(), fixed);
            going = false;
        } else {
            element += 1u32;
            world.persons[person_word(person, ELEMENT)] = element;
            let mode = code & 0xFFu32;
            if (code & IS_LEG) == 0u32 {
                emit(
                    world,
                    now,
                    teller,
                    what(EventKind::ActivityStart, NO_MODE.runtime()),
                    person,
                    link,
                    detail,
                    fixed,
                );
                let end = activity_end(now, code, time, duration);
                if end == now.run.long_ago || (code & IS_LAST) != 0u32 {
                    world.persons[person_word(person, DOES)] = DOES_NOTHING;
                    done(world, now);
                    going = false;
                } else if end > now.time {
                    world.times[person as usize] = end;
                    world.persons[person_word(person, DOES)] = DOES_ACTIVITY;
                    world.persons[person_word(person, NEXT_LINK)] = link;
                    calendar::add(world, now, person, now.step + 1u32, 0u32);
                    going = false;
                } else {
                    emit(
                        world,
                        now,
                        teller,
                        what(EventKind::ActivityEnd, NO_MODE.runtime()),
                        person,
                        link,
                        detail,
                        fixed,
                    );
                }
            } else if (code & IS_MISSING) != 0u32 {
                abort(world, now, teller, person, link, mode, fixed);
                going = false;
            } else {
                emit(world, now, teller, what(EventKind::Departure, mode), person, link, detail, fixed);
                if (code & IS_MAIN) != 0u32 {
                    going = false;
                    if take_vehicle(world, now, teller, person, element, code, link, fixed) {
                        if here {
                            append(world, link, person, WAITING);
                        } else {
                            // Links have been stepped, or are just being stepped, when anybody departs after a leg.
                            let step = now.step + comptime!(u32::from(!leaving));
                            let before = world.departures[departures_at(now, step, link)].swap(person);
                            world.persons[person_word(person, NEXT)] = before;
                        }
                    }
                } else if (code & HAS_TIME) == 0u32 {
                    fail(world, now, ERROR_NO_TIME, person, element, link);
                    world.persons[person_word(person, DOES)] = DOES_NOTHING;
                    going = false;
                } else {
                    let arrival = now.time + time;
                    world.times[person as usize] = arrival;
                    world.persons[person_word(person, DOES)] = DOES_TELEPORT;
                    if comptime!(leaving) {
                        calendar::add(world, now, person, now.step, 1u32);
                        going = false;
                    } else if arrival <= now.time {
                        teller.phase = PHASE_TELEPORTS.runtime();
                        teller.owner = NONE - world.ranks[person as usize];
                        link = end_teleport(world, now, teller, person, element, fixed);
                        here = false;
                    } else {
                        calendar::add(world, now, person, now.step + 1u32, 1u32);
                        going = false;
                    }
                }
            }
        }
        if going {
            let next = following(world, element);
            code = next.code;
            detail = next.detail;
            time = next.time;
            duration = next.duration;
        }
    }
}

/// A teleported agent arrives; returns where.
#[cube]
pub fn end_teleport(
    world: &mut World,
    now: &Now,
    teller: &Teller,
    person: u32,
    element: u32,
    #[comptime] fixed: Fixed,
) -> u32 {
    let mode = world.plans[plan_word(element, CODE)] & 0xFFu32;
    let detail = world.plans[plan_word(element, DETAIL)];
    let destination = world.plans[plan_word(element, PLACE)];
    emit(world, now, teller, what(EventKind::Travelled, mode), person, NONE, detail, fixed);
    emit(world, now, teller, what(EventKind::Arrival, mode), person, destination, detail, fixed);
    count(world, ARRIVALS, 1u32);
    destination
}

/// A vehicle arrives on a link, where it is parked. True when its driver can go on with the plan: the leg ends here.
#[cube]
pub fn arrive(world: &mut World, now: &Now, teller: &Teller, link: u32, person: u32, #[comptime] fixed: Fixed) -> bool {
    let element = world.persons[person_word(person, ELEMENT)];
    let vehicle = world.persons[person_word(person, VEHICLE)];
    let mode = world.plans[plan_word(element, CODE)] & 0xFFu32;
    let detail = world.plans[plan_word(element, DETAIL)];
    let destination = world.plans[plan_word(element, PLACE)];
    world.vehicle_places[vehicle as usize] = link;
    emit(world, now, teller, what(EventKind::VehicleLeavesTraffic, mode), person, link, vehicle, fixed);
    emit(world, now, teller, what(EventKind::PersonLeavesVehicle, NO_MODE.runtime()), person, NONE, vehicle, fixed);
    emit(world, now, teller, what(EventKind::Arrival, mode), person, destination, detail, fixed);
    count(world, ARRIVALS, 1u32);
    if destination != link {
        abort(world, now, teller, person, link, mode, fixed);
    }
    destination == link
}

/// An activity is over.
#[cube]
pub fn end_activity(world: &mut World, now: &Now, person: u32, #[comptime] fixed: Fixed) {
    let mut teller = agent_teller(world, person, PHASE_AGENTS.runtime());
    let element = world.persons[person_word(person, ELEMENT)];
    let link = world.persons[person_word(person, NEXT_LINK)];
    let next = following(world, element);
    // Plans may begin with a leg.
    if (world.plans[plan_word(element, CODE)] & IS_LEG) == 0u32 {
        let detail = world.plans[plan_word(element, DETAIL)];
        emit(world, now, &teller, what(EventKind::ActivityEnd, NO_MODE.runtime()), person, link, detail, fixed);
    }
    let on_link = false;
    proceed(world, now, &mut teller, person, element, &next, link, on_link, true, fixed);
}
