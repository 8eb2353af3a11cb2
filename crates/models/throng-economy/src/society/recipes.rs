//! Recipes: the components of each device. They are shared by the whole society.

use crate::Parameters;
use crate::devices::{KINDS, Kind};

/// The recipes of a society, by kind and resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipes {
    resources: usize,
    of_kind: [Vec<Option<Recipe>>; KINDS],
}

/// The components of a device.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Resources, or the resources that the component devices are for.
    pub components: Vec<usize>,
    /// Units of each resource if all components are made for it: pairs of a resource and a count, in ascending order of
    /// resources.
    pub units: Vec<(usize, u32)>,
}

impl Recipes {
    /// Creates a society's recipes before any invention.
    pub fn new(parameters: &Parameters) -> Self {
        let resources = parameters.resources as usize;
        Self { resources, of_kind: std::array::from_fn(|_| vec![None; resources]) }
    }

    /// Returns the recipe of a device, if it was invented.
    pub fn get(&self, kind: Kind, resource: usize) -> Option<&Recipe> {
        self.of_kind[kind as usize][resource].as_ref()
    }

    /// Returns the resources or components of a device; empty if it was not invented.
    pub fn components(&self, kind: Kind, resource: usize) -> &[usize] {
        self.get(kind, resource).map_or(&[], |recipe| &recipe.components)
    }

    /// Yields the recipes of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = (usize, &Recipe)> {
        self.of_kind[kind as usize]
            .iter()
            .enumerate()
            .filter_map(|(resource, recipe)| Some((resource, recipe.as_ref()?)))
    }

    /// Creates recipes from lists of components.
    pub fn of_components(
        parameters: &Parameters,
        devices: impl IntoIterator<Item = (Kind, usize, Vec<usize>)>,
    ) -> Self {
        let mut recipes = Self::new(parameters);
        for (kind, resource, components) in devices {
            recipes.of_kind[kind as usize][resource] = Some(Recipe { components, units: Vec::new() });
        }
        recipes.count_units();
        recipes
    }

    /// Writes a recipe, replacing an earlier one.
    pub fn invent(&mut self, kind: Kind, resource: usize, components: Vec<usize>) {
        self.of_kind[kind as usize][resource] = Some(Recipe { components, units: Vec::new() });
        // A new recipe of a tool changes the contents of all devices made of it. Inventions are rare.
        self.count_units();
    }

    // Recipes on the CPU have short lists of units, since an agent checks whether it has all of them far more often
    // than anything is invented. On devices each list has an entry per resource, so that its length is a compile-time
    // constant.
    fn count_units(&mut self) {
        for kind in Kind::BY_PRODUCTION {
            for resource in 0..self.resources {
                let mut units = vec![0; self.resources];
                for &component in self.components(kind, resource) {
                    match kind.made_of() {
                        None => units[component] += 1,
                        Some(of) => {
                            let of_component = self.get(of, component).map_or(&[][..], |recipe| &recipe.units);
                            for &(resource, count) in of_component {
                                units[resource] += count;
                            }
                        }
                    }
                }
                if let Some(recipe) = &mut self.of_kind[kind as usize][resource] {
                    recipe.units = units.into_iter().enumerate().filter(|&(_, count)| count > 0).collect();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_components_are_summed() {
        let mut recipes = Recipes::new(&Parameters { resources: 4, ..Parameters::default() });
        recipes.invent(Kind::Tool, 0, vec![1, 2]);
        recipes.invent(Kind::Tool, 3, vec![2, 0]);
        recipes.invent(Kind::Machine, 0, vec![0, 3]);
        assert_eq!(recipes.get(Kind::Machine, 0).unwrap().units, [(0, 1), (1, 1), (2, 2)]);
        recipes.invent(Kind::Tool, 3, vec![2, 1]);
        assert_eq!(recipes.get(Kind::Machine, 0).unwrap().units, [(1, 2), (2, 2)]);
        assert_eq!(recipes.of(Kind::Tool).count(), 2);
    }
}
