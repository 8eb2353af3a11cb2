//! The sections of `report.html`.

use throng_core::InputError;
use throng_fields_scenario::Scenario;
use throng_fields_scenario::file_names::{ANIMATION, INFLUENCE, LAST};
use throng_fields_scenario::goals::Goal;
use throng_fields_scenario::legend::STUCK;
use throng_fields_scenario::output::Drawn;
use throng_model::record::RunRecord;
use throng_model::report::Report;
use throng_output::film;
use throng_output::html::{Page, Table, grouped};
use throng_output::svg::{Axis, Chart, Series};
use throng_pictures::{AnimationStats, Film};

use crate::results::drawing::MAX_MARKS;
use crate::results::number_format;
use crate::run::{Results, Summary};
use crate::simulation::{GroupCounts, StepSummary};

/// Maximum number of teams whose goals are among the key figures at the top.
const MAX_TEAMS: usize = 4;
/// Maximum number of changes of a goal's owner that are listed.
const MAX_CHANGES: usize = 200;

/// The report of a run whose steps took `simulation_s` seconds, including the animation, if there is one.
///
/// # Errors
/// Never for recorded animations.
pub(crate) fn report(
    scenario: Scenario,
    results: Results,
    film: Option<Film>,
    simulation_s: f64,
) -> Result<Report, InputError> {
    let film = film.map(|film| embedded_animation(&film, &scenario, results.summary.steps)).transpose()?;
    let grid = scenario.grid();
    let mut rows = vec![
        ("Time step".to_owned(), scenario.time_step.to_string()),
        ("State hash at the end".to_owned(), format!("{:016x}", results.summary.hash)),
    ];
    if let Some(costmap) = &scenario.costmap {
        rows.push(("Costmap".to_owned(), costmap.counts().to_string()));
        rows.push(("Inscribed radius of the robot".to_owned(), format!("{:.4}", costmap.layer.inscribed_radius)));
    }
    Ok(Report {
        title: scenario.title.clone(),
        subtitle: format!(
            "Fields of {} entities on {} x {} cells, {} agents",
            grouped(results.summary.entities as f64, 0),
            grid.columns(),
            grid.rows(),
            grouped(results.summary.agents.agents as f64, 0),
        ),
        rows,
        body: Box::new(move |page, record| body(page, record, &scenario, &results, film, simulation_s)),
    })
}

fn body(
    page: &mut Page,
    record: &RunRecord,
    scenario: &Scenario,
    results: &Results,
    film: Option<film::Film>,
    simulation_s: f64,
) {
    figures(page, (scenario, &results.summary), simulation_s, &record.device);
    let has = |name: &str| record.files.iter().any(|file| file.name == name);
    if let Some(film) = film.filter(|_| has(ANIMATION)) {
        page.section("On the map").film(&film::Film { still: has(LAST).then(|| LAST.to_owned()), ..film });
    }
    agents(page, scenario, &results.history);
    goals(page, scenario, &results.history);
    teams(page, scenario, &results.history);
    if has(INFLUENCE) {
        let caption = "At the end of the run: each cell has the colour of the team with the strongest influence, more \
                       saturated where the influence is stronger.";
        page.picture(INFLUENCE, "The strongest team of each cell", caption, true);
    }
    amounts(page, scenario, &results.history);
}

/// Embeds the animation in the page. Frames were taken at regular intervals of steps, and after the last step.
fn embedded_animation(film: &Film, scenario: &Scenario, steps: u32) -> Result<film::Film, InputError> {
    let mut animation = film.for_page(scenario.output.frame_ms)?;
    let decimals = number_format::decimals_of_times(scenario.time_step);
    for frame in &mut animation.frames {
        let step = frame.number.saturating_mul(scenario.output.frame_every).min(steps);
        frame.text = format!("time {:.decimals$}", f64::from(step) * scenario.time_step);
    }
    Ok(film::Film {
        file: ANIMATION.to_owned(),
        label: format!("{} over time, with walls, goals, marked entities and agents", drawn(scenario)),
        caption: format!("{} {}", marks(scenario), reduction(&film.kept())).trim_end().to_owned(),
        ..animation
    })
}

/// The quantity that images show, as the subject of a caption.
fn drawn(scenario: &Scenario) -> &'static str {
    match scenario.output.drawn {
        Drawn::Field(_) => "The field",
        Drawn::Costmap => "Costs around obstacles",
        Drawn::Influence => "The strongest team of each cell",
    }
}

/// The caption of the marks drawn over the field.
fn marks(scenario: &Scenario) -> String {
    let agents = if scenario.agents() > MAX_MARKS {
        format!("Coloured blocks show how many agents there are, because there are more than {MAX_MARKS}; ")
    } else if scenario.agents() > 0 && scenario.has_goals() {
        "Discs are agents, grey with an outline in the colour of their group if they are stuck; ".to_owned()
    } else if scenario.agents() > 0 {
        "Discs are agents; ".to_owned()
    } else {
        String::new()
    };
    let goals = match scenario.has_goals() {
        true if scenario.teams.is_empty() => ", and hatched cells are goals",
        true => ", and hatched cells are goals, in the colour of the team that owns them",
        false => "",
    };
    let text = format!("{agents}squares and rings are marked entities{goals}.");
    // Without agents, the sentence begins with the next clause.
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

/// Describes how the animation was reduced to stay within its size limit; empty if it was not.
fn reduction(kept: &AnimationStats) -> String {
    let AnimationStats { frames, of, halvings, is_exact, limit } = *kept;
    let colours = if is_exact { "" } else { "Its colours are the nearest ones of a palette of 255." };
    let left_out = (frames < of as usize).then(|| format!("has {frames} of {of} frames"));
    let smaller = (halvings > 0).then(|| format!("is drawn at 1/{} of its width and height", 1u32 << halvings));
    let done: Vec<String> = left_out.into_iter().chain(smaller).collect();
    if done.is_empty() {
        return colours.to_owned();
    }
    let megabytes = limit as f64 / 1e6;
    format!("To keep to {megabytes} MB (output.film_megabytes), the animation {}. {colours}", done.join(" and "))
}

fn figures(page: &mut Page, (scenario, summary): (&Scenario, &Summary), simulation_s: f64, device: &str) {
    let decimals = number_format::decimals_of_times(scenario.time_step);
    let agents = &summary.agents;
    let goals = summary.goals.len();
    let share = |count: usize| {
        let share = if agents.agents == 0 { 0.0 } else { 100.0 * count as f64 / agents.agents as f64 };
        format!("{share:.1} % of all")
    };
    let mut figures = vec![
        ("Arrived", grouped(agents.arrived as f64, 0), share(agents.arrived)),
        ("Stuck", grouped(agents.stuck as f64, 0), share(agents.stuck)),
        ("Steps", grouped(f64::from(summary.steps), 0), format!("{} units of time", grouped(summary.time, decimals))),
        ("Simulated in", format!("{simulation_s:.2} s"), device.to_owned()),
    ];
    let of_teams = summary.goals_of_teams.iter().take(MAX_TEAMS);
    let owned: Vec<(String, usize)> = of_teams.map(|(team, count)| (format!("Goals of {team}"), *count)).collect();
    figures.extend(owned.iter().map(|(name, count)| (name.as_str(), count.to_string(), format!("of {goals}"))));
    page.figures(&figures);
}

/// Returns one value per recorded step as a curve of a chart.
fn series(name: String, history: &[StepSummary], value: impl Fn(&StepSummary) -> f64) -> Series {
    Series { name, points: history.iter().map(|now| (now.time, value(now))).collect() }
}

fn chart(label: &str, y: Axis, series: Vec<Series>) -> Chart {
    // Scenarios do not name their time unit.
    Chart { label: label.to_owned(), x: Axis::new("time", "units of the scenario"), y, series, ..Chart::default() }
}

fn agents(page: &mut Page, scenario: &Scenario, history: &[StepSummary]) {
    let groups = &scenario.groups;
    if groups.is_empty() {
        return;
    }
    page.section("Agents");
    let (mut curves, mut colours) = (Vec::new(), Vec::new());
    for (i, group) in groups.iter().enumerate() {
        let arrived = |now: &StepSummary| now.groups[i].arrived as f64;
        let stuck = |now: &StepSummary| now.groups[i].stuck as f64;
        curves.push(series(format!("{} arrived", group.name), history, arrived));
        curves.push(series(format!("{} stuck", group.name), history, stuck));
        colours.extend([Some(group.colour.rgb()); 2]);
    }
    let dashed = (1..curves.len()).step_by(2).collect();
    let chart =
        Chart { colours, dashed, ..chart("Agents that have arrived or are stuck", Axis::count("agents"), curves) };
    page.chart(&chart, "In the colours of the groups on the map; lines of agents that are stuck are dashed.");
    let mut table = Table::new(&["Group", "#Agents", "#Walking", "#Arrived", "#Stuck", "#Waiting", "#Removed"]);
    for (group, counts) in groups.iter().zip(history.last().iter().flat_map(|now| &now.groups)) {
        let &GroupCounts { agents, waiting, walking, arrived, stuck, removed } = counts;
        let counts = [agents, walking, arrived, stuck, waiting, removed].map(|count| grouped(count as f64, 0));
        table.rows.push([vec![group.name.clone()], counts.to_vec()].concat());
    }
    page.table(&table);
    actions(page, scenario, history);
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

/// The goals that agents have chosen as their actions, at the end.
fn actions(page: &mut Page, scenario: &Scenario, history: &[StepSummary]) {
    let mut table = Table::new(&["Group", "Chosen goal", "#Agents on the map at the end"]);
    for (group, pursuing) in scenario.groups.iter().zip(history.last().iter().flat_map(|now| &now.pursuing)) {
        for (goal, agents) in group.planned_goals().into_iter().zip(pursuing) {
            let title = scenario.goals[goal].title(goal);
            table.rows.push(vec![group.name.clone(), title, grouped(*agents as f64, 0)]);
        }
    }
    if !table.rows.is_empty() {
        page.table(&table);
    }
}

/// The owners of the goals that teams may capture, at the end and over time.
fn goals(page: &mut Page, scenario: &Scenario, history: &[StepSummary]) {
    let goals: Vec<(usize, &Goal)> = scenario.capturable_goals().collect();
    let (Some(first), Some(last), false) = (history.first(), history.last(), goals.is_empty()) else { return };
    page.section("Goals");
    let owned = |team: usize| move |now: &StepSummary| scenario.goals_of_teams(&now.owners)[team] as f64;
    let curves = scenario.teams.iter().enumerate().map(|(team, name)| series(name.clone(), history, owned(team)));
    let chart = Chart {
        colours: colours_of_teams(scenario),
        ..chart("Goals that each team owns", Axis::count("goals"), curves.collect())
    };
    page.chart(&chart, "Goals that each team owns, of those that teams can capture, in the colours of the teams.");
    let name = |owner: Option<usize>| owner.map_or("no team", |team| &scenario.teams[team]).to_owned();
    let mut table = Table::new(&["Goal", "Owner at the start", "Owner at the end"]);
    for &(number, goal) in &goals {
        table.rows.push(vec![goal.title(number), name(first.owners[number]), name(last.owners[number])]);
    }
    page.table(&table);
    let decimals = number_format::decimals_of_times(scenario.time_step);
    let mut changes = Table::new(&["#Time", "Goal", "From", "To"]);
    for pair in history.windows(2) {
        for &(number, goal) in &goals {
            let [from, to] = [0, 1].map(|i: usize| pair[i].owners[number]);
            if from != to {
                changes.rows.push(vec![
                    format!("{:.decimals$}", pair[1].time),
                    goal.title(number),
                    name(from),
                    name(to),
                ]);
            }
        }
    }
    let all = changes.rows.len();
    changes.rows.truncate(MAX_CHANGES);
    if all > MAX_CHANGES {
        changes.rows.push(vec!["...".to_owned(), format!("{} more", all - MAX_CHANGES), String::new(), String::new()]);
    }
    if all > 0 {
        page.folded_table("When goals changed owner", &changes);
    } else {
        page.paragraph("No goal changed owner.");
    }
}

fn teams(page: &mut Page, scenario: &Scenario, history: &[StepSummary]) {
    let Some(influences) = &scenario.influences else { return };
    page.section("Teams");
    let mut curves: Vec<Series> = Vec::new();
    for (i, team) in influences.teams.iter().enumerate() {
        curves.push(series(team.clone(), history, |now| now.held[i] as f64));
    }
    curves.push(series("front".to_owned(), history, |now| now.front as f64));
    let mut colours = colours_of_teams(scenario);
    colours.push(Some(STUCK.rgb()));
    let chart = Chart { colours, ..chart("Cells in which each team is strongest", Axis::count("cells"), curves) };
    page.chart(&chart, "Cells in which a team is strongest, and those of the front between teams, in grey.");
}

/// The colours of teams in images.
fn colours_of_teams(scenario: &Scenario) -> Vec<Option<[u8; 3]>> {
    scenario.team_colours.iter().map(|colour| Some(colour.rgb())).collect()
}

fn amounts(page: &mut Page, scenario: &Scenario, history: &[StepSummary]) {
    let sum = |(i, name): (usize, &str)| series(name.to_owned(), history, |now| now.amounts[i]);
    let curves: Vec<Series> = scenario.diffusing().enumerate().map(sum).collect();
    if !curves.is_empty() {
        page.section("Amounts");
        page.chart(
            &chart("Amounts that diffuse", Axis::new("amount, sum over all cells", ""), curves),
            "Total amounts in the diffusing layers.",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_of_the_animation_are_described() {
        let whole = AnimationStats { frames: 70, of: 70, halvings: 0, is_exact: true, limit: 2_500_000 };
        assert_eq!(reduction(&whole), "");
        assert!(reduction(&AnimationStats { is_exact: false, ..whole }).starts_with("Its colours"));
        let reduced = reduction(&AnimationStats { of: 139, halvings: 2, ..whole });
        let expected =
            "To keep to 2.5 MB (output.film_megabytes), the animation has 70 of 139 frames and is drawn at 1/4 of its";
        assert!(reduced.starts_with(expected), "{reduced}");
    }
}
