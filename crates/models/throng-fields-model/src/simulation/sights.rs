//! Lines of sight during a run; their viewers are entities and agents.

use std::collections::BTreeMap;

use throng_core::InputError;
use throng_fields_core::Field;
use throng_fields_core::routing::Ground;
use throng_fields_core::sight::{SightMap, Viewer};
use throng_fields_scenario::sight::SightLayer;

/// Layers of lines of sight, by layer index, each with whether its field has changed since it was last read.
#[derive(Debug)]
pub(super) struct Sights(BTreeMap<usize, (SightMap, bool)>);

impl Sights {
    /// The initial layers; `viewers` has the layer of each viewer.
    pub(super) fn new(
        sights: &[SightLayer],
        ground: &Ground,
        viewers: impl Iterator<Item = (usize, Viewer)>,
    ) -> Result<Self, InputError> {
        let map = |SightLayer { layer, sight }: &SightLayer| {
            Ok((*layer, (SightMap::new(*ground.grid(), sight.clone(), Some(ground.open().clone()))?, true)))
        };
        let mut sights = Self(sights.iter().map(map).collect::<Result<_, InputError>>()?);
        sights.follow(viewers)?;
        Ok(sights)
    }

    /// Replaces the open cells, because walls have appeared or vanished.
    pub(super) fn set_ground(&mut self, ground: &Ground) -> Result<(), InputError> {
        for (map, has_changed) in self.0.values_mut() {
            *has_changed |= map.set_open(ground.open())?;
        }
        Ok(())
    }

    /// Moves the viewers, given with their layers.
    pub(super) fn follow(&mut self, viewers: impl Iterator<Item = (usize, Viewer)>) -> Result<(), InputError> {
        let mut of_layers: BTreeMap<usize, Vec<Viewer>> = BTreeMap::new();
        for (layer, viewer) in viewers {
            of_layers.entry(layer).or_default().push(viewer);
        }
        for (layer, (map, has_changed)) in &mut self.0 {
            *has_changed |= map.follow(of_layers.get(layer).map_or(&[], Vec::as_slice))?;
        }
        Ok(())
    }

    /// The fields that have changed since the last call, each with the index of its layer.
    pub(super) fn changed_fields(&mut self) -> impl Iterator<Item = (usize, Field)> {
        let changed = self.0.iter_mut().filter(|(_, (_, has_changed))| *has_changed);
        changed.map(|(&layer, (map, has_changed))| {
            *has_changed = false;
            (layer, map.field())
        })
    }
}
