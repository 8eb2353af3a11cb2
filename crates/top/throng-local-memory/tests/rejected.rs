//! Rejected programs, with the places and messages.

use std::fmt::Write as _;

use crate::common::{plan, problems, problems_with, source, unaligned};
use throng_local_memory::{AnalysisOptions, analyse, parse_size};

#[track_caller]
fn rejected(text: &str, expected: &[&str]) {
    assert_eq!(problems(text), expected, "{text}");
}

#[test]
fn recursion_is_printed_as_a_cycle() {
    rejected("void f(int n) { if (n) f(n - 1); }", &["k.cl:1:24: recursion: f calls f"]);
    let text = "
void h(int n);
void f(int n) { h(n); }
void g(int n) { f(n); }
void h(int n) { g(n); }
__kernel void k(int n) { f(n); }";
    rejected(text, &["k.cl:4:17: recursion: f calls h calls g calls f"]);
}

#[test]
fn calls_that_cannot_be_followed_are_rejected() {
    rejected(
        "void f(void (*g)(int)) { g(1); }",
        &["k.cl:1:26: this call goes through `g`, which is not the name of a function"],
    );
    rejected(
        "void g(void) {} void f(void) { void (*h)(void) = g; h(); (*h)(); }",
        &[
            "k.cl:1:39: `h` is a pointer to a function",
            "k.cl:1:50: `g` is used as a pointer to a function",
            "k.cl:1:53: this call goes through `h`, which is not the name of a function",
            "k.cl:1:58: this call goes through `*h`, which is not the name of a function",
        ],
    );
    rejected(
        "void f(struct s *s) { s->g(1); }",
        &["k.cl:1:23: this call goes through `s->g`, which is not the name of a function"],
    );
    rejected(
        "void f(void) { int x = (int)local_malloc; }",
        &["k.cl:1:29: `local_malloc` is used as a pointer to a function"],
    );
    rejected("void (*g)(int); void f(void) {}", &["k.cl:1:8: `g` is a pointer to a function"]);
    assert_eq!(plan("void g(void) {} __kernel void k(void) { (g)(); }").kernels[0].peak, 0);
}

#[test]
fn cuda_code_is_rejected() {
    rejected(
        "__global__ void k(float *out) {\n    out[threadIdx.x] = 1;\n}",
        &["k.cl:1:1: `__global__` is CUDA, and the planner reads OpenCL C"],
    );
    rejected(
        "#include <cuda_runtime.h>\nvoid f(float *out) { out[blockIdx.x * 4] = 1; }",
        &["k.cl:2:26: `blockIdx` is CUDA, and the planner reads OpenCL C"],
    );
    rejected(
        "void f(void) { __syncthreads(); }",
        &["k.cl:1:16: `__syncthreads` is CUDA, and the planner reads OpenCL C"],
    );
    // OpenCL C that uses names of CUDA, and a file for both.
    plan("__kernel void k(__global int *out) { int3 threadIdx = 0; out[0] = threadIdx.x; }");
    plan("#ifdef __CUDACC__\n__global__\n#else\n__kernel\n#endif\nvoid k(int n) { }");
}

#[test]
fn invalid_sizes_are_rejected() {
    rejected(
        "__kernel void k(int n) {\n    local_malloc(n * 4);\n    local_free(4);\n}",
        &["k.cl:2:18: the size `n*4` of `local_malloc` is not constant: `n` is a variable"],
    );
    rejected(
        "void f(void) { local_malloc(0); local_free(0); }",
        &[
            "k.cl:1:29: the size `0` of `local_malloc` is not between 1 and 4294967295 bytes",
            "k.cl:1:44: the size `0` of `local_free` is not between 1 and 4294967295 bytes",
        ],
    );
    rejected(
        "void f(void) { local_malloc(2 - 10); local_free(1); }",
        &["k.cl:1:29: the size `2-10` = `-8` of `local_malloc` is not between 1 and 4294967295 bytes"],
    );
    rejected(
        "void f(void) { local_malloc(); local_free(1, 2); }",
        &[
            "k.cl:1:16: `local_malloc` has 0 arguments, but takes one, the number of bytes",
            "k.cl:1:32: `local_free` has 2 arguments, but takes one, the number of bytes",
        ],
    );
    rejected(
        "void f(void) { local_malloc(sizeof(size_t)); local_free(8); }",
        &[
            "k.cl:1:29: the size `sizeof(size_t)` of `local_malloc` is not constant: the size of `size_t` depends on the \
             device",
        ],
    );
    rejected(
        "void f(void) { local_malloc(4 / 0); local_free(4); }",
        &["k.cl:1:29: the size `4/0` of `local_malloc` is not constant: it divides by 0"],
    );
    rejected(
        "void f(void) { local_malloc(1.5); local_free(4); }",
        &["k.cl:1:29: the size `1.5` of `local_malloc` is not constant: `1.5` is not an integer"],
    );
}

#[test]
fn unmatched_frees_are_rejected() {
    rejected("void f(void) { local_free(40); }", &["k.cl:1:16: `local_free(40)` without an allocation in `f`"]);
    rejected(
        "void f(void) {\n local_malloc(40);\n local_malloc(60);\n local_free(40);\n local_free(60);\n}",
        &[
            "k.cl:4:2: `local_free(40)` does not match the last allocation, 60 bytes at k.cl:3:2",
            "k.cl:5:2: `local_free(60)` does not match the last allocation, 40 bytes at k.cl:2:2",
        ],
    );
    // A function cannot free the blocks of its caller.
    rejected(
        "void f(void) { local_free(8); }\n__kernel void k(void) { local_malloc(8); f(); }",
        &["k.cl:1:16: `local_free(8)` without an allocation in `f`"],
    );
}

#[test]
fn unbalanced_branches_are_rejected() {
    rejected(
        "void f(int c) { if (c) local_malloc(8); }",
        &["k.cl:1:17: the two ways through this `if` leave different blocks allocated: 8 bytes, and no block"],
    );
    // The sums are equal, but no free would match on both paths.
    rejected(
        "void f(int c) { if (c) { local_malloc(64); } else { local_malloc(32); local_malloc(32); } }",
        &["k.cl:1:17: the two ways through this `if` leave different blocks allocated: 64 bytes, and 32 + 32 bytes"],
    );
    rejected(
        "void f(int c) { __local int *p = c ? local_malloc(8) : 0; }",
        &["k.cl:1:34: the two ways through this `?:` leave different blocks allocated: 8 bytes, and no block"],
    );
    rejected(
        "int f(int c) { return c && local_malloc(8) != 0; }",
        &["k.cl:1:23: the two ways through this `&&` leave different blocks allocated: 8 bytes, and no block"],
    );
    let balanced = "void f(int c) { __local int *p = c ? local_malloc(8) : local_malloc(8); local_free(8); }";
    assert_eq!(plan(balanced).functions[0].peak, 8);
}

#[test]
fn unbalanced_loops_are_rejected() {
    rejected(
        "void f(int n) { local_malloc(8); for (;n;) local_free(8); }",
        &["k.cl:1:34: the body of this `for` begins with 8 bytes allocated, and ends with no block"],
    );
    rejected(
        "void f(int n) { do { local_malloc(8); } while (n--); }",
        &["k.cl:1:17: the body of this `do` begins with no block allocated, and ends with 8 bytes"],
    );
    rejected(
        "void f(int n) { while (n) { local_malloc(8); if (n == 3) break; local_free(8); } }",
        &["k.cl:1:58: `break` leaves with 8 bytes allocated, and other paths with no block"],
    );
    rejected(
        "void f(int n) { while (n--) { local_malloc(8); if (n == 3) continue; local_free(8); } }",
        &["k.cl:1:60: `continue` is reached with 8 bytes allocated, and the end of the body with no block"],
    );
    let freed =
        "void f(int n) { while (n--) { local_malloc(8); if (n == 3) { local_free(8); break; } local_free(8); } }";
    assert_eq!(plan(freed).functions[0].peak, 8);
    // Only `break` leaves the loop, so all paths after it have the block.
    let endless = "void f(int n) { for (;;) { local_malloc(8); if (n--) break; local_free(8); } local_free(8); }";
    assert_eq!(plan(endless).functions[0].net, 0);
}

#[test]
fn unbalanced_switches_are_rejected() {
    rejected(
        "void f(int n) { switch (n) { case 1: local_malloc(8); break; default: break; } }",
        &["k.cl:1:71: `break` leaves with no block allocated, and other paths with 8 bytes"],
    );
    rejected(
        "void f(int n) { switch (n) { case 1: local_malloc(8); } }",
        &["k.cl:1:17: the arms of this `switch` meet with different blocks allocated: no block, and 8 bytes"],
    );
    rejected(
        "void f(int n) { switch (n) { case 1: local_malloc(8); case 2: local_free(8); } }",
        &[
            "k.cl:1:17: the arms of this `switch` meet with different blocks allocated: no block, and 8 bytes",
            "k.cl:1:63: `local_free(8)` without an allocation in `f`",
        ],
    );
    let text = "void f(int n) { switch (n) { case 1: case 2: local_malloc(8); local_free(8); break;
        case 3: { local_malloc(24); local_free(24); } default: local_malloc(16); local_free(16); } }";
    assert_eq!(plan(text).functions[0].peak, 24);
    rejected(
        "void f(int n) { switch (n) { case 1: if (n) { case 2: n = 1; } } }",
        &["k.cl:1:47: this `case` is inside another statement of the `switch`"],
    );
}

#[test]
fn unbalanced_returns_and_gotos_are_rejected() {
    rejected(
        "void f(int n) { local_malloc(8); if (n) return; local_free(8); }",
        &["k.cl:1:64: `f` ends here with no block allocated, and at k.cl:1:41 with 8 bytes"],
    );
    rejected(
        "int f(int n) { if (n) return 1; local_malloc(8); return 2; }",
        &["k.cl:1:50: `f` ends here with 8 bytes allocated, and at k.cl:1:23 with no block"],
    );
    rejected(
        "void f(int n) { if (n) goto end; local_malloc(8); end: n = 1; }",
        &["k.cl:1:51: the label is reached with 8 bytes allocated from here, and with no block from elsewhere"],
    );
    rejected(
        "void f(int n) { again: local_malloc(8); if (n--) goto again; local_free(8); }",
        &["k.cl:1:50: the label is reached with 8 bytes allocated from here, and with no block from elsewhere"],
    );
    let text =
        "void f(int n) { local_malloc(8); if (n) goto end; local_malloc(4); local_free(4); end: local_free(8); }";
    assert_eq!((plan(text).functions[0].peak, plan(text).functions[0].net), (12, 0));
    let after = "void f(int n) { if (n) { local_malloc(8); local_free(8); return; } local_malloc(4); local_free(4); }";
    assert_eq!(plan(after).functions[0].peak, 8);
}

#[test]
fn allocations_in_undefined_order_are_rejected() {
    let message = "a compiler may evaluate the parts of this expression in any order, and several allocate";
    rejected(
        "void f(int a, int b) {} void g(void) { f(local_malloc(4), local_malloc(8)); }",
        &[&format!("k.cl:1:40: {message}")],
    );
    rejected(
        "int f(void) { local_malloc(4); local_free(4); return 1; } void g(int n) { n = f() + (local_malloc(4) != 0); }",
        &[&format!("k.cl:1:79: {message}")],
    );
    // Calls that free what they allocate may be in any order, and an argument precedes its call.
    let text = "int f(int n) { local_malloc(4); local_free(4); return n; } int g(void) { return f(1) + f(f(2)); }";
    assert_eq!(plan(text).functions[1].peak, 4);
    let text = "void f(__local int *p) { local_malloc(4); local_free(4); } void g(void) { f(local_malloc(8)); local_free(8); }";
    assert_eq!(plan(text).functions[1].peak, 12);
}

#[test]
fn conflicting_definitions_are_rejected() {
    rejected("void f(void) {} void f(int n) {}", &["k.cl:1:22: `f` is defined twice"]);
    rejected(
        "__local void *local_malloc(int size) { return 0; }",
        &["k.cl:1:15: `local_malloc` is defined here, but is only a marker for the analysis"],
    );
    rejected(
        "__kernel void a(void) { local_malloc(4); local_free(4); } __kernel void b(void) { a(); }",
        &["k.cl:1:83: the kernel `a`, which allocates, is called like a function"],
    );
}

#[test]
fn peaks_above_the_device_limit_are_rejected() {
    let text = "
void f(void) { local_malloc(30000); local_free(30000); }
__kernel void a(void) { local_malloc(20000); f(); local_free(20000); }
__kernel void b(void) { __local float tile[10000]; f(); }
__kernel void c(void) { f(); }";
    let with = |limit| AnalysisOptions { limit: Some(parse_size(limit).unwrap()), ..unaligned() };
    assert!(analyse(&source(text), &with("227KiB")).is_ok() && analyse(&source(text), &with("70000")).is_ok());
    assert_eq!(
        problems_with(text, &with("48KiB")),
        [
            "k.cl:2:16: kernel `a` needs 50000 bytes of local memory, and the limit is 49152 bytes",
            "k.cl:2:16: kernel `b` needs 70000 bytes of local memory, 40000 bytes of them in variables, and the limit is \
             49152 bytes",
        ]
    );
    let error = analyse(&source(text), &with("64KiB")).unwrap_err();
    assert_eq!(
        error.0.shown()[0].remedy,
        "use smaller blocks, or free some earlier; the peak is reached in b at k.cl:4:52, then f at k.cl:2:16"
    );
}

#[test]
fn all_problems_of_a_file_are_in_one_report() {
    let text = "
void f(int n) { local_malloc(n); local_free(n); }
void g(void) { local_free(8); }
void h(int n) { if (n) local_malloc(8); g(); h(n); }";
    assert_eq!(problems(text).len(), 5, "{:?}", problems(text));
}

#[test]
fn an_alignment_is_a_power_of_two() {
    for align in [0, 3, 48, 8192] {
        let message = problems_with("", &AnalysisOptions { align, ..AnalysisOptions::default() });
        assert_eq!(message, [format!("align: {align} is not a power of two up to 4096")]);
    }
}

/// Ambiguous names and unknown sizes are rejected, so that a computed size is never too small.
#[test]
fn sizes_that_are_not_certain() {
    for (text, expected) in [
        (
            "void f(void) { enum { N = 256 }; local_malloc(N); local_free(N); }\nvoid g(void) { enum { N = 16 }; }",
            "`N` has several values in this file, or an unknown one",
        ),
        ("enum { N = 16 };\n__kernel void k(int N) { local_malloc(N); local_free(N); }", "`N` is a variable"),
        (
            "typedef float v4 __attribute__((ext_vector_type(4)));\n__kernel void k(void) { local_malloc(sizeof(v4)); }",
            "it has the attribute `ext_vector_type`",
        ),
        (
            "void f(void) { struct s { int a; }; local_malloc(sizeof(struct s)); local_free(sizeof(struct s)); }\n\
             void g(void) { struct s { int a, b; }; }",
            "several types of this file have its name",
        ),
        (
            "__kernel void k(void) { int x = ({ for (int i = 0; i < 4; i++) { local_malloc(8); } 0; }); local_free(8); }",
            "statements within an expression cannot be followed",
        ),
    ] {
        let found = problems(text);
        assert!(found.iter().any(|problem| problem.contains(expected)), "{text}\n{found:?}");
    }
}

#[test]
fn variables_hide_constants_in_conditions() {
    let plan = plan("enum { N = 1 };\n__kernel void k(int N) { while (N) N--; local_malloc(4096); local_free(4096); }");
    assert_eq!(plan.kernels[0].peak, 4096);
}

#[test]
fn anonymous_members_count_towards_sizes() {
    let text = "struct S { union { int a; float4 b; }; int c; };\n\
                __kernel void k(void) { local_malloc(sizeof(struct S)); local_free(sizeof(struct S)); }";
    assert_eq!(plan(text).kernels[0].peak, 32);
}

#[test]
fn functions_that_never_end_are_rejected() {
    let message = |name: &str| format!("`{name}` never ends: no path leads to a `return` or to the end of its body");
    rejected("void f(void) { for (;;) { } }", &[&format!("k.cl:1:6: {}", message("f"))]);
    rejected(
        "__kernel void k(int n) { local_malloc(8); again: if (n) goto again; else while (1) n++; local_free(8); }",
        &[&format!("k.cl:1:15: {}", message("k"))],
    );
    assert_eq!(plan("__kernel void k(int n) { while (1) { if (n++ == 3) return; } }").kernels[0].peak, 0);
}

#[test]
fn peaks_above_32_bits_are_rejected() {
    let text = "void f(void) { local_malloc(3000000000); local_free(3000000000); }
__kernel void k(void) { local_malloc(3000000000); f(); local_free(3000000000); }
__kernel void other(void) { f(); }";
    rejected(text, &["k.cl:2:51: `k` has up to 6000000000 bytes allocated here, more than 4294967295"]);
    rejected(
        "__kernel void k(void) { local_malloc(4294967295);\nlocal_malloc(1); local_free(1); local_free(4294967295); }",
        &["k.cl:2:1: `k` has up to 4294967296 bytes allocated here, more than 4294967295"],
    );
}

#[test]
fn blocks_whose_number_doubles_with_each_function() {
    let mut text = "void f0(void) { local_malloc(1); }\n".to_owned();
    for level in 1..40 {
        let _ = writeln!(text, "void f{level}(void) {{ f{0}(); f{0}(); }}", level - 1);
    }
    let found = problems(&text);
    assert_eq!(found[0], "k.cl:11:24: more than 1000 blocks are allocated at once in `f10`");
}

/// Blocks of callers do not count towards the maximum number of blocks.
#[test]
fn each_function_of_a_long_call_chain_may_hold_a_block() {
    let levels = 1500;
    let mut text = "void f0(void) {}\n".to_owned();
    for level in 1..=levels {
        let _ = writeln!(text, "void f{level}(void) {{ local_malloc(1); f{}(); local_free(1); }}", level - 1);
    }
    assert_eq!(plan(&text).functions.last().map(|last| last.peak), Some(levels));
}

/// A kernel has the `__local` variables of all functions that it calls and its own; the host determines the size of
/// arguments.
#[test]
fn variables_in_local_memory_count_and_parameters_do_not() {
    let text = "
void helper(__local float tile[100]) { __local int own[8]; own[0] = tile[0]; }
__kernel void part(__global float *out) { __local float mine[4]; out[0] = mine[0]; }
__kernel void k(__local float scratch[256], __local float (*rows)[16], __global float *out) {
    __local float *p = local_malloc(16); __local float sums[64], *q; float *r[8]; float __local one;
    helper(scratch); helper(scratch); part(out); local_free(16); }";
    let declared: Vec<u64> = plan(text).kernels.iter().map(|kernel| kernel.declared).collect();
    assert_eq!(declared, [16, 32 + 16 + 256 + 4]);
    let limit = AnalysisOptions { limit: Some(300), ..unaligned() };
    let message = "k.cl:5:24: kernel `k` needs 324 bytes of local memory, 308 bytes of them in variables, and the limit is 300 bytes";
    assert_eq!(problems_with(text, &limit), [message]);
}

#[test]
fn allocations_outside_executed_code_are_rejected() {
    for (text, place) in [
        ("__constant int n = sizeof(local_malloc(4));", "1:27"),
        ("__kernel void k(void) { int n = sizeof(local_malloc(4)); }", "1:40"),
        ("__kernel void k(void) { int a[local_malloc(4) != 0]; }", "1:31"),
        ("int table[local_free(4)];", "1:11"),
        ("enum { N = local_malloc(4) };", "1:12"),
    ] {
        let name = if text.contains("malloc") { "local_malloc" } else { "local_free" };
        rejected(text, &[&format!("k.cl:{place}: `{name}` is not called here")]);
    }
    rejected(
        "typedef void (*action)(void); void f(void) { }\n__constant action actions[] = { f };",
        &["k.cl:2:33: `f` is not called here"],
    );
    assert_eq!(
        plan("int f(int); int g(int f); int f(int x) { return x; } int g(int f) { return f; }").functions.len(),
        2
    );
}

#[test]
fn jumps_without_a_target_are_rejected() {
    rejected(
        "void f(int n) { if (n) goto nowhere; }\nvoid g(void) { nowhere: ; }",
        &["k.cl:1:24: `goto nowhere` leads nowhere: `f` has no such label"],
    );
    rejected("void f(void) { break; }", &["k.cl:1:16: `break` is outside of loops and `switch`"]);
    rejected("void f(int n) { switch (n) { case 1: continue; } }", &["k.cl:1:38: `continue` is outside of loops"]);
    rejected("void f(void) { a: ; a: ; }", &["k.cl:1:21: the label `a` is defined twice in this function"]);
    assert_eq!(
        plan("void f(int n) { while (n) { switch (n) { case 1: continue; default: break; } } }").functions.len(),
        1
    );
}

#[test]
fn a_name_like_local_malloc_gets_a_warning() {
    let text = "__kernel void k(void) { local_maloc(4); local_fre(4); get_local_id(0); }";
    let warnings: Vec<String> = plan(text).warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "k.cl:1:25: `local_maloc` is not known; it counts as a built-in function\n    write `local_malloc` if you mean it",
            "k.cl:1:41: `local_fre` is not known; it counts as a built-in function\n    write `local_free` if you mean it",
        ]
    );
    assert!(
        plan("int local_mallocs(int); __kernel void k(void) { local_mallocs(4); }").warnings[0]
            .message
            .contains("declared")
    );
}
