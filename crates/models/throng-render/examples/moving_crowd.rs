//! Speed of moving scenes: capsules walk in a square on a device, and their tree is rebuilt for each image.
//!
//! `cargo run --release -p throng-render --example moving_crowd -- [device=cuda:0] [capsules=1000000] [width=3840]
//! [height=2160] [frames=20] [out=FILE.png]`. Times are medians after one warm-up frame: for moving and building; for
//! rendering with a lamp and shadows; and for both, including the copy of the image to the host.

use std::time::Instant;

use throng_core::Philox;
use throng_device::cubecl::{self, prelude::*};
use throng_device::{Device, DeviceId, open};
use throng_render::{MovingScene, PackedScene, SHAPE_NUMBERS, Settings, Tone};
use throng_scene::{Camera, Capsule, Light, Plane, Scene, colours};

/// Moves each capsule by a step in its own direction. Capsules that leave the square re-enter at the opposite side.
#[cube(launch)]
fn walk(shapes: &mut Array<f32>, len: u32, edge: f32) {
    let i = ABSOLUTE_POS as u32;
    if i < len {
        let at = (i * 16u32) as usize;
        // Sixteen directions.
        let x = (i % 4u32) as f32 - 1.5f32;
        let z = (i / 4u32 % 4u32) as f32 - 1.5f32;
        let x = shapes[at] + 0.05f32 * x;
        let z = shapes[at + 2] + 0.05f32 * z;
        shapes[at] = x - edge * (x / edge).floor();
        shapes[at + 2] = z - edge * (z / edge).floor();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = |key: &str| std::env::args().find_map(|arg| Some(arg.strip_prefix(key)?.strip_prefix('=')?.to_owned()));
    let number = |key: &str, default: u32| text(key).map_or(Ok(default), |text| text.parse());
    let name = text("device").unwrap_or_else(|| "cuda:0".to_owned());
    let device = open(DeviceId::parse(&name).ok_or("give cuda:N or vulkan:N")?)?;
    let capsules = number("capsules", 1_000_000)?;
    let settings = Settings { width: number("width", 3840)?, height: number("height", 2160)?, ..Settings::default() };
    // One pedestrian per square metre.
    let edge = f64::from(capsules).sqrt();
    let scene = crowd(capsules, edge);
    let eye = [0.5 * edge, 0.12 * edge, 1.05 * edge];
    let camera = Camera { eye, target: [0.5 * edge, 0.0, 0.6 * edge], ..Camera::default() };
    let packed = PackedScene::new(&scene)?;
    println!("{}: {capsules} capsules, {} x {} pixels", device.info().label(), settings.width, settings.height);
    let (frames, out) = (number("frames", 20)?.max(1), text("out"));
    measure(&device, &packed, &settings, &camera, edge, frames, out.as_deref())
}

fn crowd(capsules: u32, edge: f64) -> Scene {
    let draws = Philox::new(1);
    let person = |i: u32| {
        let part = |purpose: u32| draws.unit(i, 0, purpose, 0);
        let feet = [edge * part(0), 0.0, edge * part(1)];
        Capsule::standing(feet, 0.22, 1.55 + 0.4 * part(2), colours::category(i as usize))
    };
    Scene {
        background: [0.7, 0.8, 0.95],
        ambient: [0.3; 3],
        lights: vec![Light { position: [-edge, 2.0 * edge, edge], ..Light::default() }],
        planes: vec![Plane::default()],
        capsules: (0..capsules).map(person).collect(),
        ..Scene::default()
    }
}

fn measure(
    device: &Device,
    packed: &PackedScene,
    settings: &Settings,
    camera: &Camera,
    edge: f64,
    frames: u32,
    out: Option<&str>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut moving = MovingScene::new(device, packed, settings, [[0.0; 3], [edge, 2.5, edge]])?;
    let len = moving.shapes().len() / SHAPE_NUMBERS;
    let [mut building, mut drawing, mut on_host] = [const { Vec::new() }; 3];
    for frame in 0..=frames {
        let since = Instant::now();
        device.launch("walking", len, |client, cubes, dim| {
            walk::launch(client, cubes, dim, moving.shapes().arg(), len as u32, edge as f32);
        })?;
        moving.rebuild()?;
        moving.wait()?;
        let built_s = since.elapsed().as_secs_f64();
        moving.add_samples(camera, 1)?;
        moving.wait()?;
        let drawn_s = since.elapsed().as_secs_f64();
        let picture = moving.picture(Tone::Clamp)?;
        let host_s = since.elapsed().as_secs_f64();
        if frame > 0 {
            building.push(built_s);
            drawing.push(drawn_s - built_s);
            on_host.push(host_s);
        }
        if frame == frames {
            println!("picture {:016x}", picture.hash());
            if let Some(out) = out {
                picture.write_png(std::fs::File::create(out)?, &[])?;
            }
        }
    }
    for (what, mut times) in [("moved, built", building), ("drawn", drawing), ("frame", on_host)] {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        println!("{what:>12}: {:.3} ms, {:.1} per second", 1e3 * median, 1.0 / median);
    }
    Ok(())
}
