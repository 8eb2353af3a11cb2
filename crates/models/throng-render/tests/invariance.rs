//! Images do not depend on the number of threads, nor on how many samples are added at a time.

use crate::common;
use throng_render::{Film, PackedScene, Settings, Tone};

#[test]
fn threads_and_portions_do_not_change_an_image() {
    let (scene, camera) = common::all_shapes();
    let settings = Settings::default();
    let packed = PackedScene::new(&scene).unwrap();
    // Edges that are not multiples of a block.
    let settings = Settings { width: 93, height: 61, samples: 8, seed: 3, ..settings };
    let drawn = |threads: usize, portions: &[u32]| {
        throng_core::thread_pool(threads).unwrap().install(|| {
            let mut film = Film::new(&settings).unwrap();
            for &portion in portions {
                film.add_samples(&packed, &camera, &settings, portion);
            }
            assert_eq!(film.samples(), 8);
            film
        })
    };
    let expected = drawn(1, &[8]);
    for threads in [1, 2, 8] {
        for portions in [&[8][..], &[1; 8], &[3, 1, 4]] {
            assert!(drawn(threads, portions) == expected, "{threads} threads, {portions:?} samples at a time");
        }
    }
    assert_ne!(expected.picture(Tone::Clamp).unwrap(), expected.picture(Tone::Aces).unwrap());
    // Another seed gives other samples.
    let other = Settings { seed: 4, ..settings };
    let mut film = Film::new(&other).unwrap();
    film.add_samples(&packed, &camera, &other, 8);
    assert!(film != expected);
}

#[test]
fn obsolete_images_end_early() {
    let (scene, camera) = common::all_shapes();
    let settings = Settings::default();
    let packed = PackedScene::new(&scene).unwrap();
    let mut film = Film::new(&settings).unwrap();
    assert!(!film.add_samples_unless(&packed, &camera, &settings, 1, &|| true));
    let mut film = Film::new(&settings).unwrap();
    assert!(film.add_samples_unless(&packed, &camera, &settings, 1, &|| false));
}
