//! The verification cases of all models, run through the command; each crate also tests its own.

use crate::common::{code, out, throng};

#[test]
fn all_cases_hold_on_the_cpu() {
    let output = throng(&["check", "--device", "cpu", "--verbose"]);
    assert_eq!(code(&output), 0, "{}", out(&output));
    for part in [
        "traffic on cpu\n",
        "fields on cpu\n",
        "collision on cpu\n",
        "elmir on cpu\n",
        "social-field on cpu\n",
        "vigueras on cpu\n",
        "yu on cpu\n",
        "render on cpu\n",
        "seconds until the eleventh",
        "all 123 cases hold\n",
    ] {
        assert!(out(&output).contains(part), "{part}: {}", out(&output));
    }
    assert!(!out(&output).contains("FAILS"));
    assert_eq!(out(&throng(&["check", "fields", "--device", "cpu", "-q"])), "all 36 cases hold\n");
}
