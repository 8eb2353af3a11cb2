//! The sections of `report.html`.

use std::sync::Arc;

use throng_model::report::Report;
use throng_output::html::{Page, Table, grouped};
use throng_output::svg::BarChart;

use super::run::Results;
use super::settings::Settings;
use super::tables::{GAMES, RECORDS};
use super::{Interval, Pairing, Scores, Standing};
use crate::kalah::players::Player;

/// The data of the sections. It excludes the moves of the games, which take most of the memory.
struct Shown {
    players: Vec<Player>,
    scores: Arc<Scores>,
    games: usize,
}

/// Returns the report of a tournament whose games took `simulation_s` seconds.
pub(super) fn report(settings: &Settings, results: &Results, simulation_s: f64) -> Report {
    let Settings { pits, stones, empty_capture, openings, opening_moves, .. } = settings;
    let rule = if *empty_capture { "empty captures" } else { "standard captures" };
    let Results { players, games, scores, hash } = results;
    let shown = Shown { players: players.clone(), scores: Arc::clone(scores), games: games.len() };
    Report {
        title: "Kalah: a tournament".to_owned(),
        subtitle: format!(
            "{} players, {pits} pits with {stones} stones each, {rule}, {openings} openings of {opening_moves} random moves",
            players.len()
        ),
        rows: vec![("State hash at the end".to_owned(), format!("{hash:016x}"))],
        body: Box::new(move |page, _| {
            figures(page, &shown, simulation_s);
            cross_table(page, &shown);
            margins(page, &shown);
            searching(page, &shown);
            first_mover(page, &shown.scores.first_mover);
            records(page);
        }),
    }
}

fn figures(page: &mut Page, shown: &Shown, simulation_s: f64) {
    let mut figures = Vec::new();
    if let Some(Standing { player, all, .. }) = shown.scores.standings.first() {
        let share = percent(all.share().mean);
        figures.push(("Most points", shown.players[*player].to_string(), format!("{share} of {} games", all.games())));
    }
    let games = grouped(shown.games as f64, 0);
    figures.push(("Games", games, format!("in {simulation_s:.2} s")));
    let first = shown.scores.first_mover.share();
    figures.push(("First mover", percent(first.mean), "of the points of all games".to_owned()));
    page.figures(&figures);
}

/// Returns the indices of the players, best first.
fn order(shown: &Shown) -> impl Iterator<Item = usize> + Clone {
    shown.scores.standings.iter().map(|standing| standing.player)
}

fn cross_table(page: &mut Page, shown: &Shown) {
    let (players, scores) = (&shown.players, &shown.scores);
    page.section("Cross table");
    // Column titles are ranks, because names would make the table too wide. The names of the rows are marked as
    // numbers, which never wrap: with many players the table scrolls, and a name would otherwise break after every
    // letter.
    let ranks: Vec<String> = (1..=players.len()).map(|rank| format!("#{rank}")).collect();
    let columns = ["", "#Player", "#Points", "#All"].into_iter().chain(ranks.iter().map(String::as_str));
    let mut table = Table::new(&columns.collect::<Vec<_>>());
    for (rank, Standing { player, all, .. }) in (1..).zip(&scores.standings) {
        let mut row =
            vec![format!("{rank}"), players[*player].to_string(), all.total().to_string(), share(all.share())];
        row.extend(order(shown).map(|other| {
            scores.pairings[*player][other].as_ref().map_or(String::new(), |pairing| share(pairing.share()))
        }));
        table.rows.push(row);
    }
    page.table(&table);
    page.paragraph(
        "A win is a point, a draw half a point. A cell is the fraction of the points that the player of the row won against \
         the player of the column, whose rank is the heading, with its 95 % interval. The two games of an opening with \
         exchanged rows are one observation, the mean of their points. For n observations with mean m, the interval is \
         Wilson's: (m + z^2 / 2n) / (1 + z^2 / n), plus and minus z / (1 + z^2 / n) sqrt(m (1 - m) / n + z^2 / 4n^2), with \
         z = 1.96. It is derived for fractions of wins; for observations between 0 and 1 it is too wide rather than too \
         narrow.",
    );
    let bars = scores.standings.iter();
    let bars = bars.map(|standing| (players[standing.player].to_string(), 100.0 * standing.all.share().mean));
    let chart = BarChart {
        label: "Share of points of each player".to_owned(),
        unit: "%".to_owned(),
        digits: 1,
        bars: bars.filter(|(_, share)| share.is_finite()).collect(),
    };
    page.chart(&chart, "The fraction of the points that each player won in all of its games.");
}

fn margins(page: &mut Page, shown: &Shown) {
    page.section("Margins");
    let mut table =
        Table::new(&["Player", "Opponent", "#Games", "#Won", "#Drawn", "#Lost", "#Margin, stones", "#95 % interval"]);
    let order: Vec<usize> = order(shown).collect();
    for (i, &a) in order.iter().enumerate() {
        for &b in &order[i + 1..] {
            let Some(pairing) = &shown.scores.pairings[a][b] else { continue };
            let Interval { mean, low, high } = pairing.margin();
            let counts = [pairing.games(), pairing.wins, pairing.draws, pairing.losses].map(|count| count.to_string());
            let names = [a, b].map(|player| shown.players[player].to_string());
            let margin = [grouped(mean, 1), format!("{} to {}", grouped(low, 1), grouped(high, 1))];
            table.rows.push(names.into_iter().chain(counts).chain(margin).collect());
        }
    }
    page.table(&table);
    page.paragraph(
        "The margin is the player's lead over the opponent at the end, including the stones left in pits. Again the mean of the \
         two games of an opening is one observation; the interval is the mean plus and minus 1.96 s / sqrt(n), where s is the \
         standard deviation of the observations.",
    );
}

fn searching(page: &mut Page, shown: &Shown) {
    page.section("Searching");
    let mut table = Table::new(&["Player", "#Moves", "#Nodes", "#Nodes per move", "#Seconds", "#Nodes per second"]);
    for Standing { player, work, .. } in &shown.scores.standings {
        let (moves, nodes) = (work.moves as f64, work.nodes as f64);
        table.rows.push(vec![
            shown.players[*player].to_string(),
            grouped(moves, 0),
            grouped(nodes, 0),
            grouped(nodes / moves, 1),
            grouped(work.seconds, 3),
            grouped(if work.nodes == 0 { f64::NAN } else { nodes / work.seconds }, 0),
        ]);
    }
    page.table(&table);
    page.paragraph(
        "A node is a board that a search visited. Seconds are the time that a thread spent on the player's moves; each \
         game runs on one thread, and several games run in parallel.",
    );
}

fn first_mover(page: &mut Page, first: &Pairing) {
    page.section("Advantage of the first move");
    let Interval { mean, low, high } = first.margin();
    page.paragraph(&format!(
        "The player who moved first after the opening won {} games, drew {} and lost {}: {} of the points. Its margin is {} \
         stones, 95 % interval {} to {}. In each opening both players of a pair move first once, so their strength does not affect \
         these numbers; all games of an opening are one observation.",
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
        "{GAMES} has a row for each game, {RECORDS} the moves. To replay game number 7, start `throng play kalah --top human` in \
         this folder and type `load {RECORDS} 7`; `undo` and `redo` then step through its moves."
    ));
}

fn percent(share: f64) -> String {
    if share.is_finite() { format!("{} %", grouped(100.0 * share, 1)) } else { "–".to_owned() }
}

/// Formats a fraction with its interval.
fn share(Interval { mean, low, high }: Interval) -> String {
    if !mean.is_finite() {
        return "–".to_owned();
    }
    format!("{} % ({}–{})", grouped(100.0 * mean, 0), grouped(100.0 * low, 0), grouped(100.0 * high, 0))
}
