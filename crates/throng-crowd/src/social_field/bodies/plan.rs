//! What executors of bodies need of a crowd: its largest body, the reach of its fields, and sectors.

use throng_core::{InputError, Problems};

use super::super::fields::{CENTRE, FieldTables};
use super::super::scene::{Pedestrians, World};

/// The longest side of a body, space units: as in table II of Yu et al., whose fields of 77 x 77 are those of such bodies.
pub const LONGEST_BODY: u8 = 11;

/// The bodies and fields of a crowd.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The most columns and the most rows of a body.
    pub largest: [i32; 2],
    /// How far the field of the largest body reaches beyond it, space units.
    pub reach: i32,
    pub sectors: SectorTable,
}

/// The sector of each offset from a space unit to the centre of a body. Offsets are doubled, because the centre may lie
/// between space units.
#[derive(Debug, Clone)]
pub struct SectorTable {
    /// The longest doubled offset along an axis.
    pub longest: i32,
    /// Row by row from the lower left.
    pub sectors: Vec<u8>,
}

impl SectorTable {
    fn new(tables: &FieldTables, longest: i32) -> Self {
        let all = (-longest..=longest).flat_map(|y| (-longest..=longest).map(move |x| (x, y)));
        let sector = |(x, y)| tables.map.sector_of_doubled(x, y).map_or(CENTRE, |sector| sector as u8);
        Self { longest, sectors: all.map(sector).collect() }
    }

    /// The sector of a doubled offset.
    pub fn at(&self, x: i32, y: i32) -> usize {
        self.sectors[((y + self.longest) * (2 * self.longest + 1) + x + self.longest) as usize].into()
    }
}

impl Plan {
    /// The plan of a crowd in its world.
    ///
    /// # Errors
    /// Bodies that are too long, fields that do not fit into the world, and what is for bodies of one space unit only.
    pub fn new(world: &World, tables: &FieldTables, pedestrians: &Pedestrians) -> Result<Self, InputError> {
        let mut problems = Problems::new();
        let largest = [0, 1].map(|axis| pedestrians.bodies.iter().map(|body| body[axis]).max().unwrap_or(1));
        let longest = largest[0].max(largest[1]);
        if longest > LONGEST_BODY {
            let remedy = format!("give sides of at most {LONGEST_BODY} space units");
            problems.push("body_su", format!("{} x {}", largest[0], largest[1]), remedy);
        }
        let remedy = "give bodies of one space unit, or leave it out";
        if !world.openings().is_empty() {
            problems.push("body_su", "bodies of several space units in a world with exits", remedy);
        }
        if tables.exchange_ticks > 0 {
            problems.push("exchange_ticks", "exchanges of places by bodies of several space units", remedy);
        }
        if tables.has_traces() {
            problems.push("trace_decay", "traces of bodies of several space units", remedy);
        }
        problems.into_result()?;
        let largest = largest.map(i32::from);
        let reach = tables.radius * i32::from(longest);
        let shortest = world.grid().width.min(world.grid().height) as i32;
        let extent = 2 * reach + i32::from(longest);
        if extent > shortest {
            let found = format!("a field of {extent} space units about a body of {longest}");
            let remedy = format!("at most {shortest}, a side of the world: use smaller fields or bodies");
            return Err(InputError::one("field_size", found, remedy));
        }
        let sectors = SectorTable::new(tables, 2 * reach + i32::from(longest));
        Ok(Self { largest, reach, sectors })
    }
}
