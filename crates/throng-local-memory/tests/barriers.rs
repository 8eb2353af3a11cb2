//! Memory that is used again: where a barrier is missing, and where there is one.

mod common;

use common::{plan, problems};

/// Missing barriers of the first kernel as "last access -> first access", lines and columns only.
fn missing(text: &str) -> Vec<String> {
    let short = |place: &throng_local_memory::Place| format!("{}:{}", place.line, place.column);
    let all = &plan(text).kernels[0].missing_barriers;
    all.iter().map(|missing| format!("{} -> {}", short(&missing.last_access), short(&missing.first_access))).collect()
}

/// A kernel that uses a block, frees it, and uses another one. `@` is what comes between.
fn in_between(before: &str, after: &str) -> Vec<String> {
    missing(&format!(
        "__kernel void k(int c, __global int *out) {{ __local int *p = local_malloc(64);
p[0] = c;
{before}
local_free(64); __local int *q = local_malloc(32);
{after}
q[1] = 2;
local_free(32); }}"
    ))
}

#[test]
fn a_barrier_anywhere_between_last_and_first_access() {
    assert_eq!(in_between("", ""), ["2:1 -> 6:1"]);
    let none: [&str; 0] = [];
    assert_eq!(in_between("barrier(CLK_LOCAL_MEM_FENCE);", ""), none);
    assert_eq!(in_between("", "barrier(CLK_LOCAL_MEM_FENCE);"), none);
    assert_eq!(in_between("", "work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);"), none);
    assert_eq!(in_between("barrier(1);", ""), none);
    // The wrong memory, unknown flags, or an access after the barrier.
    assert_eq!(in_between("barrier(CLK_GLOBAL_MEM_FENCE);", "").len(), 1);
    assert_eq!(in_between("barrier(c);", "").len(), 1);
    assert_eq!(in_between("barrier(CLK_LOCAL_MEM_FENCE); out[0] = p[3];", ""), ["3:40 -> 6:1"]);
    assert_eq!(in_between("", "q[0] = 1; barrier(CLK_LOCAL_MEM_FENCE);"), ["2:1 -> 5:1"]);
}

#[test]
fn paths() {
    assert_eq!(in_between("if (c) barrier(CLK_LOCAL_MEM_FENCE);", "").len(), 1);
    let both = "if (c) barrier(CLK_LOCAL_MEM_FENCE); else { barrier(CLK_LOCAL_MEM_FENCE); }";
    assert!(in_between(both, "").is_empty());
    assert_eq!(in_between("while (c--) barrier(CLK_LOCAL_MEM_FENCE);", "").len(), 1);
    assert!(in_between("do barrier(CLK_LOCAL_MEM_FENCE); while (c--);", "").is_empty());
    assert_eq!(in_between("switch (c) { case 1: barrier(CLK_LOCAL_MEM_FENCE); }", "").len(), 1);
    assert_eq!(in_between("if (c) goto end; barrier(CLK_LOCAL_MEM_FENCE); end: ;", "").len(), 1);
}

#[test]
fn blocks_in_loops_meet_themselves() {
    let text = |inside: &str| {
        format!(
            "__kernel void k(int n, __global int *out) {{ for (int i = 0; i < n; i++) {{
__local int *p = local_malloc(64); p[i] = i; barrier(CLK_LOCAL_MEM_FENCE);
out[i] = p[0]; {inside}
local_free(64); }} }}"
        )
    };
    assert_eq!(missing(&text("")), ["3:10 -> 2:36"]);
    assert!(missing(&text("barrier(CLK_LOCAL_MEM_FENCE);")).is_empty());
}

#[test]
fn only_bytes_that_are_shared_count() {
    let text = |first: &str, last: &str| {
        format!(
            "__kernel void k(void) {{ __local int *a = local_malloc(16); __local int *b = local_malloc(16);
{first}[0] = 1;
local_free(16); local_free(16); __local int *c = local_malloc({last});
c[0] = 2;
local_free({last}); }}"
        )
    };
    assert_eq!(missing(&text("a", "16")), ["2:1 -> 4:1"]);
    assert!(missing(&text("b", "16")).is_empty());
    assert_eq!(missing(&text("b", "17")), ["2:1 -> 4:1"]);
    // A block that nobody accesses needs no barrier.
    assert!(in_between("", "").len() == 1 && missing(&text("a", "16").replace("c[0] = 2;", "")).is_empty());
}

#[test]
fn pointers_are_followed() {
    let text = |alias: &str| {
        format!(
            "struct s {{ __local int *at; int n; }};
__local int *same(__local int *p) {{ return p + 1; }}
void store(__local int **to, __local int *p) {{ *to = p; }}
__kernel void k(int c, __global int *out) {{ __local int *p = local_malloc(64), *r = 0; struct s s; ulong u;
{alias}
local_free(64); __local int *q = local_malloc(64);
q[0] = 1;
local_free(64); }}"
        )
    };
    for alias in [
        "r = p + 4; out[0] = *r;",
        "r = (__local int *)((__local char *)p + 4); r[0]++;",
        "r = c ? p : 0; r[0] = 1;",
        "s.at = &p[3]; *s.at = 3;",
        "out[0] = *same(p);",
        "store(&r, p); r[3] = 1;",
        "u = (ulong)p; *(__local int *)u = 3;",
        "vstore4((int4)(0), 0, p);",
        "atomic_add(&p[2], 1);",
        "((__local struct s *)p)->n = 3;",
        "(*p)++;",
        "for (int i = 0; i < 3; i++) { if (i) r[0] = 0; r = p; }",
    ] {
        let found = missing(&text(alias));
        assert_eq!(found.len(), 1, "{alias}: {found:?}");
        assert!(found[0].starts_with("5:") && found[0].ends_with("-> 7:1"), "{alias}: {found:?}");
    }
    for harmless in
        ["r = p;", "c = p == 0;", "int size = sizeof(p[0]);", "int x = out[0]; x = min(x, c); out[x] = c;", "s.n = 3;"]
    {
        assert!(missing(&text(harmless)).is_empty(), "{harmless}");
    }
}

#[test]
fn functions() {
    let text = |f: &str, between: &str| {
        format!(
            "int f(__local int *p, int n) {{ {f} }}
void wait(void) {{ barrier(CLK_LOCAL_MEM_FENCE); }}
void own(void) {{ __local int *o = local_malloc(8); o[0] = 1; local_free(8); }}
__kernel void k(int c) {{ __local int *p = local_malloc(64);
f(p, c);
local_free(64);
{between}
__local int *q = local_malloc(64);
f(q, c);
local_free(64); }}"
        )
    };
    // Accesses are where they are written, in the function that makes them.
    assert_eq!(missing(&text("return p[n];", "")), ["1:39 -> 1:39"]);
    assert!(missing(&text("return n;", "")).is_empty());
    assert!(missing(&text("return p[n];", "wait();")).is_empty());
    assert!(missing(&text("int x = p[n]; barrier(CLK_LOCAL_MEM_FENCE); return x;", "")).is_empty());
    assert!(missing(&text("barrier(CLK_LOCAL_MEM_FENCE); return p[n];", "")).is_empty());
    assert_eq!(missing(&text("int x = p[n]; if (n) barrier(CLK_LOCAL_MEM_FENCE); return x;", "")).len(), 1);
    // Blocks of functions meet those of their callers, and each other.
    assert_eq!(missing(&text("return p[n];", "own(); wait();")), ["1:39 -> 3:52"]);
    assert_eq!(missing(&text("return n;", "own(); own();")), ["3:52 -> 3:52"]);
    assert!(missing(&text("return n;", "own(); wait(); own();")).is_empty());
    // What a function leaves allocated is the caller's.
    let left = "__local int *make(void) { __local int *m = local_malloc(8); m[0] = 1; return m; }
__kernel void k(void) { __local int *a = make(); local_free(8); __local int *b = make(); local_free(8); }";
    assert_eq!(missing(left), ["1:61 -> 1:61"]);
}

#[test]
fn blocks_of_both_branches() {
    let text = "__kernel void k(int c) { __local int *p = 0;
if (c) { p = local_malloc(8); } else { p = local_malloc(8); }
p[0] = 1;
local_free(8); __local int *q = local_malloc(8);
q[0] = 1;
local_free(8); }";
    assert_eq!(missing(text), ["3:1 -> 5:1", "3:1 -> 5:1"]);
}

#[test]
fn accesses_after_a_free() {
    let text = "__kernel void k(void) { __local int *p = local_malloc(8); p[0] = 1; local_free(8);\np[1] = 2; }";
    let warning = &plan(text).warnings[0];
    assert_eq!(
        (warning.place.as_str(), warning.message.as_str()),
        ("k.cl:2:1", "the block of k.cl:1:42 may be accessed here after it was freed")
    );
}

#[test]
fn blocks_of_large_types_need_a_larger_alignment() {
    let text = "__kernel void k(void) { __local float16 *p = local_malloc(64); local_free(64); }";
    let options = |align| throng_local_memory::Options { align, ..Default::default() };
    let warnings = |align| common::plan_with(text, &options(align)).warnings;
    assert_eq!(warnings(16)[0].message, "the block holds a type that is aligned to 64 bytes, and blocks to 16");
    assert!(warnings(64).is_empty());
}

/// The usual form of macros with several statements is no loop.
#[test]
fn a_body_that_runs_once_is_no_loop() {
    let found = plan(
        "__kernel void k(__global float *out) {
             __local float *p;
             do { p = local_malloc(64); } while (0);
             do { p[get_local_id(0)] = 1; } while (0);
             local_free(64);
         }",
    );
    assert_eq!((found.kernels[0].peak, found.kernels[0].missing_barriers.len()), (64, 0));
    let loops =
        problems("__kernel void k(int n) { do { local_malloc(64); if (n) break; } while (0); local_free(64); }");
    assert!(!loops.is_empty());
}

#[test]
fn flags_of_barriers_may_be_cast_or_chosen() {
    let missing = |flags: &str| {
        let text = format!(
            "typedef uint cl_mem_fence_flags;
             void f(int c) {{ __local float *p = local_malloc(64); p[0] = c; barrier({flags}); local_free(64); }}
             __kernel void k(int c) {{ f(c); f(c); }}"
        );
        plan(&text).kernels[0].missing_barriers.len()
    };
    assert_eq!(missing("(cl_mem_fence_flags)CLK_LOCAL_MEM_FENCE"), 0);
    assert_eq!(missing("c ? CLK_LOCAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"), 0);
    assert_eq!(missing("c ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE"), 1);
}
