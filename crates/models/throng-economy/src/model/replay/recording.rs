//! The scenes of a society.

use std::collections::BTreeSet;

use throng_core::InputError;
use throng_scene::{Camera, Light, OrientedBox, Plane, Recording, Rgb, Scene, TimeAxis, TimeUnit};

use super::Colouring;
use super::columns::{Piece, RESOURCE_COLOURS, of_quartile, of_resource, pieces};
use super::table::Frame;
use crate::model::MAX_AGENTS;

/// Half the width of a column; columns are 1 apart.
const HALF_WIDTH: f64 = 0.36;
/// Half the width and the height of the tile on which a column stands; a bare tile is an agent that has nothing.
const TILE: [f64; 2] = [0.44, 0.02];
/// The height of the tallest column, as a fraction of the width of the square, and its minimum in column spacings.
const MAX_HEIGHT: [f64; 2] = [0.4, 1.0];

const TILE_COLOUR: Rgb = [0.35, 0.36, 0.38];
const GROUND_COLOUR: Rgb = [0.6, 0.62, 0.6];
/// White with a touch of blue.
const BACKGROUND: Rgb = [0.82, 0.88, 0.95];

/// The stored days of a society.
#[derive(Debug)]
pub(super) struct SocietyRecording {
    frames: Vec<Frame>,
    colouring: Colouring,
    /// Agents per side of the square.
    side: u32,
    /// The size of the tallest column of all days; above 0.
    largest: f64,
}

impl SocietyRecording {
    /// `frames` must contain at least one day.
    pub(super) fn new(frames: Vec<Frame>, colouring: Colouring) -> Self {
        let numbers = frames.iter().flat_map(|frame| &frame.agents).map(|row| row.agent);
        let agents = numbers.max().map_or(1, |last| last + 1);
        let side = (1..=MAX_AGENTS).find(|side| side * side >= agents).unwrap_or(MAX_AGENTS);
        let size = |column: &Vec<Piece>| column.iter().map(|piece| piece.size).sum::<f64>();
        let columns = frames.iter().flat_map(|frame| pieces(frame, colouring));
        let largest = columns.map(|column| size(&column)).fold(0.0, f64::max);
        // With nothing to show, any scale will do.
        let largest = if largest > 0.0 { largest } else { 1.0 };
        Self { frames, colouring, side, largest }
    }

    fn tallest(&self) -> f64 {
        (MAX_HEIGHT[0] * f64::from(self.side)).max(MAX_HEIGHT[1])
    }

    /// Returns half the width of the square.
    fn half(&self) -> f64 {
        f64::from(self.side) / 2.0
    }

    /// Returns the centre of an agent's column: rows run from left to right, the first one at the back.
    fn place(&self, agent: u32) -> [f64; 2] {
        let middle = |i: u32| f64::from(i) + 0.5 - self.half();
        [middle(agent % self.side), middle(agent / self.side)]
    }

    /// Returns the last stored day that is not after `time`, or else the first one.
    fn at(&self, time: f64) -> &Frame {
        let after = self.frames.partition_point(|frame| frame.day as f64 <= time);
        &self.frames[after.saturating_sub(1)]
    }
}

/// Returns an upright box around a point of the ground.
fn upright([x, z]: [f64; 2], half_width: f64, [bottom, top]: [f64; 2], colour: Rgb) -> OrientedBox {
    OrientedBox::between([x - half_width, bottom, z - half_width], [x + half_width, top, z + half_width], colour)
}

impl Recording for SocietyRecording {
    fn title(&self) -> String {
        match self.colouring {
            Colouring::Utility => "Utility of the stocks of agents".to_owned(),
            Colouring::Extracted => "Units extracted by agents".to_owned(),
            Colouring::Held => "Units held by agents".to_owned(),
        }
    }

    fn times(&self) -> TimeAxis {
        let day = |at: usize| self.frames.get(at).or(self.frames.last()).map_or(0.0, |frame| frame.day as f64);
        let (first, second, last) = (day(0), day(1), day(usize::MAX));
        let step = if second > first { second - first } else { 1.0 };
        TimeAxis { first, last, step, unit: TimeUnit::Steps("day") }
    }

    fn camera(&self) -> Camera {
        let half = self.half();
        Camera::overview([-half, 0.0, -half], [half, self.tallest(), half], 38.0)
    }

    fn legend(&self) -> Vec<(Rgb, String)> {
        let mut legend: Vec<(Rgb, String)> = match self.colouring {
            Colouring::Utility => {
                let names = ["the poorest quarter", "the second quarter", "the third quarter", "the richest quarter"];
                names.into_iter().enumerate().map(|(at, name)| (of_quartile(at), name.to_owned())).collect()
            }
            Colouring::Extracted | Colouring::Held => {
                let rows = self.frames.iter().flat_map(|frame| &frame.agents);
                let units = rows.flat_map(|row| match self.colouring {
                    Colouring::Extracted => &row.extracted,
                    _ => &row.held,
                });
                resources(&units.map(|&(resource, _)| resource).collect())
            }
        };
        let (unit, digits) = if self.colouring == Colouring::Utility { ("utility", 1) } else { ("units", 0) };
        legend.push((
            TILE_COLOUR,
            format!("an agent; the tallest column of all days is {:.digits$} {unit}", self.largest),
        ));
        legend
    }

    fn scene(&self, time: f64) -> Result<Scene, InputError> {
        let frame = self.at(time);
        let scale = self.tallest() / self.largest;
        let mut boxes = Vec::new();
        for (row, column) in frame.agents.iter().zip(pieces(frame, self.colouring)) {
            let place = self.place(row.agent);
            boxes.push(upright(place, TILE[0], [0.0, TILE[1]], TILE_COLOUR));
            let mut bottom = TILE[1];
            for Piece { size, colour } in column {
                let top = bottom + scale * size;
                boxes.push(upright(place, HALF_WIDTH, [bottom, top], colour));
                bottom = top;
            }
        }
        let half = self.half();
        Ok(Scene {
            background: BACKGROUND,
            ambient: [0.35; 3],
            lights: vec![Light { position: [-1.5 * half, 3.0 * half, 2.0 * half], ..Light::default() }],
            planes: vec![Plane { albedo: GROUND_COLOUR, ..Plane::default() }],
            boxes,
            ..Scene::default()
        })
    }
}

/// Returns the legend entries of resources; resources of one colour share an entry.
fn resources(all: &BTreeSet<u32>) -> Vec<(Rgb, String)> {
    let of_colour = |colour: u32| {
        let same = all.iter().filter(|&&resource| resource % RESOURCE_COLOURS == colour);
        let names: Vec<String> = same.map(u32::to_string).collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        (!names.is_empty()).then(|| (of_resource(colour), format!("resource{plural} {}", names.join(", "))))
    };
    (0..RESOURCE_COLOURS).filter_map(of_colour).collect()
}

#[cfg(test)]
mod tests {
    use super::super::table::AgentRow;
    use super::*;

    fn recording(colouring: Colouring) -> SocietyRecording {
        let row =
            |agent, utility, held: &[(u32, u32)]| AgentRow { agent, utility, extracted: vec![], held: held.to_vec() };
        let frames = vec![
            Frame { day: 0, agents: (0..5).map(|agent| row(agent, 0.0, &[])).collect() },
            Frame { day: 10, agents: vec![row(0, 4.0, &[(0, 6), (30, 2)]), row(4, 1.0, &[(7, 4)])] },
            Frame { day: 15, agents: vec![row(4, 2.0, &[(7, 4)])] },
        ];
        SocietyRecording::new(frames, colouring)
    }

    #[test]
    fn columns_form_a_square_in_order_of_agents() {
        let recording = recording(Colouring::Utility);
        // Five agents need a square of three by three.
        assert_eq!(
            (recording.place(0), recording.place(4), recording.place(5)),
            ([-1.0, -1.0], [0.0, 0.0], [1.0, 0.0])
        );
        assert_eq!(recording.times(), TimeAxis { first: 0.0, last: 15.0, step: 10.0, unit: TimeUnit::Steps("day") });
        assert_eq!(recording.camera().check(), Ok(()));
    }

    #[test]
    fn heights_are_in_proportion() {
        for (colouring, [first, second], boxes) in
            [(Colouring::Utility, [1.2, 0.3], [5, 4, 2]), (Colouring::Held, [0.9, 0.6], [5, 5, 2])]
        {
            let recording = recording(colouring);
            for (time, boxes) in
                [(f64::NAN, boxes[0]), (-1.0, boxes[0]), (9.9, boxes[0]), (14.0, boxes[1]), (99.0, boxes[2])]
            {
                let scene = recording.scene(time).unwrap();
                assert_eq!((scene.boxes.len(), scene.check()), (boxes, Ok(())), "{time}");
            }
            let on_tiles = recording.scene(10.0).unwrap().boxes;
            let height = |at: usize| 2.0 * on_tiles[at].half_size[1];
            assert!((height(1) - first).abs() < 1e-12, "{}", height(1));
            assert!((height(on_tiles.len() - 1) - second).abs() < 1e-12, "{}", height(on_tiles.len() - 1));
        }
    }

    #[test]
    fn legends_contain_only_visible_categories() {
        let texts = |colouring| recording(colouring).legend().into_iter().map(|entry| entry.1).collect::<Vec<_>>();
        let tallest = "an agent; the tallest column of all days is";
        assert_eq!(texts(Colouring::Held), ["resources 0, 30", "resource 7", &format!("{tallest} 8 units")]);
        assert_eq!(texts(Colouring::Extracted), [format!("{tallest} 1 units")]);
        assert_eq!(texts(Colouring::Utility)[4], format!("{tallest} 4.0 utility"));
    }
}
