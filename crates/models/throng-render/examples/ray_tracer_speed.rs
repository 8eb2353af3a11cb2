//! Speed of the ray tracer: frames per second of a lattice of spheres above a plane, with a lamp, shadows and mirrors.
//!
//! `cargo run --release -p throng-render --example ray_tracer_speed -- [device=cpu] [spheres=10] [size=700] [frames=20]
//! [samples=1] [tree=1]`, where `spheres` is the number along each edge of the lattice, and `device` is `cpu` or a
//! device that `throng doctor` lists. Times are medians after one warm-up frame: for rendering alone, and including the
//! copy of the image to the host.

use std::time::Instant;

use throng_device::Executor;
use throng_render::{PackedScene, Settings, drawer, lattice};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = |key: &str| std::env::args().find_map(|arg| Some(arg.strip_prefix(key)?.strip_prefix('=')?.to_owned()));
    let number = |key: &str, default: u32| text(key).map_or(Ok(default), |text| text.parse());
    let (edge, size, frames) = (number("spheres", 10)?, number("size", 700)?, number("frames", 20)?.max(1));
    let (samples, tree) = (number("samples", 1)?, number("tree", 1)? == 1);
    let executor = Executor::open(text("device").as_deref().unwrap_or("cpu").parse()?)?;
    let (scene, camera) = lattice(edge);
    let since = Instant::now();
    let packed = PackedScene::new(&scene)?;
    let building_s = since.elapsed().as_secs_f64();
    let settings = Settings { width: size, height: size, samples, tree, ..Settings::default() };
    let mut drawer = drawer(&executor, &packed, &settings)?;
    let (mut drawing, mut on_host) = (Vec::new(), Vec::new());
    let mut hash = 0;
    for frame in 0..=frames {
        drawer.clear()?;
        drawer.wait()?;
        let since = Instant::now();
        drawer.add_samples(&camera, samples)?;
        drawer.wait()?;
        let drawn_s = since.elapsed().as_secs_f64();
        let picture = drawer.picture(settings.tone)?;
        let host_s = since.elapsed().as_secs_f64();
        hash = picture.hash();
        if frame > 0 {
            drawing.push(drawn_s);
            on_host.push(host_s);
        }
    }
    let label = executor.label();
    println!("{label}: {} spheres, built in {:.2} ms, picture {hash:016x}", scene.spheres.len(), 1e3 * building_s);
    for (what, mut times) in [("drawn", drawing), ("on the host", on_host)] {
        times.sort_by(f64::total_cmp);
        let (median, best) = (times[times.len() / 2], times[0]);
        println!("{what:>11}: {:.3} ms, {:.1} frames/s, best {:.3} ms", 1e3 * median, 1.0 / median, 1e3 * best);
    }
    Ok(())
}
