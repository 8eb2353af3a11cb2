//! Several teams on one map, and views of their influences.

use throng_core::InputError;
use throng_pictures::grid::NEIGHBOURS;
use throng_pictures::{Grid, Mask};

use super::propagation::InfluenceMap;
use crate::field::Field;

/// The influence maps of several teams. A team is identified by its index in the list; all other teams together are its
/// enemy, and their influences add up.
///
/// ```
/// use throng_fields_core::{Grid, influence::{InfluenceMap, Propagation, Teams}};
///
/// let grid = Grid::new([0.0, 0.0], 1.0, 9, 1)?;
/// let map = InfluenceMap::new(grid, Propagation { decay: 0.2, momentum: 0.0 }, None)?;
/// let mut teams = Teams::new(vec![map.clone(), map])?;
/// teams.set_source(0, 0, 0, 1.0)?;
/// teams.set_source(1, 8, 0, 1.0)?;
/// teams.sweep_until(0.0, 20);
/// let holders = teams.strongest();
/// assert_eq!((holders[3], holders[4], holders[5]), (Some(0), None, Some(1)));
/// assert!(teams.influence(0)?.at(0, 0) > Some(0.0) && teams.influence(1)?.at(0, 0) < Some(0.0));
/// # Ok::<(), throng_fields_core::InputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Teams {
    maps: Vec<InfluenceMap>,
}

/// The strongest team of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// No team has any influence.
    Neutral,
    /// Several teams are equally strong.
    Tie,
    Team(u8),
}

impl Teams {
    /// Maximum number of teams, so that their indices fit into a byte.
    pub const MAX: usize = 256;

    /// Creates the teams from a map per team.
    ///
    /// # Errors
    /// When there is no map, there are more than 256, or their grids differ.
    pub fn new(maps: Vec<InfluenceMap>) -> Result<Self, InputError> {
        let count = maps.len();
        let Some(first) = maps.first().filter(|_| count <= Self::MAX) else {
            return Err(InputError::one("teams", count, format!("expected 1 to {} teams", Self::MAX)));
        };
        for (team, map) in maps.iter().enumerate() {
            first.grid().check_same_cells(&format!("team {team}"), map.grid())?;
        }
        Ok(Self { maps })
    }

    /// The map of a team.
    pub fn map(&self, team: usize) -> Option<&InfluenceMap> {
        self.maps.get(team)
    }

    /// Sets the strength of a team in a cell, as [`InfluenceMap::set_source`] does.
    ///
    /// # Errors
    /// When there is no such team, or its map rejects the source.
    pub fn set_source(&mut self, team: usize, column: u32, row: u32, strength: f32) -> Result<(), InputError> {
        self.check(team)?;
        self.maps[team].set_source(column, row, strength).map_err(|error| error.within(&format!("team {team}")))
    }

    /// Replaces the cells through which influence can spread, as [`InfluenceMap::set_open`] does.
    ///
    /// # Errors
    /// When the mask has a different size.
    pub fn set_open(&mut self, open: &Mask) -> Result<(), InputError> {
        self.maps.iter_mut().try_for_each(|map| map.set_open(open))
    }

    /// Spreads all influences by `sweeps` cells.
    pub fn sweep(&mut self, sweeps: u32) {
        for map in &mut self.maps {
            map.sweep(sweeps);
        }
    }

    /// Spreads every influence until it hardly changes, as [`InfluenceMap::sweep_until`] does. Returns the maximum
    /// number of sweeps over all maps.
    pub fn sweep_until(&mut self, change: f32, max_sweeps: u32) -> u32 {
        self.maps.iter_mut().map(|map| map.sweep_until(change, max_sweeps)).max().unwrap_or(0)
    }

    /// The strongest team of each cell, row by row; `None` if no team has influence or several are equally strong.
    pub fn strongest(&self) -> Vec<Option<u8>> {
        let team = |holder| if let Holder::Team(team) = holder { Some(team) } else { None };
        (0..self.grid().cells()).map(|cell| team(self.holder(cell))).collect()
    }

    /// The influence of the strongest team of each cell.
    pub fn highest(&self) -> Field {
        let of_cell = |cell: usize| self.maps.iter().map(|map| map.values()[cell]).fold(0.0, f32::max);
        Field::new(*self.grid(), (0..self.grid().cells()).map(of_cell).collect())
    }

    /// Own influence minus the influence of the enemy: positive where a team dominates.
    ///
    /// # Errors
    /// When there is no such team.
    pub fn influence(&self, team: usize) -> Result<Field, InputError> {
        self.view(team, |own, enemy| own - enemy)
    }

    /// The sum of the influences of all teams: a measure of activity.
    pub fn tension(&self) -> Field {
        let sum = |cell: usize| self.maps.iter().map(|map| map.values()[cell]).sum();
        Field::new(*self.grid(), (0..self.grid().cells()).map(sum).collect())
    }

    /// Tension minus the absolute value of influence, which is twice the influence of the weaker side: high where both
    /// are strong.
    ///
    /// # Errors
    /// When there is no such team.
    pub fn vulnerability(&self, team: usize) -> Result<Field, InputError> {
        self.view(team, |own, enemy| own + enemy - (own - enemy).abs())
    }

    /// The cells of the front: those in which several teams are equally strong, and those that a team holds directly
    /// next to a cell of another team.
    pub fn front_line(&self) -> Mask {
        let grid = self.grid();
        let holders: Vec<Holder> = (0..grid.cells()).map(|cell| self.holder(cell)).collect();
        Mask::new(grid, |column, row| match holders[grid.index(column, row)] {
            Holder::Neutral => false,
            Holder::Tie => true,
            own @ Holder::Team(_) => NEIGHBOURS[..4].iter().any(|&(dx, dy)| {
                let beside = grid.find(column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
                beside.is_some_and(|cell| matches!(holders[cell], other @ Holder::Team(_) if other != own))
            }),
        })
    }

    fn grid(&self) -> &Grid {
        self.maps[0].grid()
    }

    fn holder(&self, cell: usize) -> Holder {
        let (mut holder, mut most) = (Holder::Neutral, 0.0);
        for (team, map) in self.maps.iter().enumerate() {
            let value = map.values()[cell];
            if value > most {
                (holder, most) = (Holder::Team(team as u8), value);
            } else if value == most && value > 0.0 {
                holder = Holder::Tie;
            }
        }
        holder
    }

    /// A field computed from own and enemy influence.
    fn view(&self, team: usize, value: impl Fn(f32, f32) -> f32) -> Result<Field, InputError> {
        self.check(team)?;
        let of_cell = |cell: usize| {
            let others = self.maps.iter().enumerate().filter(|&(other, _)| other != team);
            value(self.maps[team].values()[cell], others.map(|(_, map)| map.values()[cell]).sum())
        };
        Ok(Field::new(*self.grid(), (0..self.grid().cells()).map(of_cell).collect()))
    }

    fn check(&self, team: usize) -> Result<(), InputError> {
        if team < self.maps.len() {
            return Ok(());
        }
        Err(InputError::one(format!("team {team}"), "no such team", format!("there are {} teams", self.maps.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::influence::Propagation;

    fn map(columns: u32, rows: u32) -> InfluenceMap {
        let grid = Grid::new([0.0, 0.0], 1.0, columns, rows).unwrap();
        InfluenceMap::new(grid, Propagation { decay: 0.25, momentum: 0.0 }, None).unwrap()
    }

    /// Teams with one source each, of equal strength.
    fn corridor(columns: u32, sources: &[u32]) -> Teams {
        let mut teams = Teams::new(vec![map(columns, 1); sources.len()]).unwrap();
        for (team, &column) in sources.iter().enumerate() {
            teams.set_source(team, column, 0, 1.0).unwrap();
        }
        assert_eq!(teams.sweep_until(0.0, 100), columns);
        teams
    }

    #[test]
    fn views_combine_own_and_enemy_influence() {
        let teams = corridor(6, &[0, 5]);
        let other = |column: u32| (-0.25 * (5.0 - column as f32)).exp();
        let own = |column: u32| (-0.25 * column as f32).exp();
        let (influence, tension) = (teams.influence(0).unwrap(), teams.tension());
        let vulnerability = teams.vulnerability(0).unwrap();
        for column in 0..6 {
            let close = |field: &Field, expected: f32| (field.at(column, 0).unwrap() - expected).abs() < 1e-5;
            assert!(close(&influence, own(column) - other(column)));
            assert!(close(&tension, own(column) + other(column)));
            assert!(close(&vulnerability, 2.0 * own(column).min(other(column))));
        }
        assert_eq!(teams.vulnerability(1).unwrap(), vulnerability);
    }

    #[test]
    fn all_other_teams_are_enemies() {
        let teams = corridor(3, &[0, 2, 2]);
        let influence = teams.influence(0).unwrap();
        let expected = 1.0 - 2.0 * (-0.5f32).exp();
        assert!((influence.at(0, 0).unwrap() - expected).abs() < 1e-6);
        // Two teams tie at their common source, so neither holds the cell.
        assert_eq!(teams.strongest(), [Some(0), None, None]);
        let highest = teams.highest();
        assert_eq!([highest.at(0, 0), highest.at(2, 0)], [Some(1.0); 2]);
        assert!((highest.at(1, 0).unwrap() - (-0.25f32).exp()).abs() < 1e-6);
    }

    #[test]
    fn the_front_separates_teams() {
        let front = |teams: &Teams| teams.front_line().cells().map(|cell| cell.0).collect::<Vec<_>>();
        assert_eq!(front(&corridor(6, &[0, 5])), [2, 3]);
        assert_eq!(front(&corridor(7, &[0, 6])), [3]);
        assert_eq!(front(&corridor(7, &[0])), [] as [u32; 0]);
        assert_eq!(front(&Teams::new(vec![map(4, 1); 2]).unwrap()), [] as [u32; 0]);
        // Across rows as well as within a row.
        let mut rows = Teams::new(vec![map(3, 2); 2]).unwrap();
        for column in 0..3 {
            rows.set_source(0, column, 0, 1.0).unwrap();
            rows.set_source(1, column, 1, 1.0).unwrap();
        }
        rows.sweep(1);
        assert_eq!(rows.front_line().cells().count(), 6);
        assert_eq!(rows.strongest(), [Some(0), Some(0), Some(0), Some(1), Some(1), Some(1)]);
    }

    #[test]
    fn teams_of_one_map_share_its_mask() {
        let grid = Grid::new([0.0, 0.0], 1.0, 4, 4).unwrap();
        let open = Mask::new(&grid, |column, _| column > 0);
        let map = InfluenceMap::new(grid, Propagation { decay: 0.1, momentum: 0.0 }, Some(open.clone())).unwrap();
        let teams = Teams::new(vec![map.clone(), map]).unwrap();
        let shared = |team: usize| std::ptr::eq(teams.maps[team].open().unwrap().flags(), open.flags());
        assert!(shared(0) && shared(1));
    }

    #[test]
    fn invalid_teams_are_refused() {
        let place = |maps| Teams::new(maps).unwrap_err().place().to_owned();
        assert_eq!(place(Vec::new()), "teams");
        assert_eq!(place(vec![map(1, 1); 257]), "teams");
        assert_eq!(place(vec![map(4, 4), map(4, 5)]), "team 1, grid");
        let mut teams = Teams::new(vec![map(4, 4)]).unwrap();
        assert_eq!(teams.set_source(1, 0, 0, 1.0).unwrap_err().place(), "team 1");
        assert_eq!(teams.set_source(0, 4, 0, 1.0).unwrap_err().place(), "team 0, source at (4, 0)");
        assert_eq!(teams.vulnerability(7).unwrap_err().message(), "no such team");
        assert!(teams.map(0).is_some() && teams.map(1).is_none());
    }
}
