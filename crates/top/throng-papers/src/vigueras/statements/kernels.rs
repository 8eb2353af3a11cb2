//! Findings about the kernels of a program. They decide no statement about fractions of the time, see [`ON_THE_HOST`].

use throng_core::three_figures;

use super::findings::Findings;
use crate::experiment::{Judgement, SpeedUp, Verdict, percent};
use crate::vigueras::kernel_times::KernelTimes;
use crate::vigueras::method::{Method, OPTIMISED};

/// Why fractions of kernel times are not comparable with figures 3 and 6.
pub(super) const ON_THE_HOST: &str = "\
    kernels are timed on the host, launch by launch, which underestimates short kernels and sorts of many launches";

impl Findings<'_> {
    fn kernels(&self, method: Method) -> Option<&KernelTimes> {
        self.0.kernels.iter().find(|found| found.method == method)
    }

    /// The fraction of each kernel of a program.
    pub(super) fn kernel_shares(&self, method: Method) -> Option<Judgement> {
        let found = self.kernels(method)?;
        let shares =
            found.kernels.iter().filter_map(|(name, _)| Some(format!("{name} {}", percent(found.share(name)?))));
        let list = shares.collect::<Vec<_>>().join(", ");
        let runs = found.kernels.first()?.1.len();
        Some(Verdict::Undecided.with_evidence(format!("{list} ({runs} runs; {ON_THE_HOST})")))
    }

    /// Two measurements of the sort's fraction in the optimised baseline.
    pub(super) fn sort_of_optimised(&self) -> Option<Judgement> {
        let case = self.0.options.published_case()?;
        let of_kernels = self.kernels(OPTIMISED)?.share("sort")?;
        let sort = self.0.rows.row(case, OPTIMISED)?.figures.sort?;
        let alone = sort / self.0.check_seconds(case, OPTIMISED)?;
        Some(Verdict::Undecided.with_evidence(format!(
            "{} of the summed kernel times, {} when sorts run alone, back to back, launches included; the paper does \
             not say which it measured",
            percent(of_kernels),
            percent(alone)
        )))
    }

    /// The merged kernel beside two kernels, without the time between launches, which merging also saves.
    pub(super) fn merged_kernels(&self) -> Option<Judgement> {
        let two = self.kernels(Method::FastSortBaseline)?.times(&["reorder", "find cells"])?;
        let merged = self.kernels(OPTIMISED)?.times(&["reorder and find cells"])?;
        let ratio = SpeedUp::of(&two, &merged).text();
        Some(Verdict::Undecided.with_evidence(format!(
            "the merged kernel is {ratio} as fast, without the time between launches; {ON_THE_HOST}"
        )))
    }

    /// The check kernels with and without tiles in shared memory, as a part of a sentence.
    pub(super) fn check_kernels(&self) -> Option<String> {
        let us = |method| Some(three_figures(self.kernels(method)?.times(&["check"])?.median() * 1e6));
        Some(format!(
            "; its check kernel takes {} µs, that of \"{}\" {} µs",
            us(OPTIMISED)?,
            Method::FastSortBaseline.name(),
            us(Method::FastSortBaseline)?
        ))
    }
}
