//! Moving scenes on devices: with a tree built by the device, images equal the images of the CPU.

#![allow(clippy::manual_is_multiple_of, reason = "kernels have no `is_multiple_of`")]

use std::sync::Arc;

use crate::common;
use crate::common::random::scene;
use throng_device::cubecl::{self, prelude::*};
use throng_device::{Device, Executor, Gpu};
use throng_render::{MovingScene, PackedScene, Settings, drawer, has_bits_of_the_cpu};
use throng_scene::{Camera, Scene};
use throng_testing_devices::devices;

/// The bits of the sums of all pixels: on the CPU or, if the device rounds differently, on the device with the tree
/// built by the CPU.
fn expected(device: &Arc<Device>, scene: &Scene, camera: &Camera, settings: &Settings) -> Vec<[u32; 3]> {
    let packed = PackedScene::new(scene).unwrap();
    let on = if has_bits_of_the_cpu(device).unwrap() { Executor::cpu() } else { Executor::from(device) };
    let mut drawer = drawer(&on, &packed, settings).unwrap();
    drawer.add_samples(camera, settings.samples).unwrap();
    drawer.sums().unwrap().into_iter().map(|sum| sum.map(f32::to_bits)).collect()
}

fn found(moving: &mut MovingScene<'_>, camera: &Camera, settings: &Settings) -> Vec<[u32; 3]> {
    moving.rebuild().unwrap();
    moving.add_samples(camera, settings.samples).unwrap();
    moving.sums().unwrap().into_iter().map(|sum| sum.map(f32::to_bits)).collect()
}

#[test]
fn trees_of_devices_do_not_change_images() {
    let settings = Settings { width: 24, height: 16, ..Settings::default() };
    for device in devices() {
        let (mut all, camera) = common::all_shapes();
        all.height_fields.clear();
        let without_fields = |(mut scene, camera): (Scene, Camera)| {
            scene.height_fields.clear();
            (scene, camera)
        };
        let scenes = std::iter::once((all, camera)).chain((0..24).map(scene).map(without_fields));
        for (number, (scene, camera)) in scenes.enumerate() {
            if scene.check().is_err() || camera.check().is_err() {
                continue;
            }
            let packed = PackedScene::new(&scene).unwrap();
            let expected = expected(device, &scene, &camera, &settings);
            let found = {
                let corners = [[-10.0; 3], [10.0; 3]];
                let mut moving = MovingScene::new(device, &packed, &settings, corners).unwrap();
                found(&mut moving, &camera, &settings)
            };
            let differing = expected.iter().zip(&found).filter(|(a, b)| a != b).count();
            assert_eq!(differing, 0, "pixels of scene {number} on {}", device.info().label());
        }
    }
}

/// Moves all shapes along x.
#[cube(launch)]
fn shift(shapes: &mut Array<f32>, numbers: u32, by: f32) {
    let at = ABSOLUTE_POS;
    if (at as u32) < numbers && at % 16 == 0 {
        shapes[at] += by;
    }
}

fn moved(device: &Arc<Device>) {
    let (mut scene, camera) = common::all_shapes();
    scene.height_fields.clear();
    // Coordinates to which a quarter can be added exactly.
    let round = |x: &mut f64| *x = (*x * 64.0).round() / 64.0;
    scene.spheres.iter_mut().for_each(|sphere| round(&mut sphere.center[0]));
    scene.boxes.iter_mut().for_each(|shape| round(&mut shape.center[0]));
    scene.capsules.iter_mut().flat_map(|capsule| [&mut capsule.from[0], &mut capsule.to[0]]).for_each(round);
    let settings = Settings { width: 32, height: 24, ..Settings::default() };
    let packed = PackedScene::new(&scene).unwrap();
    let mut moving = MovingScene::new(device, &packed, &settings, [[-10.0; 3], [10.0; 3]]).unwrap();
    for step in 1..=3 {
        let numbers = moving.shapes().len();
        let launch = |client: &ComputeClient<Gpu>, cubes, dim| {
            shift::launch(client, cubes, dim, moving.shapes().arg(), numbers as u32, 0.25);
        };
        device.launch("shift", numbers, launch).unwrap();
        let mut shifted = scene.clone();
        let x = 0.25 * f64::from(step);
        shifted.spheres.iter_mut().for_each(|sphere| sphere.center[0] += x);
        shifted.boxes.iter_mut().for_each(|shape| shape.center[0] += x);
        for capsule in &mut shifted.capsules {
            capsule.from[0] += x;
            capsule.to[0] += x;
        }
        let expected = expected(device, &shifted, &camera, &settings);
        let found = found(&mut moving, &camera, &settings);
        let differing = expected.iter().zip(&found).filter(|(a, b)| a != b).count();
        assert_eq!(differing, 0, "pixels after step {step}");
    }
}

#[test]
fn moved_shapes_are_drawn_at_their_new_positions() {
    for device in devices() {
        moved(device);
    }
}
