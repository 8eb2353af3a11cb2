//! Rewritten sources: offsets, parameters, prototypes, and name clashes.

use crate::common::{self, rewritten, rewritten_with};
use throng_local_memory::AnalysisOptions;

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
    assert_eq!(rewritten_with(text, &AnalysisOptions::default()), expected);
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
fn the_added_parameter_avoids_existing_names() {
    let text = "void f(int local_memory) { local_malloc(4); local_free(4); } __kernel void k(void) { f(1); }";
    assert!(rewritten(text).contains("void f(int local_memory, __local uchar *local_memory_) {"));
}

#[test]
fn code_that_no_path_reaches_is_rewritten_too() {
    let text = "__kernel void k(void) { return; local_malloc(4); local_free(4); }";
    let options = AnalysisOptions { align: 1, ..AnalysisOptions::default() };
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
fn casts_to_defined_types_are_not_calls() {
    let text = "typedef int4 quad; __kernel void k(void) { quad q = (quad)(1, 2, 3, 4); local_malloc(sizeof(quad)); local_free(16); }";
    assert!(rewritten(text).contains("(local_memory + 0)"));
}

#[test]
fn comments_follow_the_replaced_text() {
    let text = "
#define NEW(a, b) local_malloc((a) * (b))
__kernel void k(void) {
    NEW(4 /* rows */, // columns
        8 / 2) /* behind */; local_free(/* all */ 16);
}
";
    let out = rewritten(text);
    assert!(
        out.contains(
            "((__local void *)(local_memory + 0)) /* rows */ /* columns */\n /* behind */; (void)0 /* all */;"
        ),
        "{out}"
    );
    assert_eq!(out.lines().count(), text.lines().count());
}

/// The compiler rejects a source that was planned with other macros.
#[test]
fn macros_of_the_options_are_checked_when_the_text_is_compiled() {
    let text = "__kernel void k(void) { local_malloc(N); local_free(N); }";
    let with = |defines: &[&str]| {
        let defines = defines.iter().map(|define| (*define).to_owned()).collect();
        AnalysisOptions { align: 1, defines, ..AnalysisOptions::default() }
    };
    let plan = common::plan_with(text, &with(&["N=64", "FAST"]));
    let out = throng_local_memory::rewrite(&plan).unwrap();
    assert!(out.lines().next().unwrap().contains("local_memory[64]"), "{out}");
    assert!(throng_local_memory::analyse(&common::source(&out), &with(&["N=64", "FAST"])).is_ok());
    for (defines, named) in [(["N=32", "FAST"], "-DN=64"), (["N=64", "SLOW"], "-DFAST"), (["M=64", "FAST"], "-DN=64")] {
        let found = common::problems_with(&out, &with(&defines));
        assert!(found.len() == 1 && found[0].ends_with(&format!("this text was planned with {named}")), "{found:?}");
    }
    // If the source itself changes a macro, its final value is not checked.
    let plan = common::plan_with(&format!("#undef N\n#define N 8\n{text}"), &with(&["N=64"]));
    assert!(!throng_local_memory::rewrite(&plan).unwrap().contains("#error"));
}

/// Messages for a source that cannot be rewritten.
fn refused(text: &str) -> Vec<String> {
    let plan = common::plan(text);
    let error = throng_local_memory::rewrite(&plan).expect_err(text);
    error.0.shown().iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect()
}

#[test]
fn directives_inside_rewritten_text_are_refused() {
    let message = "this directive is inside a part that must be rewritten";
    let text = "
__kernel void k(void) {
    local_malloc(
#if 1
        4
#else
        8
#endif
    ); local_free(4);
}
";
    assert_eq!(refused(text), [format!("k.cl:4:1: {message}")]);
    let in_macro = "#define NEW(n) local_malloc(n)\n".to_owned() + &text.replace("local_malloc", "NEW");
    assert_eq!(refused(&in_macro), [format!("k.cl:5:1: {message}")]);
    // Directives around statements are kept.
    let around = "__kernel void k(void) {\n#if 1\nlocal_malloc(4);\n#endif\nlocal_free(4); }";
    assert!(rewritten(around).ends_with("\n#if 1\n((__local void *)(local_memory + 0));\n#endif\n(void)0; }"));
}

#[test]
fn names_that_other_variants_of_the_file_have() {
    let allocates = "__kernel void k(void) { local_malloc(4); local_free(4); }";
    for before in [
        "#define local_memory 3\n",
        "#if 0\nint local_memory;\n#endif\n",
        "#define use(x) local_memory(x)\n",
        "/* local_memory */\n",
    ] {
        let out = rewritten(&format!("{before}{allocates}"));
        assert!(out.contains("uchar local_memory_[4]"), "{out}");
    }
    let options =
        AnalysisOptions { align: 1, defines: vec!["local_memory=2".to_owned()], ..AnalysisOptions::default() };
    let plan = common::plan_with(allocates, &options);
    assert!(throng_local_memory::rewrite(&plan).unwrap().contains("uchar local_memory_[4]"));
    // Macros of included files that appear in no token of the result.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cl");
    std::fs::write(folder.path().join("names.h"), "#define local_memory 3\n").unwrap();
    std::fs::write(&path, format!("#include \"names.h\"\n{allocates}")).unwrap();
    let plan = throng_local_memory::analyse(&throng_local_memory::read(&path).unwrap(), &options).unwrap();
    assert!(throng_local_memory::rewrite(&plan).unwrap().contains("uchar local_memory_["));
}

#[test]
fn rewritten_words_stay_separated() {
    let text = "
#define NOTHING
void f(void) { local_malloc(4); local_free(4); }
void g(NOTHING) { f(NOTHING); }
__kernel void k(int n) { if (n) f(); else local_malloc(4)NOTHING; if (!n) local_free(4)NOTHING; g(NOTHING); }
";
    let text = text.replace("if (n) f(); else local_malloc(4)NOTHING; if (!n) ", "local_malloc(4)NOTHING; f(); ");
    let out = rewritten(&text);
    assert!(out.contains("void g(NOTHING __local uchar *local_memory) { f(NOTHING local_memory"), "{out}");
    assert!(out.contains("(void)0 NOTHING; g(NOTHING local_memory"), "{out}");
}

#[test]
fn macros_that_would_be_expanded_again_are_refused() {
    let text = "
#define f(x) f(local_malloc(8), x)
void (f)(__local int *p, int n) { }
__kernel void k(void) { f(1); local_free(8); }
";
    assert_eq!(
        refused(text),
        ["k.cl:4:25: `f` is the name of a macro, and would be replaced again where its text is written out"]
    );
    // If nothing has to be expanded, such macros are harmless.
    let text = "#define f(x) f(x, 1)\nvoid (f)(int m, int n) { }\n__kernel void k(void) { f(1); local_malloc(8); local_free(8); }";
    assert!(rewritten(text).contains("f(1); ((__local"));
}

#[test]
fn lines_and_files_of_macros() {
    let text = "
#define SHOW(x) printf(\"%d\", __LINE__); x; name(__FILE__)
#define NEW local_malloc(__LINE__)
void name(const char *n) { }
__kernel void k(void) { SHOW(local_malloc(4)); local_free(4); }
";
    let out = rewritten(&text.replace("#define NEW local_malloc(__LINE__)", ""));
    assert!(
        out.contains("printf ( \"%d\" , __LINE__ ) ; ((__local void *)(local_memory + 0)) ; name ( __FILE__ )"),
        "{out}"
    );
    // Within another name or a string, `__LINE__` is the line where the macro is used.
    let pasted = "
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
#define TEXT(x) #x
#define LINE(x) TEXT(x)
#define USE(x) { int NAME(n, __LINE__) = 1; printf(LINE(__LINE__)); x; }
__kernel void k(void) {
    USE(local_malloc(4)) USE(local_free(4))
}
";
    let out = rewritten(pasted);
    assert!(out.contains("{ int n8 = 1 ; printf ( \"8\" ) ; ((__local void *)(local_memory + 0)) ; }"), "{out}");
    let of_line = text.replace("SHOW(local_malloc(4))", "NEW");
    assert_eq!(
        common::problems(&of_line),
        [
            "k.cl:5:25: the size `__LINE__` of `local_malloc` is not constant: `__LINE__` is neither a macro nor the constant \
          of an enumeration"
        ]
    );
}

#[test]
fn crlf_line_endings_are_kept() {
    let text =
        "#define N 4\r\n__kernel void k(void) {\r\n    local_malloc(\r\n        N);\r\n    local_free(N);\r\n}\r\n";
    let out = rewritten(text);
    assert_eq!(out.lines().count(), text.lines().count());
    assert_eq!(out.matches("\r\n").count(), out.matches('\n').count(), "{out:?}");
}

#[test]
fn declarations_in_included_files_may_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cl");
    std::fs::write(
        folder.path().join("stack.h"),
        "__local void *local_malloc(int size);\nvoid local_free(int size);\n",
    )
    .unwrap();
    std::fs::write(&path, "#include \"stack.h\"\n__kernel void k(void) { local_malloc(4); local_free(4); }\n").unwrap();
    let plan =
        throng_local_memory::analyse(&throng_local_memory::read(&path).unwrap(), &AnalysisOptions::default()).unwrap();
    let out = throng_local_memory::rewrite(&plan).unwrap();
    assert!(out.starts_with("#include \"stack.h\"\n__kernel void k(void) { __local uchar local_memory[16]"), "{out}");
}
