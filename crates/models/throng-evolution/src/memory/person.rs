//! The plans of one person, without their contents.

/// Type of a plan (attribute `type`), as numbered by the caller. Plans of a type are alternatives to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlanType(pub u16);

impl PlanType {
    /// The type of plans without one.
    pub const NONE: Self = Self(u16::MAX);
}

/// The plans of one person: scores, types, and which one is selected.
#[derive(Debug)]
pub(crate) struct PersonPlans<'a> {
    pub(super) len: &'a mut u32,
    pub(super) selected: &'a mut u32,
    // As long as the memory has room for plans; the first `len` are in use.
    pub(super) scores: &'a mut [f64],
    pub(super) kinds: &'a mut [PlanType],
    pub(super) contents: &'a mut [u32],
}

#[cfg(test)]
impl<'a> PersonPlans<'a> {
    pub fn new(
        len: &'a mut u32,
        selected: &'a mut u32,
        scores: &'a mut [f64],
        kinds: &'a mut [PlanType],
        contents: &'a mut [u32],
    ) -> Self {
        Self { len, selected, scores, kinds, contents }
    }
}

impl PersonPlans<'_> {
    /// Scores in the order in which the plans were added; NaN for none.
    pub fn scores(&self) -> &[f64] {
        &self.scores[..*self.len as usize]
    }

    /// Types of the plans.
    pub fn kinds(&self) -> &[PlanType] {
        &self.kinds[..*self.len as usize]
    }

    /// Index of the selected plan.
    pub fn selected(&self) -> usize {
        *self.selected as usize
    }

    /// Selects a plan.
    ///
    /// # Panics
    /// If the person has no plan `plan`.
    pub fn select(&mut self, plan: usize) {
        assert!(plan < self.scores().len(), "plan {plan} of {}", self.scores().len());
        *self.selected = plan as u32;
    }

    /// Appends a copy of the selected plan, with its score, and selects it. The two share their content. The memory
    /// must have room for it ([`PlanMemory::reserve`](super::PlanMemory::reserve)).
    ///
    /// # Panics
    /// If there is no room.
    pub fn append_copy(&mut self) {
        let (plan, copy) = (self.selected(), *self.len as usize);
        assert!(copy < self.scores.len(), "the memory has room for {copy} plans of a person");
        self.scores[copy] = self.scores[plan];
        self.kinds[copy] = self.kinds[plan];
        self.contents[copy] = self.contents[plan];
        *self.len += 1;
        *self.selected = copy as u32;
    }

    /// Removes a plan, and returns its content. Later plans move up. If it was selected, the caller must select
    /// another one.
    pub fn remove(&mut self, plan: usize) -> u32 {
        let len = *self.len as usize;
        let content = self.contents[plan];
        self.scores.copy_within(plan + 1..len, plan);
        self.kinds.copy_within(plan + 1..len, plan);
        self.contents.copy_within(plan + 1..len, plan);
        *self.len -= 1;
        if self.selected() > plan {
            *self.selected -= 1;
        }
        content
    }
}

/// Consecutive persons with their plans.
pub(crate) struct PersonsMut<'a> {
    /// Index of the first person.
    pub first: u32,
    pub(super) capacity: usize,
    pub(super) len: &'a mut [u32],
    pub(super) selected: &'a mut [u32],
    pub(super) scores: &'a mut [f64],
    pub(super) kinds: &'a mut [PlanType],
    pub(super) contents: &'a mut [u32],
}

impl PersonsMut<'_> {
    /// Iterates over the persons.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u32, PersonPlans<'_>)> {
        let plans = self
            .scores
            .chunks_exact_mut(self.capacity)
            .zip(self.kinds.chunks_exact_mut(self.capacity))
            .zip(self.contents.chunks_exact_mut(self.capacity));
        let persons = self.len.iter_mut().zip(&mut *self.selected).zip(plans);
        (self.first..).zip(persons).map(|(person, ((len, selected), ((scores, kinds), contents)))| {
            (person, PersonPlans { len, selected, scores, kinds, contents })
        })
    }
}
