//! The peaks of small programs, computed by hand, next to the peaks of the paper's rule.

use std::fmt::Write as _;

use crate::common::{plan, plan_with, problems};
use throng_local_memory::AnalysisOptions;

#[track_caller]
fn check(text: &str, published: u64, ours: u64, net: u64) {
    let plan = plan(text);
    let kernel = &plan.kernels[0];
    assert_eq!((kernel.text_order_peak, kernel.peak, kernel.net), (published, ours, net), "{text}");
    assert_eq!(plan.warnings.len(), usize::from(net > 0), "{:?}", plan.warnings);
}

const TEST0: &str = "
__kernel void k(void) {
    local_malloc(40); local_malloc(60); local_free(60); local_free(40);
    local_malloc(80); local_free(80);
}";
const EXAMPLE: &str = "
void f(void) { local_malloc(4); local_free(4); }
__kernel void k(void) { local_malloc(1024); f(); local_free(1024); }";

#[test]
fn test0() {
    check(TEST0, 100, 100, 0);
}

#[test]
fn example() {
    check(EXAMPLE, 1028, 1028, 0);
}

#[test]
fn test2() {
    let text = "
void f(void) { local_malloc(20); }
void g(void) { local_malloc(20); }
__kernel void k(void) { f(); g(); }";
    check(text, 40, 40, 40);
    let warning = &plan(text).warnings[0];
    assert_eq!(
        (warning.place.as_str(), warning.message.as_str()),
        ("k.cl:4:35", "kernel `k` ends with 40 bytes allocated")
    );
}

#[test]
fn test1_shape() {
    let text = "
__kernel void k(int n) {
    for (int i = 0; i < n; i++) {
        if (i % 2) { local_malloc(20); local_free(20); } else { local_malloc(40); local_free(40); }
    }
}";
    check(text, 40, 40, 0);
}

#[test]
fn twice() {
    check("void f(void) { local_malloc(4); local_free(4); } __kernel void k(void) { f(); f(); }", 8, 4, 0);
}

#[test]
fn siblings() {
    let text = "
void f(void) { local_malloc(100); local_free(100); }
void g(void) { local_malloc(30); local_free(30); }
__kernel void k(void) { f(); local_malloc(50); g(); local_free(50); }";
    check(text, 180, 100, 0);
    assert_eq!(plan(text).kernels[0].without_frees, 180);
}

#[test]
fn branch() {
    let text = "
__kernel void k(int c) {
    if (c) { local_malloc(64); local_free(64); } else { local_malloc(256); local_free(256); }
}";
    check(text, 256, 256, 0);
}

#[test]
fn branch2() {
    let text = "
__kernel void k(int c) {
    if (c) local_malloc(64); else local_malloc(256);
    if (c) local_free(64); else local_free(256);
}";
    let expected = "k.cl:3:5: the two ways through this `if` leave different blocks allocated: 64 bytes, and 256 bytes";
    assert_eq!(problems(text)[0], expected);
}

#[test]
fn deep() {
    let text = "
void g(void) { local_malloc(64); local_free(64); }
void f(void) { local_malloc(32); g(); local_free(32); }
kernel void k(void) { local_malloc(16); f(); local_free(16); }";
    check(text, 112, 112, 0);
    let path: Vec<String> = plan(text).kernels[0]
        .peak_path
        .iter()
        .map(|step| format!("{} {} {:?}", step.function, step.place, step.calls.as_deref()))
        .collect();
    assert_eq!(path, ["k k.cl:4:41 Some(\"f\")", "f k.cl:3:34 Some(\"g\")", "g k.cl:2:16 None"]);
}

#[test]
fn bad() {
    let text = "__kernel void k(int n) { while (n--) local_malloc(8); }";
    let expected = "k.cl:1:26: the body of this `while` begins with no block allocated, and ends with 8 bytes";
    assert_eq!(problems(text), [expected]);
}

#[test]
fn blocks_of_multiples_of_16_bytes() {
    let peak = |text| plan_with(text, &AnalysisOptions::default()).kernels[0].peak;
    assert_eq!(peak(EXAMPLE), 1024 + 16);
    assert_eq!(peak(TEST0), 48 + 64);
}

#[test]
fn several_kernels_share_functions() {
    let text = "
void f(void) { local_malloc(10); local_free(10); }
__kernel void a(void) { f(); }
__kernel void b(void) { local_malloc(5); f(); local_free(5); }
__kernel void c(void) {}";
    let peaks: Vec<(String, u64)> = plan(text).kernels.into_iter().map(|kernel| (kernel.name, kernel.peak)).collect();
    assert_eq!(peaks, [("a".to_owned(), 10), ("b".to_owned(), 15), ("c".to_owned(), 0)]);
}

#[test]
fn a_function_may_leave_a_block_to_its_caller() {
    let text = "
__local int *make(void) { return local_malloc(40); }
__kernel void k(void) { __local int *a = make(); __local int *b = make(); local_free(40); local_free(40); }";
    let plan = plan(text);
    assert_eq!((plan.kernels[0].peak, plan.kernels[0].net, plan.functions[0].net), (80, 0, 40));
}

#[test]
fn sums_that_double_with_each_level_stay_finite() {
    let mut text = "void f0(void) { local_malloc(4000000000); local_free(4000000000); }\n".to_owned();
    for level in 1..100 {
        let _ = writeln!(text, "void f{level}(void) {{ f{0}(); f{0}(); }}", level - 1);
    }
    text += "__kernel void k(void) { f99(); }";
    let plan = plan(&text);
    let kernel = &plan.kernels[0];
    assert_eq!((kernel.peak, kernel.without_frees, kernel.text_order_peak), (4_000_000_000, u64::MAX, u64::MAX));
}
