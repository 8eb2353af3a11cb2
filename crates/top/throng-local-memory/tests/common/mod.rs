//! Shared test helpers.

pub mod programs;

use throng_local_memory::{AnalysisOptions, MemoryPlan, Source, analyse, rewrite};

pub fn source(text: &str) -> Source {
    Source::new("k.cl", text)
}

/// Options with an alignment of 1, so that blocks have exactly the given sizes.
pub fn unaligned() -> AnalysisOptions {
    AnalysisOptions { align: 1, ..AnalysisOptions::default() }
}

pub fn plan_with(text: &str, options: &AnalysisOptions) -> MemoryPlan {
    analyse(&source(text), options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn plan(text: &str) -> MemoryPlan {
    plan_with(text, &unaligned())
}

/// The problems of a rejected source.
pub fn problems_with(text: &str, options: &AnalysisOptions) -> Vec<String> {
    match analyse(&source(text), options) {
        Ok(plan) => panic!("it was not rejected:\n{text}\n{}", plan.text()),
        Err(error) => error.0.shown().iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect(),
    }
}

pub fn problems(text: &str) -> Vec<String> {
    problems_with(text, &unaligned())
}

pub fn rewritten(text: &str) -> String {
    rewritten_with(text, &unaligned())
}

/// The rewritten source; checks that it can be parsed and allocates nothing.
pub fn rewritten_with(text: &str, options: &AnalysisOptions) -> String {
    let plan = plan_with(text, options);
    let rewritten = rewrite(&plan).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let again = plan_with(&rewritten, options);
    assert_eq!(plan.kernels.len(), again.kernels.len());
    for (before, after) in plan.kernels.iter().zip(&again.kernels) {
        assert_eq!((after.peak, after.net, after.without_frees), (0, 0, 0), "{rewritten}");
        // The kernel's own variables come before or after the buffer; sizes add up, apart from padding.
        assert!(after.declared >= before.declared + before.peak, "{rewritten}");
    }
    rewritten
}

/// The seed of random programs: `PROPTEST_RNG_SEED`, as for other random cases, or a fixed value.
pub fn seed() -> u64 {
    std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20)
}
