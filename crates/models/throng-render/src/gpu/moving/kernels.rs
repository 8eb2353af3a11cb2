//! The kernels that build a tree.

#![allow(clippy::manual_div_ceil, reason = "kernels have no `div_ceil`")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f32::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::exact::{ieee_max, ieee_min};
use throng_device::{KernelArrays, KernelParameter};

use super::morton::{code, common};
use crate::rules::FAR;
use crate::rules::shape::{BOX, CAPSULE};

/// The lowest corner of the room around the shapes, its Morton grid, and the number of shapes.
#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
pub struct Room {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    /// Cells of the Morton grid per unit of length.
    pub per_x: f32,
    pub per_y: f32,
    pub per_z: f32,
    pub shapes: u32,
}

/// The shapes in their original order, and their ids.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Shapes {
    pub shapes: Array<f32>,
    pub ids: Array<u32>,
}

/// The shapes, their ids and new order, and the records and ids in the previous order, in which planes come last.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Unsorted {
    pub shapes: Array<f32>,
    pub ids: Array<u32>,
    pub order: Array<u32>,
    pub before: Array<f32>,
    pub ids_before: Array<u32>,
}

/// The shapes in sorted order, their ids, and the boxes of the complete tree.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct SortedShapes {
    pub shapes: Array<f32>,
    pub ids: Array<u32>,
    pub ranges: Array<f32>,
}

/// Inputs of the nodes of the tree.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Leaves {
    pub codes: Array<u32>,
    pub ids: Array<u32>,
    pub ranges: Array<f32>,
}

/// The nodes.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct TreeNodes {
    pub boxes: Array<f32>,
    pub children: Array<u32>,
}

/// An axis-aligned box.
#[derive(CubeType, Clone, Copy)]
struct Bounds {
    x0: f32,
    y0: f32,
    z0: f32,
    x1: f32,
    y1: f32,
    z1: f32,
}

/// The smallest box around both.
#[cube]
fn both(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        x0: ieee_min(a.x0, b.x0),
        y0: ieee_min(a.y0, b.y0),
        z0: ieee_min(a.z0, b.z0),
        x1: ieee_max(a.x1, b.x1),
        y1: ieee_max(a.y1, b.y1),
        z1: ieee_max(a.z1, b.z1),
    }
}

/// The box around a sphere, a capsule or a box. The slack of rays covers its rounding errors.
#[cube]
fn bounds_of(shapes: &Array<f32>, shape: u32, kind: u32) -> Bounds {
    let at = (shape * 16u32) as usize;
    let (x, y, z, size) = (shapes[at], shapes[at + 1], shapes[at + 2], shapes[at + 3]);
    let (ax, ay, az, a) = (shapes[at + 4], shapes[at + 5], shapes[at + 6], shapes[at + 7]);
    let (bx, by, bz, b) = (shapes[at + 8], shapes[at + 9], shapes[at + 10], shapes[at + 11]);
    let mut x0 = x - size;
    let mut y0 = y - size;
    let mut z0 = z - size;
    let mut x1 = x + size;
    let mut y1 = y + size;
    let mut z1 = z + size;
    if kind == CAPSULE {
        // `a` is the length of the capsule's line along its axis.
        let (to_x, to_y, to_z) = (x + a * ax, y + a * ay, z + a * az);
        x0 = ieee_min(x, to_x) - size;
        y0 = ieee_min(y, to_y) - size;
        z0 = ieee_min(z, to_z) - size;
        x1 = ieee_max(x, to_x) + size;
        y1 = ieee_max(y, to_y) + size;
        z1 = ieee_max(z, to_z) + size;
    } else if kind == BOX {
        let (cx, cy, cz) = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
        let reach_x = size * ax.abs() + a * bx.abs() + b * cx.abs();
        let reach_y = size * ay.abs() + a * by.abs() + b * cy.abs();
        let reach_z = size * az.abs() + a * bz.abs() + b * cz.abs();
        x0 = x - reach_x;
        y0 = y - reach_y;
        z0 = z - reach_z;
        x1 = x + reach_x;
        y1 = y + reach_y;
        z1 = z + reach_z;
    }
    Bounds { x0, y0, z0, x1, y1, z1 }
}

/// The cell of the Morton grid along one axis, from 0 to 1023.
#[cube]
fn part(position: f32, low: f32, per_length: f32) -> u32 {
    ieee_min(ieee_max((position - low) * per_length, 0.0f32), 1023.0f32) as u32
}

/// The Morton code of the center of each shape.
#[cube(launch)]
pub fn codes(shapes: &Shapes, codes: &mut Array<u32>, room: &Room) {
    let shape = ABSOLUTE_POS as u32;
    if shape < room.shapes {
        let bounds = bounds_of(&shapes.shapes, shape, shapes.ids[shape as usize] >> 28u32);
        let x = part(0.5f32 * (bounds.x0 + bounds.x1), room.x, room.per_x);
        let y = part(0.5f32 * (bounds.y0 + bounds.y1), room.y, room.per_y);
        let z = part(0.5f32 * (bounds.z0 + bounds.z1), room.z, room.per_z);
        codes[shape as usize] = code(x, y, z);
    }
}

#[cube]
fn write(boxes: &mut Array<f32>, at: usize, bounds: Bounds) {
    boxes[at] = bounds.x0;
    boxes[at + 1] = bounds.y0;
    boxes[at + 2] = bounds.z0;
    boxes[at + 3] = bounds.x1;
    boxes[at + 4] = bounds.y1;
    boxes[at + 5] = bounds.z1;
}

#[cube]
fn read(boxes: &Array<f32>, at: usize) -> Bounds {
    Bounds {
        x0: boxes[at],
        y0: boxes[at + 1],
        z0: boxes[at + 2],
        x1: boxes[at + 3],
        y1: boxes[at + 4],
        z1: boxes[at + 5],
    }
}

/// Copies the shapes, their ids and their boxes in sorted order, and the planes unchanged. Pads the boxes with empty
/// ones up to a power of two.
#[cube(launch)]
pub fn gather(unsorted: &Unsorted, sorted: &mut SortedShapes, len: u32, planes: u32, leaves: u32) {
    let slot = ABSOLUTE_POS as u32;
    if slot >= len && slot < len + planes {
        #[unroll]
        for i in 0..16usize {
            let at = (slot * 16u32) as usize + i;
            sorted.shapes[at] = unsorted.before[at];
        }
        sorted.ids[slot as usize] = unsorted.ids_before[slot as usize];
    }
    if slot < leaves {
        if slot < len {
            let shape = unsorted.order[slot as usize];
            let id = unsorted.ids[shape as usize];
            #[unroll]
            for i in 0..16usize {
                sorted.shapes[(slot * 16u32) as usize + i] = unsorted.shapes[(shape * 16u32) as usize + i];
            }
            sorted.ids[slot as usize] = id;
            write(&mut sorted.ranges, (slot * 6u32) as usize, bounds_of(&unsorted.shapes, shape, id >> 28u32));
        } else {
            let low = FAR.runtime();
            let high = -low;
            write(
                &mut sorted.ranges,
                (slot * 6u32) as usize,
                Bounds { x0: low, y0: low, z0: low, x1: high, y1: high, z1: high },
            );
        }
    }
}

/// Computes a level of the complete tree: the boxes around pairs of the previous level, which starts at index `from`.
#[cube(launch)]
pub fn merge(ranges: &mut Array<f32>, from: u32, count: u32) {
    let pair = ABSOLUTE_POS as u32;
    if pair < count {
        let first = ((from + 2u32 * pair) * 6u32) as usize;
        let bounds = both(read(ranges, first), read(ranges, first + 6));
        write(ranges, ((from + 2u32 * count + pair) * 6u32) as usize, bounds);
    }
}

/// The box around the shapes from `first` to `end`, exclusive. Reads at most two nodes per level of the complete tree.
#[cube]
fn of_range(ranges: &Array<f32>, first: u32, end: u32, leaves: u32) -> Bounds {
    let start = read(ranges, (first * 6u32) as usize);
    let mut x0 = start.x0 + 0.0f32;
    let mut y0 = start.y0 + 0.0f32;
    let mut z0 = start.z0 + 0.0f32;
    let mut x1 = start.x1 + 0.0f32;
    let mut y1 = start.y1 + 0.0f32;
    let mut z1 = start.z1 + 0.0f32;
    let mut left = first;
    let mut right = end;
    // The start of the level, and its number of nodes.
    let mut level = 0u32;
    let mut nodes = leaves;
    while left < right {
        let has_left = left & 1u32 == 1u32;
        let has_right = right & 1u32 == 1u32;
        // If there is no such node, use one that is already part of the range.
        let one = select(has_left, level + left, first);
        let other = select(has_right, level + right - 1u32, first);
        let more = both(read(ranges, (one * 6u32) as usize), read(ranges, (other * 6u32) as usize));
        x0 = ieee_min(x0, more.x0);
        y0 = ieee_min(y0, more.y0);
        z0 = ieee_min(z0, more.z0);
        x1 = ieee_max(x1, more.x1);
        y1 = ieee_max(y1, more.y1);
        z1 = ieee_max(z1, more.z1);
        left = (left + 1u32) / 2u32;
        right /= 2u32;
        level += nodes;
        nodes /= 2u32;
    }
    Bounds { x0, y0, z0, x1, y1, z1 }
}

/// The child for a range of shapes.
#[cube]
fn child(ids: &Array<u32>, first: u32, last: u32, node: u32) -> u32 {
    let mut child = node;
    if first == last {
        // A leaf with one shape; see `Leaf::packed`.
        child = 0x8000_0000u32 | ((ids[first as usize] >> 28u32) << 28u32) | first;
    }
    child
}

/// Computes the nodes. Each has the range of shapes that starts or ends at the node's index (Karras, section 3).
#[cube(launch)]
pub fn nodes(of: &Leaves, tree: &mut TreeNodes, len: u32, leaves: u32) {
    let node = ABSOLUTE_POS as u32;
    if len == 1u32 && node == 0u32 {
        // A node has two children: the same leaf twice, once in a box that no ray of a scene reaches.
        let far = 1.0e30f32.runtime();
        write(&mut tree.boxes, 0, read(&of.ranges, 0));
        write(&mut tree.boxes, 6, Bounds { x0: far, y0: far, z0: far, x1: far, y1: far, z1: far });
        tree.children[0] = child(&of.ids, 0u32, 0u32, 0u32);
        tree.children[1] = child(&of.ids, 0u32, 0u32, 0u32);
    }
    if node + 1u32 < len {
        let here = node as i32;
        let count = len as i32;
        let forward = common(&of.codes, here, here + 1i32, count) > common(&of.codes, here, here - 1i32, count);
        let step = select(forward, 1i32, -1i32);
        let least = common(&of.codes, here, here - step, count);
        // Finds the other end: first an upper bound of the length, then its binary digits.
        let mut most = 2i32;
        while common(&of.codes, here, here + most * step, count) > least {
            most *= 2i32;
        }
        let mut length = 0i32;
        let mut more = most / 2i32;
        while more >= 1i32 {
            if common(&of.codes, here, here + (length + more) * step, count) > least {
                length += more;
            }
            more /= 2i32;
        }
        let end = here + length * step;
        // Finds the split: the last shape whose code shares a longer prefix with that of this one than the whole range
        // does.
        let whole = common(&of.codes, here, end, count);
        let mut offset = 0i32;
        let mut part = length;
        let mut goes_on = true;
        while goes_on {
            part = (part + 1i32) / 2i32;
            if common(&of.codes, here, here + (offset + part) * step, count) > whole {
                offset += part;
            }
            goes_on = part > 1i32;
        }
        let split = (here + offset * step + select(forward, 0i32, -1i32)) as u32;
        let first = select(forward, here, end) as u32;
        let last = select(forward, end, here) as u32;
        let at = (node * 12u32) as usize;
        write(&mut tree.boxes, at, of_range(&of.ranges, first, split + 1u32, leaves));
        write(&mut tree.boxes, at + 6, of_range(&of.ranges, split + 1u32, last + 1u32, leaves));
        tree.children[(node * 2u32) as usize] = child(&of.ids, first, split, split);
        tree.children[(node * 2u32 + 1u32) as usize] = child(&of.ids, split + 1u32, last, split + 1u32);
    }
}
