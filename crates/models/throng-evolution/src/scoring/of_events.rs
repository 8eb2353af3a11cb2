//! The scores of all persons of a scenario, while a simulation runs.

use throng_core::{InputError, NONE, Problems};
use throng_traffic_scenario::events::{Event, EventKind, EventSink, SinkError};
use throng_traffic_scenario::{PlanElement, Scenario};

use super::{DayScore, Fault, Names, PersonDay, Preferences};

/// Scores the day of all persons of the plans file from the events of a run, without storing events. Takes constant
/// time per event, except that the arrival of a driver adds up the lengths of the route if the score depends on the
/// distance. Drivers of public transport have no score.
///
/// ```
/// use throng_evolution::scoring::{DayScores, Preferences};
/// use throng_traffic_scenario::events::{Event, EventKind, EventSink};
/// use throng_traffic_scenario::settings::ActivityParameters;
/// use throng_traffic_scenario::{ModeId, NetworkBuilder, ScenarioBuilder};
///
/// let network = NetworkBuilder::new().node("a", 0.0, 0.0).node("b", 500.0, 0.0);
/// let network = network.link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0).build()?;
/// let scenario = ScenarioBuilder::new(network)
///     .settings(|settings| settings.scoring.parameters[0].activities = vec![ActivityParameters::new("home", 43200.0)])
///     .person("1", |plan| plan.until("home", "ab", 3600.0).teleport("walk", "ab", "ab", 600.0, 500.0).stay("home", "ab"))
///     .build()?;
/// let preferences = Preferences::of_scenario(&scenario, 1)?;
/// let mut scores = DayScores::new(&scenario, &preferences, &[0])?;
/// let event = |kind, detail| Event { kind, mode: ModeId::NONE, person: 0, link: 0, detail };
/// scores.step(3600.0, &[event(EventKind::ActivityEnd, 0), event(EventKind::Departure, 0)])?;
/// scores.step(4200.0, &[event(EventKind::Arrival, 0), event(EventKind::ActivityStart, 1)])?;
/// assert_eq!(scores.finish()?[0].parts.legs, -1.0, "600 s at -6/h");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DayScores<'a> {
    scenario: &'a Scenario,
    preferences: &'a [Preferences],
    set_of_person: &'a [u32],
    days: Vec<PersonDay>,
    /// The leg of the driver of each vehicle, and of the vehicle that each person boarded last; both empty unless
    /// passengers ride.
    driver_leg_of_vehicle: Vec<u32>,
    driver_leg_of_person: Vec<u32>,
}

impl<'a> DayScores<'a> {
    /// Prepares for the events of a run. `set_of_person` contains, for each person of the plans file, the position of
    /// the person's parameters in `preferences`, as found by [`parameter_set`](super::parameter_set).
    ///
    /// # Errors
    /// If a person has no parameters, or an activity type or mode of a plan with legs has none in the person's set.
    pub fn new(
        scenario: &'a Scenario,
        preferences: &'a [Preferences],
        set_of_person: &'a [u32],
    ) -> Result<Self, InputError> {
        let persons = scenario.travellers() as usize;
        if set_of_person.len() != persons {
            let message = format!("{} parameter sets are assigned to {persons} persons", set_of_person.len());
            return Err(InputError::one("scoring", message, "assign a parameter set to each person"));
        }
        if let Some(person) = set_of_person.iter().position(|&set| set as usize >= preferences.len()) {
            let place = format!("person \"{}\"", scenario.population.person_ids.name(person as u32));
            let message = format!("parameter set {} of {} is assigned", set_of_person[person], preferences.len());
            let remedy = "add a parameter set to scoring for the subpopulation, or one without subpopulation";
            return Err(InputError::one(place, message, remedy));
        }
        let has_rides = !scenario.transit.rides.is_empty();
        let driver_legs = |count: usize| vec![NONE; if has_rides { count } else { 0 }];
        let scores = Self {
            scenario,
            preferences,
            set_of_person,
            days: vec![PersonDay::default(); persons],
            driver_leg_of_vehicle: driver_legs(scenario.vehicles.ids.len()),
            driver_leg_of_person: driver_legs(persons),
        };
        scores.check_plans()?;
        Ok(scores)
    }

    /// Reports types and modes without parameters before the run instead of after hours, each once per parameter set.
    fn check_plans(&self) -> Result<(), InputError> {
        let population = &self.scenario.population;
        // Modes come before activity types.
        let modes = usize::from(u8::MAX) + 1;
        let mut is_reported = vec![vec![false; modes + population.activity_types.len()]; self.preferences.len()];
        let mut problems = Problems::new();
        for person in 0..self.days.len() as u32 {
            let p = self.preferences_of(person);
            let plan = population.plan(person);
            if plan.len() < 2 {
                continue;
            }
            for element in plan {
                let (slot, fault) = match element {
                    PlanElement::Activity(activity) => {
                        let kind = population.activities.kind[activity as usize];
                        (modes + kind as usize, p.activity(kind).err())
                    }
                    PlanElement::Leg(leg) => {
                        let mode = population.legs.mode[leg as usize];
                        (usize::from(mode.0), p.mode(mode).err())
                    }
                };
                let is_reported = &mut is_reported[self.set_of_person[person as usize] as usize][slot];
                if let Some(fault) = fault.filter(|_| !std::mem::replace(is_reported, true)) {
                    problems.append(self.error(person, fault).0);
                }
            }
        }
        problems.into_result()
    }

    fn preferences_of(&self, person: u32) -> &'a Preferences {
        &self.preferences[self.set_of_person[person as usize] as usize]
    }

    fn take(&mut self, time_s: f64, event: &Event) -> Result<(), Fault> {
        let population = &self.scenario.population;
        if event.kind == EventKind::TransitDriverStarts {
            let vehicle = population.legs.vehicle[event.detail as usize];
            if let Some(leg) = self.driver_leg_of_vehicle.get_mut(vehicle as usize) {
                *leg = event.detail;
            }
        }
        let person = event.person as usize;
        let Some(day) = self.days.get_mut(person) else { return Ok(()) };
        let p = &self.preferences[self.set_of_person[person] as usize];
        match event.kind {
            EventKind::ActivityEnd => day.end_activity(p, population.activities.kind[event.detail as usize], time_s),
            EventKind::ActivityStart => {
                day.start_activity(population.activities.kind[event.detail as usize], time_s);
                Ok(())
            }
            EventKind::Departure => {
                if let Some(leg) = self.driver_leg_of_person.get_mut(person) {
                    *leg = NONE;
                }
                day.depart(p, population.legs.mode[event.detail as usize], time_s);
                Ok(())
            }
            EventKind::PersonEntersVehicle => {
                let driver_leg = self.driver_leg_of_vehicle.get(event.detail as usize);
                if let Some((of_person, &leg)) = self.driver_leg_of_person.get_mut(person).zip(driver_leg) {
                    *of_person = leg;
                }
                day.enter_vehicle(p, time_s);
                Ok(())
            }
            EventKind::Arrival => {
                let driver_leg = self.driver_leg_of_person.get(person).copied().filter(|&leg| leg != NONE);
                day.arrive(p, time_s, || self.scenario.distance_m(event.detail, driver_leg))
            }
            EventKind::StuckAndAbort => {
                day.abort(p);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Ends the day and returns the scores of all persons of the plans file, in their order.
    ///
    /// # Errors
    /// All persons whose first or last activity has no utility.
    pub fn finish(mut self) -> Result<Vec<DayScore>, InputError> {
        let mut problems = Problems::new();
        let mut scores = Vec::with_capacity(self.days.len());
        for (person, day) in (0..).zip(std::mem::take(&mut self.days)) {
            match day.finish(self.preferences_of(person)) {
                Ok(score) => scores.push(score),
                Err(fault) => problems.append(self.error(person, fault).0),
            }
        }
        problems.into_result()?;
        Ok(scores)
    }

    fn error(&self, person: u32, fault: Fault) -> InputError {
        let population = &self.scenario.population;
        let names = Names { activity_types: &population.activity_types, modes: &self.scenario.modes };
        fault.error(population.person_ids.name(person), self.preferences_of(person), names)
    }
}

impl EventSink for DayScores<'_> {
    fn step(&mut self, time_s: f64, events: &[Event]) -> Result<(), SinkError> {
        for event in events {
            self.take(time_s, event).map_err(|fault| SinkError(self.error(event.person, fault).to_string()))?;
        }
        Ok(())
    }
}
