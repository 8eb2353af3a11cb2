//! Large or deep programs: analysis time is proportional to their size, and the report stays small. If the time doubled
//! with each level, these tests would never end.

use std::fmt::Write as _;

use crate::common::plan;

#[test]
fn nested_loops() {
    let levels = 60;
    let mut text = "__kernel void k(int n) { __local int *p, *q;\n".to_owned();
    for level in 0..levels {
        let _ = writeln!(text, "for (int i{level} = 0; i{level} < n; i{level}++) {{ if (n == {level}) p = q; ");
    }
    text += "p = local_malloc(8); p[0] = 1; q = p; local_free(8);";
    text += &"}".repeat(levels);
    text += "}";
    let plan = plan(&text);
    assert_eq!((plan.kernels[0].peak, plan.kernels[0].missing_barriers.len()), (8, 1));
}

#[test]
fn loops_that_are_left_in_many_ways() {
    let levels = 40;
    let mut text = "__kernel void k(int n) { __local int *p = local_malloc(8);\n".to_owned();
    for level in 0..levels {
        let _ =
            writeln!(text, "do {{ if (n == {level}) continue; again{level}: p[{level}] = 1; if (n < {level}) break;");
    }
    for level in (0..levels).rev() {
        let _ = writeln!(text, "if (n++ > 3) goto again{level}; }} while (n);");
    }
    text += "local_free(8); __local int *q = local_malloc(8); q[0] = 1; local_free(8); }";
    assert_eq!(plan(&text).kernels[0].missing_barriers.len(), 1);
}

/// The number of different offsets of the block of `f0` doubles with each function.
#[test]
fn functions_that_call_others_twice() {
    let levels = 25;
    let mut text = "void f0(void) { __local int *p = local_malloc(1); p[0] = 1; local_free(1); }\n".to_owned();
    for level in 1..=levels {
        let size = 1_u64 << level;
        let _ = writeln!(
            text,
            "void f{level}(void) {{ f{0}(); local_malloc({size}); f{0}(); local_free({size}); }}",
            level - 1
        );
    }
    let _ = writeln!(text, "__kernel void k(void) {{ f{levels}(); }}");
    let plan = plan(&text);
    assert_eq!(plan.kernels[0].peak, (1 << (levels + 1)) - 1);
}

/// All blocks are on a single line, where computing the place of each pair of blocks would take minutes.
#[test]
fn many_blocks_in_the_same_bytes() {
    let count = 3_000;
    for (begin, end) in [("", ""), ("if (n) {", "}")] {
        let mut text = "__kernel void k(int n) {".to_owned();
        for number in 0..count {
            let _ = write!(
                text,
                "{begin} __local int *p{number} = local_malloc(16); p{number}[0] = 1; local_free(16); {end}"
            );
        }
        text += "}";
        assert_eq!(plan(&text).kernels[0].missing_barriers.len(), count - 1);
    }
}

/// Two equal types with 2^61 numbers each.
#[test]
fn equal_types_of_exponential_size_are_compared() {
    let mut text = String::new();
    for name in ["a", "b"] {
        let _ = writeln!(text, "typedef struct {{ char x; char y; }} {name}0;");
        for level in 1..=60 {
            let _ = writeln!(text, "typedef struct {{ {name}{0} x; {name}{0} y; }} {name}{level};", level - 1);
        }
    }
    text += "typedef a60 both; typedef b60 both; __kernel void k(int n, a60 a, b60 b) { n ? a : b; }";
    assert_eq!(plan(&text).kernels[0].peak, 0);
}

#[test]
fn a_report_shows_twenty_of_each_kind() {
    let mut text = "__kernel void k(void) {\n".to_owned();
    for number in 0..30 {
        let _ =
            writeln!(text, "{{ __local float16 *p{number} = local_malloc(64); p{number}[0] = 1; local_free(64); }}");
    }
    text += "}";
    let plan = plan(&text);
    let missing = plan.kernels[0].missing_barriers.len();
    assert_eq!(missing, 29);
    let report = plan.text();
    assert_eq!(report.matches("missing barrier between").count(), 20);
    assert_eq!(report.matches("warning: ").count(), 20);
    assert!(
        report.contains(&format!("    ... and {} more ({missing} missing barriers in total)\n", missing - 20)),
        "{report}"
    );
    assert!(report.ends_with("... and 10 more (30 warnings in total)\n"), "{report}");
}
