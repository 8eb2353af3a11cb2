//! Routing of legs that have no route.

use rayon::prelude::*;

use super::modes::ModeRules;
use super::report::Report;
use crate::formats::value::quoted;
use throng_traffic_scenario::{ModeId, ModeTable, Network, Population, RouteKind};

/// Maximum number of legs routed before their routes are stored; bounds the memory of pending routes.
const BATCH: usize = 1 << 15;

/// A leg that needs a path through the network, from its first to its last link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RouteRequest {
    /// Index of the leg.
    pub(super) leg: u32,
    /// Index of the person, for messages.
    pub(super) person: u32,
    /// Line of the leg, for messages.
    pub(super) line: u64,
    /// If set, the path only determines the duration of a teleported leg: this multiple of the car travel time.
    pub(super) car_time_factor: Option<f64>,
}

/// Finds a path for a mode from one link to another, including both.
pub(super) type FindPath<'a> = dyn Fn(ModeId, u32, u32) -> Option<Vec<u32>> + Sync + 'a;

/// Context for processing the requests.
pub(super) struct Filling<'a> {
    pub(super) network: &'a Network,
    pub(super) modes: &'a ModeTable,
    pub(super) rules: &'a ModeRules,
    pub(super) car: ModeId,
    pub(super) find: &'a FindPath<'a>,
}

impl Filling<'_> {
    /// Routes all requests in parallel and stores the results in their legs. `done` receives the number processed.
    pub(super) fn fill(
        &self,
        requests: &[RouteRequest],
        population: &mut Population,
        report: &mut Report<'_>,
        done: impl Fn(usize),
    ) {
        for (number, batch) in requests.chunks(BATCH).enumerate() {
            let legs = &population.legs;
            let route = |request: &RouteRequest| {
                let leg = request.leg as usize;
                let (from, to) = (legs.start_link[leg], legs.end_link[leg]);
                if from == to {
                    return Some(vec![from]);
                }
                (self.find)(self.mode(request, legs.mode[leg]), from, to)
            };
            let paths: Vec<_> = batch.par_iter().map(route).collect();
            for (request, path) in batch.iter().zip(paths) {
                match path {
                    Some(path) => self.store(request, &path, population),
                    None => self.report_missing(request, population, report),
                }
            }
            done(number * BATCH + batch.len());
        }
    }

    /// Returns the mode whose links the path may use.
    fn mode(&self, request: &RouteRequest, of_leg: ModeId) -> ModeId {
        if request.car_time_factor.is_some() { self.car } else { of_leg }
    }

    fn store(&self, request: &RouteRequest, path: &[u32], population: &mut Population) {
        let leg = request.leg as usize;
        let time = self.time_between(path);
        let legs = &mut population.legs;
        if let Some(factor) = request.car_time_factor {
            legs.route[leg] = RouteKind::Generic;
            // MATSim truncates to whole seconds twice: before the last link and at the end.
            legs.travel_time[leg] = match path {
                [_, .., last] => {
                    let last = *last as usize;
                    let on_last = self.network.length_m[last] / self.network.freespeed_mps[last];
                    ((time.trunc() + on_last) * factor).trunc()
                }
                _ => 0.0,
            };
            return;
        }
        legs.travel_time[leg] = time;
        legs.distance[leg] =
            path.iter().skip(1).map(|&link| self.network.length_m[link as usize]).fold(0.0, std::ops::Add::add);
        if self.rules.is_main(legs.mode[leg]) {
            legs.route[leg] = RouteKind::Links;
            legs.route_start[leg] = population.route_links.len() as u64;
            legs.route_len[leg] = path.len() as u32;
            population.route_links.extend_from_slice(path);
        } else {
            legs.route[leg] = RouteKind::Generic;
        }
    }

    /// Returns the free-flow travel time of the links between the first and the last one, as MATSim writes it into
    /// routes.
    fn time_between(&self, path: &[u32]) -> f64 {
        let inner = path.get(1..path.len().saturating_sub(1)).unwrap_or_default();
        let time = |&link: &u32| self.network.length_m[link as usize] / self.network.freespeed_mps[link as usize];
        // `sum` of an empty iterator would be -0.0.
        inner.iter().map(time).fold(0.0, std::ops::Add::add)
    }

    fn report_missing(&self, request: &RouteRequest, population: &Population, report: &mut Report<'_>) {
        let legs = &population.legs;
        let leg = request.leg as usize;
        let mode = self.modes.name(self.mode(request, legs.mode[leg]));
        let link = |link: u32| quoted(self.network.link_ids.name(link));
        let message = format!(
            "no route from link {} to link {} by {mode} for person {}",
            link(legs.start_link[leg]),
            link(legs.end_link[leg]),
            quoted(population.person_ids.name(request.person))
        );
        let remedy = format!("Check that links open to {mode} lead from one to the other; look for dead ends.");
        report.problem(request.line, message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use throng_core::Warnings;

    use super::*;
    use throng_traffic_scenario::settings::Settings;
    use throng_traffic_scenario::{Leg, NetworkBuilder};

    fn network() -> Network {
        let mut builder = NetworkBuilder::new();
        for i in 0..5 {
            builder = builder.node(&i.to_string(), f64::from(i), 0.0);
        }
        for i in 0..4 {
            builder = builder.link(&format!("l{i}"), &i.to_string(), &(i + 1).to_string(), 105.0, 10.0, 1.0, 1.0);
        }
        builder.build().unwrap()
    }

    fn fill(legs: &[(&str, u32, u32)], factor: Option<f64>) -> (Population, Vec<String>) {
        let network = network();
        let mut modes = ModeTable::default();
        let mut settings = Settings::default();
        settings.routing.network_modes = vec!["car".into(), "ride".into()];
        let rules = ModeRules::new(&settings, &mut modes).unwrap();
        let mut population = Population::default();
        population.begin_person("ann").unwrap();
        let mut requests = Vec::new();
        for (i, &(mode, from, to)) in legs.iter().enumerate() {
            let leg = population.add_leg(&Leg::new(modes.get(mode).unwrap(), from, to));
            requests.push(RouteRequest { leg, person: 0, line: i as u64, car_time_factor: factor });
        }
        // One-way: only from a link to one with a higher index.
        let find = |_: ModeId, from: u32, to: u32| (from < to).then(|| (from..=to).collect());
        let car = modes.get("car").unwrap();
        let filling = Filling { network: &network, modes: &modes, rules: &rules, car, find: &find };
        let mut warnings = Warnings::new();
        let mut report = Report::new("plans.xml".into(), &mut warnings);
        filling.fill(&requests, &mut population, &mut report, |_| {});
        (population, report.problems.shown().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn network_legs_get_links_time_and_distance() {
        let (population, problems) = fill(&[("car", 0, 3), ("car", 2, 2), ("car", 0, 1)], None);
        assert!(problems.is_empty());
        assert_eq!(population.route(0), [0, 1, 2, 3]);
        assert_eq!(population.route(1), [2]);
        assert_eq!(population.route(2), [0, 1]);
        assert_eq!(population.legs.route, [RouteKind::Links; 3]);
        assert_eq!(population.legs.travel_time, [21.0, 0.0, 0.0]);
        assert_eq!(population.legs.distance, [315.0, 0.0, 105.0]);
    }

    #[test]
    fn routed_modes_that_are_not_simulated_keep_time_and_distance_only() {
        let (population, _) = fill(&[("ride", 0, 3)], None);
        assert_eq!(population.legs.route, [RouteKind::Generic]);
        assert_eq!((population.legs.travel_time[0], population.legs.distance[0]), (21.0, 315.0));
        assert!(population.route_links.is_empty());
    }

    #[test]
    fn the_car_travel_time_is_multiplied_and_rounded_down() {
        // (21 + 10.5) * 2.1 = 66.15; 0 if both ends are on the same link.
        let (population, _) = fill(&[("pt", 0, 3), ("pt", 1, 1)], Some(2.1));
        assert_eq!(population.legs.travel_time, [66.0, 0.0]);
        assert!(population.legs.distance[0].is_nan());
    }

    #[test]
    fn a_leg_without_path_is_a_problem() {
        let (population, problems) = fill(&[("car", 3, 0)], None);
        assert_eq!(population.legs.route, [RouteKind::Missing]);
        assert!(
            problems[0].starts_with("plans.xml:0: no route from link \"l3\" to link \"l0\" by car for person \"ann\"")
        );
    }
}
