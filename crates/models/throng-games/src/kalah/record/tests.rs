use super::*;
use crate::kalah::players::{Player, Seat, Turn};

fn random_game(number: u32, game: Game) -> Record {
    let mut record = Record::new(game, if number.is_multiple_of(2) { Side::Top } else { Side::Bottom });
    record.heading = Heading { number, top: "random".to_owned(), seed: -4, ..Heading::default() };
    let mut seat = Seat::new(Player::Random, game, -4, 1).unwrap();
    while !record.board().is_over() {
        let ply = record.cells().len() as u32;
        record.play(seat.choose(record.board(), Turn { game: number, ply }).unwrap().pit).unwrap();
        if ply + 1 == number % 5 {
            record.end_opening();
        }
    }
    record
}

fn games() -> Vec<Record> {
    let game = |pits, stones, empty| Game::new(pits, stones).unwrap().with_empty_capture(empty);
    let all = [game(6, 4, false), game(6, 6, true), game(1, 1, false), game(3, 5, true)];
    (0..20).map(|number| random_game(number, all[number as usize % 4])).collect()
}

#[test]
fn written_records_are_read_back_unchanged() {
    let mut games = games();
    let mut unfinished = games[0].clone();
    assert_eq!(unfinished.take_back().map(|pit| cell(unfinished.board(), pit)), games[0].cells().last().copied());
    assert_eq!((unfinished.margin(), games[0].margin().is_some()), (None, true));
    games.push(unfinished);
    let text = Record::write_all(&games);
    assert_eq!(Record::read_all(&text, "a").unwrap(), games);
    let commented = text.replace('\n', " # x\r\n").replace("pits", "\n# y: z\npits");
    assert_eq!(Record::read_all(&commented, "a").unwrap(), games);
}

#[test]
fn moves_are_taken_back_to_the_end_of_the_opening() {
    let mut record = games().remove(3);
    let opening = record.opening_moves();
    assert_eq!((opening, record.after_opening()), (3, &record.boards()[3].clone()));
    while record.take_back().is_some() {}
    assert_eq!(record.cells().len(), opening);
}

const GAME: &str = "kalah record 1
pits: 6
stones: 4
rule: standard
begins: bottom
opening: 2
moves: 0 9 7
result: unfinished
";

fn problems(text: &str) -> String {
    Record::read_all(text, "g.txt").unwrap_err().to_string()
}

#[test]
fn problems_are_reported_with_line_value_and_remedy() {
    assert_eq!(Record::read_all(GAME, "g.txt").unwrap()[0].opening_moves(), 1);
    for (from, to, expected) in [
        (
            "moves: 0 9 7",
            "moves: 0 9 9 7",
            "g.txt:7, move 4: \"9\" is not a legal move\n    top is to move and may play the cells 7, 8, 10, 11, 12",
        ),
        (
            "moves: 0 9 7",
            "moves: 7",
            "g.txt:7, move 2: \"7\" is not a legal move\n    bottom is to move and may play the cells 0, 1, 3, 4, 5",
        ),
        ("moves: 0", "moves: x", "g.txt:7, move 2: \"x\" is not a legal move"),
        ("moves: 0", "moves: 300", "g.txt:7, move 2: \"300\" is not a legal move"),
        ("opening: 2", "opening: 6", "g.txt:6, move 1: \"6\" is not a legal move"),
        ("opening: 2", "moves: 2\nopening: 0", "g.txt:7: the opening comes after moves"),
        ("pits: 6", "pits: 7", "g.txt:2: pits: 7\n    give a whole number from 1 to 6"),
        ("stones: 4", "stones: 0", "g.txt:3: stones: 0\n    give a whole number from 1 to 6"),
        ("pits: 6", "pits: six", "g.txt:2: pits is \"six\"\n    give a whole number"),
        ("pits: 6\n", "", "g.txt:1: pits is missing"),
        ("rule: standard", "rule: strict", "g.txt:4: rule is \"strict\"\n    give one of: standard, empty capture"),
        ("begins: bottom", "begins: left", "g.txt:5: begins is \"left\"\n    give one of: bottom, top"),
        ("stones: 4", "stones: 4\nstones: 4", "g.txt:4: stones is given twice"),
        ("stones", "stone", "g.txt:3: unknown key \"stone\"\n    did you mean \"stones\"?"),
        ("pits: 6", "pits 6", "g.txt:2: \"pits 6\" has no colon"),
        ("unfinished", "bottom 24, top 24", "g.txt:8: result is \"bottom 24, top 24\"\n    the game is not over"),
        ("result: unfinished\n", "", "g.txt:1: the record has no result"),
        ("record 1", "record 2", "g.txt:1: \"kalah record 2\"\n    this program reads: kalah record 1"),
        ("kalah record 1\n", "", "g.txt:1: \"pits: 6\" is not part of a record"),
        (GAME, "", "g.txt: no record of a game"),
    ] {
        let found = problems(&GAME.replacen(from, to, 1));
        assert!(found.contains(expected), "{to}: {found}");
    }
}

/// The first board comes from the position and is not the standard one.
#[test]
fn positions_are_read_and_refused() {
    let with = |position: &str| GAME.replacen("opening: 2\nmoves: 0 9 7", &format!("{position}\nmoves: 3"), 1);
    let start = "position: 4 4 4 8 0 0 3 | 4 4 4 4 4 4 1";
    let records = Record::read_all(&with(start), "g.txt").unwrap();
    assert_eq!(records[0].boards()[0].to_string(), "4 4 4 8 0 0 3 | 4 4 4 4 4 4 1 bottom");
    assert_eq!(Record::read_all(&records[0].to_string(), "g.txt").unwrap(), records);
    for (position, expected) in [
        ("position: 4 4 4 8 0 0 3", "g.txt:6: position: 7 cells\n    give 14"),
        (
            "position: 4 4 4 8 0 0 3 | 4 4 4 4 4 4 0",
            "g.txt:6: position: 47 stones\n    a game of 6 pits per player, 4 stones each",
        ),
        ("position: 4 4 4 8 0 0 x | 4 4 4 4 4 4 0", "g.txt:6: position: x\n    give the stones of a cell as a number"),
        ("moves: 0\nposition: 4 4", "g.txt:7: the position comes after moves\n    write it before them"),
        ("position: 4\nposition: 4", "g.txt:7: position is given twice"),
    ] {
        let found = problems(&with(position));
        assert!(found.contains(expected), "{position}: {found}");
    }
    // One problem, not one per following move.
    let found = problems(&with("position: x"));
    assert!(!found.contains("problems"), "{found}");
}

#[test]
fn nothing_follows_the_result() {
    for (line, found) in [("moves: 10", "moves \"10\""), ("opening: 1", "opening \"1\""), ("seed: 3", "seed \"3\"")] {
        let expected =
            format!("g.txt:9: {found} after the result\n    move the line before the result, or begin another record");
        let text = problems(&format!("{GAME}{line}\n"));
        assert!(text.contains(&expected), "{line}: {text}");
    }
    let finished = games()[0].to_string();
    let last = finished.lines().count() + 1;
    let text = problems(&format!("{finished}moves: 0\n"));
    assert!(text.contains(&format!("g.txt:{last}: moves \"0\" after the result")), "{text}");
}

#[test]
fn all_problems_of_a_file_are_reported_at_once() {
    let wrong = GAME.replace("moves: 0 9", "moves: 0 6").replace("seed", "sed");
    let found = problems(&format!("{wrong}\n{}", GAME.replace("stones: 4", "stones: 0")));
    assert!(found.contains("g.txt:7, move 3: \"6\"") && found.contains("g.txt:12: stones: 0"), "{found}");
}

#[test]
fn results_of_finished_games_are_checked() {
    let record = &games()[0];
    let text = record.to_string().replace("result: bottom ", "result: bottom 1");
    assert!(problems(&text).contains("the moves give: bottom"), "{text}");
    let (more, legal) = (record.to_string().replace("result", "moves: 0\nresult"), "the game is over before this move");
    assert!(problems(&more).contains(legal), "{}", problems(&more));
}
