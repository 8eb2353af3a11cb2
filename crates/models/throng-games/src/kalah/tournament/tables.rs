//! The files of a tournament, except the report.

use std::io::{BufWriter, Write as _};

use throng_output::csv::{Row, push_header};
use throng_output::{OutputError, RunFolder, WrittenFile};

use super::run::Results;
use super::{Interval, Played, Standing};
use crate::kalah::Side;

pub(super) const GAMES: &str = "games.csv";
pub(super) const CROSS_TABLE: &str = "cross_table.csv";
pub(super) const PLAYERS: &str = "players.csv";
pub(in crate::kalah) const RECORDS: &str = "games.txt";

/// The names of these files.
pub(super) const NAMES: [&str; 4] = [GAMES, CROSS_TABLE, PLAYERS, RECORDS];

pub(super) fn write(folder: &RunFolder, results: &Results) -> Result<Vec<WrittenFile>, OutputError> {
    Ok(vec![
        folder.write(GAMES, &games(results))?,
        folder.write(CROSS_TABLE, &cross_table(results))?,
        folder.write(PLAYERS, &players(results))?,
        records(folder, results)?,
    ])
}

/// Writes the records, in the format of [`Record::write_all`] but without joining them in memory: there may be
/// millions.
fn records(folder: &RunFolder, results: &Results) -> Result<WrittenFile, OutputError> {
    let mut file = BufWriter::new(folder.file(RECORDS)?);
    let mut write = || {
        results.games.iter().enumerate().try_for_each(|(number, game)| {
            let separator = if number == 0 { "" } else { "\n" };
            write!(file, "{separator}{}", game.record)
        })?;
        file.flush()
    };
    let written = write();
    let (file, _) = file.into_parts();
    written.map_err(|error| file.error(error))?;
    file.complete()
}

/// Returns `games.csv`, with one row per game. The content does not depend on the speed of the machine, unless a player
/// has a time limit.
fn games(results: &Results) -> Vec<u8> {
    let mut out = Vec::new();
    push_header(
        &mut out,
        &[
            "game",
            "opening",
            "bottom",
            "top",
            "first_after_opening",
            "moves",
            "bottom_stones",
            "top_stones",
            "winner",
            "bottom_nodes",
            "top_nodes",
        ],
    );
    for Played { opening, record, work, .. } in &results.games {
        let (board, heading) = (record.board(), &record.heading);
        let of = |side: Side| if side == Side::Bottom { heading.bottom.as_str() } else { heading.top.as_str() };
        let winner = match record.margin().unwrap_or_default() {
            0 => "",
            margin => of(if margin > 0 { Side::Top } else { Side::Bottom }),
        };
        Row::new(&mut out)
            .integer(heading.number.into())
            .integer(i64::from(*opening) + 1)
            .text(&heading.bottom)
            .text(&heading.top)
            .text(of(record.after_opening().to_move()))
            .integer(record.cells().len() as i64)
            .integer(board.total(Side::Bottom).into())
            .integer(board.total(Side::Top).into())
            .text(winner)
            .integer(work[0].nodes as i64)
            .integer(work[1].nodes as i64)
            .end();
    }
    out
}

/// Returns the cross table, with one row per ordered pair of players.
fn cross_table(results: &Results) -> Vec<u8> {
    let mut out = Vec::new();
    push_header(
        &mut out,
        &[
            "player",
            "opponent",
            "games",
            "wins",
            "draws",
            "losses",
            "points",
            "share",
            "share_low",
            "share_high",
            "margin",
            "margin_low",
            "margin_high",
        ],
    );
    for (a, row) in results.scores.pairings.iter().enumerate() {
        for (b, pairing) in row.iter().enumerate() {
            let Some(pairing) = pairing else { continue };
            let mut row = Row::new(&mut out);
            row.text(&results.players[a].to_string()).text(&results.players[b].to_string());
            for count in [pairing.games(), pairing.wins, pairing.draws, pairing.losses] {
                row.integer(count.into());
            }
            row.number(pairing.total());
            for Interval { mean, low, high } in [pairing.share(), pairing.margin()] {
                row.number(mean).number(low).number(high);
            }
            row.end();
        }
    }
    out
}

/// Returns the table of players, best first. Seconds depend on the machine.
fn players(results: &Results) -> Vec<u8> {
    let mut out = Vec::new();
    let columns = ["player", "games", "points", "share", "share_low", "share_high", "moves", "nodes", "seconds"];
    push_header(&mut out, &columns);
    for Standing { player, all, work } in &results.scores.standings {
        let Interval { mean, low, high } = all.share();
        Row::new(&mut out)
            .text(&results.players[*player].to_string())
            .integer(all.games().into())
            .number(all.total())
            .number(mean)
            .number(low)
            .number(high)
            .integer(work.moves as i64)
            .integer(work.nodes as i64)
            .decimal(work.seconds, 6)
            .end();
    }
    out
}
