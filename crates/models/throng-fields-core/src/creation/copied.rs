//! Discs that differ only by whole cells: the values of one are computed, and copied for all.
//!
//! The offsets of a disc from cells are differences of 24-bit numbers. If the position has few enough binary digits
//! that all of them are exact, and no remainder in double precision, they are the same for a position that is some
//! whole cells away, and so are all values, bit for bit: entities at the centres of cells are such discs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use throng_pictures::Grid;

use super::sums::{Item, ItemOf, Sum};
use super::window::Window;
use crate::disc::Disc;
use crate::entities::Cells;

/// Minimum reach, in cells: smaller discs are computed as quickly as they are looked up.
const MIN_REACH: f32 = 12.0;
/// Maximum reach, in cells: the values of larger discs do not stay in the cache.
const MAX_REACH: f32 = 512.0;
/// Minimum number of equal discs.
const MIN_DISCS: usize = 4;
/// Number of discs from which it is estimated how many are equal.
const SAMPLE: usize = 256;
/// Maximum number of values of all discs that are copied, 64 MiB.
const MAX_VALUES: usize = 1 << 24;
/// Number of values at multiples of which rows begin, so that few vectors cross a border of cache lines.
const ALIGNED: usize = 8;
/// Maximum coordinate of a position, in cells: floats represent all cells around it.
const MAX_POSITION: f32 = (1 << 23) as f32;

/// A disc whose values are copied.
#[derive(Debug, Clone)]
pub struct Copied<V> {
    values: Arc<DiscValues<V>>,
    /// Column and row of the first value.
    first: [i32; 2],
    /// The cells that the disc may reach.
    pub cells: Cells,
}

/// The values that a disc adds to the cells of a square.
#[derive(Debug)]
struct DiscValues<V> {
    rows: Vec<Row>,
    /// The values of all rows, each at a multiple of [`ALIGNED`].
    values: Vec<V>,
}

/// The cells of a row within reach.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// The first cell, and the cell behind the last.
    columns: (u32, u32),
    /// Index of the first value.
    at: u32,
}

/// The numbers by which equal discs are recognised: fractions of the position, reach, charge, slope and units, and how
/// the charge falls off.
type Key = ([u32; 6], u8);

/// Replaces discs that differ only by whole cells by copies.
pub(super) fn share<S: Sum>(items: &mut [ItemOf<S>], grid: &Grid) {
    let discs = || items.iter().enumerate().filter_map(|(number, item)| Some((key_of(item)?, number)));
    // Without many equal discs the search is not worthwhile.
    let (sample, found) = discs().take(SAMPLE).fold((HashSet::new(), 0), |(mut sample, found), (key, _)| {
        sample.insert(key);
        (sample, found + 1)
    });
    if found < MIN_DISCS || 2 * sample.len() > found {
        return;
    }
    let mut groups: HashMap<Key, Vec<u32>> = HashMap::new();
    for (key, number) in discs() {
        if items[number].cells(grid).is_some() {
            groups.entry(key).or_default().push(number as u32);
        }
    }
    // In the order of the entities, so that the limit takes the same ones on every machine.
    let mut groups: Vec<Vec<u32>> = groups.into_values().filter(|group| group.len() >= MIN_DISCS).collect();
    groups.sort_unstable();
    let mut total = 0;
    for group in groups {
        let reached: usize = group.iter().filter_map(|&i| items[i as usize].cells(grid)).map(Cells::count).sum();
        let first = &items[group[0] as usize];
        let Some((values, margin)) = computed::<S>(first, (reached / 2).min(MAX_VALUES - total)) else { continue };
        total += values.values.len();
        let values = Arc::new(values);
        for number in group {
            let item = &items[number as usize];
            let (Some(disc), Some(cells)) = (disc_of(item), item.cells(grid)) else { continue };
            let first = disc.at.map(|at| at.floor() as i32 - margin as i32);
            items[number as usize] = Item::Copied(Box::new(Copied { values: Arc::clone(&values), first, cells }));
        }
    }
}

fn disc_of<E, V>(item: &Item<E, V>) -> Option<&Disc> {
    match item {
        Item::Linear(disc) | Item::Quadratic(disc) | Item::Bell(disc) => Some(disc),
        Item::Copied(_) | Item::Other(_) | Item::Nowhere => None,
    }
}

fn key_of<E, V>(item: &Item<E, V>) -> Option<Key> {
    let disc = disc_of(item)?;
    // A remainder extends the cells within reach by more, the larger the position is. The difference from the floor of
    // a small negative number may be rounded.
    let is_exact = |at: f32| at.abs() <= MAX_POSITION && at.floor() + (at - at.floor()) == at && at - at.floor() < 1.0;
    let is_usual = disc.low == [0.0; 2] && (MIN_REACH..=MAX_REACH).contains(&disc.reach);
    if !(is_usual && disc.at.iter().all(|&at| is_exact(at))) {
        return None;
    }
    let [x, y] = disc.at.map(|at| at - at.floor());
    let numbers = [x, y, disc.reach, disc.charge, disc.slope, disc.units];
    let kind = match item {
        Item::Linear(_) => 0,
        Item::Quadratic(_) => 1,
        _ => 2,
    };
    Some((numbers.map(f32::to_bits), kind))
}

/// Computes the values of a disc, unless there are more than `max_values`, or some offsets are rounded. Returns them
/// with the number of columns, or rows, before the cell of the position.
fn computed<S: Sum>(item: &ItemOf<S>, max_values: usize) -> Option<(DiscValues<S::Value>, u32)> {
    let disc = disc_of(item)?;
    let margin = disc.reach.ceil() as u32 + 2;
    let side = 2 * margin + 1;
    if (side * side) as usize > max_values {
        return None;
    }
    let fraction = disc.at.map(|at| at - at.floor());
    let at = fraction.map(|fraction| fraction + margin as f32);
    // If this is exact, the last digit of the position is at least that of the largest offset.
    if [0, 1].iter().any(|&axis| at[axis] - margin as f32 != fraction[axis]) {
        return None;
    }
    let moved = Disc { at, ..*disc };
    let moved = match item {
        Item::Linear(_) => Item::Linear(moved),
        Item::Quadratic(_) => Item::Quadratic(moved),
        _ => Item::Bell(moved),
    };
    let mut values = vec![S::Value::default(); (side * side) as usize];
    let cells = Cells { columns: (0, side), rows: (0, side) };
    S::add(&[moved], None, &mut Window { cells, stride: side as usize, values: &mut values });
    let zero = S::Value::default();
    let mut packed = DiscValues { rows: Vec::with_capacity(side as usize), values: Vec::new() };
    for row in values.chunks(side as usize) {
        let first = row.iter().position(|value| *value != zero).unwrap_or(0);
        let behind = row.iter().rposition(|value| *value != zero).map_or(first, |last| last + 1);
        packed.rows.push(Row { columns: (first as u32, behind as u32), at: packed.values.len() as u32 });
        packed.values.extend_from_slice(&row[first..behind]);
        packed.values.resize(packed.values.len().next_multiple_of(ALIGNED), zero);
    }
    Some((packed, margin))
}

impl<V: Copy> Copied<V> {
    /// Adds the values to a block of cells, whose rows are `stride` values apart.
    ///
    /// Must be inlined into functions that are compiled for several processors.
    #[inline(always)]
    pub fn add(&self, block: Cells, stride: usize, cells: &mut [V], plus: impl Fn(V, V) -> V + Copy) {
        let DiscValues { rows, values } = &*self.values;
        let [first_column, first_row] = self.first;
        let reached = (block.rows.0 as i32).max(first_row)..(block.rows.1 as i32).min(first_row + rows.len() as i32);
        for row in reached {
            let Row { columns, at } = rows[(row - first_row) as usize];
            let start = first_column + columns.0 as i32;
            let from = (block.columns.0 as i32).max(start);
            let end = (block.columns.1 as i32).min(first_column + columns.1 as i32);
            if from >= end {
                continue;
            }
            let count = (end - from) as usize;
            let source = at as usize + (from - start) as usize;
            let target = (row - block.rows.0 as i32) as usize * stride + (from - block.columns.0 as i32) as usize;
            let (source, target) = (&values[source..source + count], &mut cells[target..target + count]);
            for i in 0..count {
                target[i] = plus(target[i], source[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::creation::every_pair;
    use crate::creation::sums::{Floats, Steps};
    use crate::creation::{FixedPoint, by_tiles};
    use crate::entities::Entity;
    use crate::profile::Profile;

    fn profiles() -> [Profile; 3] {
        [Profile::linear(20.0), Profile::quadratic(17.5), Profile::gaussian(6.0, 30.0)].map(Result::unwrap)
    }

    /// Discs whose positions have the given fractions, some of them beyond the borders.
    fn discs(fraction: f32, profile: &Profile) -> Vec<Entity> {
        let position = |i: u8| [f32::from(i) * 11.0 - 9.0 + fraction, f32::from(i * 7 % 40) * 5.0 - 20.0 + fraction];
        (0..30).map(|i| Entity::new(position(i), profile.clone()).with_charge(-1.5)).collect()
    }

    #[test]
    fn copies_equal_the_definition_bit_for_bit() {
        let grid = Grid::new([0.0, 0.0], 1.0, 300, 180).unwrap();
        for profile in &profiles() {
            for fraction in [0.0, 0.5, 0.125, 0.3] {
                let mut entities = discs(fraction, profile);
                // A disc of its own is between the others.
                entities.insert(7, Entity::new([50.1, 60.7], Profile::linear(25.0).unwrap()));
                let found = by_tiles(&grid, &entities).unwrap();
                let bits =
                    |field: &crate::Field| field.values().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
                assert!(bits(&found) == bits(&every_pair(&grid, &entities).unwrap()), "{fraction} {profile:?}");
                let fixed_point = FixedPoint::new(12).unwrap();
                let (sums, one_by_one) =
                    (fixed_point.by_tiles(&grid, &entities), fixed_point.every_pair(&grid, &entities));
                assert!(bits(&sums.unwrap()) == bits(&one_by_one.unwrap()), "{fraction} {profile:?}, fixed point");
            }
        }
    }

    /// The position relative to a sampled point is between -0.5 and 0, with many digits.
    #[test]
    fn positions_just_before_a_sampled_point_are_not_rounded_to_others() {
        let grid = Grid::new([0.0, 0.0], 1.0, 100, 40).unwrap();
        for (fraction, reach) in
            [(0.25 + f64::from(2.0f32.powi(-26)), 12.0), (0.375 + f64::from(2.0f32.powi(-27)), 13.0)]
        {
            let columns = [fraction, 30.25, 50.25, 70.25, 30.375, 50.375, 70.375, 31.375];
            let disc = |x: f64| Entity::new([x, 20.5], Profile::linear(reach).unwrap()).with_charge(0.1);
            let entities: Vec<Entity> = [columns, columns].concat().into_iter().map(disc).collect();
            assert_eq!(by_tiles(&grid, &entities), every_pair(&grid, &entities));
            let fixed_point = FixedPoint::default();
            assert_eq!(fixed_point.by_tiles(&grid, &entities), fixed_point.every_pair(&grid, &entities));
        }
    }

    #[test]
    fn only_discs_with_exact_distances_are_copied() {
        let grid = Grid::new([0.0, 0.0], 1.0, 300, 180).unwrap();
        let copies = |fraction: f32, profile: &Profile, count: usize| {
            let entities = &discs(fraction, profile)[..count];
            let mut items: Vec<_> = entities.iter().map(|entity| Floats.item(&grid, entity)).collect();
            share::<Floats>(&mut items, &grid);
            items.iter().filter(|item| matches!(item, Item::Copied(_))).count()
        };
        let [linear, ..] = profiles();
        // The first disc reaches no cell unless its fraction is 0.5.
        assert_eq!([0.0, 0.5, 0.125].map(|fraction| copies(fraction, &linear, 30)), [29, 30, 29]);
        assert_eq!(copies(0.5, &linear, 3), 0, "three are too few");
        let wide = Grid::new([0.0, 0.0], 1.0, 5_000_000, 1).unwrap();
        let far = Entity::new([4_500_000.312_5, 0.5], linear.clone());
        let item: ItemOf<Steps> = Steps(1e-4).item(&wide, &far);
        assert_eq!(key_of(&item), None, "the position has a remainder");
        assert_eq!(copies(0.5, &Profile::linear(5.0).unwrap(), 30), 0, "small discs");
        // The binary digits of 0.3 end at different places.
        assert!(copies(0.3, &linear, 30) < 30);
    }
}
