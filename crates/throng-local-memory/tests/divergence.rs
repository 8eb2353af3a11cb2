//! Barriers and calls that change the stack that only some work-items of a group reach.

use crate::common::plan;

/// What is said about a program.
fn said(text: &str) -> Vec<String> {
    let plan = plan(text);
    let all = plan.warnings.iter().map(|warning| format!("{}: {}", warning.place, warning.message));
    let all: Vec<String> = all.filter(|said| said.contains("only some work-items")).collect();
    assert_eq!(plan.has_divergent_calls, !all.is_empty(), "{all:?}");
    all
}

/// Of a kernel with such a body.
fn said_of_body(body: &str) -> Vec<String> {
    said(&format!("__kernel void k(__global int *in, int n, int m) {{ int lid = get_local_id(0);\n{body}\n}}"))
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
        // Variables: by their values, and by where they get one.
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
        // Other functions that give each work-item its own result.
        "if (atomic_inc(in) == 0) B;",
        "if (atom_add(in, n) == 0) B;",
        "if (get_sub_group_id() == 0) B;",
        "if (get_global_linear_id() == 0) B;",
        "if (work_group_scan_inclusive_add(n) > m) B;",
        "if (min(n, max(m, (int)lid)) > 2) B;",
    ] {
        let all = said_of_body(&body.replace('B', BARRIER));
        assert!(all.iter().any(|said| said.contains("may reach this `barrier`: the `")), "{body}: {all:?}");
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
        // A reduction: the condition varies only inside.
        "__local int t[64]; for (int s = 32; s > 0; s >>= 1) { if (lid < s) t[lid] += t[lid + s]; B; }",
        "for (int i = lid; i < n; i += 64) in[i] = 0; B;",
        "for (int i = 0; i < n; i++) if (i == lid) break; B;",
        "for (int i = 0; i < n; i++) { if (i == lid) continue; in[i] = 1; } B;",
        "for (int j = 0; j < n; j++) { for (int i = 0; i < n; i++) { if (i == lid) break; } B; }",
        "switch (n) { case 0: if (lid) break; in[0] = 1; break; case 1: B; break; default: B; } B;",
        "if (n) { if (lid) return; } else { B; }",
        "switch (n) { case 0: if (lid) return; break; case 1: B; }",
        "if (lid) { in[0] = 1; goto end; } in[1] = 2; end: B;",
        // What is in memory of the group is the same for all that read it.
        "__local int flag; if (lid == 0) flag = in[1]; B; if (flag) B;",
        "__local int t[64]; t[lid] = lid; B; if (t[n]) B;",
        "__local int *p = local_malloc(4); if (lid == 0) p[0] = n; B; if (p[0]) B; local_free(4);",
        "in[lid] = lid; if (in[3]) B;",
        // Variables that have the same value again.
        "int a = lid; in[a] = 1; a = n; if (a) B;",
        "int i; for (i = lid; i < n; i += 64) in[i] = 1; for (i = 0; i < 4; i++) B;",
        "if (lid) { int a = 3; in[a] = 1; } int a = n; if (a) B;",
        "int a, b; int *p = &a; *p = n; b = lid; in[b] = 1; if (a) B;",
        "if (work_group_any(lid == 3)) B;",
        "if (work_group_broadcast(lid, 0) == 3) B;",
        "if (lid) mem_fence(CLK_LOCAL_MEM_FENCE); B;",
        "const int limit = 4; enum { E = 3 }; if (limit > E) B;",
        "if (sizeof(lid) == 4) B;",
    ] {
        assert_eq!(said_of_body(&body.replace('B', BARRIER)), [""; 0], "{body}");
    }
}

#[test]
fn the_message_names_the_place_the_condition_and_the_function() {
    let text = "__kernel void k(__global int *in) {\n    int i = get_global_id(0);\n    if (i < in[0])\n        barrier(1);\n}";
    let message = "k.cl:4:9: only some work-items of a group may reach this `barrier`: the `if` of k.cl:3:5 depends on \
                   `get_global_id` of k.cl:2:13";
    assert_eq!(said(text), [message]);
    let report = plan(text).text();
    let remedy = "    move it out of there, or use a condition that is the same for the whole group\n";
    assert!(report.contains(&format!("warning: {message}\n{remedy}")), "{report}");
    let text = text.replace("if (i < in[0])\n        barrier(1);", "if (i < 4) return;\n        barrier(2);");
    assert!(
        said(&text)[0].contains("k.cl:4:9: only some work-items of a group may reach this `barrier`: the `return` of")
    );
}

#[test]
fn allocations_and_functions_that_allocate() {
    let body = "if (lid) { __local int *p = local_malloc(8); p[0] = 1; local_free(8); }";
    let all = said_of_body(body);
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[0].contains("this `local_malloc`: the `if`") && all[1].contains("this `local_free`"), "{all:?}");
    let text = "int f(void) { local_malloc(8); local_free(8); return 1; }
        void g(void) { f(); }
        __kernel void k(void) { if (get_local_id(0) == 0) g(); g(); }";
    let all = said(text);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(
        all[0].starts_with("k.cl:3:59: ")
            && all[0].contains("reach the `local_malloc` of k.cl:1:15 through `g`: the `if`")
    );
    for call in ["work_group_all(n)", "async_work_group_copy(t, in, 4, 0)", "wait_group_events(1, 0)"] {
        let all = said_of_body(&format!("__local int t[4]; if (lid) {call};"));
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
        said(&format!("{functions}\n__kernel void k(int n) {{ int i = get_local_id(0), z = 0;\n{body}\n}}"))
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
    let expected = "k.cl:11:1: only some work-items of a group may reach the `barrier` of k.cl:1:36 through `through`: the \
                    `if` of k.cl:1:29 depends on `get_local_id` of k.cl:10:";
    assert!(all[0].starts_with(expected), "{all:?}");
}

/// The number of walks does not double with each loop around another one.
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
    assert_eq!(said(&text).len(), 1);
}
