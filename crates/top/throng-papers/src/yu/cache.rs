//! The CPU's cache of field changes.

use throng_pedestrians::rules::direction::DIRECTIONS;
use throng_pedestrians::rules::grid::{Grid, NOWHERE};

use super::caching::Caching;
use super::numbers::{CROWD, NOT_STORED, Numbers};
use super::slots::{Slot, Slots};

/// A pedestrian leaving or entering a space unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub unit: u32,
    pub heading: u32,
    /// 1 for entering, -1 for leaving.
    pub sign: i32,
}

/// Indices of the stored numbers of a space unit that a source changes, given its heading and its sector.
#[derive(Debug, Clone, Copy)]
pub(super) struct Targets {
    crowd: usize,
    same: Option<usize>,
    oncoming: [Option<usize>; 3],
}

impl Targets {
    pub fn new(numbers: Numbers, heading: u32, sector: u32) -> Self {
        let stored = |number: u32| Some(number as usize).filter(|_| number != NOT_STORED);
        // Readers to whom the source is oncoming have the opposite heading, or one that differs from it by 45°.
        let oncoming = [3, 4, 5].map(|turn| stored(numbers.oncoming((heading + turn) % DIRECTIONS, sector)));
        Self { crowd: sector as usize, same: stored(numbers.same(heading, sector)), oncoming }
    }

    /// Adds the strengths of the source to the stored numbers of a space unit.
    pub fn add(&self, stored: &mut [i32], [crowd, same, oncoming]: [i32; 3]) {
        stored[self.crowd] += crowd;
        self.add_same(stored, same);
        self.add_oncoming(stored, oncoming);
    }

    fn add_same(&self, stored: &mut [i32], strength: i32) {
        if let Some(number) = self.same {
            stored[number] += strength;
        }
    }

    fn add_oncoming(&self, stored: &mut [i32], strength: i32) {
        for number in self.oncoming.into_iter().flatten() {
            stored[number] += strength;
        }
    }
}

/// A space unit whose stored numbers a change affects.
pub(super) struct Reader<'a> {
    pub unit: usize,
    pub slot: &'a Slot,
    /// Index of the slot.
    pub number: usize,
    pub targets: &'a Targets,
}

impl Change {
    /// Calls `change` for each space unit whose stored numbers this change affects.
    pub fn for_each_reader(&self, grid: &Grid, slots: &Slots, numbers: Numbers, mut change: impl FnMut(Reader<'_>)) {
        let [x, y] = grid.place(self.unit);
        let of_sector = slots.of_sector() as usize;
        for sector in 0..DIRECTIONS {
            let targets = &Targets::new(numbers, self.heading, sector);
            let first = sector as usize * of_sector;
            let of_this = slots.all()[first..first + of_sector].iter().enumerate();
            for (number, slot) in of_this.take_while(|(_, slot)| !slot.is_padding()) {
                let unit = grid.unit_at(x - slot.x, y - slot.y);
                if unit != NOWHERE {
                    change(Reader { unit: unit as usize, slot, number: first + number, targets });
                }
            }
        }
    }
}

/// A word of DA or DR: the signed strength, and the heading in the low three bits. Strengths are below 2^27.
fn word(strength: i32, heading: u32) -> i32 {
    strength * DIRECTIONS as i32 + heading as i32
}

fn strength_and_heading(word: i32) -> (i32, u32) {
    (word >> 3, word as u32 % DIRECTIONS)
}

#[derive(Debug)]
pub(super) enum Cache {
    None,
    /// Indexed by `[unit][sector][slot]`.
    OneStep {
        appear: Vec<i32>,
        disappear: Vec<i32>,
        same: Vec<i32>,
        oncoming: Vec<i32>,
    },
    /// Sums are indexed by `[unit][number][sum]`; the last eight numbers are the disappearing part of RR.
    MultiStep {
        count: usize,
        sums: Vec<i32>,
        changes: Vec<Option<Change>>,
    },
}

impl Cache {
    pub fn new(caching: Caching, slots: &Slots, numbers: Numbers, units: usize) -> Self {
        match caching {
            Caching::None => Self::None,
            Caching::OneStep => {
                let block = || vec![0; units * slots.all().len()];
                Self::OneStep { appear: block(), disappear: block(), same: block(), oncoming: block() }
            }
            Caching::MultiStep(sums) => Self::MultiStep {
                count: sums as usize,
                sums: vec![0; units * (numbers.count() + CROWD) as usize * sums as usize],
                changes: vec![None; units],
            },
        }
    }

    /// Clears the cache, in k-1.
    pub fn clear(&mut self) {
        match self {
            Self::None => {}
            Self::OneStep { appear, disappear, same, oncoming } => {
                for block in [appear, disappear, same, oncoming] {
                    block.fill(0);
                }
            }
            Self::MultiStep { sums, changes, .. } => {
                sums.fill(0);
                changes.fill(None);
            }
        }
    }

    /// Records a change, in k-4. Without a cache, applies it immediately.
    pub fn enter(&mut self, by: Change, grid: &Grid, slots: &Slots, fields: &mut [i32], numbers: Numbers) {
        let count = numbers.count() as usize;
        match self {
            Self::None => by.for_each_reader(grid, slots, numbers, |Reader { unit, slot, targets, .. }| {
                let stored = &mut fields[unit * count..(unit + 1) * count];
                targets.add(stored, slot.strengths.map(|strength| by.sign * strength));
            }),
            Self::OneStep { appear, disappear, same, oncoming } => by.for_each_reader(grid, slots, numbers, |reader| {
                let at = reader.unit * slots.all().len() + reader.number;
                let [of_crowd, of_same, of_oncoming] = reader.slot.strengths;
                let crowd = if by.sign > 0 { &mut *appear } else { &mut *disappear };
                crowd[at] = of_crowd;
                same[at] = word(by.sign * of_same, by.heading);
                oncoming[at] = word(by.sign * of_oncoming, by.heading);
            }),
            Self::MultiStep { changes, .. } => changes[by.unit as usize] = Some(by),
        }
    }

    /// Computes the outer steps of the multi-step sums, in k-4 after all moves. Term `j * m + i` belongs to sum `j`,
    /// where `m` is the number of steps.
    pub fn sum_in_steps(&mut self, grid: &Grid, slots: &Slots, numbers: Numbers) {
        let Self::MultiStep { count, sums, changes } = self else { return };
        let (count, steps) = (*count, slots.of_sector() as usize / *count);
        let of_unit = (numbers.count() + CROWD) as usize * count;
        // Terms of all numbers of a space unit for one of the sums.
        let mut terms = vec![0; numbers.count() as usize];
        for (unit, sums) in sums.chunks_exact_mut(of_unit).enumerate() {
            let [x, y] = grid.place(unit as u32);
            for sector in 0..DIRECTIONS {
                let slots = &slots.all()[sector as usize * steps * count..][..steps * count];
                for step in 0..steps {
                    for sum in 0..count {
                        let slot = slots[sum * steps + step];
                        let centre = grid.unit_at(x + slot.x, y + slot.y);
                        let Some(&Some(change)) = changes.get(centre as usize) else { continue };
                        if slot.is_padding() {
                            continue;
                        }
                        let [crowd, same, oncoming] = slot.strengths;
                        let block = if change.sign > 0 { 0 } else { numbers.count() };
                        sums[(block + sector) as usize * count + sum] += crowd;
                        terms.fill(0);
                        let targets = Targets::new(numbers, change.heading, sector);
                        targets.add_same(&mut terms, change.sign * same);
                        targets.add_oncoming(&mut terms, change.sign * oncoming);
                        for (number, &term) in terms.iter().enumerate().filter(|&(_, &term)| term != 0) {
                            sums[number * count + sum] += term;
                        }
                    }
                }
            }
        }
    }

    /// Adds the cached changes to the stored fields, in k-5.
    pub fn write_back(&self, fields: &mut [i32], numbers: Numbers, slots: &Slots) {
        let stored = fields.chunks_exact_mut(numbers.count() as usize);
        match self {
            Self::None => {}
            Self::OneStep { appear, disappear, same, oncoming } => {
                let of_sector = slots.of_sector() as usize;
                for (unit, stored) in stored.enumerate() {
                    for number in 0..slots.all().len() {
                        let (at, sector) = (unit * slots.all().len() + number, (number / of_sector) as u32);
                        stored[sector as usize] += appear[at] - disappear[at];
                        let (strength, heading) = strength_and_heading(same[at]);
                        Targets::new(numbers, heading, sector).add_same(stored, strength);
                        let (strength, heading) = strength_and_heading(oncoming[at]);
                        Targets::new(numbers, heading, sector).add_oncoming(stored, strength);
                    }
                }
            }
            Self::MultiStep { count, sums, .. } => {
                let of_unit = (numbers.count() + CROWD) as usize * count;
                for (stored, sums) in stored.zip(sums.chunks_exact(of_unit)) {
                    let total = |number: usize| sums[number * count..][..*count].iter().sum::<i32>();
                    for (number, value) in stored.iter_mut().enumerate() {
                        *value += total(number);
                    }
                    let (crowd, after) = (&mut stored[..CROWD as usize], numbers.count() as usize);
                    for (sector, value) in crowd.iter_mut().enumerate() {
                        *value -= total(after + sector);
                    }
                }
            }
        }
    }
}
