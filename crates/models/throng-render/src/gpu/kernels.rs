//! The kernels of the ray tracer.

#![allow(clippy::manual_div_ceil, reason = "kernels have no `div_ceil`")]
#![allow(missing_docs, reason = "#[cube] generates items without documentation")]
#![allow(clippy::cast_lossless, reason = "kernels have no `f32::from`")]

use throng_device::cubecl::{self, prelude::*};
use throng_device::loops::are_cut;
use throng_device::{KernelArrays, KernelParameter, philox};

use super::tables::{Four, SceneTables, quad};
use crate::rules::FAR;
use crate::rules::bounds::{box_ray, entry};
use crate::rules::camera::Lens;
use crate::rules::light::{PointLight, incoming};
use crate::rules::path::{ambient, cosine, goes_on, with_light};
use crate::rules::plane;
use crate::rules::ray::{Ray, leaving, mirrored, slack};
use crate::rules::sampling::{PURPOSE, position};
use crate::rules::screen::toned;
use crate::rules::shape::{Surface, distance, surface};
use crate::rules::vector::{Vector3, sum_scaled};
use crate::{Style, Tone};

/// Edge length of a block, in pixels. Units of a block are consecutive, so those of a warp see similar parts of the
/// scene.
pub const EDGE: u32 = 8;
/// The slot of rays without a hit.
const NO_SLOT: u32 = u32::MAX;
/// The flag of a child that is a leaf; see `Leaf::packed`.
const LEAF: u32 = 1 << 31;
/// Maximum number of nodes on the stack of a traversal.
const MAX_LEVELS: usize = crate::bvh::MAX_LEVELS as usize;

/// The parameters of an image and its scene, except the tables.
#[derive(CubeType, CubeLaunch, KernelParameter, Clone, Copy)]
pub struct Drawing {
    pub lens: Lens,
    pub background_red: f32,
    pub background_green: f32,
    pub background_blue: f32,
    pub ambient_red: f32,
    pub ambient_green: f32,
    pub ambient_blue: f32,
    pub center_x: f32,
    pub center_y: f32,
    pub center_z: f32,
    pub radius: f32,
    pub shapes: u32,
    pub planes: u32,
    pub lights: u32,
    pub width: u32,
    pub height: u32,
    /// The first sample; `end` is exclusive.
    pub first: u32,
    pub end: u32,
    pub seed_low: u32,
    pub seed_high: u32,
    pub max_bounces: u32,
    /// -0, for rounded products.
    pub zero: f32,
    /// Always 2; see [`are_cut`].
    pub loop_probe: u32,
}

/// Compile-time variants of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    pub style: Style,
    pub tree: bool,
    /// Whether samples have random positions.
    pub random: bool,
}

/// A hit, or no hit.
#[derive(CubeType, Clone, Copy)]
struct Hit {
    t: f32,
    slot: u32,
}

/// Whether a hit with the shape in a slot comes before the best so far. Ties go to the lowest id.
#[cube]
fn is_before(tables: &SceneTables, t: f32, slot: u32, best: f32, best_slot: u32) -> bool {
    let mut is_before = t < best;
    if t == best && t < FAR && best_slot != NO_SLOT {
        is_before = tables.ids[slot as usize] < tables.ids[best_slot as usize];
    }
    is_before
}

/// The distance to a plane.
#[cube]
fn plane_distance(tables: &SceneTables, slot: u32, ray: Ray, zero: f32) -> f32 {
    let record = quad(tables.records[(slot * 4u32) as usize]);
    plane::distance(ray, Vector3 { x: record.a, y: record.b, z: record.c }, record.d, zero)
}

/// The nearest hit before `farthest` or, with `any`, an arbitrary hit.
#[cube]
fn trace(
    tables: &SceneTables,
    drawing: &Drawing,
    ray: Ray,
    farthest: f32,
    #[comptime] any: bool,
    #[comptime] tree: bool,
) -> Hit {
    let zero = drawing.zero;
    let mut t = farthest + 0.0f32;
    let mut slot = NO_SLOT.runtime();
    let mut plane = drawing.shapes;
    while plane < drawing.shapes + drawing.planes {
        let of_plane = plane_distance(tables, plane, ray, zero);
        if is_before(tables, of_plane, plane, t, slot) {
            t = of_plane;
            slot = plane;
        }
        plane += 1u32;
        if comptime!(any) && slot != NO_SLOT {
            plane = drawing.shapes + drawing.planes;
        }
    }
    let is_needed = drawing.shapes > 0u32 && !(comptime!(any) && slot != NO_SLOT);
    if is_needed {
        let hit = if comptime!(tree) {
            walk(tables, drawing, ray, t, slot, any)
        } else {
            test_all(tables, drawing, ray, t, slot, any)
        };
        t = hit.t;
        slot = hit.slot;
    }
    Hit { t, slot }
}

/// Tests a ray against every shape.
#[cube]
fn test_all(
    tables: &SceneTables,
    drawing: &Drawing,
    ray: Ray,
    farthest: f32,
    before: u32,
    #[comptime] any: bool,
) -> Hit {
    let zero = drawing.zero;
    let mut t = farthest + 0.0f32;
    let mut slot = before;
    let mut shape = 0u32;
    while shape < drawing.shapes {
        let kind = tables.ids[shape as usize] >> 28u32;
        let found = distance::<SceneTables>(tables, shape, kind, ray, t, zero);
        if is_before(tables, found, shape, t, slot) {
            t = found;
            slot = shape;
        }
        shape += 1u32;
        if comptime!(any) && slot != NO_SLOT {
            shape = drawing.shapes;
        }
    }
    Hit { t, slot }
}

/// Tests a ray against the shapes in the boxes that it enters.
#[cube]
fn walk(tables: &SceneTables, drawing: &Drawing, ray: Ray, farthest: f32, before: u32, #[comptime] any: bool) -> Hit {
    let zero = drawing.zero;
    let mut t = farthest + 0.0f32;
    let mut slot = before;
    let center = Vector3 { x: drawing.center_x, y: drawing.center_y, z: drawing.center_z };
    let boxes = box_ray(ray.origin, ray.direction, slack(ray.origin, center, drawing.radius));
    let mut later = Array::<u32>::new(MAX_LEVELS);
    let mut entries = Array::<f32>::new(MAX_LEVELS);
    let mut waiting: u32 = 0u32.runtime();
    let mut child = 0u32;
    let mut goes_on = true;
    while goes_on {
        let mut is_done = true;
        if child >= LEAF {
            let kind = (child >> 28u32) & 7u32;
            let first = child & 0x3FF_FFFFu32;
            let end = first + ((child >> 26u32) & 3u32) + 1u32;
            let mut shape = first;
            while shape < end {
                let found = distance::<SceneTables>(tables, shape, kind, ray, t, zero);
                if is_before(tables, found, shape, t, slot) {
                    t = found;
                    slot = shape;
                }
                shape += 1u32;
            }
            if comptime!(any) && slot != NO_SLOT {
                goes_on = false;
            }
        } else {
            let at = (child * 3u32) as usize;
            let (one, two, three) = (tables.boxes[at], tables.boxes[at + 1], tables.boxes[at + 2]);
            let first = tables.children[(child * 2u32) as usize];
            let second = tables.children[(child * 2u32 + 1u32) as usize];
            let of_first = entry(boxes, corner(one[0], one[1], one[2]), corner(one[3], two[0], two[1]), t);
            let of_second = entry(boxes, corner(two[2], two[3], three[0]), corner(three[1], three[2], three[3]), t);
            let is_first_nearer = of_first <= of_second;
            let near = select(is_first_nearer, of_first, of_second);
            let far = select(is_first_nearer, of_second, of_first);
            if near < FAR {
                child = select(is_first_nearer, first, second);
                is_done = false;
                if far < FAR {
                    later[waiting as usize] = select(is_first_nearer, second, first);
                    entries[waiting as usize] = far;
                    waiting += 1u32;
                }
            }
        }
        while is_done && goes_on {
            if waiting == 0u32 {
                goes_on = false;
            } else {
                waiting -= 1u32;
                child = later[waiting as usize];
                is_done = entries[waiting as usize] > t;
            }
        }
    }
    Hit { t, slot }
}

/// A corner of a box.
#[cube]
fn corner(x: f32, y: f32, z: f32) -> Vector3 {
    Vector3 { x, y, z }
}

/// The light that a surface scatters: from all lamps, and ambient light.
#[cube]
fn local_light(
    tables: &SceneTables,
    drawing: &Drawing,
    hit: Surface,
    from: Vector3,
    #[comptime] variant: Variant,
) -> Vector3 {
    let zero = drawing.zero;
    let all_sides = Vector3 { x: drawing.ambient_red, y: drawing.ambient_green, z: drawing.ambient_blue };
    let start = ambient(all_sides, hit.material);
    let mut red = start.x + 0.0f32;
    let mut green = start.y + 0.0f32;
    let mut blue = start.z + 0.0f32;
    for i in 0..drawing.lights {
        let first = quad(tables.lights[(i * 2u32) as usize]);
        let second = quad(tables.lights[(i * 2u32 + 1u32) as usize]);
        let lamp = PointLight {
            position: Vector3 { x: first.a, y: first.b, z: first.c },
            intensity: Vector3 { x: first.d, y: second.a, z: second.b },
            weakens: second.c,
        };
        let light = incoming(lamp, from, zero);
        let cosine = cosine(hit.normal, light.direction, zero);
        let mut visible = 1.0f32;
        if cosine > 0.0f32 {
            let ray = Ray { origin: from, direction: light.direction };
            let shadow = trace(tables, drawing, ray, light.distance, true, variant.tree);
            if shadow.slot != NO_SLOT {
                visible = 0.0f32.runtime();
            }
        }
        let sum = with_light(Vector3 { x: red, y: green, z: blue }, cosine, hit.material, light, visible, zero);
        red = sum.x + 0.0f32;
        green = sum.y + 0.0f32;
        blue = sum.z + 0.0f32;
    }
    Vector3 { x: red, y: green, z: blue }
}

/// The colour of a sample of a pixel.
#[cube]
fn sample_of(
    tables: &SceneTables,
    drawing: &Drawing,
    column: u32,
    row: u32,
    sample: u32,
    #[comptime] variant: Variant,
) -> Vector3 {
    let zero = drawing.zero;
    let mut across = 0.5f32;
    let mut down = 0.5f32;
    if comptime!(variant.random) {
        let entity = row * drawing.width + column;
        let words = philox::words(drawing.seed_low, drawing.seed_high, entity, sample, PURPOSE, 0u32);
        let place = position(words.first, words.second);
        across = place.across;
        down = place.down;
    }
    let start = drawing.lens.ray(column as f32 + across, row as f32 + down, zero);
    let mut origin_x = start.origin.x + 0.0f32;
    let mut origin_y = start.origin.y + 0.0f32;
    let mut origin_z = start.origin.z + 0.0f32;
    let mut x = start.direction.x + 0.0f32;
    let mut y = start.direction.y + 0.0f32;
    let mut z = start.direction.z + 0.0f32;
    let mut red = 0.0f32;
    let mut green = 0.0f32;
    let mut blue = 0.0f32;
    let mut weight = 1.0f32;
    let mut bounce = 0u32;
    let mut is_on_way = true;
    while is_on_way {
        let direction = Vector3 { x, y, z };
        let ray = Ray { origin: Vector3 { x: origin_x, y: origin_y, z: origin_z }, direction };
        let hit = trace(tables, drawing, ray, FAR, false, variant.tree);
        let sum = Vector3 { x: red, y: green, z: blue };
        is_on_way = false;
        if hit.slot == NO_SLOT {
            let sky = Vector3 { x: drawing.background_red, y: drawing.background_green, z: drawing.background_blue };
            let sum = sum_scaled(sum, weight, sky, zero);
            red = sum.x + 0.0f32;
            green = sum.y + 0.0f32;
            blue = sum.z + 0.0f32;
        } else {
            let kind = tables.ids[hit.slot as usize] >> 28u32;
            let here = surface::<SceneTables>(tables, hit.slot, kind, ray, hit.t, zero);
            let from = leaving(here.point, here.normal, zero);
            let reflectance = here.material.reflectance;
            if comptime!(variant.style == Style::Paper) && bounce == 1u32 {
                let all_sides = Vector3 { x: drawing.ambient_red, y: drawing.ambient_green, z: drawing.ambient_blue };
                let sum = sum_scaled(sum, weight, ambient(all_sides, here.material), zero);
                red = sum.x + 0.0f32;
                green = sum.y + 0.0f32;
                blue = sum.z + 0.0f32;
            } else {
                let light = local_light(tables, drawing, here, from, variant);
                let sum = sum_scaled(sum, weight * (1.0f32 - reflectance), light, zero);
                red = sum.x + 0.0f32;
                green = sum.y + 0.0f32;
                blue = sum.z + 0.0f32;
            }
            if goes_on(weight, reflectance, bounce, drawing.max_bounces) {
                weight *= reflectance;
                let next = mirrored(direction, here.normal, zero);
                x = next.x + 0.0f32;
                y = next.y + 0.0f32;
                z = next.z + 0.0f32;
                origin_x = from.x + 0.0f32;
                origin_y = from.y + 0.0f32;
                origin_z = from.z + 0.0f32;
                bounce += 1u32;
                is_on_way = true;
            }
        }
    }
    Vector3 { x: red, y: green, z: blue }
}

/// Adds samples to the sums of all pixels.
#[cube(launch_unchecked)]
pub fn add_samples(
    tables: &SceneTables,
    drawing: &Drawing,
    sums: &mut Array<Four>,
    cut: &mut Array<u32>,
    #[comptime] variant: Variant,
) {
    let unit = ABSOLUTE_POS as u32;
    let (block, inside) = (unit / (EDGE * EDGE), unit % (EDGE * EDGE));
    let blocks_of_row = (drawing.width + EDGE - 1u32) / EDGE;
    let column = block % blocks_of_row * EDGE + inside % EDGE;
    let row = block / blocks_of_row * EDGE + inside / EDGE;
    if column < drawing.width && row < drawing.height {
        let at = (row * drawing.width + column) as usize;
        let mut sum = sums[at];
        for sample in drawing.first..drawing.end {
            let colour = sample_of(tables, drawing, column, row, sample, variant);
            sum[0] += colour.x;
            sum[1] += colour.y;
            sum[2] += colour.z;
        }
        sums[at] = sum;
    }
    if are_cut(drawing.loop_probe) {
        cut[0] = 1u32;
    }
}

/// The sums of all pixels, and the minimum amount of light for each byte above 0.
#[derive(CubeType, CubeLaunch, KernelArrays)]
pub struct Exposed {
    pub sums: Array<Four>,
    pub thresholds: Array<f32>,
}

/// Computes the bytes of all pixels, with red in the lowest byte.
#[cube(launch_unchecked)]
pub fn develop(
    exposed: &Exposed,
    bytes: &mut Array<u32>,
    pixels: u32,
    samples: f32,
    zero: f32,
    #[comptime] tone: Tone,
) {
    let pixel = ABSOLUTE_POS;
    if (pixel as u32) < pixels {
        let sum = exposed.sums[pixel];
        let mean = Vector3 { x: sum[0] / samples, y: sum[1] / samples, z: sum[2] / samples };
        let colour = toned(mean, zero, tone);
        let red = byte(&exposed.thresholds, colour.x);
        let green = byte(&exposed.thresholds, colour.y);
        let blue = byte(&exposed.thresholds, colour.z);
        bytes[pixel] = red | (green << 8u32) | (blue << 16u32) | 0xFF00_0000u32;
    }
}

/// The number of thresholds that an amount of light reaches, by binary search.
#[cube]
fn byte(thresholds: &Array<f32>, linear: f32) -> u32 {
    let mut reached = 0u32;
    #[unroll]
    for i in 0..8u32 {
        let more = comptime!(128u32 >> i);
        // The last threshold has index 254, so at most 255 are reached.
        if thresholds[(reached + more - 1u32) as usize] <= linear {
            reached += more;
        }
    }
    reached
}

/// Sets the sums of all pixels to 0.
#[cube(launch)]
pub fn clear(sums: &mut Array<Four>, pixels: u32) {
    if (ABSOLUTE_POS as u32) < pixels {
        let mut nothing = sums[ABSOLUTE_POS];
        nothing[0] = 0.0f32;
        nothing[1] = 0.0f32;
        nothing[2] = 0.0f32;
        nothing[3] = 0.0f32;
        sums[ABSOLUTE_POS] = nothing;
    }
}
