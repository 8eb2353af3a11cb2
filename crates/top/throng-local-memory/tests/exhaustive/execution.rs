//! Runs rewritten kernels on an OpenCL device, and compares them with the same programs on a stack that checks its
//! operations.
//!
//! Random programs fill each block and verify it before they free it, so that overlapping blocks are found. The device
//! is pocl, which runs OpenCL on the CPU; without it, the tests are skipped.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common;
use crate::common::programs::{HELPERS, HELPERS_WITHOUT_BARRIERS, Program, Random, Runtime, Style};
use throng_local_memory::{AnalysisOptions, Source, analyse, rewrite};
use throng_testing::pocl;

/// A stack in OpenCL C. Each work-item has its own counters, all with the same values.
const CHECKING: &str = "
enum { HEIGHT, HIGHEST, DEPTH, WRONG, SIZES };
__local uchar *check_malloc(__local uchar *pool, uint *state, uint size) {
    __local uchar *block = pool + state[HEIGHT];
    state[SIZES + state[DEPTH]++] = size;
    state[HEIGHT] += (size + ALIGN - 1) / ALIGN * ALIGN;
    state[HIGHEST] = max(state[HIGHEST], state[HEIGHT]);
    return block;
}
void check_free(uint *state, uint size) {
    if (state[DEPTH] == 0 || state[SIZES + --state[DEPTH]] != size) state[WRONG]++;
    state[HEIGHT] -= (size + ALIGN - 1) / ALIGN * ALIGN;
}
#define local_malloc(size) check_malloc(pool, state, size)
#define local_free(size) check_free(state, size)
";

/// Programs per file, each with a kernel.
const PROGRAMS: usize = 15;
/// Default number of files; `THRONG_POCL_FILES` overrides it. Most of the time is compilation, a tenth of a second per
/// kernel; 67 files contain a thousand programs.
const FILES: usize = 4;
/// Programs with this many blocks or more are skipped, because CPU compilers inline all calls.
const MAX_BLOCKS: u64 = 25;
/// Size of the work-group that the host starts.
const ITEMS: usize = 4;

/// Compiles the program that runs kernels.
fn host(folder: &Path) -> std::path::PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/host/run_kernels.c");
    let program = folder.join("run_kernels");
    let output = Command::new("cc").arg("-o").arg(&program).arg(&source).arg("-ldl").output().expect("cc is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Runs kernels, and returns the results of each line of `list`, which has a kernel's name, the number of results, and
/// choices.
fn run(folder: &Path, driver: &Path, name: &str, text: &str, list: &str) -> Vec<Vec<u32>> {
    let (file, list_file) = (folder.join(format!("{name}.cl")), folder.join(format!("{name}.txt")));
    fs::write(&file, text).unwrap();
    fs::write(&list_file, list).unwrap();
    let mut command = Command::new(folder.join("run_kernels"));
    // Optimization is disabled, because it would take most of the time.
    command.arg(&file).arg(&list_file).arg("-cl-std=CL1.2 -cl-opt-disable").env("OCL_ICD_VENDORS", driver);
    // Compiled kernels are not needed afterwards.
    let output = command.env("POCL_CACHE_DIR", folder.join("cache")).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {} {errors}", output.status);
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect()
}

/// Programs as one file, each with the kernel that calls it, either with a runtime that checks the stack or for the
/// planner.
fn text(programs: &[Program], runtime: Option<&str>) -> String {
    let (parameters, arguments, begin, end) = match runtime {
        None => ("", "", "", ""),
        Some(_) => (
            ", __local uchar *pool, uint *state",
            ", pool, state",
            "__local uchar pool[8192] __attribute__((aligned(16))); uint state[64] = {0};",
            "sum[0] += state[WRONG] + state[DEPTH]; sum[2] = state[HIGHEST];",
        ),
    };
    let mut text = runtime.unwrap_or_default().to_owned() + HELPERS_WITHOUT_BARRIERS;
    for (number, program) in programs.iter().enumerate() {
        let name = format!("p{number}");
        text += &program.text(&Style { name: &name, parameters, arguments, has_kernel: false });
        let last = program.functions.len() - 1;
        let _ = writeln!(
            text,
            "__kernel void {name}(__global const uchar *choice, __global uint *out) {{ {begin}
                 uint sum[3] = {{0}}; {name}_f{last}(choice, sum{arguments}); {end}
                 for (int i = 0; i < 3; i++) out[get_local_id(0) * 3 + i] = sum[i]; }}"
        );
    }
    text
}

#[test]
fn rewritten_random_programs_give_the_results_of_a_checking_stack() {
    let Some(driver) = pocl() else { return };
    let folder = tempfile::tempdir().unwrap();
    host(folder.path());
    let files = std::env::var("THRONG_POCL_FILES").ok().map_or(FILES, |files| files.parse().expect("a number"));
    let mut random = Random(common::seed() ^ 1);
    for file in 0..files {
        let align = [1, 16][file % 2];
        let mut programs = Vec::new();
        while programs.len() < PROGRAMS {
            let program = Program::random(&mut random);
            let mut runtime = Runtime { stack: Vec::new(), highest: 0, align, count: 0 };
            program.execute(program.functions.len() - 1, &mut runtime);
            if (2..MAX_BLOCKS).contains(&runtime.count) {
                programs.push(program);
            }
        }
        let mut list = String::new();
        for (number, program) in programs.iter().enumerate() {
            let best = program.choices_of_peak(align);
            let other: Vec<u8> = best.iter().map(|_| random.below(3) as u8).collect();
            for choices in [best, other] {
                let choices: Vec<String> = choices.iter().map(u8::to_string).collect();
                let _ = writeln!(list, "p{number} {} {}", ITEMS * 3, choices.join(" "));
            }
        }
        let source = Source::new("random.cl", text(&programs, None));
        let plan = analyse(&source, &AnalysisOptions { align, ..AnalysisOptions::default() }).unwrap();
        let rewritten = run(folder.path(), &driver, &format!("rewritten{file}"), &rewrite(&plan).unwrap(), &list);
        let checked = text(&programs, Some(&CHECKING.replace("ALIGN", &align.to_string())));
        let reference = run(folder.path(), &driver, &format!("reference{file}"), &checked, &list);
        assert_eq!((rewritten.len(), reference.len()), (2 * PROGRAMS, 2 * PROGRAMS));
        for (line, (ours, theirs)) in rewritten.iter().zip(&reference).enumerate() {
            let kernel = &plan.kernels[line / 2];
            let of = |results: &[u32], which: usize| -> Vec<u32> {
                (0..ITEMS).map(|item| results[item * 3 + which]).collect()
            };
            // No block overlaps another one, and no free is wrong.
            assert_eq!((of(ours, 0), of(theirs, 0)), (vec![0; ITEMS], vec![0; ITEMS]), "{file} {}", kernel.name);
            // The work-item of a byte depends on the address of the buffer, but the sum over all work-items does not.
            let sum = |results| of(results, 1).into_iter().fold(0, u32::wrapping_add);
            assert_eq!(sum(ours), sum(theirs), "{file} {}", kernel.name);
            for highest in of(theirs, 2).into_iter().map(u64::from) {
                // The first choices lead to the peak.
                let is_right = if line % 2 == 0 { highest == kernel.peak } else { highest <= kernel.peak };
                assert!(is_right, "{file} {}: {highest}, and {}", kernel.name, kernel.peak);
            }
        }
    }
}

#[test]
fn overlapping_blocks_would_be_found() {
    let Some(driver) = pocl() else { return };
    let folder = tempfile::tempdir().unwrap();
    host(folder.path());
    let text = format!(
        "{HELPERS}
__kernel void k(__global const uchar *choice, __global uint *out) {{
    uint sum[3] = {{0}};
    __local uchar *a = local_malloc(40); fill(a, 40, 1);
    __local uchar *b = local_malloc(8); fill(b, 8, 2);
    verify(b, 8, 2, sum); local_free(8);
    verify(a, 40, 1, sum); local_free(40);
    for (int i = 0; i < 3; i++) out[get_local_id(0) * 3 + i] = sum[i];
}}"
    );
    let plan = analyse(&Source::new("k.cl", text), &AnalysisOptions::default()).unwrap();
    let right = rewrite(&plan).unwrap();
    let wrong = right.replace("local_memory + 48", "local_memory + 32");
    assert_ne!(right, wrong);
    let errors = |name, text: &str| run(folder.path(), &driver, name, text, "k 12\n")[0][0];
    assert_eq!(errors("right", &right), 0);
    assert_eq!(errors("wrong", &wrong), 8);
}
