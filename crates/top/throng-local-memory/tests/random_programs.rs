//! Random programs: their peaks equal the peaks of a stack that executes all paths, and rewritten programs allocate
//! nothing.

use crate::common::programs::{HELPERS, POINTERS, Program, Random, Runtime, Style};
use crate::common::{self, plan_with, rewritten_with};
use throng_local_memory::{AnalysisOptions, Source, analyse, rewrite};

#[test]
fn peaks_match_a_checking_runtime_on_all_paths() {
    let mut random = Random(common::seed());
    let style = Style { name: "k", parameters: "", arguments: "", has_kernel: true };
    let (mut allocating, mut below_text_order, mut using_again, mut tried) = (0, 0, 0, 0);
    let programs = throng_testing::cases(125) as usize;
    for number in 0..programs {
        let program = Program::random(&mut random);
        let align = [1, 16][number % 2];
        let mut runtime = Runtime { stack: Vec::new(), highest: 0, align, count: 0 };
        program.execute(program.functions.len() - 1, &mut runtime);
        assert!(runtime.stack.is_empty());

        let text = format!("{HELPERS}{}", program.text(&style));
        let options = AnalysisOptions { align, ..AnalysisOptions::default() };
        let plan = plan_with(&text, &options);
        let kernel = &plan.kernels[0];
        assert_eq!((kernel.peak, kernel.net), (runtime.highest, 0), "{text}");
        assert!(kernel.peak <= kernel.text_order_peak && kernel.text_order_peak <= kernel.without_frees, "{text}");
        // `fill` starts with a barrier, so no block is ever reused without one.
        assert!(kernel.missing_barriers.is_empty() && plan.warnings.is_empty(), "{}\n{text}", plan.text());
        allocating += usize::from(kernel.peak > 0);
        below_text_order += usize::from(kernel.peak < kernel.text_order_peak);

        // The rewritten program is checked with both alignments.
        if number % 3 == 0 && kernel.peak > 0 {
            rewritten_with(&text, &options);
            // Without the barriers, all reused memory is found, and nothing else.
            let racy = text.replacen("barrier(CLK_LOCAL_MEM_FENCE);", "", 2);
            let found = &plan_with(&racy, &options).kernels[0].missing_barriers;
            assert_eq!(!found.is_empty(), program.uses_bytes_again(align), "{racy}");
            tried += 1;
            using_again += usize::from(!found.is_empty());
        }
    }
    // All kinds of programs occur; small samples may lack the rarest.
    assert!(allocating > programs / 2 && below_text_order > programs / 5, "{allocating} {below_text_order}");
    assert!(using_again > programs / 10 && (programs < 1000 || tried > using_again), "{using_again} of {tried}");
}

#[test]
fn damaged_programs_are_rejected_or_analysed_without_a_panic() {
    let mut random = Random(common::seed() ^ 2);
    let style = Style { name: "k", parameters: "", arguments: "", has_kernel: true };
    let words = [
        "{",
        "}",
        "(",
        ")",
        ";",
        "if (1)",
        "else",
        "goto a;",
        "a:",
        "return;",
        "break;",
        "case 1:",
        "local_free(8);",
        "__local int *p = local_malloc(8);",
        "k_f0(choice, sum);",
        "*",
        "&",
        "=",
        "\"",
        "/*",
        "\n#define N 8\n",
        "\n#if 0\n",
        "typedef int N;",
        "sizeof",
        "é",
        "struct s { int a; }",
        "switch (1)",
        "do",
        "while (1)",
        "continue;",
        "__attribute__((",
    ];
    let mut analysed = 0;
    let programs = throng_testing::cases(190) as usize;
    for _ in 0..programs {
        let text = match random.below(3) {
            0 => POINTERS.to_owned(),
            _ => format!("{HELPERS}{}", Program::random(&mut random).text(&style)),
        };
        let mut parts: Vec<&str> = text.split_inclusive([' ', ';', '(', '\n']).collect();
        for _ in 0..=random.below(3) {
            if parts.is_empty() {
                break;
            }
            let at = random.below(parts.len() as u64) as usize;
            match random.below(4) {
                0 => drop(parts.remove(at)),
                1 => parts.insert(at, words[random.below(words.len() as u64) as usize]),
                2 => parts.insert(at, parts[random.below(parts.len() as u64) as usize]),
                _ => parts.truncate(at.max(1)),
            }
        }
        let damaged = parts.concat();
        match analyse(&Source::new("k.cl", damaged.as_str()), &AnalysisOptions::default()) {
            Ok(plan) => {
                match rewrite(&plan) {
                    Ok(text) => {
                        let again = analyse(&Source::new("k.cl", text.as_str()), &AnalysisOptions::default());
                        let allocates = |kernel: &throng_local_memory::KernelPlan| kernel.without_frees > 0;
                        assert!(again.is_ok_and(|again| !again.kernels.iter().any(allocates)), "{damaged}\n{text}");
                    }
                    // A directive may have been inserted into a part that is rewritten.
                    Err(error) => assert!(error.to_string().contains("directive"), "{error}\n{damaged}"),
                }
                analysed += 1;
            }
            Err(error) => assert!(!error.0.is_empty()),
        }
    }
    assert!((programs / 20..programs).contains(&analysed), "{analysed}");
}
