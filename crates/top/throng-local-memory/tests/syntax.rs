//! OpenCL C syntax: qualifiers, attributes, vectors, and invalid code.

use std::fmt::Write as _;

use crate::common::{self, plan, problems};

fn peak(text: &str) -> u64 {
    plan(text).kernels[0].peak
}

/// The peak of a kernel that allocates a block of this size.
fn size(size: &str) -> u64 {
    peak(&format!(
        "enum {{ A, B = 5, C }}; typedef float real; typedef real pair[2]; struct s {{ char a; int4 b; short c[3]; }};
         typedef union {{ char a[5]; int b; }} both; typedef struct s named; typedef uint u32; typedef u32 word;
         typedef unsigned short u16;
         __kernel void k(void) {{ local_malloc({size}); local_free({size}); }}"
    ))
}

#[test]
fn qualifiers_attributes_and_vectors() {
    let text = r#"
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef float4 real4;
__constant sampler_t smp = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
__constant float weights[4] = { 1.0f, .5f, 0x1p-2f, 1e-3f };
struct node { __global struct node *next; float3 at; } __attribute__((packed));
static inline float4 mix4(const float4 a, float4 b) { return mix(a, b, (float4)(0.5f, 0.5f, 0.25f, 1)).wzyx; }
float sum(local const float *restrict p, constant float *w, private int n, __generic int *g) { return p[n] * w[0]; }
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel __attribute__((vec_type_hint(float4))) void
first(__global float4 *a, read_only image2d_t img, write_only image2d_t out, __local float *scratch, const uint n)
{
    size_t i = get_global_id(0), j = (size_t)-1;
    __private uchar16 bytes = (uchar16)(0);
    real4 v = (real4)(1.0f, 2.0f, 3.0f, 4.0f) * -(real4)(n);
    __local real4 *block = (__local real4 *)local_malloc(sizeof(real4) * 64);
    block[i].xy = v.hi + convert_float2_rte(bytes.s01);
    v.s0 = as_float(n) + vload4(0, scratch).x;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    __attribute__((opencl_unroll_hint(4)))
    for (int x = 0; x < 4; ++x) { a[i] += block[x] * weights[x]; }
    write_imagef(out, (int2)(i, j), read_imagef(img, smp, (int2)(0, 1)));
    local_free(sizeof(real4) * 64);
}
extern "C" { }
kernel void second(global half *h, volatile __global int *n) { atomic_add(n, 1); local_malloc(3); local_free(3); }
"#;
    let plan = plan(text);
    let peaks: Vec<_> = plan.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.peak)).collect();
    assert_eq!(peaks, [("first", 1024), ("second", 3)]);
    assert_eq!(plan.functions.len(), 2);
}

#[test]
fn integer_constant_expressions() {
    for (written, expected) in [
        ("0x10 + 010 - 2 * 3", 18),
        ("7 / 2 + 7 % 4", 6),
        ("1 << 4 | 3 & 6 ^ 1", 19),
        ("~0 & 0xff", 255),
        ("!0 + !5", 1),
        ("(3 > 2) + (2 >= 3) + (1 < 2) + (2 <= 2) + (1 == 1) + (1 != 1)", 4),
        ("1 ? 8 : 1 / 0", 8),
        ("0 && 1 / 0 || 9 ? 4 : 2", 4),
        ("(uchar)257 + (short)65535 + 4", 4),
        ("(int)sizeof(int) * -1 + 12", 8),
        ("10u - 20u > 0 ? 3 : 4", 3),
        ("-1 > 1u ? 7 : 5", 7),
        ("'a' - 96", 1),
        ("C + B", 11),
        ("(unsigned long)-1 >> 60", 15),
        ("sizeof(float4) * 2 + sizeof(double3) + sizeof(uchar) + sizeof(half8)", 32 + 32 + 1 + 16),
        ("sizeof(unsigned short) + sizeof(long)", 10),
        ("sizeof(real) + sizeof(pair) + sizeof(int[3][2])", 4 + 8 + 24),
        ("sizeof(struct s)", 48),
        ("sizeof(named) + sizeof(both)", 48 + 8),
        ("true + 1", 2),
        ("(u32)4 + (word)-1 / 1000000000", 8),
        ("(u16)65540 + (u32)1", 5),
        ("sizeof(real[2]) + sizeof(named[2][3]) + sizeof(float[4])", 8 + 48 * 6 + 16),
        ("4294967295", 4_294_967_295),
    ] {
        assert_eq!(size(written), expected, "{written}");
    }
}

/// The error is reported for the size, not for its operands.
#[test]
fn types_that_are_too_large() {
    let text = |typedefs: &dyn Fn(usize) -> String| {
        let all: String = (1..=100).map(typedefs).collect();
        format!("typedef char t0[2];\n{all}void f(void) {{ local_malloc(sizeof(t100)); local_free(1); }}")
    };
    let arrays = text(&|level| format!("typedef t{} t{level}[2];\n", level - 1));
    let structs = text(&|level| format!("typedef struct {{ t{0} a; t{0} b; }} t{level};\n", level - 1));
    for text in [arrays, structs] {
        let expected = "k.cl:102:29: the size `sizeof(t100)` of `local_malloc` is not constant: its size exceeds the limit of \
                        1099511627776 bytes";
        assert_eq!(problems(&text), [expected]);
    }
}

#[test]
fn switches_without_blocks() {
    let peak = |body: &str| peak(&format!("enum {{ N }}; __kernel void k(int n, __global int *a) {{ {body} }}"));
    let block = |size: usize| format!("{{ local_malloc({size}); local_free({size}); }}");
    assert_eq!(peak("switch (a[0]) case 1: a[1] = 2;"), 0);
    assert_eq!(peak(&format!("switch (n) case 1: {}", block(8))), 8);
    assert_eq!(peak(&format!("switch ((n)) case N ? 1 : (2 ? 3 : 4): case 5: default: here: {}", block(8))), 8);
    common::rewritten(&format!("__kernel void k(int n) {{ switch (n) case 1: default: {} }}", block(8)));
    // The following statement is not part of the `switch`, and an `else` belongs to the outer `if`.
    let text = "if (n) switch (n) case 1: switch (a[0]) default: local_malloc(8); else n = 1; n = 2; local_free(8);";
    let found = problems(&format!("void f(int n, __global int *a) {{ {text} }}"));
    assert!(found[0].contains("the arms of this `switch` meet with different blocks allocated"), "{found:?}");
    assert_eq!(peak("switch (n) default: local_malloc(8); n = 2; local_free(8);"), 8);
    assert_eq!(peak("while (n) switch (n) case 1: break; do switch (n) default: continue; while (n);"), 0);
    assert_eq!(peak("switch (n) { case 1: switch (a[1]) case 2: a[0] = 1; a[2] = 3; case 3: ; }"), 0);
    for wrong in ["switch (n) a[0] = 1;", "switch (n) case 1 a[0] = 1;", "switch (n) case 1 ? 2: a[0] = 1;"] {
        assert!(!problems(&format!("void f(int n, __global int *a) {{ {wrong} }}")).is_empty(), "{wrong}");
    }
    let nested = format!("void f(int n) {{ {} n = 1; }}", "switch (n) case 1: ".repeat(10_000));
    let found = problems(&nested);
    assert!(found.len() == 1 && found[0].ends_with("the code is nested in more than 600 levels"), "{found:?}");
}

#[test]
fn expressions_that_are_not_constant_or_overflow() {
    let why = |written: &str| {
        let text = format!("void f(int n) {{ local_malloc({written}); local_free(1); }}");
        let all = problems(&text);
        let (_, why) = all[0].split_once("not constant: ").unwrap_or_else(|| panic!("{all:?}"));
        why.to_owned()
    };
    for (written, expected) in [
        ("2147483647 + 1", "it overflows: 2147483648 does not fit into 32 bits"),
        ("1 << 31", "it overflows: 2147483648 does not fit into 32 bits"),
        ("5 % 0", "it divides by 0"),
        ("sizeof(int *)", "the size of a pointer depends on the device"),
        ("sizeof(n + 1)", "the type of `n+1` is not known here; give `sizeof` a type"),
        ("sizeof unknown", "the type of `unknown` is not known here; give `sizeof` a type"),
        ("sizeof(&n)", "the size of a pointer depends on the device"),
        ("sizeof(struct t)", "`t` is not defined in the file"),
        ("sizeof(event_t)", "the size of `event_t` depends on the device"),
        ("(float)4", "a cast to `float` is not constant"),
        ("(int4)4", "a cast to `int4` is not constant"),
        ("(struct t)4", "a cast to `struct t` is not constant"),
        ("n", "`n` is a variable"),
        ("m", "`m` is neither a macro nor the constant of an enumeration"),
        ("get_local_size(0)", "`get_local_size(0)` is not an integer constant expression"),
        ("99999999999999999999", "`99999999999999999999` does not fit into 64 bits"),
    ] {
        assert_eq!(why(written), expected, "{written}");
    }
}

/// Sizes according to Clang 15 for `spir64`.
#[test]
fn attributes_of_structs() {
    for (types, expected) in [
        ("struct t { char c; int i; };", 8),
        ("struct __attribute__((packed)) t { char c; int i; };", 5),
        ("struct __attribute__((aligned(16))) t { char c[17]; };", 32),
        ("struct t { char c; int i; } __attribute__((packed, aligned(4)));", 8),
        ("struct t { char c; int i __attribute__((packed)); short s; };", 8),
        ("struct t { char c; int i __attribute__((aligned(16))), j; };", 32),
        ("struct t { char c; __attribute__((aligned(8))) int i, j; };", 24),
        ("typedef struct { char c[5]; } n __attribute__((aligned(4))); struct t { n n; };", 8),
        ("typedef struct { char c[5]; } __attribute__((aligned(4))) n; struct t { n n; };", 8),
        ("typedef int n __attribute__((aligned(16))); struct t { char c; n i; };", 32),
        (
            "typedef __attribute__((aligned(16))) int n;
             struct __attribute__((__packed__)) t { char c; n i; int j __attribute__((aligned(2))); };",
            10,
        ),
        ("union __attribute__((aligned(32))) u { int i; double d; }; struct t { union u u; };", 32),
        ("struct t { char c; struct { char d; int e; } __attribute__((packed)) in; };", 6),
        ("struct s { char c; int i; }; struct t { char c; struct s in __attribute__((packed)); };", 9),
        ("struct t { float3 v; char c; } __attribute__((packed));", 17),
        ("struct t { float4 v __attribute__((aligned(64))); char c; };", 64),
        ("typedef int n __attribute__((aligned(2))); struct t { char c; n i; };", 6),
        ("struct t { char c; int i; } __attribute__((endian(host)));", 8),
    ] {
        let text = format!(
            "{types} __kernel void k(void) {{ local_malloc(sizeof(struct t)); local_free(sizeof(struct t)); }}"
        );
        assert_eq!(plan(&text).kernels[0].peak, expected, "{types}");
    }
    for (types, expected) in [
        ("struct t { int i; } __attribute__((aligned));", "`aligned` without a number depends on the device"),
        ("struct t { int i __attribute__((aligned(3))); };", "its alignment `3` is not a power of two up to 2^28"),
        ("struct t { int i; } __attribute__((aligned(4 * 4)));", "its alignment is not written as a number"),
        (
            "struct t { int i; } __attribute__((scalar_storage_order(1)));",
            "it has the attribute `scalar_storage_order`",
        ),
    ] {
        let text = format!("{types} __kernel void k(void) {{ local_malloc(sizeof(struct t)); }}");
        let all = problems(&text);
        assert!(all[0].ends_with(&format!("is not constant: {expected}")), "{types}: {all:?}");
    }
    // The size of such a type name is not padded.
    let text = "typedef struct { char c[5]; } n __attribute__((aligned(4)));
        __kernel void k(void) { local_malloc(sizeof(n)); local_free(sizeof(n)); }";
    assert_eq!(plan(text).kernels[0].peak, 5);
}

#[test]
fn sizes_of_expressions() {
    let functions = "struct s { int a; float3 v[2]; struct s *next; };
        double half_of(int x) { return 0.5 * x; }";
    for (written, expected) in [
        ("sizeof *p", 16),
        ("4 * sizeof(*p)", 64),
        ("sizeof(a)", 48),
        ("sizeof a / sizeof a[0]", 6),
        ("sizeof(x)", 2),
        ("sizeof (s->v)", 32),
        ("sizeof(s->next->a)", 4),
        ("sizeof(t.v[1])", 16),
        ("sizeof((uchar)x)", 1),
        ("sizeof(half_of(x))", 8),
        ("sizeof(x = 3)", 2),
        ("sizeof 1.0f + sizeof(1.0) + sizeof 1l + sizeof 'c'", 24),
        ("sizeof(q[0])", 8),
        ("sizeof(*&x)", 2),
    ] {
        let text = format!(
            "{functions} __kernel void k(__global float4 *p, __global struct s *s, short x) {{
                double a[6]; struct s t; __local long *q = local_malloc({written}); q[0] = 1; local_free({written}); }}"
        );
        assert_eq!(plan(&text).kernels[0].peak, expected, "{written}");
    }
}

#[test]
fn invalid_opencl_c_is_reported_with_its_line() {
    let text = "void f(void) {\n    int x = 3 +;\n}\n\nvoid g(void) {\n    x = y z;\n    w = 1\n}\n";
    let found = problems(text);
    assert!(found.len() >= 3, "{found:?}");
    assert_eq!(found[0], "k.cl:2:15: `+` is not OpenCL C here");
    assert!(found.iter().any(|problem| problem.starts_with("k.cl:6:")), "{found:?}");
    assert_eq!(found.last().unwrap(), "k.cl:7:9: `;` is missing after `1`");
    let open = problems("__kernel void k(void) { if (1) { local_malloc(4); ");
    assert!(open[0].contains("is missing after") || open[0].contains("is not OpenCL C"), "{open:?}");
    assert_eq!(problems("int a; /* never closed\n"), ["k.cl:1:8: this comment has no end"]);
    for text in ["}", "\u{0}", "é", "'", "\"", "#", "__attribute__((", "void f(void) { ^{ }; }", "((((("] {
        let all = std::panic::catch_unwind(|| problems(text));
        // A single `#` is an empty directive, and an incomplete `__attribute__` is ignored.
        assert!(all.is_ok() || matches!(text, "#" | "__attribute__(("), "{text}");
    }
}

#[test]
fn deep_nesting_is_reported() {
    let text = format!("void f(void) {{ int x = {}1{}; }}", "(".repeat(100_000), ")".repeat(100_000));
    let found = problems(&text);
    assert_eq!(found, ["k.cl:1:619: the code is nested in more than 600 levels"]);
    let wide = format!("void f(void) {{ int x = {}1; }}", "1 + ".repeat(500));
    assert_eq!(plan(&wide).functions.len(), 1);
    let nested = format!("void f(void) {} {}", "{ if (1) ".repeat(200) + "{", "}".repeat(201));
    assert_eq!(plan(&nested).functions.len(), 1);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let text = "\u{feff}__kernel void k(void) { local_malloc(4); local_free(4); }";
    assert_eq!(plan(text).kernels[0].place.to_string(), "k.cl:1:15");
    assert!(common::rewritten(text).starts_with("__kernel"));
}

/// Nested structs and type names, far deeper than the stack of a thread allows.
#[test]
fn types_of_many_levels() {
    let mut text = "typedef struct { __local int *p; int n; } t0;\n".to_owned();
    for level in 1..20_000 {
        let _ = writeln!(text, "typedef struct {{ t{0} a, b; }} t{level};", level - 1);
    }
    text += "__kernel void k(t19999 x, t40 y) { local_malloc(4); x.a.b.a = y.a; local_free(4); }";
    assert_eq!(peak(&text), 4);
}

/// GNU C's address of a label looks like an operator without a left operand.
#[test]
fn the_address_of_a_label_is_rejected() {
    let found = problems("int g(int x) { return x; } void f(int c) { int x = c ? 1 : && g(4) > 0; }");
    assert_eq!(found, ["k.cl:1:60: `&&g(4)` is not OpenCL C"]);
}
