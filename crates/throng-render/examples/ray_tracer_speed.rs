//! Speed of the ray tracer: frames per second of a lattice of spheres above a plane, with shadows and mirrors.
//!
//! `cargo run --release -p throng-render --example ray_tracer_speed -- [spheres=10] [size=700] [frames=20]`, where `spheres`
//! is the number along each edge of the lattice.

use std::time::Instant;

use throng_render::{Film, PackedScene, Settings};
use throng_scene::{Camera, Light, Plane, Scene, Sphere};

fn main() {
    let number = |key: &str, default: u32| {
        let given = std::env::args().find_map(|arg| arg.strip_prefix(key)?.strip_prefix('=')?.parse().ok());
        given.unwrap_or(default)
    };
    let (edge, size, frames) = (number("spheres", 10), number("size", 700), number("frames", 20));
    let scene = lattice(edge);
    let middle = f64::from(edge - 1) / 2.0;
    let eye = [middle + 0.3 * f64::from(edge), middle + 0.6 * f64::from(edge), 2.2 * f64::from(edge)];
    let camera = Camera { eye, target: [middle; 3], ..Camera::default() };
    let since = Instant::now();
    let packed = PackedScene::new(&scene).expect("a scene that can be drawn");
    println!("{} spheres, packed and built in {:.2} ms", edge.pow(3), 1e3 * since.elapsed().as_secs_f64());
    let settings = Settings { width: size, height: size, ..Settings::default() };
    let mut times = Vec::new();
    let mut hash = 0;
    for _ in 0..frames {
        let since = Instant::now();
        let mut film = Film::new(&settings).expect("memory for a picture");
        film.add_samples(&packed, &camera, &settings, 1);
        let picture = film.picture(settings.tone);
        times.push(since.elapsed().as_secs_f64());
        hash = picture.hash();
    }
    times.sort_by(f64::total_cmp);
    let median = times[times.len() / 2];
    println!(
        "median {:.2} ms, {:.1} frames/s, best {:.2} ms, picture {hash:016x}",
        1e3 * median,
        1.0 / median,
        1e3 * times[0]
    );
}

/// Spheres on a lattice, every fourth a half mirror, above a plane.
fn lattice(edge: u32) -> Scene {
    let mut spheres = Vec::new();
    for i in 0..edge.pow(3) {
        let (x, y, z) = (i % edge, i / edge % edge, i / edge / edge);
        let share = |part: u32| 0.2 + 0.7 * f64::from(part) / f64::from(edge);
        spheres.push(Sphere {
            center: [f64::from(x), f64::from(y), f64::from(z)],
            radius: 0.3,
            albedo: [share(x), share(y), share(z)],
            reflectance: if i % 4 == 0 { 0.5 } else { 0.0 },
        });
    }
    let light =
        Light { position: [-f64::from(edge), 3.0 * f64::from(edge), 2.0 * f64::from(edge)], ..Light::default() };
    Scene { lights: vec![light], spheres, planes: vec![Plane { offset: -0.5, ..Plane::default() }], ..Scene::default() }
}
