//! The arithmetic of the sums of fields, and whether these fit into it.

use throng_core::Problems;
use throng_fields_core::creation::{Arithmetic, FixedPoint};
use throng_fields_core::layers::MOST_LAYERS;
use throng_model::At;

use crate::given::accept;
use crate::sources::Sources;
use crate::{names, walls, written};

/// The arithmetic of the layers of entities.
pub fn read(run: &At<written::Run>, problems: &mut Problems) -> Option<Arithmetic> {
    let &written::Run { arithmetic, bits, .. } = &run.value;
    match arithmetic {
        written::Arithmetic::Float => Some(Arithmetic::Float),
        written::Arithmetic::FixedPoint => {
            accept(&run.place, FixedPoint::new(bits), problems).map(Arithmetic::FixedPoint)
        }
    }
}

/// Refuses layers whose sums do not fit into fixed point.
pub fn check(
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
