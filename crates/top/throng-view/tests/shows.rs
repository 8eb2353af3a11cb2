//! Scene files in pages: images improve, and the last image equals the image of a run.

use throng_device::DeviceChoice;
use throng_render::{Film, Lattice, PackedScene, SceneFile, Settings};
use throng_scene::{Camera, Light, Plane};
use throng_view::{SceneShow, Show, View};

pub fn file() -> SceneFile {
    SceneFile {
        light: vec![Light { position: [-4.0, 9.0, 8.0], ..Light::default() }],
        lattice: vec![Lattice { counts: [3, 3, 3], ..Lattice::default() }],
        plane: vec![Plane { offset: -0.5, ..Plane::default() }],
        seed: 11,
        ..SceneFile::default()
    }
}

pub fn view(light: Option<[f64; 3]>) -> View {
    let camera = Camera { eye: [4.0, 3.0, 6.0], target: [1.0; 3], ..Camera::default() };
    View { width: 61, height: 43, camera, light, time: None, colouring: None }
}

/// The image of a view with 64 samples, rendered without a show.
pub fn expected(view: &View) -> Vec<u8> {
    let mut moved = file();
    moved.light[0].position = view.light.unwrap_or(moved.light[0].position);
    let settings = Settings { width: view.width, height: view.height, samples: 64, ..moved.settings() };
    let packed = PackedScene::new(&moved.scene()).unwrap();
    let mut film = Film::new(&settings).unwrap();
    film.add_samples(&packed, &view.camera, &settings, 64);
    film.picture(settings.tone).unwrap().into_rgba()
}

#[test]
fn images_improve_and_the_last_equals_the_image_of_a_run() {
    for light in [None, Some([6.0, 5.0, 1.0])] {
        // A show that has drawn before may start with a different size, so this uses a new one.
        let show = SceneShow::new(&file(), DeviceChoice::Cpu, 2).unwrap();
        assert_eq!(show.description().light, Some([-4.0, 9.0, 8.0]));
        let view = view(light);
        let mut work = show.begin(&view).unwrap();
        let frames: Vec<_> = std::iter::from_fn(|| work.next(&|| false)).collect::<Result<_, _>>().unwrap();
        let sizes: Vec<_> = frames.iter().map(|frame| (frame.width, frame.height, frame.samples)).collect();
        assert_eq!(sizes, [(16, 11, 1), (61, 43, 1), (61, 43, 4), (61, 43, 16), (61, 43, 64)]);

        assert!(frames[4].rgba == expected(&view), "light {light:?}");
        assert_eq!(frames[4].device.as_deref(), Some("cpu"));
    }
}

#[test]
fn obsolete_images_are_abandoned() {
    let show = SceneShow::new(&file(), DeviceChoice::Cpu, 1).unwrap();
    let mut work = show.begin(&view(None)).unwrap();
    assert!(work.next(&|| false).is_some());
    assert!(work.next(&|| true).is_none());
}
