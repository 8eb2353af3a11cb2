//! Macros, conditional code and included files. Building this crate requires a C compiler, so one is available.

use std::fs;
use std::path::Path;

use crate::common::{self, plan_with, problems, rewritten, source, unaligned};
use throng_local_memory::{AnalysisOptions, analyse, read, rewrite};

const TEXT: &str = "\
#define N 64 /* values */
#define BYTES(n) ((n) * \\
    sizeof(float))
#define NEW(n) local_malloc(BYTES(n)) // allocates
#if N > 100
#error too many
#elif defined(SMALL)
#undef N
#define N 4
#endif
__kernel void k(__global float *out) {
    /* a comment */ __local float *a = NEW(N); // kept
    __local float *b =
        local_malloc(BYTES(
            N));
    out[0] = a[0] + b[0];
    local_free(BYTES(N));
    local_free(BYTES(N));
}
";

#[test]
fn sizes_come_from_macros_and_lines_from_the_original() {
    let plan = common::plan(TEXT);
    assert_eq!(plan.kernels[0].peak, 512);
    assert_eq!(plan.kernels[0].peak_path[0].place.to_string(), "k.cl:14:9");
    let small = AnalysisOptions { defines: vec!["SMALL".to_owned()], ..unaligned() };
    assert_eq!(plan_with(TEXT, &small).kernels[0].peak, 32);
    // An allocation by a macro is located where the macro is used.
    let text = TEXT.replace("local_free(BYTES(N));\n    local_free", "local_free");
    let warning = &common::plan(&text).warnings[0];
    assert_eq!(
        (warning.place.as_str(), warning.message.as_str()),
        ("k.cl:18:1", "kernel `k` ends with 256 bytes allocated")
    );
    assert_eq!(
        problems("#define F local_free(3)\n\nvoid f(void) {\n    int x; F;\n}"),
        ["k.cl:4:12: `local_free(3)` without an allocation in `f`"]
    );
}

#[test]
fn rewriting_keeps_lines_comments_and_macros() {
    let expected = "\
#define N 64 /* values */
#define BYTES(n) ((n) * \\
    sizeof(float))
#define NEW(n) local_malloc(BYTES(n)) // allocates
#if N > 100
#error too many
#elif defined(SMALL)
#undef N
#define N 4
#endif
__kernel void k(__global float *out) { __local uchar local_memory[512] __attribute__((aligned(1)));
    /* a comment */ __local float *a = ((__local void *)(local_memory + 0)); // kept
    __local float *b =
        ((__local void *)(local_memory + 256))
;
    out[0] = a[0] + b[0];
    (void)0;
    (void)0;
}
";
    assert_eq!(rewritten(TEXT), expected);
}

#[test]
fn a_macro_that_defines_a_whole_function_is_expanded() {
    let text = "
#define MAKE(type) void use_##type(__global type *out) { \\
    __local type *p = local_malloc(sizeof(type)); p[0] = out[0]; local_free(sizeof(type)); }
MAKE(int)
MAKE(float4) /* after */
#define TEXT(x) #x
__kernel void k(__global int *a, __global float4 *b) { use_int(a); use_float4(b); }
";
    let out = rewritten(text);
    assert!(out.contains("void use_float4 ( __global float4 * out , __local uchar *local_memory) {"), "{out}");
    assert!(out.contains(" /* after */\n#define TEXT(x) #x\n"), "{out}");
    assert!(out.contains("use_int(a, local_memory); use_float4(b, local_memory);"), "{out}");
    assert_eq!(out.lines().count(), text.lines().count());
}

#[test]
fn arguments_of_macros_may_allocate() {
    let text = "
#define TWICE(x) ((x) + (x))
#define KEEP(x) x
__kernel void k(void) {
    __local int *p = KEEP(local_malloc(8)); int n = TWICE(3); KEEP(local_free(
        8)); n++;
}
";
    let out = rewritten(text);
    assert!(
        out.contains("__local int *p = ((__local void *)(local_memory + 0)); int n = TWICE(3); (void)0\n; n++;"),
        "{out}"
    );
}

#[test]
fn included_files_are_analysed_but_not_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("sizes.h"), "#define N 12\n").unwrap();
    fs::write(path("helper.h"), "\n  void helper(void) { local_malloc(N); local_free(N); }\n").unwrap();
    fs::write(path("k.cl"), "#include \"sizes.h\"\n__kernel void k(void) { local_malloc(N); local_free(N); }\n")
        .unwrap();
    let plan = analyse(&read(&path("k.cl")).unwrap(), &unaligned()).unwrap();
    assert_eq!(plan.kernels[0].peak, 12);
    assert!(rewrite(&plan).unwrap().contains("#include \"sizes.h\"\n__kernel void k(void) { __local uchar"));

    let text = "#include \"sizes.h\"\n#include \"helper.h\"\n__kernel void k(void) { helper(); }\n";
    fs::write(path("k.cl"), text).unwrap();
    let plan = analyse(&read(&path("k.cl")).unwrap(), &unaligned()).unwrap();
    let step = &plan.kernels[0].peak_path[1].place;
    // The path is relative to the same folder as the path of the source.
    assert_eq!((Path::new(&step.file), step.line, step.column), (path("helper.h").as_path(), 2, 23));
    let problem = rewrite(&plan).unwrap_err().0.shown()[0].clone();
    assert_eq!(problem.message, "this must be rewritten, but is in an included file");

    fs::write(path("k.cl"), "\n\n   #include \"nowhere.h\"\n").unwrap();
    let error = analyse(&read(&path("k.cl")).unwrap(), &unaligned()).unwrap_err();
    let problem = &error.0.shown()[0];
    assert!(problem.place.ends_with("k.cl:3:4") && problem.message.contains("nowhere.h"), "{problem}");
    fs::write(path("k.cl"), "#include \"broken.h\"\n").unwrap();
    fs::write(path("broken.h"), "\n#error not today\n").unwrap();
    let error = analyse(&read(&path("k.cl")).unwrap(), &unaligned()).unwrap_err();
    assert_eq!(error.0.shown()[0].place, format!("{}:2", path("broken.h").display()));
}

#[test]
fn preprocessor_errors_give_the_original_line() {
    let found = problems("int a;\nint b, c;\n#if 1\n  #error not today\n#endif\n");
    assert_eq!(found, ["k.cl:4:3: the preprocessor rejects it: #error not today"]);
    let found = problems("int a;\n#if 1\nint b;\n");
    assert!(found[0].starts_with("k.cl:2:1: the preprocessor rejects it: unterminated"), "{found:?}");
}

#[test]
fn predefined_macros_match_kernel_compilation() {
    let text = "
#if __OPENCL_VERSION__ >= 120 && !defined(__x86_64__) && !defined(__GNUC__)
void f(void) {
    local_malloc(__LINE__); local_free(4); }
#endif";
    assert_eq!(common::plan(text).functions[0].peak, 4);
}

#[test]
fn unreadable_files_are_refused() {
    let error = read(Path::new("/nowhere/k.cl")).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/k.cl: the file cannot be read: "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.cl");
    fs::write(&path, b"int a;\n\xff\n").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("k.cl:2: byte 7 (0xff) is not valid UTF-8"), "{error}");
    assert!(analyse(&source(""), &unaligned()).unwrap().kernels.is_empty());
}

/// The preprocessor is stopped if it reads endless files.
#[cfg(unix)]
#[test]
fn endless_inclusions_are_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("k.cl");
    let error_of = |text: &str| {
        fs::write(&file, text).unwrap();
        let error = analyse(&read(&file).unwrap(), &AnalysisOptions::default()).unwrap_err().to_string();
        error.replace(&file.display().to_string(), "k.cl")
    };
    let remedy = "\n    check whether the file includes a device or a pipe, or endlessly includes itself";
    let error = error_of("#include \"/dev/zero\"\n");
    assert_eq!(error, format!("k.cl: the C preprocessor needs more than 2 GiB of memory, and was stopped{remedy}"));
    // Includes itself twice, with a long line each time.
    fs::write(folder.path().join("twice.h"), format!("int {}\n#include \"twice.h\"\n", "x, ".repeat(1 << 19))).unwrap();
    let error = error_of("#include \"twice.h\"\n#include \"twice.h\"\n");
    assert_eq!(error, format!("k.cl: the C preprocessor wrote more than 64 MiB, and was stopped{remedy}"));
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.cl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    let paths = [Path::new("/dev/zero"), &pipe];
    for path in &paths[..if made.is_ok_and(|status| status.success()) { 2 } else { 1 }] {
        let error = read(path).unwrap_err().to_string();
        let expected = "this is a pipe or a device\n    save the kernels in a file, and name that file";
        assert_eq!(error, format!("{}: {expected}", path.display()));
    }
}
