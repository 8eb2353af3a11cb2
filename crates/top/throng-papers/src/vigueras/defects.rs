//! Counts the pairs of discs that overlap after a step under the published checks, although none did before.

use throng_core::{Philox, Progress};
use throng_device::Error;

use super::baseline::Baseline;
use super::cases::{Case, Options};
use super::crowd::Crowd;
use super::grid::Stamps;
use super::overlaps::{apply_moves, overlapping_pairs};
use super::published::{FourSteps, Restore, Variant};

/// A check whose overlaps are counted, on the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckVariant {
    /// The paper's baseline.
    Baseline,
    /// The four steps; the disc with the highest id gets a cell.
    FourSteps(Restore, Stamps),
    /// The sequential rule of `throng_collision`.
    Sequential,
}

impl CheckVariant {
    /// All checks.
    pub const ALL: [Self; 6] = [
        Self::Baseline,
        Self::FourSteps(Restore::Immediate, Stamps::PerSlot),
        Self::FourSteps(Restore::OneHop, Stamps::PerSlot),
        Self::FourSteps(Restore::FullWalk, Stamps::PerSlot),
        Self::FourSteps(Restore::Immediate, Stamps::PerCell),
        Self::Sequential,
    ];

    /// The name used in tables.
    pub fn name(self) -> String {
        match self {
            Self::Baseline => "baseline".to_owned(),
            Self::FourSteps(restore, Stamps::PerSlot) => format!("four steps, {}", restore.name()),
            Self::FourSteps(restore, Stamps::PerCell) => format!("four steps, {}, stamps of cells", restore.name()),
            Self::Sequential => "sequential rule".to_owned(),
        }
    }
}

/// The results of a check in a case, averaged over steps that each start without overlaps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Defects {
    /// Parameters of the crowd.
    pub case: Case,
    /// The check whose overlaps are counted.
    pub check: CheckVariant,
    /// Mean number of pairs that overlap after a step.
    pub pairs: f64,
    /// Fraction of agents that moved.
    pub moved: f64,
}

/// Counts pairs in all combinations of density and step length. The crowd moves under the sequential rule, so that each
/// step starts without overlaps; all checks decide on the same wishes.
///
/// # Errors
/// If a case is out of range.
pub fn count_defects(options: &Options, progress: &dyn Progress) -> Result<Vec<Defects>, Error> {
    let cases = options.densities(options.counted_agents);
    let mut all = vec![];
    progress.begin("counting pairs that overlap", Some(cases.len() as u64), "cases");
    for (i, &case) in cases.iter().enumerate() {
        progress.at(i as u64, &format!("area {}, steps of {} cells", case.area, case.step));
        all.extend(count(case, options)?);
    }
    progress.end();
    Ok(all)
}

fn count(case: Case, options: &Options) -> Result<Vec<Defects>, Error> {
    let crowd = Crowd::new(case.agents as usize, case.area, options.seed)?;
    let discs = crowd.at[0].len();
    let moves = crowd.moves(case.length());
    let mut sequential = crowd.sequential(&moves, options.seed)?;
    let baseline = Baseline::new(crowd.world, discs)?;
    // Each check has its own slots, which keep ids of earlier steps.
    let four_steps = |check| match check {
        CheckVariant::FourSteps(restore, stamps) => {
            FourSteps::new(crowd.world, discs, Variant { restore, stamps }).map(Some)
        }
        CheckVariant::Baseline | CheckVariant::Sequential => Ok(None),
    };
    let mut four_steps = CheckVariant::ALL.into_iter().map(four_steps).collect::<Result<Vec<_>, _>>()?;
    let mut found = CheckVariant::ALL.map(|check| Defects { case, check, pairs: 0.0, moved: 0.0 });
    for step in 0..options.counted_steps {
        let at = sequential.positions()?.into_owned();
        let from = [&at[0][..], &at[1]];
        let wishes = moves.wishes(Philox::new(options.seed), step, from);
        let to = [&wishes[0][..], &wishes[1]];
        sequential.step(to)?;
        for (found, four_steps) in found.iter_mut().zip(&mut four_steps) {
            let accepted = match four_steps {
                Some(check) => check.accepted(from, to)?,
                None if found.check == CheckVariant::Baseline => baseline.accepted(from, to)?,
                None => sequential.granted()?.into_owned(),
            };
            let mut after = at.clone();
            apply_moves(&mut after, &wishes, &accepted);
            found.pairs += overlapping_pairs(&crowd.world, [&after[0], &after[1]])? as f64;
            found.moved += accepted.iter().filter(|&&moves| moves).count() as f64;
        }
    }
    let steps = f64::from(options.counted_steps.max(1));
    for found in &mut found {
        found.pairs /= steps;
        found.moved /= steps * f64::from(case.agents.max(1));
    }
    Ok(found.to_vec())
}

#[cfg(test)]
mod tests {
    use throng_core::NoProgress;

    use super::*;

    #[test]
    fn published_checks_leave_overlaps_and_the_sequential_rule_does_not() {
        let options = Options {
            areas: vec![0.2],
            steps: vec![0.25, 1.0],
            counted_agents: 3_000,
            counted_steps: 4,
            ..Options::default()
        };
        let all = count_defects(&options, &NoProgress).unwrap();
        assert_eq!(all.len(), 2 * CheckVariant::ALL.len());
        for found in &all {
            assert_eq!(found.pairs == 0.0, found.check == CheckVariant::Sequential, "{found:?}");
            assert!(found.moved > 0.3 && found.moved < 1.0, "{found:?}");
        }
        // Longer steps cause more overlaps.
        for (short, long) in all.iter().zip(&all[CheckVariant::ALL.len()..]) {
            assert!(short.pairs < long.pairs || short.check == CheckVariant::Sequential, "{short:?} {long:?}");
        }
    }
}
