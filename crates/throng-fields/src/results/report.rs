//! The sections of `report.html`.

use crate::pictures::category;
use throng_model::{Report, RunRecord};
use throng_output::html::{Page, Table, grouped};
use throng_output::svg::{Chart, Series, Unit};

use crate::results::recorder::{ANIMATION, INFLUENCE};
use crate::run::{Results, Summary};
use crate::scenario::legend::STUCK;
use crate::scenario::{Figure, Scenario};
use crate::simulation::{GroupCounts, Now};

/// The report of a run whose steps took `simulation_s` seconds.
pub(crate) fn report(scenario: Scenario, results: Results, simulation_s: f64) -> Report {
    let grid = scenario.grid();
    let mut rows = vec![
        ("Time step".to_owned(), scenario.time_step.to_string()),
        ("State hash at the end".to_owned(), format!("{:016x}", results.summary.hash)),
    ];
    if let Some(costmap) = &scenario.costmap {
        rows.push(("Costmap".to_owned(), costmap.counts().to_string()));
    }
    Report {
        title: scenario.title.clone(),
        subtitle: format!(
            "Fields of {} entities on {} x {} cells, {} agents",
            grouped(results.summary.entities as f64, 0),
            grid.columns(),
            grid.rows(),
            grouped(results.summary.agents.agents as f64, 0),
        ),
        rows,
        body: Box::new(move |page, record| body(page, record, &scenario, &results, simulation_s)),
    }
}

fn body(page: &mut Page, record: &RunRecord, scenario: &Scenario, results: &Results, simulation_s: f64) {
    figures(page, &results.summary, simulation_s, &record.device);
    let has = |name: &str| record.files.iter().any(|file| file.name == name);
    if has(ANIMATION) {
        page.section("On the map").picture(
            ANIMATION,
            "The field over time, with walls, marked entities and agents",
            "Discs with a white edge are agents and marked entities; agents that are stuck are grey.",
        );
    }
    agents(page, scenario, &results.history);
    teams(page, scenario, &results.history);
    if has(INFLUENCE) {
        page.picture(INFLUENCE, "Influence of the first team less that of all others", "At the end of the run.");
    }
    amounts(page, scenario, &results.history);
}

fn figures(page: &mut Page, summary: &Summary, simulation_s: f64, device: &str) {
    let agents = &summary.agents;
    let share = |count: usize| {
        let share = if agents.agents == 0 { 0.0 } else { 100.0 * count as f64 / agents.agents as f64 };
        format!("{share:.1} % of all")
    };
    page.figures(&[
        ("Arrived", grouped(agents.arrived as f64, 0), share(agents.arrived)),
        ("Stuck", grouped(agents.stuck as f64, 0), share(agents.stuck)),
        ("Steps", grouped(f64::from(summary.steps), 0), format!("{} units of time", grouped(summary.time, 1))),
        ("Simulated in", format!("{simulation_s:.2} s"), device.to_owned()),
    ]);
}

/// A time series.
fn series(name: String, history: &[Now], value: impl Fn(&Now) -> f64) -> Series {
    Series { name, points: history.iter().map(|now| (now.time, value(now))).collect() }
}

fn chart(label: &str, y_title: &str, series: Vec<Series>) -> Chart {
    Chart {
        label: label.to_owned(),
        x_unit: Unit::Number,
        x_title: "Time".to_owned(),
        y_title: y_title.to_owned(),
        series,
        ..Chart::default()
    }
}

fn agents(page: &mut Page, scenario: &Scenario, history: &[Now]) {
    let groups = &scenario.groups;
    if groups.is_empty() {
        return;
    }
    page.section("Agents");
    let mut curves = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let arrived = |now: &Now| now.groups[i].arrived as f64;
        let stuck = |now: &Now| now.groups[i].stuck as f64;
        curves.push(series(format!("{} arrived", group.name), history, arrived));
        curves.push(series(format!("{} stuck", group.name), history, stuck));
    }
    page.chart(&chart("Agents that have arrived or are stuck", "Agents", curves).render(), "");
    let mut table = Table::new(&["Group", "#Agents", "#Walking", "#Arrived", "#Stuck", "#Waiting", "#Removed"]);
    for (group, counts) in groups.iter().zip(history.last().iter().flat_map(|now| &now.groups)) {
        let &GroupCounts { agents, waiting, walking, arrived, stuck, removed } = counts;
        let counts = [agents, walking, arrived, stuck, waiting, removed].map(|count| grouped(count as f64, 0));
        table.rows.push([vec![group.name.clone()], counts.to_vec()].concat());
    }
    page.table(&table);
    if !scenario.has_goals() {
        page.paragraph("There are no goals, so no agent arrives or counts as stuck.");
        return;
    }
    page.paragraph(&format!(
        "An agent counts as stuck if for {} units of time it has made no progress: reached no cell with a shorter travel \
         time or, if it follows a field, no better cell. Every step is in measures.csv.",
        scenario.stuck_after
    ));
}

fn teams(page: &mut Page, scenario: &Scenario, history: &[Now]) {
    let Some(influences) = &scenario.influences else { return };
    page.section("Teams");
    let mut curves: Vec<Series> = Vec::new();
    for (i, team) in influences.teams.iter().enumerate() {
        curves.push(series(team.clone(), history, |now| now.held[i] as f64));
    }
    curves.push(series("front".to_owned(), history, |now| now.front as f64));
    let colours = colours_of_teams(influences.teams.len(), &scenario.figures);
    let chart = Chart { colours, ..chart("Cells in which each team is strongest", "Cells", curves) };
    page.chart(&chart.render(), "Cells in which a team is strongest, and those of the front between teams, in grey.");
}

/// The colours of pictures: for each team that of its first entity that is drawn, for teams without one the remaining
/// ones, and grey for the front.
fn colours_of_teams(teams: usize, figures: &[Figure]) -> Vec<Option<[u8; 3]>> {
    let of = |team: usize| figures.iter().filter(move |figure| figure.team.is_some_and(|(of, _)| of == team));
    let mut colours: Vec<Option<u8>> = (0..teams).map(|team| of(team).find_map(|figure| figure.colour)).collect();
    for team in 0..teams {
        if colours[team].is_none() {
            colours[team] = (0..STUCK).find(|&free| !colours.contains(&Some(free)));
        }
    }
    colours.push(Some(STUCK));
    colours.into_iter().map(|colour| colour.map(category)).collect()
}

fn amounts(page: &mut Page, scenario: &Scenario, history: &[Now]) {
    let sum = |(i, name): (usize, &str)| series(name.to_owned(), history, |now| now.amounts[i]);
    let curves: Vec<Series> = scenario.diffusing().enumerate().map(sum).collect();
    if !curves.is_empty() {
        page.section("Amounts");
        page.chart(
            &chart("Amounts that diffuse", "Sum over all cells", curves).render(),
            "Total amounts in the diffusing layers.",
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::{Entity, Profile};

    use super::*;
    use crate::scenario::written::ColourName;

    #[test]
    fn teams_have_the_colours_of_their_entities_in_pictures() {
        let figure = |team: usize, colour: Option<ColourName>| Figure {
            entity: Entity::new([0.0, 0.0], Profile::linear(1.0).unwrap()),
            patrol: None,
            team: Some((team, 1.0)),
            emits: Vec::new(),
            colour: colour.map(|colour| colour as u8),
        };
        let figures = [
            figure(0, None),
            figure(0, Some(ColourName::Blue)),
            figure(0, Some(ColourName::Purple)),
            figure(1, None),
            figure(2, Some(ColourName::Red)),
        ];
        let colours = colours_of_teams(3, &figures);
        let [blue, red, grey] =
            [ColourName::Blue, ColourName::Red, ColourName::Grey].map(|name| Some(category(name as u8)));
        assert_eq!([colours[0], colours[2], colours[3]], [blue, red, grey]);
        assert!(colours[1].is_some() && ![blue, red, grey].contains(&colours[1]), "{colours:?}");
        let chart = Chart { colours, ..chart("a", "b", vec![series("us".to_owned(), &[], |_| 0.0)]) };
        // The blue of points in pictures, from the palette Set1 of ColorBrewer.
        assert!(chart.render().contains("stroke=\"#377eb8\""));
    }
}
