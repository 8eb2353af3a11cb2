//! How far a sampled point is from a circle line in fixed point: `crate::ring` on the device, in numbers of 64 bits made of two
//! words.

use throng_device::cubecl;
use throng_device::cubecl::prelude::*;
use throng_device::primitives::pair::{Pair, add};

use super::super::record::*;
use super::charge::Figure;
use super::world::Entities;

/// The value of the upper word.
const HIGH: f32 = 4_294_967_296.0;

/// Units from a line to the sampled point at `column` and `row`, which are whole numbers; many where it is out of reach.
#[cube]
pub fn from_ring(entities: &Entities, figure: &Figure, column: f32, row: f32) -> f32 {
    let mut distance = f32::cast_from(f32::MAX);
    // Only so many cells, in units, fit into a word. A little more than reaches, for rounding.
    let outer = (figure.extent + figure.reach) * 1.0001f32 + 1.0f32;
    if f32::abs(column - figure.x) < outer && f32::abs(row - figure.y) < outer {
        let units = u32::cast_from(figure.units);
        let across =
            along(column, entities.word(RING_COLUMN, figure.entity), entities.word(RING_X, figure.entity), units);
        let down = along(row, entities.word(RING_ROW, figure.entity), entities.word(RING_Y, figure.entity), units);
        let from_middle = root(add(square(across), square(down)));
        let radius = entities.word(RING_RADIUS, figure.entity);
        let far = u32::max(from_middle, radius) - u32::min(from_middle, radius);
        distance = f32::cast_from(far);
    }
    distance
}

/// Units from a middle, `rest` behind a signed cell, to a point along one axis.
#[cube]
fn along(point: f32, cell: u32, rest: u32, units: u32) -> u32 {
    let cells = i32::cast_from(point) - i32::reinterpret(cell);
    let mut far = u32::cast_from(-cells) * units + rest;
    if cells > 0i32 {
        far = u32::cast_from(cells) * units - rest;
    }
    far
}

#[cube]
fn square(of: u32) -> Pair {
    let high = of >> 16u32;
    let low = of & 0xFFFFu32;
    let mixed = high * low;
    let middle = mixed << 17u32;
    let lower = low * low + middle;
    let mut upper = high * high + (mixed >> 15u32);
    if lower < middle {
        upper += 1u32;
    }
    Pair { high: upper, low: lower }
}

/// The first less the second, which is not larger.
#[cube]
fn difference(a: Pair, b: Pair) -> Pair {
    let mut high = a.high - b.high;
    if a.low < b.low {
        high -= 1u32;
    }
    Pair { high, low: a.low - b.low }
}

#[cube]
fn is_less(a: Pair, b: Pair) -> bool {
    a.high < b.high || (a.high == b.high && a.low < b.low)
}

/// In single precision.
#[cube]
fn rounded(of: Pair) -> f32 {
    f32::cast_from(of.high) * HIGH + f32::cast_from(of.low)
}

/// The whole root below, of numbers below 2^63.
#[cube]
fn root(of: Pair) -> u32 {
    // Off by thousands at most, whatever root the device has.
    let mut root = u32::cast_from(rounded(of).sqrt());
    let twice = 2.0f32 * f32::max(f32::cast_from(root), 1.0f32);
    // Newton's method makes that one or two.
    let found = square(root);
    if is_less(of, found) {
        root -= u32::cast_from(rounded(difference(found, of)) / twice);
    } else {
        root += u32::cast_from(rounded(difference(of, found)) / twice);
    }
    while is_less(of, square(root)) {
        root -= 1u32;
    }
    while !is_less(of, square(root + 1u32)) {
        root += 1u32;
    }
    root
}
