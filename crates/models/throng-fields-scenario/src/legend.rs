//! The legend of agents and entities in images.

use std::collections::BTreeMap;

use throng_core::Problems;
use throng_model::scenario_file::At;
use throng_pictures::{Colour, Mark};

use crate::agents::AgentsTable;
use crate::entities::EntityTable;

/// The fill colour of stuck agents, whose edge has the colour of their group.
pub const STUCK: Colour = Colour::GREY;

/// The mark of an agent of a group with a colour.
pub fn agent(colour: Colour, is_stuck: bool) -> Mark {
    if is_stuck { Mark::disc(STUCK).with_edge(colour) } else { Mark::disc(colour) }
}

/// Entries of the legend: names and colours.
#[derive(Debug, Clone, Default)]
pub struct Legend {
    agents: Vec<(String, Colour)>,
    entities: Vec<(String, Colour)>,
}

impl Legend {
    /// Creates the legend. Agents are listed by the name of their group. Entities of one colour are listed by the name
    /// of the only one, or of the team that all of them belong to; else they have no entry. A name in `written`
    /// overrides that of its colour, and an empty name removes the entry. Without goals no agent becomes stuck.
    pub(crate) fn new(
        written: &BTreeMap<Colour, String>,
        place: &str,
        (groups, colours, with_goals): (&[At<AgentsTable>], &[Colour], bool),
        entities: &[At<EntityTable>],
        problems: &mut Problems,
    ) -> Self {
        let mut agents: Vec<(String, Colour)> =
            groups.iter().zip(colours).map(|(group, colour)| (group.value.name.clone(), *colour)).collect();
        if !agents.is_empty() && with_goals {
            agents.push(("stuck".to_owned(), STUCK));
        }
        let mut marked: Vec<(Colour, Vec<&EntityTable>)> = Vec::new();
        for entity in entities.iter().map(|entity| &entity.value) {
            let Some(colour) = entity.colour else { continue };
            match marked.iter_mut().find(|(other, _)| *other == colour) {
                Some((_, members)) => members.push(entity),
                None => marked.push((colour, vec![entity])),
            }
        }
        for &colour in written.keys() {
            if agents.iter().all(|entry| entry.1 != colour) && marked.iter().all(|entry| entry.0 != colour) {
                problems.push(place, format!("nothing is {colour}"), "name colours of agents and of marked entities");
            }
        }
        let entities = marked.into_iter().map(|(colour, members)| (name_of(&members).unwrap_or_default(), colour));
        let with_names = |entries: Vec<(String, Colour)>| {
            let mut all: Vec<(String, Colour)> = Vec::new();
            for (name, colour) in entries {
                let entry = (written.get(&colour).cloned().unwrap_or(name), colour);
                if !entry.0.is_empty() && !all.contains(&entry) {
                    all.push(entry);
                }
            }
            all
        };
        Self { agents: with_names(agents), entities: with_names(entities.collect()) }
    }

    /// The entries of agents, with their marks.
    pub fn agents(&self) -> impl Iterator<Item = (&str, Mark)> {
        self.agents.iter().map(|(name, colour)| (name.as_str(), Mark::disc(*colour)))
    }

    /// The entries of entities, with their marks.
    pub fn entities(&self) -> impl Iterator<Item = (&str, Mark)> {
        self.entities.iter().map(|(name, colour)| (name.as_str(), Mark::square(*colour)))
    }
}

/// The name for the entities of one colour.
fn name_of(members: &[&EntityTable]) -> Option<String> {
    match members {
        [single] => single.name.clone().or(single.team.clone()),
        [first, ..] => {
            first.team.clone().filter(|team| members.iter().all(|member| member.team.as_ref() == Some(team)))
        }
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<T: serde::de::DeserializeOwned>(text: &str) -> At<T> {
        At { value: toml::from_str(text).unwrap(), place: String::new() }
    }

    fn legend(written: &[(&str, &str)]) -> Legend {
        let group = |name: &str| {
            let start = "start = { at = [0, 0], radius = 1 }";
            at(&format!("name = \"{name}\"\ncount = 1\nspeed = 1\nfollow = \"flow\"\n{start}"))
        };
        let groups = ["planners", "climbers", "planners"].map(group);
        let colours = [Colour::GREEN, [255, 255, 0].into(), Colour::GREEN];
        let entities = [
            "name = \"home\"\ncolour = \"blue\"\nteam = \"us\"",
            "name = \"north\"\ncolour = \"red\"\nteam = \"them\"",
            "name = \"hidden\"",
            "name = \"south\"\ncolour = \"red\"\nteam = \"them\"",
            "name = \"tower\"\ncolour = \"purple\"\nteam = \"them\"",
            "name = \"fire\"\ncolour = \"purple\"",
        ];
        let entities = entities.map(|entity| at(&format!("at = [0, 0]\n{entity}")));
        let written = written.iter().map(|&(colour, name)| (colour.parse().unwrap(), name.to_owned())).collect();
        let mut problems = Problems::new();
        let legend = Legend::new(&written, "legend", (&groups, &colours, true), &entities, &mut problems);
        assert!(problems.is_empty());
        legend
    }

    #[test]
    fn groups_teams_and_single_entities_have_names() {
        let legend = legend(&[]);
        let entities: Vec<_> = legend.entities().collect();
        assert_eq!(entities, [("home", Mark::square(Colour::BLUE)), ("them", Mark::square(Colour::RED))]);
        let agents: Vec<_> = legend.agents().collect();
        let [green, yellow, grey] = [Colour::GREEN, [255, 255, 0].into(), Colour::GREY].map(Mark::disc);
        assert_eq!(agents, [("planners", green), ("climbers", yellow), ("stuck", grey)]);
    }

    #[test]
    fn written_names_stand_in_the_place_of_others_and_empty_ones_for_nothing() {
        let names = [("purple", "towers"), ("red", ""), ("#FFFF00", "those who climb"), ("grey", "")];
        let legend = legend(&names);
        let found: Vec<&str> = legend.agents().chain(legend.entities()).map(|(name, _)| name).collect();
        assert_eq!(found, ["planners", "those who climb", "home", "towers"]);
    }
}
