//! Totals over all sources: entities and agents that carry a field, emit an amount or see cells.

use throng_fields_core::Entity;
use throng_fields_core::layers::MAX_LAYERS;

use crate::diffusion::Diffusing;
use crate::entities::MapEntity;
use crate::groups::Group;
use crate::names::layer_bit;
use crate::sight::SightLayer;

/// Entities and carried fields with their number of copies, for limits on sums.
pub(crate) struct Sources<'s> {
    /// Entities, each with its number of copies.
    entities: Vec<(&'s Entity, usize)>,
    /// The absolute emission into each layer per unit of time, counting sources and sinks.
    pub emitted: Vec<f64>,
    /// The sum of the absolute strengths of the viewers of each layer.
    seen: Vec<f64>,
}

impl<'s> Sources<'s> {
    /// Collects the sources of entities and agents, including agents that enter later.
    pub fn new(entities: &'s [MapEntity], groups: &'s [Group], layers: usize) -> Self {
        let of_map = entities.iter().map(|entity| (&entity.entity, 1));
        let of_groups = groups.iter().filter_map(|group| Some((group.carried.as_ref()?, group.positions.len())));
        let mut emitted = vec![0.0; layers];
        let rates = entities.iter().map(|entity| (&entity.emits, 1));
        let rates = rates.chain(groups.iter().map(|group| (&group.emits, group.positions.len())));
        for (rates, count) in rates {
            for &(layer, rate) in rates {
                emitted[layer] += f64::from(rate.abs()) * count as f64;
            }
        }
        let mut seen = vec![0.0; layers];
        let views = entities.iter().map(|entity| (&entity.view, 1));
        let views = views.chain(groups.iter().map(|group| (&group.view, group.positions.len())));
        for (view, count) in views {
            for (layer, viewer) in view.iter().flat_map(|view| view.viewers([0.0; 2], 0.0)) {
                seen[layer] += f64::from(viewer.strength.abs()) * count as f64;
            }
        }
        Self { entities: of_map.chain(of_groups).collect(), emitted, seen }
    }

    /// The entities of a layer, each with its number of copies.
    pub fn members(&self, layer: usize) -> Vec<(&'s Entity, usize)> {
        self.entities.iter().copied().filter(|(entity, _)| entity.layers & layer_bit(layer) != 0).collect()
    }

    /// Upper bounds for the absolute value of each layer at the end of a run.
    pub fn largest_values(&self, diffusing: &[Diffusing], sights: &[SightLayer], end: f64) -> Vec<f64> {
        let mut largest = vec![0.0; self.emitted.len()];
        for (layer, largest) in largest.iter_mut().enumerate().take(MAX_LAYERS as usize) {
            let members = self.members(layer).into_iter();
            *largest = members.map(|(entity, count)| f64::from(entity.max_contribution()) * count as f64).sum();
        }
        for diffusing in diffusing {
            largest[diffusing.layer] = diffusing.most(self.emitted[diffusing.layer], end);
        }
        for SightLayer { layer, sight } in sights {
            largest[*layer] =
                self.seen[*layer] * sight.profile.as_ref().map_or(1.0, |profile| profile.largest().into());
        }
        largest
    }
}
