//! Nine pixels and two means computed by another program, compared with the definition and with the CPU.

use crate::common::{MEANS, NINE_PIXELS, all_shapes, difference, three_spheres};
use throng_render::scenes::{ALL_SHAPES, ALL_SHAPES_OF_4, ALL_SHAPES_OF_8};
use throng_render::{Film, PackedScene, Settings, Style, Tone, reference};

#[test]
fn the_definition_matches_the_nine_pixels() {
    let (scene, camera, settings) = three_spheres();
    for pixel in &NINE_PIXELS {
        let direction = reference::direction(&camera, &settings, pixel.at, 0);
        assert!(difference(direction, pixel.direction) < 1e-9, "{:?}: {direction:?}", pixel.at);
        let traced = reference::sample(&scene, &camera, &settings, pixel.at, 0);
        assert_eq!(traced.path, pixel.path, "{:?}", pixel.at);
        assert!(difference(traced.colour, pixel.colour) < 1e-9, "{:?}: {:?}", pixel.at, traced.colour);
    }
}

#[test]
fn the_definition_matches_the_means_of_samples() {
    let (spheres, camera, small) = three_spheres();
    let (shapes, _) = all_shapes();
    let large = Settings { width: 64, height: 48, ..small };
    for (scene, settings, known) in [
        (&spheres, Settings { samples: 16, seed: 4711, ..small }, &MEANS[..]),
        (&shapes, Settings { samples: 1, ..large }, &ALL_SHAPES),
        (&shapes, Settings { samples: 4, ..large }, &ALL_SHAPES_OF_4),
        (&shapes, Settings { samples: 8, ..large }, &ALL_SHAPES_OF_8),
    ] {
        for &(at, expected) in known {
            let colours =
                (0..settings.samples).map(|number| reference::sample(scene, &camera, &settings, at, number).colour);
            let sum = colours.reduce(|a, b| std::array::from_fn(|i| a[i] + b[i])).unwrap();
            let mean = sum.map(|part| part / f64::from(settings.samples));
            assert!(difference(mean, expected) < 1e-9, "{at:?} of {} samples: {mean:?}", settings.samples);
        }
    }
}

#[test]
fn the_cpu_matches_the_nine_pixels_and_the_means() {
    let (scene, camera, settings) = three_spheres();
    let packed = PackedScene::new(&scene).unwrap();
    for tree in [true, false] {
        let settings = Settings { tree, ..settings };
        let mut film = Film::new(&settings).unwrap();
        film.add_samples(&packed, &camera, &settings, 1);
        let picture = film.picture(Tone::Clamp).unwrap();
        for pixel in &NINE_PIXELS {
            let [column, row] = pixel.at;
            let found = film.sum(column, row).map(f64::from);
            assert!(difference(found, pixel.colour) < 2e-5, "{:?}: {found:?}", pixel.at);
            let bytes = picture.pixel(column, row);
            for (found, expected) in bytes.into_iter().zip(pixel.bytes) {
                assert!(found.abs_diff(expected) <= 1, "{:?}: {bytes:?}, {:?}", pixel.at, pixel.bytes);
            }
        }
        let settings = Settings { samples: 16, seed: 4711, ..settings };
        let mut film = Film::new(&settings).unwrap();
        film.add_samples(&packed, &camera, &settings, 16);
        for ([column, row], expected) in MEANS {
            let mean = film.sum(column, row).map(|part| f64::from(part) / 16.0);
            assert!(difference(mean, expected) < 2e-5, "{column}, {row}: {mean:?}");
        }
    }
}

/// Two pixels in the style of the paper. A shadow of the large sphere hides the second lamp from the sphere at (12, 6),
/// which is no mirror: its light is that of the style `full`. At (9, 7) the large sphere, half a mirror out of reach of
/// both lamps, shows the plane: 0.5 * 0.1 * 0.9 + 0.5 * 0.1 * (0.3, 0.6, 0.3).
#[test]
fn the_style_of_the_paper_has_shadows_and_mirrors_with_ambient_light() {
    let (scene, camera, settings) = three_spheres();
    let packed = PackedScene::new(&scene).unwrap();
    let of_full = NINE_PIXELS.iter().find(|pixel| pixel.at == [12, 6]).unwrap().colour;
    for tree in [true, false] {
        let settings = Settings { style: Style::Paper, tree, ..settings };
        let mut film = Film::new(&settings).unwrap();
        film.add_samples(&packed, &camera, &settings, 1);
        for (at, expected) in [([12, 6], of_full), ([9, 7], [0.06, 0.075, 0.06])] {
            let defined = reference::sample(&scene, &camera, &settings, at, 0).colour;
            assert!(difference(defined, expected) < 1e-9, "{at:?}: {defined:?}");
            let found = film.sum(at[0], at[1]).map(f64::from);
            assert!(difference(found, expected) < 2e-5, "{at:?}: {found:?}");
        }
    }
}
