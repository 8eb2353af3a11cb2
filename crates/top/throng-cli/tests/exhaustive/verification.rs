//! The verification cases of most models, run through the command.

use crate::common::{code, out, throng};

/// Models whose cases take a minute each. The tests of their crates check them.
const CHECKED_BY_THEIR_CRATES: [&str; 2] = ["social-field", "kloosterman"];

#[test]
fn cases_of_all_other_models_hold_on_the_cpu() {
    let catalogue = throng::catalogue();
    let of_papers = catalogue.papers.iter().filter_map(|paper| Some(paper.checks()?.name()));
    let all: Vec<&str> = catalogue.models.iter().map(|model| model.name()).chain(of_papers).collect();
    let (left_out, models): (Vec<&str>, Vec<&str>) =
        all.into_iter().partition(|name| CHECKED_BY_THEIR_CRATES.contains(name));
    assert_eq!(left_out, CHECKED_BY_THEIR_CRATES);
    let output = throng(&[&["check", "--device", "cpu", "--verbose"], &models[..]].concat());
    assert_eq!(code(&output), 0, "{}", out(&output));
    for part in [
        "traffic on cpu\n",
        "fields on cpu\n",
        "collision on cpu\n",
        "elmir on cpu\n",
        "vigueras on cpu\n",
        "yu on cpu\n",
        "render on cpu\n",
        "seconds until the eleventh",
        "all 92 cases hold\n",
    ] {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    assert!(!out(&output).contains("FAILS"));
    assert_eq!(out(&throng(&["check", "fields", "--device", "cpu", "-q"])), "all 36 cases hold\n");
}
