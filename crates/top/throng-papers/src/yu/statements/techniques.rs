//! Statements about the techniques, decided by the programs that lack one of them.

use crate::experiment::{Judgement, Statements, Verdict};
use crate::yu::ablation::{Ablation, Effect};
use crate::yu::reproduce::YuMeasurements;
use crate::yu::techniques::Technique;

/// The statements of sections 3.2 and 4, and of table III.
pub(super) fn statements(measurements: &YuMeasurements, all: &mut Statements) {
    let ablation = &measurements.ablation;
    for (source, text, technique) in [
        ("section 3.2", "Copying a work-group's data to local memory is faster.", Technique::DataBandwidth),
        ("sections 2.1 and 3.2", "Avoiding atomic functions by a cache is faster.", Technique::Competition),
        ("section 3.2", "Selecting values instead of branching is faster.", Technique::Divergence),
        ("section 3.2", "Records of a prime size in local memory are faster.", Technique::BankConflicts),
        ("section 3.2", "Overlapping the work of CPU and GPU is faster.", Technique::Concurrency),
        ("section 3.2", "The sort by exchanges is faster than the general quicksort.", Technique::Sorting),
        ("table III", "Locality of access is faster.", Technique::Locality),
    ] {
        all.push_of_gpu(source, text, judgements(ablation, |side| gain(ablation, side, technique)));
    }
    all.push_of_gpu(
        "section 2.3",
        "Partial sums in groups of 2, 4, 8 or 16 permit dot products (the paper does not say that they are faster).",
        judgements(ablation, |side| {
            let found = gain(ablation, side, Technique::DotProducts)?;
            Some(Verdict::Confirmed.with_evidence(found.evidence + "; the sums are equal"))
        }),
    );
    all.push_of_gpu(
        "table III",
        "The most significant technique is data bandwidth, then competition, divergence, bank conflicts, concurrency, \
         and locality of access.",
        judgements(ablation, |side| order(ablation, side)),
    );
    all.push(
        "table III",
        "The most difficult technique to implement is competition, then divergence, locality of access, bank \
         conflicts, concurrency, and data bandwidth (read as: 1 is the most difficult).",
        [Verdict::Undecided.with_evidence(
            "the paper does not say how it measured difficulty, and explains its numbers only as importance",
        )],
    );
}

fn judgements(ablation: &Ablation, of: impl Fn(u32) -> Option<Judgement>) -> Vec<Judgement> {
    ablation.sizes().into_iter().filter_map(of).collect()
}

/// Whether the program without a technique is slower.
fn gain(ablation: &Ablation, side: u32, technique: Technique) -> Option<Judgement> {
    let Effect { ratio, .. } = ablation.effect(side, technique)?;
    let found = format!("without it the second program takes {} as long in {side} x {side}", ratio.text());
    Some(ratio.within(1.0..).with_evidence(found))
}

/// Whether the effects have the order of table III; each technique is compared with all less significant ones.
fn order(ablation: &Ablation, side: u32) -> Option<Judgement> {
    let mut ranked: Vec<Effect> = ablation.effects(side);
    ranked.retain(|effect| effect.technique.published_rank().is_some());
    let names = |effects: &[Effect]| {
        let name = |effect: &Effect| effect.technique.name().split(':').next().unwrap_or_default();
        effects.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let here = names(&ranked);
    ranked.sort_by_key(|effect| effect.technique.published_rank());
    let pairs: Vec<Verdict> = (0..ranked.len())
        .flat_map(|first| (first + 1..ranked.len()).map(move |second| (first, second)))
        .map(|(first, second)| ranked[first].ratio.exceeds(&ranked[second].ratio))
        .collect();
    let holding = pairs.iter().filter(|&&pair| pair == Verdict::Confirmed).count();
    let found = format!("{holding} of {} pairs are in this order in {side} x {side}; here: {here}", pairs.len());
    (pairs.len() > 1).then(|| Verdict::all(pairs).with_evidence(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::statements::found;
    use crate::experiment::{MIN_RUNS, MeasuredOn, Row, Times};
    use crate::yu::report::tests::measurements;

    /// The first finding of a statement, if the second program takes 1 s and the programs without a technique these.
    fn verdict(seconds: &[(Technique, f64)], statement: &str) -> Option<String> {
        let mut all = measurements();
        all.ablation.sums = 4;
        for &(technique, without) in seconds {
            for (program, seconds) in crate::yu::ablation::compared(technique, 4).into_iter().zip([1.0, without]) {
                let times = Times::of(vec![seconds; MIN_RUNS]);
                all.ablation.rows.0.push(Row { case: 50, program, times, figures: 1 });
            }
        }
        let mut list = Statements::on(MeasuredOn::Gpu);
        statements(&all, &mut list);
        found(&list, statement)
    }

    #[test]
    fn a_technique_is_faster_if_its_absence_is_slower() {
        let of = |seconds| verdict(&[(Technique::DataBandwidth, seconds)], "Copying").unwrap();
        let range = "times (1.50 to 1.50; 3 runs) as long in 50 x 50";
        assert_eq!(of(1.5), format!("confirmed: without it the second program takes 1.50 {range}"));
        assert!(of(0.9).starts_with("not confirmed: "));
        assert_eq!(verdict(&[], "Copying"), None);
    }

    #[test]
    fn all_pairs_have_to_be_in_the_order_of_the_table() {
        let of = |bandwidth, divergence, locality| {
            let seconds = [
                (Technique::Locality, locality),
                (Technique::DataBandwidth, bandwidth),
                (Technique::Divergence, divergence),
            ];
            verdict(&seconds, "The most significant").unwrap()
        };
        let names = "data bandwidth, divergence, locality of access";
        assert_eq!(of(3.0, 2.0, 1.5), format!("confirmed: 3 of 3 pairs are in this order in 50 x 50; here: {names}"));
        assert!(of(3.0, 1.0, 2.0).starts_with("not confirmed: 2 of 3 pairs"));
        assert!(of(3.0, 2.0, 2.0).starts_with("cannot be known: 2 of 3 pairs"));
    }
}
