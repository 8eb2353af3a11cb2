//! Quantities that diffuse during a run; their sources are entities and agents that emit something.

use std::collections::BTreeMap;

use throng_core::InputError;
use throng_fields_core::Field;
use throng_fields_core::influence::DiffusionMap;
use throng_fields_core::routing::Ground;
use throng_fields_scenario::diffusion::Diffusing;

use super::source_cells::SourceCells;

/// Quantities that diffuse during a run, by layer index.
#[derive(Debug)]
pub(super) struct Amounts {
    maps: BTreeMap<usize, DiffusionMap>,
    sources: SourceCells,
}

impl Amounts {
    /// The initial quantities; `emitted` has layer, position and rate of each source.
    pub(super) fn new(
        diffusing: &[Diffusing],
        ground: &Ground,
        emitted: impl Iterator<Item = (usize, [f64; 2], f32)>,
    ) -> Result<Self, InputError> {
        let map = |diffusing: &Diffusing| {
            let map = DiffusionMap::new(*ground.grid(), diffusing.diffusion, Some(ground.open().clone()))?;
            Ok((diffusing.layer, map))
        };
        let maps = diffusing.iter().map(map).collect::<Result<_, InputError>>()?;
        let mut amounts = Self { maps, sources: SourceCells::default() };
        amounts.follow(ground, emitted)?;
        for Diffusing { layer, before, .. } in diffusing.iter().filter(|diffusing| diffusing.before > 0.0) {
            amounts.maps.get_mut(layer).map_or(Ok(0), |map| map.advance(*before))?;
        }
        Ok(amounts)
    }

    /// Replaces the open cells, because walls have appeared or vanished. The amounts in new walls are lost.
    pub(super) fn set_ground(&mut self, ground: &Ground) -> Result<(), InputError> {
        self.sources.leave_walls(ground);
        self.maps.values_mut().try_for_each(|map| map.set_open(ground.open()))
    }

    /// Moves sources to their current positions, and advances the time.
    pub(super) fn advance(
        &mut self,
        ground: &Ground,
        emitted: impl Iterator<Item = (usize, [f64; 2], f32)>,
        time: f32,
    ) -> Result<(), InputError> {
        self.follow(ground, emitted)?;
        self.maps.values_mut().try_for_each(|map| map.advance(time).map(|_| ()))
    }

    fn follow(
        &mut self,
        ground: &Ground,
        emitted: impl Iterator<Item = (usize, [f64; 2], f32)>,
    ) -> Result<(), InputError> {
        let maps = &mut self.maps;
        self.sources.follow(ground, emitted, |layer, (column, row), rate| {
            maps.get_mut(&layer).map_or(Ok(()), |map| map.set_source(column, row, rate))
        })
    }

    /// The current amounts per diffusing layer, with the index of the layer.
    pub(super) fn fields(&self) -> impl Iterator<Item = (usize, Field)> {
        self.maps.iter().map(|(&layer, map)| (layer, map.field()))
    }
}
