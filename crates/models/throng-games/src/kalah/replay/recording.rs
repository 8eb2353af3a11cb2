//! The scenes of a game.

use throng_core::InputError;
use throng_scene::{Camera, Light, Plane, Point, Recording, Rgb, Scene, Sphere, TimeAxis, TimeUnit, colours, scaled};

use super::Colouring;
use super::board::{Layout, SOWN_COLOUR, STONE, of_player};
use super::stones::on_all_boards;
use crate::kalah::Record;

/// A recorded game with the locations of its stones.
#[derive(Debug)]
pub(super) struct GameRecording {
    record: Record,
    colouring: Colouring,
    /// The stones of each cell on each board, indexed by board, then by cell.
    stones: Vec<Vec<Vec<u8>>>,
    layout: Layout,
}

impl GameRecording {
    pub(super) fn new(record: Record, colouring: Colouring) -> Self {
        let layout = Layout::new(record.game().pits() as usize);
        Self { stones: on_all_boards(&record), layout, record, colouring }
    }

    fn pits(&self) -> usize {
        self.record.game().pits() as usize
    }

    /// Returns the colour of a stone that started in cell `origin`.
    fn colour(&self, origin: u8) -> Rgb {
        let (origin, pits) = (usize::from(origin), self.pits());
        let is_top = origin > pits;
        match self.colouring {
            Colouring::Player => of_player(is_top),
            // There are ten colours and up to twelve pits: the upper row has lighter shades.
            Colouring::Pit if is_top => mixed_with_white(colours::category(origin - pits - 1)),
            Colouring::Pit => scaled(colours::category(origin), 0.8),
        }
    }
}

fn mixed_with_white(colour: Rgb) -> Rgb {
    colour.map(|part| 0.5 + part / 2.0)
}

impl Recording for GameRecording {
    fn title(&self) -> String {
        let heading = &self.record.heading;
        format!("Kalah: {} against {}, game {}", heading.bottom, heading.top, heading.number)
    }

    fn times(&self) -> TimeAxis {
        let last = self.record.cells().len() as f64;
        TimeAxis { first: 0.0, last, step: 1.0, unit: TimeUnit::Steps("move") }
    }

    fn camera(&self) -> Camera {
        let [low, high] = self.layout.extent();
        Camera::overview(low, high, 50.0)
    }

    fn legend(&self) -> Vec<(Rgb, String)> {
        let heading = &self.record.heading;
        let (bottom, top) = (format!("{}, lower row", heading.bottom), format!("{}, upper row", heading.top));
        let mut legend = match self.colouring {
            Colouring::Player => {
                vec![(of_player(false), bottom + " at the start"), (of_player(true), top + " at the start")]
            }
            Colouring::Pit => {
                let pits = self.pits() as u8;
                let of_row = |first: u8, name: String| {
                    (0..pits).map(move |pit| (first + pit, format!("{name}, pit {} at the start", pit + 1)))
                };
                let both = of_row(0, bottom).chain(of_row(pits + 1, top));
                both.map(|(cell, name)| (self.colour(cell), name)).collect()
            }
        };
        legend.push((SOWN_COLOUR, "the cell sown by the last move".to_owned()));
        legend
    }

    fn scene(&self, time: f64) -> Result<Scene, InputError> {
        // The conversion rounds down, and turns negative numbers and NaN into 0.
        let moves = (time as usize).min(self.record.cells().len());
        let sown = moves.checked_sub(1).map(|last| usize::from(self.record.cells()[last]));
        let mut spheres = Vec::new();
        for (cell, stones) in self.stones[moves].iter().enumerate() {
            spheres.extend(stones.iter().enumerate().map(|(number, &origin)| Sphere {
                center: self.layout.stone_centre(cell, number),
                radius: STONE,
                albedo: self.colour(origin),
                reflectance: 0.1,
            }));
        }
        Ok(Scene {
            background: BACKGROUND,
            ambient: [0.35; 3],
            lights: vec![Light { position: self.lamp(), ..Light::default() }],
            spheres,
            planes: vec![Plane { albedo: TABLE, ..Plane::default() }],
            boxes: self.layout.sides().to_vec(),
            height_fields: vec![self.layout.top(sown)],
            ..Scene::default()
        })
    }
}

impl GameRecording {
    /// Returns a position above the board, to the left and in front.
    fn lamp(&self) -> Point {
        let [low, _] = self.layout.extent();
        [low[0], -1.5 * low[0], -low[0]]
    }
}

/// Bluish white.
const BACKGROUND: Rgb = [0.82, 0.88, 0.95];
const TABLE: Rgb = [0.55, 0.6, 0.55];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kalah::{Game, Side};

    #[test]
    fn scenes_follow_the_moves() {
        let mut record = Record::new(Game::new(6, 4).unwrap(), Side::Bottom);
        record.heading.bottom = "ann".to_owned();
        record.heading.top = "bob".to_owned();
        // Pit 3 ends in the store, so the same player moves again.
        record.play(2).unwrap();
        record.play(5).unwrap();
        for colouring in [Colouring::Player, Colouring::Pit] {
            let recording = GameRecording::new(record.clone(), colouring);
            assert_eq!(recording.title(), "Kalah: ann against bob, game 1");
            assert_eq!((recording.times().last, recording.times().text(2.0)), (2.0, "move 2".to_owned()));
            let legend = recording.legend();
            assert!(legend[0].1.starts_with("ann, lower row"), "{legend:?}");
            for (time, sown) in [(-1.0, 0), (0.0, 0), (0.9, 0), (1.0, 1), (2.0, 1), (99.0, 1), (f64::NAN, 0)] {
                let scene = recording.scene(time).unwrap();
                assert_eq!(scene.check(), Ok(()));
                assert_eq!((scene.spheres.len(), scene.boxes.len(), scene.height_fields.len()), (48, 4, 1));
                let marked = scene.height_fields[0].albedos.contains(&SOWN_COLOUR);
                assert_eq!(usize::from(marked), sown, "{time}");
            }
            // Every stone has a colour from the legend.
            let scene = recording.scene(2.0).unwrap();
            assert!(scene.spheres.iter().all(|stone| legend.iter().any(|entry| entry.0 == stone.albedo)));
            assert_eq!(recording.camera().check(), Ok(()));
        }
    }
}
