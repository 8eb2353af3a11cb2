//! The repository's example, as shown in the book.

use std::fs;

use crate::common;
use throng_local_memory::{AnalysisOptions, analyse, parse_size, read, rewrite};

#[test]
fn the_book_shows_the_report_of_the_example() {
    let repository = throng_testing::repository();
    let source = read(&repository.join("examples/local-memory/row_sums.cl")).unwrap();
    let options = AnalysisOptions { limit: parse_size("48KiB").ok(), ..AnalysisOptions::default() };
    let plan = analyse(&source, &options).unwrap();
    let folder = format!("{}/", repository.display());
    let report = plan.text().replace(&folder, "");
    let page = fs::read_to_string(repository.join("docs/src/local-memory.md")).unwrap();
    assert!(page.contains(&report), "{report}");

    let kernel = &plan.kernels[0];
    assert_eq!((kernel.peak, kernel.text_order_peak, kernel.missing_barriers.len()), (1280, 1536, 1));
    let rewritten = rewrite(&plan).unwrap();
    for line in ["float total(float value, __local uchar *local_memory) {", "((__local void *)(local_memory + 1024));"]
    {
        assert!(rewritten.contains(line) && page.contains(line), "{line}\n{rewritten}");
    }

    // The missing barrier.
    let text = source
        .text()
        .replace("    values[item] = value;", "    barrier(CLK_LOCAL_MEM_FENCE);\n    values[item] = value;");
    assert!(common::plan_with(&text, &options).kernels[0].missing_barriers.is_empty());
}
