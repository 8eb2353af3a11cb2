//! Views that show the rules of a tick a wrong state.

use super::super::super::super::cpu::views::{Candidates, DecisionContext, Views};
use super::super::super::super::rules::decision::PedestrianView;
use super::super::super::super::rules::direction::DIRECTIONS;
use super::super::super::super::rules::draws::Drawn;
use super::super::super::super::rules::floor::Around;
use super::super::super::super::rules::sums::{ByDirection, Sums};
use super::super::super::super::rules::vote::CandidatesView;

/// The fault of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// All priorities are equal, and ties go to the first direction.
    Priorities,
    /// Draws are those of the next tick.
    Draws,
    /// No pedestrian prefers the right.
    Side,
    /// Walls beside diagonals are not seen.
    Diagonals,
    /// Sources are seen 45° to the left.
    Sectors,
    /// Sums are those of the space unit to the right.
    Reader,
}

/// Views with a fault.
pub struct FaultyViews(pub Wrong);

struct Faulty<V> {
    view: V,
    wrong: Wrong,
}

// CubeCL's traits require a kernel type; this is that of the view with the fault.
#[cfg(feature = "gpu")]
impl<V: throng_device::cubecl::prelude::CubeType> throng_device::cubecl::prelude::CubeType for Faulty<V> {
    type ExpandType = V::ExpandType;
}

impl Views for FaultyViews {
    fn deciding<'f>(&'f self, view: DecisionContext<'f>) -> impl PedestrianView {
        Faulty { view, wrong: self.0 }
    }

    fn candidates<'f>(&'f self, view: Candidates<'f>) -> impl CandidatesView {
        Faulty { view, wrong: self.0 }
    }
}

impl PedestrianView for Faulty<DecisionContext<'_>> {
    fn around(&self) -> Around {
        let Around { free, walls } = self.view.around();
        // A diagonal step is blocked by walls along the axes.
        let seen = if self.wrong == Wrong::Diagonals { 0b1010_1010 } else { u32::MAX };
        Around { free, walls: walls & seen }
    }

    fn drawn(&self) -> Drawn {
        let DecisionContext { seed, pedestrian, tick, .. } = self.view;
        let drawn = seed.of_tick(pedestrian, tick + u32::from(self.wrong == Wrong::Draws));
        Drawn { prefers_right: if self.wrong == Wrong::Side { 0 } else { drawn.prefers_right }, ..drawn }
    }

    fn sums(&mut self) -> Sums {
        let DecisionContext { floor, field_sums, x, y, heading, .. } = self.view;
        let beside = u32::from(self.wrong == Wrong::Reader);
        let sums = field_sums.at(&floor, [(x + beside) % floor.grid.width, y], heading);
        let turned = |of: ByDirection| {
            let of_sector = |sector| of[(sector + usize::from(self.wrong == Wrong::Sectors)) % DIRECTIONS as usize];
            ByDirection(std::array::from_fn(of_sector))
        };
        Sums { crowd: turned(sums.crowd), same: turned(sums.same), oncoming: turned(sums.oncoming) }
    }

    fn static_score(&self, direction: u32) -> i32 {
        self.view.static_score(direction)
    }
}

impl CandidatesView for Faulty<Candidates<'_>> {
    fn candidate(&mut self, from: u32, direction: u32) -> u32 {
        self.view.candidate(from, direction)
    }

    fn number(&self, candidate: u32) -> u32 {
        match self.wrong {
            Wrong::Priorities => 0,
            _ => self.view.number(candidate),
        }
    }

    fn priority(&self, candidate: u32) -> u32 {
        let Candidates { seed, tick, .. } = self.view;
        match self.wrong {
            Wrong::Priorities => 0,
            Wrong::Draws => seed.of_tick(candidate, tick + 1).priority,
            _ => self.view.priority(candidate),
        }
    }
}
