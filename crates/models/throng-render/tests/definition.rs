//! Images of random scenes, compared with the definition in double precision.

use crate::common::difference;
use crate::common::random::scene;
use throng_render::{Film, PackedScene, Settings, Style, reference};

/// Pixels at edges may see different shapes in single and in double precision, and mirrors enlarge differences; a few
/// such pixels are allowed.
#[test]
fn images_of_random_scenes_match_the_definition() {
    let (mut pixels, mut differing) = (0, 0);
    let scenes = throng_testing::cases(75);
    for number in 0..scenes {
        let (scene, camera) = scene(number);
        if scene.check().is_err() || camera.check().is_err() {
            continue;
        }
        let packed = PackedScene::new(&scene).unwrap();
        let style = if number % 3 == 0 { Style::Paper } else { Style::Full };
        let settings = Settings { width: 12, height: 9, style, ..Settings::default() };
        let mut film = Film::new(&settings).unwrap();
        film.add_samples(&packed, &camera, &settings, 1);
        let mut of_scene = 0;
        for row in 0..settings.height {
            for column in 0..settings.width {
                let expected = reference::sample(&scene, &camera, &settings, [column, row], 0).colour;
                let found = film.sum(column, row).map(f64::from);
                pixels += 1;
                of_scene += u32::from(difference(found, expected) > 2e-3);
            }
        }
        assert!(of_scene <= 20, "{of_scene} pixels of scene {number}");
        differing += of_scene;
    }
    assert!(pixels > 100 * scenes, "{pixels} pixels");
    assert!(differing * 200 < pixels, "{differing} of {pixels} pixels");
}
