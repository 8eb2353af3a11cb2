//! The hit of a ray does not depend on the tree.

use crate::common::random::{Draws, scene};
use throng_render::{Film, PackedScene, Settings};

/// The bits of the sums of all pixels.
fn sums(packed: &PackedScene, camera: &throng_scene::Camera, settings: &Settings) -> Vec<[u32; 3]> {
    let mut film = Film::new(settings).unwrap();
    film.add_samples(packed, camera, settings, settings.samples);
    film.sums().map(|sum| sum.map(f32::to_bits)).collect()
}

#[test]
fn trees_do_not_change_images_of_random_scenes() {
    let mut pixels = 0;
    let mut hit = 0;
    let scenes = throng_testing::cases(1_250);
    for number in 0..scenes {
        let (scene, camera) = scene(number);
        if scene.check().is_err() || camera.check().is_err() {
            continue;
        }
        let packed = PackedScene::new(&scene).unwrap();
        let settings = Settings { width: 13, height: 11, ..Settings::default() };
        let with_tree = sums(&packed, &camera, &settings);
        let without = sums(&packed, &camera, &Settings { tree: false, ..settings });
        let differing = with_tree.iter().zip(&without).position(|(a, b)| a != b);
        assert_eq!(differing, None, "scene {number}");
        pixels += with_tree.len();
        hit += with_tree.iter().filter(|sum| **sum != [0.2_f32, 0.3, 0.5].map(f32::to_bits)).count();
    }
    // Rays hit the scene neither almost always nor almost never.
    assert!(pixels > 130 * scenes as usize, "{pixels} pixels");
    assert!(hit * 4 > pixels && hit * 20 < pixels * 19, "{hit} of {pixels} pixels are not sky");
}

#[test]
fn trees_do_not_change_images_of_many_shapes() {
    let mut draws = Draws::new(1);
    let mut spheres = Vec::new();
    for _ in 0..3000 {
        // Most shapes in a small part of the room give a deep tree.
        let reach = if draws.below(4) == 0 { 100.0 } else { 0.01 };
        spheres.push(throng_scene::Sphere {
            center: std::array::from_fn(|_| draws.number(-reach, reach)),
            radius: draws.number(1e-4, 0.02 * reach),
            ..Default::default()
        });
    }
    let scene = throng_scene::Scene { spheres, ..Default::default() };
    let packed = PackedScene::new(&scene).unwrap();
    for (eye, vfov_deg) in [([0.0, 0.0, 0.05], 40.0), ([300.0, 100.0, 200.0], 30.0), ([300.0, 100.0, 200.0], 0.02)] {
        let camera = throng_scene::Camera { eye, target: [0.0; 3], vfov_deg, ..Default::default() };
        let settings = Settings { width: 96, height: 64, ..Settings::default() };
        let (with_tree, without) =
            (sums(&packed, &camera, &settings), sums(&packed, &camera, &Settings { tree: false, ..settings }));
        assert_eq!(with_tree.iter().zip(&without).filter(|(a, b)| a != b).count(), 0, "from {eye:?}");
    }
}
