//! The legend of points in pictures.

use std::collections::BTreeMap;

use throng_core::Problems;

use crate::scenario::written::{Agents, ColourName, Entity};
use throng_model::At;

/// Number of the colour of agents that are stuck.
pub(crate) const STUCK: u8 = ColourName::Grey as u8;

/// Entries of the legend: name and number of the colour.
#[derive(Debug, Clone, Default)]
pub(crate) struct Legend {
    agents: Vec<(String, u8)>,
    entities: Vec<(String, u8)>,
}

impl Legend {
    /// Agents have the name of their group. Entities of one colour have the name of the only one, or of the team that
    /// all of them are in; else they have no entry. A name that is `written` for a colour replaces all that, and an
    /// empty name removes the entry. Without goals no agent becomes stuck.
    pub(crate) fn new(
        written: &BTreeMap<ColourName, String>,
        place: &str,
        (groups, with_goals): (&[At<Agents>], bool),
        entities: &[At<Entity>],
        problems: &mut Problems,
    ) -> Self {
        let mut agents: Vec<(String, u8)> =
            groups.iter().map(|group| (group.value.name.clone(), group.value.colour as u8)).collect();
        if !agents.is_empty() && with_goals {
            agents.push(("stuck".to_owned(), STUCK));
        }
        let mut marked: Vec<(u8, Vec<&Entity>)> = Vec::new();
        for entity in entities.iter().map(|entity| &entity.value) {
            let Some(colour) = entity.colour.map(|colour| colour as u8) else { continue };
            match marked.iter_mut().find(|(other, _)| *other == colour) {
                Some((_, members)) => members.push(entity),
                None => marked.push((colour, vec![entity])),
            }
        }
        for &colour in written.keys() {
            let number = colour as u8;
            if agents.iter().all(|entry| entry.1 != number) && marked.iter().all(|entry| entry.0 != number) {
                let name = format!("{colour:?}").to_lowercase();
                problems.push(place, format!("nothing is {name}"), "name colours of agents and of marked entities");
            }
        }
        let named = |colour: u8| written.iter().find(|entry| *entry.0 as u8 == colour).map(|(_, name)| name.clone());
        let entities = marked.into_iter().map(|(colour, members)| (name_of(&members).unwrap_or_default(), colour));
        let with_names = |entries: Vec<(String, u8)>| {
            let mut all: Vec<(String, u8)> = Vec::new();
            for (name, colour) in entries {
                let entry = (named(colour).unwrap_or(name), colour);
                if !entry.0.is_empty() && !all.contains(&entry) {
                    all.push(entry);
                }
            }
            all
        };
        Self { agents: with_names(agents), entities: with_names(entities.collect()) }
    }

    /// The entries of a picture, with agents or without.
    pub(crate) fn entries(&self, with_agents: bool) -> impl Iterator<Item = &(String, u8)> {
        let agents = if with_agents { &self.agents[..] } else { &[] };
        agents.iter().chain(self.entities.iter().filter(|entry| !agents.contains(entry)))
    }
}

/// The name for entities of one colour.
fn name_of(members: &[&Entity]) -> Option<String> {
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

    fn entries(written: &[(ColourName, &str)], with_agents: bool) -> Vec<(String, u8)> {
        let group = |name: &str, colour: &str| {
            let start = "start = { at = [0, 0], radius = 1 }";
            at(&format!("name = \"{name}\"\ncount = 1\nspeed = 1\nfollow = \"flow\"\n{start}\n{colour}"))
        };
        let groups = [group("planners", ""), group("climbers", "colour = \"yellow\""), group("planners", "")];
        let entities = [
            "name = \"home\"\ncolour = \"blue\"\nteam = \"us\"",
            "name = \"north\"\ncolour = \"red\"\nteam = \"them\"",
            "name = \"hidden\"",
            "name = \"south\"\ncolour = \"red\"\nteam = \"them\"",
            "name = \"tower\"\ncolour = \"purple\"\nteam = \"them\"",
            "name = \"fire\"\ncolour = \"purple\"",
        ];
        let entities = entities.map(|entity| at(&format!("at = [0, 0]\n{entity}")));
        let written = written.iter().map(|&(colour, name)| (colour, name.to_owned())).collect();
        let mut problems = Problems::new();
        let legend = Legend::new(&written, "legend", (&groups, true), &entities, &mut problems);
        assert!(problems.is_empty());
        legend.entries(with_agents).cloned().collect()
    }

    #[test]
    fn groups_teams_and_single_entities_have_names() {
        let named = |entries: &[(&str, ColourName)]| -> Vec<(String, u8)> {
            entries.iter().map(|&(name, colour)| (name.to_owned(), colour as u8)).collect()
        };
        let entities = [("home", ColourName::Blue), ("them", ColourName::Red)];
        assert_eq!(entries(&[], false), named(&entities));
        let agents = [("planners", ColourName::Green), ("climbers", ColourName::Yellow), ("stuck", ColourName::Grey)];
        assert_eq!(entries(&[], true), named(&[&agents[..], &entities].concat()));
    }

    #[test]
    fn written_names_stand_in_the_place_of_others_and_empty_ones_for_nothing() {
        let names = [
            (ColourName::Purple, "towers"),
            (ColourName::Red, ""),
            (ColourName::Yellow, "those who climb"),
            (ColourName::Grey, ""),
        ];
        let found = entries(&names, true);
        let found: Vec<&str> = found.iter().map(|entry| entry.0.as_str()).collect();
        assert_eq!(found, ["planners", "those who climb", "home", "towers"]);
    }
}
