//! The measures of a day, most of them means over agents.

use throng_model::Quantity;

use crate::devices::Kind;
use crate::rules::measures::{place_of_quartile, share_by_hand};
use crate::society::Society;

/// A dimensionless mean over agents.
const fn per_agent(name: &'static str, label: &'static str, meaning: &'static str) -> Quantity {
    Quantity::real(name, label, "", meaning)
}

/// The measures, in the order and with the names of charts and tables.
pub const MEASURES: &[Quantity] = &[
    per_agent(
        "utility",
        "utility per agent",
        "utility of the stock at the end of the day, before consumption, mean of agents",
    ),
    per_agent(
        "held",
        "units held per agent",
        "units in stock at the end of the day, before consumption, mean of agents",
    ),
    per_agent("extracted", "units extracted per agent", "units extracted, mean of agents"),
    per_agent("traded", "units traded per agent", "units that changed hands by barter, mean of agents"),
    Quantity::index(
        "gini",
        "Gini coefficient of utility",
        "of the utility of agents, summed over the last three days; 0: all have the same",
    ),
    Quantity::index(
        "hhi_25",
        "concentration of extraction, lower quartile",
        "a quarter of the resources are extracted with at most this concentration (Herfindahl-Hirschman index)",
    ),
    Quantity::index(
        "hhi_50",
        "concentration of extraction, median",
        "half of the resources are extracted with at most this concentration; 1: by one agent",
    ),
    Quantity::index(
        "hhi_75",
        "concentration of extraction, upper quartile",
        "three quarters of the resources are extracted with at most this concentration",
    ),
    Quantity::real(
        "complexity",
        "complexity of devices in use",
        "",
        "mean number of units of resources in the device with which a unit was extracted",
    ),
    Quantity::fraction("by_hand", "units extracted by hand", "fraction of the units that were extracted by hand"),
    per_agent("tools", "tools made per agent", "tools made, mean of agents"),
    per_agent("machines", "machines made per agent", "machines made, mean of agents"),
    per_agent("factories", "factories made per agent", "factories made, mean of agents"),
    per_agent("industries", "industries made per agent", "industries made, mean of agents"),
    per_agent("devmachine", "devmachines made per agent", "devmachines made, mean of agents"),
    per_agent("devfactory", "devfactories made per agent", "devfactories made, mean of agents"),
];

/// Returns the measures of a society, in the order of [`MEASURES`], from the quantities of the day that the results
/// also show one by one. A kernel has none of these and reduces the arrays of agents to a row.
pub fn measure(society: &Society) -> Vec<f64> {
    let today = &society.today;
    let agents = society.is_present.iter().filter(|&&is_present| is_present).count().max(1) as f64;
    let mut concentration: Vec<f64> = today.concentration().into_iter().flatten().collect();
    concentration.sort_unstable_by(f64::total_cmp);
    let count = concentration.len() as u32;
    let quartiles = [1, 2, 3]
        .map(|quarter| if count == 0 { 0.0 } else { concentration[place_of_quartile(quarter, count) as usize] });
    let extracted = today.units_extracted() as f64;
    let by_hand = share_by_hand(today.units_by_hand as f64, extracted);
    // Before the first day no agent has a utility, and an empty sum is -0.
    let utility = today.utility.iter().sum::<f64>() + 0.0;
    let mut measures = vec![
        utility / agents,
        today.units_held() as f64 / agents,
        extracted / agents,
        today.units_traded() as f64 / agents,
        society.gini(),
    ];
    measures.extend(quartiles);
    measures.extend([society.complexity(), by_hand]);
    measures.extend(Kind::ALL.map(|kind| today.made(kind) as f64 / agents));
    measures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parameters;

    #[test]
    fn measures_and_their_names_are_in_the_same_order() {
        let mut society = Society::of(&Parameters { trade: false, ..Parameters::default() }, 1);
        society.day();
        let measures = measure(&society);
        assert_eq!(measures.len(), MEASURES.len());
        let of = |name: &str| measures[MEASURES.iter().position(|measure| measure.name == name).unwrap()];
        assert_eq!((of("held"), of("extracted"), of("traded"), of("by_hand")), (67.0, 67.0, 0.0, 1.0));
        assert!((of("utility") - 21_649.563_3).abs() < 1e-4 && of("gini") < 1e-12 && of("hhi_25") <= of("hhi_75"));
    }
}
