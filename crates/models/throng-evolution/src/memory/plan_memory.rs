//! The plans of all persons.

use rayon::prelude::*;
use throng_traffic_scenario::{Leg, PlanElement, Population};

use super::arena::Arena;
use super::elements::{Element, Place, PlaceId, Route, RouteId};
use super::person::{PersonPlans, PersonsMut, PlanType};

/// The plans that all persons remember. Each person has at least one plan, and exactly one of them is selected.
///
/// ```
/// use throng_evolution::memory::PlanMemory;
/// use throng_traffic_scenario::{NetworkBuilder, ScenarioBuilder};
///
/// let network = NetworkBuilder::new()
///     .node("a", 0.0, 0.0).node("b", 500.0, 0.0).node("c", 1500.0, 0.0)
///     .link("ab", "a", "b", 500.0, 10.0, 1000.0, 1.0)
///     .link("bc", "b", "c", 1000.0, 10.0, 1000.0, 1.0)
///     .build()?;
/// let scenario = ScenarioBuilder::new(network)
///     .person("1", |plan| plan.until("home", "ab", 60.0).drive("car", &["ab", "bc"]).stay("work", "bc"))
///     .build()?;
/// let mut memory = PlanMemory::new(&scenario.population, 5);
/// memory.set_score(0, 0, 64.5);
/// memory.append_copy(0);
/// assert_eq!(memory.scores(0), [64.5, 64.5]);
/// assert_eq!(memory.selected(0), 1);
/// # Ok::<(), throng_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlanMemory {
    /// Room for plans per person.
    capacity: usize,
    /// Number of plans of each person.
    len: Vec<u32>,
    selected: Vec<u32>,
    scores: Vec<f64>,
    kinds: Vec<PlanType>,
    /// Sequences in `elements`.
    contents: Vec<u32>,
    elements: Arena<Element>,
    /// Places and routes.
    words: Arena<u32>,
    /// Scratch.
    route_words: Vec<u32>,
}

impl PlanMemory {
    /// Creates the memory of a population: one plan per person, without score and type. There is room for `max_plans`
    /// plans and one more; 0 for any number.
    pub fn new(population: &Population, max_plans: u32) -> Self {
        let persons = population.persons();
        let capacity = max_plans.max(1) as usize + 1;
        let mut memory = Self {
            capacity,
            len: vec![1; persons],
            selected: vec![0; persons],
            scores: vec![f64::NAN; persons * capacity],
            kinds: vec![PlanType::NONE; persons * capacity],
            contents: vec![0; persons * capacity],
            elements: Arena::new(),
            words: Arena::new(),
            route_words: Vec::new(),
        };
        let mut plan = Vec::new();
        for person in 0..persons {
            memory.read_plan(population, person as u32, &mut plan);
            memory.contents[person * capacity] = memory.add_content(&plan);
        }
        memory
    }

    /// Adds a plan of `person`, after those that it has: the one of `plans`, a population of the same persons. The
    /// selected plan remains the same.
    pub fn add_plan(&mut self, person: u32, plans: &Population, score: f64, kind: PlanType) {
        let mut plan = Vec::new();
        self.read_plan(plans, person, &mut plan);
        let content = self.add_content(&plan);
        let len = self.len[person as usize] as usize;
        self.reserve(len + 1);
        let slot = person as usize * self.capacity + len;
        (self.scores[slot], self.kinds[slot], self.contents[slot]) = (score, kind, content);
        self.len[person as usize] += 1;
    }

    fn read_plan(&mut self, population: &Population, person: u32, plan: &mut Vec<Element>) {
        plan.clear();
        for element in population.plan(person) {
            plan.push(match element {
                PlanElement::Activity(activity) => {
                    let activity = population.activity(activity);
                    Element::activity(self.add_place(Place::of(&activity)), &activity)
                }
                PlanElement::Leg(index) => {
                    let leg = population.leg(index);
                    Element::leg(self.add_route(&Route::of(&leg, population.route(index))), &leg)
                }
            });
        }
    }

    /// Writes the selected plans of all persons, for a simulation, in place of the plans of `population`. Its persons
    /// and activity types stay.
    pub fn write_selected(&self, population: &mut Population) {
        population.clear_plans();
        for person in 0..self.persons() as u32 {
            population.begin_plan();
            for element in self.plan(person, self.selected(person)) {
                match *element {
                    Element::Activity { place, end_time_s, max_duration_s } => {
                        population.add_activity(&self.place(place).activity(end_time_s, max_duration_s));
                    }
                    Element::Leg { route, mode, routing_mode, vehicle, travel_time_s: travel_time } => {
                        let route = self.route(route);
                        let start = population.route_links.len();
                        population.route_links.extend(route.links);
                        population.add_leg(&Leg { routing_mode, vehicle, travel_time, ..route.leg(mode, start) });
                    }
                }
            }
        }
    }

    /// Number of persons.
    pub fn persons(&self) -> usize {
        self.len.len()
    }

    /// Scores of the plans of `person`, in the order in which these were added; NaN for none.
    pub fn scores(&self, person: u32) -> &[f64] {
        &self.scores[self.slots(person)]
    }

    /// Types of the plans of `person`.
    pub fn kinds(&self, person: u32) -> &[PlanType] {
        &self.kinds[self.slots(person)]
    }

    /// Index of the selected plan of `person`.
    pub fn selected(&self, person: u32) -> usize {
        self.selected[person as usize] as usize
    }

    /// The elements of plan `plan` of `person`.
    pub fn plan(&self, person: u32, plan: usize) -> &[Element] {
        self.elements.get(self.contents[self.slots(person)][plan])
    }

    /// A place of any plan.
    pub fn place(&self, place: PlaceId) -> Place {
        Place::from_words(self.words.get(place.0))
    }

    /// A route of any plan.
    pub fn route(&self, route: RouteId) -> Route<'_> {
        Route::from_words(self.words.get(route.0))
    }

    /// Adds a place for the elements of a [replacement](Self::replace). It is kept until the last plan with it is
    /// removed or replaced.
    pub fn add_place(&mut self, place: Place) -> PlaceId {
        PlaceId(self.words.add(&place.words()))
    }

    /// Adds a route, as [`PlanMemory::add_place`] adds a place.
    pub fn add_route(&mut self, route: &Route<'_>) -> RouteId {
        route.put_words(&mut self.route_words);
        RouteId(self.words.add(&self.route_words))
    }

    /// Replaces the elements of plan `plan` of `person`. Copies of the plan keep the former ones.
    ///
    /// # Panics
    /// If the person has no plan `plan`.
    pub fn replace(&mut self, person: u32, plan: usize, elements: &[Element]) {
        let slot = self.slot(person, plan);
        let content = self.add_content(elements);
        let former = std::mem::replace(&mut self.contents[slot], content);
        self.release(former);
    }

    /// Sets the score of a plan.
    ///
    /// # Panics
    /// If the person has no plan `plan`.
    pub fn set_score(&mut self, person: u32, plan: usize, score: f64) {
        let slot = self.slot(person, plan);
        self.scores[slot] = score;
    }

    fn slot(&self, person: u32, plan: usize) -> usize {
        let slots = self.slots(person);
        assert!(plan < slots.len(), "person {person} has no plan {plan}");
        slots.start + plan
    }

    /// Selects a plan.
    ///
    /// # Panics
    /// If the person has no plan `plan`.
    pub fn select(&mut self, person: u32, plan: usize) {
        self.person(person).select(plan);
    }

    /// Appends a copy of the selected plan of `person`, with its score, and selects it.
    pub fn append_copy(&mut self, person: u32) {
        self.reserve(self.scores(person).len() + 1);
        self.person(person).append_copy();
        self.retain_selected(person);
    }

    /// Removes a plan that is not selected. Later plans move up.
    ///
    /// # Panics
    /// If the plan is selected, or does not exist.
    pub fn remove(&mut self, person: u32, plan: usize) {
        assert!(plan != self.selected(person) && plan < self.scores(person).len(), "plan {plan} cannot be removed");
        let content = self.person(person).remove(plan);
        self.release(content);
    }

    /// Makes room for `plans` plans per person.
    pub fn reserve(&mut self, plans: usize) {
        if plans <= self.capacity {
            return;
        }
        let (former, capacity) = (self.capacity, plans.max(self.capacity + self.capacity / 2));
        self.scores = spread(&self.scores, former, capacity, f64::NAN);
        self.kinds = spread(&self.kinds, former, capacity, PlanType::NONE);
        self.contents = spread(&self.contents, former, capacity, 0);
        self.capacity = capacity;
    }

    /// Maximum number of plans of a person.
    pub fn max_len(&self) -> usize {
        self.len.par_iter().copied().max().unwrap_or(0) as usize
    }

    /// Counts the use of the selected plan's content by a copy that [`PersonPlans::append_copy`] made.
    pub(crate) fn retain_selected(&mut self, person: u32) {
        self.elements.retain(self.contents[person as usize * self.capacity + self.selected(person)]);
    }

    /// Ends the use of a content that [`PersonPlans::remove`] returned.
    pub(crate) fn release(&mut self, content: u32) {
        if self.elements.is_used_once(content) {
            for element in self.elements.get(content) {
                self.words.release(word_id(element));
            }
        }
        self.elements.release(content);
    }

    /// All persons.
    pub(crate) fn all_mut(&mut self) -> PersonsMut<'_> {
        PersonsMut {
            first: 0,
            capacity: self.capacity,
            len: &mut self.len,
            selected: &mut self.selected,
            scores: &mut self.scores,
            kinds: &mut self.kinds,
            contents: &mut self.contents,
        }
    }

    /// All persons in groups of `size`.
    pub(crate) fn groups_mut(&mut self, size: usize) -> impl IndexedParallelIterator<Item = PersonsMut<'_>> {
        let (capacity, slots) = (self.capacity, size * self.capacity);
        let persons = self.len.par_chunks_mut(size).zip(self.selected.par_chunks_mut(size));
        let plans = self.scores.par_chunks_mut(slots).zip(self.kinds.par_chunks_mut(slots));
        let plans = plans.zip(self.contents.par_chunks_mut(slots));
        persons.zip(plans).enumerate().map(move |(group, ((len, selected), ((scores, kinds), contents)))| PersonsMut {
            first: (group * size) as u32,
            capacity,
            len,
            selected,
            scores,
            kinds,
            contents,
        })
    }

    fn person(&mut self, person: u32) -> PersonPlans<'_> {
        let (i, slots) = (person as usize, person as usize * self.capacity..(person as usize + 1) * self.capacity);
        PersonPlans {
            len: &mut self.len[i],
            selected: &mut self.selected[i],
            scores: &mut self.scores[slots.clone()],
            kinds: &mut self.kinds[slots.clone()],
            contents: &mut self.contents[slots],
        }
    }

    fn slots(&self, person: u32) -> std::ops::Range<usize> {
        let start = person as usize * self.capacity;
        start..start + self.len[person as usize] as usize
    }

    fn add_content(&mut self, elements: &[Element]) -> u32 {
        for element in elements {
            self.words.retain(word_id(element));
        }
        let content = self.elements.add(elements);
        self.elements.retain(content);
        content
    }
}

fn word_id(element: &Element) -> u32 {
    match element {
        Element::Activity { place, .. } => place.0,
        Element::Leg { route, .. } => route.0,
    }
}

/// Widens rows from `former` to `width` items.
fn spread<T: Copy>(rows: &[T], former: usize, width: usize, value: T) -> Vec<T> {
    let mut wide = Vec::with_capacity(rows.len() / former * width);
    for row in rows.chunks_exact(former) {
        wide.extend_from_slice(row);
        wide.resize(wide.len() + width - former, value);
    }
    wide
}

#[cfg(test)]
#[path = "plan_memory_tests.rs"]
mod tests;
