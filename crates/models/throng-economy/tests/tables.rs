//! The tables of a run agree with each other and with the rules stated in the book: recomputed from the text of the
//! files.

use std::collections::BTreeMap;
use std::path::Path;

use throng_core::{Change, NoProgress, csv_fields};
use throng_economy::model::SocietiesModel;
use throng_model::{Model as _, RunRequest, ScenarioRequest};

/// Rows of a table, by column name.
type Rows = Vec<BTreeMap<String, String>>;

/// Runs a scenario on the CPU with all tables of each day.
fn run(scenario: &Path, out: &Path, changes: &[&str]) {
    let all = ["agents_every=1", "stock_every=1", "trade_list=true"];
    let changes = all.iter().chain(changes).map(|change| Change::typed(*change)).collect();
    let request = ScenarioRequest {
        file: Some(scenario.to_owned().into()),
        changes,
        out: Some(out.to_owned()),
        ..ScenarioRequest::default()
    };
    SocietiesModel.scenario(&request).unwrap().run(&RunRequest::default(), &NoProgress).unwrap();
}

fn read(folder: &Path, name: &str) -> Rows {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let mut lines = text.lines().map(|line| csv_fields(line, ';'));
    let columns = lines.next().unwrap();
    lines.map(|row| columns.iter().cloned().zip(row).collect()).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

fn whole(row: &BTreeMap<String, String>, column: &str) -> u32 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

/// Parses units by resource, such as `0:12 7:3`.
fn listed(text: &str) -> BTreeMap<u32, u32> {
    let pair = |pair: &str| {
        let (resource, units) = pair.split_once(':').unwrap();
        (resource.parse().unwrap(), units.parse().unwrap())
    };
    text.split(' ').filter(|pair| !pair.is_empty()).map(pair).collect()
}

/// A row of `agents.csv`.
struct OfAgent {
    utility: f64,
    extracted: BTreeMap<u32, u32>,
    held: BTreeMap<u32, u32>,
}

/// Reads `agents.csv`, by day and agent.
fn agents(folder: &Path) -> BTreeMap<u32, BTreeMap<u32, OfAgent>> {
    let mut days: BTreeMap<u32, BTreeMap<u32, OfAgent>> = BTreeMap::new();
    for row in read(folder, "agents.csv") {
        let of_agent = OfAgent {
            utility: number(&row, "utility"),
            extracted: listed(&row["extracted"]),
            held: listed(&row["held"]),
        };
        assert!(days.entry(whole(&row, "day")).or_default().insert(whole(&row, "agent"), of_agent).is_none());
    }
    days
}

/// Returns the utility of units: 600 times the (1 / 2.5)-th power of their number, until a further unit adds only 1.
fn utility(units: u32) -> f64 {
    let power = |units: u32| 600.0 * libm::pow(f64::from(units), 0.4);
    let adds = |units: u32| (power(units + 1) - power(units)).max(1.0);
    (0..units).map(adds).sum()
}

fn sum<'u>(units: impl IntoIterator<Item = &'u u32>) -> f64 {
    units.into_iter().copied().map(f64::from).sum()
}

fn close(found: f64, expected: f64, label: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{label}: {found}, expected {expected}");
}

/// Returns the Gini coefficient as half the mean difference of all pairs, relative to the mean.
fn gini(values: &[f64]) -> f64 {
    let differences: f64 = values.iter().flat_map(|a| values.iter().map(move |b| (a - b).abs())).sum();
    differences / (2.0 * values.len() as f64 * values.iter().sum::<f64>())
}

#[test]
fn measures_are_means_of_the_table_of_agents() {
    let dir = tempfile::tempdir().unwrap();
    let examples = throng_testing::repository().join("examples/societies");
    for (name, days, changes) in [
        ("barter.toml", 8, vec![]),
        ("scenario.toml", 12, vec!["invention.tool_probability=0.02", "removals=[{day = 5, agent = 3}]"]),
    ] {
        let out = dir.path().join(name);
        let days_change = format!("days={days}");
        run(&examples.join(name), &out, &[&[days_change.as_str()], &changes[..]].concat());
        let agents = agents(&out);
        let trades = read(&out, "trades.csv");
        let measures = read(&out, "measures.csv");
        assert_eq!((measures.len(), agents.len()), (days + 1, days + 1), "{name}");
        for row in &measures {
            let day = whole(row, "day");
            let of_day = &agents[&day];
            let count = of_day.len() as f64;
            let label = |column: &str| format!("{name}, day {day}, {column}");
            for (agent, OfAgent { utility: written, held, .. }) in of_day {
                let expected = held.values().map(|&units| utility(units)).sum();
                close(*written, expected, &label(&format!("utility of agent {agent}")));
            }
            // Each agent's utility is read exactly as it was computed, so that even the sum is identical.
            let sum_of_utility: f64 = of_day.values().map(|agent| agent.utility).sum();
            assert_eq!(number(row, "utility"), sum_of_utility / count, "{}", label("utility"));
            let held: f64 = of_day.values().map(|agent| sum(agent.held.values())).sum();
            assert_eq!(number(row, "held"), held / count, "{}", label("held"));
            let extracted: f64 = of_day.values().map(|agent| sum(agent.extracted.values())).sum();
            assert_eq!(number(row, "extracted"), extracted / count, "{}", label("extracted"));
            let traded = trades.iter().filter(|trade| whole(trade, "day") == day);
            let traded: f64 = traded.map(|trade| number(trade, "units_given") + number(trade, "units_received")).sum();
            assert_eq!(number(row, "traded"), traded / count, "{}", label("traded"));
            if day == 0 {
                continue;
            }
            let before = |agent: u32, days: u32| {
                let day = day.checked_sub(days).and_then(|day| agents.get(&day));
                day.and_then(|day| day.get(&agent)).map_or(0.0, |agent| agent.utility)
            };
            let of_three_days: Vec<f64> =
                of_day.keys().map(|&agent| (0..3).map(|ago| before(agent, ago)).sum()).collect();
            close(number(row, "gini"), gini(&of_three_days), &label("gini"));
            let mut by_resource: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
            for (&resource, &units) in of_day.values().flat_map(|agent| &agent.extracted) {
                by_resource.entry(resource).or_default().push(f64::from(units));
            }
            let index = |units: &Vec<f64>| {
                let all: f64 = units.iter().sum();
                units.iter().map(|units| (units / all) * (units / all)).sum::<f64>()
            };
            let mut indices: Vec<f64> = by_resource.values().map(index).collect();
            indices.sort_by(f64::total_cmp);
            for (quarter, column) in [(1, "hhi_25"), (2, "hhi_50"), (3, "hhi_75")] {
                close(number(row, column), indices[(indices.len() - 1) * quarter / 4], &label(column));
            }
        }
        if name == "barter.toml" {
            let first = &measures[1];
            assert_eq!((number(first, "held"), number(first, "extracted")), (67.0, 67.0), "before consumption");
        } else {
            assert!(measures.iter().any(|row| number(row, "tools") > 0.0), "tools take units from stocks");
            assert_eq!((agents[&5].len(), agents[&6].len()), (24, 23), "an agent has left");
        }
        // The last Lorenz curve covers the last three days.
        let last = days as u32;
        let mut richest: Vec<f64> =
            agents[&last].keys().map(|agent| (0..3).map(|ago| agents[&(last - ago)][agent].utility).sum()).collect();
        richest.sort_by(f64::total_cmp);
        let lorenz = read(&out, "lorenz.csv");
        let curve: Vec<_> = lorenz.iter().filter(|row| whole(row, "day") == last).collect();
        for (poorest, row) in curve.iter().enumerate() {
            close(number(row, "share_of_agents"), poorest as f64 / richest.len() as f64, "share of agents");
            let share = richest[..poorest].iter().sum::<f64>() / richest.iter().sum::<f64>();
            close(number(row, "share_of_utility"), share, "share of utility");
        }
        assert_eq!(curve.len(), richest.len() + 1);
    }
}

#[test]
fn the_table_of_stock_has_a_row_for_each_agent_and_resource() {
    let dir = tempfile::tempdir().unwrap();
    let scenario = dir.path().join("scenario.toml");
    std::fs::write(&scenario, "model = \"societies\"\nagents = 7\nresources = 12\ndays = 11\n").unwrap();
    let out = dir.path().join("out");
    run(&scenario, &out, &["stock_every=4", "removals=[{day = 6, agent = 3}]"]);
    let agents = agents(&out);
    let rows = read(&out, "stock.csv");
    let present = |day: u32| (0..7).filter(move |&agent| day <= 6 || agent != 3);
    let expected: Vec<_> = [0, 4, 8, 11]
        .into_iter()
        .flat_map(|day| present(day).flat_map(move |agent| (0..12).map(move |resource| (day, agent, resource))))
        .collect();
    let keys: Vec<_> =
        rows.iter().map(|row| (whole(row, "day"), whole(row, "agent"), whole(row, "resource"))).collect();
    assert_eq!(keys, expected, "every fourth day, and the last");
    for (row, (day, agent, resource)) in rows.iter().zip(keys) {
        let of_agent = &agents[&day][&agent];
        let [held, extracted] = [&of_agent.held, &of_agent.extracted].map(|units| units.get(&resource).copied());
        assert_eq!(whole(row, "units_held"), held.unwrap_or(0), "{row:?}");
        assert_eq!(whole(row, "units_extracted"), extracted.unwrap_or(0), "{row:?}");
        assert!(whole(row, "units_consumed") <= whole(row, "units_held"), "{row:?}");
    }
    let without = dir.path().join("without");
    run(&scenario, &without, &["stock_every=0", "agents_every=0"]);
    assert!(!without.join("stock.csv").exists() && !without.join("agents.csv").exists());
}

/// Units by agent and resource.
type Stock = BTreeMap<[u32; 2], i64>;

/// Returns a column of `stock.csv`, by day.
fn column_of_stock(rows: &Rows, column: &str) -> BTreeMap<u32, Stock> {
    let mut days: BTreeMap<u32, Stock> = BTreeMap::new();
    for row in rows {
        let [day, agent, resource] = ["day", "agent", "resource"].map(|key| whole(row, key));
        days.entry(day).or_default().insert([agent, resource], whole(row, column).into());
    }
    days
}

fn add(stock: &mut Stock, units: &Stock, sign: i64) {
    for (key, units) in units {
        *stock.get_mut(key).unwrap() += sign * units;
    }
}

/// Without devices, stocks change only by trade, extraction and consumption. A day can therefore be replayed trade by
/// trade from the leftover stock of the previous day: no agent gives units that it does not have, and the result is the
/// stock of the evening.
#[test]
fn ordered_trades_reproduce_the_stocks_of_a_day() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let days = 30;
    run(&throng_testing::repository().join("examples/societies/barter.toml"), &out, &[&format!("days={days}")]);
    // Rows may be in any order, since the number of a trade determines the order.
    let mut trades: BTreeMap<u32, BTreeMap<u32, BTreeMap<String, String>>> = BTreeMap::new();
    let mut partners: BTreeMap<[u32; 4], u32> = BTreeMap::new();
    for trade in read(&out, "trades.csv").into_iter().rev() {
        let [day, agent, other] = ["day", "agent", "other"].map(|column| whole(&trade, column));
        let [market, round] = ["market", "round"].map(|column| whole(&trade, column));
        assert!((1..=2).contains(&market) && (1..=12).contains(&round), "{trade:?}");
        assert_eq!(trade["phase"], ["before extraction", "after extraction"][market as usize - 1]);
        for [one, partner] in [[agent, other], [other, agent]] {
            assert_eq!(*partners.entry([day, market, round, one]).or_insert(partner), partner, "{trade:?}");
        }
        assert!(trades.entry(day).or_default().insert(whole(&trade, "trade"), trade).is_none());
    }
    let rows = read(&out, "stock.csv");
    let [held, extracted, consumed] =
        ["units_held", "units_extracted", "units_consumed"].map(|column| column_of_stock(&rows, column));
    for day in 1..=days {
        let of_day = trades.remove(&day).unwrap_or_default();
        assert!(of_day.keys().copied().eq(1..=of_day.len() as u32), "day {day}");
        let rounds: Vec<_> =
            of_day.values().map(|trade| ["market", "round"].map(|column| whole(trade, column))).collect();
        assert!(rounds.is_sorted(), "day {day}");
        let mut stock = held[&(day - 1)].clone();
        add(&mut stock, &consumed[&(day - 1)], -1);
        let (before, after): (Vec<_>, Vec<_>) = of_day.values().partition(|trade| whole(trade, "market") == 1);
        for (trades, is_after) in [(before, false), (after, true)] {
            if is_after {
                add(&mut stock, &extracted[&day], 1);
            }
            for trade in trades {
                let [agent, other, given, received] =
                    ["agent", "other", "resource_given", "resource_received"].map(|column| whole(trade, column));
                let units = ["units_given", "units_received"].map(|column| i64::from(whole(trade, column)));
                for ([from, to], resource, units) in
                    [([agent, other], given, units[0]), ([other, agent], received, units[1])]
                {
                    let left = stock.get_mut(&[from, resource]).unwrap();
                    *left -= units;
                    assert!(*left >= 0, "day {day}: {trade:?}");
                    *stock.get_mut(&[to, resource]).unwrap() += units;
                }
            }
        }
        assert_eq!(stock, held[&day], "day {day}");
    }
    assert!(trades.is_empty());
    // A fifth of some 50,000 units; the standard deviation of the fraction is below 0.002.
    let [consumed, held] =
        [consumed, held].map(|days| days.values().flat_map(BTreeMap::values).copied().sum::<i64>() as f64);
    assert!((consumed / held - 0.2).abs() < 0.01, "{consumed} of {held}");
}
