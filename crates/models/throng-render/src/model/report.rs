//! The sections of `report.html`.

use throng_model::report::Report;
use throng_output::html::{Table, grouped};

use super::run::PICTURE;
use crate::SceneFile;

/// The report of an image; the durations of building the tree and of rendering are in seconds.
pub(super) fn report(file: &SceneFile, samples: u32, [building_s, drawing_s]: [f64; 2], hash: u64) -> Report {
    let settings = file.settings();
    let pixels = f64::from(settings.width) * f64::from(settings.height);
    let shapes = [
        ("Spheres", file.spheres()),
        ("Planes", file.plane.len() as u64),
        ("Capsules", file.capsule.len() as u64),
        ("Boxes", file.boxes.len() as u64),
        ("Height fields", file.height_field.len() as u64),
        ("Lights", file.light.len() as u64),
    ];
    let (title, camera) = (file.title.clone(), file.camera);
    Report {
        title: file.title.clone(),
        subtitle: format!("{} shapes, {} x {} pixels", file.shapes(), settings.width, settings.height),
        rows: vec![("Image hash".to_owned(), format!("{hash:016x}"))],
        body: Box::new(move |page, _| {
            page.figures(&[
                (
                    "Drawn in",
                    format!("{:.1} ms", 1e3 * drawing_s),
                    "all samples, including the start of a device".to_owned(),
                ),
                ("Samples", samples.to_string(), "of each pixel".to_owned()),
                (
                    "Speed",
                    format!("{} M/s", grouped(pixels * f64::from(samples) / drawing_s / 1e6, 1)),
                    "samples".to_owned(),
                ),
                ("Tree", format!("{:.1} ms", 1e3 * building_s), "packing the scene and building the tree".to_owned()),
            ]);
            page.section("Image");
            page.picture(PICTURE, &title, "Linear light, shown in sRGB.", false);
            page.section("Scene");
            let mut table = Table::new(&["", "#Number"]);
            let rows = shapes.into_iter().filter(|(_, number)| *number > 0);
            table.rows.extend(rows.map(|(name, number)| vec![name.to_owned(), grouped(number as f64, 0)]));
            page.table(&table);
            let mut table = Table::new(&["Camera", ""]);
            let point = |[x, y, z]: [f64; 3]| format!("{x}, {y}, {z}");
            for (name, value) in [
                ("Eye", point(camera.eye)),
                ("Target", point(camera.target)),
                ("Angle of view", format!("{} degrees", camera.vfov_deg)),
            ] {
                table.rows.push(vec![name.to_owned(), value]);
            }
            page.table(&table);
        }),
    }
}
