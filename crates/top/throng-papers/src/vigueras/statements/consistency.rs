//! Findings about overlapping discs, which need no GPU.

use throng_collision::CELL;
use throng_core::three_figures;

use super::findings::Findings;
use crate::experiment::{Judgement, Verdict, count};
use crate::vigueras::counterexamples::refused_winner;
use crate::vigueras::defects::CheckVariant;
use crate::vigueras::grid::Stamps;
use crate::vigueras::overlaps::DIAMETER;
use crate::vigueras::published::{Restore, Variant};
use crate::vigueras::verification::published;

impl Findings<'_> {
    /// Whether there is a reading of the four steps without overlaps. In each case, the reading with the fewest counts.
    pub(super) fn overlaps(&self) -> Option<Judgement> {
        let is_reading = |check: CheckVariant| matches!(check, CheckVariant::FourSteps(_, Stamps::PerSlot));
        let (mut least, mut most, mut cases, mut fewer) = (f64::INFINITY, 0.0f64, 0, 0);
        for of_case in self.0.defects.chunk_by(|a, b| a.case == b.case) {
            let readings = of_case.iter().filter(|found| is_reading(found.check)).map(|found| found.pairs);
            let Some(pairs) = readings.reduce(f64::min) else { continue };
            (least, most, cases) = (least.min(pairs), most.max(pairs), cases + 1);
            let baseline = of_case.iter().find(|found| found.check == CheckVariant::Baseline);
            fewer += usize::from(baseline.is_some_and(|baseline| pairs < baseline.pairs));
        }
        let agents = self.0.defects.first()?.case.agents;
        let found = format!(
            "in a step that begins without overlaps, {} to {} pairs of {} agents overlap under the reading with the \
             fewest, depending on area and step; in {fewer} of {cases} cases fewer than under the baseline",
            three_figures(least),
            three_figures(most),
            count(agents)
        );
        // A crowd without overlaps does not show that there are none in all crowds.
        let verdict = if most > 0.0 { Verdict::NotConfirmed } else { Verdict::Undecided };
        (cases > 0).then(|| verdict.with_evidence(found))
    }
}

/// Whether the diagonal between the outermost centres in a cell is shorter than a diameter.
pub(super) fn discs_in_one_cell() -> Judgement {
    let (side, diameter) = (i64::from(CELL) - 1, i64::from(DIAMETER));
    let found =
        format!("the farthest centres in a cell are {side} units apart on each axis, the diameter is {diameter}");
    Verdict::of(2 * side * side < diameter * diameter).with_evidence(found)
}

/// Whether discs that have two cells between theirs cannot overlap.
pub(super) fn discs_in_distant_cells() -> Judgement {
    let (distance, diameter) = (2 * i64::from(CELL) + 1, i64::from(DIAMETER));
    let found = format!(
        "discs with two cells between theirs are at least {distance} units apart, the diameter is {diameter}; with one \
         cell between, they may overlap"
    );
    Verdict::of(distance >= diameter).with_evidence(found)
}

/// Whether a refused disc that stays in its position can be overlapped by another one.
pub(super) fn refused_winners() -> Option<Judgement> {
    let example = refused_winner().ok()?;
    let pairs =
        |restore| published(&example, Variant { restore, stamps: Stamps::PerSlot }).ok().map(|found| found.pairs);
    let fewest = Restore::ALL.into_iter().map(pairs).collect::<Option<Vec<_>>>()?.into_iter().min()?;
    let pairs = if fewest == 1 { "one pair overlaps".to_owned() } else { format!("{fewest} pairs overlap") };
    let found =
        format!("three discs in a row, one of which is refused: {pairs} under the three readings that were tried");
    Some(Verdict::of(fewest == 0).with_evidence(found))
}
