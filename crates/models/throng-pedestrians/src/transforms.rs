//! Sums of field strengths by transforms of planes of pedestrians: for all pedestrians at once, before they decide.

use rayon::prelude::*;
use throng_device::convolution::{Convolution, Pass};

use super::fields::FieldTables;
use super::planes::Layout;
use super::rules::direction::{DIRECTIONS, STANDS, angle};
use super::rules::directional::Reading;
use super::rules::sums::{ByDirection, Sums};
use super::scene::WALL;

/// Number of planes of sums: of RR, DA and DR, each by direction. Their indices are also those of the weights.
pub const SUMS: usize = 3 * DIRECTIONS as usize;
/// First planes of the three fields.
pub const CROWD: usize = 0;
pub const SAME: usize = DIRECTIONS as usize;
pub const ONCOMING: usize = 2 * DIRECTIONS as usize;

/// Marks of pedestrians with a direction. A mark has a bit for each heading; pedestrians that stand have the bit of
/// [`STANDS`].
pub const WITH_DIRECTION: u32 = (1 << DIRECTIONS) - 1;
/// Marks of all pedestrians.
const ALL: u32 = WITH_DIRECTION | 1 << STANDS;

/// Returns the weights of the space units of a field, row by row, for each plane of sums.
pub fn weights(tables: &FieldTables) -> Vec<Vec<u32>> {
    let of_plane = |plane: usize| {
        let (field, direction) = (plane / DIRECTIONS as usize, plane as u32 % DIRECTIONS);
        // In a cone, DA also includes the directions next to its own.
        let widest = u32::from(tables.reading == Reading::Cone && field == SAME / DIRECTIONS as usize);
        let mut weights = vec![0; (tables.size() * tables.size()) as usize];
        for (x, y, ring, _) in tables.offsets().filter(|&(.., sector)| angle(sector as u32, direction) <= widest) {
            let at = (y + tables.radius) * tables.size() as i32 + x + tables.radius;
            weights[at as usize] = tables.strengths[field][ring] as u32;
        }
        weights
    };
    (0..SUMS).map(of_plane).collect()
}

/// Returns the passes of the transforms for pedestrians whose headings are among these marks.
pub fn passes(reading: Reading, headings: u32) -> Vec<Pass> {
    let near = |direction: u32, widest: u32| {
        let near = (0..DIRECTIONS).filter(|&heading| angle(heading, direction) <= widest);
        near.fold(0, |marks, heading| marks | 1 << heading)
    };
    let sums = |first: usize, directions: u32| {
        let directions = (0..DIRECTIONS as usize).filter(|direction| directions >> direction & 1 == 1);
        directions.map(|direction| [first + direction; 2]).collect()
    };
    let mut passes = vec![Pass { sources: ALL, targets: headings, sums: sums(CROWD, WITH_DIRECTION) }];
    for direction in 0..DIRECTIONS {
        let (followed, avoided) = (1 << direction, WITH_DIRECTION & !near(direction, 2));
        let [follow, avoid] = match reading {
            Reading::Heading => [[1 << direction, near(direction, 1)], [1 << direction, near(direction, 2)]],
            Reading::Cone => [[near(direction, 1), 1 << direction], [near(direction, 2), 1 << direction]],
        };
        for (sources, first, [targets, directions]) in [(followed, SAME, follow), (avoided, ONCOMING, avoid)] {
            passes.push(Pass { sources, targets: targets & headings, sums: sums(first, directions) });
        }
    }
    passes.retain(|pass| pass.targets != 0);
    passes
}

/// The transforms and the sums of a state.
#[derive(Debug)]
pub struct Transforms {
    convolution: Convolution,
    layout: Layout,
    reading: Reading,
    /// Mark of each position of a plane.
    marks: Vec<u32>,
    /// `[plane][unit]`.
    sums: Vec<u32>,
}

impl Transforms {
    /// Allocates the transforms. Memory: 100 bytes per space unit, plus that of [`Convolution::new`] for 8 to 24
    /// weights.
    pub fn new(layout: Layout, tables: &FieldTables) -> Self {
        let ([columns, rows], grid) = (layout.sides(), layout.grid);
        Self {
            convolution: Convolution::new([grid.width, grid.height], layout.radius, &weights(tables)),
            layout,
            reading: tables.reading,
            marks: vec![0; columns as usize * rows as usize],
            sums: vec![0; SUMS * grid.units()],
        }
    }

    /// Sums up the fields of the pedestrians in the space units of a world.
    pub fn refresh(&mut self, occupants: &[u32], headings: &[u8]) {
        let Layout { grid, .. } = self.layout;
        let layout = &self.layout;
        let width = grid.width as usize;
        let rows = self.marks.par_chunks_exact_mut(layout.sides()[0] as usize).enumerate();
        let found = rows.map(|(y, marks)| {
            let row = layout.shown(y as u32, grid.height);
            let mut found = 0;
            for (x, mark) in (0..).zip(marks) {
                let unit = row.zip(layout.shown(x, grid.width)).map(|(y, x)| y as usize * width + x as usize);
                let occupant = unit.map(|unit| occupants[unit]).filter(|&occupant| occupant < WALL);
                *mark = occupant.map_or(0, |occupant| 1 << headings[occupant as usize]);
                found |= *mark;
            }
            found
        });
        let found = found.reduce(|| 0, |a, b| a | b);
        self.convolution.compute_sums(&self.marks, &passes(self.reading, found & WITH_DIRECTION), &mut self.sums);
    }

    /// Returns the sums for the pedestrian in a space unit; sums that it does not need are undefined.
    pub fn sums(&self, unit: usize) -> Sums {
        let units = self.layout.grid.units();
        let at = |first: usize, direction: usize| self.sums[(first + direction) * units + unit] as i32;
        let of = |first: usize| ByDirection(std::array::from_fn(|direction| at(first, direction)));
        Sums { crowd: of(CROWD), same: of(SAME), oncoming: of(ONCOMING) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_headings_that_occur_need_transforms() {
        let counts = |reading, headings: u32| {
            let passes = passes(reading, headings);
            (passes.len(), passes.iter().map(|pass| pass.sums.len()).sum::<usize>())
        };
        // Eight sums of RR, three of DA and five of DR per heading.
        assert_eq!(counts(Reading::Heading, 1), (3, 16));
        assert_eq!(counts(Reading::Heading, 0b1_0001), (5, 24));
        assert_eq!(counts(Reading::Heading, WITH_DIRECTION), (17, 72));
        // With cones, the sums of all headings are the same.
        assert_eq!(counts(Reading::Cone, 1), (9, 16));
        assert_eq!(counts(Reading::Cone, WITH_DIRECTION), (17, 24));
        assert_eq!(counts(Reading::Heading, 0), (0, 0));
    }
}
