//! Speed of the ray tracer: frames per second of a lattice of spheres above a plane, with shadows and mirrors.
//!
//! `cargo run --release -p throng-render --example ray_tracer_speed -- [spheres=10] [size=700] [frames=20]`, where `spheres`
//! is the number along each edge of the lattice.

use std::time::Instant;

use throng_render::{Film, PackedScene, Settings, lattice};

fn main() {
    let number = |key: &str, default: u32| {
        let given = std::env::args().find_map(|arg| arg.strip_prefix(key)?.strip_prefix('=')?.parse().ok());
        given.unwrap_or(default)
    };
    let (edge, size, frames) = (number("spheres", 10), number("size", 700), number("frames", 20));
    let (scene, camera) = lattice(edge);
    let since = Instant::now();
    let packed = PackedScene::new(&scene).expect("a scene that can be drawn");
    println!("{} spheres, packed and built in {:.2} ms", scene.spheres.len(), 1e3 * since.elapsed().as_secs_f64());
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
