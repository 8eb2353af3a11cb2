//! Reused memory, with and without barriers.

use crate::common::{self, plan, problems};

/// Missing barriers of the first kernel as "last access -> first access", lines and columns only.
fn missing(text: &str) -> Vec<String> {
    let short = |place: &throng_local_memory::Place| format!("{}:{}", place.line, place.column);
    let all = &plan(text).kernels[0].missing_barriers;
    all.iter().map(|missing| format!("{} -> {}", short(&missing.last_access), short(&missing.first_access))).collect()
}

/// Missing barriers of a kernel that uses a block, frees it, and uses another one. `before` is inserted before the
/// free, `after` after the second allocation.
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
fn a_barrier_between_last_and_first_access_is_sufficient() {
    assert_eq!(in_between("", ""), ["2:1 -> 6:1"]);
    let none: [&str; 0] = [];
    assert_eq!(in_between("barrier(CLK_LOCAL_MEM_FENCE);", ""), none);
    assert_eq!(in_between("", "barrier(CLK_LOCAL_MEM_FENCE);"), none);
    assert_eq!(in_between("", "work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);"), none);
    assert_eq!(in_between("barrier(1);", ""), none);
    // A barrier for other memory, with unknown flags, or with an access after it.
    assert_eq!(in_between("barrier(CLK_GLOBAL_MEM_FENCE);", "").len(), 1);
    assert_eq!(in_between("barrier(c);", "").len(), 1);
    assert_eq!(in_between("barrier(CLK_LOCAL_MEM_FENCE); out[0] = p[3];", ""), ["3:40 -> 6:1"]);
    assert_eq!(in_between("", "q[0] = 1; barrier(CLK_LOCAL_MEM_FENCE);"), ["2:1 -> 5:1"]);
}

#[test]
fn a_barrier_is_required_on_every_path() {
    assert_eq!(in_between("if (c) barrier(CLK_LOCAL_MEM_FENCE);", "").len(), 1);
    let both = "if (c) barrier(CLK_LOCAL_MEM_FENCE); else { barrier(CLK_LOCAL_MEM_FENCE); }";
    assert!(in_between(both, "").is_empty());
    assert_eq!(in_between("while (c--) barrier(CLK_LOCAL_MEM_FENCE);", "").len(), 1);
    assert!(in_between("do barrier(CLK_LOCAL_MEM_FENCE); while (c--);", "").is_empty());
    assert_eq!(in_between("switch (c) { case 1: barrier(CLK_LOCAL_MEM_FENCE); }", "").len(), 1);
    assert_eq!(in_between("if (c) goto end; barrier(CLK_LOCAL_MEM_FENCE); end: ;", "").len(), 1);
}

#[test]
fn blocks_in_loops_conflict_with_their_next_iteration() {
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
    // A block that is never accessed needs no barrier.
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
fn accesses_in_functions_are_followed() {
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
    // Accesses are reported where they are written, in the function that makes them.
    assert_eq!(missing(&text("return p[n];", "")), ["1:39 -> 1:39"]);
    assert!(missing(&text("return n;", "")).is_empty());
    assert!(missing(&text("return p[n];", "wait();")).is_empty());
    assert!(missing(&text("int x = p[n]; barrier(CLK_LOCAL_MEM_FENCE); return x;", "")).is_empty());
    assert!(missing(&text("barrier(CLK_LOCAL_MEM_FENCE); return p[n];", "")).is_empty());
    assert_eq!(missing(&text("int x = p[n]; if (n) barrier(CLK_LOCAL_MEM_FENCE); return x;", "")).len(), 1);
    // Blocks of functions reuse the memory of their callers' blocks, and of each other.
    assert_eq!(missing(&text("return p[n];", "own(); wait();")), ["1:39 -> 3:52"]);
    assert_eq!(missing(&text("return n;", "own(); own();")), ["3:52 -> 3:52"]);
    assert!(missing(&text("return n;", "own(); wait(); own();")).is_empty());
    // A block that a function leaves allocated belongs to the caller.
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
    // A single barrier after both is enough.
    assert_eq!(missing(text), ["3:1 -> 5:1"]);
}

/// A barrier after the allocation, or before the call, separates a block from all freed blocks.
#[test]
fn each_allocation_and_each_call_is_reported_once() {
    let text = "void f(void) { __local int *o = local_malloc(8); o[0] = 1; local_free(8); }
__kernel void k(__global int *a) { __local int *p;
if (a[0]) { p = local_malloc(8); p[0] = 1; local_free(8); }
if (a[1]) { p = local_malloc(4); p[0] = 1; local_free(4); }
f();
p = local_malloc(8); p[0] = 1; p[1] = 2; local_free(8);
barrier(CLK_LOCAL_MEM_FENCE);
if (a[2]) { p = local_malloc(8); p[0] = 1; local_free(8); }
f(); }";
    assert_eq!(missing(text), ["3:34 -> 4:34", "4:34 -> 1:50", "4:34 -> 6:22", "8:34 -> 1:50"]);
    // Blocks that a call leaves to its caller are attributed to that call.
    let left = "__local int *make(void) { return local_malloc(8); }
__kernel void k(void) { __local int *p;
p = make(); p[0] = 1; local_free(8);
p = make(); p[0] = 1; local_free(8);
p = make(); p[0] = 1; local_free(8); }";
    assert_eq!(missing(left), ["3:13 -> 4:13", "4:13 -> 5:13"]);
}

#[test]
fn accesses_after_a_free_are_reported() {
    let text = "__kernel void k(void) { __local int *p = local_malloc(8); p[0] = 1; local_free(8);\np[1] = 2; }";
    let warning = &plan(text).warnings[0];
    assert_eq!(
        (warning.place.as_str(), warning.message.as_str()),
        ("k.cl:2:1", "the block at k.cl:1:42 may be accessed here after it was freed")
    );
}

#[test]
fn blocks_of_large_types_need_a_larger_alignment() {
    let text = "__kernel void k(void) { __local float16 *p = local_malloc(64); local_free(64); }";
    let options = |align| throng_local_memory::AnalysisOptions { align, ..Default::default() };
    let warnings = |align| common::plan_with(text, &options(align)).warnings;
    assert_eq!(warnings(16)[0].message, "the block holds a type that is aligned to 64 bytes, and blocks to 16");
    assert!(warnings(64).is_empty());
}

/// The common form of macros with several statements is not a loop.
#[test]
fn a_body_executed_once_is_not_a_loop() {
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

#[test]
fn flags_of_barriers_may_be_in_constants() {
    let found = |declared: &str, local: &str, flags: &str| {
        let text = format!(
            "{declared}
             void work(int c) {{ {local} __local float *p = local_malloc(64); p[0] = c; barrier({flags}); local_free(64); }}
             __kernel void k(int c) {{ work(c); work(c); }}"
        );
        let plan = plan(&text);
        let warnings = plan.warnings.iter().map(ToString::to_string).filter(|warning| warning.contains("flags"));
        let warnings: Vec<String> = warnings.collect();
        (plan.kernels[0].missing_barriers.len(), warnings)
    };
    for (declared, local, flags) in [
        ("", "const cl_mem_fence_flags f = CLK_LOCAL_MEM_FENCE;", "f"),
        ("__constant cl_mem_fence_flags f = CLK_LOCAL_MEM_FENCE;", "", "f"),
        ("constant uint a = 1, b = a | CLK_GLOBAL_MEM_FENCE;", "", "b"),
        ("", "const int g = CLK_GLOBAL_MEM_FENCE, f = g | CLK_LOCAL_MEM_FENCE;", "(f)"),
    ] {
        assert_eq!(found(declared, local, flags), (0, Vec::new()), "{declared} {local}");
    }
    assert_eq!(found("", "const cl_mem_fence_flags f = CLK_GLOBAL_MEM_FENCE;", "f"), (1, Vec::new()));
    // A variable of a function hides the constant outside.
    for (declared, local) in [("const int f = 1;", "int f = c;"), ("", "int f = 1;"), ("", "const int f = c;")] {
        let (missing, warnings) = found(declared, local, "f");
        assert_eq!((missing, warnings.len()), (1, 1), "{local} {warnings:?}");
        let expected =
            "the flags of this barrier are unknown; it does not count for local memory\n    write CLK_LOCAL_MEM_FENCE";
        assert!(warnings[0].starts_with("k.cl:2:") && warnings[0].contains(expected), "{warnings:?}");
    }
}

/// A kernel with a pointer `p` to a block, its alias, and a second block in the same bytes. `alias` declares the alias
/// on line 8.
fn aliased(alias: &str) -> String {
    format!(
        "struct s {{ __local int *at; int n; }};
struct outer {{ struct s inner; __local int *more[2]; }};
void read(__global int *out, struct s *s) {{ out[0] = s->at[1]; }}
void read_value(__global int *out, struct s s) {{ out[0] = s.at[1]; }}
void read_first(__global int *out, __local int **all) {{ out[0] = all[0][1]; }}
void set(struct s *s, __local int *p) {{ s->at = p; }} int number(__local int *p) {{ return (int)p; }}
__kernel void k(int c, __global int *out) {{ __local int *p = local_malloc(64), *r = 0; struct s s; struct outer o;
{alias}
local_free(64); __local int *q = local_malloc(64);
q[0] = 1;
local_free(64); }}"
    )
}

#[test]
fn pointers_in_private_memory_are_followed() {
    for (alias, accessed) in [
        ("s.at = p; read(out, &s);", "3:55"),
        ("s.at = p; read_value(out, s);", "4:60"),
        ("__local int *all[2]; all[1] = p; read_first(out, all);", "5:66"),
        ("__local int *all[2] = { p, p }; read_first(out, &all[1]);", "5:66"),
        ("read_first(out, &p);", "5:66"),
        ("s.at = p; read_first(out, &s.at);", "5:66"),
        ("o.more[1] = p; read_first(out, o.more);", "5:66"),
        ("o.inner.at = p; read(out, &o.inner);", "3:55"),
        ("set(&o.inner, p); out[0] = o.inner.at[3];", "8:28"),
        ("__local int **pp = &r; *pp = p; out[0] = *r;", "8:42"),
        ("__local int **pp = &p; out[0] = **pp;", "8:33"),
        ("__local int **pp = &p, ***ppp = &pp; out[0] = (**ppp)[2];", "8:48"),
        ("read(out, &(struct s){ p, 1 });", "3:55"),
        ("struct s *t = &s; t->at = p; struct s u = *t; out[0] = *u.at;", "8:56"),
        ("__local struct s *ls = (__local struct s *)p; ls->n = 1;", "8:47"),
        ("out[0] = *(__local int *)number(p);", "8:10"),
    ] {
        let found = missing(&aliased(alias));
        assert_eq!(found.len(), 1, "{alias}: {found:?}");
        let (last, first) = found[0].split_once(" -> ").unwrap();
        let (line, column) = accessed.split_once(':').unwrap();
        let (found_line, found_column) = last.split_once(':').unwrap();
        let near = found_column.parse::<usize>().unwrap().abs_diff(column.parse().unwrap());
        assert!(found_line == line && near <= 3 && first == "10:1", "{alias}: {found:?}");
    }
}

#[test]
fn stored_pointers_do_not_count_as_accesses() {
    for harmless in [
        "s.at = p; s.n = 3; out[0] = s.n;",
        "__local int *all[2] = { p, p }; all[0] = all[1]; out[0] = all[0] == all[1];",
        "__local int **pp = &r; *pp = p;",
        "set(&s, p); out[0] = s.n;",
        "__local int (*rows)[4] = (__local int (*)[4])p; r = rows[1]; r = &rows[1][2]; c = &rows[1][2] - &p[1];",
        "struct s t = { .at = p, .n = 2 }; s = t; c = max(s.n, t.n);",
        "c = (int)p; c = min(c, 3);",
    ] {
        assert_eq!(missing(&aliased(harmless)), [""; 0], "{harmless}");
    }
}

/// A value that is read as a number is not a pointer to the block.
#[test]
fn numbers_read_from_a_block_are_not_pointers() {
    let text = |body: &str| {
        format!(
            "struct cell {{ __local struct cell *next; float weight; float3 at; }};
float twice(float x) {{ return 2 * x; }}
__kernel void k(__global float *out) {{ __local float *p = local_malloc(1024); float x = 0;
__local float (*tile)[16] = (__local float (*)[16])p; __local struct cell *cells = (__local struct cell *)p;
{body}
barrier(CLK_LOCAL_MEM_FENCE);
out[0] = sqrt(x) + twice(x);
local_free(1024); __local float *q = local_malloc(64);
q[0] = 1;
local_free(64); }}"
        )
    };
    for body in [
        "x = tile[1][2];",
        "x = cells[1].weight;",
        "x = cells->at.y;",
        "x = (*tile)[3];",
        "float3 v = cells[0].at; x = v.s1;",
    ] {
        assert_eq!(missing(&text(body)), [""; 0], "{body}");
    }
    // Pointers stored in the block are tracked.
    let found = missing(
        &text("cells[0].next = cells + 1; __local struct cell *c = cells[0].next;").replace("sqrt(x)", "c->weight"),
    );
    assert_eq!(found, ["7:10 -> 9:1"]);
}

/// C leaves the order of operands and arguments unspecified.
#[test]
fn parts_of_an_expression_are_compared_in_both_orders() {
    let text = |expression: &str| {
        format!(
            "float g(void) {{ __local float *a = local_malloc(64); a[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); float x = a[1]; \
             local_free(64); return x; }}
float h(void) {{ __local float *b = local_malloc(64); barrier(CLK_LOCAL_MEM_FENCE); b[0] = 1; float x = b[1]; \
             barrier(CLK_LOCAL_MEM_FENCE); local_free(64); return x; }}
float three(float x, float y, float z) {{ return x + y * z; }}
float wait(void) {{ barrier(CLK_LOCAL_MEM_FENCE); return 0; }}
__kernel void k(__global float *out, float x) {{ {expression}; }}"
        )
    };
    let count = |expression: &str| missing(&text(expression)).len();
    // `g` starts and ends with an access; `h` starts and ends with a barrier.
    assert_eq!((count("x = g()"), count("x = h() + h()"), count("x = h(); x = g()")), (0, 0, 0));
    assert_eq!((count("x = g(); x = h()"), count("x = g() + h()"), count("x = h() + g()")), (0, 0, 0));
    for expression in [
        "x = g() + g()",
        "x = three(g(), h(), g())",
        "x = three(g(), wait(), g())",
        "x = g() + wait() + g()",
        "x = g() * x + wait() * out[0] + g()",
        "out[(int)g()] = g()",
        "x = three(x, three(g(), 1, wait()), g())",
    ] {
        assert_eq!(count(expression), 1, "{expression}");
    }
    // The barrier may or may not come last, but an argument precedes its call.
    assert_eq!(count("x = g() + wait(); x = g()"), 1);
    assert_eq!(count("x = wait() + g(); x = g()"), 1);
    assert_eq!(count("x = three(g(), 1, 2) + 1; wait(); x = g()"), 0);
    assert_eq!(count("x = g() > 0 && wait() > 0 && g() > 0"), 1);
    assert_eq!(count("x = (g(), wait(), g())"), 0);
}

/// The value is stored after both sides of an assignment are evaluated.
#[test]
fn both_sides_of_an_assignment_are_evaluated_before_it() {
    let text = |assigned: &str| {
        format!(
            "float wait(void) {{ barrier(CLK_LOCAL_MEM_FENCE); return 0; }}
void set(__local float *p) {{ {assigned}; }}
__kernel void k(void) {{ __local float *p = local_malloc(64); p[0] = 1; local_free(64); __local float *q = local_malloc(64);
set(q); local_free(64); }}"
        )
    };
    assert_eq!(missing(&text("p[0] = wait()")), [""; 0]);
    assert_eq!(missing(&text("p[0] += wait()")).len(), 1);
}

#[test]
fn an_expression_with_too_many_orders_is_rejected() {
    let text = |count: usize| {
        let calls = vec!["g()"; count].join(" + ");
        format!(
            "float g(void) {{ __local float *a = local_malloc(64); a[0] = 1; local_free(64); return 0; }}\nfloat f(float x) {{ return {calls}; }}"
        )
    };
    assert_eq!(plan(&text(12)).functions[1].missing_barriers.len(), 1);
    let message = "too many calls in one expression use local memory: a compiler may execute them in any order";
    assert_eq!(problems(&text(13)), [format!("k.cl:2:27: {message}")]);
    let nested = format!(
        "float g(float x, float y) {{ __local float *a = local_malloc(64); a[0] = 1; local_free(64); return 0; }}
         void f(float x) {{ x = {}x{}; }}",
        "g(g(x, 1), ".repeat(40),
        ")".repeat(40)
    );
    assert!(problems(&nested).iter().all(|problem| problem.ends_with(message)), "{:?}", problems(&nested));
    // Functions without local memory may be called any number of times, at any depth.
    let plain = format!(
        "float g(float x, float y) {{ return x; }} void f(float x) {{ x = {}x{}; }}",
        "g(g(x, 1), ".repeat(100),
        ")".repeat(100)
    );
    assert_eq!(plan(&plain).functions.len(), 2);
}

#[test]
fn a_use_after_free_is_not_a_missing_barrier() {
    let uses = |text: &str| {
        let plan = plan(text);
        let count = plan.functions.iter().map(|f| f.missing_barriers.len()).sum::<usize>()
            + plan.kernels.iter().map(|k| k.missing_barriers.len()).sum::<usize>();
        assert_eq!(count, 0, "{}", plan.text());
        // Blocks of these tests are not aligned, which causes other warnings.
        let warnings = plan.warnings.iter().filter(|warning| warning.message.contains("freed"));
        let found: Vec<_> = warnings.map(|warning| format!("{}: {}", warning.place, warning.message)).collect();
        assert_eq!(plan.has_uses_after_free, !found.is_empty());
        found
    };
    let after = "the block at k.cl:1:42 may be accessed here after it was freed";
    assert_eq!(
        uses(
            "__kernel void k(void) { __local int *p = local_malloc(8); p[0] = 1; local_free(8);\n__local int *q = local_malloc(8); p[1] = 2; local_free(8); }"
        ),
        [format!("k.cl:2:35: {after}")]
    );
    // Uses after a free through a function.
    assert_eq!(
        uses(
            "__kernel void k(void) { __local int *p = local_malloc(8); local_free(8); void set(__local int *); set(p); }\nvoid set(__local int *to) { to[0] = 1; }"
        ),
        [format!("k.cl:2:29: {after}")]
    );
    assert_eq!(
        uses("__local int *f(void) { __local int *p = (0, local_malloc(8)); local_free(8);\nreturn p + 1; }"),
        ["k.cl:2:1: a pointer to the block at k.cl:1:45 is returned here after it was freed"]
    );
    assert_eq!(
        uses("int f(void) { __local int *p = local_malloc(8); int x = p[0]; local_free(8); return x; }"),
        [""; 0]
    );
}

/// Members and elements are treated as one variable, so freed blocks remain among its targets.
#[test]
fn a_pointer_refers_only_to_allocated_blocks() {
    let text = "struct s { __local int *at; __local int *other; };
__kernel void k(__global int *out) { struct s s; __local int *all[2];
s.at = local_malloc(64); all[0] = s.at; s.at[0] = 1; all[0][1] = 2;
local_free(64); barrier(CLK_LOCAL_MEM_FENCE); s.at = local_malloc(32); all[1] = s.at;
s.at[0] = 1; all[1][2] = 3;
local_free(32); }";
    let plan = plan(text);
    assert!(plan.kernels[0].missing_barriers.is_empty() && !plan.has_uses_after_free, "{}", plan.text());
}

#[test]
fn a_type_that_a_block_is_cast_to_needs_a_larger_alignment() {
    let warnings = |statements: &str| {
        let text = format!(
            "void use(__local float16 *p) {{ }}
__local float16 *make(void) {{ return local_malloc(64); }}
struct s {{ __local double8 *at; }};
__kernel void k(int n) {{ struct s s; {statements} local_free(64); }}"
        );
        let all = common::plan_with(&text, &throng_local_memory::AnalysisOptions::default()).warnings;
        all.into_iter().map(|warning| warning.place).collect::<Vec<_>>()
    };
    assert_eq!(warnings("make();"), ["k.cl:2:38"]);
    for (statements, place) in [
        ("use(local_malloc(64));", "k.cl:4:42"),
        ("((__local float16 *)local_malloc(64))[0] = 1;", "k.cl:4:58"),
        ("s.at = local_malloc(64);", "k.cl:4:45"),
    ] {
        assert_eq!(warnings(statements), ["k.cl:2:38", place], "{statements}");
    }
    assert_eq!(warnings("__local float4 *p = local_malloc(64);"), ["k.cl:2:38"]);
}
