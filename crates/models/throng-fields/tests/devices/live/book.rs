//! The game loop of the book: it compiles and runs, and its code equals the code in the book.

use throng_fields::{Best, DeviceChoice, Discs, DynamicField, Error, Grid, Profile, Window};

#[rustfmt::skip]
fn game() -> Result<Vec<Vec<Best>>, Error> {
    let mut answers = Vec::new();
    // From here on as in the book.
    let grid = Grid::new([0.0, 0.0], 1.0, 512, 512)?;
    let mut at = [[100.0, 80.0], [300.0, 90.0], [200.0, 400.0]];
    let raiders = Discs::new(&at, Profile::linear(30.0)?)?.with_charge(-2.0);
    let mut fields = DynamicField::builder(grid).entities(raiders).on(DeviceChoice::Auto).build()?;
    let ids = fields.ids();
    for _ in 0..60 {
        for [x, _] in &mut at {
            *x += 1.5;
        }
        fields.move_many(&ids, &at)?;
        fields.update()?;
        let sight = [Window::around(&grid, [150.0, 85.0], 12.0)?, Window::around(&grid, [240.0, 380.0], 12.0)?];
        let best = fields.best_in(&sight, 4)?; // for each window its four best cells, the best one first
        let felt = fields.sample(&[[150.0, 85.0], [240.0, 380.0]])?;
        assert!(best[0][0].value >= felt[0] && best[1][0].value >= felt[1]);
        answers.extend(best);
    }
    // Up to here.
    Ok(answers)
}

#[test]
fn the_example_of_the_book_runs() {
    let answers = game().unwrap();
    assert!(answers.len() == 120 && answers.iter().all(|cells| cells.len() == 4));
    // The first raider passes by.
    assert!(answers.iter().any(|cells| cells[0].value < 0.0));
}

#[test]
fn the_book_contains_the_example() {
    let code = include_str!("book.rs").split_once("as in the book.\n").unwrap().1.split_once("    // Up to").unwrap().0;
    let lines = code.lines().filter(|line| !line.contains("answers."));
    let code: String = lines.map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n").collect();
    let page = std::fs::read_to_string(throng_testing::repository().join("docs/src/fields.md")).unwrap();
    assert!(page.contains(&code), "docs/src/fields.md lacks:\n{code}");
}
