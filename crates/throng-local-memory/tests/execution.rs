//! Rewritten kernels on a device of OpenCL, beside the same programs with a stack that checks what is asked of it.
//!
//! Random programs fill each block and verify it before they free it, so that blocks which overlap are found. The device is
//! pocl, which runs OpenCL on the CPU; without it the tests are skipped.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::programs::{HELPERS, HELPERS_WITHOUT_BARRIERS, Program, Random, Style};
use throng_local_memory::{Options, Source, analyse, rewrite};
use throng_testing::pocl;

/// A stack in OpenCL C. Each work-item counts for itself, which gives the same for all of them.
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

/// How many programs are in one file, called by one kernel, and how many files there are. The time goes into compiling:
/// a second for each file, because what a kernel calls is put in its place.
const PROGRAMS: usize = 25;
const FILES: usize = 10;
/// The work-items of the work-group that the host starts.
const ITEMS: usize = 4;

/// Compiles the program that runs kernels.
fn host(folder: &Path) -> std::path::PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/host/run_kernels.c");
    let program = folder.join("run_kernels");
    let output = Command::new("cc").arg("-o").arg(&program).arg(&source).arg("-ldl").output().expect("cc, as in builds");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// The results of a kernel for each line of `list`, which has its name, the number of results, and choices.
fn run(folder: &Path, driver: &Path, name: &str, text: &str, list: &str) -> Vec<Vec<u32>> {
    let (file, list_file) = (folder.join(format!("{name}.cl")), folder.join(format!("{name}.txt")));
    fs::write(&file, text).unwrap();
    fs::write(&list_file, list).unwrap();
    let mut command = Command::new(folder.join("run_kernels"));
    // Without optimisation, which would take most of the time.
    command.arg(&file).arg(&list_file).arg("-cl-std=CL1.2 -cl-opt-disable").env("OCL_ICD_VENDORS", driver);
    // Compiled kernels are of no use afterwards.
    let output = command.env("POCL_CACHE_DIR", folder.join("cache")).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}\n{text}");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect()).collect()
}

/// Programs in one file, with the kernel that calls one after the other.
struct Batch {
    programs: Vec<Program>,
}

impl Batch {
    /// The file, with a runtime that checks the stack or for the planner.
    fn text(&self, runtime: Option<&str>) -> String {
        let (parameters, arguments, begin, end) = match runtime {
            None => ("", "", "", ""),
            Some(_) => (
                ", __local uchar *pool, uint *state",
                ", pool, state",
                "__local uchar pool[8192] __attribute__((aligned(16))); uint state[64];",
                "sum[0] += state[WRONG] + state[DEPTH]; sum[2] = state[HIGHEST];",
            ),
        };
        let mut text = runtime.unwrap_or_default().to_owned() + HELPERS_WITHOUT_BARRIERS;
        let mut body = format!("__kernel void all(__global const uchar *choice, __global uint *out) {{ {begin}\n");
        let mut choices = 0;
        for (number, program) in self.programs.iter().enumerate() {
            let name = format!("p{number}");
            text += &program.text(&Style { name: &name, parameters, arguments, has_kernel: false });
            let reset = if runtime.is_some() { "for (int i = 0; i < 64; i++) state[i] = 0;" } else { "" };
            let last = program.functions.len() - 1;
            body += &format!(
                "{{ uint sum[3] = {{0}}; {reset} {name}_f{last}(choice + {choices}, sum{arguments}); {end}
                 for (int i = 0; i < 3; i++) out[({number} * {ITEMS} + get_local_id(0)) * 3 + i] = sum[i]; }}\n"
            );
            choices += program.choices;
        }
        text + &body + "}\n"
    }
}

#[test]
fn rewritten_random_programs_give_the_results_of_a_checking_stack() {
    let Some(driver) = pocl() else { return };
    let folder = tempfile::tempdir().unwrap();
    host(folder.path());
    let mut random = Random(common::seed() ^ 1);
    for file in 0..FILES {
        let align = [1, 16][file % 2];
        let batch = Batch { programs: (0..PROGRAMS).map(|_| Program::random(&mut random)).collect() };
        let best: Vec<u8> = batch.programs.iter().flat_map(|program| program.choices_of_peak(align)).collect();
        let other: Vec<u8> = best.iter().map(|_| random.below(3) as u8).collect();
        let mut list = String::new();
        for choices in [&best, &other] {
            let choices: Vec<String> = choices.iter().map(u8::to_string).collect();
            list += &format!("all {} {}\n", PROGRAMS * ITEMS * 3, choices.join(" "));
        }
        let plan = analyse(&Source::new("random.cl", batch.text(None)), &Options { align, ..Options::default() }).unwrap();
        let rewritten = run(folder.path(), &driver, &format!("rewritten{file}"), &rewrite(&plan).unwrap(), &list);
        let checked = batch.text(Some(&CHECKING.replace("ALIGN", &align.to_string())));
        let reference = run(folder.path(), &driver, &format!("reference{file}"), &checked, &list);
        assert_eq!((rewritten.len(), reference.len()), (2, 2));
        for number in 0..PROGRAMS {
            let name = format!("p{number}_f{}", batch.programs[number].functions.len() - 1);
            let peak = plan.functions.iter().find(|function| function.name == name).unwrap().peak;
            for choices in 0..2 {
                let of = |results: &[Vec<u32>], which: usize| -> Vec<u32> {
                    (0..ITEMS).map(|item| results[choices][(number * ITEMS + item) * 3 + which]).collect()
                };
                // Neither block overlaps another one, and no free is wrong.
                assert_eq!((of(&rewritten, 0), of(&reference, 0)), (vec![0; ITEMS], vec![0; ITEMS]), "{file} {name}");
                // Which work-item a byte belongs to depends on the address of the buffer, and the sum of all does not.
                let sum = |results| of(results, 1).into_iter().fold(0, u32::wrapping_add);
                assert_eq!(sum(&rewritten), sum(&reference), "{file} {name}");
                for highest in of(&reference, 2).into_iter().map(u64::from) {
                    // The first choices are those of the peak.
                    assert!(if choices == 0 { highest == peak } else { highest <= peak }, "{file} {name}: {highest} {peak}");
                }
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
    let plan = analyse(&Source::new("k.cl", text), &Options::default()).unwrap();
    let right = rewrite(&plan).unwrap();
    let wrong = right.replace("local_memory + 48", "local_memory + 32");
    assert_ne!(right, wrong);
    let errors = |name, text: &str| run(folder.path(), &driver, name, text, "k 12\n")[0][0];
    assert_eq!(errors("right", &right), 0);
    assert_eq!(errors("wrong", &wrong), 8);
}
