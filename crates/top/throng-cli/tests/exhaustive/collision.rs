//! All external cases of the collision model.

use crate::collision::{CASES, check};

#[test]
fn discs_of_all_cases_never_overlap_and_never_cross_walls() {
    for case in CASES {
        check(case);
    }
}
