//! Transfers between calls.

use std::collections::BTreeMap;

use throng_core::InputError;

use super::arrays::Arrays;
use super::parameters::TransitRouterParameters;
use super::stops_by_x::StopsByX;
use super::timetable::{MAX_TIME_S, TransferTime};

/// A transfer to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Transfer {
    /// The call at which the next ride begins.
    pub(super) to_call: u32,
    /// Time, seconds.
    pub(super) time_s: i32,
}

/// The transfers from each call, in the order of their targets' stops and calls.
#[derive(Debug)]
pub(super) struct Transfers {
    first: Vec<u32>,
    transfers: Vec<Transfer>,
}

impl Transfers {
    /// Finds the transfers within and between stops: those within the maximum beeline, and the listed ones. It leaves
    /// out those that [`is_useless`].
    pub(super) fn new(
        arrays: &Arrays,
        stops: &StopsByX,
        listed: &[TransferTime],
        parameters: &TransitRouterParameters,
    ) -> Result<Self, InputError> {
        let of_stops: Vec<_> = connections(arrays, stops, listed, parameters)?;
        let connects = |from: u32, to: u32| of_stops[from as usize].binary_search_by_key(&to, |&(to, _)| to).is_ok();
        let mut first = vec![0];
        let mut transfers = Vec::new();
        for from_call in 0..arrays.calls() as u32 {
            for &(to_stop, time_s) in &of_stops[arrays.stop[from_call as usize] as usize] {
                let targets = arrays.calls_at(to_stop).iter();
                let useful = targets.filter(|&&to_call| !is_useless(arrays, connects, from_call, to_call));
                transfers.extend(useful.map(|&to_call| Transfer { to_call, time_s }));
            }
            first.push(transfers.len() as u32);
            check_number(transfers.len(), parameters)?;
        }
        Ok(Self { first, transfers })
    }

    /// The transfers from a call.
    pub(super) fn from(&self, call: u32) -> &[Transfer] {
        &self.transfers[self.first[call as usize] as usize..self.first[call as usize + 1] as usize]
    }
}

/// Returns, for each stop, the stops to which one may change, ascending, and the time it takes, seconds.
fn connections(
    arrays: &Arrays,
    stops: &StopsByX,
    listed: &[TransferTime],
    parameters: &TransitRouterParameters,
) -> Result<Vec<Vec<(u32, i32)>>, InputError> {
    let mut of_stops = vec![Vec::new(); arrays.stops()];
    let mut number = 0;
    let speed_mps = parameters.beeline_speed_mps();
    let mut near = Vec::new();
    for (from, connections) in of_stops.iter_mut().enumerate() {
        if arrays.calls_at(from as u32).is_empty() {
            continue;
        }
        stops.within(arrays.coordinates[from], parameters.max_beeline_walk_connection_m, &mut near);
        let walk = |&(to, beeline_m): &(u32, f64)| {
            let time_s = (beeline_m / speed_mps).max(parameters.additional_transfer_time_s).ceil();
            (to, time_s.min(f64::from(MAX_TIME_S)) as i32)
        };
        connections.extend(near.iter().map(walk));
        number += near.len();
        check_number(number, parameters)?;
    }
    let listed: BTreeMap<_, _> = listed.iter().map(|time| ((time.from_stop, time.to_stop), time.time_s)).collect();
    for ((from, to), time_s) in listed {
        if arrays.calls_at(from).is_empty() || arrays.calls_at(to).is_empty() {
            continue;
        }
        let connections = &mut of_stops[from as usize];
        let time_s = time_s as i32;
        match connections.binary_search_by_key(&to, |&(to, _)| to) {
            Ok(index) => connections[index].1 = time_s,
            Err(index) => connections.insert(index, (to, time_s)),
        }
    }
    Ok(of_stops)
}

/// Maximum number of transfers, which take 2 GB.
const MAX_TRANSFERS: usize = 1 << 28;

fn check_number(transfers: usize, parameters: &TransitRouterParameters) -> Result<(), InputError> {
    if transfers <= MAX_TRANSFERS {
        return Ok(());
    }
    let message = format!("{} m gives more than {MAX_TRANSFERS} transfers", parameters.max_beeline_walk_connection_m);
    Err(InputError::one("transitRouter.maxBeelineWalkConnectionDistance", message, "Lower it."))
}

/// Whether no connection needs a transfer from one call to another one. `connects` tells whether one may change from
/// one stop to another one.
///
/// * Persons do not alight at the first call of a route, nor board at its last one.
/// * The last departure of the second route is before the first arrival of the first one.
/// * The first route also has the stop of the second call, where one could alight, and it is another one.
/// * The second route has only stops that follow on the first one, too: stay seated.
/// * The second route returns to the stop before, or to one to which one could have changed there.
fn is_useless(arrays: &Arrays, connects: impl Fn(u32, u32) -> bool, from_call: u32, to_call: u32) -> bool {
    if arrays.is_first(from_call) || arrays.is_last(to_call) {
        return true;
    }
    let stop = |call: u32| arrays.stop[call as usize];
    let departures = |call: u32| &arrays.departure_time_s[arrays.departures(arrays.route[call as usize])];
    let (Some(first), Some(last)) = (departures(from_call).first(), departures(to_call).last()) else { return true };
    if last + arrays.departure_s[to_call as usize] < first + arrays.arrival_s[from_call as usize] {
        return true;
    }
    let (first_from, from_stops) = arrays.stops_of_route(from_call);
    let (first_to, to_stops) = arrays.stops_of_route(to_call);
    let to_stop = stop(to_call);
    if stop(from_call) != to_stop && from_stops.contains(&to_stop) {
        return true;
    }
    let after_from = &from_stops[(from_call - first_from) as usize + 1..];
    let after_to = &to_stops[(to_call - first_to) as usize + 1..];
    if after_from.starts_with(after_to) {
        return true;
    }
    let (before, next) = (stop(from_call - 1), stop(to_call + 1));
    before == next || connects(before, next)
}
