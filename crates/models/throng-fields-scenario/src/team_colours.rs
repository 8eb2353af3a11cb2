//! The colours of teams and of groups of agents wherever they are shown: images, legends, charts, landscapes.

use std::collections::{HashMap, HashSet};

use throng_model::scenario_file::At;
use throng_pictures::Colour;

use crate::agents::AgentsTable;
use crate::entities::EntityTable;
use crate::legend::STUCK;

/// Colours of teams and of groups of agents, by index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TeamColours {
    pub teams: Vec<Colour>,
    pub groups: Vec<Colour>,
}

impl TeamColours {
    /// Assigns the colours. A team has the first colour given for one of its entities, else for one of its groups. A
    /// team without such a colour has the colour that it is named after if no other team uses it, else the next one of
    /// the palette. A group without a colour has that of its team, or green.
    pub fn new(teams: &[String], entities: &[At<EntityTable>], groups: &[At<AgentsTable>]) -> Self {
        let of_entities = entities.iter().map(|entity| (&entity.value.team, entity.value.colour));
        let of_groups = groups.iter().map(|group| (&group.value.team, group.value.colour));
        let (mut written, mut used) = (HashMap::new(), HashSet::new());
        for (team, colour) in of_entities.chain(of_groups) {
            if let (Some(team), Some(colour)) = (team, colour) {
                written.entry(team).or_insert(colour);
                used.insert(colour);
            }
        }
        let mut own: Vec<Option<Colour>> = teams.iter().map(|team| written.get(team).copied()).collect();
        for (team, own) in teams.iter().zip(&mut own).filter(|(_, own)| own.is_none()) {
            *own = team.parse().ok().filter(|&colour| colour != STUCK && used.insert(colour));
        }
        // If there are more teams than colours, each colour is used twice before any is used a third time.
        let free = Colour::named().filter(|&colour| colour != STUCK);
        let mut palette: Vec<(usize, Colour)> =
            free.map(|colour| (usize::from(used.contains(&colour)), colour)).collect();
        let mut next = || {
            let (uses, colour) = palette.iter_mut().min_by_key(|(uses, _)| *uses)?;
            *uses += 1;
            Some(*colour)
        };
        let teams_with_colours: HashMap<&String, Colour> =
            teams.iter().zip(own).map(|(team, own)| (team, own.or_else(&mut next).unwrap_or(Colour::GREEN))).collect();
        let of_team = |team: &String| teams_with_colours.get(team).copied();
        let of_group = |group: &At<AgentsTable>| {
            let AgentsTable { team, colour, .. } = &group.value;
            colour.or(team.as_ref().and_then(of_team)).unwrap_or(Colour::GREEN)
        };
        Self { teams: teams.iter().filter_map(of_team).collect(), groups: groups.iter().map(of_group).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<T: serde::de::DeserializeOwned>(text: &str) -> At<T> {
        At { value: toml::from_str(text).unwrap(), place: String::new() }
    }

    /// The colours of teams and groups; entities and groups are given as team and colour.
    fn colours(teams: &[&str], entities: &[[&str; 2]], groups: &[[&str; 2]]) -> (Vec<String>, Vec<String>) {
        let keys = |[team, colour]: &[&str; 2]| {
            let key = |key: &str, value: &str| {
                if value.is_empty() { String::new() } else { format!("{key} = \"{value}\"\n") }
            };
            key("team", team) + &key("colour", colour)
        };
        let group = "name = \"a\"\ncount = 1\nspeed = 1\nfollow = \"flow\"\nstart = { at = [0, 0], radius = 1 }\n";
        let entities: Vec<_> = entities.iter().map(|entity| at(&format!("at = [0, 0]\n{}", keys(entity)))).collect();
        let groups: Vec<_> = groups.iter().map(|of| at(&format!("{group}{}", keys(of)))).collect();
        let teams: Vec<String> = teams.iter().map(|team| (*team).to_owned()).collect();
        let found = TeamColours::new(&teams, &entities, &groups);
        let named = |colours: Vec<Colour>| colours.iter().map(Colour::to_string).collect();
        (named(found.teams), named(found.groups))
    }

    #[test]
    fn teams_without_colours_differ_and_their_groups_have_them() {
        let (teams, groups) = colours(&["us", "them"], &[], &[["us", ""], ["them", ""], ["us", ""], ["", ""]]);
        assert_eq!((teams, groups[..].join(" ").as_str()), (vec!["red".into(), "blue".into()], "red blue red green"));
        // A green entity of the red team: the blue team keeps the colour of its name.
        let (teams, groups) = colours(&["red", "blue"], &[["red", "green"]], &[["red", ""], ["blue", ""]]);
        assert_eq!((teams.join(" "), groups.join(" ")), ("green blue".into(), "green blue".into()));
        // The colour of the name is taken, or is that of stuck agents.
        let (teams, _) = colours(&["blue", "grey", "red"], &[], &[["blue", ""], ["red", "blue"]]);
        assert_eq!(teams.join(" "), "red green blue");
    }

    #[test]
    fn written_colours_hold_entities_first() {
        let entities = [["a", "#010203"], ["a", "green"], ["c", "red"], ["b", ""], ["", "blue"]];
        let (teams, groups) = colours(&["a", "b", "c"], &entities, &[["a", "pink"], ["c", "yellow"], ["b", ""]]);
        // Blue belongs to no team.
        assert_eq!((teams.join(" "), groups.join(" ")), ("#010203 blue red".into(), "pink yellow blue".into()));
        let (teams, groups) = colours(&["a", "b"], &[], &[["a", "blue"], ["b", "blue"]]);
        assert_eq!((teams.join(" "), groups.join(" ")), ("blue blue".into(), "blue blue".into()));
    }

    #[test]
    fn many_teams_share_colours_evenly_and_none_is_that_of_stuck_agents() {
        let names: Vec<String> = (0..40).map(|team| format!("team {team}")).collect();
        let found = TeamColours::new(&names, &[], &[]).teams;
        assert!(found.len() == 40 && !found.contains(&STUCK));
        assert!(
            Colour::named()
                .filter(|colour| *colour != STUCK)
                .all(|of| { found.iter().filter(|colour| **colour == of).count() == 5 })
        );
    }
}
