//! The verification cases of most models, run through the command.

use crate::common::{code, out, throng};

/// All models but two whose cases take a minute each, and which their crates check on every executor or on the CPU.
#[test]
fn cases_of_most_models_hold_on_the_cpu() {
    let models = ["traffic", "fields", "collision", "kalah", "societies", "render", "elmir", "vigueras", "yu"];
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
