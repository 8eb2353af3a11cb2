//! Traces the paths of the pixels of a packet, from the camera to the lights.

#![allow(clippy::needless_range_loop, reason = "a lane has the same index in several arrays")]

use multiversion::multiversion;
use throng_core::Philox;

use super::fault::Fault;
use super::lanes::{LANES, Lanes, Rays, Vectors};
use super::packet::{Hits, NO_SLOT, ZERO, trace};
use crate::packed::kind_of;
use crate::picture::Bytes;
use crate::rules::FAR;
use crate::rules::camera::Lens;
use crate::rules::light::{Incoming, PointLight, incoming};
use crate::rules::path::{Material, ambient, cosine, goes_on, with_light};
use crate::rules::ray::{leaving, mirrored};
use crate::rules::sampling::{PURPOSE, Position, position};
use crate::rules::shape::{Surface, surface};
use crate::rules::vector::{Vector3, sum_scaled};
use crate::{PackedScene, Settings, Style, Tone};

/// Edge length of a block, in pixels.
pub(crate) const EDGE: u32 = 8;
/// Columns of a packet; its lanes fill `LANES / COLUMNS` rows.
const COLUMNS: u32 = 4;

/// The sums of the samples of a block of 8 x 8 pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block([[f32; 3]; (EDGE * EDGE) as usize]);

impl Default for Block {
    fn default() -> Self {
        Self([[0.0; 3]; (EDGE * EDGE) as usize])
    }
}

impl Block {
    /// The bytes of all pixels.
    #[inline(always)]
    fn pixels(&self, samples: u32, tone: Tone, bytes: Bytes) -> [[u8; 4]; (EDGE * EDGE) as usize] {
        let mut pixels = [[0; 4]; (EDGE * EDGE) as usize];
        for (pixel, sum) in pixels.iter_mut().zip(&self.0) {
            *pixel = bytes.of_pixel(*sum, samples, tone);
        }
        pixels
    }

    #[inline(always)]
    pub fn sum(&self, column: u32, row: u32) -> [f32; 3] {
        self.0[(row * EDGE + column) as usize]
    }
}

/// A rendering task: a scene, a camera, and the samples from `first` to `end`, exclusive.
pub(crate) struct View<'a> {
    pub scene: &'a PackedScene,
    pub lens: &'a Lens,
    pub settings: &'a Settings,
    pub first: u32,
    pub end: u32,
    /// A fault, in tests.
    pub fault: Option<Fault>,
}

/// Adds samples to the pixels of a block, given its upper left pixel. Also computes pixels beyond the edge of the
/// image.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn add_to_block(view: &View<'_>, column: u32, row: u32, block: &mut Block) {
    let rows = LANES as u32 / COLUMNS;
    for y in (0..EDGE).step_by(rows as usize) {
        for x in (0..EDGE).step_by(COLUMNS as usize) {
            let of_lane = |lane: usize| (x + lane as u32 % COLUMNS, y + lane as u32 / COLUMNS);
            let mut pixels = [(0, 0); LANES];
            for lane in 0..LANES {
                let (x, y) = of_lane(lane);
                pixels[lane] = (column + x, row + y);
            }
            for sample in view.first..view.end {
                let colours = sample_of(view, &pixels, sample);
                for lane in 0..LANES {
                    let (x, y) = of_lane(lane);
                    let sum = &mut block.0[(y * EDGE + x) as usize];
                    let Vector3 { x: red, y: green, z: blue } = colours.at(lane);
                    *sum = [sum[0] + red, sum[1] + green, sum[2] + blue];
                }
            }
        }
    }
}

/// The bytes of the pixels of a block.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn pixels_of_block(
    block: &Block,
    samples: u32,
    tone: Tone,
    bytes: Bytes,
) -> [[u8; 4]; (EDGE * EDGE) as usize] {
    block.pixels(samples, tone, bytes)
}

/// The rays of a sample.
#[inline(always)]
fn rays_of(view: &View<'_>, pixels: &[(u32, u32); LANES], sample: u32) -> Rays {
    let View { lens, settings, .. } = view;
    let mut places = [Position { across: 0.5, down: 0.5 }; LANES];
    if settings.samples > 1 {
        let draws = Philox::new(settings.seed as u64);
        for (place, &(column, row)) in places.iter_mut().zip(pixels) {
            let [first, second, ..] =
                draws.block([row.wrapping_mul(settings.width).wrapping_add(column), sample, PURPOSE, 0]);
            *place = position(first, second);
        }
    }
    let mut rays = Rays { origins: Vectors::ZERO, directions: Vectors::ZERO };
    for lane in 0..LANES {
        let (column, row) = pixels[lane];
        let Position { across, down } = places[lane];
        rays.set(lane, lens.ray(column as f32 + across, row as f32 + down, ZERO));
    }
    rays
}

/// The colours of a sample of the pixels of a packet.
#[inline(always)]
fn sample_of(view: &View<'_>, pixels: &[(u32, u32); LANES], sample: u32) -> Vectors {
    let View { scene, settings, .. } = view;
    let most = settings.most_bounces();
    let mut rays = rays_of(view, pixels, sample);
    let mut weights = [1.0_f32; LANES];
    let mut colours = Vectors::ZERO;
    let mut farthest = [FAR; LANES];
    for bounce in 0..=most {
        let mut hits = Hits::none(farthest);
        trace::<false>(scene, &rays, settings.tree, &mut hits);
        let surfaces = Surfaces::new(scene, &rays, &hits);
        let is_ambient_only = settings.style == Style::Paper && bounce == 1;
        let local = if is_ambient_only { surfaces.ambient(scene) } else { local_light(view, &surfaces, &hits) };
        let mut goes_on_any = false;
        for lane in 0..LANES {
            if farthest[lane] < 0.0 {
                continue;
            }
            let (weight, sum) = (weights[lane], colours.at(lane));
            if hits.slot[lane] == NO_SLOT {
                colours.set(lane, sum_scaled(sum, weight, vector(scene.background), ZERO));
                farthest[lane] = -1.0;
                continue;
            }
            let reflectance = surfaces.reflectance[lane];
            let share = if is_ambient_only { weight } else { weight * (1.0 - reflectance) };
            colours.set(lane, sum_scaled(sum, share, local.at(lane), ZERO));
            if goes_on(weight, reflectance, bounce, most) {
                weights[lane] = if Fault::MirrorsDoNotWeaken.is(view.fault) { weight } else { weight * reflectance };
                goes_on_any = true;
            } else {
                farthest[lane] = -1.0;
            }
        }
        if !goes_on_any {
            break;
        }
        for lane in 0..LANES {
            let normal = surfaces.normals.at(lane);
            rays.directions.set(lane, mirrored(rays.directions.at(lane), normal, ZERO));
        }
        rays.origins = surfaces.leaving;
    }
    colours
}

/// The surfaces at the hits of a packet.
struct Surfaces {
    normals: Vectors,
    /// Origins of rays that leave the surfaces.
    leaving: Vectors,
    albedos: Vectors,
    reflectance: Lanes,
}

impl Surfaces {
    #[inline(always)]
    fn new(scene: &PackedScene, rays: &Rays, hits: &Hits) -> Self {
        // Rays without a hit get a default normal, so that no later value is NaN.
        let up = [1.0; LANES];
        let mut all = Self {
            normals: Vectors { y: up, ..Vectors::ZERO },
            leaving: Vectors::ZERO,
            albedos: Vectors::ZERO,
            reflectance: [0.0; LANES],
        };
        let mut points = Vectors::ZERO;
        for lane in 0..LANES {
            let slot = hits.slot[lane];
            if slot != NO_SLOT {
                let kind = kind_of(scene.ids[slot as usize]);
                let Surface { point, normal, material } = surface(scene, slot, kind, rays.at(lane), hits.t[lane], ZERO);
                points.set(lane, point);
                all.normals.set(lane, normal);
                all.albedos.set(lane, material.albedo);
                all.reflectance[lane] = material.reflectance;
            }
        }
        for lane in 0..LANES {
            all.leaving.set(lane, leaving(points.at(lane), all.normals.at(lane), ZERO));
        }
        all
    }

    #[inline(always)]
    fn material(&self, lane: usize) -> Material {
        Material { albedo: self.albedos.at(lane), reflectance: self.reflectance[lane] }
    }

    #[inline(always)]
    fn ambient(&self, scene: &PackedScene) -> Vectors {
        let mut sums = Vectors::ZERO;
        for lane in 0..LANES {
            sums.set(lane, ambient(vector(scene.ambient), self.material(lane)));
        }
        sums
    }
}

/// The light that surfaces scatter: from all lamps, and ambient light.
#[inline(always)]
fn local_light(view: &View<'_>, surfaces: &Surfaces, hits: &Hits) -> Vectors {
    let View { scene, settings, .. } = view;
    let mut sums = surfaces.ambient(scene);
    for &[x, y, z, red, green, blue, weakens, _] in &scene.lights {
        let position = Vector3 { x, y, z };
        let intensity = Vector3 { x: red, y: green, z: blue };
        let light = PointLight { position, intensity, weakens };
        let mut to_light = Vectors::ZERO;
        let mut amounts = Vectors::ZERO;
        let mut cosines = [0.0; LANES];
        let mut farthest = [-1.0; LANES];
        for lane in 0..LANES {
            let Incoming { direction, distance, amount } = incoming(light, surfaces.leaving.at(lane), ZERO);
            to_light.set(lane, direction);
            amounts.set(lane, amount);
            cosines[lane] = cosine(surfaces.normals.at(lane), direction, ZERO);
            // For a lamp behind the surface, occlusion does not matter.
            let needs_shadow_ray = hits.slot[lane] != NO_SLOT && cosines[lane] > 0.0;
            farthest[lane] = if needs_shadow_ray { distance } else { -1.0 };
        }
        let mut shadows = Hits::none(farthest);
        let any_needs_shadow_ray = farthest.iter().any(|&distance| distance > 0.0);
        if any_needs_shadow_ray && !Fault::NoShadows.is(view.fault) {
            let rays = Rays { origins: surfaces.leaving, directions: to_light };
            trace::<true>(scene, &rays, settings.tree, &mut shadows);
        }
        for lane in 0..LANES {
            let visible = if shadows.slot[lane] == NO_SLOT { 1.0 } else { 0.0 };
            let incoming = Incoming { direction: to_light.at(lane), distance: 0.0, amount: amounts.at(lane) };
            let sum = with_light(sums.at(lane), cosines[lane], surfaces.material(lane), incoming, visible, ZERO);
            sums.set(lane, sum);
        }
    }
    sums
}

#[inline(always)]
fn vector([x, y, z]: [f32; 3]) -> Vector3 {
    Vector3 { x, y, z }
}
