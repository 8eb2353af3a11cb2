//! The sections of `report.html`.

use throng_model::Report;
use throng_output::html::{Page, Table, grouped};
use throng_output::svg::BarChart;

use super::run::Results;
use super::settings::Settings;
use super::tables::{GAMES, RECORDS};
use super::{Interval, Pairing, Standing};

/// The report of a tournament whose games took `simulation_s` seconds.
pub(super) fn report(settings: &Settings, results: Results, simulation_s: f64) -> Report {
    let Settings { pits, stones, empty_capture, openings, opening_moves, .. } = settings;
    let rule = if *empty_capture { "empty captures" } else { "standard captures" };
    Report {
        title: "Kalah: a tournament".to_owned(),
        subtitle: format!(
            "{} players, {pits} pits with {stones} stones each, {rule}, {openings} openings of {opening_moves} random moves",
            results.players.len()
        ),
        rows: vec![("State hash at the end".to_owned(), format!("{:016x}", results.hash))],
        body: Box::new(move |page, _| {
            figures(page, &results, simulation_s);
            cross_table(page, &results);
            margins(page, &results);
            searching(page, &results);
            first_mover(page, &results.scores.first_mover);
            records(page);
        }),
    }
}

fn figures(page: &mut Page, results: &Results, simulation_s: f64) {
    let mut figures = Vec::new();
    if let Some(Standing { player, all, .. }) = results.scores.standings.first() {
        let share = percent(all.share().mean);
        figures.push((
            "Most points",
            results.players[*player].to_string(),
            format!("{share} of {} games", all.games()),
        ));
    }
    let games = grouped(results.games.len() as f64, 0);
    figures.push(("Games", games, format!("in {simulation_s:.2} s")));
    let first = results.scores.first_mover.share();
    figures.push(("First mover", percent(first.mean), "of the points of all games".to_owned()));
    page.figures(&figures);
}

/// The numbers of the players, the best first.
fn order(results: &Results) -> impl Iterator<Item = usize> + Clone {
    results.scores.standings.iter().map(|standing| standing.player)
}

fn cross_table(page: &mut Page, results: &Results) {
    let (players, scores) = (&results.players, &results.scores);
    page.section("Cross table");
    // Names would make the table too wide.
    let places: Vec<String> = (1..=players.len()).map(|place| format!("#{place}")).collect();
    let columns = ["", "Player", "#Points", "#All"].into_iter().chain(places.iter().map(String::as_str));
    let mut table = Table::new(&columns.collect::<Vec<_>>());
    for (place, Standing { player, all, .. }) in (1..).zip(&scores.standings) {
        let mut row =
            vec![format!("{place}"), players[*player].to_string(), all.total().to_string(), share(all.share())];
        row.extend(order(results).map(|other| {
            scores.pairings[*player][other].as_ref().map_or(String::new(), |pairing| share(pairing.share()))
        }));
        table.rows.push(row);
    }
    page.table(&table);
    page.paragraph(
        "A win is a point, a draw half a point. A cell is the share of the points that the player of the row won against that \
         of the column, by its place, with its 95 % interval. The two games of an opening with exchanged rows are one observation, the mean \
         of their points. Of n observations with mean m the interval is Wilson's: (m + z^2 / 2n) / (1 + z^2 / n), plus and \
         minus z / (1 + z^2 / n) sqrt(m (1 - m) / n + z^2 / 4n^2), with z = 1.96. It holds for shares of wins; where an \
         observation can lie between 0 and 1 it is rather too wide.",
    );
    let bars = scores.standings.iter();
    let bars = bars.map(|standing| (players[standing.player].to_string(), 100.0 * standing.all.share().mean));
    let chart = BarChart {
        label: "Share of points of each player".to_owned(),
        unit: "%".to_owned(),
        digits: 1,
        bars: bars.filter(|(_, share)| share.is_finite()).collect(),
    };
    page.chart(&chart.render(), "Share of the points of all games of a player.");
}

fn margins(page: &mut Page, results: &Results) {
    page.section("Margins");
    let mut table =
        Table::new(&["Player", "Opponent", "#Games", "#Won", "#Drawn", "#Lost", "#Margin, stones", "#95 % interval"]);
    let order: Vec<usize> = order(results).collect();
    for (i, &a) in order.iter().enumerate() {
        for &b in &order[i + 1..] {
            let Some(pairing) = &results.scores.pairings[a][b] else { continue };
            let Interval { mean, low, high } = pairing.margin();
            let counts = [pairing.games(), pairing.wins, pairing.draws, pairing.losses].map(|count| count.to_string());
            let names = [a, b].map(|player| results.players[player].to_string());
            let margin = [grouped(mean, 1), format!("{} to {}", grouped(low, 1), grouped(high, 1))];
            table.rows.push(names.into_iter().chain(counts).chain(margin).collect());
        }
    }
    page.table(&table);
    page.paragraph(
        "The margin is what the player has more than the opponent at the end, with the stones in its pits. Again the mean of \
         the two games of an opening is one observation; the interval is their mean plus and minus 1.96 s / sqrt(n), where s \
         is their standard deviation.",
    );
}

fn searching(page: &mut Page, results: &Results) {
    page.section("Searching");
    let mut table = Table::new(&["Player", "#Moves", "#Nodes", "#Nodes in a move", "#Seconds", "#Nodes in a second"]);
    for Standing { player, work, .. } in &results.scores.standings {
        let (moves, nodes) = (work.moves as f64, work.nodes as f64);
        table.rows.push(vec![
            results.players[*player].to_string(),
            grouped(moves, 0),
            grouped(nodes, 0),
            grouped(nodes / moves, 1),
            grouped(work.seconds, 3),
            grouped(if work.nodes == 0 { f64::NAN } else { nodes / work.seconds }, 0),
        ]);
    }
    page.table(&table);
    page.paragraph(
        "A node is a board that a search looked at. Seconds are those of a thread for the player's own moves; each game is \
         played on one thread, and several games at once.",
    );
}

fn first_mover(page: &mut Page, first: &Pairing) {
    page.section("Advantage of the first move");
    let Interval { mean, low, high } = first.margin();
    page.paragraph(&format!(
        "The player who moved first after the opening won {} games, drew {} and lost {}: {} of the points. Its margin is {} \
         stones, 95 % interval {} to {}. In each opening both players of a pair are first once, so that their strength plays \
         no part; all games of an opening are one observation.",
        first.wins,
        first.draws,
        first.losses,
        share(first.share()),
        grouped(mean, 2),
        grouped(low, 2),
        grouped(high, 2),
    ));
}

fn records(page: &mut Page) {
    page.section("Games");
    page.paragraph(&format!(
        "{GAMES} has a row for each game, {RECORDS} all moves. To look at the game with number 7, type `throng play kalah`, and \
         then `load {RECORDS} 7`."
    ));
}

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{} %", grouped(100.0 * share, 1)) } else { "–".to_owned() }
}

/// A share with its interval.
fn share(Interval { mean, low, high }: Interval) -> String {
    if !mean.is_finite() {
        return "–".to_owned();
    }
    format!("{} % ({}–{})", grouped(100.0 * mean, 0), grouped(100.0 * low, 0), grouped(100.0 * high, 0))
}
