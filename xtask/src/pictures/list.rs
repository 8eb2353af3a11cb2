//! The images of README.md and the book, and the commands that draw them.

/// An image.
pub(super) struct Picture {
    /// Path of the image in the repository.
    pub file: &'static str,
    /// Arguments of `throng`, run in a folder shared by all images. A command needed by several images runs once.
    pub commands: &'static [&'static str],
    /// File or page that becomes the image afterwards.
    pub source: Source,
}

/// Origin of an image. Paths are relative to the shared folder.
pub(super) enum Source {
    /// A PNG file, reduced to 256 colours.
    Image(&'static str),
    /// A folder of numbered frames, which become an animation with 128 colours and this many frames per second.
    Frames(&'static str, u32),
    /// The upper part of the report in this folder, with the given width and height in pixels.
    Report(&'static str, [u32; 2]),
    /// The section with this heading of a page.
    Section(&'static str, &'static str),
    /// The live page of this run, with the given width and height in pixels.
    LivePage(&'static str, [u32; 2]),
}

use Source::{Frames, Image, LivePage, Report, Section};

const BOTTLENECK: &str = "run examples/bottleneck";
const EVENING_CITY: &str = "generate city --persons 200000 --links 2600 --sample 0.1 --lines 8 --counts 40 --out city";
const EVENING: &str = "run city/config.xml --out runs/base";
const FIELDS: &str = "run examples/fields";
const EVACUATION: &str = "run examples/evacuation";
const DISCS: &str = "run examples/discs";

pub(super) const PICTURES: [Picture; 16] = [
    Picture {
        file: "docs/images/report.png",
        commands: &[BOTTLENECK],
        source: Report("output/bottleneck", [1000, 1190]),
    },
    Picture {
        file: "docs/src/images/evening_slow.png",
        commands: &[EVENING_CITY, EVENING],
        source: Section("runs/base/report.html", "Where it was slow"),
    },
    Picture {
        file: "docs/src/images/evening_counts.png",
        commands: &[EVENING_CITY, EVENING],
        source: Section("runs/base/report.html", "Traffic counts"),
    },
    Picture {
        file: "docs/src/images/evening_transit.png",
        commands: &[EVENING_CITY, EVENING],
        source: Section("runs/base/report.html", "Public transport"),
    },
    Picture {
        file: "docs/src/images/watch_traffic.png",
        commands: &[
            "generate city --persons 60000 --spike --out rush",
            "run rush --out output/rush",
            "render output/rush --at 06:15 --camera 20,40,4.6 --width 960 --height 540 --out watch_traffic.png",
        ],
        source: Image("watch_traffic.png"),
    },
    Picture {
        file: "docs/src/images/watch_bottleneck.png",
        commands: &[
            BOTTLENECK,
            "render output/bottleneck --at 07:50 --camera 10,60,1.7 --width 960 --height 420 --out watch_bottleneck.png",
        ],
        source: Image("watch_bottleneck.png"),
    },
    Picture {
        file: "docs/src/images/watch_fields.png",
        commands: &[
            FIELDS,
            "render output/fields --at 34 --camera 0,50,1.15 --width 960 --height 540 --out watch_fields.png",
        ],
        source: Image("watch_fields.png"),
    },
    Picture {
        file: "docs/src/images/watch_collision.png",
        commands: &[
            DISCS,
            "render output/discs --at 180 --camera 10,30,2.5 --width 960 --height 540 --out watch_collision.png",
        ],
        source: Image("watch_collision.png"),
    },
    Picture {
        file: "docs/src/images/watch_evacuation.png",
        commands: &[
            EVACUATION,
            "render output/evacuation --at 18 --camera 28,40,1.4 --width 960 --height 540 --out watch_evacuation.png",
        ],
        source: Image("watch_evacuation.png"),
    },
    Picture {
        file: "docs/src/images/watch_film.png",
        commands: &[
            EVACUATION,
            "render output/evacuation --every 3s --to 108 --camera 28,40,1.4 --width 400 --height 225 --frames watch_film",
        ],
        source: Frames("watch_film", 6),
    },
    Picture {
        file: "docs/src/images/watch_kalah.png",
        commands: &[
            "run examples/kalah --steps 10",
            "render output/kalah --at 16 --camera 10,52,1.15 --width 960 --height 540 --out watch_kalah.png",
        ],
        source: Image("watch_kalah.png"),
    },
    Picture {
        file: "docs/src/images/watch_societies.png",
        commands: &[
            "run examples/societies",
            "render output/societies --at 100 --colour extracted --camera 35,32 --width 960 --height 540 --out watch_societies.png",
        ],
        source: Image("watch_societies.png"),
    },
    Picture {
        file: "docs/src/images/view.png",
        commands: &[EVACUATION],
        source: LivePage("output/evacuation", [1000, 640]),
    },
    Picture {
        file: "docs/src/images/fields.png",
        commands: &["run examples/fields --steps 136 --set output.frame_every=0 --out runs/still"],
        source: Image("runs/still/last.png"),
    },
    Picture {
        file: "docs/src/images/influence.png",
        commands: &[FIELDS],
        source: Image("output/fields/influence.png"),
    },
    Picture {
        file: "docs/src/images/spheres.png",
        commands: &["run examples/spheres"],
        source: Image("output/spheres/picture.png"),
    },
];

/// Name prefixes of charts that show measurements of `throng reproduce`, which takes hours on a GPU, and of charts that
/// are parts of reports.
#[cfg(test)]
const OTHERS: [&str; 5] = ["elmir", "kloosterman", "strippgen", "yu", "societies_"];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use crate::root;

    /// Returns the images that a page shows, as paths in the repository.
    fn shown(page: &str) -> Vec<String> {
        let text = fs::read_to_string(root().join(page)).unwrap();
        let folder = page.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let images = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        images.map(|(file, _)| format!("{folder}{file}")).filter(|file| file.contains("images/")).collect()
    }

    #[test]
    fn every_picture_is_drawn_and_shown() {
        let book = fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
        let pages = book.filter(|page| page.extension().is_some_and(|end| end == "md"));
        let book = pages.map(|page| format!("docs/src/{}", page.file_name().unwrap().display()));
        let shown: BTreeSet<String> = book.chain(["README.md".to_owned()]).flat_map(|page| shown(&page)).collect();
        let name = |file: &str| file.rsplit('/').next().unwrap_or_default().to_owned();
        let drawn: BTreeSet<String> = PICTURES.iter().map(|picture| picture.file.to_owned()).collect();
        let is_other = |file: &String| OTHERS.iter().any(|other| name(file).starts_with(other));
        let expected: BTreeSet<String> = shown.into_iter().filter(|file| !is_other(file)).collect();
        assert_eq!(drawn, expected);
    }
}
