//! The arithmetic of the sums of fields, and whether these fit into it.

use throng_core::Problems;
use throng_model::At;

use crate::creation::{Arithmetic, FixedPoint};
use crate::layers::MOST_LAYERS;
use crate::scenario::given::accept;
use crate::scenario::sources::Sources;
use crate::scenario::{names, walls, written};

/// The arithmetic of the layers of entities.
pub(crate) fn read(run: &At<written::Run>, problems: &mut Problems) -> Option<Arithmetic> {
    let &written::Run { arithmetic, bits, tolerance, .. } = &run.value;
    let given = tolerance.to_string();
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        problems.push(run.part("tolerance"), given, "expected a finite number of 0 or more");
        return None;
    }
    match arithmetic {
        written::Arithmetic::Float => Some(Arithmetic::Float { tolerance }),
        written::Arithmetic::FixedPoint if tolerance > 0.0 => {
            let remedy = "fixed point has no errors to allow: use 0, or arithmetic = \"float\"";
            problems.push(run.part("tolerance"), given, remedy);
            None
        }
        written::Arithmetic::FixedPoint => {
            accept(&run.place, FixedPoint::new(bits), problems).map(Arithmetic::FixedPoint)
        }
    }
}

/// Refuses layers whose sums do not fit into fixed point.
pub(crate) fn check(
    sources: &Sources<'_>,
    layers: &[String],
    arithmetic: Arithmetic,
    run: &At<written::Run>,
    problems: &mut Problems,
) {
    // Sums are checked before anything is computed: one cell suffices.
    let cell = walls::tiny();
    for (number, name) in layers.iter().enumerate().take(MOST_LAYERS as usize) {
        accept(
            &run.part(&format!("layer \"{}\"", names::shown(name))),
            arithmetic.check(&cell, &sources.members(number)),
            problems,
        );
    }
}
