//! The definition of images, in double precision: every ray is tested against every shape.
//!
//! The executors share nothing with it except the axes of cameras and boxes, which scenes define. It is slow and
//! written for readability: Kloosterman's ray tracer (section 4 of his report), extended by mirrors that show lit
//! surfaces.

use throng_core::Philox;
use throng_scene::{
    Camera, Capsule, Falloff, HeightField, Light, OrientedBox, Plane, Point, Rgb, Scene, Sphere, difference, dot,
    length, normalized, scaled, sum,
};

use crate::lens::axes;
use crate::{Settings, Style};

/// A ray; its direction has unit length.
#[derive(Debug, Clone, Copy)]
struct Ray {
    origin: Point,
    direction: Point,
}

impl Ray {
    fn at(&self, t: f64) -> Point {
        sum(self.origin, scaled(self.direction, t))
    }
}

#[derive(Debug, Clone)]
struct Hit {
    t: f64,
    /// Kind and index, such as `S0`.
    name: String,
    normal: Point,
    albedo: Rgb,
    reflectance: f64,
}

/// The light that a sample receives, and its path.
#[derive(Debug, Clone, PartialEq)]
pub struct Traced {
    /// Linear red, green and blue.
    pub colour: Rgb,
    /// The shapes on the path, each with the distance from the previous one, and 1 or 0 for each light depending on
    /// whether it is visible from there: `S0 t=4.040348 v=11 > sky`. Lights behind a surface are not visible.
    pub path: String,
}

/// Traces a sample of a pixel, whose column and row count from the upper left corner.
pub fn sample(scene: &Scene, camera: &Camera, settings: &Settings, pixel: [u32; 2], number: u32) -> Traced {
    trace(scene, settings, &ray_of(camera, settings, pixel, number))
}

/// The direction of a sample.
pub fn direction(camera: &Camera, settings: &Settings, pixel: [u32; 2], number: u32) -> Point {
    ray_of(camera, settings, pixel, number).direction
}

fn ray_of(camera: &Camera, settings: &Settings, [column, row]: [u32; 2], number: u32) -> Ray {
    let (width, height) = (f64::from(settings.width), f64::from(settings.height));
    let [forward, right, up] = axes(camera, width / height);
    let mut place = [0.5, 0.5];
    if settings.samples > 1 {
        let entity = row.wrapping_mul(settings.width).wrapping_add(column);
        let words = Philox::new(settings.seed as u64).block([entity, number, 1, 0]);
        place = [words[0], words[1]].map(|word| f64::from(word >> 8) / f64::from(1 << 24));
    }
    let across = 2.0 * (f64::from(column) + place[0]) / width - 1.0;
    let upwards = 1.0 - 2.0 * (f64::from(row) + place[1]) / height;
    let direction = normalized(sum(forward, sum(scaled(right, across), scaled(up, upwards))));
    Ray { origin: camera.eye, direction }
}

fn trace(scene: &Scene, settings: &Settings, ray: &Ray) -> Traced {
    let (mut ray, mut weight, mut colour) = (*ray, 1.0, [0.0; 3]);
    let mut path = Vec::new();
    for bounce in 0..=settings.most_bounces() {
        let Some(hit) = nearest(scene, &ray) else {
            colour = sum(colour, scaled(scene.background, weight));
            path.push("sky".to_owned());
            break;
        };
        let from = leaving(ray.at(hit.t), hit.normal);
        if settings.style == Style::Paper && bounce == 1 {
            // The limitation that the paper describes: a mirror shows no light of lamps, and no second mirror.
            colour = sum(colour, scaled(ambient(scene, &hit), weight));
            path.push(format!("{} t={:.6}", hit.name, hit.t));
            break;
        }
        let mut light = ambient(scene, &hit);
        let mut seen = String::new();
        for lamp in &scene.lights {
            let is_in_front = dot(hit.normal, difference(lamp.position, from)) > 0.0;
            let is_visible = is_in_front && is_visible(scene, from, lamp);
            seen.push(if is_visible { '1' } else { '0' });
            if is_visible {
                light = sum(light, scattered(lamp, from, &hit));
            }
        }
        path.push(format!("{} t={:.6} v={seen}", hit.name, hit.t));
        colour = sum(colour, scaled(light, weight * (1.0 - hit.reflectance)));
        if hit.reflectance == 0.0 || bounce == settings.most_bounces() {
            break;
        }
        weight *= hit.reflectance;
        if weight < 1.0 / 1024.0 {
            break;
        }
        let mirrored = difference(ray.direction, scaled(hit.normal, 2.0 * dot(hit.normal, ray.direction)));
        ray = Ray { origin: from, direction: normalized(mirrored) };
    }
    Traced { colour, path: path.join(" > ") }
}

/// A point slightly above a surface.
fn leaving(point: Point, normal: Point) -> Point {
    let size = point.iter().fold(0.0, |size: f64, part| size.max(part.abs()));
    sum(point, scaled(normal, (1e-4 * size.clamp(1.0, 1000.0)).max(4e-6 * size)))
}

fn ambient(scene: &Scene, hit: &Hit) -> Rgb {
    std::array::from_fn(|i| scene.ambient[i] * hit.albedo[i])
}

fn is_visible(scene: &Scene, from: Point, lamp: &Light) -> bool {
    let to_light = difference(lamp.position, from);
    let distance = length(to_light);
    let ray = Ray { origin: from, direction: scaled(to_light, 1.0 / distance) };
    nearest(scene, &ray).is_none_or(|hit| hit.t >= distance)
}

/// The light of a lamp that a surface scatters (Lambert's cosine law).
fn scattered(lamp: &Light, from: Point, hit: &Hit) -> Rgb {
    let to_light = difference(lamp.position, from);
    let distance = length(to_light);
    let cosine = (dot(hit.normal, to_light) / distance).max(0.0);
    let weakened = match lamp.falloff {
        Falloff::None => 1.0,
        Falloff::InverseSquare => 1.0 / (distance * distance),
    };
    std::array::from_fn(|i| cosine * hit.albedo[i] * lamp.intensity[i] * weakened)
}

/// The nearest hit; ties go to the first kind, and within a kind to the first shape.
fn nearest(scene: &Scene, ray: &Ray) -> Option<Hit> {
    let mut best: Option<Hit> = None;
    let mut offer = |found: Option<(f64, Point)>, name: String, albedo: Rgb, reflectance: f64| {
        if let Some((t, normal)) = found.filter(|(t, _)| best.as_ref().is_none_or(|best| *t < best.t)) {
            let sign = if dot(normal, ray.direction) > 0.0 { -1.0 } else { 1.0 };
            best = Some(Hit { t, name, normal: scaled(normal, sign), albedo, reflectance });
        }
    };
    for (i, s) in scene.spheres.iter().enumerate() {
        offer(hit_sphere(ray, s), format!("S{i}"), s.albedo, s.reflectance);
    }
    for (i, p) in scene.planes.iter().enumerate() {
        offer(hit_plane(ray, p), format!("P{i}"), p.albedo, p.reflectance);
    }
    for (i, c) in scene.capsules.iter().enumerate() {
        offer(hit_capsule(ray, c), format!("C{i}"), c.albedo, c.reflectance);
    }
    for (i, b) in scene.boxes.iter().enumerate() {
        offer(hit_box(ray, b), format!("B{i}"), b.albedo, b.reflectance);
    }
    for (i, field) in scene.height_fields.iter().enumerate() {
        if let Some((t, normal, albedo)) = hit_field(ray, field) {
            offer(Some((t, normal)), format!("H{i}"), albedo, field.reflectance);
        }
    }
    best
}

/// The distances at which a ray crosses a sphere.
fn sphere_roots(ray: &Ray, center: Point, radius: f64) -> Option<[f64; 2]> {
    let from_center = difference(ray.origin, center);
    let b = dot(from_center, ray.direction);
    let e = difference(from_center, scaled(ray.direction, b));
    let d = radius * radius - dot(e, e);
    (d >= 0.0).then(|| [-b - d.sqrt(), -b + d.sqrt()])
}

fn hit_sphere(ray: &Ray, sphere: &Sphere) -> Option<(f64, Point)> {
    let roots = sphere_roots(ray, sphere.center, sphere.radius)?;
    let t = roots.into_iter().find(|&t| t > 0.0)?;
    Some((t, scaled(difference(ray.at(t), sphere.center), 1.0 / sphere.radius)))
}

fn hit_plane(ray: &Ray, plane: &Plane) -> Option<(f64, Point)> {
    let scale = length(plane.normal);
    let normal = scaled(plane.normal, 1.0 / scale);
    let t = (plane.offset / scale - dot(ray.origin, normal)) / dot(ray.direction, normal);
    (t > 0.0 && t.is_finite()).then_some((t, normal))
}

/// The surface of a capsule consists of the points at its radius from its line. Of all points where the ray crosses one
/// of the two spheres or the cylinder, the first one at that distance is the hit.
fn hit_capsule(ray: &Ray, capsule: &Capsule) -> Option<(f64, Point)> {
    let Capsule { from, to, radius, .. } = *capsule;
    let line = difference(to, from);
    let long = length(line);
    let axis = if long > 0.0 { scaled(line, 1.0 / long) } else { [0.0, 1.0, 0.0] };
    let mut candidates = Vec::new();
    for end in [from, to] {
        candidates.extend(sphere_roots(ray, end, radius).into_iter().flatten());
    }
    let from_start = difference(ray.origin, from);
    let across = |v: Point| difference(v, scaled(axis, dot(v, axis)));
    let (o, d) = (across(from_start), across(ray.direction));
    let (a, b) = (dot(d, d), dot(o, d));
    let e = difference(o, scaled(d, b / a));
    let rest = radius * radius - dot(e, e);
    if a > 0.0 && rest >= 0.0 {
        candidates.extend([-1.0, 1.0].map(|sign: f64| -b / a + sign * (rest / a).sqrt()));
    }
    let outward = |t: f64| {
        let v = difference(ray.at(t), from);
        difference(v, scaled(axis, dot(v, axis).clamp(0.0, long)))
    };
    candidates.retain(|&t| t > 0.0 && (length(outward(t)) - radius).abs() <= 1e-9 * (1.0 + t));
    let t = candidates.into_iter().min_by(f64::total_cmp)?;
    Some((t, normalized(outward(t))))
}

/// The first face through which a ray enters or, from inside, leaves.
fn hit_box(ray: &Ray, shape: &OrientedBox) -> Option<(f64, Point)> {
    let axes = shape.axes();
    let from_center = difference(ray.origin, shape.center);
    let (mut enter, mut leave) = ((f64::NEG_INFINITY, [0.0; 3]), (f64::INFINITY, [0.0; 3]));
    for (axis, half) in axes.into_iter().zip(shape.half_size) {
        let (o, d) = (dot(from_center, axis), dot(ray.direction, axis));
        if d == 0.0 {
            if o.abs() > half {
                return None;
            }
            continue;
        }
        let (near, far) = ((-half * d.signum() - o) / d, (half * d.signum() - o) / d);
        if near > enter.0 {
            enter = (near, axis);
        }
        if far < leave.0 {
            leave = (far, axis);
        }
    }
    let (t, normal) = if enter.0 > 0.0 { enter } else { leave };
    (enter.0 <= leave.0 && t > 0.0).then_some((t, normal))
}

/// Tests every cell of a height field.
fn hit_field(ray: &Ray, field: &HeightField) -> Option<(f64, Point, Rgb)> {
    let mut best: Option<(f64, Point, Rgb)> = None;
    for row in 0..field.rows() - 1 {
        for column in 0..field.columns - 1 {
            if let Some(found) = hit_cell(ray, field, column, row).filter(|found| best.is_none_or(|b| found.0 < b.0)) {
                best = Some(found);
            }
        }
    }
    best
}

fn hit_cell(ray: &Ray, field: &HeightField, column: usize, row: usize) -> Option<(f64, Point, Rgb)> {
    let HeightField { origin, spacing, columns, heights, albedos, albedo, .. } = field;
    let at = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| (row + z) * columns + column + x);
    let h = at.map(|at| heights[at]);
    // Position in the cell, from 0 to 1, as a linear function of t.
    let u = |t: f64| (ray.origin[0] + t * ray.direction[0] - origin[0]) / spacing[0] - column as f64;
    let v = |t: f64| (ray.origin[2] + t * ray.direction[2] - origin[2]) / spacing[1] - row as f64;
    let bilinear = |values: [f64; 4], u: f64, v: f64| {
        values[0] * (1.0 - u) * (1.0 - v) + values[1] * u * (1.0 - v) + values[2] * (1.0 - u) * v + values[3] * u * v
    };
    // The height of the ray above the patch is a quadratic polynomial in t, which three of its values determine.
    let above = |t: f64| ray.origin[1] + t * ray.direction[1] - origin[1] - bilinear(h, u(t), v(t));
    let (c, plus, minus) = (above(0.0), above(1.0), above(-1.0));
    let (a, b) = (f64::midpoint(plus, minus) - c, (plus - minus) / 2.0);
    let root = (b * b - 4.0 * a * c).sqrt();
    let q = -0.5 * (b + if b < 0.0 { -root } else { root });
    let inside = |x: f64| (-1e-9..=1.0 + 1e-9).contains(&x);
    let is_hit = |t: &f64| *t > 0.0 && t.is_finite() && inside(u(*t)) && inside(v(*t));
    let t = [q / a, c / q].into_iter().filter(is_hit).min_by(f64::total_cmp)?;
    let (u, v) = (u(t), v(t));
    let slope_u = (h[1] - h[0]) * (1.0 - v) + (h[3] - h[2]) * v;
    let slope_v = (h[2] - h[0]) * (1.0 - u) + (h[3] - h[1]) * u;
    let normal = normalized([-slope_u / spacing[0], 1.0, -slope_v / spacing[1]]);
    let of_channel = |i: usize| bilinear(at.map(|at| albedos.get(at).unwrap_or(albedo)[i]), u, v);
    Some((t, normal, std::array::from_fn(of_channel)))
}
