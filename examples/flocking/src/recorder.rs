//! The results: a table of the order of the flock, an animation, and state hashes.

use std::time::Duration;

use throng::fields::pictures::{Animation, HeatMap};
use throng::fields::{Field, Grid};
use throng::model::{Failure, HashLog, Run};
use throng::output::csv::{Row, push_header};
use throng::output::{Codec, PendingFile, TextFile, WrittenFile};

use crate::model::Observer;
use crate::rules::PATCH;
use crate::scenario::{Scenario, State};

pub const MEASURES: &str = "measures.csv";
pub const ANIMATION: &str = "flocking.png";

/// Writes while the simulation goes on.
pub struct Recorder<'r> {
    ticks: u32,
    frame_every: u32,
    field: Field,
    measures: TextFile,
    animation: Option<Animation<&'r mut PendingFile>>,
    hashes: Option<(u64, &'r mut HashLog)>,
    last: State,
}

impl<'r> Recorder<'r> {
    /// `file` is for the animation, if there is one.
    pub fn new(scenario: &Scenario, run: &'r mut Run<'_>, file: Option<&'r mut PendingFile>) -> Result<Self, Failure> {
        let Scenario { ticks, frame_every, size, .. } = *scenario;
        let mut measures = TextFile::create(run.folder, MEASURES, Codec::None)?;
        push_header(measures.text(), &["tick", "order", "hash"]);
        // A picture of the whole world, in cells of a patch or more.
        let patches = size.div_ceil(100);
        let grid = Grid::new([0.0; 2], patches as f32, size.div_ceil(patches), size.div_ceil(patches))?;
        let frames = (ticks / frame_every.max(1)).saturating_add(1);
        let animation = file.map(|file| Animation::new(file, frames, Duration::from_millis(80))).transpose()?;
        let hashes = run.hashes.as_mut().map(|log| (run.request.hash_every, log));
        let field = Field::new(grid, vec![0.0; grid.cells()]);
        Ok(Self { ticks, frame_every, field, measures, animation, hashes, last: State::default() })
    }

    /// Completes table and animation; with the last state.
    pub fn finish(self) -> Result<(WrittenFile, State), Failure> {
        self.animation.map(Animation::finish).transpose()?;
        Ok((self.measures.finish()?, self.last))
    }
}

impl Observer for Recorder<'_> {
    fn wants(&self, tick: u32) -> bool {
        let every = |every: u64| every > 0 && u64::from(tick).is_multiple_of(every);
        tick == self.ticks || every(self.frame_every.into()) || self.hashes.as_ref().is_some_and(|(n, _)| every(*n))
    }

    fn see(&mut self, tick: u32, state: &State) -> Result<(), Failure> {
        let hash = state.hash();
        let is_frame = self.frame_every > 0 && tick.is_multiple_of(self.frame_every);
        if is_frame || tick == self.ticks {
            let mut row = Row::new(self.measures.text());
            row.integer(tick.into()).decimal(state.order(), 4).text(&format!("{hash:016x}")).end();
        }
        if let Some((_, log)) = self.hashes.as_mut().filter(|(every, _)| u64::from(tick).is_multiple_of(*every)) {
            log.line(tick.into(), hash)?;
        }
        if let Some(animation) = self.animation.as_mut().filter(|_| is_frame) {
            let patches = |at: &i32| f64::from(*at) / f64::from(PATCH);
            let birds = state.xs.iter().zip(&state.ys).map(|(x, y)| ([patches(x), patches(y)], 0));
            let title = format!("Flocking\ntick {tick:>5}, order {:.3}", state.order());
            animation.add(&HeatMap::new(&self.field).with_points(birds).with_title(title).draw()?)?;
        }
        if tick == self.ticks {
            self.last = state.clone();
        }
        Ok(())
    }
}
