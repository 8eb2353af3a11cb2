//! The camera, as given by the flags.

use throng_core::InputError;
use throng_model::flags::Flags;
use throng_scene::{Camera, Point, difference, length};

/// The camera given by the flags; the camera of the recording is the default.
pub(super) fn camera(flags: &Flags, overview: Camera) -> Result<Camera, InputError> {
    let mut camera = overview;
    if let Some(text) = flags.get("camera") {
        if let Some(flag) = ["eye", "target"].into_iter().find(|flag| flags.has(flag)) {
            return Err(InputError::one(format!("--{flag}"), "is given with --camera", "give one of them"));
        }
        camera = from_direction(text, overview)?;
    }
    if let Some(text) = flags.get("eye") {
        camera.eye = point("--eye", text)?;
    }
    if let Some(text) = flags.get("target") {
        camera.target = point("--target", text)?;
    }
    if let Some(degrees) = flags.number("vfov", ..)? {
        camera.vfov_deg = degrees;
    }
    let flag = |key: &str| match key {
        "camera.vfov_deg" => "--vfov".to_owned(),
        "camera.eye" => "--eye".to_owned(),
        "camera.target" | "camera.up" => "--target".to_owned(),
        other => other.to_owned(),
    };
    camera.check().map_err(|error| error.with_places(flag))?;
    Ok(camera)
}

/// Parses numbers separated by commas.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}

fn point(flag: &str, text: &str) -> Result<Point, InputError> {
    let point = numbers(text).and_then(|numbers| numbers.try_into().ok());
    point.ok_or_else(|| InputError::one(flag, format!("\"{text}\""), "give three numbers: X,Y,Z"))
}

/// The camera at the distance of the overview, in a direction from its target given by azimuth, elevation and zoom.
fn from_direction(text: &str, overview: Camera) -> Result<Camera, InputError> {
    let wrong = || {
        let remedy =
            "give AZIMUTH,ELEVATION or AZIMUTH,ELEVATION,ZOOM: degrees, -90 to 90 degrees, and a number above 0";
        InputError::one("--camera", format!("\"{text}\""), remedy)
    };
    let (azimuth, elevation, zoom) = match numbers(text).as_deref() {
        Some(&[azimuth, elevation]) => (azimuth, elevation, 1.0),
        Some(&[azimuth, elevation, zoom]) => (azimuth, elevation, zoom),
        _ => return Err(wrong()),
    };
    if !(-90.0..=90.0).contains(&elevation) || !(1e-6..=1e6).contains(&zoom) || azimuth.abs() > 1e6 {
        return Err(wrong());
    }
    let distance = length(difference(overview.eye, overview.target)) / zoom;
    // At 90 degrees, `up` would be parallel to the direction of view.
    let elevation = elevation.clamp(-89.9, 89.9).to_radians();
    let azimuth = azimuth.to_radians();
    let across = distance * libm::cos(elevation);
    let [x, y, z] = overview.target;
    let eye = [x + across * libm::sin(azimuth), y + distance * libm::sin(elevation), z + across * libm::cos(azimuth)];
    Ok(Camera { eye, ..overview })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(flags: &[(&str, &str)]) -> Result<Camera, String> {
        let mut given = Flags::default();
        for (name, value) in flags {
            given.add(*name, *value);
        }
        let overview = Camera { eye: [0.0, 0.0, 10.0], target: [0.0; 3], ..Camera::default() };
        camera(&given, overview).map_err(|error| error.to_string())
    }

    #[test]
    fn camera_directions_match_the_map() {
        let near = |found: Point, expected: Point| length(difference(found, expected)) < 1e-9;
        assert!(near(of(&[("camera", "0,0")]).unwrap().eye, [0.0, 0.0, 10.0]));
        // From the east, at half the distance.
        assert!(near(of(&[("camera", "90,0,2")]).unwrap().eye, [5.0, 0.0, 0.0]));
        assert!(of(&[("camera", "0,90")]).unwrap().eye[1] > 9.99);
        let camera = of(&[("eye", "1,2,3"), ("target", "0,1,0"), ("vfov", "20")]).unwrap();
        assert_eq!((camera.eye, camera.target, camera.vfov_deg), ([1.0, 2.0, 3.0], [0.0, 1.0, 0.0], 20.0));
    }

    #[test]
    fn invalid_cameras_are_refused() {
        for (flags, expected) in [
            (vec![("camera", "0")], "--camera: \"0\"\n    give AZIMUTH,ELEVATION"),
            (vec![("camera", "0,91")], "--camera: \"0,91\""),
            (vec![("camera", "0,45,0")], "--camera: \"0,45,0\""),
            (vec![("camera", "0,NaN")], "--camera: \"0,NaN\""),
            (vec![("camera", "0,45"), ("eye", "1,2,3")], "--eye: is given with --camera"),
            (vec![("eye", "1,2")], "--eye: \"1,2\"\n    give three numbers"),
            (vec![("eye", "0,0,0")], "--target: [0.0, 0.0, 0.0]\n    the camera is there"),
            (vec![("vfov", "180")], "--vfov: 180\n    give degrees"),
        ] {
            let error = of(&flags).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
