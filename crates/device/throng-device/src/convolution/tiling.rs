//! Division of a plane into tiles.

/// Lines per strip: rows or columns that are transformed together.
pub const LANES: usize = 8;

/// Maximum side length of a tile. A strip of such a tile takes 32 KB.
pub const MAX_TILE: u32 = 1024;

/// Maximum radius of sums.
pub const MAX_RADIUS: u32 = 255;

/// A world and its tiles.
///
/// Sums are computed tile by tile (overlap-save). The plane is the world plus a margin of `radius` units. A tile of the
/// plane yields the sums of all its units except those within `radius` of its border, so tiles overlap by twice the
/// radius.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiling {
    /// Columns and rows of the world.
    pub world: [u32; 2],
    /// Maximum offset along x or y in a sum.
    pub radius: u32,
    /// Columns and rows of a tile: powers of two, at least [`LANES`].
    pub sides: [u32; 2],
}

impl Tiling {
    /// Returns the tiling that needs the least work, with tile sides of at most `longest`, a power of two.
    ///
    /// # Panics
    /// If the world has no units, or `longest` is too small for the radius.
    pub fn best(world: [u32; 2], radius: u32, longest: u32) -> Self {
        assert!(world.iter().all(|&side| side > 0), "a world of {world:?}");
        let powers = (3..31).map(|log| 1 << log).take_while(|&side| side <= longest);
        let sides: Vec<u32> = powers.filter(|&side| side > 2 * radius).collect();
        let all = sides.iter().flat_map(|&columns| sides.iter().map(move |&rows| [columns, rows]));
        let all = all.map(|sides| Self { world, radius, sides });
        all.min_by_key(Self::work).expect("some tile sides exceed twice the radius")
    }

    /// Twice the number of butterflies in a transform of all tiles, plus an allowance for reading and writing.
    fn work(&self) -> u64 {
        let [columns, rows] = self.sides;
        self.tiles() as u64 * self.tile_units() as u64 * u64::from(columns.ilog2() + rows.ilog2() + 4)
    }

    /// Number of units of a tile.
    pub fn tile_units(&self) -> usize {
        self.sides[0] as usize * self.sides[1] as usize
    }

    /// Columns and rows of the units whose sums a tile yields.
    pub fn inner(&self) -> [u32; 2] {
        self.sides.map(|side| side - 2 * self.radius)
    }

    /// Number of tiles along x and y.
    pub fn tiles_across(&self) -> [u32; 2] {
        let [columns, rows] = self.inner();
        [self.world[0].div_ceil(columns), self.world[1].div_ceil(rows)]
    }

    /// Total number of tiles.
    pub fn tiles(&self) -> usize {
        let [across, up] = self.tiles_across();
        across as usize * up as usize
    }

    /// Returns the column and row of the world where the sums of a tile begin; in the plane, the tile itself begins
    /// there.
    pub fn origin(&self, tile: usize) -> [usize; 2] {
        let ([columns, rows], across) = (self.inner(), self.tiles_across()[0] as usize);
        [tile % across * columns as usize, tile / across * rows as usize]
    }

    /// Number of units of the world.
    pub fn units(&self) -> usize {
        self.world[0] as usize * self.world[1] as usize
    }

    /// Columns and rows of the plane: the world plus a margin of the radius on all sides.
    pub fn plane(&self) -> [usize; 2] {
        self.world.map(|side| (side + 2 * self.radius) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_world_with_the_least_work() {
        for (world, radius) in [([1, 1], 0), ([40, 3], 3), ([257, 129], 10), ([2000, 2000], 38), ([100, 900], 255)] {
            let tiling = Tiling::best(world, radius, MAX_TILE);
            let [columns, rows] = tiling.inner().map(|side| side as usize);
            let [x, y] = tiling.origin(tiling.tiles() - 1);
            let [width, height] = world.map(|side| side as usize);
            assert!(x < width && y < height && x + columns >= width && y + rows >= height, "{tiling:?}");
        }
        assert_eq!(Tiling::best([8, 8], 0, MAX_TILE).sides, [8, 8]);
        // One row of tiles suffices. By the formula, one tile of 128 columns would take 16/15 of the work of two
        // tiles of 64.
        assert_eq!(Tiling::best([100, 20], 5, MAX_TILE).sides, [64, 32]);
        assert_eq!(Tiling::best([100, 900], 255, 512).sides, [512, 512]);
    }
}
