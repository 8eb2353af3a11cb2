//! Barriers and stack operations that only some work-items of a group reach.

use std::fmt::Write as _;

use crate::common::plan;

/// Divergence warnings for a program.
fn found(text: &str) -> Vec<String> {
    let plan = plan(text);
    let all = plan.warnings.iter().map(|warning| format!("{}: {}", warning.place, warning.message));
    let all: Vec<String> = all.filter(|found| found.contains("only some work-items")).collect();
    assert_eq!(plan.has_divergent_calls, !all.is_empty(), "{all:?}");
    all
}

/// Divergence warnings for a kernel with this body.
fn found_in_body(body: &str) -> Vec<String> {
    found(&format!("__kernel void k(__global int *in, int n, int m) {{ int lid = get_local_id(0);\n{body}\n}}"))
}

const BARRIER: &str = "barrier(CLK_LOCAL_MEM_FENCE)";

#[test]
fn conditions_that_depend_on_the_work_item() {
    for body in [
        "if (get_local_id(0) < 4) B;",
        "if (get_global_id(0) >= n) return; B;",
        "if (in[get_global_id(0)]) B;",
        "if (n) { if (lid == 3) B; }",
        "if (n) { } else if (lid) { } else B;",
        "n && lid && (B, 1);",
        "lid ? (B, 1) : 2;",
        "switch (lid) { case 0: B; break; default: break; }",
        "switch (n) { case 0: if (lid) break; B; break; default: break; }",
        "for (int i = lid; i < n; i += 64) B;",
        "while (n-- > lid) B;",
        "do { B; } while (n-- > lid);",
        "for (int i = 0; i < n; i++) { if (i == lid) break; B; }",
        "for (int i = 0; i < n; i++) { B; if (i == lid) break; }",
        "for (int i = 0; i < n; i++) { if (i == lid) continue; B; }",
        "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) if (j == lid) return; B; }",
        "for (;;) { if (lid < 3) return; if (n) break; } B;",
        "while (lid < 3) { return; } B;",
        "if (lid) goto end; B; end: ;",
        "again: B; if (n++ < lid) goto again;",
        // Variables that vary because of their values, or of where they are assigned.
        "int a = n; a += lid; if (a) B;",
        "int a; if (lid) a = 1; else a = 2; if (a == 1) B;",
        "int a = 0; if (lid) a = 1; if (a) B;",
        "int a = 0; while (a < lid) a++; if (a) B;",
        "int a = 0; for (;;) { a = a + 1; if (a > lid) break; } if (a) B;",
        "int a = 0, b = 0; for (int i = 0; i < n; i++) { if (b) B; b = a; a = lid; }",
        "int a[2]; a[0] = lid; a[1] = n; if (a[1]) B;",
        "int a[2] = { 0, lid }; if (a[n]) B;",
        "struct s { int x, y; } s; s.x = lid; if (s.x) B;",
        "int4 v = (int4)(lid, n, n, n); if (v.y) B;",
        "int4 v = 0; v.x = lid; if (v.x) B;",
        "int a, *p = &a; *p = lid; if (*p) B;",
        "int a, *p = &a; *p = lid; if (a) B;",
        "int a, *p = &a; a = lid; if (*p) B;",
        "__global int *p = in + lid; if (*p) B;",
        "size_t rest; float f = modf(0.5f * lid, (float *)&rest); if (rest) B;",
        "__global int *p = in; p += lid; if (*p) B;",
        "int a[2] = { 0, 0 }, *p = a; p += lid; if ((p += 1)[0]) B;",
        "int a = lid; if (a -= 1) B;",
        "size_t v = 0; vstore2((int2)(lid, 0), 0, (int *)&v); if (v) B;",
        "int a[4] = { 0, 0, lid, 0 }; if (vload2(0, a).x) B;",
        "int old = 0; atomic_compare_exchange_strong((atomic_int *)in, &old, n); if (old) B;",
        // Other functions with a different result for each work-item.
        "if (atomic_inc(in) == 0) B;",
        "if (atom_add(in, n) == 0) B;",
        "if (atomic_fetch_add(in, 0)) B;",
        "if (atomic_cmpxchg(in, 0, 1)) B;",
        "if (get_sub_group_id() == 0) B;",
        "if (get_sub_group_local_id() == 0) B;",
        "if (get_sub_group_size() == 8) B;",
        "if (sub_group_any(lid == 3)) B;",
        "if (sub_group_all(n)) B;",
        "if (sub_group_broadcast(lid, 0)) B;",
        "if (sub_group_reduce_add(n) > 8) B;",
        "if (sub_group_scan_exclusive_max(n)) B;",
        "if (get_global_linear_id() == 0) B;",
        "if (work_group_scan_inclusive_add(n) > m) B;",
        "if (min(n, max(m, (int)lid)) > 2) B;",
    ] {
        let all = found_in_body(&body.replace('B', BARRIER));
        assert!(all.iter().any(|found| found.contains("may reach this `barrier`: the `")), "{body}: {all:?}");
    }
}

#[test]
fn conditions_that_are_the_same_for_the_group() {
    for body in [
        "if (n > m) B;",
        "if (get_group_id(0) == 0) B;",
        "if (get_local_size(0) > 64 && get_num_groups(1) == 1 && get_work_dim() == 2) B;",
        "if (get_global_size(0) % get_global_offset(0)) return; B;",
        "if (in[0]) B;",
        "if (in[get_group_id(0)]) return; B;",
        "for (int i = 0; i < n; i++) { if (i == m) break; B; }",
        // A reduction, in which the condition varies only inside the loop.
        "__local int t[64]; for (int s = 32; s > 0; s >>= 1) { if (lid < s) t[lid] += t[lid + s]; B; }",
        "for (int i = lid; i < n; i += 64) in[i] = 0; B;",
        "for (int i = 0; i < n; i++) if (i == lid) break; B;",
        "for (int i = 0; i < n; i++) { if (i == lid) continue; in[i] = 1; } B;",
        "for (int j = 0; j < n; j++) { for (int i = 0; i < n; i++) { if (i == lid) break; } B; }",
        "switch (n) { case 0: if (lid) break; in[0] = 1; break; case 1: B; break; default: B; } B;",
        "if (n) { if (lid) return; } else { B; }",
        "switch (n) { case 0: if (lid) return; break; case 1: B; }",
        "if (lid) { in[0] = 1; goto end; } in[1] = 2; end: B;",
        // Shared memory has the same content for all work-items that read it.
        "__local int flag; if (lid == 0) flag = in[1]; B; if (flag) B;",
        "__local int t[64]; t[lid] = lid; B; if (t[n]) B;",
        "__local int *p = local_malloc(4); if (lid == 0) p[0] = n; B; if (p[0]) B; local_free(4);",
        "in[lid] = lid; if (in[3]) B;",
        // Variables that are assigned a uniform value again.
        "int a = lid; in[a] = 1; a = n; if (a) B;",
        "int i; for (i = lid; i < n; i += 64) in[i] = 1; for (i = 0; i < 4; i++) B;",
        "if (lid) { int a = 3; in[a] = 1; } int a = n; if (a) B;",
        "int a, b; int *p = &a; *p = n; b = lid; in[b] = 1; if (a) B;",
        "if (work_group_any(lid == 3)) B;",
        "if (work_group_all(lid == 3)) B;",
        "if (work_group_broadcast(lid, 0) == 3) B;",
        "if (work_group_reduce_add(lid) == 3) B;",
        "if (get_max_sub_group_size() == 8 && get_num_sub_groups() > 2 && get_enqueued_num_sub_groups() > 2) B;",
        // Work from a queue, a sum over sub-groups, and a sort.
        "__local int next; if (lid == 0) next = atomic_inc(in); B; int item = next; if (item >= n) return; B;",
        "__local float part[32]; float sum = sub_group_reduce_add(0.5f * lid);
         if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = sum; B; if (part[0] > 1) B;",
        "__local int t[64]; for (int k = 2; k <= n; k <<= 1) for (int j = k >> 1; j > 0; j >>= 1) { int o = lid ^ j;
         if (o > lid && t[lid] > t[o]) { int old = t[lid]; t[lid] = t[o]; t[o] = old; } B; }",
        "struct { __local int *p; int count; } s; s.count = n; for (int i = 0; i < s.count; i++) B;",
        // All work-items of the sub-group reach it, which is enough.
        "if (get_sub_group_id() == 0) in[0] = sub_group_reduce_add(n); B;",
        "if (get_sub_group_id() == 0) sub_group_barrier(CLK_LOCAL_MEM_FENCE); B;",
        "if (lid) mem_fence(CLK_LOCAL_MEM_FENCE); B;",
        "const int limit = 4; enum { E = 3 }; if (limit > E) B;",
        "if (sizeof(lid) == 4) B;",
    ] {
        assert_eq!(found_in_body(&body.replace('B', BARRIER)), [""; 0], "{body}");
    }
}

/// All ways to write a value that becomes a condition: `@` is the written value, and the code before `#` is the
/// declaration.
#[test]
fn all_ways_to_write_to_private_memory() {
    let declared = "struct s { int x; int *p; int a[2]; __local int *shared; };
        typedef __local int *shared_pointer;
        typedef int row[4];
        typedef __local row shared_row;
        void measure(image2d_t of, size_t *p, int value) { *p = value; }
        int *same(int *p) { return p; }
        void point(struct s *s, int *p) { s->p = p; }
        void write_inside(struct s *s, int value) { *s->p += value; }
        int *chosen(int first, int *p, int *q) { return first ? p : q; }
        void swap(int *p, int *q) { int old = *p; *p = *q; *q = old; }
        void add(int *p, int value) { *p += value; }
        int sum(const int *p) { return p[0] + p[1]; }
        void increase(int *p) { ++*p; }
        void increase_through(int *p) { increase(p); }
        ";
    let of = |written: &str| {
        found(&format!(
            "{declared}__kernel void k(__global int *in, int n, image2d_t image) {{ int lid = get_local_id(0), x = 0, a[2] = {{ 0, 0 }},
            *p = &x, **pp = &p, *all[2] = {{ &x, a }}; int4 v = 0; struct s s = {{ 0, &x, {{ 0, 0 }}, 0 }}, *q = &s;
            {written} barrier(1); }}"
        ))
    };
    for (write, read) in [
        ("a[0] += @;", "a[1]"),
        ("a[n] = @;", "sum(a)"),
        ("*p += @;", "x"),
        ("(*p) -= @;", "*p"),
        ("p[0] |= @;", "x"),
        ("**pp = @;", "x"),
        ("*all[0] = @;", "x"),
        ("*(n ? p : a) = @;", "a[0]"),
        ("s.x += @;", "s.x"),
        ("s.a[1] += @;", "s.a[1]"),
        ("q->x = @;", "s.x"),
        ("*q->p = @;", "x"),
        ("(*q).a[n] ^= @;", "q->x"),
        ("v.y += @;", "v.x"),
        ("v[n + 1] = @;", "v.x"),
        ("*same(&x) = @;", "x"),
        ("*same(a) += @;", "a[1]"),
        ("int b = 0; # *same(&b) = @;", "b"),
        ("int b = 0, *r = same(&b); # *r = @;", "b"),
        ("int b = 0; point(&s, &b); # *s.p = @;", "b"),
        ("int b = 0; s.p = &b; # write_inside(&s, @);", "b"),
        ("int b = 0; # for (int i = 0; i < n; i++) { if (b) in[0] = 1; add(&b, @); }", "b"),
        ("int b = 0, *r = p; # for (int i = 0; i < n; i++) { *r = @; r = &b; }", "b"),
        ("add(&x, @);", "x"),
        ("int b = 0, c = 0; # *chosen(n, &b, &c) = @;", "c"),
        ("int b = 0, c = 0; # c = @; swap(&b, &c);", "b"),
        ("int b[2] = { 0, 0 }; # b[n] = a[n] = @;", "a[0]"),
        ("int b = 0; # 0[&b] ^= @;", "b"),
        ("add(&a[n], @);", "a[1]"),
    ] {
        let (before, write) = write.split_once('#').unwrap_or(("", write));
        let with = |condition: &str, value: &str| {
            of(&format!("{before} {condition} {} if ({read})", write.replace('@', value)))
        };
        assert_eq!(with("", "lid").len(), 1, "{write}: {:?}", with("", "lid"));
        assert_eq!(with("", "n"), [""; 0], "{write}");
        let all = with("if (lid)", "n");
        assert_eq!(all.len(), 1, "{write} under a condition: {all:?}");
    }
    for (write, read) in [
        ("a[0]++;", "a[1]"),
        ("(a[n])--;", "a[0]"),
        ("(*p)++;", "x"),
        ("--*p;", "x"),
        ("++**pp;", "*p"),
        ("s.x++;", "s.x"),
        ("--q->a[1];", "s.a[0]"),
        ("v.x++;", "v.x"),
        ("x++;", "x"),
        ("increase(&x);", "x"),
        ("increase_through(a);", "a[0]"),
    ] {
        let all = of(&format!("if (lid) {write} if ({read})"));
        assert_eq!(all.len(), 1, "{write}: {all:?}");
        assert_eq!(of(&format!("{write} if ({read})")), [""; 0], "{write}");
    }
    // No private memory is written, or only that of another variable.
    for body in [
        "if (lid) in[0] = sum(a); if (a[0])",
        "if (lid) in[0] = vload2(0, a).x; if (a[0])",
        "int y = 0, z[2] = { 0, 0 }; if (lid) add(&y, 1); if (z[0])",
        "int y = 0; add(&y, lid); if (x)",
        "int y = 0, z = 0; *same(&y) = lid; if (z + x)",
        "shared_pointer t = s.shared; t[lid]++; if (*p + *t)",
        "shared_row *rows; rows[0][lid] -= lid; if (*p + rows[0][0])",
        "size_t y = 0; measure(image, &y, lid); if (*p)",
        "s.shared[lid] = lid; if (*p)",
        "__local int *shared[2]; *shared[0] = lid; if (*p + s.shared[0])",
        "int i = lid; in[i]++; if (*p + in[0])",
    ] {
        assert_eq!(of(body), [""; 0], "{body}");
    }
}

#[test]
fn kernels_that_are_called_like_functions() {
    let kernel = "__kernel void inner(__global int *in, int n) { if (n) barrier(1); if (in[0]) barrier(1); }\n";
    let of = |call: &str| found(&format!("{kernel}__kernel void k(__global int *in, int n) {{ {call}; }}"));
    for call in
        ["inner(in, get_local_id(0))", "inner(in + get_local_id(0), n)", "if (get_local_id(0) < 4) inner(in, n)"]
    {
        let all = of(call);
        assert_eq!(all.len(), 1, "{call}: {all:?}");
        assert!(all[0].starts_with("k.cl:2:") && all[0].contains("through `inner`: the `if` at k.cl:"), "{all:?}");
    }
    assert_eq!(of("inner(in, n)"), [""; 0]);
    assert_eq!(of("inner(in, 3); inner(in + get_group_id(0), n)"), [""; 0]);
}

#[test]
fn the_message_contains_the_condition_and_all_calls() {
    let text = "void g(int unused, int b) { if (unused) { if (b) barrier(1); } }
void f(int c, int d) { g(d, c); }
void plain(void) { barrier(1); }
void first(int b) { if (b) { plain(); } g(0, 0); }
__kernel void k(int n) {
    int lid = get_local_id(0);
@
}";
    let of = |body: &str| found(&text.replace('@', body));
    let through = |calls: &str, condition: &str| {
        let depends = "depends on `get_local_id` at k.cl:6:15";
        vec![format!("k.cl:7:{calls}: the `if` at k.cl:{condition} {depends}")]
    };
    let some = "only some work-items of a group may reach the `barrier` at";
    let in_g = format!("{some} k.cl:1:50 through");
    for (body, calls, condition) in [
        // The condition is in the function with the barrier: the inner `if` if it varies, else the outer one.
        ("g(n, lid);", format!("1: {in_g} `g`"), "1:43"),
        ("g(lid, n);", format!("1: {in_g} `g`"), "1:29"),
        ("f(lid, n);", format!("1: {in_g} `f`, then `g` at k.cl:2:24"), "1:43"),
        ("f(n, lid);", format!("1: {in_g} `f`, then `g` at k.cl:2:24"), "1:29"),
        // The condition is in the kernel.
        ("if (n) if (lid) f(n, n);", format!("17: {in_g} `f`, then `g` at k.cl:2:24"), "7:8"),
        ("if (lid) (f)(n, n);", format!("11: {in_g} `f`, then `g` at k.cl:2:24"), "7:1"),
        // The condition is in a function between the two.
        ("first(lid);", format!("1: {some} k.cl:3:20 through `first`, then `plain` at k.cl:4:30"), "4:21"),
    ] {
        assert_eq!(of(body), through(&calls, condition), "{body}");
    }
    let mut text = "void f0(void) { barrier(1); }\n".to_owned();
    for level in 1..40 {
        let _ = writeln!(text, "void f{level}(void) {{ f{}(); }}", level - 1);
    }
    let all = found(&(text + "__kernel void k(void) { if (get_local_id(0)) f39(); }"));
    assert_eq!(all.len(), 1);
    assert!(all[0].contains("through `f39`, then `f38` at k.cl:40:18, then `f37`"), "{all:?}");
    assert!(all[0].contains("then further calls: the `if` at k.cl:41:25") && !all[0].contains("f20"), "{all:?}");
}

#[test]
fn the_message_contains_the_line_the_condition_and_the_function() {
    let text = "__kernel void k(__global int *in) {\n    int i = get_global_id(0);\n    if (i < in[0])\n        barrier(1);\n}";
    let message = "k.cl:4:9: only some work-items of a group may reach this `barrier`: the `if` at k.cl:3:5 depends on \
                   `get_global_id` at k.cl:2:13";
    assert_eq!(found(text), [message]);
    let report = plan(text).text();
    let remedy = "    move it elsewhere, or use a condition that is the same for the whole group\n";
    assert!(report.contains(&format!("warning: {message}\n{remedy}")), "{report}");
    let text = text.replace("if (i < in[0])\n        barrier(1);", "if (i < 4) return;\n        barrier(2);");
    assert!(
        found(&text)[0].contains("k.cl:4:9: only some work-items of a group may reach this `barrier`: the `return` at")
    );
}

#[test]
fn allocations_and_functions_that_allocate() {
    let body = "if (lid) { __local int *p = local_malloc(8); p[0] = 1; local_free(8); }";
    let all = found_in_body(body);
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[0].contains("this `local_malloc`: the `if`") && all[1].contains("this `local_free`"), "{all:?}");
    let text = "int f(void) { local_malloc(8); local_free(8); return 1; }
        void g(void) { f(); }
        __kernel void k(void) { if (get_local_id(0) == 0) g(); g(); }";
    let all = found(text);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(
        all[0].starts_with("k.cl:3:59: ")
            && all[0].contains("reach the `local_malloc` at k.cl:1:15 through `g`, then `f` at k.cl:2:24: the `if`")
    );
    for call in ["work_group_all(n)", "async_work_group_copy(t, in, 4, 0)", "wait_group_events(1, 0)"] {
        let all = found_in_body(&format!("__local int t[4]; if (lid) {call};"));
        assert_eq!(all.len(), 1, "{call}: {all:?}");
    }
}

#[test]
fn arguments_and_results() {
    let functions = "void f(int unused, int x) { if (x) barrier(1); }
        void through(int y) { f(get_local_id(0), 2 * y); }
        int own(void) { return get_local_id(0); }
        int same(int a) { return a + 1; }
        int chosen(int a) { if (a) return 1; return 2; }
        void write(int *p, int a) { p[0] = a; }
        int read(const int *p) { return *p; }
        void leaves(int a) { if (a) return; }
        ";
    let of = |body: &str| {
        found(&format!("{functions}\n__kernel void k(int n) {{ int i = get_local_id(0), z = 0;\n{body}\n}}"))
    };
    for body in [
        "f(n, i);",
        "through(i);",
        "if (own()) barrier(1);",
        "f(n, own());",
        "if (same(i)) barrier(1);",
        "if (chosen(i)) barrier(1);",
        "write(&z, i); if (z) barrier(1);",
        "if (i) write(&z, 3); if (z) barrier(1);",
        "int a[2]; write(a, i); f(n, read(a));",
        "if (read(&i)) barrier(1);",
        "if (i) through(n);",
    ] {
        let all = of(body);
        assert_eq!(all.len(), 1, "{body}: {all:?}");
    }
    for body in [
        "f(i, n);",
        "through(n);",
        "if (same(n)) barrier(1);",
        "if (chosen(same(n))) barrier(1);",
        "write(&z, n); if (z) barrier(1);",
        "f(n, read(&n));",
        "leaves(i); barrier(1);",
    ] {
        assert_eq!(of(body), [""; 0], "{body}");
    }
    let all = of("through(i);");
    let expected = "k.cl:11:1: only some work-items of a group may reach the `barrier` at k.cl:1:36 through `through`, then \
                    `f` at k.cl:2:31: the `if` at k.cl:1:29 depends on `get_local_id` at k.cl:10:";
    assert!(all[0].starts_with(expected), "{all:?}");
}

/// The number of walks does not double with each enclosing loop.
#[test]
fn nested_loops_and_chains_of_variables() {
    let levels = 60;
    let mut text = "__kernel void k(int n) { int a0 = 0;".to_owned();
    for level in 1..=levels {
        let before = level - 1;
        let head = format!("for (int i{level} = 0; i{level} < n; i{level}++) {{");
        text.extend(["int a", &level.to_string(), " = 0; ", &head, &format!(" a{level} = a{before};")]);
    }
    text.extend(["if (a", &levels.to_string(), ") barrier(1); a0 = get_local_id(0);", &"}".repeat(levels + 1)]);
    assert_eq!(found(&text).len(), 1);
}
