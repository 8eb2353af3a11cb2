//! Images on every device equal the images of the CPU, and contain the pixels computed by another program.

use std::thread;

use crate::common::{self, MEANS, NINE_PIXELS, difference, three_spheres};
use throng_device::Executor;
use throng_render::{PackedScene, Settings, Style, Tone, drawer, has_bits_of_the_cpu, lattice};
use throng_scene::{Camera, Scene};
use throng_testing_devices::{all_devices, devices};

#[test]
fn devices_match_the_nine_pixels_and_the_means() {
    let (scene, camera, settings) = three_spheres();
    let packed = PackedScene::new(&scene).unwrap();
    for device in all_devices() {
        let on = Executor::from(device);
        for tree in [true, false] {
            let settings = Settings { tree, ..settings };
            let mut drawer = drawer(&on, &packed, &settings).unwrap();
            drawer.add_samples(&camera, 1).unwrap();
            let (sums, picture) = (drawer.sums().unwrap(), drawer.picture(Tone::Clamp).unwrap());
            for pixel in &NINE_PIXELS {
                let [column, row] = pixel.at;
                let found = sums[(row * 16 + column) as usize].map(f64::from);
                assert!(difference(found, pixel.colour) < 2e-5, "{:?}: {found:?}", pixel.at);
                for (found, expected) in picture.pixel(column, row).into_iter().zip(pixel.bytes) {
                    assert!(found.abs_diff(expected) <= 1, "{:?}: {found}, {expected}", pixel.at);
                }
            }
        }
        let settings = Settings { samples: 16, seed: 4711, ..settings };
        let mut drawer = drawer(&on, &packed, &settings).unwrap();
        drawer.add_samples(&camera, 16).unwrap();
        let sums = drawer.sums().unwrap();
        for ([column, row], expected) in MEANS {
            let mean = sums[(row * 16 + column) as usize].map(|part| f64::from(part) / 16.0);
            assert!(difference(mean, expected) < 2e-5, "{column}, {row}: {mean:?}");
        }
    }
}

/// Sums and bytes of an image.
fn drawn(on: &Executor, scene: &Scene, camera: &Camera, settings: &Settings, at_a_time: u32) -> (Vec<[u32; 3]>, u64) {
    let packed = PackedScene::new(scene).unwrap();
    let mut drawer = drawer(on, &packed, settings).unwrap();
    for _ in 0..settings.samples / at_a_time {
        drawer.add_samples(camera, at_a_time).unwrap();
    }
    let sums = drawer.sums().unwrap().into_iter().map(|sum| sum.map(f32::to_bits)).collect();
    (sums, drawer.picture(settings.tone).unwrap().hash())
}

#[test]
fn images_of_devices_and_cpu_are_bitwise_equal() {
    let (scene, camera) = common::all_shapes();
    let base = Settings { width: 64, height: 48, ..Settings::default() };
    for settings in [
        base,
        Settings { samples: 4, tone: Tone::Aces, ..base },
        Settings { style: Style::Paper, tree: false, tone: Tone::Reinhard, ..base },
        Settings { max_bounces: 0, tree: false, ..base },
    ] {
        let expected = drawn(&Executor::cpu(), &scene, &camera, &settings, settings.samples);
        for device in devices() {
            if !has_bits_of_the_cpu(device).unwrap() {
                println!("{}: quotients and images differ from the CPU", device.info().label());
                continue;
            }
            for at_a_time in [settings.samples, 1] {
                let found = drawn(&Executor::from(device), &scene, &camera, &settings, at_a_time);
                let differing = found.0.iter().zip(&expected.0).filter(|(a, b)| a != b).count();
                let label = device.info().label();
                assert_eq!(differing, 0, "pixels of {settings:?} on {label}, {at_a_time} samples at a time");
                assert_eq!(found.1, expected.1, "bytes of {settings:?} on {label}");
            }
        }
    }
}

#[test]
fn a_scene_is_copied_to_a_device_once() {
    let (mut scene, camera) = lattice(8);
    let packed = PackedScene::new(&scene).unwrap();
    let settings = Settings { width: 16, height: 12, ..Settings::default() };
    for shared in all_devices() {
        // Opened again, because other tests also copy to the shared one.
        let on = Executor::from(shared.info().open().unwrap());
        let copied = || on.device().unwrap().ledger().uploaded_bytes;
        let drawn = |packed: &PackedScene| {
            let before = copied();
            let mut drawer = drawer(&on, packed, &settings).unwrap();
            drawer.add_samples(&camera, 1).unwrap();
            (drawer.picture(settings.tone).unwrap(), copied() - before)
        };
        let (first, all) = drawn(&packed);
        let (again, rest) = drawn(&packed.clone());
        assert!(again == first && all >= packed.bytes() && rest < packed.bytes() / 4, "{all} and {rest} bytes");

        // Another light is copied, and the shapes are not.
        scene.lights[0].position = [-9.0, 3.0, 4.0];
        let (moved, of_light) = drawn(&packed.with_first_light_at(scene.lights[0].position));
        let (expected, _) = drawn(&PackedScene::new(&scene).unwrap());
        assert!(moved == expected && moved != first && of_light == rest, "{of_light} bytes");
    }
}

#[test]
fn threads_share_the_copy_of_a_scene() {
    let (scene, camera) = lattice(8);
    let settings = Settings { width: 16, height: 12, ..Settings::default() };
    for device in all_devices() {
        let on = Executor::from(device);
        let packed = PackedScene::new(&scene).unwrap();
        let draw = |packed: &PackedScene| {
            let mut drawer = drawer(&on, packed, &settings).unwrap();
            drawer.add_samples(&camera, 1).unwrap();
            drawer.picture(settings.tone).unwrap()
        };
        let drawn = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| [(); 4].map(|()| draw(&packed)))).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        let expected = draw(&PackedScene::new(&scene).unwrap());
        assert!(drawn.len() == 16 && drawn.iter().all(|picture| *picture == expected), "on {}", device.label());
    }
}

#[test]
fn drawers_refuse_impossible_cameras_and_images_without_samples() {
    use throng_render::Renderer;
    use throng_scene::{Camera, Scene};

    for executor in throng_testing_devices::executors() {
        let scene = Scene::default();
        let renderer = Renderer::builder(&scene).size(8, 8).on(&executor).build().unwrap();
        let mut drawer = renderer.drawer().unwrap();
        let error = drawer.picture(Tone::default()).unwrap_err().to_string();
        assert!(error.starts_with("samples: 0\n"), "{error}");
        let nowhere = Camera { eye: [f64::NAN; 3], ..Camera::default() };
        assert!(drawer.add_samples(&nowhere, 1).unwrap_err().to_string().contains("eye"));
        drawer.add_samples(&Camera::default(), 1).unwrap();
        let error = drawer.add_samples(&Camera::default(), u32::MAX).unwrap_err().to_string();
        assert!(error.starts_with("samples: 1 and 4294967295 more\n"), "{error}");
        assert!(drawer.picture(Tone::default()).is_ok(), "{executor:?}");
    }
}
