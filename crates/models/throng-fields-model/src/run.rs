//! Runs a scenario of fields and writes its results to a run folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use throng_core::{Progress, Warnings};
use throng_fields_scenario::Scenario;
use throng_fields_scenario::behaviour::Guidance;
use throng_fields_scenario::extracts::Extracts;
use throng_fields_scenario::file_names::FILE_NAMES;
use throng_model::threads::{check_threads, cpu_label};
use throng_model::{
    Done, Estimate, Failure, Figure, Loaded, Measured, Output, Quantity, Run, RunRequest, Series, Simulated,
};
use throng_output::IfNotEmpty;

use crate::results::recorder::{ClosedRecorder, Recorder};
use crate::results::report::report;
use crate::simulation::{GroupCounts, Simulation, StepSummary};
use crate::workload::{estimate, suits_cpu};

/// A scenario of fields to run, and the options of the run.
#[derive(Debug, Clone)]
pub struct FieldsRun {
    /// The scenario to run.
    pub scenario: Scenario,
    /// Number of threads for all work on the CPU, at least 1. Results do not depend on it.
    pub threads: usize,
    /// Folder for the results; `None` for the scenario's folder.
    pub folder: Option<PathBuf>,
    /// Whether the folder may contain something other than an earlier run of the same scenario.
    pub overwrite: bool,
}

impl FieldsRun {
    /// A run on one thread that writes to the folder that the scenario names.
    pub fn new(scenario: Scenario) -> Self {
        let overwrite = scenario.output.overwrite;
        Self { scenario, threads: 1, folder: None, overwrite }
    }
}

/// The numerical results of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Number of cells of the grid.
    pub cells: usize,
    /// Number of entities that are sources of fields.
    pub entities: usize,
    /// The agents of all groups together, at the end.
    pub agents: GroupCounts,
    /// Names of groups, and their agents at the end.
    pub groups: Vec<(String, GroupCounts)>,
    /// Names of goals that teams may capture, and names of the teams that own them at the end.
    pub goals: Vec<(String, Option<String>)>,
    /// Names of teams, and the number of these goals they own at the end; empty if there are no such goals.
    pub goals_of_teams: Vec<(String, usize)>,
    /// Names of teams, and the number of cells in which they are strongest at the end; empty without influence.
    pub cells_of_teams: Vec<(String, u64)>,
    /// Number of completed steps.
    pub steps: u32,
    /// Simulated time, in time units.
    pub time: f64,
    /// Hash of the fields, influence, agents and owners of goals at the end.
    pub hash: u64,
}

/// The summary of a run, and its course over time.
#[derive(Debug, Clone)]
pub struct Results {
    /// Totals at the end of the run.
    pub summary: Summary,
    /// States from the start to the end: after each step or, in runs with more than 4095 steps, at equal intervals.
    pub history: Vec<StepSummary>,
}

/// Runs a scenario and writes all results to its folder.
///
/// # Errors
/// See [`Failure`]. Incomplete files are removed.
pub fn run(run: FieldsRun, request: &RunRequest, progress: &dyn Progress) -> Result<Done<Results>, Failure> {
    throng_model::run(run, request, progress)
}

impl throng_model::Scenario for FieldsRun {
    // All files were read together with the scenario.
    type Loaded = Self;

    fn model(&self) -> &'static str {
        "fields"
    }

    fn seed(&self) -> i64 {
        self.scenario.seed()
    }

    fn effective(&self) -> Result<String, Failure> {
        Ok(self.scenario.effective.clone())
    }

    fn output(&self) -> Output {
        Output {
            folder: self.folder.clone().unwrap_or_else(|| self.scenario.folder().to_owned()),
            if_not_empty: IfNotEmpty::of_flag(self.overwrite),
            prefix: String::new(),
            names: FILE_NAMES.to_vec(),
            inputs: self.scenario.inputs.iter().map(|(path, _)| path.clone()).collect(),
        }
    }

    fn own_names(&self, steps: Option<u64>) -> Vec<String> {
        let steps = self.steps(steps);
        self.scenario.extracts.arrays.iter().flat_map(|array| array.file_names(steps)).collect()
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn check_inputs(&self) -> Result<(), Failure> {
        Ok(check_threads(self.threads)?)
    }

    fn reading_s(&self) -> f64 {
        self.scenario.loading_s
    }

    fn load(self, _: &mut Warnings, _: &dyn Progress) -> Result<Self, Failure> {
        Ok(self)
    }
}

impl Loaded for FieldsRun {
    type Results = Results;

    fn suits_cpu(&self) -> Option<String> {
        suits_cpu(&self.scenario)
    }

    fn estimate(&self, steps: Option<u64>) -> Option<Estimate> {
        Some(estimate(&self.scenario, self.steps(steps)))
    }

    fn timed_launches(&self) -> u64 {
        8
    }

    fn executor(&self, device: Option<&str>, threads: usize) -> String {
        let threads = cpu_label(threads);
        device.map_or_else(|| threads.clone(), |device| format!("{device} for the fields, {threads} for agents"))
    }

    fn simulate(self, run: &mut Run<'_>) -> Result<Simulated<Results>, Failure> {
        let steps = self.steps(run.request.steps);
        let mut scenario = self.scenario;
        if run.request.without_files {
            scenario.output.turn_off();
            scenario.extracts = Extracts::default();
        }
        let (ClosedRecorder { history, files, film, warnings, .. }, simulating_s) = simulate(&scenario, steps, run)?;
        run.warnings.append(warnings);
        let results = Results { summary: summary(&scenario, &history), history };
        Ok(Simulated {
            lines: lines(&results.summary, &scenario, simulating_s),
            numbers: numbers(&results.summary),
            measured: measured(&results, &scenario),
            settings: scenario.settings.clone(),
            options: Vec::new(),
            inputs: scenario.inputs.iter().map(|(path, bytes)| (path.display().to_string(), *bytes)).collect(),
            files,
            last: Vec::new(),
            simulation_s: simulating_s,
            executor: None,
            report: Some(report(scenario, results.clone(), film, simulating_s)?),
            results,
        })
    }
}

impl FieldsRun {
    /// The number of steps to simulate if `requested` is the limit.
    fn steps(&self, requested: Option<u64>) -> u32 {
        let requested = requested.map_or(u32::MAX, |steps| u32::try_from(steps).unwrap_or(u32::MAX));
        requested.min(self.scenario.steps)
    }
}

fn simulate(scenario: &Scenario, steps: u32, run: &mut Run<'_>) -> Result<(ClosedRecorder, f64), Failure> {
    let (folder, progress) = (run.folder, run.progress);
    let mut simulation = Simulation::new(scenario, run.executor)?;
    run.timings.end("computing fields and paths");
    let hashes = run.hashes.as_mut().map(|log| (run.request.hash_every, log));
    let mut recorder = Recorder::new(scenario, folder, steps, hashes)?;
    progress.begin("simulating fields", Some(u64::from(steps)), "steps");
    recorder.record(&simulation)?;
    for step in 1..=steps {
        simulation.step()?;
        recorder.record(&simulation)?;
        let (phase, _) = simulation.phases().parts().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        let arrived: usize = recorder.history.last().map_or(0, |now| all_groups(&now.groups).arrived);
        let agents = if scenario.agents() > 0 { format!("{arrived} agents arrived, ") } else { String::new() };
        progress.at(u64::from(step), &format!("{agents}slowest part: {phase}"));
    }
    progress.end();
    let recorded = recorder.finish(&simulation)?;
    let simulating_s = simulation.phases().total();
    // Parts that take almost no time belong to features that the scenario does not use.
    let parts = simulation.phases().parts().filter(|part| part.1 > 1e-3 * simulating_s);
    let parts: Vec<(&str, f64)> = parts.chain([("drawing", recorded.drawing_s)]).collect();
    run.timings.end_in_parts(&parts, "measuring, writing tables and images");
    Ok((recorded, simulating_s))
}

fn summary(scenario: &Scenario, history: &[StepSummary]) -> Summary {
    let last = history.last();
    let of_teams = |counts: Vec<usize>| scenario.teams.iter().cloned().zip(counts).collect();
    let owner = |number: usize| last.and_then(|now| now.owners[number]).map(|team| scenario.teams[team].clone());
    Summary {
        cells: scenario.grid().cells(),
        entities: scenario.entities(),
        agents: last.map_or_else(GroupCounts::default, |now| all_groups(&now.groups)),
        groups: last.map_or_else(Vec::new, |now| {
            let names = scenario.groups.iter().map(|group| group.name.clone());
            names.zip(now.groups.iter().copied()).collect()
        }),
        goals: scenario.capturable_goals().map(|(number, goal)| (goal.title(number), owner(number))).collect(),
        goals_of_teams: last.map_or_else(Vec::new, |now| of_teams(scenario.goals_of_teams(&now.owners))),
        cells_of_teams: last
            .map_or_else(Vec::new, |now| scenario.teams.iter().cloned().zip(now.held.iter().copied()).collect()),
        steps: last.map_or(0, |now| now.step),
        time: last.map_or(0.0, |now| now.time),
        hash: last.map_or(0, |now| now.hash),
    }
}

/// The agents of all groups together.
fn all_groups(groups: &[GroupCounts]) -> GroupCounts {
    groups.iter().fold(GroupCounts::default(), |all, group| GroupCounts {
        agents: all.agents + group.agents,
        waiting: all.waiting + group.waiting,
        walking: all.walking + group.walking,
        arrived: all.arrived + group.arrived,
        stuck: all.stuck + group.stuck,
        removed: all.removed + group.removed,
    })
}

fn lines(summary: &Summary, scenario: &Scenario, simulation_s: f64) -> Vec<(&'static str, String)> {
    let Summary { cells, entities, agents, goals, steps, time, hash, .. } = summary;
    let steps = if *steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    let sources = if *entities == 1 { "1 entity".to_owned() } else { format!("{entities} entities") };
    let mut lines = vec![
        ("simulated", format!("{steps}, {time} units of time, in {simulation_s:.2} s")),
        ("fields", format!("{cells} cells, {sources}")),
    ];
    if agents.agents > 0 {
        let GroupCounts { agents, waiting, walking, arrived, stuck, removed } = agents;
        let mut text = format!("{agents}: {walking} walking, {arrived} arrived, {stuck} stuck");
        for (count, state) in [(waiting, "waiting"), (removed, "removed")].into_iter().filter(|(count, _)| **count > 0)
        {
            let _ = write!(text, ", {count} {state}");
        }
        if may_block_each_other(summary, scenario) {
            text.push_str("; bodies may block each other, permanently in gaps narrower than two of them");
        }
        lines.push(("agents", text));
    }
    if !goals.is_empty() {
        let owner =
            |(goal, owner): &(String, Option<String>)| format!("{goal} of {}", owner.as_deref().unwrap_or("no team"));
        lines.push(("goals", goals.iter().map(owner).collect::<Vec<_>>().join(", ")));
    }
    if let Some(costmap) = &scenario.costmap {
        lines.push(("costmap", costmap.counts().to_string()));
    }
    lines.push(("state hash", format!("{hash:016x} after step {}", summary.steps)));
    lines
}

/// Whether agents with bodies are stuck on a path, for example two that stand side by side in front of a gap.
fn may_block_each_other(summary: &Summary, scenario: &Scenario) -> bool {
    scenario.groups.iter().zip(&summary.groups).any(|(group, (_, counts))| {
        let follows_path = matches!(group.behaviour.guidance, Guidance::Flow(_));
        counts.stuck > 0 && summary.agents.agents > 1 && follows_path && group.body.radius() > 0.0
    })
}

const ARRIVED: Quantity = Quantity::count("arrived", "agents arrived", "agents that have reached a goal");
const STUCK: Quantity = Quantity::count("stuck", "agents stuck", "agents that are stuck");

/// The measurements at the end, and time series of agents, goals and cells of teams.
fn measured(Results { summary, history }: &Results, scenario: &Scenario) -> Measured {
    let count = |quantity: Quantity, value: usize| Figure::new(quantity, value as f64);
    let mut figures = vec![
        count(Quantity::count("agents", "agents", "agents of all groups"), summary.agents.agents),
        count(
            Quantity::count("walking", "agents walking", "agents that are on their way at the end"),
            summary.agents.walking,
        ),
        count(ARRIVED, summary.agents.arrived),
        count(STUCK, summary.agents.stuck),
        count(Quantity::count("removed", "agents removed", "agents that rules removed"), summary.agents.removed),
    ];
    // With a single group, its counts equal the counts of all agents.
    let groups = scenario.groups.iter().zip(&summary.groups).filter(|_| scenario.groups.len() > 1);
    for (group, (name, counts)) in groups {
        let of_group = |state: &str, value| {
            let (name, meaning) = (format!("{name}: {state}"), format!("{state} at the end"));
            count(Quantity { name: name.into(), meaning: meaning.into(), ..Quantity::count("", "", "") }, value)
        };
        let &GroupCounts { walking, arrived, stuck, removed, .. } = counts;
        figures.extend([of_group("walking", walking), of_group("arrived", arrived), of_group("stuck", stuck)]);
        figures.extend(group.removes().then(|| of_group("removed", removed)));
    }
    let teams = teams_over_time(scenario);
    let of_teams = history.last().map(|now| values_of_teams(now, scenario)).unwrap_or_default();
    figures.extend(teams.iter().cloned().zip(of_teams).map(|(quantity, value)| Figure { quantity, value }));
    let front = Quantity {
        unit: "cells".into(),
        ..Quantity::count("front", "front between teams", "cells of the front between teams")
    };
    let value = history.last().map_or(0.0, |now| now.front as f64);
    figures.push(Figure { quantity: front.clone(), value });
    let row = |now: &StepSummary| {
        let all = all_groups(&now.groups);
        let agents = [all.arrived as f64, all.stuck as f64];
        (f64::from(now.step), [&agents[..], &values_of_teams(now, scenario), &[now.front as f64]].concat())
    };
    let quantities = [ARRIVED, STUCK].into_iter().chain(teams).chain([front]).collect();
    let series =
        Series { over: Quantity::count("step", "step", ""), quantities, rows: history.iter().map(row).collect() };
    Measured { hash: Some(summary.hash), figures, series }
}

/// The quantities of teams over time: goals, if teams may capture any, and cells, if there is influence.
fn teams_over_time(scenario: &Scenario) -> Vec<Quantity> {
    let goals = |team: &String| {
        let meaning = format!("goals that {team} owns, of those that teams can capture");
        Quantity { name: format!("goals of {team}").into(), meaning: meaning.into(), ..Quantity::count("", "", "") }
    };
    let cells = |team: &String| {
        let meaning = format!("cells in which {team} is strongest");
        Quantity { name: format!("cells of {team}").into(), meaning: meaning.into(), ..Quantity::count("", "", "") }
    };
    let of_goals = scenario.teams.iter().filter(|_| scenario.capturable_goals().next().is_some()).map(goals);
    let of_cells = scenario.teams.iter().filter(|_| scenario.influences.is_some()).map(cells);
    of_goals.chain(of_cells).collect()
}

/// The values of [`teams_over_time`].
fn values_of_teams(now: &StepSummary, scenario: &Scenario) -> Vec<f64> {
    let goals = scenario.goals_of_teams(&now.owners).into_iter().map(|goals| goals as f64);
    goals.chain(now.held.iter().map(|&cells| cells as f64)).collect()
}

fn numbers(summary: &Summary) -> serde_json::Value {
    let Summary { cells, entities, agents, groups, goals, goals_of_teams, cells_of_teams, steps, time, hash } = summary;
    let &GroupCounts { agents, waiting, walking, arrived, stuck, removed } = agents;
    let of_group = |(name, counts): &(String, GroupCounts)| {
        let &GroupCounts { agents, waiting, walking, arrived, stuck, removed } = counts;
        let counts = serde_json::json!({
            "agents": agents,
            "waiting": waiting,
            "walking": walking,
            "arrived": arrived,
            "stuck": stuck,
            "removed": removed,
        });
        (name.clone(), counts)
    };
    serde_json::json!({
        "cells": cells,
        "entities": entities,
        "agents": agents,
        "waiting": waiting,
        "walking": walking,
        "arrived": arrived,
        "stuck": stuck,
        "removed": removed,
        "groups": groups.iter().map(of_group).collect::<BTreeMap<_, _>>(),
        "owners_of_goals": goals.iter().cloned().collect::<BTreeMap<_, _>>(),
        "goals_of_teams": goals_of_teams.iter().cloned().collect::<BTreeMap<_, _>>(),
        "cells_of_teams": cells_of_teams.iter().cloned().collect::<BTreeMap<_, _>>(),
        "steps": steps,
        "time": time,
        "hash": format!("{hash:016x}"),
    })
}
