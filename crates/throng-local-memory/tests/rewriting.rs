//! Rewritten texts: offsets, parameters, prototypes, and names that are taken.

mod common;

use common::{rewritten, rewritten_with};
use throng_local_memory::Options;

#[test]
fn constant_offsets_and_offsets_that_callers_pass() {
    let text = "
void leaf(__global int *out) { __local int *x = local_malloc(8); x[0] = 1; local_malloc(4); local_free(4); local_free(8); }
void once() { leaf(0); }
__kernel void k(void) { leaf(0); local_malloc(100); leaf(0); once(); local_free(100); }
__kernel void other(void) { }
";
    let expected = "
void leaf(__global int *out, __local uchar *local_memory, uint local_memory_offset) { __local int *x = \
((__local void *)(local_memory + local_memory_offset)); x[0] = 1; ((__local void *)(local_memory + local_memory_offset + 16)); \
(void)0; (void)0; }
void once(__local uchar *local_memory) { leaf(0, local_memory, 112); }
__kernel void k(void) { __local uchar local_memory[144] __attribute__((aligned(16))); leaf(0, local_memory, 0); \
((__local void *)(local_memory + 0)); leaf(0, local_memory, 112); once(local_memory); (void)0; }
__kernel void other(void) { }
";
    assert_eq!(rewritten_with(text, &Options::default()), expected);
}

#[test]
fn an_offset_that_varies_is_passed_through() {
    let text = "
void g(void) { local_malloc(4); local_free(4); }
void f(void) { local_malloc(2); g(); local_free(2); }
__kernel void k(void) { f(); local_malloc(1); f(); local_free(1); }
";
    let out = rewritten(text);
    assert!(out.contains("void g(__local uchar *local_memory, uint local_memory_offset) {"), "{out}");
    assert!(out.contains("g(local_memory, local_memory_offset + 2);"), "{out}");
    assert!(out.contains("f(local_memory, 0); ((__local void *)(local_memory + 0)); f(local_memory, 1);"), "{out}");
}

#[test]
fn functions_without_allocations_stay_as_they_are() {
    let text = "int f(int x) { return x; }\n__kernel void k(void) { f(1); local_malloc(1); local_free(1); }";
    assert!(rewritten(text).contains("int f(int x) { return x; }\n__kernel void k(void) { __local uchar"));
    let text = "int f(int x) { return x; }\n__kernel void k(void) { f(1); }\n";
    assert_eq!(rewritten(text), text);
}

#[test]
fn prototypes() {
    let text = "
__local void *local_malloc(size_t size); void local_free(size_t size);
int f(int), g(void);
void h();
__kernel void k(void) { f(1); g(); h(); }
int f(int x) { local_malloc(4); local_free(4); return x; }
int g(void) { return 1; }
void h() { local_malloc(4); local_free(4); }
";
    let out = rewritten(text);
    assert!(
        out.starts_with(
            "\n \nint f(int, __local uchar *local_memory), g(void);\nvoid h(__local uchar *local_memory);\n"
        ),
        "{out}"
    );
    assert!(out.contains("f(1, local_memory); g(); h(local_memory);"), "{out}");
}

#[test]
fn names_that_are_taken() {
    let text = "void f(int local_memory) { local_malloc(4); local_free(4); } __kernel void k(void) { f(1); }";
    assert!(rewritten(text).contains("void f(int local_memory, __local uchar *local_memory_) {"));
}

#[test]
fn code_that_no_path_reaches_is_rewritten_too() {
    let text = "__kernel void k(void) { return; local_malloc(4); local_free(4); }";
    let options = Options { align: 1, ..Options::default() };
    let plan = common::plan_with(text, &options);
    assert_eq!(plan.kernels[0].peak, 0);
    let out = throng_local_memory::rewrite(&plan).unwrap();
    assert!(!out.contains("local_malloc"), "{out}");
}

#[test]
fn two_kernels_have_two_buffers() {
    let text = "
void f(void) { local_malloc(4); local_free(4); }
__kernel void a(void)
{
    f();
}
__kernel void b(void) { local_malloc(60); f(); local_free(60); }
";
    let out = rewritten(text);
    assert!(out.contains("__kernel void a(void)\n{ __local uchar local_memory[4] __attribute__((aligned(1)));\n    f(local_memory, 0);"), "{out}");
    assert!(out.contains("{ __local uchar local_memory[64] __attribute__((aligned(1)));"), "{out}");
}

#[test]
fn types_that_a_file_defines_are_no_calls() {
    let text = "typedef int4 quad; __kernel void k(void) { quad q = (quad)(1, 2, 3, 4); local_malloc(sizeof(quad)); local_free(16); }";
    assert!(rewritten(text).contains("(local_memory + 0)"));
}
